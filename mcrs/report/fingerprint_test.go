package report

import (
	"os"
	"strings"
	"testing"
)

// TestFingerprint shows that a fingerprint survives moved and indented lines, and other schedules. Another line,
// function or check is another finding.
func TestFingerprint(t *testing.T) {
	base := func(change func(*builder, *View, *Finding)) string {
		b, f := race()
		v := b.view()
		change(b, v, f)
		return v.Fingerprint(f)
	}
	want := base(func(*builder, *View, *Finding) {})
	moved := func(name string) ([]byte, error) {
		data, err := os.ReadFile(name + ".src")
		return []byte("// one more line\n\n" + strings.ReplaceAll(string(data), "\n", "\n\t")), err
	}
	for name, got := range map[string]string{
		"moved": base(func(b *builder, v *View, _ *Finding) {
			v.ReadFile = moved
			for i := range b.src {
				b.src[i].line += 2
			}
		}),
		"the accesses the other way round": base(func(_ *builder, _ *View, f *Finding) { f.Events[0], f.Events[1] = f.Events[1], f.Events[0] }),
		"seen from another package":        base(func(_ *builder, v *View, _ *Finding) { v.Packages = []string{"example.com/other"} }),
		"another entry":                    base(func(_ *builder, v *View, _ *Finding) { v.Entry = "TestOther" }),
	} {
		if got != want {
			t.Errorf("%s: another fingerprint", name)
		}
	}
	for name, got := range map[string]string{
		"another check": base(func(_ *builder, _ *View, f *Finding) { f.Category = Deadlock }),
		"another line": base(func(b *builder, _ *View, _ *Finding) {
			for i := range b.src {
				b.src[i].line++
			}
		}),
		"another function": base(func(b *builder, _ *View, f *Finding) { b.t.Stacks[f.Events[0]][0].Func = "example.com/cache.Other" }),
	} {
		if got == want {
			t.Errorf("%s: the same fingerprint", name)
		}
	}
	fails := func(entry, text string) string {
		return base(func(b *builder, v *View, f *Finding) {
			v.Entry, f.Category, f.Threads = entry, Panics, []int{1}
			b.t.Panic = text
		})
	}
	if fails("TestAdd", "panic: index out of range [7]") != fails("TestSub", "panic: index out of range [8]") {
		t.Error("a number in a panic makes it another finding")
	}
	if fails("TestAdd", "panic: one") == fails("TestAdd", "panic: two") {
		t.Error("panics with different texts are one finding")
	}
}
