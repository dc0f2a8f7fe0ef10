// Command purity checks that the library's packages are pure: that they read no
// clock, do no I/O, start no goroutine, take no lock, draw no random number,
// change no package-level variable and never panic on purpose, except functions
// named Must….
//
// Its arguments are the library's folders. It reads every non-test file in and
// below them, whatever its build constraints, with the types of each platform
// that -platforms names. Packages for tests, packages that search on all
// processors and nested modules are left out. What it cannot see: what functions
// of the caller's do when they are called.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	root := flag.String("root", ".", "the module's root `folder`")
	platforms := flag.String("platforms", "linux/amd64,linux/386,linux/arm64,js/wasm", "comma-separated `list` of GOOS/GOARCH to read the files for")
	flag.Parse()

	if flag.NArg() == 0 {
		fmt.Println("purity: no folders named")
		os.Exit(1)
	}
	problems, read, err := check(*root, flag.Args(), strings.Split(*platforms, ","))
	if err != nil {
		fmt.Println("purity:", err)
		os.Exit(1)
	}
	for _, p := range problems {
		fmt.Println(p)
	}
	if len(problems) > 0 {
		fmt.Printf("purity: %d problems\n", len(problems))
		os.Exit(1)
	}
	fmt.Printf("purity: %d files, all pure\n", read)
}
