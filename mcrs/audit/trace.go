package audit

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file writes a trace so that it does not show in which order independent events of different goroutines stand. It
// names an event by its goroutine and its number there, and a goroutine by its name.

// place names the event of an index.
func place(t *trace.Trace, i int64) string {
	if i < 0 || i >= int64(len(t.Events)) {
		return "none"
	}
	e := &t.Events[i]
	return fmt.Sprintf("%s#%d", t.Threads[e.Thread].ID, e.Seq)
}

// trace is the trace of the execution.
func (w *walker) trace() *trace.Trace {
	return (*trace.Trace)(w.x.FieldByName("Trace").UnsafePointer())
}

// wholeTrace writes a trace.
func wholeTrace(w *walker, path string, v, _ reflect.Value) {
	t := (*trace.Trace)(v.UnsafePointer())
	if t == nil {
		w.put(path, "nil")
		return
	}
	w.structure(path, v.Elem())
}

// events writes the events of each thread.
func events(w *walker, path string, _, _ reflect.Value) {
	t := w.trace()
	for i := range t.Events {
		e := &t.Events[i]
		cases := ""
		if e.Cases >= 0 {
			cases = fmt.Sprint(t.Cases[e.Cases])
		}
		plain := *e
		plain.Thread, plain.Partner, plain.Cases, plain.Other = 0, 0, 0, 0
		w.put(path+" "+place(t, int64(i)), fmt.Sprintf("%+v partner %s cases %s other %s", plain, place(t, int64(e.Partner)), cases, w.other(t, e)))
	}
}

// other writes event.Event.Other.
func (w *walker) other(t *trace.Trace, e *event.Event) string {
	bytes := func(n int64) string { return hex.EncodeToString(t.Bytes[e.Other : e.Other+n]) }
	switch n := int64(e.Loc.Size); {
	case e.Kind == event.Spawn:
		return w.name(e.Other)
	case e.Kind == event.AtomicRMW && n > 8:
		return bytes(min(2*n, int64(len(t.Bytes))-e.Other))
	case e.Kind.IsAccess() && n > 8 && !e.OfHost():
		return bytes(n)
	case e.Partner >= 0:
		// The number of a rendezvous among those of its channel: nobody is told (trace.Reply).
	case e.Kind == event.ObjectRead && event.OfMap(e):
		// Nobody is told which of several reads of a Map was its first operation. Natively that one stores the root, so
		// it can race with a copy of the Map. Whether the other read would do so in another order is asked for each
		// pair (Record.MayRace of package causality).
		return fmt.Sprint(e.Other &^ event.MapUsed)
	case e.Kind == event.WaitGroupAdd:
		// Nobody is told the counter after one of several adds, and the counter itself is compared. Whether it is
		// negative is told, for the add panics then.
		return fmt.Sprint("negative ", e.Other < 0)
	default:
		return fmt.Sprint(e.Other)
	}
	return ""
}

// threads writes the threads of a trace by their names.
func threads(w *walker, path string, v, of reflect.Value) {
	for i := range v.Len() {
		if id := v.Index(i).FieldByName("ID").String(); !w.idle[event.ThreadID(id)] {
			w.structure(path+" "+id, v.Index(i))
		}
	}
}

// takers writes who has taken locks.
func takers(w *walker, path string, v, _ reflect.Value) {
	for _, a := range v.MapKeys() {
		w.put(fmt.Sprintf("%s of %#x", path, a.Uint()), w.name(v.MapIndex(a).Int()))
	}
}

// fires writes the timer of which a firing is offered.
func fires(w *walker, path string, v, _ reflect.Value) {
	if v.IsNil() || v.Elem().FieldByName("Addr").Uint() != 0 {
		w.value(path, v)
	}
}

// eventIndex writes the index of an event as its place.
func eventIndex(w *walker, path string, v, _ reflect.Value) {
	t := w.trace()
	w.put(path, place(t, v.Int()))
}

// meanings writes what events mean, by event.
func meanings(w *walker, path string, v, _ reflect.Value) {
	t := w.trace()
	for _, i := range v.MapKeys() {
		w.put(path+" "+place(t, i.Int()), v.MapIndex(i).String())
	}
}

// published writes what became shared, by the event that did it.
func published(w *walker, path string, _, _ reflect.Value) {
	t := w.trace()
	count := map[string]int{}
	for _, p := range t.Published {
		at := place(t, int64(p.Event))
		count[at]++
		w.put(fmt.Sprintf("%s %s, %d", path, at, count[at]), fmt.Sprintf("%#x unlogged %t %s", p.Addr, p.Unlogged, hex.EncodeToString(t.Bytes[p.Offset:p.Offset+p.Size])))
	}
}

// failures writes the messages of each goroutine.
func failures(w *walker, path string, _, _ reflect.Value) {
	t := w.trace()
	count := map[int32]int{}
	for _, f := range t.Failures {
		count[f.Thread]++
		own := 0
		for i := range t.Events[:min(int(f.Event), len(t.Events))] {
			if t.Events[i].Thread == f.Thread {
				own++
			}
		}
		w.put(fmt.Sprintf("%s %s, %d", path, w.name(int64(f.Thread)), count[f.Thread]), fmt.Sprintf("after %d: %q %v", own, f.Message, f.Stack))
	}
}

// output writes how often each byte was written.
func output(w *walker, path string, v, of reflect.Value) {
	b := slices.Clone(v.Bytes())
	slices.Sort(b)
	w.put(path, string(b))
}

// silent writes the synchronisation of each goroutine that made no event, by how many of its own events came before. Of
// a Once it leaves out who was first, which orders accesses for the race detector as a lock does: two that are next to
// each other are not ordered by what is before both. What its function has done is compared.
func silent(w *walker, path string, _, _ reflect.Value) {
	t := w.trace()
	count := map[int32]int{}
	for _, s := range t.Silent {
		own := 0
		for i := range t.Events[:min(int(s.At), len(t.Events))] {
			if t.Events[i].Thread == s.Op.Thread {
				own++
			}
		}
		value := s.Op.Value
		switch s.Op.Kind {
		case event.OnceBegin:
			value = 0
		case event.OnceEnd:
			continue
		}
		count[s.Op.Thread]++
		w.put(fmt.Sprintf("%s %s, %d", path, w.name(int64(s.Op.Thread)), count[s.Op.Thread]), fmt.Sprintf("after %d: %v %+v %d", own, s.Op.Kind, s.Op.Loc, value))
	}
}

// told writes who was told the time, each goroutine for itself.
func told(w *walker, path string, v, _ reflect.Value) {
	count := map[int64]int{}
	for i := range v.Len() {
		at := v.Index(i)
		t := at.FieldByName("Thread").Int()
		count[t]++
		w.put(fmt.Sprintf("%s %s, %d", path, w.name(t), count[t]), fmt.Sprint(at.FieldByName("Seq").Int()))
	}
}
