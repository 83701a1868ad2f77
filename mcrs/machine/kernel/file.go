package kernel

import (
	"errors"
	"io"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/apart"
	"github.com/heddle-go/heddle/mcrs/machine/kernel/pages"
)

func sysOpen(c *call) (uint64, errno)   { return c.openat(cwdFD, c.a[0], c.a[1], c.a[2]) }
func sysCreat(c *call) (uint64, errno)  { return c.openat(cwdFD, c.a[0], oCREAT|oWRONLY|oTRUNC, c.a[1]) }
func sysOpenat(c *call) (uint64, errno) { return c.openat(c.a[0], c.a[1], c.a[2], c.a[3]) }

// cwdFD is AT_FDCWD as an argument.
const cwdFD = 1<<64 - 100

const knownFlags = oACCMODE | oCREAT | oEXCL | oNOCTTY | oTRUNC | oAPPEND | oNONBLOCK | 0x1000 | 0x2000 | oDIRECT |
	oLARGEFILE | oDIRECTORY | oNOFOLLOW | oNOATIME | oCLOEXEC | 0x100000 | oPATH | oTMPFILE

func (c *call) openat(dirfd, pathAddr, flags64, mode uint64) (uint64, errno) {
	k, flags := c.k, uint32(flags64)&knownFlags|oLARGEFILE
	switch {
	case flags&oPATH != 0:
		flags &= oPATH | oDIRECTORY | oNOFOLLOW | oCLOEXEC
	case flags&oTMPFILE != 0:
		return 0, eOPNOTSUPP
	case flags&(oCREAT|oDIRECTORY) == oCREAT|oDIRECTORY:
		return 0, eINVAL
	}
	path, e := c.path(pathAddr)
	if e != 0 {
		return 0, e
	}
	if !k.apart {
		if _, e := k.free(0); e != 0 {
			return 0, e
		}
	}
	n, e := k.openNode(dirfd, path, flags, uint32(mode))
	if e != 0 {
		return 0, e
	}
	i, e := k.free(0)
	if e != 0 {
		return 0, e
	}
	d := k.openDesc(n, flags&^(oCREAT|oEXCL|oNOCTTY|oTRUNC|oCLOEXEC))
	d.key = uint64(i) + 2 // not 0, and no statKey
	k.install(i, d, flags&oCLOEXEC != 0)
	if n.isPipe() && flags&oPATH == 0 {
		c.r2 = n.ino
	}
	return uint64(i), 0
}

func (k *Kernel) openNode(dirfd uint64, path string, flags, mode uint32) (*node, errno) {
	excl := flags&(oCREAT|oEXCL) == oCREAT|oEXCL
	how := manner(0)
	if flags&oNOFOLLOW == 0 && !excl {
		how |= follows
	}
	if flags&oCREAT != 0 {
		how |= creates
	}
	w, e := k.walk(dirfd, path, how)
	if e != 0 {
		return nil, e
	}
	n := w.n
	if n == nil {
		if flags&oCREAT == 0 {
			return nil, eNOENT
		}
		if e := k.mayCreate(w.dir); e != 0 {
			return nil, e
		}
		return k.create(w, sIFREG|mode&0o7777&^k.p.umask)
	}
	switch {
	case excl:
		return nil, eEXIST
	case flags&oCREAT != 0 && n.isDir():
		return nil, eISDIR
	case flags&oDIRECTORY != 0 && !n.isDir():
		return nil, eNOTDIR
	case flags&oPATH != 0:
		k.observe(n, "")
		return n, 0
	case n.isLink():
		return nil, eLOOP
	case n.kind() == sIFSOCK:
		return nil, eNXIO
	}
	want := [4]uint32{mayRead, mayWrite, mayRead | mayWrite, mayRead | mayWrite}[flags&oACCMODE]
	if flags&oTRUNC != 0 {
		want |= mayWrite
	}
	if n.isDir() && want&mayWrite != 0 {
		return nil, eISDIR
	}
	k.observe(n, "")
	if e := permit(n, want); e != 0 {
		return nil, e
	}
	if n.host != nil {
		switch {
		case want&mayWrite != 0:
			e = k.own(n)
		case n.isReg():
			e = k.loadFile(n)
		default:
			k.loadDir(n)
			e = n.host.fail
		}
		if e != 0 {
			return nil, e
		}
	}
	if flags&oTRUNC != 0 && n.isReg() {
		step(k, n, 0, true, nothing)
		if len(n.maps) > 0 {
			return nil, k.unsupport("a file that is mapped into memory, and truncated where it is opened")
		}
		k.resize(n, 0)
	}
	return n, 0
}

func (k *files) create(w place, mode uint32) (*node, errno) {
	if w.dir.mode&sISGID != 0 && mode&sIFMT == sIFDIR {
		mode |= sISGID
	}
	n, e := k.newNode(mode)
	if e != 0 {
		return nil, e
	}
	n.dev = w.dir.dev
	if e := k.link(w.dir, w.name, n); e != 0 {
		n.nlink = 0
		k.reap(n)
		return nil, e
	}
	return n, 0
}

// A span is a part of the program's memory.
type span struct{ addr, n uint64 }

// spans reads an iovec.
func (c *call) spans(addr, count uint64) ([]span, errno) {
	if count > 1024 {
		return nil, eINVAL
	}
	w, e := c.words(addr, int(2*count))
	if e != 0 {
		return nil, e
	}
	var s []span
	total := uint64(0)
	for i := 0; i < len(w); i += 2 {
		if int64(w[i+1]) < 0 {
			return nil, eINVAL
		}
		n := min(w[i+1], maxRW-total)
		total += n
		s = append(s, span{w[i], n})
	}
	return s, 0
}

// buffer is the span of read's and write's arguments.
func (c *call) buffer() ([]span, errno) {
	if n := c.a[2]; n > 1<<47 || c.a[1] > 1<<63 {
		return nil, eFAULT
	}
	return []span{{c.a[1], min(c.a[2], maxRW)}}, 0
}

func sysRead(c *call) (uint64, errno)    { return c.transfer(false, false, false) }
func sysWrite(c *call) (uint64, errno)   { return c.transfer(true, false, false) }
func sysPread(c *call) (uint64, errno)   { return c.transfer(false, true, false) }
func sysPwrite(c *call) (uint64, errno)  { return c.transfer(true, true, false) }
func sysReadv(c *call) (uint64, errno)   { return c.transfer(false, false, true) }
func sysWritev(c *call) (uint64, errno)  { return c.transfer(true, false, true) }
func sysPreadv(c *call) (uint64, errno)  { return c.transfer(false, true, true) }
func sysPwritev(c *call) (uint64, errno) { return c.transfer(true, true, true) }

func (c *call) transfer(write, at, vector bool) (uint64, errno) {
	k := c.k
	if at && int64(c.a[3]) < 0 {
		return 0, eINVAL
	}
	how := apart.Moves
	if write {
		how = apart.Changes
	} else if at {
		how = apart.Asks
	}
	useDesc(k, c.a[0], how)
	d, e := k.file(c.a[0])
	if e != 0 {
		return 0, e
	}
	if d.node.isPipe() {
		return 0, k.unsupport("a named pipe that package inet does not have")
	}
	if at {
		switch d.node.special {
		case stdIn, stdOut, stdErr:
			return 0, eSPIPE
		}
	}
	if write && !d.writable() || !write && !d.readable() {
		return 0, eBADF
	}
	var s []span
	if vector {
		s, e = c.spans(c.a[1], c.a[2])
	} else {
		if d.node.isDir() && !write {
			return 0, eISDIR
		}
		s, e = c.buffer()
	}
	if e != 0 {
		return 0, e
	}
	if d.node.isDir() {
		return 0, eISDIR
	}
	pos := d.pos
	if at {
		pos = int64(c.a[3])
	}
	if write && d.flags&oAPPEND != 0 && d.node.isReg() {
		pos = d.node.size
	}
	size := int64(0)
	for _, b := range s {
		size += int64(b.n)
	}
	if e := c.settle(d.node, write, pos, size); e != 0 {
		return 0, e
	}
	var total uint64
	for _, b := range s {
		var n uint64
		if write {
			n, e = c.put(d, b, pos)
		} else {
			n, e = c.get(d, b, pos)
		}
		total += n
		pos += int64(n)
		if e != 0 || n < b.n {
			break
		}
	}
	if !at && total > 0 && d.node.isReg() {
		k.touchDesc(d)
		d.pos = pos
	}
	if total > 0 {
		e = 0
	}
	return total, e
}

// get reads into one span.
func (c *call) get(d *desc, b span, pos int64) (done uint64, e errno) {
	n := d.node
	for done < b.n {
		buf := make([]byte, min(b.n-done, chunk))
		var got int
		switch {
		case n.isReg():
			if n.host != nil {
				k := c.k
				if e := k.loadFile(n); e != 0 {
					return done, e
				}
			}
			buf = buf[:max(0, min(int64(len(buf)), n.size-pos-int64(done)))]
			got = n.readAt(buf, pos+int64(done))
		case n.special == devZero:
			got = len(buf)
		case n.special == devRandom:
			c.k.random(buf)
			got = len(buf)
		case n.special == stdIn:
			got, e = c.k.peekStdin(buf)
		}
		if e != 0 || got == 0 {
			break
		}
		if e = c.write(b.addr+done, buf[:got]); e != 0 {
			break
		}
		if n.special == stdIn {
			c.k.touchProc()
			c.k.p.stdin += got
		}
		done += uint64(got)
		if n.special == stdIn {
			break
		}
	}
	return done, e
}

// put writes one span.
func (c *call) put(d *desc, b span, pos int64) (done uint64, e errno) {
	k, n := c.k, d.node
	if n.isReg() && b.n > 0 {
		if pos >= maxBytes {
			return 0, eFBIG
		}
		b.n = min(b.n, uint64(maxBytes-pos))
	}
	for done < b.n {
		step := int(min(b.n-done, chunk))
		p, e := c.read(b.addr+done, step)
		if n.special == devNull || n.special == devZero || n.special == devRandom {
			// Linux's drivers of these look at no byte, or at all; either way the count is right.
			if e != 0 && n.special != devRandom {
				return b.n, 0
			}
		}
		if e != 0 {
			return done, e
		}
		got := step
		switch {
		case n.isReg():
			if got, e = k.writeAt(n, p, pos+int64(done)); got > 0 {
				k.changed(n)
				k.killPriv(n)
				c.changedRange(n, pos+int64(done), int64(got))
			}
		case n.special == stdOut:
			got, e = output(k.cfg.Stdout, p)
		case n.special == stdErr:
			got, e = output(k.cfg.Stderr, p)
		}
		done += uint64(got)
		if e != 0 || got < step {
			return done, e
		}
	}
	return done, 0
}

func output(w io.Writer, p []byte) (int, errno) {
	if w == nil {
		return len(p), 0
	}
	n, err := w.Write(p)
	if err != nil && n <= 0 {
		return 0, eIO
	}
	return min(max(n, 0), len(p)), 0
}

// peekStdin gives the bytes after those read so far; all that ever came is
// kept, for executions that start again.
func (k *Kernel) peekStdin(p []byte) (int, errno) {
	if k.p.stdin == len(k.stdin) && !k.stdinEOF && k.cfg.Stdin != nil {
		if int64(len(k.stdin)) >= hostLimit {
			return 0, k.unsupport("too much standard input")
		}
		buf := make([]byte, 4096)
		n, err := 0, error(nil)
		for tries := 0; n == 0 && err == nil && tries < 100; tries++ {
			n, err = k.cfg.Stdin.Read(buf)
		}
		k.stdin = append(k.stdin, buf[:min(max(n, 0), len(buf))]...)
		k.stdinEOF = err != nil || n == 0
		if n <= 0 && err != nil && !errors.Is(err, io.EOF) {
			return 0, eIO
		}
	}
	return copy(p, k.stdin[k.p.stdin:]), 0
}

func sysLseek(c *call) (uint64, errno) {
	k := c.k
	useDesc(k, c.a[0], apart.Moves)
	d, e := k.file(c.a[0])
	if e != 0 {
		return 0, e
	}
	n := d.node
	off, whence := int64(c.a[1]), uint32(c.a[2])
	if whence > 4 {
		return 0, eINVAL
	}
	switch {
	case n.special >= stdIn, n.isPipe():
		return 0, eSPIPE
	case n.special != plain:
		return 0, 0
	case n.isDir() && whence > 1:
		return 0, eINVAL
	}
	switch whence {
	case 1:
		if off == 0 {
			return uint64(d.pos), 0
		}
		off += d.pos
	case 2:
		off += n.size
	case 3, 4:
		if off < 0 || off >= n.size {
			return 0, eNXIO
		}
		off = n.extent(off, whence == 3)
		if off < 0 {
			return 0, eNXIO
		}
	}
	if off < 0 || !n.isDir() && off > maxBytes {
		return 0, eINVAL
	}
	k.touchDesc(d)
	d.pos = off
	return uint64(off), 0
}

// extent finds the next data, or the next hole, from off on.
func (n *node) extent(off int64, data bool) int64 {
	if n.host != nil {
		if data {
			return off
		}
		return n.size
	}
	return pages.Extent(n.pages, n.size, off, data)
}

func sysTruncate(c *call) (uint64, errno) {
	size := int64(c.a[1])
	if size < 0 {
		return 0, eINVAL
	}
	path, e := c.path(c.a[0])
	if e != 0 {
		return 0, e
	}
	n, e := c.k.find(cwdFD, path, true)
	switch {
	case e != 0:
		return 0, e
	case n.isDir():
		return 0, eISDIR
	case !n.isReg():
		return 0, eINVAL
	}
	if e := permit(n, mayWrite); e != 0 {
		return 0, e
	}
	step(c.k, n, 0, true, nothing)
	return 0, c.truncate(n, size)
}

func sysFtruncate(c *call) (uint64, errno) {
	size := int64(c.a[1])
	if size < 0 {
		return 0, eINVAL
	}
	useDesc(c.k, c.a[0], apart.Changes)
	d, e := c.k.file(c.a[0])
	switch {
	case e != 0:
		return 0, e
	case !d.node.isReg() || !d.writable():
		return 0, eINVAL
	}
	return 0, c.truncate(d.node, size)
}

func (c *call) truncate(n *node, size int64) errno {
	if size > maxBytes {
		return eFBIG
	}
	old := n.size
	from, changed := min(old, size), max(old, size)-min(old, size)
	if e := c.settle(n, true, from, changed); e != 0 {
		return e
	}
	if e := c.k.own(n); e != 0 {
		return e
	}
	c.k.resize(n, size)
	c.changedRange(n, from, changed)
	return 0
}

func sysFsync(c *call) (uint64, errno) {
	useDesc(c.k, c.a[0], apart.Asks)
	d, e := c.k.file(c.a[0])
	if e == 0 && d.node.special != plain {
		e = eINVAL
	}
	return 0, e
}
