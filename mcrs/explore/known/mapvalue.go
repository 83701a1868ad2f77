package known

import (
	"encoding/binary"
	"slices"
)

// This file keeps the values of maps (LONG2): two words about the whole map, and which write was the last of each key.

// A MapValue is the decoded value of a map.
type MapValue struct {
	Whole [2]uint64 // what was done to all of it
	keys  []uint64  // with their writes, sorted by keys
	tree  int32     // the same, of a larger map
}

// Map decodes the value of a map, and reports whether anything was done to it.
func (v *Values) Map(value int32) (MapValue, bool) {
	ws := v.Words(value)
	switch {
	case ws == nil:
		return MapValue{}, false
	case v.Raw[value][0] == 'M':
		return MapValue{Whole: [2]uint64{ws[0], ws[1]}, tree: int32(ws[2])}, true
	}
	return MapValue{Whole: [2]uint64{ws[0], ws[1]}, keys: ws[2:]}, true
}

// OfMap interns a map.
func (v *Values) OfMap(m MapValue) int32 {
	if m.tree != 0 {
		return v.OfWords('M', m.Whole[0], m.Whole[1], uint64(m.tree))
	}
	return v.OfWords('m', append([]uint64{m.Whole[0], m.Whole[1]}, m.keys...)...)
}

// Written returns the last write of a key.
func (v *Values) Written(m MapValue, key uint64) (write uint64, ok bool) {
	if m.tree == 0 {
		return inPairs(m.keys, key)
	}
	return v.inTree(m.tree, key)
}

// WithKey is a map after a write of a key.
func (v *Values) WithKey(m MapValue, key, write uint64) MapValue {
	if m.tree != 0 {
		m.tree = v.put(m.tree, key, write, 0)
		return m
	}
	if m.keys = withPair(m.keys, key, write); len(m.keys) <= 2*shortMap {
		return m
	}
	for p := range slices.Chunk(m.keys, 2) {
		m.tree = v.put(m.tree, p[0], p[1], 0)
	}
	m.keys = nil
	return m
}

// A node of the tree is a list: pairs of keys and writes, or, if it has more than treeLeaf keys, a node for each value
// of the next treeBits bits of their hashes.
const (
	treeLeaf = 8
	treeBits = 4
)

// put returns a node, at a depth, after a write of a key.
func (v *Values) put(node int32, key, write uint64, depth int) int32 {
	ws := v.Words(node)
	if node == 0 || v.Raw[node][0] == 'l' {
		ws = withPair(ws, key, write)
		if len(ws) <= 2*treeLeaf || depth*treeBits >= 64 {
			return v.OfWords('l', ws...)
		}
		pairs := ws
		ws = make([]uint64, 1<<treeBits)
		for p := range slices.Chunk(pairs, 2) {
			i := slotOf(p[0], depth)
			ws[i] = uint64(v.put(int32(ws[i]), p[0], p[1], depth+1))
		}
		return v.OfWords('n', ws...)
	}
	i := slotOf(key, depth)
	ws[i] = uint64(v.put(int32(ws[i]), key, write, depth+1))
	return v.OfWords('n', ws...)
}

func (v *Values) inTree(node int32, key uint64) (write uint64, ok bool) {
	for depth := 0; node != 0 && v.Raw[node][0] == 'n'; depth++ {
		at := 1 + 8*slotOf(key, depth)
		node = int32(binary.LittleEndian.Uint64([]byte(v.Raw[node][at : at+8])))
	}
	return inPairs(v.Words(node), key)
}

// slotOf is where a key belongs in a node at a depth.
func slotOf(key uint64, depth int) int {
	return int(Mix(key, 7) >> (depth * treeBits) & (1<<treeBits - 1))
}

// withPair returns pairs, sorted by keys, with one more, or with another write.
func withPair(pairs []uint64, key, write uint64) []uint64 {
	at := 0
	for at < len(pairs) && pairs[at] < key {
		at += 2
	}
	if at < len(pairs) && pairs[at] == key {
		pairs[at+1] = write
		return pairs
	}
	return slices.Insert(pairs, at, key, write)
}

func inPairs(pairs []uint64, key uint64) (write uint64, ok bool) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == key {
			return pairs[i+1], true
		}
	}
	return 0, false
}
