package kernel

import (
	"fmt"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/apart"
)

// inSteps is Syscall in steps, all of which are granted at once.
func (k *Kernel) inSteps(m Memory, num, a1, a2, a3, a4, a5, a6 uint64) (r1, r2, e uint64, ok bool) {
	var c Course
	for grant := false; ; grant = true {
		_, more, r1, r2, e, ok := k.Proceed(m, &c, grant, num, a1, a2, a3, a4, a5, a6)
		if !more {
			return r1, r2, e, ok
		}
	}
}

// A caller performs calls in steps, for a goroutine.
type caller struct {
	k      *Kernel
	stream uint64
}

// steps performs a call on a path, and lists what it touches.
func (c caller) steps(num uint64, path string, args ...uint64) (steps []apart.Step, r, e uint64, ok bool) {
	m := flat(path + "\x00")
	a := [6]uint64{base}
	if num == 257 || num == 263 || num == 262 {
		a = [6]uint64{cwdFD, base}
		copy(a[2:], args)
	} else {
		copy(a[1:], args)
	}
	var course Course
	c.k.Stream(c.stream)
	for grant := false; ; grant = true {
		s, more, r, _, e, ok := c.k.Proceed(m, &course, grant, num, a[0], a[1], a[2], a[3], a[4], a[5])
		if !more {
			return steps, r, e, ok
		}
		steps = append(steps, s)
	}
}

func toldApart(t *testing.T) (one, other caller) {
	k := New(Config{})
	t.Cleanup(k.Close)
	k.TellApart()
	return caller{k, 1}, caller{k, 2}
}

const (
	callMkdir, callRmdir, callUnlink, callOpenat = 83, 84, 87, 257
	makes                                        = oCREAT | oWRONLY
)

// TestStepsOfPaths: a name that is there from the start is no step; each other is one, and what is made or removed is
// written (APART1, APART2).
func TestStepsOfPaths(t *testing.T) {
	one, _ := toldApart(t)
	text := func(s []apart.Step) (out string) {
		for _, x := range s {
			out += fmt.Sprint(x.Write, " ")
		}
		return out
	}
	for _, x := range []struct {
		num   uint64
		path  string
		args  []uint64
		steps string
	}{
		{callMkdir, "/tmp/d", []uint64{0o700}, "true "},
		{callOpenat, "/tmp/d/a", []uint64{makes, 0o600}, "false true "},
		{callOpenat, "/tmp/d/a", []uint64{makes | oTRUNC, 0o600}, "false true true "},
		{callOpenat, "/tmp/d/a", []uint64{0}, "false false "},
		{callOpenat, "/tmp/none/a", []uint64{0}, "false "},
		{callRmdir, "/tmp/d", nil, "false true "}, // not empty
		{callUnlink, "/tmp/d/a", nil, "false true "},
		{callRmdir, "/tmp/d", nil, "false true true "},
	} {
		if s, _, _, _ := one.steps(x.num, x.path, x.args...); text(s) != x.steps {
			t.Errorf("%s %s: writes %s, expected %s", Name(x.num), x.path, text(s), x.steps)
		}
	}
}

// TestNumbersApart: numbers do not depend on what others have done (APART3).
func TestNumbersApart(t *testing.T) {
	run := func(first bool) (fds, inodes []uint64) {
		one, other := toldApart(t)
		if first {
			other.steps(callOpenat, "/tmp/b", makes, 0o600)
		}
		for range 2 {
			_, fd, _, _ := one.steps(callOpenat, "/tmp/a", makes, 0o600)
			d, _ := one.k.rawFile(fd)
			fds, inodes = append(fds, fd), append(inodes, d.node.ino)
		}
		return fds, inodes
	}
	fds, inodes := run(false)
	if f, i := run(true); fmt.Sprint(f, i) != fmt.Sprint(fds, inodes) || fds[0] == fds[1] || inodes[0] != inodes[1] {
		t.Errorf("descriptors %v of inodes %v, and %v of %v", fds, inodes, f, i)
	}
}

// TestFromTheStart: what is there from the start cannot be removed (APART4).
func TestFromTheStart(t *testing.T) {
	one, _ := toldApart(t)
	if _, _, _, ok := one.steps(callRmdir, "/tmp"); ok {
		t.Error("/tmp can be removed")
	}
	if _, _, _, ok := one.steps(82, "/tmp/a"); ok {
		t.Error("rename is supported")
	}
}
