package kernel

import (
	"bytes"
	"encoding/binary"
	"math"
)

// Memory is the machine's memory, by synthetic address. Neither method may
// fail in any other way than by returning false.
type Memory interface {
	ReadBytes(addr uint64, n int) ([]byte, bool) // a copy
	WriteBytes(addr uint64, p []byte) bool
}

// A call is one system call under way.
type call struct {
	k   *Kernel
	m   Memory
	num uint64
	a   [6]uint64
	r2  uint64 // the second result
}

var le = binary.LittleEndian

// chunk is the most that one look at the machine's memory asks for: a hostile
// length fails at the first missing chunk and never sizes an allocation.
const chunk = 64 << 10

// read copies n bytes, n at most chunk.
func (c *call) read(addr uint64, n int) ([]byte, errno) {
	if n == 0 {
		return nil, 0
	}
	if c.m == nil || n < 0 || n > chunk || addr == 0 || addr > math.MaxUint64-uint64(n) {
		return nil, eFAULT
	}
	b, ok := c.m.ReadBytes(addr, n)
	if !ok || len(b) != n {
		return nil, eFAULT
	}
	return b, 0
}

func (c *call) write(addr uint64, p []byte) errno {
	if len(p) == 0 {
		return 0
	}
	if c.m == nil || addr == 0 || addr > math.MaxUint64-uint64(len(p)) || !c.m.WriteBytes(addr, p) {
		return eFAULT
	}
	return 0
}

func (c *call) putWords(addr uint64, w ...uint64) errno {
	b := make([]byte, 0, 8*len(w))
	for _, v := range w {
		b = le.AppendUint64(b, v)
	}
	return c.write(addr, b)
}

func (c *call) words(addr uint64, n int) ([]uint64, errno) {
	b, e := c.read(addr, 8*n)
	if e != 0 {
		return nil, e
	}
	w := make([]uint64, n)
	for i := range w {
		w[i] = le.Uint64(b[8*i:])
	}
	return w, 0
}

// str reads the string at addr up to its zero byte. The object that holds it
// may end right after, so a step that fails is halved.
func (c *call) str(addr uint64) (string, errno) {
	var s []byte
	for step := 256; ; {
		b, e := c.read(addr+uint64(len(s)), step)
		if e != 0 {
			if step /= 2; step == 0 {
				return "", eFAULT
			}
			continue
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			s = append(s, b[:i]...)
			break
		}
		if s = append(s, b...); len(s) >= pathMax {
			break
		}
	}
	if len(s) >= pathMax {
		return "", eNAMETOOLONG
	}
	return string(s), 0
}

// path is str for a name to look up, which is not empty.
func (c *call) path(addr uint64) (string, errno) {
	s, e := c.str(addr)
	if e == 0 && s == "" {
		e = eNOENT
	}
	return s, e
}
