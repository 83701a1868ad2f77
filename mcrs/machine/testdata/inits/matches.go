package main

import (
	"regexp"
	"strings"
	"time"
)

var pattern = regexp.MustCompile(`(\w+)-(\d+|[a-f]*) .*end$`)

func main() {
	stop := make(chan bool)
	go func() {
		select {
		case <-time.After(time.Second):
		case <-stop:
		}
	}()
	text := strings.Repeat("word-12 and other-ab words ", 20) + "end"
	println(len(pattern.FindAllString(text, -1)))
	close(stop)
}
