// Package buildsdg makes dependence graphs for other analyzers, and for explorers.
//
// # Analyzer buildsdg
//
// buildsdg: build the dependence graph of a package for other analyzers
//
// The result is an *sdg.System over the functions of the package. A function of another package has no body there. A
// fact says what a call of it does: which of its outcomes depend on which of its parameters, and whether it touches
// memory that others can reach. Without a fact, as for one in assembly, all its outcomes are taken to depend on all it
// is given. The result is the same for packages that are analysed alone.
//
// This analyzer reports nothing. Another one asks it, in its Requires, and then for example for what a branch depends
// on:
//
//	graph := pass.ResultOf[buildsdg.Analyzer].(*sdg.System)
//	node, err := graph.Node(branch)
//	for _, n := range graph.Backward(node) { … }
//
// # Closed programs
//
// The exploration of a package looks at its closed program, whose functions all have bodies: see [Closed].
package buildsdg
