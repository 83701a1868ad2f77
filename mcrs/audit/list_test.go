package audit

import (
	"reflect"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// TestList asks that each line of the list names a field that is there, and has its reason.
func TestList(t *testing.T) {
	have := map[string]bool{}
	seen := map[reflect.Type]bool{}
	var walk func(x reflect.Type)
	walk = func(x reflect.Type) {
		if seen[x] {
			return
		}
		seen[x] = true
		switch x.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			walk(x.Elem())
		case reflect.Map:
			walk(x.Key())
			walk(x.Elem())
		case reflect.Struct:
			for i := range x.NumField() {
				have[x.String()+"."+x.Field(i).Name] = true
				walk(x.Field(i).Type)
			}
		}
	}
	walk(reflect.TypeFor[machine.Machine]())
	walk(reflect.TypeFor[sched.State]())
	for k, why := range apart {
		if !have[k] || why == "" {
			t.Errorf("the list has %s: %q; there: %t", k, why, have[k])
		}
	}
	for k := range written {
		if !have[k] {
			t.Errorf("no field %s", k)
		}
		if _, ok := apart[k]; ok {
			t.Errorf("%s is left out, and written", k)
		}
	}
}
