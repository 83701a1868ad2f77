package event

import "testing"

// TestRowsDoNotContradictThemselves shows that each kind has its own row, and that rows say nothing that contradicts
// itself.
func TestRowsDoNotContradictThemselves(t *testing.T) {
	names := map[string]Kind{}
	var given, taken [NumObjects]bool
	for k := range NumKinds {
		r := table[k]
		if r.kind != k {
			t.Fatalf("row %d of the table in kind.go is that of kind %d: rows stand in the order of the kinds", k, r.kind)
		}
		if other, ok := names[r.name]; ok || r.name == "" {
			t.Errorf("kind %d has the name %q, and so has kind %d", k, r.name, other)
		}
		names[r.name] = k
		for _, x := range []struct {
			wrong bool
			what  string
		}{
			{r.object == NoObject && r.is&(reads|writes|takes|gives|holds|atomic) != 0, "does something to an object, and names none"},
			{k.ChangesNothing() && (r.is&(writes|gives|holds|last) != 0 || k.CanWait() && k != Fence), "changes nothing, and does"},
			{k.OnlyReads() && !k.ChangesNothing(), "only reads, and changes something"},
			{k.WaitsForClock() && !k.CanWait(), "waits for the clock, and cannot wait"},
			{k.EndsProgram() && !k.EndsThread(), "ends the program, and not its goroutine"},
			{k.Takes() && k.Gives(), "takes and gives"},
			{k.CanWait() && !k.WaitsForClock() && !k.IsComm() && k != LockAnnounce && k != Fence && !k.Takes(), "waits, and nothing makes it ready"},
			{(k.Takes() || k.Gives()) && !k.Synchronises(), "takes or gives, and does not synchronise"},
			{k.IsPlain() && k.Synchronises(), "is a plain access, and synchronises"},
			{k.TellsOnlyValue() && r.is&failsByValue != 0, "tells only its value, and can fail"},
		} {
			if x.wrong {
				t.Errorf("%v (kind %d) %s", k, k, x.what)
			}
		}
		given[r.object], taken[r.object] = given[r.object] || k.Gives(), taken[r.object] || k.Takes()
	}
	for o := range NumObjects {
		if given[o] != taken[o] {
			t.Errorf("object %d: some operation gives: %v; some takes: %v", o, given[o], taken[o])
		}
	}
}

// TestNoKind shows that a number that is no kind, as damaged data may hold, has no property.
func TestNoKind(t *testing.T) {
	for k := NumKinds; k != 0; k++ { // up to the largest number
		if k.Object() != NoObject || k.is(^property(0)) || k.Waits() != "" || k.String() == "" {
			t.Fatalf("kind %d has properties", uint8(k))
		}
	}
}
