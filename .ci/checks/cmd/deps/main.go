// Command deps checks what the library draws in: the library packages import,
// directly or not, the standard library and their own module alone, and the
// root's go.mod requires directly what its tests need alone.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/purehpa/hpa/ci/checks/internal/gopkgs"
)

func main() {
	root := flag.String("root", ".", "the module's root `folder`")
	flag.Parse()
	problems, err := check(*root, gopkgs.Rooms)
	if err != nil {
		fmt.Println("deps:", err)
		os.Exit(1)
	}
	for _, p := range problems {
		fmt.Println(p)
	}
	if len(problems) > 0 {
		fmt.Printf("deps: %d problems\n", len(problems))
		os.Exit(1)
	}
	fmt.Println("deps: the library imports the standard library alone")
}

func check(root string, rooms []string) ([]string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	problems, err := checkRequirements(root)
	if err != nil {
		return nil, err
	}
	module, err := gopkgs.MainModule(root)
	if err != nil {
		return nil, err
	}
	var library []string
	for _, room := range rooms {
		pkgs, err := gopkgs.Room(root, nil, room)
		if err != nil {
			return nil, err
		}
		if len(pkgs) == 0 {
			problems = append(problems, room+": no packages here")
		}
		for _, p := range pkgs {
			if !gopkgs.IsTestSupport(module, p.ImportPath) {
				library = append(library, p.ImportPath)
			}
		}
	}
	if len(library) == 0 {
		return problems, nil
	}
	deps, err := gopkgs.List(root, nil, append([]string{"-deps"}, library...)...)
	if err != nil {
		return nil, err
	}
	for _, d := range deps {
		if gopkgs.IsTestSupport(module, d.ImportPath) {
			problems = append(problems, fmt.Sprintf("%s: is for tests, but the library imports it", d.ImportPath))
		}
		for _, i := range d.Imports {
			if imported := find(deps, i); imported != nil && !d.Standard && !own(imported, module) {
				problems = append(problems, fmt.Sprintf("%s: imports %s", d.ImportPath, i))
			}
		}
	}
	return problems, nil
}

func find(pkgs []*gopkgs.Package, importPath string) *gopkgs.Package {
	for _, p := range pkgs {
		if p.ImportPath == importPath {
			return p
		}
	}
	return nil
}

func own(p *gopkgs.Package, module string) bool {
	return p.Standard || p.Module != nil && p.Module.Main && p.Module.Path == module
}

func checkRequirements(root string) ([]string, error) {
	out, err := gopkgs.Go(root, nil, "mod", "edit", "-json")
	if err != nil {
		return nil, err
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Replace []struct{ Old struct{ Path string } }
		Tool    []struct{ Path string }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return nil, fmt.Errorf("go.mod: %w", err)
	}
	var problems []string
	for _, r := range mod.Require {
		if !r.Indirect && !slices.Contains(gopkgs.TestModules, r.Path) {
			problems = append(problems, "go.mod: requires "+r.Path)
		}
	}
	for _, r := range mod.Replace {
		problems = append(problems, "go.mod: replaces "+r.Old.Path)
	}
	for _, t := range mod.Tool {
		problems = append(problems, "go.mod: requires the tool "+t.Path)
	}
	return problems, nil
}
