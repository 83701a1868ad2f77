// Package looks has loops that only look at what others can reach, and come to an end, beside a timer (SPIN7, SPIN8).
package looks

import (
	"context"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const rounds = 1000

// within runs f in another goroutine, and fails if that takes a second.
func within(t *testing.T, f func() int) {
	done := make(chan int)
	go func() { done <- f() }()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("it takes too long")
	}
}

func TestAsksForLevel(t *testing.T) {
	var level slog.LevelVar
	within(t, func() (sum int) {
		for i := range rounds {
			if level.Level() <= slog.LevelDebug {
				println("debug", i)
			}
			sum += i * i
		}
		return sum
	})
}

func TestAsksWhetherToStop(t *testing.T) {
	var stop atomic.Bool
	within(t, func() (sum int) {
		for i := 0; i < rounds && !stop.Load(); i++ {
			sum += i
		}
		return sum
	})
}

func TestAsksContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	within(t, func() (sum int) {
		for i := range rounds {
			if ctx.Err() != nil {
				break
			}
			sum += i
		}
		return sum
	})
}

func TestSelectsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	within(t, func() (sum int) {
		for i := range rounds {
			select {
			case <-ctx.Done():
				return sum
			default:
				sum += i
			}
		}
		return sum
	})
}

func TestLoads(t *testing.T) {
	var m sync.Map
	m.Store("a", 2)
	within(t, func() (sum int) {
		for i := range rounds {
			v, _ := m.Load("a")
			sum += i * v.(int)
		}
		return sum
	})
}

func TestLooksUp(t *testing.T) {
	m := map[string]int{"a": 1}
	within(t, func() (sum int) {
		for i := range rounds {
			sum += i * m["a"]
		}
		return sum
	})
}

func TestRanges(t *testing.T) {
	m := map[int]int{}
	for i := range rounds {
		m[i] = i
	}
	within(t, func() (sum int) {
		for _, v := range m {
			sum += v
		}
		return sum
	})
}

func TestAsksForLength(t *testing.T) {
	c := make(chan int, 3)
	within(t, func() (sum int) {
		for i := range rounds {
			sum += i * len(c)
		}
		return sum
	})
}

func TestLogs(t *testing.T) {
	l := log.New(io.Discard, "", 0)
	within(t, func() (sum int) {
		for i := range rounds {
			l.Println("round", i)
		}
		return sum
	})
}

func TestReflects(t *testing.T) {
	x := &struct{ A, B, C int }{1, 2, 3}
	within(t, func() (sum int) {
		for range rounds {
			v := reflect.ValueOf(x).Elem()
			for i := range v.NumField() {
				sum += int(v.Field(i).Int())
			}
		}
		return sum
	})
}

func TestStats(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	within(t, func() (sum int) {
		for range rounds {
			if s, err := os.Stat(name); err == nil {
				sum += int(s.Size())
			}
		}
		return sum
	})
}
