package digest

import (
	"crypto/sha256"
	"go/ast"
	"go/token"
	"hash"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// This file writes syntax without what does not matter: positions, comments, and what the parser resolved.

// A syntaxWalker writes nodes to a hash, and gathers what the rest of DIG1 and DIG3 need.
type syntaxWalker struct {
	h     hash.Hash
	names map[string]bool    // of identifiers
	pairs map[[2]string]bool // x.y, where x is an identifier
	poses []token.Pos        // each field that holds a position, in the order of the walk
	types bool               // it has met the declaration of a defined type
}

// Syntax is a hash of a node without comments, layout and positions.
func Syntax(n ast.Node) string {
	h := sha256.New()
	newSyntaxWalker(h).node(n)
	return sum(h)
}

func newSyntaxWalker(h hash.Hash) *syntaxWalker {
	return &syntaxWalker{h: h, names: map[string]bool{}, pairs: map[[2]string]bool{}}
}

var (
	posType      = reflect.TypeFor[token.Pos]()
	commentsType = reflect.TypeFor[*ast.CommentGroup]()
	objectType   = reflect.TypeFor[*ast.Object]()
	scopeType    = reflect.TypeFor[*ast.Scope]()
)

// telling are the positions whose presence means something.
var telling = map[string]bool{"CallExpr.Ellipsis": true, "TypeSpec.Assign": true}

func (w *syntaxWalker) put(s string) {
	io.WriteString(w.h, strconv.Itoa(len(s)))
	io.WriteString(w.h, ":")
	io.WriteString(w.h, s)
}

// node writes a node and all below it.
func (w *syntaxWalker) node(n ast.Node) { w.value(reflect.ValueOf(n)) }

func (w *syntaxWalker) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		w.put("nil")
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.put("nil")
			return
		}
		w.value(v.Elem())
	case reflect.Slice:
		w.put(strconv.Itoa(v.Len()))
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	case reflect.Struct:
		w.structure(v)
	case reflect.String:
		w.put(v.String())
	case reflect.Bool:
		w.put(strconv.FormatBool(v.Bool()))
	case reflect.Int:
		w.put(strconv.FormatInt(v.Int(), 10))
	default:
		panic("digest: a node of syntax with a field of kind " + v.Kind().String())
	}
}

func (w *syntaxWalker) structure(v reflect.Value) {
	t := v.Type()
	w.put(t.Name())
	switch n := v.Addr().Interface().(type) {
	case *ast.Ident:
		w.names[n.Name] = true
	case *ast.TypeSpec:
		w.types = w.types || !n.Assign.IsValid()
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok {
			w.pairs[[2]string{x.Name, n.Sel.Name}] = true
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		switch f.Type {
		case commentsType, objectType, scopeType:
		case posType:
			p := token.Pos(v.Field(i).Int())
			w.poses = append(w.poses, p)
			if telling[t.Name()+"."+f.Name] {
				w.put(strconv.FormatBool(p.IsValid()))
			}
		default:
			if t.Name() == "EmptyStmt" { // whether the semicolon stands there
				continue
			}
			w.value(v.Field(i))
		}
	}
}

// identifiers are the names that the walk has met, sorted.
func (w *syntaxWalker) identifiers() []string { return slices.Sorted(maps.Keys(w.names)) }

// selections are the pairs that it has met, sorted.
func (w *syntaxWalker) selections() [][2]string {
	return slices.SortedFunc(maps.Keys(w.pairs), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
}
