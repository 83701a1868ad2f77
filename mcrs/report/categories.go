package report

// Categories are all categories, in the order of output.
var Categories = []Category{DataRace, Deadlock, GoroutineLeak, Livelock, Panics, Robustness, TestFailure, Internal}
