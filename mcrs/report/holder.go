package report

import (
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// holders lists the threads that hold the lock that thread i waits for: a writer that has announced itself waits for
// the readers, everyone else for one thread. It is empty if thread i waits for no lock.
func holders(t *trace.Trace, i int) []int {
	th := &t.Threads[i]
	if th.Pending == nil {
		return nil
	}
	switch k := th.Pending.Kind; {
	case !k.CanWait() || !k.Holds():
		return nil
	case k == event.Lock && announced(t, i):
		return readers(t, th.Pending.Loc)
	}
	if th.Holder < 0 || int(th.Holder) >= len(t.Threads) {
		return nil
	}
	return []int{int(th.Holder)}
}

// announced reports whether the last thing that thread i did was to announce itself as the writer of the lock that it
// waits for.
func announced(t *trace.Trace, i int) bool {
	for n := len(t.Events) - 1; n >= 0; n-- {
		if e := &t.Events[n]; int(e.Thread) == i {
			return e.Kind == event.LockAnnounce && e.Loc.Addr == t.Threads[i].Pending.Loc.Addr
		}
	}
	return false
}

// readers lists the threads that hold a lock for reading at the end of t.
func readers(t *trace.Trace, lock event.Location) (out []int) {
	held := make([]int, len(t.Threads))
	for n := range t.Events {
		e := &t.Events[n]
		switch {
		case e.Loc.Addr != lock.Addr:
		case e.Kind == event.RLock, e.Kind == event.TryRLock && e.Value == 1:
			held[e.Thread]++
		case e.Kind == event.RUnlock:
			held[e.Thread]--
		}
	}
	for i, n := range held {
		if n > 0 {
			out = append(out, i)
		}
	}
	return out
}

// holder names the goroutines that hold the lock that thread i waits for, "" if there are none.
func holder(t *trace.Trace, i int) string {
	all := holders(t, i)
	names := make([]string, 0, len(all))
	if slices.Contains(all, i) {
		names = append(names, "itself")
	}
	for _, h := range all {
		if h != i {
			names = append(names, id(t, h))
		}
	}
	if len(names) > maxListed {
		names = append(names[:maxListed], "more")
	}
	return strings.Join(names, " and ")
}
