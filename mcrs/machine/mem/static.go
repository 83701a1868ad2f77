package mem

import (
	"crypto/sha256"
	"encoding/binary"
)

// This file allocates what the code of a program alone makes, and nobody changes: string constants, descriptors of
// types, values of functions. A program can print their addresses, so these do not depend on what the machine has met
// before.
//
//	STATIC1 The address of such an object is made of its name, which says what it is. If another object has it, or one
//	        of the slots behind it that a large one takes, the next one is taken. (Of 10,000 objects two have one
//	        address in one program of a hundred.)
//	STATIC2 Code in assembly has such an address, and no memory. To know it is no more than to know any number. An
//	        access to it is not supported, as one to an address that was never given out.

// statics are the objects of segment Static: a hash table by slot. Slots are hashes themselves.
type statics struct {
	table []*Object // a large object stands in it once for each of its slots
	n     int
}

// fewStatics is how many slots the table has room for at first. It is a power of two.
const fewStatics = 1 << 12

// object returns the object that addr points into, nil if there is none.
func (s *statics) object(addr Addr) *Object {
	slot := addr >> offBits
	if slot > slotMask {
		return nil
	}
	mask := uint64(len(s.table) - 1)
	for i := slot & mask; ; i = (i + 1) & mask {
		o := s.table[i]
		if o == nil || slot-o.Base>>offBits < Slots(o.Size) {
			return o
		}
	}
}

// add puts an object into the table.
func (s *statics) add(o *Object) {
	slots := Slots(o.Size)
	if s.n += int(slots); 2*s.n > len(s.table) {
		old := s.table
		s.table = make([]*Object, 2*len(old))
		for 2*s.n > len(s.table) {
			s.table = make([]*Object, 2*len(s.table))
		}
		placed := make(map[*Object]bool)
		for _, x := range old {
			if x != nil && (Slots(x.Size) == 1 || !placed[x]) {
				placed[x] = Slots(x.Size) > 1
				s.place(x)
			}
		}
	}
	s.place(o)
}

func (s *statics) place(o *Object) {
	mask := uint64(len(s.table) - 1)
	for slot, n := o.Base>>offBits, Slots(o.Size); n > 0; slot, n = slot+1, n-1 {
		i := slot & mask
		for s.table[i] != nil {
			i = (i + 1) & mask
		}
		s.table[i] = o
	}
}

// AllocStatic allocates a read-only object with the given bytes. No other one has its name.
func (m *Memory) AllocStatic(name string, data []byte) Addr {
	o := m.newObject(uint64(len(data)))
	copy(o.Bytes(), data)
	o.Flags = ReadOnly | Shared
	sum := sha256.Sum256([]byte(name))
	o.Base = staticBase(&m.statics, binary.LittleEndian.Uint64(sum[:]), Slots(o.Size))
	m.statics.add(o)
	return o.Base
}

// staticBase returns the address for an object of so many slots (STATIC1).
func staticBase(s *statics, hash, slots uint64) Addr {
	rooms := slotMask + 1 - slots // the first slot is that of nil
	slot := 1 + hash%rooms
	for free := uint64(0); free < slots; {
		if o := s.object((slot + free) << offBits); o == nil {
			free++
		} else if slot, free = o.Base>>offBits+Slots(o.Size), 0; slot > rooms {
			slot = 1
		}
	}
	return slot << offBits
}

// Code is the address of code with a name, which has no memory (STATIC2).
func (m *Memory) Code(name string) Addr {
	sum := sha256.Sum256([]byte(name))
	return staticBase(&m.statics, binary.LittleEndian.Uint64(sum[:]), 1)
}
