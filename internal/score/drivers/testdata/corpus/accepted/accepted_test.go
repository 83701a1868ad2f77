package accepted

import (
	"testing"
)

func TestAccepted(t *testing.T) {
	n, m, done := 0, 0, make(chan bool)
	go func() {
		n++
		m++
		done <- true
	}()
	n++ //nolint:heddle // known
	m++ // want "data race: m"
	<-done
}
