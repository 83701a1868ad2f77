package known

// Bits is a set of small numbers: what may be touched, and how.
type Bits []uint64

// Set adds a number.
func (b *Bits) Set(i int32) {
	if more := int(i>>6) + 1 - len(*b); more > 0 {
		*b = append(*b, make(Bits, more)...)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

// Clear takes a number out.
func (b Bits) Clear(i int32) {
	if int(i>>6) < len(b) {
		b[i>>6] &^= 1 << (i & 63)
	}
}

// Has reports whether a number, but 0, is in the set.
func (b Bits) Has(i int32) bool { return i > 0 && int(i>>6) < len(b) && b[i>>6]&(1<<(i&63)) != 0 }

// Hash names the set.
func (b Bits) Hash() (h uint64) {
	for i, w := range b {
		if w != 0 {
			h ^= Mix(uint64(i), w)
		}
	}
	return h
}

// Meets reports whether the sets have something in common.
func (b Bits) Meets(c Bits) bool {
	for i := range min(len(b), len(c)) {
		if b[i]&c[i] != 0 {
			return true
		}
	}
	return false
}

// Add makes b the union with c, and reports whether it grew.
func (b *Bits) Add(c Bits) (grew bool) {
	if more := len(c) - len(*b); more > 0 {
		*b = append(*b, make(Bits, more)...)
	}
	for i, w := range c {
		grew = grew || w&^(*b)[i] != 0
		(*b)[i] |= w
	}
	return grew
}
