// Package still starts nothing and waits for nothing.
package still

import "testing"

func TestForEver(t *testing.T) {
	for {
	}
}
