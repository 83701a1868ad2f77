// Package goroutine has the life of a goroutine: how it starts, how a panic or runtime.Goexit unwinds its stack, and
// how it ends.
//
//   - Start, advance, end: life.go
//   - Panics on their way up, deferred calls, recover: goroutine.go
//   - Run-time errors and fatal errors, and what Go prints for them: panics.go
package goroutine

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file starts goroutines, lets them run, and ends them.

// GoneAfter is how far the clock moves on behalf of what an entry that has returned now left behind (TIME3).
func GoneAfter(m *vm.Machine) int64 {
	if m.Options.Timing && m.Now <= vm.Epoch+vm.EarlyTime {
		return vm.Epoch + vm.EarlyTime
	}
	return m.Now + vm.EarlyTime
}

// Start makes a goroutine that will call f.
func Start(m *vm.Machine, parent *vm.G, f *vm.Func, ctx uint64, args []uint64) *vm.G {
	switch {
	case m.Inits && parent == nil:
		return StartAs(m, "init", nil, f, ctx, args)
	case parent == nil:
		return StartAs(m, "G1", nil, f, ctx, args)
	}
	parent.Kids++
	return StartAs(m, m.ChildID(parent), parent, f, ctx, args)
}

// StartAs is start with the goroutine's name.
func StartAs(m *vm.Machine, id event.ThreadID, parent *vm.G, f *vm.Func, ctx uint64, args []uint64) *vm.G {
	seg := mem.Init
	if !m.Inits {
		seg = m.Segment(id)
	}
	g := m.NewG(id, seg)
	spawn, site, par := int32(-1), event.Site(0), int32(-1)
	if parent != nil {
		g.Parent = parent
		if g.Flows != nil && parent.Flows != nil {
			m.Flows.Spawn(g.Flows, parent.Following())
		}
		parent.Bubble.Enter(g)
		if b := g.Bubble; b != nil && b.Main == nil {
			b.Main = g
		}
		spawn, par = int32(len(m.Trace.Events)-1), parent.Index
		if !parent.Ended {
			site = parent.Site()
		}
	}
	g.Index = int32(len(m.Trace.Threads))
	m.Trace.Threads = append(m.Trace.Threads, trace.Thread{ID: g.ID, Parent: par, Spawn: spawn, Site: site, Holder: -1, Bubble: vm.BubbleID(g.Bubble)})
	m.Threads, m.Live = append(m.Threads, g), append(m.Live, g)
	if f == nil {
		panic("machine: goroutine without a function")
	}
	g.Runs = f
	m.PushArgs(g, f, args, ctx, vm.BaseFrame)
	return g
}

// Spawn performs a go statement.
func Spawn(m *vm.Machine, g *vm.G, f *vm.Func, ctx uint64, args []uint64) vm.Status {
	if len(m.Segments) >= 1<<16-8 {
		m.Limit(g, "limit of 65,528 goroutines reached")
		return vm.Halt
	}
	if m.Mem.Live > m.CollectAt && !m.Room(g, 0) {
		return vm.Halt
	}
	if m.Inits {
		m.InitSpawn = true
	}
	if !m.Announce(g, event.Op{Kind: event.Spawn}) {
		return vm.Yield
	}
	if f.Missing == "" {
		SignatureOf(m, f)
	}
	m.Publish(ctx)
	for _, a := range args { // arguments are typed words; what looks like an address of ours is published
		if mem.SegmentOf(a) >= mem.First && mem.SegmentOf(a) < mem.Text {
			m.Publish(a)
		}
	}
	child := Start(m, g, f, ctx, args)
	child.StartTicks(g.Ticks)
	if i := m.LastEvent; i >= 0 {
		m.Trace.Events[i].Other = int64(child.Index)
		m.Trace.Events[i].Value = StartDigest(m, f, ctx, args, g.Ticks)
		m.LastEvent = -1
	}
	child.Unbegun = beginsWithAStep(m)
	m.Fresh = append(m.Fresh, child)
	return vm.Done
}

// beginsWithAStep reports whether goroutines begin with a step of their own (SEEN5 of package boundary).
func beginsWithAStep(m *vm.Machine) bool {
	return m.Mode == vm.Exploring && !m.Inits && !m.Direct && m.AsksStacks(m.Entry)
}

// StartFired runs a goroutine that a timer has started.
func StartFired(m *vm.Machine, g *vm.G) {
	g.Unbegun = beginsWithAStep(m)
	Advance(m, g)
}

// StartDigest names what a goroutine starts with: with the memory it can reach, it determines what the goroutine does.
func StartDigest(m *vm.Machine, f *vm.Func, ctx uint64, args []uint64, ticks int64) uint64 {
	h := vm.Digest([]byte(f.Name + "\x00padding"))
	words := append([]uint64{ctx, uint64(ticks)}, args...)
	for _, w := range words {
		h = (h ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	m.Carry(h, words)
	return h
}

// SignatureOf makes sure that the layout of f's parameters and results is known.
func SignatureOf(m *vm.Machine, f *vm.Func) {
	if !f.Compiled {
		m.Library.Compile(m, f)
	}
}

// ended ends a goroutine whose function has returned, or that called Goexit.
func ended(m *vm.Machine, g *vm.G) vm.Status {
	if !m.Direct && !g.Permit {
		g.Stage, g.Cursor = 0, 0
		g.Op = event.Op{Kind: endOf(m, g)}
		g.Waiting = true
		g.Ending = true
		vm.Restood(m, g)
		return vm.Halt
	}
	Finish(m, g)
	return vm.Halt
}

// Finish ends a goroutine with its event.
func Finish(m *vm.Machine, g *vm.G) {
	if !m.Direct {
		m.Log(g, vm.Plain(endOf(m, g), 0, 0))
	}
	Leave(m, g)
}

// endOf is the event by which a goroutine ends (EXIT6).
func endOf(m *vm.Machine, g *vm.G) event.Kind {
	if endsProcess(m, g) {
		return event.Exit
	}
	return event.End
}

// endsProcess reports whether the process ends with a goroutine: with that of a main program, unless by Goexit.
func endsProcess(m *vm.Machine, g *vm.G) bool {
	return g == m.Main && m.Entry != nil && m.Entry.Kind == program.Main && !g.Exited
}

// Leave is finish without an event.
func Leave(m *vm.Machine, g *vm.G) {
	g.Permit, g.Waiting, g.Ending = false, false, false
	g.Ended = true
	m.DropStack(g)
	g.Panics = nil
	m.Retire()
	if m.Mode == vm.Exploring {
		m.Left = append(m.Left, g)
	}
	if g == m.Main && !(g.Exited && m.Entry != nil && m.Entry.Kind == program.Main) {
		m.EntryDone, m.Until = true, GoneAfter(m)
		if endsProcess(m, g) {
			m.Trace.Status = trace.Returned
			m.Over = true
		}
	}
}

// Advance runs g until it stands at its next visible operation, and the goroutines that it started likewise.
func Advance(m *vm.Machine, g *vm.G) {
	g.Parked, g.Queued, g.Woken, g.Secret = false, 0, 0, false
	m.Library.Interpret(m, g)
	for len(m.Fresh) > 0 && !m.Over {
		c := m.Fresh[0]
		m.Fresh = m.Fresh[1:]
		m.Library.Interpret(m, c)
	}
}
