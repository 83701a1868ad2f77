package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file writes down all that a machine holds between two transitions. It walks every field by reflection, so a
// field that is new is in the dump before anybody has thought of it. What is left out stands in list.go, each with its
// reason.

// A Dump is the state of a machine: where something is, and its value, in the order of the walk.
type Dump struct {
	lines []line
	names []event.ThreadID // by the numbers that threads have in this execution
}

// A line is a value, and where it is.
type line struct{ path, value string }

// byPath returns the values of a dump by where they are.
func (d *Dump) byPath() map[string]string {
	all := make(map[string]string, len(d.lines))
	for _, l := range d.lines {
		if _, ok := all[l.path]; ok {
			panic("audit: two values at " + l.path)
		}
		all[l.path] = l.value
	}
	return all
}

// DumpOf writes down the state of m. s is the state that its scheduler was shown, nil if the execution is over.
func DumpOf(m *machine.Machine, s *sched.State) *Dump {
	vm := reflect.ValueOf(m).Elem().FieldByName("vm").Elem()
	x := vm.FieldByName("Execution")
	w := &walker{m: m, x: x, d: &Dump{lines: make([]line, 0, 1024)}, seen: map[unsafe.Pointer]string{}}
	threads := x.FieldByName("Trace").Elem().FieldByName("Threads")
	for i := range threads.Len() {
		w.d.names = append(w.d.names, event.ThreadID(threads.Index(i).FieldByName("ID").String()))
	}
	w.unordered = map[uint64]bool{}
	for _, v := range unordered {
		for _, a := range m.MapsOf(v[0], v[1]) {
			w.unordered[a] = true
		}
	}
	w.idleTimers(x.FieldByName("Threads"))
	w.structure("machine", x)
	w.goroutines(x.FieldByName("Threads"))
	w.memory((*mem.Memory)(vm.FieldByName("Mem").UnsafePointer()))
	w.kernel(vm.FieldByName("Kernel").Elem())
	if s != nil {
		w.offered(s)
	}
	return w.d
}

// A walker writes a dump.
type walker struct {
	m    *machine.Machine
	d    *Dump
	x    reflect.Value // the machine's execution
	g    reflect.Value // the goroutine at work
	seen map[unsafe.Pointer]string

	unordered map[uint64]bool         // maps whose order is left out
	idle      map[event.ThreadID]bool // threads of timers that have done nothing
}

func (w *walker) put(path, value string) {
	w.d.lines = append(w.d.lines, line{path, value})
}

// name is the name of the thread of a number.
func (w *walker) name(n int64) string {
	if n < 0 || n >= int64(len(w.d.names)) {
		return fmt.Sprint("thread ", n)
	}
	return string(w.d.names[n])
}

// A field is one of a struct, and how it is written.
type field struct {
	index int
	name  string
	how   func(w *walker, path string, v, of reflect.Value)
}

// fields are what is written of structs, by type.
var fields = map[reflect.Type][]field{}

func fieldsOf(t reflect.Type) []field {
	if fs, ok := fields[t]; ok {
		return fs
	}
	fs := []field{}
	for i := range t.NumField() {
		key := t.String() + "." + t.Field(i).Name
		if _, ok := apart[key]; !ok {
			fs = append(fs, field{i, "." + t.Field(i).Name, written[key]})
		}
	}
	fields[t] = fs
	return fs
}

// structure writes the fields of a struct.
func (w *walker) structure(path string, v reflect.Value) {
	for _, f := range fieldsOf(v.Type()) {
		if f.how != nil {
			f.how(w, path+f.name, v.Field(f.index), v)
		} else {
			w.value(path+f.name, v.Field(f.index))
		}
	}
}

// value writes any value.
func (w *walker) value(path string, v reflect.Value) {
	if s, ok := w.short(v); ok {
		w.put(path, s)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if at, ok := w.seen[v.UnsafePointer()]; ok {
			w.put(path, "that of "+at)
			return
		}
		w.seen[v.UnsafePointer()] = path
		w.value(path, v.Elem())
	case reflect.Interface:
		w.put(path+" type", v.Elem().Type().String())
		w.value(path, v.Elem())
	case reflect.Struct:
		w.structure(path, v)
	case reflect.Slice, reflect.Array:
		w.put(path+" length", fmt.Sprint(v.Len()))
		for i := range v.Len() {
			w.value(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
	case reflect.Map:
		w.put(path+" length", fmt.Sprint(v.Len()))
		keys := make(map[string]reflect.Value)
		for _, k := range v.MapKeys() {
			keys[w.text(k)] = k
		}
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			w.value(fmt.Sprintf("%s[%s]", path, k), v.MapIndex(keys[k]))
		}
	default:
		panic(fmt.Sprintf("audit: a %s at %s", v.Type(), path))
	}
}

// short writes what fits in a line; ok is false if the value does not.
func (w *walker) short(v reflect.Value) (s string, ok bool) {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 16), true
	case reflect.String:
		return v.String(), true
	case reflect.Func, reflect.Chan:
		return fmt.Sprint("nil is ", v.IsNil()), true
	case reflect.UnsafePointer:
		return w.host(v.UnsafePointer()), true
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 && (v.Kind() == reflect.Slice || v.CanAddr()) {
			return ofBytes(v.Bytes()), true
		}
		return "empty", v.Len() == 0
	case reflect.Map:
		return "empty", v.Len() == 0
	case reflect.Interface:
		return "nil", v.IsNil()
	case reflect.Pointer:
		if v.IsNil() {
			return "nil", true
		}
		if name := references[v.Type().String()]; name != "" {
			return fmt.Sprintf("%s %q", v.Type(), v.Elem().FieldByName(name).String()), true
		}
		if constants[v.Type().String()] {
			return fmt.Sprintf("%s at %p", v.Type(), v.UnsafePointer()), true
		}
	}
	return "", false
}

// longest is how many bytes are written as they are. A dump stays small where a program has megabytes.
const longest = 64 << 10

// ofBytes writes bytes, many of them as a digest. heldAlike cannot look into that: a lock in so large an object differs
// where only the number of its holder does.
func ofBytes(b []byte) string {
	if len(b) > longest {
		return fmt.Sprintf("%d bytes %x", len(b), sha256.Sum256(b))
	}
	return hex.EncodeToString(b)
}

// text writes a value in one line.
func (w *walker) text(v reflect.Value) string {
	if s, ok := w.short(v); ok {
		return s
	}
	sub := &walker{m: w.m, x: w.x, g: w.g, d: &Dump{names: w.d.names}, seen: map[unsafe.Pointer]string{}}
	sub.value("", v)
	return sub.d.text()
}

// text is a dump in one line.
func (d *Dump) text() string {
	var b strings.Builder
	for _, l := range d.lines {
		fmt.Fprintf(&b, "%s=%s ", l.path, l.value)
	}
	return b.String()
}

// set writes a slice whose order says nothing.
func set(w *walker, path string, v, _ reflect.Value) {
	var all []string
	for i := range v.Len() {
		all = append(all, w.text(v.Index(i)))
	}
	slices.Sort(all)
	for i, s := range all {
		w.put(fmt.Sprintf("%s of %d, %d", path, v.Len(), i), s)
	}
}

// thread writes the number of a thread as its name.
func thread(w *walker, path string, v, _ reflect.Value) { w.put(path, w.name(v.Int())) }

// host writes a pointer of the host: into a stack of the goroutine at work.
func (w *walker) host(p unsafe.Pointer) string {
	if p == nil {
		return "nil"
	}
	if w.g.IsValid() {
		chunks := w.g.FieldByName("Chunks")
		for i := range chunks.Len() {
			c := chunks.Index(i)
			if at := uintptr(p) - uintptr(c.UnsafePointer()); at <= uintptr(c.Len())*8 {
				return fmt.Sprintf("stack %d+%d", i, at)
			}
		}
	}
	return "of the host"
}

// idleTimers notes the threads of timers of which a firing was offered (TIME4) and withdrawn, and none has fired
// (list.go).
func (w *walker) idleTimers(gs reflect.Value) {
	w.idle = map[event.ThreadID]bool{}
	for i := range gs.Len() {
		g := gs.Index(i).Elem()
		if t := g.FieldByName("Fires"); !t.IsNil() && t.Elem().FieldByName("Addr").Uint() == 0 && g.FieldByName("Seq").Int() == 0 {
			w.idle[event.ThreadID(g.FieldByName("ID").String())] = true
		}
	}
}

// goroutines writes each goroutine under its name.
func (w *walker) goroutines(gs reflect.Value) {
	for i := range gs.Len() {
		g := gs.Index(i).Elem()
		if w.g = g; w.idle[event.ThreadID(g.FieldByName("ID").String())] {
			continue
		}
		w.structure("goroutine "+g.FieldByName("ID").String(), g)
	}
	w.g = reflect.Value{}
}

// frames writes a goroutine's stack, with the words of each frame.
func frames(w *walker, path string, v, _ reflect.Value) {
	w.put(path+" depth", fmt.Sprint(v.Len()))
	for i := range v.Len() {
		fr := v.Index(i)
		at := fmt.Sprintf("%s[%d]", path, i)
		w.structure(at, fr)
		if !w.g.IsValid() { // of a coroutine
			continue
		}
		f := fr.FieldByName("Func").Elem()
		n := f.FieldByName("Frame").Int() / 8
		dead := w.m.DeadWords(int(w.g.FieldByName("Index").Int()), i)
		words := unsafe.Slice((*uint64)(fr.FieldByName("FP").UnsafePointer()), n)
		for j, x := range words {
			if x != 0 && !dead.Has(j) { // list.go: dead words
				w.put(at+" word "+strconv.Itoa(j), strconv.FormatUint(x, 16)+" of "+f.FieldByName("Name").String()+" at "+strconv.FormatInt(fr.FieldByName("PC").Int(), 10))
			}
		}
	}
}

// memory writes all objects that are not as the snapshot has them, and how many addresses each segment has given out.
func (w *walker) memory(m *mem.Memory) {
	outputs := map[int]bool{}
	m.Changed(func(o *mem.Object) {
		if o.Flags&mem.Output != 0 { // list.go: output of tests
			outputs[int(mem.SegmentOf(o.Base))] = true
			return
		}
		at := fmt.Sprintf("memory %#x", o.Base)
		w.put(at, fmt.Sprintf("size %d flags %x %s", o.Size, o.Flags&^mem.Marked, ofBytes(withoutOutput(m, o.Bytes()))))
		if o.Aux == nil {
			return
		}
		if a := reflect.ValueOf(o.Aux); a.Type().String() == entriesOf {
			w.entries(at, o.Base, a.Elem())
		} else {
			w.value(at+" aux", a)
		}
	})
	segs := reflect.ValueOf(m).Elem().FieldByName("segs")
	for i := range segs.Len() {
		if n := segs.Index(i).FieldByName("n").Uint(); i >= mem.First && n > 0 && !outputs[i] {
			w.put(fmt.Sprintf("segment %d", i), fmt.Sprint(n))
		}
	}
}

// withoutOutput returns some bytes without the addresses and capacities of slices of output (list.go).
func withoutOutput(m *mem.Memory, b []byte) []byte {
	copied := false
	for i := 0; i+8 <= len(b); i += 8 {
		o := m.Object(binary.LittleEndian.Uint64(b[i:]))
		if o == nil || o.Flags&mem.Output == 0 {
			continue
		}
		if !copied {
			b, copied = slices.Clone(b), true
		}
		clear(b[i : i+8])
		if i+24 <= len(b) && binary.LittleEndian.Uint64(b[i+16:]) == o.Size {
			clear(b[i+16 : i+24])
		}
	}
	return b
}

// entries writes what a map holds, and in which order, unless its writes make events.
func (w *walker) entries(at string, base uint64, v reflect.Value) {
	t := v.FieldByName("Type").Elem()
	size := func(of string) int { return int(t.FieldByName(of).Elem().FieldByName("Size").Uint()) }
	keys, elems, k, e := v.FieldByName("Keys").Bytes(), v.FieldByName("Elems").Bytes(), size("Key"), size("Elem")
	order := []string{}
	for i := range v.FieldByName("Seqs").Len() {
		if v.FieldByName("Seqs").Index(i).Uint() == 0 {
			continue
		}
		name := hex.EncodeToString(keys[i*k : (i+1)*k])
		w.put(fmt.Sprintf("%s key %s", at, name), hex.EncodeToString(elems[i*e:(i+1)*e]))
		order = append(order, name)
	}
	if w.unordered[base] || [2]int{k, e} == subNames {
		return
	}
	tr := w.trace()
	if !slices.ContainsFunc(tr.Events, func(e event.Event) bool { return e.Kind == event.MapWrite && e.Loc.Addr == base }) {
		w.put(at+" order", strings.Join(order, " "))
	}
}

// kernel writes the process, and all files that it can reach, if anything is not as at the start.
func (w *walker) kernel(k reflect.Value) {
	marks := k.FieldByName("marks")
	if n := marks.Len(); n > 0 && int64(k.FieldByName("log").Len()) == marks.Index(n-1).FieldByName("log").Int() {
		return
	}
	w.structure("kernel", k)
}

// stepOf names a transition by what does not depend on the schedule.
func stepOf(s *sched.State, t sched.Transition) seed.Step {
	step := seed.Step{Thread: s.Threads[t.Thread].ID, Case: t.Case, PartnerCase: t.PartnerCase}
	if t.Partner >= 0 {
		step.Partner = s.Threads[t.Partner].ID
	}
	return step
}

// offered writes what the scheduler is shown.
func (w *walker) offered(s *sched.State) {
	all := func(what string, ts []sched.Transition) {
		for _, t := range ts {
			w.put(fmt.Sprintf("%s %+v", what, stepOf(s, t)), "")
		}
	}
	all("offered", s.Enabled)
	all("offered", s.Idle)
	for i := range s.Threads {
		t := &s.Threads[i]
		if w.idle[t.ID] {
			continue
		}
		at := "offered " + string(t.ID)
		w.structure(at, reflect.ValueOf(t).Elem())
		if l := s.Local(i); t.Op != nil && l.Known {
			w.put(at+" local", fmt.Sprintf("%x silent %t", l.Digest, l.Silent))
		}
	}
}
