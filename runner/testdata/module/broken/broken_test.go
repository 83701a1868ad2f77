package broken

import "testing"

func TestStart(t *testing.T) { Start() }
