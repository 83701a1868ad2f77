package union

import (
	"encoding/binary"
	"errors"
)

// This file keeps the values of cells and other objects.

// Values of cells are interned: 0 is what was there at the start, unless it is known.
type values struct {
	ids  map[string]int32
	raw  []string
	hash []uint64
	// addresses says of each whether it holds what looks like an address of the machine's memory.
	addresses []bool
	// frozen says that no value may be added: hands read side by side.
	frozen bool
}

func (v *values) init() {
	v.ids = make(map[string]int32)
	v.raw, v.hash, v.addresses = []string{""}, []uint64{0}, []bool{false}
}

func (v *values) of(b []byte) int32 {
	id, ok := v.ids[string(b)]
	if !ok {
		v.mustAdd()
		id = int32(len(v.raw))
		s := string(b)
		v.ids[s] = id
		v.raw = append(v.raw, s)
		v.hash = append(v.hash, hashBytes(b))
		v.addresses = append(v.addresses, holdsAddress(b))
	}
	return id
}

// errAdded stops a hand that would have to add to the knowledge.
var errAdded = errors.New("something must be added to the knowledge")

func (v *values) mustAdd() {
	if v.frozen {
		panic(errAdded)
	}
}

func holdsAddress(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if w := binary.LittleEndian.Uint64(b); w>>48 != 0 && w>>48 != 0xffff && w&0xffff_ffff_0000 != 0 {
			return true
		}
	}
	return false
}

// ofWords interns a list of numbers.
func (v *values) ofWords(tag byte, ws ...uint64) int32 {
	b := append(make([]byte, 0, 8*len(ws)+1), tag)
	for _, w := range ws {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return v.of(b)
}

func (v *values) words(id int32) []uint64 {
	if id == 0 {
		return nil
	}
	s := v.raw[id][1:]
	out := make([]uint64, len(s)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64([]byte(s[8*i : 8*i+8]))
	}
	return out
}

func hashBytes(b []byte) uint64 {
	h := uint64(len(b)) + 1
	for ; len(b) >= 8; b = b[8:] {
		h = mix(h, binary.LittleEndian.Uint64(b))
	}
	if len(b) > 0 {
		var w [8]byte
		copy(w[:], b)
		h = mix(h, binary.LittleEndian.Uint64(w[:]))
	}
	return h
}

func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ b + 0x7f4a7c15f39cc060
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 29
	return x
}

// b2w is 1 for true.
func b2w(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
