package constraint

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver/z3"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestSMTLIBGolden: the text of a question is pinned, and the same from two runs.
func TestSMTLIBGolden(t *testing.T) {
	tr := build(2, []line{
		{1, event.Lock, 100, 0}, {1, event.Write, 8, 1}, {1, event.Write, 8, 2}, {1, event.Unlock, 100, 0},
		{2, event.Lock, 100, 0}, {2, event.Read, 8, 2}, {2, event.Unlock, 100, 0}, {2, event.Read, 8, 2},
	})
	var b, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&b, &again} {
		if err := WriteCanReturn(w, tr, 9, 1); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("two runs differ")
	}
	const golden = "testdata/canreturn.smt2"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(b.Bytes(), want) {
		t.Errorf("the text differs from %s (%v); go test -run TestSMTLIBGolden -update ./mcrs/constraint writes it anew\n%s", golden, err, b.Bytes())
	}
	if err := WriteCanReturn(&b, tr, 3, 1); err == nil {
		t.Error("event 3 is a write, and was asked for what it returns")
	}
}

// TestSMTLIB lets Z3 read the text of questions about random traces: the whole formula, no rule lazy, no filter.
func TestSMTLIB(t *testing.T) {
	if _, err := z3.Eval(""); err != nil {
		t.Skip("NOT COMPARED WITH Z3: ", err)
	}
	judge := func(text []byte, want string, what ...any) {
		t.Helper()
		out, err := z3.Eval(string(text))
		if err != nil || strings.TrimSpace(out) != want {
			t.Fatalf("%v: Z3 says %q of the text (%v), the answer was %s\n%s", what, out, err, want, text)
		}
	}
	rounds, asked := 12, 0
	if !long.On() {
		rounds = 3
	}
	for s := range rounds {
		tr := randomTrace(rand.New(rand.NewPCG(uint64(s), 41)), 8+s%10, s%3 == 0)
		e := Encode(tr)
		for r, ev := range tr.Events {
			if ev.Kind == event.Read && e.refuse(e.of[r]) == "" && asked%3 == s%3 {
				for v := range uint64(3) {
					var b bytes.Buffer
					if err := WriteCanReturn(&b, tr, r, v); err != nil {
						t.Fatal(err)
					}
					judge(b.Bytes(), e.CanReturn(r, v).Status.String(), "trace", s, "event", r, "returns", v)
				}
			}
			asked++
		}
		for b := range tr.Events {
			if a := b / 2; b%4 == 0 && tr.Events[a].Kind.IsAccess() && tr.Events[b].Kind.IsAccess() && tr.Events[a].Thread != tr.Events[b].Thread {
				var x bytes.Buffer
				if err := WriteAdjacent(&x, tr, a, b); err != nil {
					t.Fatal(err)
				}
				judge(x.Bytes(), e.CanBeAdjacent(a, b).Status.String(), "trace", s, "events", a, b, "adjacent")
			}
		}
		var x bytes.Buffer
		if err := WriteTrace(&x, tr); err != nil {
			t.Fatal(err)
		}
		judge(x.Bytes(), "sat", "trace", s, "as a whole")
	}
}
