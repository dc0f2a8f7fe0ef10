package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// purePackages are those of the standard library that the library may import:
// nothing in them is impure, except the names in impure.
var purePackages = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring",
	"encoding", "encoding/base32", "encoding/base64", "encoding/binary",
	"encoding/csv", "encoding/hex", "encoding/json",
	"errors", "fmt",
	"hash", "hash/adler32", "hash/crc32", "hash/crc64", "hash/fnv",
	"io", "iter", "maps", "math", "math/big", "math/bits", "math/cmplx",
	"reflect", "regexp", "regexp/syntax", "slices", "sort", "strconv", "strings",
	"text/tabwriter", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// whyNot tells why an import is not pure, by the first part of its path or by
// the whole.
var whyNot = []struct{ prefix, why string }{
	{"C", "cgo"},
	{"unsafe", "unsafe"},
	{"sync", "locks"},
	{"math/rand", "random numbers"},
	{"crypto/rand", "random numbers"},
	{"hash/maphash", "random numbers"},
	{"os", "I/O"}, {"io/fs", "I/O"}, {"io/ioutil", "I/O"}, {"net", "I/O"},
	{"path/filepath", "I/O"}, {"syscall", "I/O"}, {"log", "I/O"},
	{"database", "I/O"}, {"embed", "I/O"}, {"flag", "I/O"},
	{"testing", "for tests only"},
	{"runtime", "the runtime's state"},
	{"context", "clocks and goroutines"},
}

// impure are functions, methods and variables that pure packages export all the
// same, by full name.
var impure = map[string]string{
	"time.Now":          "reads the clock",
	"time.Since":        "reads the clock",
	"time.Until":        "reads the clock",
	"time.After":        "reads the clock",
	"time.Tick":         "reads the clock",
	"time.NewTimer":     "reads the clock",
	"time.NewTicker":    "reads the clock",
	"time.AfterFunc":    "reads the clock",
	"time.Sleep":        "reads the clock",
	"time.Local":        "reads the machine's time zone",
	"(time.Time).Local": "reads the machine's time zone",
	"time.LoadLocation": "reads the machine's time zones",
	"fmt.Print":         "does I/O",
	"fmt.Printf":        "does I/O",
	"fmt.Println":       "does I/O",
	"fmt.Scan":          "does I/O",
	"fmt.Scanf":         "does I/O",
	"fmt.Scanln":        "does I/O",
	"io.Pipe":           "takes locks",
	"iter.Pull":         "starts a coroutine",
	"iter.Pull2":        "starts a coroutine",
	"reflect.Select":    "uses channels",
	"reflect.MakeChan":  "uses channels",
	"reflect.ChanOf":    "uses channels",
	"reflect.NewAt":     "unsafe",
}

// localTimes return a time in the machine's zone.
var localTimes = []string{"time.Unix", "time.UnixMilli", "time.UnixMicro"}

// reflectPrefixes start the names of the methods of reflect.Value that change
// what they are given, use channels or hand out addresses.
var reflectPrefixes = []string{"Set", "Grow", "Clear", "Send", "TrySend", "Recv", "TryRecv", "Close", "Unsafe", "Pointer"}

func (r *reader) checkImports(f *ast.File) {
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || slices.Contains(purePackages, path) {
			continue
		}
		if below(path, r.module) {
			if r.own[path] == nil {
				r.report(spec.Pos(), "imports %s: not one of the library's packages", path)
			}
			continue
		}
		first, _, _ := strings.Cut(path, "/")
		why := "not among the packages known to be pure"
		if strings.Contains(first, ".") {
			why = "not the standard library"
		}
		for _, w := range whyNot {
			if below(path, w.prefix) {
				why = w.why
			}
		}
		r.report(spec.Pos(), "imports %s: %s", path, why)
	}
}

func (r *reader) checkDirectives(f *ast.File) {
	for _, g := range f.Comments {
		for _, c := range g.List {
			for _, d := range []string{"linkname", "embed", "cgo_"} {
				if strings.HasPrefix(c.Text, "//go:"+d) {
					r.report(c.Pos(), "directive go:%s", strings.TrimSuffix(d, "_"))
				}
			}
		}
	}
}

func (r *reader) checkSyntax(u *unit, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			r.report(n.Pos(), "starts a goroutine")
		case *ast.SelectStmt:
			r.report(n.Pos(), "uses channels: select")
		case *ast.SendStmt:
			r.report(n.Pos(), "uses channels: send")
		case *ast.ChanType:
			r.report(n.Pos(), "uses channels: a channel's type")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				r.report(n.Pos(), "uses channels: receive")
			}
		case *ast.RangeStmt:
			if t := u.info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Chan); ok {
					r.report(n.Pos(), "uses channels: receive")
				}
			}
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				r.report(n.Pos(), "has an init function")
			}
			if n.Body == nil {
				r.report(n.Pos(), "func %s has no body", n.Name.Name)
			}
		}
		return true
	})
}

// checkUse checks a name that stands in a unit, whatever it stands for.
func (r *reader) checkUse(u *unit, id *ast.Ident, obj types.Object) {
	switch obj := obj.(type) {
	case *types.Builtin:
		switch obj.Name() {
		case "panic":
			if !inMust(u, id) {
				r.report(id.Pos(), "panics")
			}
		case "print", "println":
			r.report(id.Pos(), "does I/O: %s", obj.Name())
		}
	case *types.Func:
		name := obj.Origin().FullName()
		if why := impure[name]; why != "" {
			r.report(id.Pos(), "%s: %s", why, name)
		}
		if slices.Contains(localTimes, name) && !r.leavesLocal(u, id) {
			r.report(id.Pos(), "reads the machine's time zone: %s without .UTC() or .In(…)", name)
		}
		if method, ok := strings.CutPrefix(name, "(reflect.Value)."); ok {
			for _, p := range reflectPrefixes {
				if strings.HasPrefix(method, p) {
					r.report(id.Pos(), "changes values by reflection: %s", name)
				}
			}
		}
	case *types.Var:
		if !packageLevel(obj) {
			return
		}
		if why := impure[obj.Pkg().Path()+"."+obj.Name()]; why != "" {
			r.report(id.Pos(), "%s: %s.%s", why, obj.Pkg().Path(), obj.Name())
		}
		fate := r.fate(u, id)
		if r.own[obj.Pkg().Path()] == nil && fate != assigned {
			fate = "" // another's variable is read: what it is for
		}
		if fate != "" {
			r.report(id.Pos(), "package-level variable %s %s", obj.Name(), fate)
		}
	}
}

// inMust reports whether id stands in a function that its name says may panic:
// MustParse, for what programs and tests spell out.
func inMust(u *unit, id *ast.Ident) bool {
	for n := ast.Node(id); n != nil; n = u.parents[n] {
		if f, ok := n.(*ast.FuncDecl); ok {
			return strings.HasPrefix(f.Name.Name, "Must")
		}
	}
	return false
}

// leavesLocal reports whether the function that id names is called, and
// the time that it returns put into another zone at once.
func (r *reader) leavesLocal(u *unit, id *ast.Ident) bool {
	var e ast.Node = id
	if sel, ok := u.parents[e].(*ast.SelectorExpr); ok && sel.Sel == id {
		e = sel
	}
	call, ok := u.parents[e].(*ast.CallExpr)
	if !ok || call.Fun != e {
		return false
	}
	sel, ok := u.parents[call].(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "UTC" || sel.Sel.Name == "In")
}

func packageLevel(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}
