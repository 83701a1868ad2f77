package seed

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file defines the body of a token:
//
//	body    = package entry digest regime threads steps [ count { variable } ]
//	threads = count { parent name }      in order of first use in the seed
//	          parent 0: name is a string; parent n: name is the last number of a
//	          spawn path whose rest is thread n-1
//	steps   = count { head … }           count is of heads; head = thread<<2 | form
//	          form 0: length             a run of plain steps of one thread
//	          form 1: case               a choice of a select
//	          form 2: partner case pcase a rendezvous
//	          form 3: case pcase         the rest, which no schedule has
//	variable                             of the environment; the list is left out if it is empty
//
// Numbers are unsigned varints; case and pcase are signed; strings are their
// length and their bytes.

// The forms of a head.
const (
	formRun = iota
	formCase
	formMeet
	formRest
)

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// splitPath cuts a spawn path into its parent's path and its last number.
// Invariant: what it accepts, joinPath gives back byte for byte.
func splitPath(id event.ThreadID) (parent event.ThreadID, last uint64, ok bool) {
	dot := strings.LastIndexByte(string(id), '.')
	if dot < 0 {
		return "", 0, false
	}
	last, err := strconv.ParseUint(string(id[dot+1:]), 10, 32)
	if err != nil || joinPath(id[:dot], last) != id {
		return "", 0, false
	}
	return id[:dot], last, true
}

func joinPath(parent event.ThreadID, last uint64) event.ThreadID {
	return parent + "." + event.ThreadID(strconv.FormatUint(last, 10))
}

func appendBody(b []byte, t *Token) []byte {
	for _, s := range []string{t.Package, t.Entry, t.Digest, t.Regime} {
		b = appendString(b, s)
	}
	index := make(map[event.ThreadID]uint64)
	var table []byte
	name := func(id event.ThreadID) {
		if _, ok := index[id]; ok {
			return
		}
		if parent, last, ok := splitPath(id); ok {
			if p, ok := index[parent]; ok {
				table = binary.AppendUvarint(table, p+1)
				table = binary.AppendUvarint(table, last)
				index[id] = uint64(len(index))
				return
			}
		}
		table = binary.AppendUvarint(table, 0)
		table = appendString(table, string(id))
		index[id] = uint64(len(index))
	}
	for _, s := range t.Seed {
		name(s.Thread)
		if s.Partner != "" {
			name(s.Partner)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(index)))
	b = append(b, table...)
	heads, steps := appendSteps(nil, t.Seed, index)
	b = append(binary.AppendUvarint(b, heads), steps...)
	if len(t.Env) > 0 {
		b = binary.AppendUvarint(b, uint64(len(t.Env)))
		for _, v := range t.Env {
			b = appendString(b, v)
		}
	}
	return b
}

func (s Step) plain() bool { return s.Case == -1 && s.Partner == "" && s.PartnerCase == -1 }

func appendSteps(b []byte, seed Seed, index map[event.ThreadID]uint64) (heads uint64, _ []byte) {
	for i := 0; i < len(seed); heads++ {
		s := seed[i]
		head := index[s.Thread] << 2
		switch {
		case s.plain():
			n := 1
			for i+n < len(seed) && seed[i+n] == s {
				n++
			}
			b = binary.AppendUvarint(b, head|formRun)
			b = binary.AppendUvarint(b, uint64(n))
			i += n
			continue
		case s.Partner != "":
			b = binary.AppendUvarint(b, head|formMeet)
			b = binary.AppendUvarint(b, index[s.Partner])
			b = binary.AppendVarint(b, int64(s.Case))
			b = binary.AppendVarint(b, int64(s.PartnerCase))
		case s.PartnerCase == -1:
			b = binary.AppendUvarint(b, head|formCase)
			b = binary.AppendVarint(b, int64(s.Case))
		default:
			b = binary.AppendUvarint(b, head|formRest)
			b = binary.AppendVarint(b, int64(s.Case))
			b = binary.AppendVarint(b, int64(s.PartnerCase))
		}
		i++
	}
	return heads, b
}

// A reader takes a body apart. After the first error it returns zeros.
type reader struct {
	b   []byte
	err error
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrMalformed, what)
	}
	r.b = nil
}

func (r *reader) uint() uint64 {
	x, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail("bad number")
		return 0
	}
	r.b = r.b[n:]
	return x
}

func (r *reader) int16() int16 {
	x, n := binary.Varint(r.b)
	if n <= 0 || int64(int16(x)) != x {
		r.fail("bad case")
		return 0
	}
	r.b = r.b[n:]
	return int16(x)
}

func (r *reader) string() string {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.fail("string beyond the end")
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func parseBody(body []byte) (*Token, error) {
	r := &reader{b: body}
	t := &Token{Package: r.string(), Entry: r.string(), Digest: r.string(), Regime: r.string()}
	threads := r.threads()
	t.Seed = r.steps(threads)
	if r.err == nil && len(r.b) > 0 {
		t.Env = r.env()
	}
	if r.err == nil && len(r.b) > 0 {
		r.fail("bytes after the end")
	}
	if r.err != nil {
		return nil, r.err
	}
	return t, nil
}

func (r *reader) env() []string {
	n := r.uint()
	if n == 0 || n > uint64(len(r.b)) { // each takes a byte or more
		r.fail("bad number of environment variables")
		return nil
	}
	env := make([]string, n)
	for i := range env {
		env[i] = r.string()
	}
	return env
}

func (r *reader) threads() []event.ThreadID {
	n := r.uint()
	if n > uint64(len(r.b)) { // each thread takes two bytes or more
		r.fail("more threads than bytes")
		return nil
	}
	ids := make([]event.ThreadID, 0, n)
	total := 0
	for range n {
		parent := r.uint()
		switch {
		case parent == 0:
			ids = append(ids, event.ThreadID(r.string()))
		case parent > uint64(len(ids)):
			r.fail("parent after its child")
			return nil
		default:
			ids = append(ids, joinPath(ids[parent-1], r.uint()))
		}
		if total += len(ids[len(ids)-1]); total > maxBody {
			r.fail("thread names too long")
			return nil
		}
	}
	return ids
}

func (r *reader) steps(ids []event.ThreadID) Seed {
	var seed Seed
	id := func(n uint64) event.ThreadID {
		if n >= uint64(len(ids)) {
			r.fail("unknown thread")
			return ""
		}
		return ids[n]
	}
	for range r.uint() {
		if r.err != nil {
			return nil
		}
		head := r.uint()
		s := Step{Thread: id(head >> 2), Case: -1, PartnerCase: -1}
		n := uint64(1)
		switch head & 3 {
		case formRun:
			n = r.uint()
		case formCase:
			s.Case = r.int16()
		case formMeet:
			s.Partner = id(r.uint())
			s.Case = r.int16()
			s.PartnerCase = r.int16()
		case formRest:
			s.Case = r.int16()
			s.PartnerCase = r.int16()
		}
		if n > maxSteps-uint64(len(seed)) {
			r.fail("too many steps")
			return nil
		}
		for range n {
			seed = append(seed, s)
		}
	}
	return seed
}
