// Package explore says what an explorer is, and has what all of them need. Given a machine that runs a program under a
// scheduler, an explorer chooses the schedules, within limits, and reports what the executions showed.
//
// A Session counts executions against the limits, looks for what each execution shows by itself (Failures), and has
// what was only predicted replayed. At its end it makes the witnesses, as short as a bounded search finds them
// (minimise.go). ExploreRegimes explores under both regimes of virtual time (timing.go).
//
// The explorers are packages below this one, and mcrs/explore/explorers knows them by name. They know the machine only
// as a sched.Machine.
package explore
