package known

// This file keeps which goroutines and objects are of which bubble of testing/synctest. All of it is the same in every
// execution: package learn sees to that.

// A Bubble is one bubble.
type Bubble struct {
	Root, Main int32 // who is in internal/synctest.Run, and who runs its function
	Clock      int32 // the slot of its clock
}

// Bubbling is what is known of bubbles.
type Bubbling struct {
	Bubbles []Bubble // by number; 0 is none
	in      []int32  // by goroutine: the number of its bubble, 0 if it is in none
	// Border says, by address, of what bubble an object was that goroutines of a bubble stood at, or 0; and Users who
	// used a counter or a Cond: the bubble of those goroutines.
	Border map[uint64]int32
	Users  map[int32]int32
}

// In returns the bubble that a goroutine, or a timer, is of, 0 if it is in none.
func (k *Bubbling) In(t int32) int32 {
	if int(t) < len(k.in) {
		return k.in[t]
	}
	return 0
}

// Enter notes that a goroutine is of a bubble. It returns false if it is another one than before. Seen are the
// goroutines that were met before.
func (k *Knowledge) Enter(t, b int32, seen bool) bool {
	if seen {
		return k.In(t) == b
	}
	if b == 0 {
		return true
	}
	for int(t) >= len(k.in) {
		k.in = append(k.in, 0)
	}
	k.in[t] = b
	return true
}

// BubbleOf returns what is known of a bubble, which is made if it is new.
func (k *Knowledge) BubbleOf(b int32) *Bubble {
	for int(b) >= len(k.Bubbles) {
		x := Bubble{Root: -1, Main: -1}
		if n := len(k.Bubbles); n > 0 {
			x.Clock = k.Object(SpaceClock, uint64(n))
		}
		k.Bubbles = append(k.Bubbles, x)
	}
	return &k.Bubbles[b]
}

// Members returns the goroutines and timers of a bubble.
func (k *Bubbling) Members(b int32) (out []int32) {
	for t, in := range k.in {
		if in == b {
			out = append(out, int32(t))
		}
	}
	return out
}
