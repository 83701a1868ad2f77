// Package cmdline holds what heddle's commands have in common on the command line: flags in the form that go's own
// tools take, what to say of a flag or word that nobody knows, packages named by folders and files, and colours.
//
// The commands are cobra's, whose flags are written with two dashes. Users of go vet write long flags with one. So
// LongFlags writes the second dash before cobra sees the arguments, and messages and completions name flags with one
// dash again.
package cmdline
