package branches

import "testing"

func TestPick(t *testing.T) {
	if pick(1, 2) != 2 {
		t.Error("wrong")
	}
}
