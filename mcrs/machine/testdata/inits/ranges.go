package main

import "time"

func main() {
	sizes := map[int]int{}
	for i := range 300 {
		sizes[i] = i
	}
	done := make(chan int)
	limit := time.After(time.Second)
	for range 2 {
		go func() {
			all := 0
			for _, n := range sizes {
				all += n
			}
			done <- all
		}()
	}
	for range 2 {
		select {
		case <-done:
		case <-limit:
			panic("they only range")
		}
	}
}
