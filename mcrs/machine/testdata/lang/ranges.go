// Range loops over functions that misuse the body of the loop, or unwind through it.
package main

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"testing"
)

func try(name string, f func()) {
	defer func() {
		r := recover()
		_, isErr := r.(runtime.Error)
		fmt.Printf("%s: %v (%T %v)\n", name, r, r, isErr)
	}()
	f()
}

func ignoring(yield func(int) bool) { yield(1); yield(2) }

func swallowing(yield func(int) bool) {
	defer func() { recover() }()
	yield(1)
}

func swallowAgain(yield func(int) bool) {
	func() {
		defer func() { recover() }()
		yield(1)
	}()
	yield(2)
}

var kept func(int) bool

func keeping(yield func(int) bool) { kept = yield; yield(1) }

func nested(yield func(int) bool) {
	yield(1)
}

func ret() (n int) {
	for i := range ignoring {
		return i
	}
	return 0
}

func lab() {
outer:
	for i := range slices.Values([]int{1, 2}) {
		for j := range ignoring {
			if i == 1 && j == 1 {
				continue outer
			}
		}
	}
}

func deferred() (s string) {
	for i := range slices.Values([]int{1, 2}) {
		defer func() { s += fmt.Sprint(i) }()
	}
	return "r"
}

func recoverInBody() (s string) {
	defer func() { s += "|" + fmt.Sprint(recover()) }()
	for i := range slices.Values([]int{1, 2}) {
		defer func() { s += fmt.Sprint(i, recover()) }()
		if i == 2 {
			panic("p")
		}
	}
	return
}

func goexit(yield func(int) bool) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { fmt.Println("in goroutine", recover()) }()
		yield(1)
	}()
	<-done
}

func replacing(yield func(int) bool) {
	defer func() {
		if r := recover(); r != nil {
			panic(fmt.Sprint("re-", r))
		}
	}()
	yield(1)
}

func main() {
	try("ignore false", func() {
		for range ignoring {
			break
		}
	})
	try("swallow", func() {
		for range swallowing {
			panic("body")
		}
	})
	try("swallow again", func() {
		for i := range swallowAgain {
			if i == 1 {
				panic("body")
			}
		}
	})
	try("late", func() {
		for range keeping {
		}
		kept(2)
	})
	try("late after break", func() {
		for range keeping {
			break
		}
		kept(2)
	})
	try("reenter", func() {
		n := 0
		for range keeping {
			n++
			if n == 1 {
				kept(3)
			}
		}
	})
	try("return", func() { ret() })
	try("label", lab)
	try("defers", func() { fmt.Println(deferred()) })
	try("recover", func() { fmt.Println(recoverInBody()) })
	try("goroutine", func() {
		for i := range goexit {
			panic(i)
		}
	})
	try("replace", func() {
		for range replacing {
			panic("body")
		}
	})
	try("goexit", func() {
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() { fmt.Println("goexit:", recover()) }()
			for range swallowing {
				runtime.Goexit()
			}
		}()
		<-done
	})
	try("pull ignoring", func() {
		next, stop := iter.Pull(iter.Seq[int](ignoring))
		fmt.Println(next())
		stop()
	})
	try("pull panics", func() {
		next, stop := iter.Pull(func(yield func(int) bool) { panic("in seq") })
		defer stop()
		fmt.Println(next())
	})
	try("pull2", func() {
		next, stop := iter.Pull2(slices.All([]string{"a"}))
		fmt.Println(next())
		fmt.Println(next())
		stop()
		stop()
		fmt.Println(next())
	})
	try("late after return", func() {
		func() {
			for range keeping {
				return
			}
		}()
		kept(2)
	})
	try("late after continue", func() {
	outer:
		for range slices.Values([]int{1}) {
			for range keeping {
				continue outer
			}
		}
		kept(2)
	})
	try("late after goto", func() {
		for range keeping {
			goto end
		}
	end:
		kept(2)
	})
	try("recovered misuse", func() {
		for range func(yield func(int) bool) {
			defer func() { fmt.Println("misuse:", recover()) }()
			yield(1)
			yield(2)
		} {
			break
		}
	})
	try("late twice", func() {
		for range keeping {
			break
		}
		try("first", func() { kept(2) })
		kept(3)
	})
	try("misuse inside", func() {
		for range func(yield func(int) bool) {
			func() {
				defer func() { fmt.Println("misuse:", recover()) }()
				yield(1)
				yield(2)
			}()
			yield(3)
		} {
			break
		}
	})
	try("late after panic", func() {
		func() {
			defer func() { recover() }()
			for range keeping {
				panic("body")
			}
		}()
		kept(2)
	})
	var nilseq iter.Seq[int]
	fmt.Println("testing:", testing.Testing())
	try("nil", func() {
		for range nilseq {
		}
	})
}
