// Package runner is the heddle command: it takes apart the command line, has the analyzers run, and writes what they
// found.
//
// # Ways in
//
// command.go has the tree of commands; package cmdline has what they have in common.
//
//	heddle [flags] [packages]        check.go: analyse packages from source
//	heddle run [-test] package       interpret.go: run a program in the machine, once
//	heddle replay TOKEN [packages]   replay.go: run the schedule of a finding again
//	heddle graph [-from POS] [packages]  graph.go: write the dependence graph
//	heddle help [command|check|topic|flag]    help.go, topics.go
//	heddle version, heddle completion SHELL
//	go vet -vettool=heddle           vet.go: hand over to x/tools' unitchecker
//
// # Exit codes
//
//	0  Nothing was found.
//	3  Something was found, or a token was reproduced.
//	1  heddle could not do its work, and standard error says what to do about it. Or it was interrupted, and has
//	   found nothing so far.
//
// In vet mode they are those of unitchecker.
//
// # Output
//
// Findings go to standard output. A line for each entry, the totals and errors go to standard error. Each is written as
// soon as it is known. The same sources and flags give the same bytes on both; times stand only in the file of -stats.
package runner

import (
	"errors"
	"fmt"
	"io"
)

// Exit codes.
const (
	exitOK       = 0
	exitFailure  = 1
	exitFindings = 3
)

// Streams are the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main runs the command with the given arguments, without the program's name,
// and returns its exit code. In vet mode it does not return.
func Main(args []string, std Streams) int {
	if isVet(args) {
		vet(args)
	}
	code, err := newCLI(std).run(args)
	for _, e := range flatten(err) {
		fmt.Fprintf(std.Err, "heddle: %v\n", e)
	}
	if err != nil {
		return exitFailure
	}
	return code
}

// flatten returns the single errors that err is made of.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	var many interface{ Unwrap() []error }
	if !errors.As(err, &many) || len(many.Unwrap()) == 0 {
		return []error{err}
	}
	if _, ok := err.(interface{ Unwrap() []error }); !ok {
		return []error{err} // several errors within a sentence about them
	}
	var out []error
	for _, e := range many.Unwrap() {
		out = append(out, flatten(e)...)
	}
	return out
}
