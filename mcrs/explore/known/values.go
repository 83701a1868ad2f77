package known

import (
	"encoding/binary"
	"errors"
)

// This file keeps the values of cells and other objects.

// Values of cells are interned: 0 is what was there at the start, unless it is known.
type Values struct {
	ids   map[string]int32
	Raw   []string
	Hash  []uint64
	steps steps
	tails map[int32]int32 // by the value of a long queue: the step of its last element
	// Frozen says that no value may be added: hands read side by side.
	Frozen bool
}

func (v *Values) init() {
	v.ids = make(map[string]int32)
	v.Raw, v.Hash = []string{""}, []uint64{0}
	v.tails = make(map[int32]int32)
}

// Of interns bytes.
func (v *Values) Of(b []byte) int32 {
	id, ok := v.ids[string(b)]
	if !ok {
		v.MustAdd()
		id = int32(len(v.Raw))
		s := string(b)
		v.ids[s] = id
		v.Raw = append(v.Raw, s)
		v.Hash = append(v.Hash, HashBytes(b))
	}
	return id
}

// errAdded stops a hand that would have to add to the knowledge.
var errAdded = errors.New("something must be added to the knowledge")

// MustAdd stops a hand that may not add.
func (v *Values) MustAdd() {
	if v.Frozen {
		panic(errAdded)
	}
}

// OfWords interns a list of numbers.
func (v *Values) OfWords(tag byte, ws ...uint64) int32 {
	var short [8*8 + 1]byte // most lists are
	b := append(short[:0], tag)
	for _, w := range ws {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return v.Of(b)
}

// Words returns the list that OfWords has interned.
func (v *Values) Words(id int32) []uint64 {
	if id == 0 {
		return nil
	}
	out := make([]uint64, len(v.Raw[id])/8)
	for i := range out {
		out[i] = v.word(id, i)
	}
	return out
}

// word returns the i-th number of the list.
func (v *Values) word(id int32, i int) uint64 {
	return binary.LittleEndian.Uint64([]byte(v.Raw[id][8*i+1 : 8*i+9]))
}

// HashBytes hashes bytes.
func HashBytes(b []byte) uint64 {
	h := uint64(len(b)) + 1
	for ; len(b) >= 8; b = b[8:] {
		h = Mix(h, binary.LittleEndian.Uint64(b))
	}
	if len(b) > 0 {
		var w [8]byte
		copy(w[:], b)
		h = Mix(h, binary.LittleEndian.Uint64(w[:]))
	}
	return h
}

// Mix hashes two words into one.
func Mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ b + 0x7f4a7c15f39cc060
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 29
	return x
}

// OneIf is 1 for true.
func OneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
