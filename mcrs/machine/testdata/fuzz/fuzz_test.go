package fuzz

import (
	"fmt"
	"testing"
)

// The seeds of a target are plain tests: those of Add and those of testdata.
func FuzzValues(f *testing.F) {
	f.Add("x", 3, []byte("q"), 1.5, 'r', true)
	f.Fuzz(func(t *testing.T, s string, n int, b []byte, x float64, r rune, ok bool) {
		fmt.Printf("%q %d %q %v %q %v\n", s, n, b, x, r, ok)
		if s == "bad\n" {
			t.Error("bad")
		}
	})
}

func FuzzParallel(f *testing.F) {
	for i := range 3 {
		f.Add(uint8(i))
	}
	f.Fuzz(func(t *testing.T, n uint8) {
		t.Parallel()
		if n == 1 {
			t.Skip("one")
		}
	})
}

func FuzzSkipped(f *testing.F) { f.Skip("not now") }

func FuzzNothing(f *testing.F) { f.Add(1) }

func FuzzMismatch(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(*testing.T, string) {})
}

func FuzzCorrupt(f *testing.F) { f.Fuzz(func(*testing.T, int8) {}) }
