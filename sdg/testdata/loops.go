package testdata

func use(int)

// The condition decides whether it is evaluated again; the result depends on it by the loop's phi.
//
// WANT:
// cond: control entry cond; data n step; gate cond
// add: control cond; data add step; gate cond
// step: control cond; data step; gate cond
// ret: control entry; data add; gate cond
func sum(n int) int {
	s, i := 0, 0
	for i < n { // @cond
		s += i // @add
		i++    // @step
	}
	return s // @ret
}

// What follows a loop that may be left in two ways depends on neither; what follows the break test does.
//
// WANT:
// cond: control entry stop; data n step; gate stop cond
// stop: control cond; data m step; gate stop cond
// body: control stop; data step; gate stop cond
// step: control stop; data step; gate stop cond
// after: control entry; data n
func leave(n, m int) {
	i := 0
	for i < n { // @cond
		if i == m { // @stop
			break
		}
		use(i) // @body
		i++    // @step
	}
	use(n) // @after
}

// The branch in an endless loop decides what it decides, and nothing else.
//
// WANT:
// test: control entry; data n
// then: control test; data n
// rest: control entry; data n
func forever(n int) {
	for {
		if n > 0 { // @test
			use(n) // @then
		}
		use(n) // @rest
	}
}

// A branch into an endless loop decides what follows it.
//
// WANT:
// in: control entry; data n
// loop: control in; data n
// after: control in; data n
func maybe(n int) {
	if n > 0 { // @in
		for {
			use(n) // @loop
		}
	}
	use(n) // @after
}
