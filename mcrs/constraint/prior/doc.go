// Package prior reads out of a trace what formulas rest on, before there is one: which WaitGroups are joins, which
// events are free to move, and what store buffers held.
package prior
