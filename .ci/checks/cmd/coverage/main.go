// Command coverage reads a profile of go test -coverprofile and exits with 1
// unless every package that its arguments name reaches the minimum, exactly and
// not after rounding. The share is that of statements.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
)

func main() {
	file := flag.String("profile", "", "the profile's `file`")
	least := flag.Int("min", 95, "the lowest share allowed, in `percent`")
	flag.Parse()

	f, err := os.Open(*file)
	if err != nil {
		fmt.Println("coverage:", err)
		os.Exit(1)
	}
	sums, err := read(f)
	f.Close()
	if err == nil {
		err = check(os.Stdout, sums, *least, flag.Args())
	}
	if err != nil {
		fmt.Println("coverage:", err)
		os.Exit(1)
	}
}

type sum struct{ covered, total int }

// read adds up a profile by package. A block that stands there more than once
// counts once, covered if it is in one place.
func read(r io.Reader) (map[string]sum, error) {
	type block struct {
		pkg     string
		stmts   int
		covered bool
	}
	blocks := map[string]block{}
	in := bufio.NewScanner(r)
	for in.Scan() {
		line := in.Text()
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		// package/file.go:line.column,line.column statements count
		f := strings.Fields(line)
		colon := strings.LastIndexByte(line, ':')
		if len(f) != 3 || colon < 0 {
			return nil, fmt.Errorf("not a line of a profile: %q", line)
		}
		stmts, err1 := strconv.Atoi(f[1])
		count, err2 := strconv.ParseUint(f[2], 10, 64)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("not a line of a profile: %q", line)
		}
		b := blocks[f[0]]
		blocks[f[0]] = block{path.Dir(line[:colon]), stmts, b.covered || count > 0}
	}
	sums := map[string]sum{}
	for _, b := range blocks {
		s := sums[b.pkg]
		s.total += b.stmts
		if b.covered {
			s.covered += b.stmts
		}
		sums[b.pkg] = s
	}
	return sums, in.Err()
}

func check(w io.Writer, sums map[string]sum, least int, pkgs []string) error {
	var low []string
	for _, p := range pkgs {
		s, ok := sums[p]
		if !ok || s.total == 0 {
			fmt.Fprintf(w, "%s: no statements in the profile\n", p)
			low = append(low, p)
			continue
		}
		fmt.Fprintf(w, "%s: %.2f%% (%d of %d statements)\n", p, 100*float64(s.covered)/float64(s.total), s.covered, s.total)
		if 100*s.covered < least*s.total {
			low = append(low, p)
		}
	}
	if len(low) > 0 {
		return fmt.Errorf("below %d%%: %s", least, strings.Join(low, ", "))
	}
	if len(pkgs) == 0 {
		return fmt.Errorf("no packages named")
	}
	return nil
}
