package waits

// This file has examples whose goroutines may print too late: what counts is what was printed before the example returned, and testing changes os.Stdout then.

import (
	"fmt"
	"os"
)

// finds: datarace testfailure
func Example_lost() {
	done := make(chan bool, 1)
	go func() { fmt.Println("a"); done <- true }()
	select {
	case <-done:
	default:
	}
	// Output: a
}

// What is printed to the file that Stdout was reads no variable.
//
// finds: testfailure
func Example_lostToFile() {
	out := os.Stdout
	go func() { fmt.Fprintln(out, "a") }()
	// Output: a
}

// A goroutine that has printed is before the end of the example, whoever waits for it.
//
// finds:
func Example_kept() {
	done := make(chan bool)
	go func() { fmt.Println("a"); close(done) }()
	<-done
	// Output: a
}

// finds: datarace
func Example_empty() {
	go func() { _ = os.Stdout.Name() }()
	// Output:
}

// finds:
func Example_stderr() {
	go func() { fmt.Fprintln(os.Stderr, "a") }()
	// Output:
}

// finds: testfailure
func Example_order() {
	done := make(chan bool)
	go func() { fmt.Println("a"); close(done) }()
	fmt.Println("b")
	<-done
	// Output:
	// b
	// a
}

// finds:
func Example_unordered() {
	done := make(chan bool)
	go func() { fmt.Println("a"); close(done) }()
	fmt.Println("b")
	<-done
	// Unordered output:
	// a
	// b
}
