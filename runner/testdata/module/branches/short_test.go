package branches

import "testing"

func TestShort(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
}
