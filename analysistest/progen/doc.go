// Package progen draws small random concurrent Go programs, and compares what explorers, brute force and the compiled
// program make of them.
//
// # Programs
//
// Generate draws a program from a seed: a function of two to four goroutines and about a dozen visible operations. They
// are over channels, select, the locks of sync, WaitGroup, Once, Cond, Pool, sync.Map, sync/atomic, context, a small
// errgroup, timers, maps and slices. There are branches on what was read, early returns, panics, recover, Goexit, and
// goroutines started inside goroutines. The same seed gives the same program. Every program compiles.
//
// A program keeps a log for each goroutine: what its operations returned. Source puts many programs in one package.
// What a log is depends on who runs it (see package prelude).
//
// # Comparison
//
// Check.Run explores a program and compares with the oracle, which goes through every state: the same outcomes, racing
// pairs of sites and blocked sets. A program that is too large for the oracle is drawn again with fewer operations, and
// never counted as it was. Native runs the compiled program many times. All that it shows must be among what the oracle
// met. NewNativeAPI does so for tests of GenerateAPI, with what an exhausted explorer met in place of the oracle.
//
// # Limits
//
// Native outcomes are compared only for programs without data races. The machine is sequentially consistent, and so, by
// the Go memory model, are these programs alone. For the others, the pairs that the race detector reports are compared.
// A program that uses sync.Pool is compared with the oracle only: a Pool of the runtime drops what it likes, and the
// machine's is a stack.
package progen
