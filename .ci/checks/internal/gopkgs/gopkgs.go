// Package gopkgs asks the go command what packages there are.
package gopkgs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// Rooms are the library's five packages, as folders below the root.
var Rooms = []string{"metrics", "podgroup", "stabilize", "behavior", "calculator"}

// TestSupport are packages, as paths below the root, that exist to be imported
// by tests. They may import what tests may, and no library package may import
// them.
var TestSupport = []string{"calculator/calctest"}

// TestModules are what the root's tests may require beyond the standard
// library.
var TestModules = []string{
	"github.com/google/go-cmp",
	"github.com/stretchr/testify",
	"pgregory.net/rapid",
}

// A Module is the part of go list's answer on modules that the checks read.
type Module struct {
	Path string
	Main bool
}

// A Package is the part of go list's answer that the checks read.
type Package struct {
	Dir        string
	ImportPath string
	Name       string
	Export     string
	Standard   bool
	DepOnly    bool
	Module     *Module
	GoFiles    []string
	Imports    []string
}

// Below reports whether import path p is prefix or lies below it.
func Below(p, prefix string) bool {
	return p == prefix || strings.HasPrefix(p, prefix+"/")
}

// IsTestSupport reports whether import path p of the module is one of
// TestSupport.
func IsTestSupport(module, p string) bool {
	for _, s := range TestSupport {
		if Below(p, path.Join(module, s)) {
			return true
		}
	}
	return false
}

// MainModule is the path of the module whose root is dir.
func MainModule(dir string) (string, error) {
	out, err := Go(dir, nil, "list", "-m")
	return strings.TrimSpace(string(out)), err
}

// List runs go list -json with args in dir; env is added to the environment.
func List(dir string, env []string, args ...string) ([]*Package, error) {
	out, err := Go(dir, env, append([]string{"list", "-json"}, args...)...)
	if err != nil {
		return nil, err
	}
	var pkgs []*Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(Package)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, p)
	}
}

// Room lists the packages of the module at root that are in a folder of it or
// below; none, when there is no such folder. args precede the pattern.
func Room(root string, env []string, room string, args ...string) ([]*Package, error) {
	if _, err := os.Stat(filepath.Join(root, room)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return List(root, env, append(args, "./"+room+"/...")...)
}

// Go runs the go command in dir and returns its standard output.
func Go(dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir)
	cmd.Env = append(cmd.Env, env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, nil
}
