// Command modproxy lays out a file-system module proxy
// (go.dev/ref/mod#goproxy-protocol) that serves modules of a git repository as
// they would be at a tag: without nested modules, and whatever their replace
// directives say of no account to others.
//
//	modproxy [-repo folder] proxy-folder tree-ish version module-folder...
//
// The root's folder is ".".
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("modproxy: ")
	repo := flag.String("repo", ".", "the repository's root `folder`")
	flag.Parse()
	if flag.NArg() < 4 {
		log.Fatal("want a folder, a tree, a version and folders of modules")
	}
	if err := run(flag.Arg(0), *repo, flag.Arg(1), flag.Arg(2), flag.Args()[3:]); err != nil {
		log.Fatal(err)
	}
}

func run(proxy, repo, tree, version string, folders []string) error {
	rev, err := git(repo, "rev-parse", "--verify", tree)
	if err != nil {
		return err
	}
	objects, err := git(repo, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return err
	}
	// Package zip reads repositories, but no worktrees and none that belong to
	// someone else. One that borrows the objects does.
	own, err := os.MkdirTemp("", "modproxy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	if _, err := git(own, "init", "--quiet"); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(own, ".git/objects/info/alternates"), objects, 0o644); err != nil {
		return err
	}
	for _, folder := range folders {
		if err := serve(proxy, own, strings.TrimSpace(string(rev)), version, folder); err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	}
	return nil
}

func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

func serve(proxy, repo, tree, version, folder string) error {
	mod, err := git(repo, "show", tree+":"+path.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	m := module.Version{Path: modfile.ModulePath(mod), Version: version}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	dir := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, data := range map[string]string{
		"list":            version + "\n",
		version + ".info": fmt.Sprintf("{\"Version\":%q}\n", version),
		version + ".mod":  string(mod),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			return err
		}
	}
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		return err
	}
	if folder == "." {
		folder = ""
	}
	if err := zip.CreateFromVCS(f, m, repo, tree, folder); err != nil {
		return err
	}
	return f.Close()
}
