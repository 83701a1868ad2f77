package gcorder

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"golang.org/x/tools/go/ssa"
)

// This file finds the statement that an instruction was made for. go/ssa does not keep that. But positions tell it:
// those of instructions that have one, and those of the expressions in DebugRefs.

// stmtTree holds the statements of one function's syntax, without those of function literals in it. For a package
// initialiser each initialising expression counts as a statement.
type stmtTree struct {
	nodes    []stmtNode        // in preorder, hence sorted by pos
	measured map[ast.Expr]bool // operands of len and cap
	comm     map[ast.Stmt]bool // the communications of select statements
}

type stmtNode struct {
	pos, end token.Pos
	parent   int      // index, or -1
	node     ast.Node // nil for an initialising expression
}

// noStmt stands for an unknown statement.
const noStmt = -1

// newStmtTree returns the statements below root.
func newStmtTree(root ast.Node) *stmtTree {
	t := &stmtTree{measured: make(map[ast.Expr]bool), comm: make(map[ast.Stmt]bool)}
	t.add(root, noStmt)
	return t
}

// newInitTree returns the tree of a package initialiser.
func newInitTree(info *types.Info) *stmtTree {
	t := &stmtTree{measured: make(map[ast.Expr]bool)}
	for _, init := range info.InitOrder {
		t.nodes = append(t.nodes, stmtNode{init.Rhs.Pos(), init.Rhs.End(), noStmt, nil})
		ast.Inspect(init.Rhs, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				t.measure(call)
			}
			return true
		})
	}
	sort.Slice(t.nodes, func(i, j int) bool { return t.nodes[i].pos < t.nodes[j].pos })
	return t
}

func (t *stmtTree) add(root ast.Node, parent int) {
	var stack []int
	top := func() int {
		if len(stack) == 0 {
			return parent
		}
		return stack[len(stack)-1]
	}
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return false
		}
		at := top()
		switch n := n.(type) {
		case *ast.FuncLit:
			if n != root {
				return false
			}
		case *ast.CallExpr:
			t.measure(n)
		case ast.Stmt, *ast.ValueSpec:
			if c, ok := n.(*ast.CommClause); ok {
				t.comm[c.Comm] = true
			}
			t.nodes = append(t.nodes, stmtNode{n.Pos(), n.End(), at, n})
			at = len(t.nodes) - 1
		}
		stack = append(stack, at)
		return true
	})
}

// measure notes the operand of len or cap.
func (t *stmtTree) measure(call *ast.CallExpr) {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && len(call.Args) == 1 && (id.Name == "len" || id.Name == "cap") {
		t.measured[ast.Unparen(call.Args[0])] = true
	}
}

// at returns the index of the innermost statement that encloses pos, or noStmt.
func (t *stmtTree) at(pos token.Pos) int {
	if !pos.IsValid() {
		return noStmt
	}
	i := sort.Search(len(t.nodes), func(i int) bool { return t.nodes[i].pos > pos }) - 1
	for i >= 0 && pos >= t.nodes[i].end {
		i = t.nodes[i].parent
	}
	return i
}

// treeOf returns the statements of fn, or nil if it has no syntax.
func treeOf(fn *ssa.Function, info *types.Info) *stmtTree {
	if s := fn.Syntax(); s != nil {
		return newStmtTree(s)
	}
	if isInit(fn) && info != nil {
		return newInitTree(info)
	}
	return nil
}

// isInit reports whether fn is the synthetic initialiser of a package, which holds code of the source.
func isInit(fn *ssa.Function) bool { return fn.Synthetic == "package initializer" }

// OwnPos returns the position that says where in the source an instruction belongs, or NoPos. Variables and phis
// carry the position of a declaration, which may be elsewhere.
func OwnPos(instr ssa.Instruction) token.Pos {
	switch instr := instr.(type) {
	case *ssa.Alloc, *ssa.Phi:
		return token.NoPos
	case *ssa.DebugRef:
		return instr.Expr.Pos()
	default:
		return instr.Pos()
	}
}

// stmtsOf returns the statement of each instruction of a block. The instructions of a statement stand together in a
// block. So one without a position that stands between two of the same statement belongs to it too.
func (t *stmtTree) stmtsOf(instrs []ssa.Instruction) []int {
	stmts := make([]int, len(instrs))
	last := noStmt // index of the last instruction whose statement is known
	for i, instr := range instrs {
		stmts[i] = t.at(OwnPos(instr))
		if stmts[i] == noStmt {
			continue
		}
		if last >= 0 && stmts[last] == stmts[i] {
			for j := last + 1; j < i; j++ {
				stmts[j] = stmts[i]
			}
		}
		last = i
	}
	// A value without a position that heads its statement is told by the DebugRef right behind it.
	// A new variable, and addresses in it, can be taken to belong to what follows: to compute them has no effect.
	for i := len(instrs) - 2; i >= 0; i-- {
		v, ok := instrs[i].(ssa.Value)
		if !ok || stmts[i] != noStmt {
			continue
		}
		if ref, ok := instrs[i+1].(*ssa.DebugRef); ok && ref.X == v || rootAlloc(v) != nil {
			stmts[i] = stmts[i+1]
		}
	}
	return stmts
}
