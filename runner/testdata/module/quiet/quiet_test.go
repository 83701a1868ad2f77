package quiet

import "testing"

func TestTwo(t *testing.T) {
	if Two() != 2 {
		t.Error("Two() is not 2")
	}
}
