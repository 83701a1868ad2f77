package long

import "testing"

func TestPickFollowsTheVariable(t *testing.T) {
	for _, test := range []struct {
		value string
		want  int
	}{{"", 1}, {"0", 1}, {"1", 2}} {
		t.Setenv(Variable, test.value)
		if got := Pick(1, 2); got != test.want {
			t.Errorf("with %s=%s Pick(1, 2) is %d, want %d", Variable, test.value, got, test.want)
		}
	}
}
