package kernel

import (
	"sort"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/apart"
)

func sysMkdir(c *call) (uint64, errno)   { return c.mkdir(cwdFD, c.a[0], c.a[1]) }
func sysMkdirat(c *call) (uint64, errno) { return c.mkdir(c.a[0], c.a[1], c.a[2]) }

func (c *call) mkdir(dirfd, addr, mode uint64) (uint64, errno) {
	path, e := c.path(addr)
	if e != 0 {
		return 0, e
	}
	w, e := c.k.vacant(dirfd, path, true)
	if e == 0 {
		_, e = c.k.create(w, sIFDIR|uint32(mode)&0o1777&^c.k.p.umask)
	}
	return 0, e
}

func sysUnlink(c *call) (uint64, errno) { return c.unlink(cwdFD, c.a[0]) }
func sysRmdir(c *call) (uint64, errno)  { return c.rmdir(cwdFD, c.a[0]) }

func sysUnlinkat(c *call) (uint64, errno) {
	switch uint32(c.a[2]) {
	case 0:
		return c.unlink(c.a[0], c.a[1])
	case atRemoveDir:
		return c.rmdir(c.a[0], c.a[1])
	}
	return 0, eINVAL
}

func (c *call) unlink(dirfd, addr uint64) (uint64, errno) {
	k := c.k
	path, e := c.path(addr)
	if e != 0 {
		return 0, e
	}
	w, e := k.parent(dirfd, path)
	switch {
	case e != 0:
		return 0, e
	case w.last != normal:
		return 0, eISDIR
	case w.dir.readOnly():
		return 0, eROFS
	}
	switch e := k.look(&w, true); {
	case e != 0:
		return 0, e
	case w.n == nil:
		return 0, eNOENT
	case w.slash && w.n.isDir():
		return 0, eISDIR
	case w.slash:
		return 0, eNOTDIR
	}
	if e := k.mayDelete(w, false); e != 0 {
		return 0, e
	}
	k.unlink(w.dir, w.name)
	k.drop(w.n)
	return 0, 0
}

func (c *call) rmdir(dirfd, addr uint64) (uint64, errno) {
	k := c.k
	path, e := c.path(addr)
	if e != 0 {
		return 0, e
	}
	w, e := k.parent(dirfd, path)
	if e != 0 {
		return 0, e
	}
	switch w.last {
	case dot:
		return 0, eINVAL
	case dotdot:
		return 0, eNOTEMPTY
	case rootDir:
		return 0, eBUSY
	}
	if w.dir.readOnly() {
		return 0, eROFS
	}
	if e := k.look(&w, false); e != 0 {
		return 0, e
	}
	if w.n == nil {
		return 0, eNOENT
	}
	if e := k.mayDelete(w, true); e != 0 {
		return 0, e
	}
	if k.course == nil {
		if len(k.entries(w.n)) > 0 {
			return 0, eNOTEMPTY
		}
		k.unlink(w.dir, w.name)
		k.drop(w.n)
		return 0, 0
	}
	return 0, removeInSteps(k, w)
}

func sysRename(c *call) (uint64, errno)   { return c.rename(cwdFD, c.a[0], cwdFD, c.a[1], 0) }
func sysRenameat(c *call) (uint64, errno) { return c.rename(c.a[0], c.a[1], c.a[2], c.a[3], 0) }
func sysRenameat2(c *call) (uint64, errno) {
	return c.rename(c.a[0], c.a[1], c.a[2], c.a[3], uint32(c.a[4]))
}

const (
	renameNoReplace = 1
	renameExchange  = 2
)

func (c *call) rename(fd1, addr1, fd2, addr2 uint64, flags uint32) (uint64, errno) {
	k := c.k
	if flags > renameExchange {
		return 0, eINVAL
	}
	from, e := c.path(addr1)
	if e != 0 {
		return 0, e
	}
	to, e := c.path(addr2)
	if e != 0 {
		return 0, e
	}
	o, e := k.parent(fd1, from)
	if e != 0 {
		return 0, e
	}
	n, e := k.parent(fd2, to)
	if e != 0 {
		return 0, e
	}
	if o.last != normal || n.last != normal {
		if o.last == normal && flags&renameNoReplace != 0 {
			return 0, eEXIST
		}
		return 0, eBUSY
	}
	switch {
	case o.dir.dev != n.dir.dev:
		return 0, eXDEV
	case o.dir.readOnly() || n.dir.readOnly():
		return 0, eROFS
	}
	if e := k.look(&o, true); e != 0 {
		return 0, e
	}
	if o.n == nil {
		return 0, eNOENT
	}
	if e := k.look(&n, true); e != 0 {
		return 0, e
	}
	if e := k.mayRename(o, n, flags); e != 0 {
		return 0, e
	}
	if o.n == n.n {
		return 0, 0
	}
	return 0, k.move(o, n, flags)
}

// mayRename checks in Linux's order, which decides which error wins.
func (k *Kernel) mayRename(o, n place, flags uint32) errno {
	swap := flags&renameExchange != 0
	switch {
	case flags&renameNoReplace != 0 && n.n != nil:
		return eEXIST
	case swap && n.n == nil:
		return eNOENT
	case swap && !n.n.isDir() && n.slash:
		return eNOTDIR
	case !o.n.isDir() && (o.slash || !swap && n.slash):
		return eNOTDIR
	case o.dir != n.dir && within(n.dir, o.n):
		return eINVAL
	case o.dir != n.dir && n.n != nil && within(o.dir, n.n):
		if swap {
			return eINVAL
		}
		return eNOTEMPTY
	case o.n == n.n:
		return 0
	}
	if e := k.mayDelete(o, o.n.isDir()); e != 0 {
		return e
	}
	if n.n == nil {
		if e := k.mayCreate(n.dir); e != 0 {
			return e
		}
	} else if e := k.mayDelete(n, o.n.isDir() && !swap || swap && n.n.isDir()); e != 0 {
		return e
	}
	if o.dir != n.dir {
		if o.n.isDir() && permit(o.n, mayWrite) != 0 {
			return eACCES
		}
		if swap && n.n.isDir() && permit(n.n, mayWrite) != 0 {
			return eACCES
		}
	}
	if !swap && n.n != nil && n.n.isDir() && len(k.entries(n.n)) > 0 {
		return eNOTEMPTY
	}
	return 0
}

// within reports whether n is dir or lies below it.
func within(n, dir *node) bool {
	for ; ; n = n.parent {
		if n == dir {
			return true
		}
		if n.parent == n || n.parent == nil {
			return false
		}
	}
}

func (k *files) move(o, n place, flags uint32) errno {
	if room := entryCost + int64(len(n.name)); n.n == nil && k.p.used+room > k.limit {
		return eNOSPC
	}
	k.unlink(o.dir, o.name)
	if n.n != nil {
		k.unlink(n.dir, n.name)
	}
	if flags&renameExchange != 0 {
		k.relink(o.dir, o.name, n.n)
	} else if n.n != nil {
		k.drop(n.n)
	}
	k.relink(n.dir, n.name, o.n)
	k.touch(o.n)
	o.n.ctime = k.now()
	return 0
}

// relink is link where room has been seen to.
func (k *files) relink(dir *node, name string, n *node) {
	limit := k.limit
	k.limit = 1 << 62
	k.link(dir, name, n)
	k.limit = limit
}

func sysLink(c *call) (uint64, errno) { return c.linkat(cwdFD, c.a[0], cwdFD, c.a[1], 0) }
func sysLinkat(c *call) (uint64, errno) {
	return c.linkat(c.a[0], c.a[1], c.a[2], c.a[3], uint32(c.a[4]))
}

func (c *call) linkat(fd1, addr1, fd2, addr2 uint64, flags uint32) (uint64, errno) {
	k := c.k
	if flags&^(atSymlinkFollow|atEmptyPath) != 0 {
		return 0, eINVAL
	}
	from, e := c.path(addr1)
	if e != 0 {
		return 0, e
	}
	to, e := c.path(addr2)
	if e != 0 {
		return 0, e
	}
	n, e := k.find(fd1, from, flags&atSymlinkFollow != 0)
	if e != 0 {
		return 0, e
	}
	w, e := k.vacant(fd2, to, false)
	switch {
	case e != 0:
		return 0, e
	case n.dev != w.dir.dev:
		return 0, eXDEV
	case n.isDir():
		return 0, ePERM
	case n.special != plain:
		return 0, ePERM
	}
	if e := k.link(w.dir, w.name, n); e != 0 {
		return 0, e
	}
	k.touch(n)
	n.nlink++
	n.ctime = k.now()
	return 0, 0
}

func sysSymlink(c *call) (uint64, errno)   { return c.symlink(c.a[0], cwdFD, c.a[1]) }
func sysSymlinkat(c *call) (uint64, errno) { return c.symlink(c.a[0], c.a[1], c.a[2]) }

func (c *call) symlink(targetAddr, dirfd, addr uint64) (uint64, errno) {
	k := c.k
	target, e := c.path(targetAddr)
	if e != 0 {
		return 0, e
	}
	path, e := c.path(addr)
	if e != 0 {
		return 0, e
	}
	w, e := k.vacant(dirfd, path, false)
	if e != 0 {
		return 0, e
	}
	if e := k.charge(int64(len(target))); e != 0 {
		return 0, e
	}
	n, e := k.create(w, sIFLNK|0o777)
	if e != 0 {
		k.charge(-int64(len(target)))
		return 0, e
	}
	n.target, n.size = target, int64(len(target))
	return 0, 0
}

func sysReadlink(c *call) (uint64, errno)   { return c.readlink(cwdFD, c.a[0], c.a[1], c.a[2]) }
func sysReadlinkat(c *call) (uint64, errno) { return c.readlink(c.a[0], c.a[1], c.a[2], c.a[3]) }

func (c *call) readlink(dirfd, addr, buf, size uint64) (uint64, errno) {
	if int32(size) <= 0 {
		return 0, eINVAL
	}
	path, e := c.str(addr)
	if e != 0 {
		return 0, e
	}
	var n *node
	if path == "" {
		d, e := c.k.rawFile(dirfd)
		if e != 0 || !d.node.isLink() {
			return 0, eNOENT
		}
		n = d.node
	} else if n, e = c.k.find(dirfd, path, false); e != 0 {
		return 0, e
	}
	if !n.isLink() {
		return 0, eINVAL
	}
	c.k.observe(n, "")
	t := n.target[:min(len(n.target), int(int32(size)))]
	return uint64(len(t)), c.write(buf, []byte(t))
}

func sysGetdents(c *call) (uint64, errno) {
	k := c.k
	useDesc(k, c.a[0], apart.Lists)
	d, e := k.file(c.a[0])
	switch {
	case e != 0:
		return 0, e
	case !d.node.isDir():
		return 0, eNOTDIR
	case d.node.nlink == 0:
		return 0, eNOENT
	}
	if d.node.outside { // the host has more
		k.refused = "files outside the module (" + strings.TrimSuffix(k.shown(d.node, ""), "/") + ")"
	}
	dots := []entry{{".", 1, d.node}, {"..", 2, d.node.parent}}
	var out []byte
	room := int(min(uint64(uint32(c.a[2])), 1<<20))
	pos := d.pos
	full := false
	emit := func(e entry) bool {
		size := (19 + len(e.name) + 1 + 7) &^ 7
		if len(out)+size > room {
			full = true
			return false
		}
		out = le.AppendUint64(out, e.n.ino)
		out = le.AppendUint64(out, uint64(e.seq))
		out = le.AppendUint16(out, uint16(size))
		out = append(out, byte(e.n.kind()>>12))
		out = append(out, e.name...)
		out = append(out, make([]byte, size-19-len(e.name))...)
		pos = e.seq
		return true
	}
	for _, list := range [][]entry{dots, k.entries(d.node)} {
		for _, e := range list[after(list, d.pos):] {
			if !emit(e) {
				break
			}
		}
		if full {
			break
		}
	}
	if full && len(out) == 0 {
		return 0, eINVAL
	}
	if e := c.write(c.a[1], out); e != 0 {
		return 0, e
	}
	if pos != d.pos {
		k.touchDesc(d)
		d.pos = pos
	}
	return uint64(len(out)), 0
}

// after finds the first entry whose seq is greater than pos.
func after(list []entry, pos int64) int {
	return sort.Search(len(list), func(i int) bool { return list[i].seq > pos })
}

func sysGetcwd(c *call) (uint64, errno) {
	n := c.k.p.cwd
	askFor(c.k, n)
	if n.nlink == 0 {
		return 0, eNOENT
	}
	s := "/"
	if n != c.k.root {
		s = c.k.pathOf(n.parent, n.name)
	}
	s += "\x00"
	if uint64(len(s)) > c.a[1] {
		return 0, eRANGE
	}
	return uint64(len(s)), c.write(c.a[0], []byte(s))
}

func sysChdir(c *call) (uint64, errno) {
	path, e := c.path(c.a[0])
	if e != 0 {
		return 0, e
	}
	n, e := c.k.find(cwdFD, path, true)
	switch {
	case e != 0:
		return 0, e
	case !n.isDir():
		return 0, eNOTDIR
	}
	return 0, c.k.chdir(n)
}

func sysFchdir(c *call) (uint64, errno) {
	d, e := c.k.rawFile(c.a[0])
	switch {
	case e != 0:
		return 0, e
	case !d.node.isDir():
		return 0, eNOTDIR
	}
	return 0, c.k.chdir(d.node)
}

func (k *files) chdir(n *node) errno {
	if e := permit(n, mayExec); e != 0 {
		return e
	}
	k.touchProc()
	k.open(n)
	k.unopen(k.p.cwd)
	k.p.cwd = n
	return 0
}
