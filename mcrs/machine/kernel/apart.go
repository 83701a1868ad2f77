package kernel

import "github.com/heddle-go/heddle/mcrs/machine/kernel/apart"

// This file performs calls in steps: rules APART1 to APART5 of package apart.

// A Course is how far a call has come.
type Course = apart.Course[*node]

// TellApart begins to tell apart what calls touch.
func (k *Kernel) TellApart() { k.apart = !k.cfg.Whole }

// Apart reports whether it does.
func (k *Kernel) Apart() bool { return k.apart }

// Proceed performs a system call up to the next step that is not granted, which it returns with more. Else the call is
// done, as Syscall does it. grant grants the step that it returned last.
func (k *Kernel) Proceed(m Memory, course *Course, grant bool, num, a1, a2, a3, a4, a5, a6 uint64) (next apart.Step, more bool, r1, r2, errnum uint64, ok bool) {
	if k.Effect(num) != Pure && !apart.Aware[num] {
		k.unsupport(Name(num) + ", where what calls touch is told apart")
		return next, false, 1<<64 - 1, 0, uint64(eNOSYS), false
	}
	course.Begin(grant)
	k.course = course
	defer func() {
		k.course = nil
		switch s := recover().(type) {
		case nil:
		case apart.Stop:
			next, more = s.Step, true
		default:
			panic(s)
		}
	}()
	r1, r2, errnum, ok = k.Syscall(m, num, a1, a2, a3, a4, a5, a6)
	return next, false, r1, r2, errnum, ok
}

// step touches an object: do is performed if the step is granted.
func step(k *Kernel, n *node, key uint64, write bool, do func() (*node, errno)) (*node, errno) {
	if k.course == nil {
		return do()
	}
	s := k.course.Do(apart.Step{Inode: n.ino, Key: key, Write: write}, func() (r apart.Reached[*node]) {
		was := k.refused
		k.refused = ""
		got, e := do()
		if r.Node, r.Errno, r.Refused = got, uint64(e), k.refused; got != nil {
			r.Inode = got.ino
		}
		k.refused = was
		return r
	})
	if s.Refused != "" {
		k.refused = s.Refused
	}
	return s.Node, errno(s.Errno)
}

func nothing() (*node, errno) { return nil, 0 }

// lookUp is child as a step, but for what is there from the start.
func lookUp(k *Kernel, dir *node, name string, write bool) *node {
	if k.course != nil && dir.fixed {
		if n := k.child(dir, name); n != nil && n.fixed {
			return n
		}
	}
	n, _ := step(k, dir, apart.EntryKey(name), write, func() (*node, errno) { return k.child(dir, name), 0 })
	return n
}

// askFor is a step of a call that asks for the attributes of a node.
func askFor(k *Kernel, n *node) {
	key := uint64(apart.AttributesKey)
	if n.isDir() {
		key = 0
	}
	step(k, n, key, false, nothing)
}

// useDesc is a step of a call on a descriptor.
func useDesc(k *Kernel, fd uint64, how apart.Use) {
	if d, e := k.rawFile(fd); e == 0 && k.course != nil {
		s := d.step(how)
		step(k, d.node, s.Key, s.Write, nothing)
	}
}

// step is the step of a use of a description.
func (d *desc) step(how apart.Use) apart.Step {
	s := apart.Step{Inode: d.node.ino, Key: d.key, Write: how == apart.Moves || how == apart.Changes}
	if how == apart.Lists || how == apart.Tells && d.node.isDir() || how == apart.Changes && d.node.isReg() { // a device keeps nothing
		s.Key = 0
	}
	return s
}

// StepOf is the step of a method of the descriptor that is at an address in the program's memory. A closed one (fd -1)
// has what it had: Closes was called.
func (k *Kernel) StepOf(at, fd uint64, how apart.Use) (s apart.Step, ok bool) {
	d, e := k.rawFile(fd)
	if e != 0 {
		d = k.p.closed[at]
	}
	if d != nil {
		s = d.step(how)
	}
	return s, d != nil
}

// Closes notes that the descriptor at an address in the program's memory is about to be closed.
func (k *Kernel) Closes(at, fd uint64) {
	if d, e := k.rawFile(fd); e == 0 && k.p.closed[at] != d {
		k.touchProc()
		if k.p.closed == nil {
			k.p.closed = map[uint64]*desc{}
		}
		k.p.closed[at] = d
	}
}

// removeInSteps removes a folder (APART2).
func removeInSteps(k *Kernel, w place) errno {
	_, e := step(k, w.n, 0, true, func() (*node, errno) {
		switch {
		case w.n.nlink == 0: // by another
			return nil, eNOENT
		case len(k.entries(w.n)) > 0:
			return nil, eNOTEMPTY
		}
		k.drop(w.n)
		return nil, 0
	})
	if e != 0 {
		return e
	}
	step(k, w.dir, apart.EntryKey(w.name), true, nothing)
	k.unlink(w.dir, w.name) // nobody else can: to them the folder is gone
	return 0
}

// fix marks what is there from the start (APART4).
func (n *node) fix() {
	n.fixed = true
	for _, e := range n.kids {
		if !e.n.fixed {
			e.n.fix()
		}
	}
}
