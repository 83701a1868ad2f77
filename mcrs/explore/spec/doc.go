// Package spec is the serial specification of the primitives: what a state enables, what an operation meets in it, and
// what it changes. A State is a node for each goroutine and a value for each object; no code of the user runs in it.
//
//	UMEM1   A read returns the bytes last written, or published; those at the start of an execution are learned from
//	        the first that reads them. A read-modify-write is one operation: what it found decides what it returns and
//	        what it leaves.
//	UMEM2   The bytes of a string, a closure and a value in an interface are read without an event. So an address of
//	        such memory stands for what is there as well: two contents that were met at one address are told apart
//	        wherever a word is that address (package learn, contents.go).
//	UMEM3   An addition whose result nobody looks at (event.Op.Adds) meets the same whatever it finds: its goroutine
//	        goes on in one way. What it leaves is computed in the state.
//	UMEM4   A load that is ignored (event.Op.Blind) meets the same whatever is there, and learns nothing of it.
//	UMAP1   A key of a map: the write that last wrote it. The map as a whole: all writes, in order.
//	UFILE1  An inode: the write of an entry, and the last of all entries (files.go).
//	UOBJ1   An object with a specification written in Go: all its writes, in order.
//	ULOCK1  Lock of a mutex is enabled while nobody holds it.
//	ULOCK2  LockAnnounce and RLock are enabled while no writer holds the lock or has announced itself.
//	ULOCK3  Lock after LockAnnounce is enabled when no reader is left.
//	ULOCK4  Unlock and RUnlock of what is not locked fail.
//	ULOCK5  An Unlock meets something else where a writer has announced itself, and waits for readers: the machine
//	        does not support that (RW6). One for whom no reader is left has the lock, and may lose it (RW7).
//	UWG1    Add changes the counter, and fails below zero.
//	UMAP2   A write is named by its key and element, by their bytes: as who receives an element tells it from others.
//	        Who reads the map, or ranges over it, is told the same by the same writes in one order.
//	UWG2    Wait is enabled at zero.
//	UONCE1  The first OnceBegin is told so; others are enabled at OnceEnd. (RENEW1 of package learn has Onces that are
//	        made new.)
//	UCOND1  Tickets are a queue of goroutines; Signal takes the first, Broadcast all.
//	UCOND2  CondWait is enabled when the goroutine is not in the queue.
//	CHAN   The rules CHAN1 to CHAN7 of the Go machine.
//	UBUF   Store buffers: the rules UBUF1 to UBUF5, see buffers.go.
//	UCHAN1  At the start a channel holds what package initialisation put into it.
//	UCHAN2  Channels with different room, or of which one is a timer's, are different objects, also if in different
//	        executions they have one address (package learn).
//	TIME   The rules of UTIME: see clock.go and timers.go. The clock moves where nothing is enabled; no move
//	       of a goroutine does it.
//	UBUBBLE Bubbles of testing/synctest: see bubble.go.
//	UGO1    A goroutine's graph begins with its function and arguments; what these reach is published by its start.
//	UGO2    NumGoroutine meets the number of goroutines of the state, not of timers, and those that the program has
//	        beside them: coroutines, and who waits for a test, as many as operations have added, and the same number
//	        always. So go, the end of a goroutine, these operations, and the firing of a timer, which may start one,
//	        are dependent with it. Where nobody asks, they are dependent with nothing (count.go).
//	UGO3    The stacks of all goroutines are those of the one that asks where there is no other: a function of where
//	        it stands. go, the end of a goroutine and what else moves the count are dependent with it, so whether
//	        another one may be there is met.
//	UGO4    Where there are others, the text says of each where it stands, and whether it waits there: its node says
//	        the first, and what is enabled the second. Once that was seen, every step of another one is dependent with
//	        the look, and goroutines with equal futures are told apart: what they have on their stacks may differ.
//	        Who has ended the program (UEND1) is seen where it stood before: no execution has a look behind that.
//	UEND1   Panic and Exit end one goroutine, and mark the state: nothing is concluded from what is blocked in it. The
//	        others go on, for an execution that ends so early is a prefix of one that does not.
package spec
