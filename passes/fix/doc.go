// Package fix proposes edits that may repair what an exploration has found. It proposes; package exploration explores
// the edited package, and offers only what is then explored to the end without the finding and without a new one.
//
// # Rules
//
// Each rule looks at the operations of one finding and at the source of the analysed package. None looks further than
// its words:
//
//	FIX1  A goroutine blocked for ever in a send on an unbuffered channel that is made at one place: room for one
//	      element.
//	FIX2  A goroutine blocked in a send or receive while it holds a lock that others wait for: the Unlock that follows
//	      comes before it, in the same block. With a deferred Unlock, the lock is given back before the operation if
//	      that is the function's last statement.
//	FIX3  A lock that some path out of the function does not give back: defer Unlock after Lock, and no other Unlock
//	      of it in the function.
//	FIX4  A variable that a goroutine's function literal reads and its starter changes later: a copy before the go
//	      statement.
//	FIX5  wg.Add at the beginning of the goroutine that is waited for: before the go statement.
//	FIX6  A variable or field of a plain integer, boolean or pointer type that is counted up, set and read: the type
//	      of sync/atomic, with all its uses in the package. Where several are accessed, each alone and then all of
//	      them.
//
// # Limits
//
// A rule proposes nothing where a variable's address is taken, where it is a field of a composite literal, or where a
// use stands in a form that the rule does not know. What is in other packages is not seen: exported variables and
// fields are left alone.
package fix
