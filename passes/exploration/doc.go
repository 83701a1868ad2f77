// Package exploration defines an Analyzer that explores the interleavings of a package's tests, for the checks to
// report from.
//
// # Analyzer exploration
//
// exploration: run the package's tests under every interleaving that matters
//
// The tests, fuzz targets, examples and main function of the package are its entries. Each is run in a machine of
// Heddle's own, again and again, under schedules that an explorer chooses, until every interleaving is accounted for or
// a limit strikes. Nothing of the package runs natively.
//
// The analyzer itself reports two things only: a fault of Heddle's own (category internal), and, with
// -exploration.incomplete, each entry that was not explored to the end, and why. What the entries do wrong is reported
// by the checks.
//
// If no code of a package could start a goroutine, only the entries that may wait for ever are run, with a small
// budget, and their deadlocks and fatal errors are reported: waits.go. Under go vet they are not run, unless
// -sequential asks.
//
// # The rooms it joins
//
// The package takes the recipe of the closed program from passes/closure, has it built and loaded into the machine, and
// hands the machine to an explorer. Types and positions of the analysis pass are never mixed with those of the program,
// which has a FileSet of its own: positions go back by file and offset.
//
// Run never returns an error: a build tool would report it once and then cache silence. A panic within Heddle becomes a
// finding of the entry at which it struck, and the others go on.
package exploration
