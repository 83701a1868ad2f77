package main

import "time"

type schedule struct{ minutes, hours uint64 }

// next is the minute of the day that comes next: it looks at the schedule for each minute that does not.
func (s *schedule) next(minute int) int {
	for s.hours&(1<<(minute/60%24)) == 0 || s.minutes&(1<<(minute%60)) == 0 {
		minute++
	}
	return minute
}

func main() {
	s := &schedule{minutes: 1 << 59, hours: 1 << 23}
	done := make(chan int)
	limit := time.After(time.Second)
	go func() {
		at := 0
		for range 3 {
			at = s.next(at) + 1
		}
		done <- at
	}()
	select {
	case at := <-done:
		if at != 3*24*60 {
			panic(at)
		}
	case <-limit:
		panic("it only reckons")
	}
}
