package naming

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// Sequences of small words, with the words that the hash is made of among them, have different hashes, whatever
// comes before and after.
func TestFold(t *testing.T) {
	words := []uint64{0, 1, 2, 7, 8, 1 << 32, 1 << 63, ^uint64(0), folded, folded ^ 1, vm.HashMul1, vm.HashMul1 ^ folded}
	seen := map[uint64][]uint64{}
	var all func(h uint64, of []uint64)
	all = func(h uint64, of []uint64) {
		if other, ok := seen[h]; ok {
			t.Fatalf("%x and %x have one hash", other, of)
		}
		seen[h] = append([]uint64(nil), of...)
		if len(of) == 4 {
			return
		}
		for _, x := range words {
			all(fold(h, x), append(of, x))
		}
	}
	all(vm.HashMix(1, 2), nil)
}

// Bytes have the hash of their length and contents.
func TestFoldBytes(t *testing.T) {
	seen := map[uint64]string{}
	for _, s := range []string{"", "\x00", "\x00\x00", "a", "ab", "ba", "abcdefgh", "abcdefgh\x00", "abcdefghi", "hgfedcba", "abcdefghabcdefgh"} {
		h := foldBytes(vm.HashMix(1, 2), []byte(s))
		if other, ok := seen[h]; ok {
			t.Errorf("%q and %q have one hash", other, s)
		}
		seen[h] = s
	}
}
