package seed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
)

func plain(id event.ThreadID, n int) Seed {
	var s Seed
	for range n {
		s = append(s, Step{Thread: id, Case: -1, PartnerCase: -1})
	}
	return s
}

// randomToken draws names, also odd ones, and steps of every form.
func randomToken(r *rand.Rand) *Token {
	ids := []event.ThreadID{"G1", "G1.1", "G1.2", "G1.2.1", "T", "odd.name", "a.01", ".", "x.4294967296"}
	t := &Token{Package: "example.com/p", Entry: "TestX", Digest: string([]byte{0, 255, 7}), Regime: [...]string{"", "timing"}[r.IntN(2)]}
	if r.IntN(3) == 0 {
		t.Env = [][]string{{"A=1"}, {"", "B=x=y", "B="}}[r.IntN(2)]
	}
	for range r.IntN(40) {
		s := Step{Thread: ids[r.IntN(len(ids))], Case: -1, PartnerCase: -1}
		switch r.IntN(5) {
		case 0:
			s.Case = int16(r.IntN(1 << 16))
		case 1:
			s.Partner, s.PartnerCase, s.Case = ids[r.IntN(len(ids))], int16(r.IntN(5)-1), int16(r.IntN(5)-1)
		case 2:
			s.PartnerCase = int16(r.IntN(5))
		}
		for range 1 + r.IntN(3) {
			t.Seed = append(t.Seed, s)
		}
	}
	return t
}

func TestRoundTrip(t *testing.T) {
	for n := range long.Pick(1000, 5000) {
		want := randomToken(rand.New(rand.NewPCG(1, uint64(n))))
		s := want.String()
		got, err := Parse(s)
		if err != nil {
			t.Fatalf("number %d: %v", n, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("number %d:\ngot  %+v\nwant %+v", n, got, want)
		}
		if again := got.String(); again != s {
			t.Fatalf("number %d: strings differ:\n%s\n%s", n, s, again)
		}
	}
}

// The text is part of the tool's output: it must not change from run to run, nor
// from release to release without a new prefix. Short bodies are stored, so the
// bytes are fixed by this package alone.
func TestTokenBytesAreFixed(t *testing.T) {
	tok := &Token{Package: "p", Entry: "TestA", Digest: "d", Seed: append(plain("G1", 3),
		Step{Thread: "G1.1", Case: -1, Partner: "G1", PartnerCase: 1})}
	const want = "h1GgABcAVUZXN0QQFkAAIAAkcxAQECAAMGAAECKrJ4hQ"
	if got := tok.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSize(t *testing.T) {
	for _, test := range []struct {
		name string
		seed Seed
		max  int // characters
	}{
		{"empty", nil, 60},
		{"one long run", plain("G1", 100000), 70},
		{"two hundred switches", func() (s Seed) {
			for i := range 200 {
				s = append(s, plain(event.ThreadID(fmt.Sprintf("G1.%d", 1+i*i%7)), 1+i%13)...)
			}
			return
		}(), 420},
		{"a thousand rendezvous", func() (s Seed) {
			for range 1000 {
				s = append(s, Step{Thread: "G1", Case: -1, Partner: "G1.1", PartnerCase: -1})
			}
			return
		}(), 120},
	} {
		tok := &Token{Package: "example.com/pkg", Entry: "TestX", Digest: "12345678", Seed: test.seed}
		if n := len(tok.String()); n > test.max {
			t.Errorf("%s: %d characters, want at most %d", test.name, n, test.max)
		}
	}
}

func TestErrors(t *testing.T) {
	tok := &Token{Package: "example.com/p", Entry: "TestX", Seed: plain("G1", 5)}
	s := tok.String()
	flip := []byte(s)
	flip[len(flip)/2] ^= 1
	armoured := func(payload string) string {
		raw := binary.AppendUvarint(nil, uint64(len(payload)))
		raw = append(raw, payload...)
		return Prefix + armour.EncodeToString(binary.LittleEndian.AppendUint32(raw, crc32.ChecksumIEEE([]byte(payload))))
	}
	for _, test := range []struct {
		in   string
		want error
	}{
		{"", ErrPrefix},
		{"h", ErrPrefix},
		{"h2" + s[2:], ErrPrefix},
		{"h1", ErrTruncated},
		{s[:len(s)-4], ErrTruncated},
		{s[:10], ErrTruncated},
		{string(flip), ErrChecksum},
		{s + "AAAA", ErrMalformed},
		{s[:8] + "!" + s[9:], ErrMalformed},
		{armoured("\x07"), ErrMalformed},
		{armoured("\x00\x00\x00\x00\x00\x00\x01\x00\x05"), ErrMalformed},                           // unknown thread, no length
		{armoured("\x00\x00\x00\x00\x00\x01\x00\x02G1\x01\x00\xff\xff\xff\xff\x7f"), ErrMalformed}, // a run of 2^35 steps
		{armoured("\x00\x00\x00\x00\x00\x01\x05\x01\x00"), ErrMalformed},                           // parent after child
		{armoured("\x01" + strings.Repeat("x", 9)), ErrMalformed},                                  // no deflate stream
		{armoured("\x01" + string(deflate(make([]byte, maxBody+1)))), ErrMalformed},                // a bomb
		{armoured("\x00" + string(appendBody(nil, tok)) + "\x00"), ErrMalformed},                   // bytes after the last step
	} {
		if _, err := Parse(test.in); !errors.Is(err, test.want) {
			t.Errorf("Parse(%.40q): got %v, want %v", test.in, err, test.want)
		}
	}
	for i := range s { // no prefix of a token is a token
		if _, err := Parse(s[:i]); err == nil {
			t.Errorf("the first %d characters parse", i)
		}
	}
}

func FuzzParse(f *testing.F) {
	for n := range 20 {
		f.Add(randomToken(rand.New(rand.NewPCG(2, uint64(n)))).String())
	}
	f.Fuzz(func(t *testing.T, s string) {
		tok, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(tok.String())
		if err != nil || !reflect.DeepEqual(again, tok) {
			t.Fatalf("%q: %+v, then %+v, %v", s, tok, again, err)
		}
	})
}

// FuzzBody skips the checksum, which would keep a fuzzer out.
func FuzzBody(f *testing.F) {
	for n := range 20 {
		f.Add(appendBody(nil, randomToken(rand.New(rand.NewPCG(3, uint64(n))))))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		tok, err := parseBody(body)
		if err != nil {
			return
		}
		again, err := parseBody(appendBody(nil, tok))
		if err != nil || !reflect.DeepEqual(again, tok) {
			t.Fatalf("%+v, then %+v, %v", tok, again, err)
		}
	})
}
