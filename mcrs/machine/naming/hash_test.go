package naming

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// TestMetObjects hashes objects before and after an event that names them: REUSE5.
func TestMetObjects(t *testing.T) {
	for _, c := range []struct {
		flags   mem.Flags
		differs bool
	}{
		{0, true},
		{mem.Unlogged, true},
		{mem.Shared, false},
		{mem.Shared | mem.Unlogged, false},
	} {
		m := mem.New()
		o := m.Alloc(mem.First, 16, nil)
		o.Flags |= c.flags
		before := HashObject(o)
		m.Meet(o.Base)
		if differs := HashObject(o) != before; differs != c.differs {
			t.Errorf("flags %b: the hash differs is %t, want %t", c.flags, differs, c.differs)
		}
	}
}
