package room

import (
	"errors"
	"time"
)

func Ask(f func() string) (string, error) {
	answer := make(chan string)
	go func() {
		answer <- f()
	}()
	select {
	case a := <-answer:
		return a, nil
	case <-time.After(time.Second):
		return "", errors.New("late")
	}
}
