// Package closure defines an Analyzer that produces the recipe of a package's
// source closure, as a result and as a package fact.
//
// # Analyzer closure
//
// closure: find the sources that a package's tests are made of
//
// A build tool hands a checker one package at a time: its files, and for what
// it imports types without bodies. To run the package's tests, Heddle needs the
// bodies of everything. This analyzer reports nothing; it hands each package's
// recipe (import paths, folders, file names, language versions, content
// hashes) to the packages that import it, until the one under analysis
// has the recipe of its whole closure.
//
// The fact holds a digest of file contents. So a build tool's cache notices when
// nothing but a function's body deep below has changed, which leaves all types as they were.
package closure
