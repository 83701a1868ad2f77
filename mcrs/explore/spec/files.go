package spec

import "github.com/heddle-go/heddle/mcrs/explore/known"

// This file says what an operation on an inode meets and changes: rule UFILE1. Its value is kept as that of a map is:
// for each entry the last write of it, what was the last that was done to all entries, and a name of all that happened.
// Writes of entries commute in that name: places in a folder's list do not depend on their order (APART3).

// fileSees names what an operation on an entry, or on all of the inode, sees.
func fileSees(k *Rules, s *State, o int32, entry uint64) uint64 {
	m, touched := k.Values.Map(k.Get(s, o))
	switch {
	case !touched:
		return 1
	case entry == 0:
		return known.Mix(m.Whole[0], 2)
	}
	if write, ok := k.Values.Written(m, entry); ok {
		return known.Mix(write, 3)
	}
	if m.Whole[1] == 0 {
		return 1
	}
	return known.Mix(m.Whole[1], 4)
}

// fileWrite notes that a write, by its name, changed an entry, or all of the inode.
func fileWrite(k *Rules, s *State, o int32, entry, write uint64) {
	m, _ := k.Values.Map(k.Get(s, o))
	if entry == 0 {
		all := known.Mix(m.Whole[0], write)
		m = known.MapValue{Whole: [2]uint64{all, all}}
	} else {
		m.Whole[0] += known.Mix(write, entry)
		m = k.Values.WithKey(m, entry, write)
	}
	k.Set(s, o, k.Values.OfMap(m))
}
