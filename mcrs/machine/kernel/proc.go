package kernel

import (
	"strconv"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/computer"
)

func decimal(v uint64) string { return strconv.FormatUint(v, 10) }

// answer makes a call that always returns v.
func answer(v uint64) handler { return func(*call) (uint64, errno) { return v, 0 } }

// refuse makes a call that always fails.
func refuse(e errno) handler { return func(*call) (uint64, errno) { return 0, e } }

// lacking makes a call that fails for want of something that the host has.
func lacking(what string, e errno) handler {
	return func(c *call) (uint64, errno) {
		c.k.refused = what
		return 0, e
	}
}

// watches is what inotify is for.
const watches = "being told of changes to files (inotify)"

// noSocket answers for the calls that take a socket: there are none.
func noSocket(c *call) (uint64, errno) {
	if _, e := c.k.file(c.a[0]); e != 0 {
		return 0, e
	}
	return 0, eNOTSOCK
}

func sysIoctl(c *call) (uint64, errno) {
	_, e := c.k.file(c.a[0])
	if e == 0 {
		e = eNOTTY
	}
	return 0, e
}

// sysKill finds no process but this one, whose signals are the machine's.
func sysKill(c *call) (uint64, errno) {
	p, sig := int32(c.a[0]), uint32(c.a[1])
	switch {
	case sig > 64:
		return 0, eINVAL
	case p != pid && p != 0 && p != -pid:
		return 0, ePERM
	case sig == 0, sig == 17, sig == 18, sig == 23, sig == 28: // none, CHLD, CONT, URG, WINCH: nothing happens by default
		return 0, 0
	}
	return 0, c.k.unsupport("a signal to the program itself")
}

// sysPrctl keeps what says whether capabilities are kept, of which there are none.
func sysPrctl(c *call) (uint64, errno) {
	const setKeepCaps, getKeepCaps = 8, 7
	switch c.a[0] {
	case setKeepCaps:
		if c.a[1] > 1 {
			return 0, eINVAL
		}
		c.k.touchProc()
		c.k.p.caps = c.a[1]
		return 0, 0
	case getKeepCaps:
		return c.k.p.caps, 0
	}
	return 0, c.k.unsupport("of this kind")
}

func sysGetgroups(c *call) (uint64, errno) {
	switch n := int32(c.a[0]); {
	case n < 0:
		return 0, eINVAL
	case n == 0:
		return 1, 0
	}
	return 1, c.write(c.a[1], le.AppendUint32(nil, uid))
}

func sysGetresuid(c *call) (uint64, errno) {
	id := le.AppendUint32(nil, uid)
	for _, a := range c.a[:3] {
		if e := c.write(a, id); e != 0 {
			return 0, e
		}
	}
	return 0, 0
}

func sysUname(c *call) (uint64, errno) { return 0, c.write(c.a[0], computer.Uname()) }

func sysClockGettime(c *call) (uint64, errno) {
	if uint32(c.a[0]) > 11 || uint32(c.a[0]) == 10 {
		return 0, eINVAL
	}
	s, ns := computer.Split(c.k.now())
	return 0, c.putWords(c.a[1], s, ns)
}

func sysClockGetres(c *call) (uint64, errno) {
	if uint32(c.a[0]) > 11 || uint32(c.a[0]) == 10 {
		return 0, eINVAL
	}
	if c.a[1] == 0 {
		return 0, 0
	}
	return 0, c.putWords(c.a[1], 0, 1)
}

func sysGettimeofday(c *call) (uint64, errno) {
	s, ns := computer.Split(c.k.now())
	if c.a[0] != 0 {
		if e := c.putWords(c.a[0], s, ns/1000); e != 0 {
			return 0, e
		}
	}
	if c.a[1] != 0 {
		return 0, c.putWords(c.a[1], 0)
	}
	return 0, 0
}

func sysTime(c *call) (uint64, errno) {
	s, _ := computer.Split(c.k.now())
	if c.a[0] != 0 {
		return s, c.putWords(c.a[0], s)
	}
	return s, 0
}

func sysGetrandom(c *call) (uint64, errno) {
	if f := uint32(c.a[2]); f > 7 || f&6 == 6 {
		return 0, eINVAL
	}
	n := min(c.a[1], maxRW)
	if n > 64<<20 {
		return 0, c.k.unsupport("more than 64 MiB of randomness at once")
	}
	for done := uint64(0); done < n; {
		b := make([]byte, min(n-done, chunk))
		c.k.random(b)
		if e := c.write(c.a[0]+done, b); e != 0 {
			if done > 0 {
				return done, 0
			}
			return 0, e
		}
		done += uint64(len(b))
	}
	return n, 0
}

// Stream selects whose random numbers come next, by any number that names the
// goroutine: each has a stream of its own, so that what it draws does not
// depend on the schedule. The default is 0.
func (k *Kernel) Stream(id uint64) { k.stream = id }

// random fills p from the current stream.
func (k *Kernel) random(p []byte) {
	k.touchProc()
	if k.p.random == nil {
		k.p.random = map[uint64]uint64{}
	}
	k.p.random[k.stream] = computer.Random(k.stream, k.p.random[k.stream], p)
}

// rlimit gives a limit, both soft and hard.
func rlimit(resource uint32) (uint64, errno) {
	switch {
	case resource > 15:
		return 0, eINVAL
	case resource == 7:
		return maxOpen, 0
	}
	return 1<<64 - 1, 0
}

func sysGetrlimit(c *call) (uint64, errno) {
	v, e := rlimit(uint32(c.a[0]))
	if e != 0 {
		return 0, e
	}
	return 0, c.putWords(c.a[1], v, v)
}

func sysSetrlimit(c *call) (uint64, errno) { return c.setrlimit(uint32(c.a[0]), c.a[1]) }

// setrlimit accepts what changes nothing.
func (c *call) setrlimit(resource uint32, addr uint64) (uint64, errno) {
	v, e := rlimit(resource)
	if e != 0 {
		return 0, e
	}
	w, e := c.words(addr, 2)
	switch {
	case e != 0:
		return 0, e
	case w[0] > w[1]:
		return 0, eINVAL
	case w[1] > v:
		return 0, ePERM
	case w[0] == v && w[1] == v:
		return 0, 0
	}
	return 0, c.k.unsupport("lowering a resource limit")
}

func sysPrlimit(c *call) (uint64, errno) {
	if p := int32(c.a[0]); p != 0 && p != pid {
		return 0, ePERM
	}
	v, e := rlimit(uint32(c.a[1]))
	if e != 0 {
		return 0, e
	}
	if c.a[2] != 0 {
		if _, e := c.setrlimit(uint32(c.a[1]), c.a[2]); e != 0 {
			return 0, e
		}
	}
	if c.a[3] != 0 {
		return 0, c.putWords(c.a[3], v, v)
	}
	return 0, 0
}

func sysSysinfo(c *call) (uint64, errno) {
	s, _ := computer.Split(c.k.now() - c.k.boot)
	return 0, c.write(c.a[0], computer.Sysinfo(s))
}

func sysGetrusage(c *call) (uint64, errno) {
	if w := int32(c.a[0]); w < -1 || w > 1 {
		return 0, eINVAL
	}
	return 0, c.write(c.a[1], make([]byte, 144))
}

func sysTimes(c *call) (uint64, errno) {
	var e errno
	if c.a[0] != 0 {
		e = c.write(c.a[0], make([]byte, 32))
	}
	return uint64(c.k.now() / 1e7), e
}

func sysGetpgid(c *call) (uint64, errno) {
	if p := int32(c.a[0]); p != 0 && p != pid {
		return 0, ePERM
	}
	return pid, 0
}
