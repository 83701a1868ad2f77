package loop

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
)

// TestEveryWaitHasARule shows that the machine says of each kind of operation that can wait when it is enabled, and of no other.
func TestEveryWaitHasARule(t *testing.T) {
	for k := range event.NumKinds {
		if want := k.CanWait() && !k.IsComm(); (enabling[k] != nil) != want {
			t.Errorf("%v: mcrs/event says that it can wait: %v; enabling has a rule: %v", k, want, enabling[k] != nil)
		}
	}
}
