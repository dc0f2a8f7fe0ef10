package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// support are folders of packages beside those that decide. They may do what
// those may not, and no library package may import them.
var support = []string{
	"calculator/calctest", // for tests, and imports what tests may
	"calculator/prove",    // goes through courses of load on all processors
}

// A listed package is the part of go list's answer that the check reads.
type listed struct {
	Dir        string
	ImportPath string
	Export     string
	DepOnly    bool
	GoFiles    []string
}

// below reports whether p is prefix or lies below it.
func below(p, prefix string) bool {
	return p == prefix || strings.HasPrefix(p, prefix+"/")
}

// isSupport reports whether import path p of the module is in or below one of
// support.
func isSupport(module, p string) bool {
	for _, s := range support {
		if below(p, module+"/"+s) {
			return true
		}
	}
	return false
}

// list runs go list -json with args in dir; env is added to the environment.
func list(dir string, env []string, args ...string) ([]*listed, error) {
	out, err := runGo(dir, env, append([]string{"list", "-json"}, args...)...)
	if err != nil {
		return nil, err
	}
	var pkgs []*listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, p)
	}
}

// listRoom lists the packages in and below a folder of the module at root. A
// folder that does not exist has none.
func listRoom(root string, env []string, room string) ([]*listed, error) {
	if _, err := os.Stat(filepath.Join(root, room)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list(root, env, "./"+room+"/...")
}

// runGo runs the go command in dir and returns its standard output.
func runGo(dir string, env []string, args ...string) ([]byte, error) {
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
