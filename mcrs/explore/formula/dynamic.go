package formula

import (
	"github.com/heddle-go/heddle/mcrs/constraint"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Dynamic is Explorer.Needs by what the machine followed (trace.Dependence). Without that, an event needs all reads
// before it.
func Dynamic(t *trace.Trace) constraint.Needs {
	if t.Dependence == nil {
		return nil
	}
	return dynamic{t.Dependence}
}

type dynamic struct{ d *trace.Dependence }

func (n dynamic) Happens(e int) []int32 { return n.d.Members(n.d.Control[e]) }
func (n dynamic) Writes(e int) []int32  { return n.d.Members(n.d.Value[e]) }
