// Package shutdown stops a server from more than one place.
package shutdown

// A Server runs until it is stopped.
type Server struct {
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
	select {
	case <-s.stopped:
		return
	default:
	}
	// BUG: two goroutines can both find the channel open, and the second of
	// them closes a closed channel.
	close(s.stopped)
}
