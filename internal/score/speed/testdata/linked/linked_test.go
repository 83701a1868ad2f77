// Package linked is a small test that links net/http, as those with testify do.
package linked

import (
	"net/http"
	"testing"
)

func TestStatus(t *testing.T) {
	c := make(chan string)
	go func() { c <- http.StatusText(http.StatusTeapot) }()
	if <-c == "" {
		t.Error("no text")
	}
}
