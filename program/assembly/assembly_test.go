package assembly

import (
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestValues reads assembly. What the compiled program makes of values is in package machine's TestAssembly.
func TestValues(t *testing.T) {
	const globl = "; GLOBL ·x(SB), NOPTR, $8"
	tests := []struct{ name, text, want string }{
		{"number", "DATA ·x(SB)/2, $0x1234" + globl, "p.x 3412"},
		{"gap", "DATA ·x+3(SB)/1, $-1" + globl, "p.x 000000ff"},
		{"several signs", "DATA ·x(SB)/1, $-~(1)" + globl, "p.x odd: it is no plain number or string"},
		{"read-only", "DATA ·x(SB)/1, $1\nGLOBL ·x(SB), RODATA+NOPTR, $8", "p.x 01 read-only"},
		{"of the main package", "DATA main·x(SB)/1, $1\nGLOBL ·x(SB), $8", "p.x 01"},
		{"of another package", "DATA a∕b·x(SB)/1, $1\nGLOBL a∕b·x(SB), $8", "a/b.x 01"},
		{"of the file", "DATA ·x<>(SB)/1, $1\nGLOBL ·x<>(SB), $8", ""},
		{"room", "GLOBL ·x(SB), NOPTR, $8", ""},
		{"a comment", "/* DATA ·x(SB)/1, $1\n */ // DATA ·x(SB)/1, $1", ""},
		{"a function", "TEXT ·x(SB), 0, $0\n\tRET", "p.x odd: it is a function"},
		{"an address", "DATA ·x(SB)/8, $·y(SB)" + globl, "p.x odd: it is no plain number or string; p.y odd: it is no plain number or string"},
		{"an expression", "DATA ·x(SB)/8, $1<<3" + globl, "p.x odd: it is no plain number or string"},
		{"at an expression", "DATA ·x+(2*4)(SB)/8, $1" + globl, "p.x odd: it is not written in the usual way"},
		{"far", "DATA ·x+0x10000000(SB)/8, $1" + globl, "p.x odd: it is no plain number or string"},
		{"twice", "DATA ·x(SB)/8, $1\nGLOBL ·x(SB), DUPOK, $8", "p.x odd: it has the flag DUPOK"},
		{"a macro's value", "#define V 1\nDATA ·x(SB)/8, $V" + globl, "p.x odd: its declaration has a macro"},
		{"a macro's name", "#define X ·x\nDATA X(SB)/8, $1; GLOBL X(SB), $8", "p.x odd: macros make its declaration"},
		{"a macro's declaration", "#define D(x) \\\n\tDATA x(SB)/8, $1; \\\n\tGLOBL x(SB), $8\nD(·x)", "p.x odd: macros make its declaration"},
		{"a condition", "#ifdef GOARCH_amd64\nDATA ·x(SB)/8, $1\n#endif\nGLOBL ·x(SB), $8", "p.x odd: its declaration is under a condition"},
		{"behind a condition", "#ifdef A\n#else\n#endif\nDATA ·x(SB)/1, $2" + globl, "p.x 02"},
		{"included", "#include \"x.h\"", "p.x odd: its declaration is in a file that is included"},
		{"without GLOBL", "DATA ·x(SB)/8, $1", "p.x odd: it has no DATA, or no GLOBL"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"a.s": test.text, "x.h": "DATA ·x(SB)/8, $1\nGLOBL ·x(SB), $8\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			names := []string{"a.s"}
			values := Values(dir, names, Included(dir, names), "p", true)
			var got []string
			for _, name := range slices.Sorted(maps.Keys(values)) {
				switch v := values[name]; {
				case v.Odd != "" && (name == "p.x" || name == "p.y"):
					got = append(got, name+" odd: "+v.Odd)
				case v.Odd == "":
					got = append(got, fmt.Sprint(name, " ", hex.EncodeToString(v.Data), map[bool]string{true: " read-only"}[v.ReadOnly]))
				}
			}
			if got := strings.Join(got, "; "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
