// Package main has main programs that wait for other processes (STUCK3), and some that wait for nobody: each function
// is one; those whose names begin with Stuck are deadlocks.
package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {}

func SignalComes() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
}

func SignalOfContext() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
}

func SignalToAnother() {
	c, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(c, os.Interrupt)
	go func() { <-c; close(done) }()
	<-done
}

func SignalBesideTicker() {
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for k := time.NewTicker(time.Second); ; {
			select {
			case <-k.C:
			case <-stop:
				k.Stop()
				return
			}
		}
	})
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
	close(stop)
	wg.Wait()
}

func SignalToIdle() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	go func() { <-c; os.Exit(0) }()
	select {}
}

func StuckStopped() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
	<-c
}

func StuckAtOther() {
	c, other := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-other
}

var global = make(chan int)

func StuckAtGlobal() {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	<-global
}

func StuckAtLock() {
	var mu sync.Mutex
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	mu.Lock()
	go func() { <-c; os.Exit(0) }()
	mu.Lock()
}

func ListensAndServes() { http.ListenAndServe("127.0.0.1:8080", nil) }

func AcceptsBeside() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if c, err := l.Accept(); err == nil {
			c.Close()
		}
	}()
	<-done
}

func AcceptsBesideIdle() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go l.Accept()
	select {}
}

func Datagram() {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	c.ReadFrom(make([]byte, 1))
}

func StuckBesideAccept() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var mu sync.Mutex
	mu.Lock()
	go l.Accept()
	mu.Lock()
}

func StuckAtPipe() {
	a, b := net.Pipe()
	go a.Read(make([]byte, 1))
	b.Read(make([]byte, 1))
}
