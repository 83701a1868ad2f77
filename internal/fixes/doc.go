// Package fixes tests suggested fixes from end to end. Applied by go vet -fix and by heddle -fix, the packages of
// testdata compile, are formatted as gofmt has it, and are explored to the end without a finding.
package fixes
