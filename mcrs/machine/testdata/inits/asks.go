package main

import (
	"log/slog"
	"time"
)

var level slog.LevelVar

func main() {
	done := make(chan int)
	limit := time.After(time.Second)
	go func() {
		all := 0
		for i := range 2000 {
			if level.Level() <= slog.LevelDebug {
				println("debug", i)
			}
			all += i * i
		}
		done <- all
	}()
	select {
	case <-done:
	case <-limit:
		panic("it only asks")
	}
}
