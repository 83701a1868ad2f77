package waits

// This file has goroutines that were started and may not have begun: the stacks of all goroutines show it (SEEN5).

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// shown reports whether the stacks of all goroutines have a text.
func shown(text string) bool {
	b := make([]byte, 1<<16)
	return strings.Contains(string(b[:runtime.Stack(b, true)]), text)
}

func waitsUnbegun(c chan int) { <-c }

// finds: testfailure
func TestUnbegunCall(t *testing.T) {
	c := make(chan int)
	defer close(c)
	go waitsUnbegun(c)
	if !shown("waits.waitsUnbegun(") {
		t.Error("it has not begun")
	}
}

// finds: testfailure
func TestUnbegunWaiting(t *testing.T) {
	c := make(chan int)
	defer close(c)
	go func() { <-c }()
	if !shown("[chan receive]:\nwaits.TestUnbegunWaiting.func1") {
		t.Error("it has not begun")
	}
}

// finds: testfailure
func TestUnbegunProfile(t *testing.T) {
	c := make(chan int)
	defer close(c)
	go waitsUnbegun(c)
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 2)
	if !strings.Contains(b.String(), "waits.waitsUnbegun(") {
		t.Error("it has not begun")
	}
}

// The profile as pcs shows it, too (SEEN6).
//
// finds: testfailure
func TestUnbegunCounted(t *testing.T) {
	c := make(chan int)
	defer close(c)
	go waitsUnbegun(c)
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	if !strings.Contains(b.String(), "runtime/pprof.writeGoroutine") || !strings.Contains(b.String(), "waits.waitsUnbegun+") {
		t.Error("it has not begun")
	}
}

// finds: testfailure
func TestUnbegunRecord(t *testing.T) {
	c := make(chan int)
	defer close(c)
	go waitsUnbegun(c)
	for _, name := range stacksNow() {
		if strings.HasPrefix(name, "runtime.gopark ") && strings.HasSuffix(name, "waits.waitsUnbegun runtime.goexit") {
			return
		}
	}
	t.Error("it has not begun")
}

// What waits in package testing is there, and what asks.
func TestUnbegunNobody(t *testing.T) {
	for i, name := range stacksNow()[:2] {
		if want := []string{"runtime.GoroutineProfile waits.stacksNow waits.TestUnbegunNobody testing.tRunner runtime.goexit", "testing.(*M).Run main.main runtime.main runtime.goexit"}; !strings.HasSuffix(name, want[i]) {
			t.Error(i, name)
		}
	}
}

// stacksNow are the functions on the stacks of all goroutines.
func stacksNow() (all []string) {
	rs := make([]runtime.StackRecord, 10)
	n, _ := runtime.GoroutineProfile(rs)
	for i := range rs[:n] {
		s := ""
		for fs, more := runtime.CallersFrames(rs[i].Stack()), true; more; {
			var f runtime.Frame
			f, more = fs.Next()
			s += f.Function + " "
		}
		all = append(all, strings.TrimSpace(s))
	}
	return all
}

// The goroutine of a timer's function is one that was started, too.
//
// finds: testfailure
func TestUnbegunFired(t *testing.T) {
	c, n := make(chan int), runtime.NumGoroutine()
	defer close(c)
	time.AfterFunc(time.Millisecond, func() { waitsUnbegun(c) })
	time.Sleep(time.Millisecond)
	if runtime.NumGoroutine() > n && !shown("waits.waitsUnbegun(") {
		t.Error("it has not begun")
	}
}

// gc makes a function of a go statement with arguments.
//
// finds: testfailure
func TestUnbegunWrapped(t *testing.T) {
	c := make(chan int)
	defer close(c)
	go waitsUnbegun(c)
	go func(c chan int) { <-c }(c)
	if shown(".TestUnbegunWrapped.gowrap2()\n") {
		t.Error("it has not begun")
	}
}

// Where there is none, the text has the function itself.
func TestUnbegunNamed(t *testing.T) {
	c := make(chan int)
	defer close(c)
	go func() { <-c }()
	if !shown(".TestUnbegunNamed.func1(") || shown(".TestUnbegunNamed.gowrap") {
		t.Error("not seen")
	}
}

func TestUnbegunTold(t *testing.T) {
	c := make(chan int)
	defer close(c)
	go func() {
		c <- 1
		waitsUnbegun(c)
	}()
	<-c
	if !shown(".TestUnbegunTold.func1(") {
		t.Error("it has begun")
	}
}

func TestUnbegunBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int)
		defer close(c)
		go waitsUnbegun(c)
		synctest.Wait()
		if !shown("waits.waitsUnbegun(") {
			t.Error("it has begun")
		}
	})
}

// Time passes when all have come to rest.
func TestUnbegunSlept(t *testing.T) {
	c := make(chan int)
	defer close(c)
	go waitsUnbegun(c)
	time.Sleep(time.Second)
	if !shown("waits.waitsUnbegun(") {
		t.Error("it has begun")
	}
}
