package main

import "time"

var shards = 32

type table struct{ items map[string]int }

func newTables() []*table {
	m := make([]*table, shards)
	for i := 0; i < shards; i++ {
		m[i] = &table{make(map[string]int)}
	}
	return m
}

func main() {
	stop := make(chan bool)
	go func() {
		select {
		case <-time.After(time.Second):
		case <-stop:
		}
	}()
	all := make([][]*table, 400)
	for i := range all {
		all[i] = newTables()
	}
	println(len(all))
	close(stop)
}
