// Package litmustest has what tests of several explorers share: ways to write programs down, programs of which something is known, what random
// programs are made of, and their outcomes by brute force.
package litmustest
