package network

import (
	"errors"
	"syscall"
	"testing"
	"time"
)

// This file shuts down connections that are none any more.

func TestShutdownAfterReset(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	a.SetLinger(0)
	a.Close()
	if err := b.CloseWrite(); !errors.Is(err, syscall.ENOTCONN) {
		t.Error(err)
	}
	if _, err := b.Write([]byte("a")); !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
	go func() {}()
}

func TestShutdownBesideReset(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	a.SetLinger(0)
	go a.Close()
	if b.CloseWrite() != nil {
		t.Error("too late") // want `too late`
	}
}

func TestShutdownUnread(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	b.Write([]byte("a"))
	go a.Close() // nobody has read: it resets
	time.Sleep(time.Second)
	if err := b.CloseWrite(); !errors.Is(err, syscall.ENOTCONN) {
		t.Error(err)
	}
}

func TestShutdownTwice(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	a.Close()
	go func() {}()
	if err := b.CloseWrite(); err != nil {
		t.Error(err)
	}
	if err := b.CloseWrite(); !errors.Is(err, syscall.ENOTCONN) {
		t.Error(err)
	}
	if err := b.CloseRead(); !errors.Is(err, syscall.ENOTCONN) {
		t.Error(err)
	}
}

func TestShutdownOpen(t *testing.T) { // verdict: exhausted
	_, b := pair(t)
	go func() {}()
	for range 2 {
		if err := b.CloseWrite(); err != nil {
			t.Error(err)
		}
	}
}

func TestShutdownAnswered(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	a.Close()
	go func() {}()
	b.Write([]byte("a"))
	if err := b.CloseWrite(); !errors.Is(err, syscall.ENOTCONN) {
		t.Error(err)
	}
}
