package races

// This file has what operations on a sync.Map order. Those that could write and do not are reads, take no lock, and
// order nothing for those who come later. Who tries such an operation again and again polls.

import (
	"strings"
	"sync"
	"testing"
)

// told has one goroutine write x and operate on a Map. Another learns of it by the length of a channel, and loads "k".
func told(op func(m *sync.Map)) { toldThen(op, func(m *sync.Map) { m.Load("k") }) }

// toldThen is told for another operation than Load.
func toldThen(op, then func(m *sync.Map)) {
	var m sync.Map
	m.Store("k", 0)
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; op(&m); c <- 1 }, func() {
		if len(c) == 1 {
			then(&m)
			sink = x
		}
	})
}

func TestRaceMapSwapFails(t *testing.T) { told(func(m *sync.Map) { m.CompareAndSwap("k", 5, 6) }) }

func TestRaceMapSwapMisses(t *testing.T) { told(func(m *sync.Map) { m.CompareAndSwap("j", 5, 6) }) }

func TestRaceMapCompareAndDeleteFails(t *testing.T) {
	told(func(m *sync.Map) { m.CompareAndDelete("k", 5) })
}

func TestRaceMapLoadOrStoreLoads(t *testing.T) { told(func(m *sync.Map) { m.LoadOrStore("k", 5) }) }

func TestRaceMapLoadAndDeleteMisses(t *testing.T) { told(func(m *sync.Map) { m.LoadAndDelete("j") }) }

func TestRaceMapDeleteMisses(t *testing.T) { told(func(m *sync.Map) { m.Delete("j") }) }

func TestQuietMapSwaps(t *testing.T) { told(func(m *sync.Map) { m.CompareAndSwap("k", 0, 6) }) }

func TestQuietMapCompareAndDelete(t *testing.T) { told(func(m *sync.Map) { m.CompareAndDelete("k", 0) }) }

func TestQuietMapLoadAndDelete(t *testing.T) { told(func(m *sync.Map) { m.LoadAndDelete("k") }) }

func TestQuietMapDelete(t *testing.T) { told(func(m *sync.Map) { m.Delete("k") }) }

// polls has one goroutine write x and set "k" to 1, and another try until it has found that.
func polls(until func(m *sync.Map) bool) {
	var m sync.Map
	x := 0
	m.Store("k", 0)
	beside(func() { x = 1; m.Store("k", 1) }, func() {
		for !until(&m) {
		}
		sink = x
	})
}

func TestQuietMapPollsBySwap(t *testing.T) {
	polls(func(m *sync.Map) bool { return m.CompareAndSwap("k", 1, 2) })
}

func TestQuietMapPollsByDelete(t *testing.T) {
	polls(func(m *sync.Map) bool { return m.CompareAndDelete("k", 1) })
}

func TestQuietMapPollsByLoadOrStore(t *testing.T) {
	polls(func(m *sync.Map) bool { v, _ := m.LoadOrStore("k", 7); return v == 1 })
}

func TestQuietMapPollsByLoadAndDelete(t *testing.T) {
	polls(func(m *sync.Map) bool { m.LoadAndDelete("j"); v, _ := m.Load("k"); return v == 1 })
}

// The same, but what the second goroutine reads is written after that.
func TestRaceMapPolls(t *testing.T) {
	var m sync.Map
	x := 0
	m.Store("k", 0)
	beside(func() { m.Store("k", 1); x = 1 }, func() {
		for !m.CompareAndSwap("k", 1, 2) {
		}
		sink = x
	})
}

// Who reads a key is after who wrote it, and not after who wrote another one.

func TestRaceMapStoreOfOther(t *testing.T) { told(func(m *sync.Map) { m.Store("other", 1) }) }

func TestRaceMapStoreOfNumber(t *testing.T) { told(func(m *sync.Map) { m.Store(7, 1) }) }

func TestRaceMapStoreOfPointer(t *testing.T) {
	toldThen(func(m *sync.Map) { m.Store(t, 1) }, func(m *sync.Map) { m.Load(&sink) })
}

func TestRaceMapDeleteOfOther(t *testing.T) {
	toldThen(func(m *sync.Map) { m.Delete("k") }, func(m *sync.Map) { m.LoadAndDelete("other") })
}

func TestRaceMapClears(t *testing.T) {
	toldThen(func(m *sync.Map) { m.Store("k", 1) }, func(m *sync.Map) { m.Clear() })
}

func TestQuietMapStore(t *testing.T) { told(func(m *sync.Map) { m.Store("k", 1) }) }

func TestQuietMapStoreOfPointer(t *testing.T) {
	toldThen(func(m *sync.Map) { m.Store(t, 1) }, func(m *sync.Map) { m.Load(t) })
}

func TestQuietMapStoreByOtherText(t *testing.T) {
	toldThen(func(m *sync.Map) { m.Store(strings.Repeat("ab", 2), 1) }, func(m *sync.Map) { m.Load("abab") })
}

func TestQuietMapStoreOfStruct(t *testing.T) { // whose key counts as all
	toldThen(func(m *sync.Map) { m.Store([2]any{1, "a"}, 1) }, func(m *sync.Map) { m.Load([2]any{1, "a"}) })
}

func TestQuietMapStores(t *testing.T) { // which take a lock
	toldThen(func(m *sync.Map) { m.Store("j", 1) }, func(m *sync.Map) { m.Swap("k", 2) })
}

func TestQuietMapRangeOfAll(t *testing.T) {
	toldThen(func(m *sync.Map) { m.Store("j", 1) }, func(m *sync.Map) { m.Range(func(any, any) bool { return true }) })
}

// first is told of a Map that nobody has used.
func first(op, then func(m *sync.Map)) {
	var m sync.Map
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; op(&m); c <- 1 }, func() {
		if len(c) == 1 {
			then(&m)
			sink = x
		}
	})
}

func TestQuietMapMade(t *testing.T) {
	first(func(m *sync.Map) { m.Store("other", 1) }, func(m *sync.Map) { m.Load("k") })
}

func TestQuietMapMadeAndCleared(t *testing.T) {
	first(func(m *sync.Map) { m.Store("other", 1) }, func(m *sync.Map) { m.Clear() })
}

// The same with a third goroutine, whose write may be the first, and then orders nothing of x.
func TestRaceMapMadeByThird(t *testing.T) {
	var m sync.Map
	x, c, done := 0, make(chan int, 1), make(chan int)
	go func() { m.Store("third", 1); close(done) }()
	beside(func() { x = 1; m.Store("other", 1); c <- 1 }, func() {
		if len(c) == 1 {
			m.Load("k")
			sink = x
		}
	})
	<-done
}

// Who reads is after the third, who may have written before x was.
func TestRaceMapOfThird(t *testing.T) {
	var m sync.Map
	m.Store("a", 0)
	m.Store("b", 0)
	x, c := 0, make(chan int, 2)
	beside(func() {
		go func() { m.Delete("b"); c <- 1 }()
		x = 1
		m.Delete("a")
		c <- 1
	}, func() {
		if len(c) == 2 {
			m.Load("b")
			sink = x
		}
	})
}

func TestQuietMapClear(t *testing.T) { told(func(m *sync.Map) { m.Clear() }) }

// The first operation makes the Map, also if it only reads.

func TestQuietMapMadeByLoad(t *testing.T) {
	first(func(m *sync.Map) { m.Load("other") }, func(m *sync.Map) { m.Load("k") })
}

func TestQuietMapMadeByRange(t *testing.T) {
	first(func(m *sync.Map) { m.Range(func(any, any) bool { return true }) }, func(m *sync.Map) { m.Delete("k") })
}

func TestQuietMapMadeByDelete(t *testing.T) {
	first(func(m *sync.Map) { m.Delete("other") }, func(m *sync.Map) { m.Store("k", 1) })
}

func TestRaceMapLoadOfMade(t *testing.T) { told(func(m *sync.Map) { m.Load("other") }) }

func TestRaceMapMadeByThirdLoad(t *testing.T) {
	var m sync.Map
	x, c, done := 0, make(chan int, 1), make(chan int)
	go func() { m.Load("third"); close(done) }()
	beside(func() { x = 1; m.Load("other"); c <- 1 }, func() {
		if len(c) == 1 {
			m.Load("k")
			sink = x
		}
	})
	<-done
}

// Two first reads, of which either may make the Map: the access of the one that does not is ordered.
func TestRaceMapEitherMakes(t *testing.T) {
	var m sync.Map
	x := 0
	beside(func() { m.Load("a"); x = 1 }, func() { sink = x; m.Load("b") })
}

// CompareAndDelete compares under the lock of the Map.

func TestQuietMapCompareAndDeletesFind(t *testing.T) {
	toldThen(func(m *sync.Map) { m.CompareAndDelete("k", 5) }, func(m *sync.Map) { m.CompareAndDelete("k", 6) })
}

func TestQuietMapCompareAndDeleteFindsThenStore(t *testing.T) {
	toldThen(func(m *sync.Map) { m.CompareAndDelete("k", 5) }, func(m *sync.Map) { m.Store("k", 6) })
}

func TestQuietMapStoreThenCompareAndDeleteFinds(t *testing.T) {
	toldThen(func(m *sync.Map) { m.Store("k", 5) }, func(m *sync.Map) { m.CompareAndDelete("k", 6) })
}

func TestRaceMapCompareAndDeletesMiss(t *testing.T) {
	toldThen(func(m *sync.Map) { m.CompareAndDelete("j", 5) }, func(m *sync.Map) { m.CompareAndDelete("j", 6) })
}

func TestRaceMapCompareAndDeleteThenSwapFails(t *testing.T) {
	toldThen(func(m *sync.Map) { m.CompareAndDelete("k", 5) }, func(m *sync.Map) { m.CompareAndSwap("k", 5, 6) })
}

func TestRaceMapCompareAndDeletesEitherWay(t *testing.T) { // ordered if the second goroutine comes first
	var m sync.Map
	m.Store("k", 0)
	x := 0
	beside(func() { m.CompareAndDelete("k", 5); x = 1 }, func() { sink = x; m.CompareAndDelete("k", 6) })
}

// thirdLater has a goroutine write x and operate on a Map, and then another one operate on it, which may come first.
// What is told of the first by the length of a channel, and by the second, reads x.
func thirdLater(m *sync.Map, op, third func(m *sync.Map), then func(m *sync.Map)) {
	x, c, d, done := 0, make(chan int, 1), make(chan int, 1), make(chan int)
	go func() { x = 1; op(m); c <- 1; done <- 1 }()
	go func() { third(m); d <- 1; done <- 1 }()
	/*pause*/
	if len(c) == 1 {
		<-d
		then(m)
		sink = x
	}
	<-done
	<-done
}

func TestRaceMapMadeByThirdLater(t *testing.T) {
	thirdLater(new(sync.Map), func(m *sync.Map) { m.Load("a") }, func(m *sync.Map) { m.Load("b") }, func(m *sync.Map) { m.Load("c") })
}

func TestRaceMapCompareAndDeleteOfThird(t *testing.T) {
	m := new(sync.Map)
	m.Store("k", 0)
	thirdLater(m, func(m *sync.Map) { m.CompareAndDelete("k", 5) }, func(m *sync.Map) { m.CompareAndDelete("k", 6) }, func(m *sync.Map) {})
}
