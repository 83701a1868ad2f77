package kernel

import "github.com/heddle-go/heddle/mcrs/machine/kernel/apart"

// An fd is an entry of the descriptor table.
type fd struct {
	d       *desc
	cloexec bool
}

// A desc is an open file description: what dup shares.
type desc struct {
	epoch uint64
	node  *node
	flags uint32 // as F_GETFL gives them
	pos   int64
	refs  int
	key   uint64 // of what calls on it touch
}

func (k *journal) touchDesc(d *desc) {
	if d.epoch == k.epoch {
		return
	}
	old := *d
	k.log = append(k.log, func() { *d = old })
	d.epoch = k.epoch
}

func (d *desc) readable() bool { return d.flags&oACCMODE == 0 || d.flags&oACCMODE == oRDWR }
func (d *desc) writable() bool { return d.flags&oACCMODE == oWRONLY || d.flags&oACCMODE == oRDWR }

// rawFile finds a descriptor, O_PATH ones included.
func (k *files) rawFile(n uint64) (*desc, errno) {
	if i := int(uint32(n)); i < len(k.p.fds) && k.p.fds[i].d != nil {
		return k.p.fds[i].d, 0
	}
	if f := k.p.far[uint64(uint32(n))]; f.d != nil {
		return f.d, 0
	}
	return nil, eBADF
}

func (k *files) file(n uint64) (*desc, errno) {
	d, e := k.rawFile(n)
	if e == 0 && d.flags&oPATH != 0 {
		e = eBADF
	}
	return d, e
}

// free gives the lowest free descriptor from min on.
func (k *files) free(min int) (int, errno) {
	if k.apart {
		k.touchProc()
		if fd, ok := k.p.numbers.Open(k.stream); ok {
			return fd, 0
		}
		return 0, eMFILE
	}
	for i := min; i < maxOpen; i++ {
		if i >= len(k.p.fds) || k.p.fds[i].d == nil {
			return i, 0
		}
	}
	return 0, eMFILE
}

func (k *files) install(i int, d *desc, cloexec bool) {
	k.touchProc()
	if i >= apart.FirstFD {
		if k.p.far == nil {
			k.p.far = map[uint64]fd{}
		}
		k.touchDesc(d)
		d.refs++
		k.p.far[uint64(i)] = fd{d, cloexec}
		return
	}
	for len(k.p.fds) <= i {
		k.p.fds = append(k.p.fds, fd{})
	}
	k.touchDesc(d)
	d.refs++
	k.p.fds[i] = fd{d, cloexec}
}

// openDesc makes a description of n, without a descriptor.
func (k *journal) openDesc(n *node, flags uint32) *desc {
	k.open(n)
	d := &desc{epoch: k.epoch, node: n, flags: flags}
	return d
}

func (k *files) closeFD(i int) {
	k.touchProc()
	d, _ := k.rawFile(uint64(i))
	if i >= apart.FirstFD {
		delete(k.p.far, uint64(i))
		k.p.numbers.Close(k.stream, i)
	} else {
		k.p.fds[i] = fd{}
	}
	k.touchDesc(d)
	if d.refs--; d.refs > 0 {
		return
	}
	k.unlock(d)
	k.unopen(d.node)
}

func sysClose(c *call) (uint64, errno) {
	useDesc(c.k, c.a[0], apart.Moves)
	if _, e := c.k.rawFile(c.a[0]); e != 0 {
		return 0, e
	}
	c.k.closeFD(int(uint32(c.a[0])))
	return 0, 0
}

func sysCloseRange(c *call) (uint64, errno) {
	first, last, flags := uint32(c.a[0]), uint32(c.a[1]), uint32(c.a[2])
	if first > last || flags&^6 != 0 {
		return 0, eINVAL
	}
	for i := range c.k.p.fds {
		if uint32(i) < first || uint32(i) > last || c.k.p.fds[i].d == nil {
			continue
		}
		if flags&4 != 0 {
			c.k.touchProc()
			c.k.p.fds[i].cloexec = true
		} else {
			c.k.closeFD(i)
		}
	}
	return 0, 0
}

func sysDup(c *call) (uint64, errno) {
	d, e := c.k.rawFile(c.a[0])
	if e != 0 {
		return 0, e
	}
	return c.k.dupFrom(d, 0, false)
}

func (k *files) dupFrom(d *desc, min int, cloexec bool) (uint64, errno) {
	i, e := k.free(min)
	if e != 0 {
		return 0, e
	}
	k.install(i, d, cloexec)
	return uint64(i), 0
}

func sysDup2(c *call) (uint64, errno) {
	if uint32(c.a[0]) == uint32(c.a[1]) {
		_, e := c.k.rawFile(c.a[0])
		return uint64(uint32(c.a[0])), e
	}
	return c.k.dupTo(c.a[0], c.a[1], false)
}

func sysDup3(c *call) (uint64, errno) {
	if uint32(c.a[2])&^oCLOEXEC != 0 || uint32(c.a[0]) == uint32(c.a[1]) {
		return 0, eINVAL
	}
	return c.k.dupTo(c.a[0], c.a[1], c.a[2]&oCLOEXEC != 0)
}

func (k *files) dupTo(from, to uint64, cloexec bool) (uint64, errno) {
	if uint32(to) >= maxOpen {
		return 0, eBADF
	}
	d, e := k.rawFile(from)
	if e != 0 {
		return 0, e
	}
	k.touchDesc(d)
	d.refs++ // not to be closed with what it replaces
	if _, e := k.rawFile(to); e == 0 {
		k.closeFD(int(uint32(to)))
	}
	d.refs--
	k.install(int(uint32(to)), d, cloexec)
	return uint64(uint32(to)), 0
}

func sysFcntl(c *call) (uint64, errno) {
	k := c.k
	useDesc(k, c.a[0], apart.Moves)
	d, e := k.rawFile(c.a[0])
	if e != 0 {
		return 0, e
	}
	if k.apart && uint32(c.a[1]) < 3 {
		return 0, k.unsupport("a descriptor's number, where what calls touch is told apart")
	}
	i, arg := int(uint32(c.a[0])), c.a[2]
	cmd := uint32(c.a[1])
	if d.flags&oPATH != 0 && cmd > 3 && cmd != 1030 {
		return 0, eBADF
	}
	switch cmd {
	case 0, 1030: // F_DUPFD, F_DUPFD_CLOEXEC
		if uint32(arg) >= maxOpen {
			return 0, eINVAL
		}
		return k.dupFrom(d, int(uint32(arg)), cmd == 1030)
	case 1: // F_GETFD
		if k.p.fds[i].cloexec {
			return 1, 0
		}
		return 0, 0
	case 2: // F_SETFD
		k.touchProc()
		k.p.fds[i].cloexec = arg&1 != 0
		return 0, 0
	case 3: // F_GETFL
		return uint64(d.flags), 0
	case 4: // F_SETFL
		const settable = oAPPEND | oNONBLOCK | oNOATIME
		if arg&oDIRECT != 0 {
			return 0, eINVAL
		}
		k.touchDesc(d)
		d.flags = d.flags&^settable | uint32(arg)&settable
		return 0, 0
	case 5, 36: // F_GETLK, F_OFD_GETLK: one process, nobody else holds a lock
		b := le.AppendUint16(nil, 2) // F_UNLCK
		return 0, c.write(arg, b)
	case 6, 7: // F_SETLK, F_SETLKW
		b, e := c.read(arg, 32)
		if e != 0 {
			return 0, e
		}
		switch t := le.Uint16(b); {
		case t > 2:
			return 0, eINVAL
		case t == 0 && !d.readable(), t == 1 && !d.writable():
			return 0, eBADF
		}
		return 0, 0
	case 1031, 1032: // F_SETPIPE_SZ, F_GETPIPE_SZ
		return 0, eBADF
	case 8, 9, 10, 11, 37, 38:
	default:
		return 0, eINVAL
	}
	return 0, k.unsupport("fcntl command " + decimal(uint64(cmd)))
}

// sysFlock does not wait: package inet does, where it answers EAGAIN.
func sysFlock(c *call) (uint64, errno) {
	k := c.k
	op := uint32(c.a[1])
	d, e := k.file(c.a[0])
	if e != 0 {
		return 0, e
	}
	if op&32 != 0 { // LOCK_MAND, which Linux has dropped
		return 0, 0
	}
	if op&^4 != 1 && op&^4 != 2 && op&^4 != 8 {
		return 0, eINVAL
	}
	if k.unlock(d); op&8 != 0 {
		return 0, 0
	}
	excl := op&2 != 0
	for _, l := range d.node.locks {
		if excl || l.excl {
			return 0, eAGAIN
		}
	}
	k.touch(d.node)
	d.node.locks = append(d.node.locks, lock{d, excl})
	return 0, 0
}

func (k *journal) unlock(d *desc) {
	for i, l := range d.node.locks {
		if l.d == d {
			k.touch(d.node)
			n := d.node
			n.locks = append(n.locks[:i:i], n.locks[i+1:]...)
			return
		}
	}
}
