// Package litmustest has what tests of several explorers share: ways to write programs down, programs of which
// something is known, the parts of random programs, and their outcomes by brute force.
package litmustest
