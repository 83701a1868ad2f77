package sdg

import "golang.org/x/tools/go/ssa"

// postDominators returns the immediate post-dominator of each node of a graph
// in which every node reaches exit; exit's is itself.
//
// The algorithm is that of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
// Algorithm", 2001, on the inverted graph: repeat, in reverse postorder, until
// nothing changes, that a node's immediate dominator is the nearest common ancestor of its
// predecessors in the tree so far.
func postDominators(succs [][]int, exit int) []int {
	order := postorder(invert(succs), exit)
	number := make([]int, len(succs))
	for i, n := range order {
		number[n] = i
	}
	ipdom := make([]int, len(succs))
	for n := range ipdom {
		ipdom[n] = -1
	}
	ipdom[exit] = exit
	common := func(a, b int) int {
		for a != b {
			for number[a] < number[b] {
				a = ipdom[a]
			}
			for number[b] < number[a] {
				b = ipdom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- { // the last is exit
			n, to := order[i], -1
			for _, s := range succs[n] {
				switch {
				case ipdom[s] < 0: // not met yet
				case to < 0:
					to = s
				default:
					to = common(to, s)
				}
			}
			if ipdom[n] != to {
				ipdom[n], changed = to, true
			}
		}
	}
	return ipdom
}

// postorder returns what root reaches, each node after those first reached through it.
func postorder(succs [][]int, root int) []int {
	type frame struct{ node, next int }
	var order []int
	seen := make([]bool, len(succs))
	seen[root] = true
	for stack := []frame{{root, 0}}; len(stack) > 0; {
		f := &stack[len(stack)-1]
		if f.next == len(succs[f.node]) {
			order = append(order, f.node)
			stack = stack[:len(stack)-1]
			continue
		}
		s := succs[f.node][f.next]
		f.next++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, 0})
		}
	}
	return order
}

// Joins returns, for each block of fn by index, the block where all ways from it meet again: its immediate
// post-dominator. It is -1 if that is the exit.
func Joins(fn *ssa.Function) []int {
	if len(fn.Blocks) == 0 {
		return nil
	}
	f := newFlow(fn, 0)
	ipdom := postDominators(f.succs, exitPart)
	joins := make([]int, len(fn.Blocks))
	for i := range fn.Blocks {
		n := ipdom[f.final[i]]
		for n > returnPart && f.parts[n].block == nil { // of an endless loop
			n = ipdom[n]
		}
		joins[i] = -1
		if n > returnPart {
			joins[i] = f.parts[n].block.Index
		}
	}
	return joins
}
