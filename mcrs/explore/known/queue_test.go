package known

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
)

// TestLongQueues draws queues, sends to them and receives from them, and compares them with lists: what is first, how
// many there are, and that two have one name if they hold the same, and no other time (LONG1).
func TestLongQueues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var v Values
	v.init()
	named, values := map[string]int32{}, map[int32]string{}
	check := func(value int32, closed bool, want []uint64) {
		t.Helper()
		q, text := v.Queue(value), fmt.Sprint(closed, want)
		if q.Closed != closed || q.Len != len(want) || q.Len > 0 && q.First != want[0] {
			t.Fatalf("got %+v, want %s", q, text)
		}
		if was, ok := named[text]; ok && was != value {
			t.Fatalf("one queue has two values: %s", text)
		}
		if was, ok := values[value]; ok && was != text {
			t.Fatalf("two queues have one value: %s, %s", text, was)
		}
		named[text], values[value] = value, text
	}
	for range 2 {
		var list []uint64
		value, most := int32(0), 2*shortQueue+r.IntN(2*shortQueue)
		for i := range 600 {
			if len(list) > 0 && (len(list) == most || r.IntN(5) < 1+i/200) { // it grows, and shrinks again
				list, value = list[1:], v.Pop(v.Queue(value))
			} else {
				e := r.Uint64N(2) * (1<<61 - 1) // alike modulo the prime
				list, value = append(list, e), v.Push(v.Queue(value), e)
			}
			check(value, false, list)
			check(v.OfQueue(false, list), false, list)
		}
		closed := v.Close(v.Queue(value))
		for check(closed, true, list); len(list) > 0; check(closed, true, list) {
			list, closed = list[1:], v.Pop(v.Queue(closed))
		}
	}
}

// TestLongQueueIsCheap checks that a queue of many elements costs each operation little: whole lists would be 64 MB.
func TestLongQueueIsCheap(t *testing.T) {
	var v Values
	v.init()
	value := int32(0)
	for i := range uint64(4000) {
		value = v.Push(v.Queue(value), i)
	}
	for i := range uint64(4000) {
		if q := v.Queue(value); q.First != i {
			t.Fatalf("%d is first, not %d", q.First, i)
		}
		value = v.Pop(v.Queue(value))
	}
	if n := v.bytes(); value != 0 || n > 1<<20 {
		t.Errorf("value %d at the end, %d bytes", value, n)
	}
}

func (v *Values) bytes() (n int) {
	for _, s := range v.Raw {
		n += len(s)
	}
	return n
}

// TestLargeMaps writes keys in two orders, and compares what is there with a map (LONG2).
func TestLargeMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var v Values
	v.init()
	for _, keys := range []int{1, shortMap, shortMap + 1, 3000} {
		want := map[uint64]uint64{}
		for range keys {
			want[r.Uint64()] = r.Uint64()
		}
		var first, second MapValue
		for key := range want {
			first = v.WithKey(first, key, 5)
		}
		before := v.OfMap(first)
		for key, write := range want {
			first = v.WithKey(first, key, write)
			second = v.WithKey(second, key, write)
		}
		if v.OfMap(first) != v.OfMap(second) || v.OfMap(first) == before {
			t.Errorf("%d keys: values %d and %d, %d before", keys, v.OfMap(first), v.OfMap(second), before)
		}
		m, _ := v.Map(v.OfMap(first))
		got := map[uint64]uint64{}
		for key := range want {
			got[key], _ = v.Written(m, key)
		}
		if _, ok := v.Written(m, 1); ok || !maps.Equal(got, want) {
			t.Errorf("%d keys: other writes are found", keys)
		}
	}
	if n := v.bytes(); n > 8<<20 {
		t.Errorf("%d bytes", n)
	}
}
