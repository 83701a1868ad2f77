package private

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"testing"
)

// This file has what the go command says of the binary, and labels of goroutines.

var underTest = testing.Testing() // what an initialiser is told

// panics: true true
func TestIsTesting(t *testing.T) {
	var now bool
	two(func() { now = testing.Testing() }, func() {})
	say(underTest, now)
}

// panics: true private.test true
func TestBuildInfo(t *testing.T) {
	var info *debug.BuildInfo
	var ok bool
	two(func() { info, ok = debug.ReadBuildInfo() }, func() {})
	say(ok, info.Path, info.GoVersion == runtime.Version() && strings.HasPrefix(info.GoVersion, "go1."))
}

// panics: b d false
func TestLabels(t *testing.T) {
	var in, inner string
	outside := false
	two(func() {
		pprof.Do(context.Background(), pprof.Labels("a", "b"), func(ctx context.Context) {
			in, _ = pprof.Label(ctx, "a")
			ctx = pprof.WithLabels(ctx, pprof.Labels("c", "d"))
			pprof.SetGoroutineLabels(ctx)
			inner, _ = pprof.Label(ctx, "c")
		})
	}, func() { runtime.Gosched() })
	_, outside = pprof.Label(context.Background(), "a")
	say(in, inner, outside)
}
