package machine

import (
	"crypto/sha256"
	"fmt"
	"go/types"
	"io"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/interp"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/naming"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

// TestLinks shows that a machine which runs what another one has compiled is the machine that it would be if it had
// compiled everything itself, to the byte. The other one has other numbers for everything.
func TestLinks(t *testing.T) {
	p := loadMain(t, "testdata/inits/links.go")
	one, two := *library(), *library()
	other := withLibrary(p, &one)
	v := other.vm
	v.StaticString("another constant")
	v.Mem.Alloc(mem.Init, 1<<10, nil)
	v.PseudoSite("another.function")
	v.Types.Of(types.NewPointer(types.Typ[types.Uintptr]))
	v.LayoutIndex(v.Layouts.Of(types.NewSlice(types.Typ[types.Uintptr])))
	v.PtrMapIndex(&mem.PtrMap{Elem: 8})
	first, second := told(t, other), told(t, other)
	linked, compiled := told(t, withLibrary(p, &one)), told(t, withLibrary(p, &two))
	if linked != compiled {
		t.Errorf("a machine that compiles everything itself:\n%s\nand one that does not:\n%s", compiled, linked)
	}
	if first == linked || told(t, other) != second {
		t.Error("the other machine has the same numbers, or not its own any more")
	}
	if want := "int string two other xy a square other 9 15 1 2 end a constant\n"; !strings.HasPrefix(linked, want) {
		t.Errorf("the program prints %s want %s", linked[:min(len(linked), 200)], want)
	}
}

// withLibrary is New, with a library that is not everybody's: machines with one library share what they compile.
func withLibrary(p *program.Program, l *vm.Library) *Machine {
	v := vm.New(p, Config{}, l)
	v.Types = interp.NewTypes(v)
	return &Machine{vm: v, namer: naming.New(v)}
}

// told is all that a machine shows of a program: its output, the events of an execution, its sites, and its memory
// when it is initialised.
func told(t *testing.T, m *Machine) string {
	t.Helper()
	var out strings.Builder
	if _, err := m.Exec(vm.Streams{Stdout: io.Discard, Stderr: &out}, m.vm.Program.Entries); err != nil {
		t.Fatal(err)
	}
	tr := m.Entry(m.vm.Program.Entries[0]).Run(sched.RunToBlock{}, sched.Options{})
	fmt.Fprintln(&out, tr.Status, tr.Panic, tr.Steps, tr.Events)
	for i := range m.vm.SiteTable {
		fmt.Fprintln(&out, m.Position(event.Site(i)), m.vm.SiteTable[i].Instr)
	}
	for _, f := range m.vm.Funcs[1:] {
		fmt.Fprintf(&out, "%s %x %d %d\n", f.Name, f.Text, f.Frame, len(f.Instrs))
	}
	for seg := range mem.First {
		all := sha256.New()
		for at := mem.Segment(seg); at < m.vm.Mem.Next(seg); at += 1 << 16 {
			if o := m.vm.Mem.Object(at); o != nil && o.Base == at {
				all.Write(o.Bytes())
			}
		}
		fmt.Fprintf(&out, "%x\n", all.Sum(nil))
	}
	return out.String()
}
