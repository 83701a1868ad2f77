// Package inits has initialisers that the machine refuses something, and tests that rest on what they found.
package inits

import (
	"net"
	"os/exec"
	"testing"
)

var docker = installed("docker")

var unreachable error

func installed(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

func init() {
	_, unreachable = net.Dial("tcp", "192.0.2.1:80")
}

func race() {
	x := 0
	done := make(chan bool)
	touch := func() { x++ } // want `data race: x (?s:.*)\sin TestRacesWithoutIt`
	go func() { touch(); close(done) }()
	touch()
	<-done
}

func work() {
	done := make(chan bool)
	go func() { close(done) }()
	<-done
}

func TestRacesWithIt(t *testing.T) { // verdict: refused `^refused: the network, asked for by skipped/inits.init#1 \(at inits_test.go:\d+\)(; complete up to 0 preemptions)?$`
	work()
	if docker {
		race()
	}
}

func TestRacesBehindIt(t *testing.T) { // verdict: refused `the network`
	work()
	if unreachable == nil {
		race()
	}
}

func TestSkipsWithoutIt(t *testing.T) { // verdict: refused `then every run skips`
	if !docker {
		t.Skip("no docker")
	}
	race()
}

// Natively the three below may pass.

func TestFailsWithoutIt(t *testing.T) { // verdict: refused `then the entry failed`
	work()
	if !docker {
		t.Fatal("no docker")
	}
}

func TestFailsAndIsCutOff(t *testing.T) { // verdict: refused `then the entry failed`
	if !docker {
		t.Error("no docker")
	}
	large = make([]byte, 1<<34)
}

var large []byte

func TestLeaksWithoutIt(t *testing.T) { // verdict: refused `then the entry failed`
	c := make(chan int)
	go func() { c <- 1 }()
	if unreachable != nil {
		return
	}
	<-c
}

func TestRacesWithoutIt(t *testing.T) { // verdict: refused `the network`
	race()
}
