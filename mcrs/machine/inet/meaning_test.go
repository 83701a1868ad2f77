package inet

import (
	"regexp"
	"strings"
	"testing"
)

// TestMeaningsName checks that each function of which a meaning is known is one of the overlay.
func TestMeaningsName(t *testing.T) {
	declared := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (?:\(\w+ \*?(\w+)\) )?(\w+)\(`)
	for _, sources := range Overlay() {
		for _, src := range sources {
			for _, m := range function.FindAllStringSubmatch(src, -1) {
				name := m[2]
				if m[1] != "" {
					name = m[1] + "." + name
				}
				declared[name] = true
			}
		}
	}
	for key := range steps {
		name, _, _ := strings.Cut(key, " ")
		if name, _, _ = strings.Cut(name, "$"); !declared[name] {
			t.Errorf("the overlay has no function %s", name)
		}
	}
}

// TestFaultsText checks that what is written of faults is read again, and what is no list of faults is refused.
func TestFaultsText(t *testing.T) {
	for _, text := range []string{"", "short", "reset,drop", "short,reset,refused,late,drop:3"} {
		f, err := ParseFaults(text)
		if err != nil || f.String() != text {
			t.Errorf("%q: %q, %v", text, f.String(), err)
		}
	}
	if f, err := ParseFaults("all:2"); err != nil || f.String() != "short,reset,refused,late,drop:2" {
		t.Errorf("all:2: %q, %v", f, err)
	}
	for _, text := range []string{"x", "reset,", "reset:", "reset:0", "reset:101", "reset:1x", ":1", "reset:-1", "Reset"} {
		if f, err := ParseFaults(text); err == nil {
			t.Errorf("%q is taken for %q", text, f)
		}
	}
}
