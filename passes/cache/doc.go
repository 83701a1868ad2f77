// Package cache keeps what exploring an entry gave. The entry need not be explored again while nothing has changed that
// its executions depend on.
//
// # What is in the key
//
//	KEY1  Heddle itself: a hash of the program that runs. The standard library: the toolchain's version and GOROOT.
//	KEY2  The target (GOOS, GOARCH). The settings of GODEBUG by go line, godebug lines and directives. The package and
//	      its folder. The entry with its kind and, of an example, its expected output.
//	KEY3  All flags but those that are known to change no answer (exploration.silentFlags). What heddle.yaml says of
//	      the entry. The environment that the entry is given. Whether entries take turns, which is the order of lines.
//	KEY4  The shell of the program (package digest, DIG2): packages and their order, variables, initialisers, the
//	      types that these reach, embedded files, linknames.
//	KEY5  The declared functions on which its executions depend (mcrs/machine/vm/notes.go), each by its digest (DIG1).
//	KEY6  The lines of those functions in which the program asked for a position (DIG3). Of those in which package
//	      testing did, for the log: how long file names and lines are.
//	KEY7  What the machine decides by looking at the whole program (machine.Facts).
//	KEY8  What the program learnt of the host: files with their contents, folders with their lists, links, and names
//	      that are not there.
//	KEY9  The types that the functions of KEY5 reach, each by its digest (DIG4).
//
// KEY1 to KEY3 are known before, so they name a folder of the store. The others stand in the records of that folder. A
// record holds if they are what they were. A hash of all files of the program (go.work, vendor and build tags choose
// them) is asked first: if it is the same, so are KEY4 to KEY7, and KEY9.
//
// # Why that is enough
//
// An execution is determined by the program, the world of the entry, and the choices of the scheduler. The explorer is
// a function of executions and of its settings, and of nothing else: it reads no clock, and no order of a map reaches
// its choices. So let the key of an entry be the same in two programs, and let all executions so far have been the
// same, step by step. The next step is of a function that has been called. It does the same, because:
//
//   - its code is the same, by KEY4, KEY5 and KEY9
//   - its operands are the same, by induction
//   - what the machine adds is the same, by KEY1 and KEY7
//   - what the boundary answers is the same, by KEY2, KEY3 and KEY8, and positions by KEY6
//
// If it calls a function, that function was called in the other program, and is in KEY5. Initialisers come before: they
// are in KEY4, and what they call is in KEY5. ∎
//
// Who asks the dependence graph of the whole program (the explorers mcr-s and mcr-s+, and -deps=static) needs more. For
// them the hash of all files has to be the same.
//
// # What is kept
//
// The verdict with its reason and bounds, the statistics without times, and of each finding its category and its seed.
// A finding is shown only after its seed was run again and showed it. So positions, stacks and tokens are those of the
// sources at hand. What the seed does not show is not kept, nor is a fault of Heddle itself.
//
// # The store
//
// Each record is one file, named by the hash of its contents, in a folder named by the hash of KEY1 to KEY3. It is
// written under another name and then renamed. A file whose contents do not have the hash of its name is no record. So
// processes need no lock: they add files, and each file is whole or not there. A process that is killed leaves a file
// with another name, which goes when it is old. Once a record cannot be written (a full disk, a folder that may only be
// read) no more are; those that are there are read all the same.
package cache
