// Package speed has the benchmarks of docs/performance.md: how fast the machine computes, how many executions
// a second it makes, and how soon it is ready.
package speed
