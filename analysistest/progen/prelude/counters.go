package prelude

// This file has operations on counters that mostly nobody acts upon, for progen.GenerateCounters. In them $ is one of
// two counters, and # another or the same. Uses are the shared objects that they use besides cnt.

// A Template is an operation.
type Template struct {
	Text  string
	Uses  []string
	Plain bool // it is an access to plain memory
}

// Counting only counts.
var Counting = []Template{
	{"$++", nil, true},
	{"$++", nil, true},
	{"$ = # + 1", nil, true},
	{"cnt.n.Add(1)", nil, false},
	{"cnt.last = cnt.n.Add(int32(v&1))", nil, false},
	{"$ = plus(#, v)", nil, true},
	{"k := $\nif v == 1 {\nk = 2\n}\n# = k*3 - 1", nil, true},
	{"l.r($)", nil, true},
	{"cnt.busy = $ > #", nil, true},
	{"cnt.n.Store(cnt.n.Load() + 1)", nil, false},
	{"$ = x", []string{"x"}, true},
	{"func() {\n$ += y\n}()", []string{"y"}, true},
}

// Acting acts upon a counter, or may: it reaches a condition, an index, a key, a size, a closure, a pointer, a channel,
// a deadline or the text of a panic.
var Acting = []Template{
	{"if $ > 1 {\nx = 1\n}", []string{"x"}, true},
	{"arr[$&1] = 1", []string{"arr"}, true},
	{"m[$&1] = 1", []string{"m"}, true},
	{"s = make([]int, $&3)", []string{"s"}, true},
	{"h := func() int { return $ }\nv = h() & 3\ny = v", []string{"y"}, true},
	{"q := &$\nv = *q & 3", nil, true},
	{"if $ == 2 {\npanic(2 * $)\n}", nil, true},
	{"x = $ & 3", []string{"x"}, true},
	{"v = 6 / (3 - $&3)", nil, true},
	{"var b any = $\nv = number(b) & 3", nil, true},
	{"if cnt.busy {\nx = 2\n}", []string{"x"}, true},
	{"if cnt.n.Load() == 2 {\nx = 3\n}", []string{"x"}, false},
	{"if cnt.n.CompareAndSwap(1, 5) {\nv = 1\n}", nil, false},
	{"v = int(cnt.last) & 3\nl.r(v)", nil, false},
	{"select {\ncase d <- $ & 1:\ndefault:\n}", []string{"d"}, false},
	{"c2 := *cnt2(cnt)\nv = c2.a & 3", nil, true},
	{"v = plus($, 1) & 3\ny = v", []string{"y"}, true},
	{"time.Sleep(time.Duration($&1) * time.Millisecond)", []string{"time"}, true},
}
