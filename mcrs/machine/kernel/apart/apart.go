// Package apart has what package kernel tells calls apart by: the steps of a call, and numbers that depend on nobody
// else.
//
// Where the program can be shown to name no descriptor by its number, and nothing that calls change for all (package
// host has that condition), calls on different files are independent:
//
//	APART1  Each inode is an object, a folder with an entry for each name, a file with one for each descriptor. A call
//	        that looks a name up reads the entry, one that makes or removes it writes the entry. What reads or
//	        changes a file's bytes, a folder's list, or whether a folder is still there, reads or writes the object as
//	        a whole.
//	APART2  A path is walked name by name, as Linux does it, and a call that comes to a second object stands there:
//	        its steps are operations of their own. All that a call changes, it changes at its last step. Only rmdir
//	        has two: from the first on the folder is dead, and with the second its name is gone. So it is in Linux,
//	        where the name goes after the folder's lock is given back.
//	APART3  Numbers of inodes and of descriptors, and places in a folder's list, are functions of names: of the
//	        goroutine, of how often it has asked, and of the entry. No program can expect them to have a value.
//	APART4  What is there from the start has no entry that changes: to remove it is not supported.
//	APART5  The mode of a file, its links, names of folders and the current folder do not change: calls that change
//	        them are not supported. Links are counted in what Stat returns for the system alone (Sys), whose type the
//	        program does not name. Nor does it name umask.
package apart

import (
	"hash/fnv"
	"maps"
)

// A Step is what a call touches at one time.
type Step struct {
	Inode uint64
	Key   uint64 // of an entry; 0 is all of it
	Write bool
}

// A Use is what a method of a descriptor does with it.
type Use uint8

const (
	Moves   Use = iota // its position, or whether it is open
	Asks               // whether it is open, and bytes of the file
	Lists              // reads the list of a folder
	Changes            // the bytes of the file
	Tells              // the attributes of the file
)

// AttributesKey is the entry of a file that calls read which ask for its attributes by a path. Those of descriptors are
// greater.
const AttributesKey = 1

// EntryKey is the key of a name in a folder.
func EntryKey(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64() | 1<<63
}

// PlaceOf is the place of a name in a folder's list.
func PlaceOf(name string) int64 { return 1<<32 + int64(EntryKey(name)&(1<<62-1)>>1) }

// Aware are the calls that are performed in steps, by their numbers.
var Aware = map[uint64]bool{
	0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 8: true, 16: true, 17: true, 18: true, 19: true, 20: true, 21: true, 72: true, 74: true,
	75: true, 76: true, 77: true, 79: true, 83: true, 84: true, 85: true, 87: true, 89: true, 217: true, 257: true, 258: true, 259: true, 262: true, 263: true,
	267: true, 269: true, 295: true, 296: true, 318: true, 439: true,
}

// A Course is how far a call has come. What its steps reach is an N.
type Course[N any] struct {
	steps   []Reached[N]
	granted bool // the next step
	at      int
}

// A Reached is what came of a step.
type Reached[N any] struct {
	Node    N
	Inode   uint64 // its number
	Errno   uint64
	Refused string
}

// Steps is how many steps the call has performed.
func (c *Course[N]) Steps() int { return len(c.steps) }

// Reached names what they came to.
func (c *Course[N]) Reached() uint64 {
	h := uint64(len(c.steps))
	for _, s := range c.steps {
		h = h*0x9e3779b97f4a7c15 + s.Errno
		h ^= s.Inode * 0xbf58476d1ce4e5b9
	}
	return h
}

// Begin begins an attempt at the call, whose next step may be granted.
func (c *Course[N]) Begin(granted bool) { c.at, c.granted = 0, granted }

// Do performs a step that is granted, and keeps what came of it. A step of a former attempt has been performed. At any
// other the attempt ends, by a panic.
func (c *Course[N]) Do(s Step, perform func() Reached[N]) Reached[N] {
	if c.at == len(c.steps) {
		if !c.granted {
			panic(Stop{s})
		}
		c.granted = false
		c.steps = append(c.steps, perform())
	}
	c.at++
	return c.steps[c.at-1]
}

// A Stop ends an attempt at a call, which must have a step granted first.
type Stop struct{ Step }

// Numbers are what goroutines have made.
type Numbers struct{ by map[uint64]made }

// A made is what one has made.
type made struct {
	inodes, opened uint64
	free           []uint64 // descriptors that it has closed again; replaced, never changed in place
}

// FirstFD is the least number of a descriptor. Each goroutine has perGoroutine.
const (
	FirstFD      = 1 << 30
	perGoroutine = 1 << 10
)

// Clone returns a copy.
func (n Numbers) Clone() Numbers { return Numbers{maps.Clone(n.by)} }

func (n *Numbers) set(id uint64, m made) {
	if n.by == nil {
		n.by = map[uint64]made{}
	}
	n.by[id] = m
}

// Inode is the number of the next inode that a goroutine makes.
func (n *Numbers) Inode(id uint64) uint64 {
	m := n.by[id]
	m.inodes++
	n.set(id, m)
	return 1<<60 | id<<32 | m.inodes
}

// Open is the number of the next descriptor that a goroutine opens, if there is one.
func (n *Numbers) Open(id uint64) (fd int, ok bool) {
	m := n.by[id]
	if last := len(m.free) - 1; last >= 0 {
		fd, m.free = int(m.free[last]), m.free[:last:last]
		n.set(id, m)
		return fd, true
	}
	if m.opened >= perGoroutine {
		return 0, false
	}
	m.opened++
	n.set(id, m)
	return int(firstOf(id) + m.opened - 1), true
}

func firstOf(id uint64) uint64 { return FirstFD + id*perGoroutine%(1<<30) }

// Close notes that a goroutine has closed a descriptor. It uses the number again if it was its own.
func (n *Numbers) Close(id uint64, fd int) {
	if first := firstOf(id); uint64(fd) < first || uint64(fd) >= first+perGoroutine {
		return
	}
	m := n.by[id]
	m.free = append(m.free[:len(m.free):len(m.free)], uint64(fd))
	n.set(id, m)
}
