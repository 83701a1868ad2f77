// Package enumerate goes through all states of small programs over plain memory under a memory model, from the
// definition of the model alone. It shares nothing with the Go machine but the names of the models: what the machine
// and the explorers show of random programs (progen.GenerateWeak) is compared with it.
//
// # Model
//
// Memory is cells, of a word each. Under total store order what a goroutine stores goes to the end of its buffer, from
// where the oldest store goes to memory at any time. Under partial store order any store does that overlaps no older
// one of the buffer. A load takes what the newest store of its own goroutine's buffer has, if that store overlaps; if
// it does not have all, the load waits. What is no plain access waits until the buffer is empty; an atomic load and a
// TryLock that fails do not. Under partial store order an object that is published by a store was written by stores of
// its own, right before it, as far as it is not zero. (Huang's dissertation, 2019, section 3.2.1; docs/memory.md.)
package enumerate

// A Code says what a Step does. v is a number that each goroutine has, r a pointer.
type Code uint8

// The codes. At is a cell, the number of a lock, a channel or a goroutine.
const (
	Store       Code = iota // so many words at At = V
	Publish                 // an object at cell V[2], of two words, gets V[0] and V[1]; At = its cell
	Load                    // v = Times*v + the words at At, times V
	Pointer                 // r = the cell that At has; if it is nil, skip
	Follow                  // v = Times*v + the word At behind r, times V[0]
	Unless                  // skip unless v is V[0]
	AtomicStore             // At = V[0]
	AtomicLoad              // v = Times*v + the word at At
	Swap                    // compare-and-swap of At from V[0] to V[1]: v = Times*v + 1, if it succeeds, else Times*v
	Lock                    //
	Unlock                  //
	TryLock                 // if the lock is held, skip
	Send                    // v, on a channel that has room
	Receive                 // v = Times*v + what comes
	Go                      // goroutine At begins
	Panic                   // with a text, or with v
)

// A Step is one step of a goroutine.
type Step struct {
	Code  Code
	At    int
	Words int
	V     [3]int
	Times int
	Skip  int // so many steps behind this one
	Text  string
}

// The sizes of a program.
const (
	Goroutines = 4
	Cells      = 16
	Locks      = 2
	Channels   = 3
)
