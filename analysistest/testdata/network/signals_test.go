package network

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// This file has what signals of the process to itself order: nothing (SYNC15, SIG4). Natively `go test -race` reports the
// same five.

func TestSignalOrdersNothing(t *testing.T) { // verdict: exhausted
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	x, done := 0, make(chan bool)
	go func() {
		<-c
		_ = x + 1
		close(done)
	}()
	x = 1 // want `data race: x`
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	<-done
}

func TestSignalOfProcess(t *testing.T) { // verdict: exhausted
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	x, done := 0, make(chan bool)
	go func() {
		<-c
		_ = x + 1
		close(done)
	}()
	x = 1 // want `data race: x`
	p, _ := os.FindProcess(os.Getpid())
	p.Signal(syscall.SIGUSR1)
	<-done
}

func TestSignalOfContext(t *testing.T) { // verdict: exhausted
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	x, done := 0, make(chan bool)
	go func() {
		<-ctx.Done()
		_ = x + 1
		close(done)
	}()
	x = 1 // want `data race: x`
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	<-done
}

func TestSignalFromElsewhere(t *testing.T) { // verdict: exhausted
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	x := 0
	go func() {
		x = 1 // want `data race: x`
		syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	}()
	<-c
	_ = x + 1
}

func TestSecondSignal(t *testing.T) { // verdict: exhausted
	c := make(chan os.Signal, 2)
	signal.Notify(c, syscall.SIGUSR1, syscall.SIGUSR2)
	defer signal.Stop(c)
	x := 0
	go func() {
		syscall.Kill(os.Getpid(), syscall.SIGUSR1)
		x = 1 // want `data race: x`
		syscall.Kill(os.Getpid(), syscall.SIGUSR2)
	}()
	<-c
	<-c
	_ = x + 1
}

// Notify comes after the write, and its lock orders.
func TestWriteBeforeNotify(t *testing.T) { // verdict: exhausted
	c := make(chan os.Signal, 1)
	x, done := 0, make(chan bool)
	go func() {
		<-c
		_ = x + 1
		close(done)
	}()
	x = 1
	signal.Notify(c, syscall.SIGUSR2)
	syscall.Kill(os.Getpid(), syscall.SIGUSR2)
	<-done
	signal.Stop(c)
}

// A channel orders beside the signal.
func TestSignalAndChannel(t *testing.T) { // verdict: exhausted
	c, d := make(chan os.Signal, 1), make(chan bool, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	x, done := 0, make(chan bool)
	go func() {
		<-c
		<-d
		_ = x + 1
		close(done)
	}()
	x = 1
	d <- true
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	<-done
}
