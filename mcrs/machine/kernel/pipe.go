package kernel

// A pipe is a ring of 16 buffers of one page each, filled as Linux does it, so
// that it is full after the same writes.
type pipe struct {
	epoch            uint64
	bufs             []pipeBuf
	readers, writers int
}

type pipeBuf struct {
	data []byte // never changed in place
	off  int    // read so far
}

func (k *journal) touchPipe(p *pipe) {
	if p.epoch == k.epoch {
		return
	}
	old := *p
	k.log = append(k.log, func() { *p = old })
	p.epoch = k.epoch
	p.bufs = append([]pipeBuf(nil), p.bufs...)
}

// anonymous makes a node that no name leads to.
func (k *files) anonymous(s special, mode uint32) *node {
	k.touchProc()
	k.p.nextIno++
	now := k.now()
	return &node{epoch: k.epoch, dataEpoch: k.epoch, ino: k.p.nextIno, dev: 3, mode: mode, nlink: 1, special: s, atime: now, mtime: now, ctime: now}
}

func sysPipe(c *call) (uint64, errno)  { return c.pipe2(0) }
func sysPipe2(c *call) (uint64, errno) { return c.pipe2(uint32(c.a[1])) }

func (c *call) pipe2(flags uint32) (uint64, errno) {
	k := c.k
	if flags&^(oCLOEXEC|oNONBLOCK) != 0 {
		if flags&^(oCLOEXEC|oNONBLOCK|oDIRECT|0x80) == 0 {
			return 0, k.unsupport("a pipe of packets")
		}
		return 0, eINVAL
	}
	r, e := k.free(0)
	if e != 0 {
		return 0, e
	}
	w, e := k.free(r + 1)
	if e != 0 {
		return 0, e
	}
	b := le.AppendUint32(le.AppendUint32(nil, uint32(r)), uint32(w))
	if e := c.write(c.a[0], b); e != 0 {
		return 0, e
	}
	n := k.anonymous(anonPipe, sIFIFO|0o600)
	n.pipe = &pipe{epoch: k.epoch, readers: 1, writers: 1}
	k.install(r, k.openDesc(n, flags&oNONBLOCK), flags&oCLOEXEC != 0)
	wd := k.openDesc(n, flags&oNONBLOCK|oWRONLY)
	wd.write = true
	k.install(w, wd, flags&oCLOEXEC != 0)
	return 0, 0
}

// peekPipe copies from the first buffer.
func (k *Kernel) peekPipe(fd uint64, d *desc, p []byte, some bool) (int, errno) {
	pp := d.node.pipe
	if len(pp.bufs) == 0 {
		if pp.writers > 0 && !some {
			k.park(fd, false, d.flags&oNONBLOCK != 0)
			return 0, eAGAIN
		}
		return 0, 0
	}
	b := pp.bufs[0]
	return copy(p, b.data[b.off:]), 0
}

func (k *journal) consume(p *pipe, n int) {
	k.touchPipe(p)
	b := &p.bufs[0]
	if b.off += n; b.off == len(b.data) {
		p.bufs = p.bufs[1:]
	}
}

// intoPipe gathers as much as could fit and writes it.
func (c *call) intoPipe(d *desc, s []span) (uint64, errno) {
	var p []byte
	total := uint64(0)
	for _, b := range s {
		total += b.n
		for done := uint64(0); done < b.n && len(p) < (pipeSlots+1)*pageSize; {
			part, e := c.read(b.addr+done, int(min(b.n-done, pageSize)))
			if e != 0 {
				return 0, e
			}
			p = append(p, part...)
			done += uint64(len(part))
		}
	}
	if total == 0 {
		return 0, 0
	}
	n, e := c.k.fillPipe(c.a[0], d, p, int(total%pageSize))
	return uint64(n), e
}

// fillPipe writes p; the odd bytes that the whole has beyond full pages go to
// the buffer begun last, if they fit there.
func (k *Kernel) fillPipe(fd uint64, d *desc, p []byte, n int) (int, errno) {
	pp := d.node.pipe
	if pp.readers == 0 {
		return 0, ePIPE
	}
	k.touchPipe(pp)
	done := 0
	if n > 0 && len(pp.bufs) > 0 {
		if b := &pp.bufs[len(pp.bufs)-1]; len(b.data)+n <= pageSize {
			b.data = append(b.data[:len(b.data):len(b.data)], p[:n]...)
			done = n
		}
	}
	for done < len(p) && len(pp.bufs) < pipeSlots {
		n := min(len(p)-done, pageSize)
		pp.bufs = append(pp.bufs, pipeBuf{data: append([]byte(nil), p[done:done+n]...)})
		done += n
	}
	if done < len(p) {
		k.park(fd, true, d.flags&oNONBLOCK != 0)
		if done == 0 {
			return 0, eAGAIN
		}
	}
	return done, 0
}

// ready says what a descriptor can do without waiting, in the bits of epoll.
func (k *Kernel) ready(d *desc) uint32 {
	const in, out, errBit, hup = 1, 4, 8, 16
	switch d.node.special {
	case anonPipe:
		p, r := d.node.pipe, uint32(0)
		if d.write {
			if len(p.bufs) < pipeSlots {
				r |= out
			}
			if p.readers == 0 {
				r |= errBit
			}
			return r
		}
		if len(p.bufs) > 0 {
			r |= in
		}
		if p.writers == 0 {
			r |= hup
		}
		return r
	case eventFD:
		r := uint32(0)
		if d.count > 0 {
			r |= in
		}
		if d.count < maxCount {
			r |= out
		}
		return r
	case epollFD:
		for _, w := range d.watch {
			if k.ready(w.d)&(w.events|24) != 0 {
				return in
			}
		}
		return 0
	}
	return in | out
}

const maxCount = 1<<64 - 2

const efdSemaphore = 1

func sysEventfd(c *call) (uint64, errno)  { return c.eventfd(0) }
func sysEventfd2(c *call) (uint64, errno) { return c.eventfd(uint32(c.a[1])) }

func (c *call) eventfd(flags uint32) (uint64, errno) {
	k := c.k
	if flags&^(efdSemaphore|oNONBLOCK|oCLOEXEC) != 0 {
		return 0, eINVAL
	}
	i, e := k.free(0)
	if e != 0 {
		return 0, e
	}
	n := k.anonymous(eventFD, 0o600)
	n.rdev = uint64(flags & efdSemaphore)
	d := k.openDesc(n, flags&oNONBLOCK|oRDWR)
	d.count = uint64(uint32(c.a[0]))
	k.install(i, d, flags&oCLOEXEC != 0)
	return uint64(i), 0
}

func (c *call) event(d *desc, s []span, write bool) (uint64, errno) {
	k := c.k
	if len(s) == 0 || s[0].n < 8 {
		return 0, eINVAL
	}
	if write {
		w, e := c.words(s[0].addr, 1)
		switch {
		case e != 0:
			return 0, e
		case w[0] == 1<<64-1:
			return 0, eINVAL
		case w[0] > maxCount-d.count:
			k.park(c.a[0], true, d.flags&oNONBLOCK != 0)
			return 0, eAGAIN
		}
		k.touchDesc(d)
		d.count += w[0]
		return 8, 0
	}
	if d.count == 0 {
		k.park(c.a[0], false, d.flags&oNONBLOCK != 0)
		return 0, eAGAIN
	}
	v := d.count
	if d.node.rdev == efdSemaphore {
		v = 1
	}
	if e := c.putWords(s[0].addr, v); e != 0 {
		return 0, e
	}
	k.touchDesc(d)
	d.count -= v
	return 8, 0
}
