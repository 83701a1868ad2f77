package race

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
)

// TestSYNC17 has a goroutine write x, tell another one by the length of a channel, and write bytes. The other one reads
// bytes of something else later, and writes x.
func TestSYNC17(t *testing.T) {
	moves := func(early bool) *program {
		p := new(program).write(0, x)
		if early {
			p.by(0, event.ObjectWrite, event.Kernel, key(event.KernelWrite)).by(0, event.ChanSend, thing, other(0))
		} else {
			p.by(0, event.ChanSend, thing, other(0)).by(0, event.ObjectWrite, event.Kernel, key(event.KernelWrite))
		}
		return p.by(1, event.ChanLen, thing, value(1)).by(1, event.ObjectRead, event.Kernel, key(event.KernelRead)).write(1, x)
	}
	for _, c := range []struct {
		what   string
		p      *program
		known  int32 // of the events of goroutine 0, what goroutine 1 is after in every order
		hidden []Hidden
	}{
		{"the bytes may be read before others are written", moves(false), 2, []Hidden{{Pair{0, 5}, []int32{2}}}},
		{"others are written before the send", moves(true), 3, nil},
		{"one goroutine alone", new(program).write(0, x).by(0, event.ObjectWrite, event.Kernel, key(event.KernelWrite)).by(0, event.ObjectRead, event.Kernel, key(event.KernelRead)).write(1, x), 0, nil},
		{"nobody writes bytes", new(program).write(0, x).by(1, event.ObjectRead, event.Kernel, key(event.KernelRead)).write(1, x), 0, nil},
	} {
		got, all := ByAccident(&c.p.Trace, func(thread, n, i int32) bool { return thread == 1 && i < c.known })
		same := slices.EqualFunc(got, c.hidden, func(a, b Hidden) bool { return a.Pair == b.Pair && slices.Equal(a.Writes, b.Writes) })
		if !same || !all {
			t.Errorf("%s: %v, want %v", c.what, got, c.hidden)
		}
		if hidden := len(c.hidden) > 0; hidden && len(c.p.races()) > 0 {
			t.Errorf("%s: it is no secret", c.what)
		}
	}
}
