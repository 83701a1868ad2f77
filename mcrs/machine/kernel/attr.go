package kernel

import (
	"github.com/heddle-go/heddle/mcrs/machine/kernel/apart"
	"github.com/heddle-go/heddle/mcrs/machine/kernel/computer"
)

// stat answers in the layout of linux/amd64, 144 bytes.
func (c *call) stat(n *node, addr uint64) (uint64, errno) {
	if !n.isDir() {
		c.k.observe(n, "")
	}
	size, blocks := n.size, int64(len(n.pages))*(pageSize/512)
	switch {
	case n.isDir():
		size, blocks = pageSize, 8
	case n.host != nil:
		blocks = (size + pageSize - 1) / pageSize * (pageSize / 512)
	}
	b := make([]byte, 0, 144)
	u64 := func(v uint64) { b = le.AppendUint64(b, v) }
	u32 := func(v uint32) { b = le.AppendUint32(b, v) }
	u64(n.dev)
	u64(n.ino)
	u64(uint64(n.nlink))
	u32(n.mode)
	u32(uid)
	u32(uid)
	u32(0)
	u64(n.rdev)
	u64(uint64(size))
	u64(pageSize)
	u64(uint64(blocks))
	for _, t := range []int64{n.atime, n.mtime, n.ctime} {
		s, ns := computer.Split(t)
		u64(s)
		u64(ns)
	}
	return 0, c.write(addr, b[:144]) // the last 24 are spare
}

func sysStat(c *call) (uint64, errno)  { return c.statPath(cwdFD, c.a[0], c.a[1], 0) }
func sysLstat(c *call) (uint64, errno) { return c.statPath(cwdFD, c.a[0], c.a[1], atSymlinkNF) }
func sysNewfstatat(c *call) (uint64, errno) {
	return c.statPath(c.a[0], c.a[1], c.a[2], uint32(c.a[3]))
}

func sysFstat(c *call) (uint64, errno) {
	useDesc(c.k, c.a[0], apart.Tells)
	d, e := c.k.rawFile(c.a[0])
	if e != 0 {
		return 0, e
	}
	return c.stat(d.node, c.a[1])
}

func (c *call) statPath(dirfd, path, buf uint64, flags uint32) (uint64, errno) {
	if flags&^(atSymlinkNF|atEmptyPath|0x800) != 0 {
		return 0, eINVAL
	}
	n, e := c.target(dirfd, path, flags)
	if e != 0 {
		return 0, e
	}
	askFor(c.k, n)
	return c.stat(n, buf)
}

// target finds the node that a descriptor, a path and AT_ flags name.
func (c *call) target(dirfd, addr uint64, flags uint32) (*node, errno) {
	path, e := c.str(addr)
	switch {
	case e != 0:
		return nil, e
	case path != "":
		return c.k.find(dirfd, path, flags&atSymlinkNF == 0)
	case flags&atEmptyPath == 0:
		return nil, eNOENT
	case int32(dirfd) == atFDCWD:
		return c.k.p.cwd, 0
	}
	d, e := c.k.rawFile(dirfd)
	if e != 0 {
		return nil, e
	}
	return d.node, 0
}

func sysAccess(c *call) (uint64, errno)     { return c.access(cwdFD, c.a[0], c.a[1], 0) }
func sysFaccessat(c *call) (uint64, errno)  { return c.access(c.a[0], c.a[1], c.a[2], 0) }
func sysFaccessat2(c *call) (uint64, errno) { return c.access(c.a[0], c.a[1], c.a[2], uint32(c.a[3])) }

func (c *call) access(dirfd, path, mode uint64, flags uint32) (uint64, errno) {
	if uint32(mode)&^7 != 0 || flags&^(0x200|atSymlinkNF|atEmptyPath) != 0 {
		return 0, eINVAL
	}
	n, e := c.target(dirfd, path, flags)
	if e != 0 {
		return 0, e
	}
	if !n.isDir() {
		c.k.observe(n, "")
	}
	return 0, permit(n, uint32(mode))
}

func sysChmod(c *call) (uint64, errno)    { return c.chmodPath(cwdFD, c.a[0], c.a[1], 0) }
func sysFchmodat(c *call) (uint64, errno) { return c.chmodPath(c.a[0], c.a[1], c.a[2], 0) }
func sysFchmodat2(c *call) (uint64, errno) {
	return c.chmodPath(c.a[0], c.a[1], c.a[2], uint32(c.a[3]))
}

func sysFchmod(c *call) (uint64, errno) {
	d, e := c.k.file(c.a[0])
	if e != 0 {
		return 0, e
	}
	return 0, c.k.chmod(d.node, uint32(c.a[1]))
}

func (c *call) chmodPath(dirfd, path, mode uint64, flags uint32) (uint64, errno) {
	if flags&^(atSymlinkNF|atEmptyPath) != 0 {
		return 0, eINVAL
	}
	n, e := c.target(dirfd, path, flags)
	if e != 0 {
		return 0, e
	}
	return 0, c.k.chmod(n, uint32(mode))
}

func (k *files) chmod(n *node, mode uint32) errno {
	switch {
	case n.readOnly():
		return eROFS
	case n.isLink():
		return eOPNOTSUPP
	}
	k.touch(n)
	n.mode = n.mode&sIFMT | mode&0o7777
	n.ctime = k.now()
	return 0
}

func sysChown(c *call) (uint64, errno) { return c.chownPath(cwdFD, c.a[0], c.a[1], c.a[2], 0) }
func sysLchown(c *call) (uint64, errno) {
	return c.chownPath(cwdFD, c.a[0], c.a[1], c.a[2], atSymlinkNF)
}
func sysFchownat(c *call) (uint64, errno) {
	return c.chownPath(c.a[0], c.a[1], c.a[2], c.a[3], uint32(c.a[4]))
}

func sysFchown(c *call) (uint64, errno) {
	d, e := c.k.file(c.a[0])
	if e != 0 {
		return 0, e
	}
	return 0, c.k.chown(d.node, uint32(c.a[1]), uint32(c.a[2]))
}

func (c *call) chownPath(dirfd, path, u, g uint64, flags uint32) (uint64, errno) {
	if flags&^(atSymlinkNF|atEmptyPath) != 0 {
		return 0, eINVAL
	}
	n, e := c.target(dirfd, path, flags)
	if e != 0 {
		return 0, e
	}
	return 0, c.k.chown(n, uint32(u), uint32(g))
}

// chown lets an ordinary user give a file to himself alone.
func (k *files) chown(n *node, u, g uint32) errno {
	const same = 1<<32 - 1
	switch {
	case n.readOnly():
		return eROFS
	case u != same && u != uid, g != same && g != uid:
		return ePERM
	}
	k.touch(n)
	k.killPriv(n)
	n.ctime = k.now()
	return 0
}

const (
	utimeNow  = 0x3fffffff
	utimeOmit = 0x3ffffffe
)

func sysUtimensat(c *call) (uint64, errno) {
	k := c.k
	var t *[4]uint64
	if c.a[2] != 0 {
		w, e := c.words(c.a[2], 4)
		if e != 0 {
			return 0, e
		}
		t = (*[4]uint64)(w)
		if t[1] == utimeOmit && t[3] == utimeOmit {
			return 0, 0
		}
	}
	flags := uint32(c.a[3])
	if c.a[1] == 0 && int32(c.a[0]) != atFDCWD {
		if flags != 0 {
			return 0, eINVAL
		}
		d, e := k.file(c.a[0])
		if e != 0 {
			return 0, e
		}
		return 0, k.utimes(d.node, t)
	}
	if flags&^(atSymlinkNF|atEmptyPath) != 0 {
		return 0, eINVAL
	}
	n, e := c.target(c.a[0], c.a[1], flags)
	if e != 0 {
		return 0, e
	}
	return 0, k.utimes(n, t)
}

// utimes sets the times to t, or to now.
func (k *files) utimes(n *node, t *[4]uint64) errno {
	if n.readOnly() {
		return eROFS
	}
	now := k.now()
	if t == nil {
		k.touch(n)
		n.atime, n.mtime, n.ctime = now, now, now
		return 0
	}
	for _, ns := range []uint64{t[1], t[3]} {
		if ns > 999999999 && ns != utimeNow && ns != utimeOmit {
			return eINVAL
		}
	}
	k.touch(n)
	set := func(at *int64, s, ns uint64) {
		switch ns {
		case utimeOmit:
		case utimeNow:
			*at = now
		default:
			*at = computer.ClampSeconds(int64(s))*1e9 + int64(ns)
		}
	}
	set(&n.atime, t[0], t[1])
	set(&n.mtime, t[2], t[3])
	n.ctime = now
	return 0
}

// sysUtimes takes timevals, sysFutimesat as well.
func sysUtimes(c *call) (uint64, errno)    { return c.utimes(cwdFD, c.a[0], c.a[1]) }
func sysFutimesat(c *call) (uint64, errno) { return c.utimes(c.a[0], c.a[1], c.a[2]) }

func (c *call) utimes(dirfd, path, addr uint64) (uint64, errno) {
	var t *[4]uint64
	if addr != 0 {
		w, e := c.words(addr, 4)
		if e != 0 {
			return 0, e
		}
		if w[1] >= 1e6 || w[3] >= 1e6 {
			return 0, eINVAL
		}
		w[1], w[3] = w[1]*1000, w[3]*1000
		t = (*[4]uint64)(w)
	}
	n, e := c.target(dirfd, path, 0)
	if e != 0 {
		return 0, e
	}
	return 0, c.k.utimes(n, t)
}

func sysUmask(c *call) (uint64, errno) {
	old := c.k.p.umask
	if m := uint32(c.a[0]) & 0o777; m != old {
		c.k.touchProc()
		c.k.p.umask = m
	}
	return uint64(old), 0
}
