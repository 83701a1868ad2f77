// Package litmus is a machine for tiny programs: goroutines as slices of
// operations on shared variables, locks, channels and wait groups. It implements
// sched.Machine with the semantics of the Go machine, so that explorers and
// schedulers can be tested against brute force on programs that fit on a line.
//
// # Limits
//
// A goroutine has a register, the value its last operation returned, and a second one to keep it in. There is no
// heap, no call and no recover: a panic ends the program. Time, Once, Cond, Pool and TryLock
// of an RWMutex are left to the tests of the Go machine, except that Once and Cond
// are there in the simplest form.
package litmus

import (
	"fmt"
	"strings"
)

// A Code says what an Op does. X is the object, V a number; r is the register.
type Code uint8

// The operations.
const (
	Read       Code = iota // r = x
	Write                  // x = V
	Put                    // x = r + V
	Load                   // r = atomic load of x
	Store                  // atomic store of V in x
	Add                    // r = old value of x; x += V, atomically
	CAS                    // if x == V then x = W and r = 1, else r = 0, atomically
	MapGet                 // r = map X [V]; V 0 is len
	MapSet                 // map X [V] = W; V 0 is clear
	Lock                   // mutex X
	Unlock                 //
	TryLock                // r = 1 on success
	WLock                  // RWMutex X, for writing (two events: announce, lock)
	WUnlock                //
	RLock                  //
	RUnlock                //
	Send                   // channel X <- V
	SendR                  // channel X <- r
	Recv                   // r = <-channel X (0 if closed)
	Close                  //
	Len                    // r = len(channel X)
	Select                 // Cases; r = the case that was taken
	WgAdd                  // wait group X += V
	WgWait                 //
	OnceDo                 // once X: the goroutine that is first does Write(V, 1)
	CondWait               // cond X, one ticket (two events)
	CondSignal             //
	CondAll                // broadcast
	Unless                 // skip the next W operations unless r == V
	Again                  // go back W operations unless r == V
	Assert                 // panic unless r == V
	Panic                  //
	Exit                   // end the program
	Go                     // start goroutine X
	Gosched                //
	Keep                   // a second register = r
	Sum                    // r = r + the second register
	Tally                  // x += V, atomically; r stays
)

var codeNames = [...]string{"Read", "Write", "Put", "Load", "Store", "Add", "CAS", "MapGet", "MapSet", "Lock", "Unlock", "TryLock",
	"WLock", "WUnlock", "RLock", "RUnlock", "Send", "SendR", "Recv", "Close", "Len", "Select", "WgAdd", "WgWait", "OnceDo",
	"CondWait", "CondSignal", "CondAll", "Unless", "Again", "Assert", "Panic", "Exit", "Go", "Gosched", "Keep", "Sum", "Tally"}

func (c Code) String() string { return codeNames[c] }

// An Op is one operation of a program.
type Op struct {
	Code    Code
	X, V, W int
	Cases   []Case
	Default bool
}

// A Case is one communication of a Select: a send of V, or a receive.
type Case struct {
	Send    bool
	Chan, V int
}

// A Program is a set of goroutines. Goroutine 0 is the entry's. If no goroutine
// has a Go, it starts all the others before its own operations.
type Program struct {
	Name    string
	Threads [][]Op
	Caps    []int // capacity of each channel; channels beyond are unbuffered
}

// String prints the program as a composite literal's body, to paste into a test.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "caps %v\n", p.Caps)
	for i, ops := range p.Threads {
		fmt.Fprintf(&b, "  %d:", i)
		for _, op := range ops {
			fmt.Fprintf(&b, " %v(%d,%d,%d", op.Code, op.X, op.V, op.W)
			for _, c := range op.Cases {
				if c.Send {
					fmt.Fprintf(&b, " c%d<-%d", c.Chan, c.V)
				} else {
					fmt.Fprintf(&b, " <-c%d", c.Chan)
				}
			}
			if op.Default {
				b.WriteString(" default")
			}
			b.WriteString(")")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (p *Program) spawns() bool {
	for _, ops := range p.Threads {
		for _, op := range ops {
			if op.Code == Go {
				return true
			}
		}
	}
	return false
}

// Short forms for tests.

func R(x int) Op     { return Op{Code: Read, X: x} }
func W(x, v int) Op  { return Op{Code: Write, X: x, V: v} }
func P(x, v int) Op  { return Op{Code: Put, X: x, V: v} }
func L(m int) Op     { return Op{Code: Lock, X: m} }
func U(m int) Op     { return Op{Code: Unlock, X: m} }
func S(c, v int) Op  { return Op{Code: Send, X: c, V: v} }
func Rcv(c int) Op   { return Op{Code: Recv, X: c} }
func Cl(c int) Op    { return Op{Code: Close, X: c} }
func A(w, d int) Op  { return Op{Code: WgAdd, X: w, V: d} }
func Wait(w int) Op  { return Op{Code: WgWait, X: w} }
func Spawn(t int) Op { return Op{Code: Go, X: t} }
func Do(c Code, x, v, w int) Op {
	return Op{Code: c, X: x, V: v, W: w}
}
