// Package again has a client of net/http that asks again when a connection breaks, with -faults=reset.
package again

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// buy sends a request until it is answered.
func buy(t *testing.T, transport *http.Transport, url string) {
	c := &http.Client{Transport: transport}
	for range 3 {
		r, err := c.Post(url, "text/plain", strings.NewReader("one"))
		if err == nil {
			r.Body.Close()
			return
		}
	}
	t.Log("no answer")
}

// TestRetry counts an order twice whose answer was lost.
func TestRetry(t *testing.T) {
	sold := make(chan bool, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { sold <- true }))
	transport := &http.Transport{}
	buy(t, transport, s.URL)
	transport.CloseIdleConnections()
	s.Close()
	if len(sold) > 1 {
		t.Error("sold twice") // want `test failure: sold twice`
	}
}

// TestRetryRepaired knows an order by its number.
func TestRetryRepaired(t *testing.T) {
	sold := make(chan bool, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case sold <- true:
		default:
		}
	}))
	transport := &http.Transport{}
	buy(t, transport, s.URL)
	transport.CloseIdleConnections()
	s.Close()
	if len(sold) > 1 {
		t.Error("sold twice")
	}
}
