package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// What may become of a variable, or of a part of it; "" is being read.
const (
	assigned  = "is assigned after its declaration"
	addressed = "has its address taken"
	shared    = "is shared with code that could change it: copy it"
)

// readers are the functions of pure packages that only read the slices and maps
// they are given, and keep none.
var readers = []string{
	"bytes.Compare", "bytes.Contains", "bytes.Equal", "bytes.HasPrefix", "bytes.HasSuffix", "bytes.Index",
	"errors.Join",
	"fmt.Append", "fmt.Appendf", "fmt.Appendln", "fmt.Errorf", "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln",
	"fmt.Sprint", "fmt.Sprintf", "fmt.Sprintln",
	"maps.All", "maps.Clone", "maps.Copy", "maps.Equal", "maps.EqualFunc", "maps.Keys", "maps.Values",
	"slices.All", "slices.Backward", "slices.BinarySearch", "slices.BinarySearchFunc", "slices.Clone",
	"slices.Compare", "slices.Concat", "slices.Contains", "slices.ContainsFunc", "slices.Equal", "slices.EqualFunc",
	"slices.Index", "slices.IndexFunc", "slices.IsSorted", "slices.IsSortedFunc",
	"slices.Max", "slices.MaxFunc", "slices.Min", "slices.MinFunc", "slices.Values",
	"sort.SearchFloat64s", "sort.SearchInts", "sort.SearchStrings",
	"strings.Join",
}

// fate returns what becomes of what e denotes: a variable, a part of one, or
// another way to it.
func (r *reader) fate(u *unit, e ast.Expr) string {
	for {
		switch p := u.parents[e].(type) {
		case *ast.ParenExpr:
			e = p
			continue
		case *ast.StarExpr:
			e = p
			continue
		case *ast.SelectorExpr:
			if p.Sel == e { // the package's name stands before it
				e = p
				continue
			}
			sel := u.info.Selections[p]
			if sel == nil {
				return ""
			}
			if sel.Kind() == types.FieldVal {
				e = p
				continue
			}
			return r.receiver(u, p, sel)
		case *ast.IndexExpr:
			if p.X == e {
				e = p
				continue
			}
			return ""
		case *ast.SliceExpr:
			if p.X == e && !isString(u.info.TypeOf(e)) {
				e = p
				continue
			}
			return ""
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				return addressed
			}
			return ""
		case *ast.IncDecStmt:
			return assigned
		case *ast.AssignStmt:
			if slices.Contains(p.Lhs, e) {
				return assigned
			}
			if r.intoReader(u, p, e) {
				return ""
			}
		case *ast.RangeStmt:
			if p.Key == e || p.Value == e {
				return assigned
			}
			if !references(elem(u.info.TypeOf(e))) {
				return ""
			}
		case *ast.BinaryExpr:
			return ""
		case *ast.TypeAssertExpr:
			if p.Type == nil || references(u.info.TypeOf(p.Type)) {
				return shared
			}
		case *ast.CallExpr:
			if p.Fun == e {
				return ""
			}
			if tv := u.info.Types[p.Fun]; tv.IsType() && !isString(tv.Type) {
				e = p
				continue
			}
			return r.argument(u, p, e)
		}
		if t := u.info.TypeOf(e); t != nil && containsReference(t) {
			return shared
		}
		return ""
	}
}

// argument returns what becomes of e as an argument of a call.
func (r *reader) argument(u *unit, call *ast.CallExpr, e ast.Expr) string {
	t := u.info.TypeOf(e)
	i := slices.Index(call.Args, e)
	fun := ast.Unparen(call.Fun)
	tv := u.info.Types[fun]
	if tv.IsBuiltin() {
		name := ""
		if id, ok := fun.(*ast.Ident); ok {
			name = id.Name
		}
		switch {
		case name == "len" || name == "cap":
			return ""
		case name == "delete" || name == "clear" || name == "copy" && i == 0:
			return assigned
		case (name == "append" && call.Ellipsis.IsValid() || name == "copy") && i == 1 && !references(elem(t)):
			return ""
		}
	}
	if !containsReference(t) || tv.IsType() {
		return ""
	}
	fn := callee(u, call)
	if fn == nil {
		return shared
	}
	if r.own[fn.Pkg().Path()] == nil {
		// maps.Copy writes into its first argument.
		if slices.Contains(readers, fn.FullName()) && !references(elem(t)) && !(fn.FullName() == "maps.Copy" && i == 0) {
			return ""
		}
		return shared
	}
	sig := fn.Signature()
	last := sig.Params().Len() - 1
	if sig.TypeParams().Len() > 0 && references(elem(t)) || sig.Variadic() && i >= last && !call.Ellipsis.IsValid() {
		return shared
	}
	param := sig.Params().At(i)
	if _, ok := param.Type().Underlying().(*types.Interface); ok { // it could hold anything
		return shared
	}
	if !r.bodies[fn] || !r.onlyRead(param) {
		return shared
	}
	return ""
}

// receiver returns what becomes of the variable whose method sel selects.
func (r *reader) receiver(u *unit, e *ast.SelectorExpr, sel *types.Selection) string {
	fn, ok := sel.Obj().(*types.Func)
	if !ok {
		return shared
	}
	fn = fn.Origin()
	recv := fn.Signature().Recv()
	_, pointer := recv.Type().(*types.Pointer)
	if !pointer && !containsReference(sel.Recv()) {
		return ""
	}
	if call, ok := u.parents[e].(*ast.CallExpr); ok && call.Fun == e && r.bodies[fn] && r.onlyRead(recv) {
		return ""
	}
	if pointer {
		return addressed
	}
	return shared
}

// onlyRead reports whether nothing is changed through a parameter, a receiver
// or a local variable, and no way to what it holds is kept.
func (r *reader) onlyRead(v *types.Var) bool {
	if known, ok := r.pure[v]; ok {
		return known
	}
	r.pure[v] = true // for functions that call themselves
	for _, use := range r.uses[v] {
		if r.fate(use.in, use.id) != "" {
			r.pure[v] = false
			return false
		}
	}
	return true
}

// intoReader reports whether e becomes the value of a new local variable that
// is only read.
func (r *reader) intoReader(u *unit, a *ast.AssignStmt, e ast.Expr) bool {
	i := slices.Index(a.Rhs, e)
	if a.Tok != token.DEFINE || i < 0 || len(a.Lhs) != len(a.Rhs) {
		return false
	}
	id, ok := a.Lhs[i].(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := u.info.Defs[id].(*types.Var)
	return ok && r.onlyRead(v)
}

// callee is the function that a call names, or nil.
func callee(u *unit, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch e := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(e.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(e.X)
	}
	var id *ast.Ident
	switch e := fun.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		if sel := u.info.Selections[e]; sel != nil && sel.Kind() == types.MethodExpr {
			return nil // its arguments do not line up with its parameters
		}
		id = e.Sel
	default:
		return nil
	}
	fn, ok := u.info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return nil
	}
	return fn.Origin()
}

// elem is what a slice, array, map or string consists of.
func elem(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Map:
		return u.Elem()
	case *types.Pointer:
		return elem(u.Elem())
	}
	return t
}

func references(t types.Type) bool { return t != nil && containsReference(t) }

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
