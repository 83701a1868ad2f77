// Package buildsdg makes dependence graphs for other analyzers, and for explorers.
//
// # Analyzer buildsdg
//
// buildsdg: build the dependence graph of a package for other analyzers
//
// The result is an *sdg.System over the functions of the package. A call of a function of another package is a call of one
// without a body, whose effect (which of its outcomes depend on which of its parameters, and whether it touches
// memory that others can reach) comes from a fact; a function of which there is none, such as one in assembly, is taken for
// one whose outcomes depend on all it is given. So is the result for packages that are analysed alone.
//
// This analyzer reports nothing. Another one asks it, in its Requires, and then for example for what a branch depends on:
//
//	graph := pass.ResultOf[buildsdg.Analyzer].(*sdg.System)
//	node, err := graph.Node(branch)
//	for _, n := range graph.Backward(node) { … }
//
// # Closed programs
//
// The exploration of a package looks at its closed program, whose functions all have bodies: see [Closed].
package buildsdg
