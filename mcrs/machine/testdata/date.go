package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// All clocks of a program show one date, that of an ordinary day, and go on side by side.
func main() {
	start := time.Now()
	fmt.Println(start.UTC().Format(time.RFC3339), start.Unix() == unix(), start.Unix() == byCall())

	time.Sleep(90 * time.Minute)
	fmt.Println(time.Since(start) >= 90*time.Minute, time.Now().UTC().Format(time.DateTime), unix()-start.Unix() == 5400)

	os.WriteFile("/tmp/f", nil, 0o600)
	info, _ := os.Stat("/tmp/f")
	fmt.Println(time.Since(info.ModTime()) < time.Second, info.ModTime().Before(time.Now().Add(time.Second)))

	tick := <-time.After(time.Hour)
	fmt.Println(time.Since(tick).Round(time.Second), time.Now().Round(0).Sub(tick.Round(0)).Round(time.Second))

	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Round(0).Add(time.Minute)) // by the date alone
	defer cancel()
	<-ctx.Done()
	fmt.Println(time.Since(tick).Round(time.Second), ctx.Err())
}

func unix() int64 {
	var tv syscall.Timeval
	syscall.Gettimeofday(&tv)
	return tv.Sec
}

func byCall() int64 {
	var ts syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, 0, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Sec
}
