// Package oldtimers has timers as they were before Go 1.23: its go line says 1.22. Nothing is found in it.
package oldtimers

import (
	"os"
	"reflect"
	"testing"
	"time"
)

func TestLen(t *testing.T) {
	tm := time.NewTimer(time.Millisecond)
	time.Sleep(20 * time.Second)
	if len(tm.C) != 1 || cap(tm.C) != 1 || reflect.ValueOf(tm.C).Len() != 1 {
		t.Error(len(tm.C), cap(tm.C))
	}
	if tm.Stop() {
		t.Error("stopped")
	}
	if len(tm.C) != 1 {
		t.Error("drained")
	}
	if tm.Reset(time.Hour) {
		t.Error("active")
	}
	select {
	case <-tm.C:
	default:
		t.Error("stale value is gone")
	}
}

func TestStopActive(t *testing.T) {
	tm := time.NewTimer(time.Hour)
	if !tm.Stop() || len(tm.C) != 0 {
		t.Error("not active")
	}
}

func TestPanicNil(t *testing.T) {
	defer func() {
		if e := recover(); e == nil {
			t.Error("nil")
		}
	}()
	panic(nil)
}

func TestSetenv(t *testing.T) {
	os.Setenv("GODEBUG", "asynctimerchan=0,panicnil=1")
	tm := time.NewTimer(time.Millisecond)
	time.Sleep(20 * time.Second)
	if len(tm.C) != 0 || cap(tm.C) != 0 {
		t.Error(len(tm.C))
	}
	if !tm.Stop() {
		t.Error("Stop of a new one with a value")
	}
	func() {
		defer func() {
			if e := recover(); e != nil {
				t.Error(e)
			}
		}()
		panic(nil)
	}()
	os.Setenv("GODEBUG", "")
	if len(time.NewTimer(time.Hour).C) != 0 || cap(time.NewTimer(time.Hour).C) != 1 {
		t.Error("old again")
	}
	// A timer made as new ones are goes by what is set now.
	t2 := tm
	if cap(t2.C) != 1 {
		t.Error(cap(t2.C))
	}
}

func TestTickerReset(t *testing.T) {
	tk := time.NewTicker(time.Millisecond)
	time.Sleep(10 * time.Second)
	tk.Reset(time.Hour)
	select {
	case <-tk.C:
	default:
		t.Error("Reset has emptied it")
	}
	tk.Stop()
}
