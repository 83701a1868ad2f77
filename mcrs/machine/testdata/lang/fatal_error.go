package main

import "fmt"

type E struct{ n int }

func (e *E) Error() string { return fmt.Sprint("error ", e.n, "\nsecond line") }

func main() {
	defer fmt.Println("deferred")
	defer func() { panic(fmt.Errorf("wrapped: %w", &E{2})) }()
	panic(&E{1})
}
