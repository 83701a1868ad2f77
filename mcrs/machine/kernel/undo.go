package kernel

import (
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/apart"
)

// This file takes changes back: a journal has how.

// A journal undoes changes.
type journal struct {
	epoch uint64
	log   []func() // undoes changes, last first
	marks []mark
}

// A Mark names a state to go back to.
type Mark struct{ id uint64 }

type mark struct {
	id  uint64
	log int
}

// Snapshot marks the present state. It copies nothing: from here on whatever
// is changed is saved at its first change (a node, a page of 4 KiB, an open
// file, the descriptor table).
func (k *Kernel) Snapshot() Mark {
	k.epoch++
	k.marks = append(k.marks, mark{k.epoch, len(k.log)})
	return Mark{k.epoch}
}

// Restore goes back to m, which stays valid; marks taken after it do not. It
// costs what was changed, and nothing if nothing was. What has been written to
// Config's Stdout stays written, and what was read from its Stdin is kept and
// read again.
func (k *Kernel) Restore(m Mark) {
	i := slices.IndexFunc(k.marks, func(o mark) bool { return o.id == m.id })
	if i < 0 {
		panic("kernel: Restore to a mark that is gone")
	}
	at := k.marks[i]
	k.marks = k.marks[:i+1]
	k.unsupported = ""
	if len(k.log) == at.log {
		return
	}
	for j := len(k.log) - 1; j >= at.log; j-- {
		k.log[j]()
		k.log[j] = nil
	}
	k.log = k.log[:at.log]
	k.epoch++
}

// proc is the state of the process that is no file.
type proc struct {
	epoch   uint64
	fds     []fd // by number
	cwd     *node
	umask   uint32
	nextIno uint64
	used    int64             // bytes charged
	stdin   int               // read so far
	caps    uint64            // as PR_SET_KEEPCAPS has set it
	random  map[uint64]uint64 // blocks drawn, by stream
	far     map[uint64]fd     // descriptors with large numbers
	numbers apart.Numbers
	closed  map[uint64]*desc // descriptions whose descriptors in the program's memory were closed

	// Replaced, never changed in place.
	mapped    []*node   // files, once for each mapping
	anonymous []mapping // of no file
}

func (k *files) touchProc() {
	if k.p.epoch == k.epoch {
		return
	}
	old := k.p
	k.log = append(k.log, func() { k.p = old })
	k.p.epoch = k.epoch
	k.p.fds = slices.Clone(k.p.fds)
	k.p.random, k.p.far, k.p.numbers, k.p.closed = maps.Clone(k.p.random), maps.Clone(k.p.far), k.p.numbers.Clone(), maps.Clone(k.p.closed)
}
