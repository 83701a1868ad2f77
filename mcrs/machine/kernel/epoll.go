package kernel

// A watch is one registration with an epoll instance.
type watch struct {
	fd     int32
	d      *desc
	events uint32
	data   uint64
}

func sysEpollCreate(c *call) (uint64, errno) {
	if int32(c.a[0]) <= 0 {
		return 0, eINVAL
	}
	return c.epoll(0)
}

func sysEpollCreate1(c *call) (uint64, errno) { return c.epoll(uint32(c.a[0])) }

func (c *call) epoll(flags uint32) (uint64, errno) {
	k := c.k
	if flags&^oCLOEXEC != 0 {
		return 0, eINVAL
	}
	i, e := k.free(0)
	if e != 0 {
		return 0, e
	}
	k.install(i, k.openDesc(k.anonymous(epollFD, 0o600), oRDWR), flags != 0)
	return uint64(i), 0
}

// pollable says what registering d would: regular files and folders cannot be.
func pollable(d *desc) errno {
	if d.node.special == plain || d.node.special == devNull || d.node.special == devZero {
		return ePERM
	}
	return 0
}

func sysEpollCtl(c *call) (uint64, errno) {
	const add, del, mod = 1, 2, 3
	k, op := c.k, uint32(c.a[1])
	var ev []byte
	if op != del {
		var e errno
		if ev, e = c.read(c.a[3], 12); e != 0 {
			return 0, e
		}
	}
	ep, e := k.file(c.a[0])
	if e != 0 {
		return 0, e
	}
	d, e := k.file(c.a[2])
	if e != 0 {
		return 0, e
	}
	if e := pollable(d); e != 0 {
		return 0, e
	}
	if ep == d || ep.node.special != epollFD {
		return 0, eINVAL
	}
	if d.node.special == epollFD {
		return 0, k.unsupport("an epoll instance within another")
	}
	w := watch{fd: int32(c.a[2]), d: d}
	if op != del {
		w.events, w.data = le.Uint32(ev), le.Uint64(ev[4:])
		if w.events&(1<<31|1<<30|1<<28) != 0 { // EPOLLET, EPOLLONESHOT, EPOLLEXCLUSIVE
			return 0, k.unsupport("epoll other than level-triggered")
		}
	}
	at := -1
	for i, o := range ep.watch {
		if o.fd == w.fd && o.d == d {
			at = i
		}
	}
	switch {
	case op == add && at >= 0:
		return 0, eEXIST
	case op != add && op != mod && op != del:
		return 0, eINVAL
	case op != add && at < 0:
		return 0, eNOENT
	}
	k.touchDesc(ep)
	switch op {
	case add:
		ep.watch = append(ep.watch, w)
	case mod:
		ep.watch[at] = w
	case del:
		ep.watch = append(ep.watch[:at], ep.watch[at+1:]...)
	}
	return 0, 0
}

// forget drops what an instance watches of d.
func (k *journal) forget(ep, d *desc) {
	for i := len(ep.watch) - 1; i >= 0; i-- {
		if ep.watch[i].d == d {
			k.touchDesc(ep)
			ep.watch = append(ep.watch[:i], ep.watch[i+1:]...)
		}
	}
}

// sysEpollWait answers what is ready now. Waiting is left to the machine.
func sysEpollWait(c *call) (uint64, errno) {
	k := c.k
	most := int32(c.a[2])
	if most <= 0 || most > (1<<31-1)/12 {
		return 0, eINVAL
	}
	ep, e := k.file(c.a[0])
	if e != 0 {
		return 0, e
	}
	if ep.node.special != epollFD {
		return 0, eINVAL
	}
	var out []byte
	for _, w := range ep.watch {
		if r := k.ready(w.d) & (w.events | 24); r != 0 && len(out) < 12*int(most) {
			out = le.AppendUint64(le.AppendUint32(out, r), w.data)
		}
	}
	if len(out) == 0 && int32(c.a[3]) != 0 {
		return 0, k.unsupport("waiting in epoll")
	}
	return uint64(len(out) / 12), c.write(c.a[1], out)
}
