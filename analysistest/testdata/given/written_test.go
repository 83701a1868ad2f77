package given

import (
	"os"
	"reflect"
	"runtime"
	"testing"
)

// Functions of the runtime that write to memory of the program's. What they write is seen in one order of the lock.

// finds: testfailure
func TestGivenToCallers(t *testing.T) {
	var pcs [4]uintptr
	if seenUnderLock(func() { runtime.Callers(0, pcs[:]) }, func() bool { return pcs[0] != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenToFrames(t *testing.T) {
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	first := ""
	if seenUnderLock(func() {
		f, _ := frames.Next()
		first = f.Function
	}, func() bool {
		frames.Next()
		return first != ""
	}) {
		t.Error("seen")
	}
}

// And such as read it.
//
// finds: testfailure
func TestGivenToStructOf(t *testing.T) {
	fields := []reflect.StructField{{Name: "A", Type: reflect.TypeFor[int]()}}
	if seenUnderLock(func() { fields[0].Name = "B" }, func() bool { return reflect.StructOf(fields).Field(0).Name == "B" }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenToFuncOf(t *testing.T) {
	in := []reflect.Type{reflect.TypeFor[int]()}
	if seenUnderLock(func() { in[0] = reflect.TypeFor[string]() }, func() bool { return reflect.FuncOf(in, nil, false).In(0).Kind() == reflect.String }) {
		t.Error("seen")
	}
}

// Close and Seek forget what was read of a folder, without the lock under which it is read.
//
// finds: datarace panics
func TestRaceDirClosed(t *testing.T) {
	d := folder(t)
	beside(func() { d.Readdirnames(-1) }, func() { d.Close() })
}

// finds: datarace panics
func TestRaceDirSought(t *testing.T) {
	d := folder(t)
	beside(func() { d.Readdirnames(1) }, func() { d.Seek(0, 0) })
}

func TestQuietDir(t *testing.T) {
	d := folder(t)
	beside(func() { d.Readdirnames(1) }, func() { d.Readdirnames(1) })
	d.Close()
}

func folder(t *testing.T) *os.File {
	d, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Methods of a benchmark that have no lock.
//
// finds: datarace
func TestRaceSetBytes(t *testing.T) {
	benchmark(func(b *testing.B) { beside(func() { b.SetBytes(1) }, func() { b.SetBytes(2) }) })
}

// finds: datarace
func TestRaceStopTimer(t *testing.T) {
	benchmark(func(b *testing.B) { beside(b.StopTimer, func() { b.Elapsed() }) })
}

// finds: datarace
func TestRaceReportMetric(t *testing.T) {
	benchmark(func(b *testing.B) {
		beside(func() { b.ReportMetric(1, "a") }, func() { b.ReportMetric(2, "b") })
	})
}

func TestQuietElapsed(t *testing.T) {
	benchmark(func(b *testing.B) { beside(func() { b.Elapsed() }, func() { b.Elapsed() }) })
}

func benchmark(f func(b *testing.B)) {
	testing.Benchmark(func(b *testing.B) {
		f(b)
		b.SkipNow()
	})
}
