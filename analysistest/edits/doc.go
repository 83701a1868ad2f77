// Package edits changes the source of a Go module at random, as its authors might: for tests of what is kept from one
// run to the next (passes/cache). With the cache the answer about an edited module must be the one without.
//
// An edit is made from syntax alone. So it may give a program that does not compile, and what is said of that must be
// the same, too. The same random source and tree give the same edit.
//
// # Kinds
//
// Each kind is a row of the table kinds: statements, expressions and literals of functions; constants; fields and
// types; methods; variables with their initialisers, and init functions; embedded files; tests; lines of go.mod;
// build constraints, and which files there are. A kind is neutral if no answer may change: comments, layout,
// functions that nobody calls. Of those, some move lines: entries that ask for their own lines (runtime.Caller) may
// see that.
package edits
