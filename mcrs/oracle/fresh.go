package oracle

import (
	"encoding/binary"
	"strconv"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file saves a search the text of outcomes that it has met. Most executions of a program end in one of few
// outcomes, and writing the text of one takes longer than the execution.

// keys are what executions showed, in a form that is quick to make.
type keys struct {
	met     map[string]bool
	replies [][]byte
	key     []byte
}

// fresh reports whether t shows what no execution before did. The key holds all that OutcomeOf and BlockedKey read of a
// trace. So two traces with equal keys have equal outcomes.
func (k *keys) fresh(t *trace.Trace) bool {
	if k.met == nil {
		k.met = make(map[string]bool)
	}
	for len(k.replies) < len(t.Threads) {
		k.replies = append(k.replies, nil)
	}
	for i := range t.Threads {
		k.replies[i] = k.replies[i][:0]
	}
	for i := range t.Events {
		e := &t.Events[i]
		r := trace.ReplyOf(e)
		b := append(k.replies[e.Thread], byte(r.Kind), flag(r.Wrong))
		b = binary.AppendVarint(b, int64(r.Case))
		k.replies[e.Thread] = binary.AppendUvarint(b, r.Value)
	}
	b := append(k.key[:0], byte(t.Status))
	if n := len(t.Events); n > 0 {
		b = append(b, byte(t.Events[n-1].Kind))
	}
	for i := range t.Threads {
		th := &t.Threads[i]
		b = appendText(b, string(th.ID))
		b = appendText(b, string(k.replies[i]))
		b = append(b, flag(th.Leaked), flag(th.Pending != nil))
		if th.Pending != nil {
			b = append(b, byte(th.Pending.Kind))
			b = binary.AppendVarint(b, int64(th.Pending.Site))
		}
	}
	if t.Status == trace.Failed {
		b = binary.AppendVarint(b, int64(t.PanicThread))
		b = appendText(b, t.Panic)
	}
	for _, f := range t.Failures {
		b = binary.AppendVarint(b, int64(f.Thread))
		b = appendText(b, f.Message)
	}
	k.key = b
	if k.met[string(b)] {
		return false
	}
	k.met[string(b)] = true
	return true
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func appendText(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// Told writes what an operation returned, as in the Threads of an Outcome.
func Told(r trace.Reply) string {
	b := append(make([]byte, 0, 48), r.Kind.String()...)
	b = strconv.AppendInt(append(b, '/'), int64(r.Case), 10)
	b = strconv.AppendUint(append(b, '='), r.Value, 10)
	if r.Wrong {
		b = append(b, '!') // the operation fails, and the goroutine panics
	}
	return string(append(b, ';'))
}
