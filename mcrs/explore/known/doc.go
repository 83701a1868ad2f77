// Package known keeps what all executions of a program so far say of it: for each goroutine a graph of what it was seen
// to do, and what its operations touch. It adds and looks up. Package spec says what the specification makes of it.
//
// A goroutine is a deterministic function of what its operations return. So its graph (know.go) has a Node for each
// state before an operation, and an Edge for each operation with what it met (its Key).
//
// The machine may be able to name the state of a goroutine (sched.Local). Then all histories that lead to equal names
// lead to one node, and what one execution shows behind it is known of all. The name has what the goroutine can still
// see without an operation of its own. Beside it the node has the locks that the goroutine holds. If the goroutine has
// done something that neither an operation nor the name shows, the node also has the history until then. A goroutine
// that goes round in a loop comes back to a node, and its graph has a cycle. Where a state has no name, and if
// ByHistory is set, the node is a history.
//
// Memory (layout.go) is cut into cells along the accesses seen. A cell that one goroutine touches is no part of a
// state, for the history of that goroutine says what is there. This changes when an execution shows another goroutine
// there, or two histories of that goroutine lead to one node. Then the shape of states changes, and the sweep begins
// again. Nothing is executed for that.
//
// What is in a channel or in a map is a value, too, and values are interned: equal ones are one number (values.go,
// queue.go, mapvalue.go).
package known
