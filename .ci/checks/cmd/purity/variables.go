package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A package-level variable is allowed when nobody changes it, within the
// package or outside: declarations are checked for kinds that others could
// change, and every use for what becomes of the variable.

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// checkVariables checks the declarations of package-level variables.
func (r *reader) checkVariables(u *unit, f *ast.File) {
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			continue
		}
		for _, s := range d.Specs {
			s := s.(*ast.ValueSpec)
			for i, name := range s.Names {
				if name.Name == "_" {
					continue
				}
				var value ast.Expr
				if len(s.Values) == len(s.Names) {
					value = s.Values[i]
				}
				if why := r.declaration(u, u.info.Defs[name].Type(), value, name.IsExported()); why != "" {
					r.report(name.Pos(), "package-level variable %s %s", name.Name, why)
				}
			}
		}
	}
}

// declaration returns what is wrong with a package-level variable of type t
// that is declared with a value, or nil.
func (r *reader) declaration(u *unit, t types.Type, value ast.Expr, exported bool) string {
	if types.Implements(t, errorType) {
		if !r.sentinel(u, value, exported) {
			return "is an error that is neither errors.New nor fmt.Errorf nor a value that stays as it is"
		}
		return ""
	}
	if exported {
		return "is exported: anybody could change it"
	}
	if why := changeable(t, nil); why != "" {
		return "holds " + why + ": it could be changed"
	}
	if value != nil && containsFunc(t, nil) {
		closure := false
		ast.Inspect(value, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit: // names nothing but what is checked anyway
				return false
			case *ast.CallExpr:
				if tv := u.info.Types[n.Fun]; !tv.IsType() && containsFunc(u.info.TypeOf(n), nil) {
					closure = true
				}
			}
			return true
		})
		if closure {
			return "holds a function that a function made: it could keep state"
		}
	}
	return ""
}

// sentinel reports whether value is an error that nobody can change.
func (r *reader) sentinel(u *unit, value ast.Expr, exported bool) bool {
	value = ast.Unparen(value)
	if e, ok := value.(*ast.UnaryExpr); ok && e.Op == token.AND {
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			return !exported || !exportsFields(u.info.TypeOf(lit))
		}
		return false
	}
	switch e := value.(type) {
	case *ast.CompositeLit:
		return !containsReference(u.info.TypeOf(e))
	case *ast.CallExpr:
		if tv := u.info.Types[e.Fun]; tv.IsType() {
			return len(e.Args) == 1 && r.sentinel(u, e.Args[0], exported)
		}
		fn := callee(u, e)
		return fn != nil && slices.Contains([]string{"errors.New", "fmt.Errorf"}, fn.FullName())
	}
	return value != nil && u.info.Types[value].Value != nil // a constant
}

func exportsFields(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for f := range s.Fields() {
		if f.Exported() {
			return true
		}
	}
	return false
}

// changeable names what in t could be changed from behind a variable, or "".
// Slices, maps and functions pass: what becomes of them is checked use by use.
func changeable(t types.Type, seen []types.Type) string {
	if opaque(t) || slices.Contains(seen, t) {
		return ""
	}
	seen = append(seen, t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return "an unsafe pointer"
		}
	case *types.Pointer:
		return "a pointer"
	case *types.Chan:
		return "a channel"
	case *types.Interface:
		if !types.Implements(t, errorType) {
			return "an interface"
		}
	case *types.Array:
		return changeable(u.Elem(), seen)
	case *types.Slice:
		return changeable(u.Elem(), seen)
	case *types.Map:
		if why := changeable(u.Key(), seen); why != "" {
			return why
		}
		return changeable(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if why := changeable(f.Type(), seen); why != "" {
				return why
			}
		}
	}
	return ""
}

// containsReference reports whether a copy of a t shares anything with it that
// can be changed.
func containsReference(t types.Type) bool {
	if opaque(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan:
		return true
	case *types.Array:
		return containsReference(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if containsReference(f.Type()) {
				return true
			}
		}
	}
	return false
}

func containsFunc(t types.Type, seen []types.Type) bool {
	if t == nil || opaque(t) || slices.Contains(seen, t) {
		return false
	}
	seen = append(seen, t)
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Array:
		return containsFunc(u.Elem(), seen)
	case *types.Slice:
		return containsFunc(u.Elem(), seen)
	case *types.Map:
		return containsFunc(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if containsFunc(f.Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if containsFunc(v.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// opaque reports whether t has pointers inside and is a plain value all the
// same.
func opaque(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Time"
}
