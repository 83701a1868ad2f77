package known

// This file defines sets of addresses, for questions that are asked of each operation.

// An Addresses is a set of addresses: by each 64 that follow each other, a bit for each. The zero value is empty, and
// can only be asked.
type Addresses map[uint64]uint64

// Add adds those from lo on, and below hi.
func (s Addresses) Add(lo, hi uint64) {
	for lo < hi {
		bits, next := chunk(lo, hi)
		s[lo>>6] |= bits
		lo = next
	}
}

// Meets reports whether one from lo on, and below hi, is in s.
func (s Addresses) Meets(lo, hi uint64) bool {
	for lo < hi {
		bits, next := chunk(lo, hi)
		if s[lo>>6]&bits != 0 {
			return true
		}
		lo = next
	}
	return false
}

// chunk returns the bits of the first addresses, as far as they are of one entry, and the first one behind it.
func chunk(lo, hi uint64) (bits, next uint64) {
	next = min(hi, (lo|63)+1)
	bits = ^uint64(0) << (lo & 63)
	if n := next & 63; n != 0 {
		bits &= 1<<n - 1
	}
	return bits, next
}
