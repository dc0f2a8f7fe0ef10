package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A problem is something impure, and where it stands.
type problem struct {
	file string // relative to the root, with slashes
	line int
	text string
}

func (p problem) String() string { return fmt.Sprintf("%s:%d: %s", p.file, p.line, p.text) }

// check reads the packages in and below the rooms and returns what is impure in
// them, in order, and the number of files read.
func check(root string, rooms, platforms []string) ([]problem, int, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, 0, err
	}
	out, err := runGo(root, nil, "list", "-m")
	if err != nil {
		return nil, 0, err
	}
	module := strings.TrimSpace(string(out))
	found := map[problem]bool{}
	read := map[string]bool{}
	for _, p := range platforms {
		r := &reader{root: root, module: module, platform: p, found: found, read: read}
		if err := r.load(rooms); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", p, err)
		}
		r.check()
	}
	for _, room := range rooms {
		files, err := sources(root, module, room)
		if err != nil {
			return nil, 0, err
		}
		if len(files) == 0 {
			found[problem{room, 0, "no Go files here"}] = true
		}
		for _, f := range files {
			if filepath.Ext(f) != ".go" {
				found[problem{f, 1, "is not Go"}] = true
			} else if !read[f] {
				found[problem{f, 1, "is part of no build, without cgo, for " + strings.Join(platforms, ", ")}] = true
			}
		}
	}
	var problems []problem
	for p := range found {
		problems = append(problems, p)
	}
	slices.SortFunc(problems, func(a, b problem) int {
		if c := strings.Compare(a.file, b.file); c != 0 {
			return c
		}
		if a.line != b.line {
			return a.line - b.line
		}
		return strings.Compare(a.text, b.text)
	})
	return problems, len(read), nil
}

// sources are the files that could become part of a build, as paths relative to
// root: Go's, tests aside, and assembly and C, which nobody here can read.
func sources(root, module, room string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(filepath.Join(root, room), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		base := d.Name()
		hidden := strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			if hidden || base == "testdata" || err == nil || isSupport(module, module+"/"+rel) {
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(base) {
		case ".go":
			if !hidden && !strings.HasSuffix(base, "_test.go") {
				files = append(files, rel)
			}
		case ".s", ".S", ".c", ".h", ".cc", ".cpp", ".cxx", ".m", ".f", ".F", ".f90", ".syso", ".swig", ".swigcxx":
			if !hidden {
				files = append(files, rel)
			}
		}
		return nil
	})
	return files, err
}

// A unit is a package with its syntax and types.
type unit struct {
	path    string
	files   []*ast.File
	types   *types.Package
	info    *types.Info
	parents map[ast.Node]ast.Node
}

// A use is a place where an object is named.
type use struct {
	in *unit
	id *ast.Ident
}

// A reader reads the packages as they are for one platform.
type reader struct {
	root, module, platform string
	found                  map[problem]bool
	read                   map[string]bool

	fset   *token.FileSet
	own    map[string]*unit
	units  []*unit
	uses   map[types.Object][]use
	bodies map[*types.Func]bool
	pure   map[*types.Var]bool // see onlyRead
}

func (r *reader) report(pos token.Pos, format string, args ...any) {
	p := r.fset.Position(pos)
	rel, err := filepath.Rel(r.root, p.Filename)
	if err != nil {
		rel = p.Filename
	}
	r.found[problem{filepath.ToSlash(rel), p.Line, fmt.Sprintf(format, args...)}] = true
}

func (r *reader) load(rooms []string) error {
	goos, goarch, ok := strings.Cut(r.platform, "/")
	if !ok {
		return fmt.Errorf("not of the form GOOS/GOARCH")
	}
	// Without cgo, files that use it are part of no build, which is reported.
	env := []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}
	var paths []string
	for _, room := range rooms {
		pkgs, err := listRoom(r.root, env, room)
		if err != nil {
			return err
		}
		for _, p := range pkgs {
			if len(p.GoFiles) > 0 && !isSupport(r.module, p.ImportPath) {
				paths = append(paths, p.ImportPath)
			}
		}
	}
	if len(paths) == 0 {
		return nil // reported as no Go files
	}
	pkgs, err := list(r.root, env, append([]string{"-deps", "-export"}, paths...)...)
	if err != nil {
		return err
	}
	exports := map[string]string{}
	for _, p := range pkgs {
		exports[p.ImportPath] = p.Export
	}
	r.fset = token.NewFileSet()
	r.own = map[string]*unit{}
	r.uses = map[types.Object][]use{}
	r.bodies = map[*types.Func]bool{}
	r.pure = map[*types.Var]bool{}
	imp := &ownFirst{r.own, importer.ForCompiler(r.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(exports[path])
	})}
	conf := &types.Config{Importer: imp, Sizes: types.SizesFor("gc", goarch)}
	for _, p := range pkgs { // in the order of their dependencies
		if !p.DepOnly {
			if err := r.parse(conf, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reader) parse(conf *types.Config, p *listed) error {
	u := &unit{path: p.ImportPath, parents: map[ast.Node]ast.Node{}}
	u.info = &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	for _, name := range p.GoFiles {
		name = filepath.Join(p.Dir, name)
		f, err := parser.ParseFile(r.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.PreorderStack(f, nil, func(n ast.Node, stack []ast.Node) bool {
			if len(stack) > 0 {
				u.parents[n] = stack[len(stack)-1]
			}
			return true
		})
		u.files = append(u.files, f)
		rel, err := filepath.Rel(r.root, name)
		if err != nil {
			return err
		}
		r.read[filepath.ToSlash(rel)] = true
	}
	var err error
	u.types, err = conf.Check(p.ImportPath, r.fset, u.files, u.info)
	if err != nil {
		return err
	}
	for id, obj := range u.info.Uses {
		r.uses[obj] = append(r.uses[obj], use{u, id})
	}
	for _, f := range u.files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				if fn, ok := u.info.Defs[d.Name].(*types.Func); ok {
					r.bodies[fn] = true
				}
			}
		}
	}
	r.own[p.ImportPath] = u
	r.units = append(r.units, u)
	return nil
}

// ownFirst imports what was read from source, and the rest from export data, so
// that an object is the same object everywhere.
type ownFirst struct {
	own  map[string]*unit
	rest types.Importer
}

func (i *ownFirst) Import(path string) (*types.Package, error) {
	if u := i.own[path]; u != nil {
		return u.types, nil
	}
	return i.rest.Import(path)
}

func (r *reader) check() {
	for _, u := range r.units {
		for _, f := range u.files {
			r.checkImports(f)
			r.checkDirectives(f)
			r.checkSyntax(u, f)
			r.checkVariables(u, f)
		}
		for id, obj := range u.info.Uses {
			r.checkUse(u, id, obj)
		}
	}
}
