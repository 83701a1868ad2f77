package causality

import "github.com/heddle-go/heddle/mcrs/event"

// This file defines the dependence relation on the operations of one object:
// the classes of operations, and which of them conflict. The rules are those of the package doc.

// A class is how an operation touches a cell.
type class uint8

const (
	// DEP1, DEP2: bytes, objects, one key of a map; sync.Once; a timer.
	classRead class = iota
	classWrite
	classSync // DEP12: an operation of package sync on the bytes of its object
	// DEP2: a map as a whole.
	classKeyRead
	classKeyWrite
	classWholeRead
	classWholeWrite
	// DEP3: locks.
	classLock
	classRLock
	classRUnlock
	// DEP4: wait groups.
	classAdd
	classAddStrict
	classWait
	// DEP6: condition variables.
	classTicket
	classNotified
	classNotify
	// DEP7, DEP8: channels.
	classSend
	classSendClosed
	classRecv
	classRecvClosed
	classClose
	classLen
	classMeet     // a rendezvous
	classPollSend // a select with a default found that it cannot send
	classPollRecv
	classAny // a communication on a channel of unknown capacity
	// DEP11: what goroutines see of each other.
	classSees
	classSeen
	// DEP13: store buffers.
	classIssue // a store goes into the buffer
	classFlush // the oldest one reaches memory
	classDrain // an operation that waits until the buffer is empty
	numClasses
)

// conflicts holds, for each class, the set of classes that it does not commute with.
var conflicts [numClasses]uint32

func init() {
	conflict := func(a class, bs ...class) {
		for _, b := range bs {
			conflicts[a] |= 1 << b
			conflicts[b] |= 1 << a
		}
	}
	conflict(classWrite, classRead, classWrite)
	conflict(classSync, classRead, classWrite)
	conflict(classWholeWrite, classKeyRead, classKeyWrite, classWholeRead, classWholeWrite)
	conflict(classKeyWrite, classWholeRead)
	conflict(classLock, classLock, classRLock, classRUnlock)
	conflict(classWait, classAdd, classAddStrict)
	conflict(classAddStrict, classAdd, classAddStrict)
	conflict(classTicket, classTicket, classNotify)
	conflict(classNotify, classNotify, classNotified)
	conflict(classSend, classSend, classClose, classLen)
	conflict(classRecv, classRecv, classRecvClosed, classLen)
	conflict(classClose, classClose, classSendClosed, classRecvClosed, classMeet)
	for _, poll := range []class{classPollSend, classPollRecv} {
		conflict(poll, classSend, classRecv, classRecvClosed, classClose, classMeet, classAny)
	}
	conflict(classSees, classSeen)
	conflict(classDrain, classFlush)
	conflict(classAny, classAny, classSend, classSendClosed, classRecv, classRecvClosed, classClose, classLen, classMeet)
}

func (c class) conflictsWith(d class) bool { return conflicts[c]&(1<<d) != 0 }

// hides reports whether an operation of class c makes an earlier one of class d
// irrelevant to those that follow: whatever depends on d depends on c, and c on d.
func (c class) hides(d class) bool {
	return c.conflictsWith(d) && conflicts[d]&^conflicts[c] == 0
}

// repeats reports whether an event of class c makes an earlier one of its thread, of class d, irrelevant to those that
// follow, though the two are independent: whatever depends on d depends on c, and whoever knows of this event knows of
// that one.
func (c class) repeats(d class) bool {
	return c == d && (c == classRead || c == classSees || c == classSeen)
}

// A space is a kind of cell.
type space uint8

const (
	SpaceMemory space = iota
	SpaceObject
	spaceKey
	spaceMap
	spaceMapRace // all operations of a map: not in the dependence relation, for races only
	SpaceLock
	SpaceGroup
	SpaceOnce
	spaceCond
	spaceChan
	spaceTimer
	spaceCount // of goroutines
	spaceSteps // of goroutines
	spaceBuffer
	spaceQueue // of channels, see queues.go
)

// A CellKey names a cell; memory cells are made in layout.go.
type CellKey struct {
	Space space
	Addr  uint64
	key   uint64
}

// A Touch is what an operation does to one cell.
type Touch struct {
	Cell  int32
	class class
}

// simpleTouch gives the cell and the class of an operation on an object other
// than memory, maps and channels. RUnlock is classified by the caller.
func simpleTouch(k event.Kind, loc event.Location) (CellKey, class, bool) {
	o := k.Object()
	return CellKey{Space: spaces[o], Addr: loc.Addr}, classes[k], o != event.NoObject && o != event.Channel
}

// spaces has the space of each sort of objects. Of a sort that is not here, all operations on one object conflict.
var spaces = func() (s [event.NumObjects]space) {
	for o := range s {
		s[o] = SpaceObject
	}
	s[event.Mutex], s[event.WaitGroup], s[event.Once], s[event.Cond], s[event.Timer] = SpaceLock, SpaceGroup, SpaceOnce, spaceCond, spaceTimer
	return s
}()

// classes has the class of each kind of operation on such objects. A kind that is not here conflicts with all others on
// its object.
var classes = func() (c [event.NumKinds]class) {
	for k := range event.NumKinds {
		if c[k] = classWrite; k.Object() == event.Mutex {
			c[k] = classLock
		}
	}
	c[event.ObjectRead] = classRead
	c[event.RLock], c[event.RUnlock] = classRLock, classRUnlock
	c[event.WaitGroupAdd], c[event.WaitGroupWait] = classAdd, classWait
	c[event.CondAdd], c[event.CondWait], c[event.CondSignal], c[event.CondBroadcast] = classTicket, classNotified, classNotify, classNotify
	return c
}()
