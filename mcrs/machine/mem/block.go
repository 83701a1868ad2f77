package mem

import "unsafe"

// This file defines the blocks behind objects: size classes carved from slabs, reused between executions.

// Classes are multiples of 16 bytes up to 256, then powers of two up to 64
// KiB; larger blocks are Go's own.
const (
	numClasses = 16 + 8
	largeClass = numClasses
	slabWords  = 1 << 15
	objsAtOnce = 1 << 8
)

func classOf(size uint64) uint8 {
	if size <= 256 {
		if size == 0 {
			return 0
		}
		return uint8((size - 1) / 16)
	}
	c := uint8(16)
	for n := uint64(512); n < size; n *= 2 {
		c++
	}
	if c > largeClass {
		c = largeClass
	}
	return c
}

func classSize(c uint8) uint64 {
	if c < 16 {
		return uint64(c+1) * 16
	}
	return 512 << (c - 16)
}

// poison makes what is read from freed memory no address.
const poison = 0xdb

func (m *Memory) newObject(size uint64) *Object {
	var o *Object
	if n := len(m.spare); n > 0 {
		o = m.spare[n-1]
		m.spare = m.spare[:n-1]
		*o = Object{}
	} else {
		if len(m.objs) == 0 {
			m.objs = make([]Object, objsAtOnce)
		}
		o = &m.objs[0]
		m.objs = m.objs[1:]
	}
	o.Size = size
	c := classOf(size)
	o.class = c
	if c >= largeClass {
		b := make([]uint64, (size+7)/8)
		o.p = unsafe.Pointer(&b[0])
		return o
	}
	if f := m.free[c]; len(f) > 0 {
		o.p = f[len(f)-1]
		m.free[c] = f[:len(f)-1]
		clear(unsafe.Slice((*uint64)(o.p), classSize(c)/8))
		return o
	}
	words := int(classSize(c) / 8)
	if len(m.slab) < words {
		m.slab = make([]uint64, slabWords)
	}
	o.p = unsafe.Pointer(&m.slab[0])
	m.slab = m.slab[words:]
	return o
}

func (m *Memory) release(o *Object) {
	if m.Poison {
		for i := range o.Bytes() {
			o.Bytes()[i] = poison
		}
	}
	if o.class < largeClass {
		m.free[o.class] = append(m.free[o.class], o.p)
	}
	*o = Object{}
	m.spare = append(m.spare, o)
}
