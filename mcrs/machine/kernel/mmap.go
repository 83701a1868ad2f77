package kernel

import (
	"math"
	"slices"
)

// This file defines mappings of files into the program's memory. Rules:
//
//	MAP1  A mapping is an object of the machine's memory, as long as the pages that it takes. It shows the file
//	      as it is. What a system call writes to the file is there at once, if the mapping is shared. (If not,
//	      POSIX leaves it open.) What the program stores in a shared mapping is in the file for the next system
//	      call that looks at it. What lies behind the file's end reads as zeros.
//	MAP2  Loads and stores are no system calls. So explorers do not know that they depend on a write to the file.
//	      While a mapping is there, its file is written only as long as the program has one goroutine, and under
//	      heddle run. If the mapping is shared and can be written, this holds for reading the file too. Anything
//	      else is not implemented.
//	MAP3  A system call that reads or changes no byte of the pages of a mapping has nothing to do with it.
//
// Whole mappings alone are unmapped and protected, and pages without any access do not exist.

// A Mapper is a Memory that can show files.
type Mapper interface {
	Memory
	// Map makes n bytes of memory, and Unmap takes them away. Protect says whether they can be written. Map does not
	// work in initialisers.
	Map(n uint64) (addr uint64, ok bool)
	Unmap(addr uint64)
	Protect(addr uint64, readOnly bool)
	// Alone reports whether nobody but the caller has any memory (MAP2).
	Alone() bool
}

// A mapping is a part of the program's memory that shows a file.
type mapping struct {
	addr, len     uint64
	off           int64
	shared, write bool
}

const (
	protRead, protWrite       = 1, 2
	mapShared, mapPrivate     = 1, 2
	mapFixed, mapAnonymous    = 0x10, 0x20
	mapSharedValidate         = 3
	mostMapped                = 1 << 36
	madviseFree, madviseUnmap = 8, 4
)

func sysMmap(c *call) (uint64, errno) {
	prot, flags := c.a[2], c.a[3]
	size := (c.a[1] + pageSize - 1) &^ (pageSize - 1)
	x, ok := c.m.(Mapper)
	switch {
	case !ok || flags&mapFixed != 0 || prot&^(protRead|protWrite) != 0 || prot&protRead == 0 && prot != 0:
		return 0, c.k.unsupport("this kind of mapping")
	case c.a[1] == 0 || flags&mapSharedValidate == 0 || c.a[5]%pageSize != 0:
		return 0, eINVAL
	case c.a[1] > mostMapped:
		return 0, eNOMEM
	case prot == 0:
		return 0, c.k.unsupport("a mapping without access")
	case flags&mapAnonymous != 0:
		return c.mapAnonymous(x, size, prot)
	}
	return c.mapFile(x, size, mapping{off: int64(c.a[5]), shared: flags&mapShared != 0, write: prot&protWrite != 0})
}

func (c *call) mapAnonymous(x Mapper, size, prot uint64) (uint64, errno) {
	addr, ok := x.Map(size)
	if !ok {
		return 0, c.k.unsupport("a mapping made by an initialiser")
	}
	x.Protect(addr, prot&protWrite == 0)
	c.k.touchProc()
	c.k.p.anonymous = append(slices.Clip(c.k.p.anonymous), mapping{addr: addr, len: size})
	return addr, 0
}

func (c *call) mapFile(x Mapper, size uint64, v mapping) (uint64, errno) {
	k := c.k
	d, e := k.file(c.a[4])
	switch {
	case e != 0:
		return 0, e
	case !d.node.isReg() || v.off < 0 || v.off > math.MaxInt64-int64(size):
		return 0, eNODEV
	case !d.readable(), v.shared && v.write && !d.writable():
		return 0, eACCES
	}
	n := d.node
	if n.host != nil {
		if e := k.loadFile(n); e != 0 {
			return 0, e
		}
	}
	if slices.ContainsFunc(n.maps, func(o mapping) bool { return o.shared && v.shared && (o.write || v.write) }) {
		return 0, k.unsupport("a second mapping of a file that can be written through one of them")
	}
	var ok bool
	if v.addr, ok = x.Map(size); !ok {
		return 0, k.unsupport("a mapping made by an initialiser")
	}
	v.len = size
	k.touch(n)
	n.maps = append(slices.Clip(n.maps), v)
	k.open(n) // the file stays, whoever removes its name
	k.touchProc()
	k.p.mapped = append(slices.Clip(k.p.mapped), n)
	if e := c.show(n, v, v.off, int64(size)); e != 0 {
		return 0, e
	}
	x.Protect(v.addr, !v.write)
	return v.addr, 0
}

// show copies what a file has in a range to a mapping.
func (c *call) show(n *node, v mapping, from, size int64) errno {
	start, end := max(from, v.off), min(from+size, v.off+int64(v.len))
	for at := start; at < end; {
		b := make([]byte, min(end-at, chunk))
		if at < n.size {
			n.readAt(b[:min(int64(len(b)), n.size-at)], at)
		}
		if e := c.write(v.addr+uint64(at-v.off), b); e != 0 {
			return e
		}
		at += int64(len(b))
	}
	return 0
}

// touches reports whether size bytes of the file from there on have any in the mapping (MAP3).
func (v mapping) touches(from, size int64) bool {
	return size > 0 && from < v.off+int64(v.len) && (from >= v.off || v.off-from < size)
}

// settle makes a system call that looks at a range of a mapped file, or writes it, see what the program has stored
// (MAP1, MAP2).
func (c *call) settle(n *node, writes bool, from, size int64) errno {
	for _, v := range n.maps {
		if !v.shared || !writes && !v.write || !v.touches(from, size) {
			continue
		}
		if x, ok := c.m.(Mapper); !ok || !x.Alone() {
			return c.k.unsupport("a file that is mapped into memory, in a program of several goroutines")
		}
		if e := c.collect(n, v); e != 0 {
			return e
		}
	}
	return 0
}

// collect copies what the program has stored in a mapping to the file.
func (c *call) collect(n *node, v mapping) errno {
	if !v.shared || !v.write {
		return 0
	}
	for at := v.off; at < min(n.size, v.off+int64(v.len)); at += pageSize {
		size := min(pageSize, n.size-at)
		b, e := c.read(v.addr+uint64(at-v.off), int(size))
		if e != 0 {
			return e
		}
		old := make([]byte, size)
		if n.readAt(old, at); slices.Equal(old, b) {
			continue
		}
		if e := c.k.own(n); e != 0 {
			return e
		}
		if _, e := c.k.writeAt(n, b, at); e != 0 {
			return e
		}
	}
	return 0
}

// changedRange shows in the mappings of a file what a system call has written there. Those that can only be read are
// opened for that.
func (c *call) changedRange(n *node, from, size int64) {
	x, ok := c.m.(Mapper)
	for _, v := range n.maps {
		if !ok || !v.shared {
			continue
		}
		x.Protect(v.addr, false)
		c.show(n, v, from, size)
		x.Protect(v.addr, !v.write)
	}
}

// findMap finds a mapping of a file by its address; nil if it is anonymous.
func (k *Kernel) findMap(addr uint64) (n *node, i int, ok bool) {
	for _, n := range k.p.mapped {
		if i := slices.IndexFunc(n.maps, func(v mapping) bool { return v.addr == addr }); i >= 0 {
			return n, i, true
		}
	}
	i = slices.IndexFunc(k.p.anonymous, func(v mapping) bool { return v.addr == addr })
	return nil, i, i >= 0
}

// mapOf is the mapping that a call names, whole.
func (c *call) mapOf() (n *node, i int, e errno) {
	n, i, ok := c.k.findMap(c.a[0])
	var v mapping
	switch {
	case ok && n != nil:
		v = n.maps[i]
	case ok:
		v = c.k.p.anonymous[i]
	}
	if size := (c.a[1] + pageSize - 1) &^ (pageSize - 1); !ok || size != v.len {
		return nil, 0, c.k.unsupport("a part of a mapping, or memory that is none")
	}
	return n, i, 0
}

func sysMunmap(c *call) (uint64, errno) {
	n, i, e := c.mapOf()
	if e != 0 {
		return 0, e
	}
	k := c.k
	k.touchProc()
	c.m.(Mapper).Unmap(c.a[0])
	if n == nil {
		k.p.anonymous = slices.Delete(slices.Clone(k.p.anonymous), i, i+1)
		return 0, 0
	}
	k.touch(n)
	n.maps = slices.Delete(slices.Clone(n.maps), i, i+1)
	i = slices.Index(k.p.mapped, n)
	k.p.mapped = slices.Delete(slices.Clone(k.p.mapped), i, i+1)
	k.unopen(n)
	return 0, 0
}

func sysMprotect(c *call) (uint64, errno) {
	n, i, e := c.mapOf()
	switch prot := c.a[2]; {
	case e != 0:
		return 0, e
	case prot != protRead && prot != protRead|protWrite:
		return 0, c.k.unsupport("memory without access")
	case n != nil && n.maps[i].shared && prot&protWrite != 0 && !n.maps[i].write:
		return 0, c.k.unsupport("a mapping that can be written later")
	default:
		c.m.(Mapper).Protect(c.a[0], prot&protWrite == 0)
	}
	return 0, 0
}

func sysMsync(c *call) (uint64, errno) {
	n, _, ok := c.k.findMap(c.a[0])
	if !ok {
		return 0, c.k.unsupport("a part of a mapping, or memory that is none")
	}
	if n != nil {
		return 0, c.settle(n, false, 0, math.MaxInt64)
	}
	return 0, 0
}

// sysMadvise takes advice that changes nothing.
func sysMadvise(c *call) (uint64, errno) {
	if c.a[2] == madviseUnmap || c.a[2] == madviseFree {
		return 0, c.k.unsupport("madvise to forget pages")
	}
	return 0, 0
}

// Mapped calls visit for the address of every mapping.
func (k *Kernel) Mapped(visit func(addr uint64)) {
	for _, n := range k.p.mapped {
		for _, v := range n.maps {
			visit(v.addr)
		}
	}
	for _, v := range k.p.anonymous {
		visit(v.addr)
	}
}
