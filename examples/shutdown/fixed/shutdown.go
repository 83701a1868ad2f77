// Package shutdown stops a server from more than one place.
package shutdown

import "sync"

// A Server runs until it is stopped.
type Server struct {
	stop    sync.Once
	stopped chan struct{}
}

// New returns a server.
func New() *Server {
	return &Server{stopped: make(chan struct{})}
}

// Wait returns when the server is stopped.
func (s *Server) Wait() {
	<-s.stopped
}

// Stop stops the server. It may be called again.
func (s *Server) Stop() {
	// Only one of the callers closes the channel.
	s.stop.Do(func() { close(s.stopped) })
}
