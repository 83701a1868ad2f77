// Package assembly reads the values that assembly gives to variables of Go: its DATA and GLOBL statements. What it
// understands are plain numbers and strings. A variable that gets something else, the address of a symbol say, or gets
// it by way of a macro, of a file that is included or under a condition, is odd: its value is not known.
package assembly

import (
	"cmp"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Value is what a variable holds when the program starts.
type Value struct {
	Data     []byte // what comes behind them is zero
	ReadOnly bool   // it lies in memory that is never written
	Odd      string // why the value is not known; "" if it is

	declared bool // there is a GLOBL
}

// Function is what is odd of a variable by which Go knows the address of a function in assembly.
const Function = "it is a function"

// Included returns the names in dir of the files that a package's assembly files include from there.
func Included(dir string, names []string) []string {
	all := slices.Clone(names)
	for i := 0; i < len(all); i++ {
		for _, s := range read(dir, all[i]) {
			m := include.FindStringSubmatch(s)
			if m == nil || slices.Contains(all, m[1]) {
				continue
			}
			if _, err := os.Stat(filepath.Join(dir, m[1])); err == nil {
				all = append(all, m[1])
			}
		}
	}
	return all[len(names):]
}

var include = regexp.MustCompile(`^#\s*include\s*"([^"]+)"$`)

// read returns the statements of a file, none if it cannot be read.
func read(dir, name string) []string {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil
	}
	return statements(string(text))
}

// statements splits a text at the ends of lines and at semicolons, but a directive of the preprocessor is one
// statement. Comments are left out.
func statements(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\\\n", " ")
	var out []string
	var b strings.Builder
	directive := func() bool { return strings.HasPrefix(strings.TrimSpace(b.String()), "#") }
	end := func() {
		if s := strings.TrimSpace(b.String()); s != "" {
			out = append(out, s)
		}
		b.Reset()
	}
	for i := 0; i < len(text); {
		rest := text[i:]
		n := 1
		switch c := text[i]; {
		case strings.HasPrefix(rest, "//"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
		case strings.HasPrefix(rest, "/*"):
			if n = strings.Index(rest, "*/") + 2; n < 2 {
				n = len(rest)
			}
			b.WriteByte(' ')
		case c == '"' || c == '\'' || c == '`':
			n = quoted(rest)
			b.WriteString(rest[:n])
		case c == '\n', c == ';' && !directive():
			end()
		default:
			b.WriteByte(c)
		}
		i += n
	}
	end()
	return out
}

// quoted is the length of the quoted text that s begins with.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] != '`':
			i++
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\n' && s[0] != '`':
			return i
		}
	}
	return len(s)
}

// Values returns the values that a package's assembly files, in dir, give to variables, by the linker's names with the
// package's path. included are the files that these include; main says that it is a main package.
func Values(dir string, names, included []string, path string, main bool) map[string]*Value {
	r := &reader{path: path, main: main, values: map[string]*Value{}, macros: map[string]bool{}}
	var files [][]string
	for _, name := range slices.Concat(names, included) {
		files = append(files, read(dir, name))
	}
	for _, s := range files {
		r.define(s)
	}
	r.wild = slices.ContainsFunc(files, r.isWild)
	for i, s := range files {
		r.file(s, i >= len(names))
	}
	for name, v := range r.values {
		switch {
		case v.Odd != "":
		case len(v.Data) > 0 && !v.declared, len(v.Data) == 0 && v.ReadOnly:
			v.Odd = "it has no DATA, or no GLOBL"
		case len(v.Data) == 0:
			delete(r.values, name) // nothing but room
		}
	}
	return r.values
}

// A reader reads the assembly of one package.
type reader struct {
	path   string
	main   bool
	values map[string]*Value
	macros map[string]bool
	wild   bool // it cannot be told which variables the files declare
}

var (
	defines  = regexp.MustCompile(`^#\s*define\s+([^\s(]+)(.*)$`)
	word     = regexp.MustCompile(`[\pL_·∕][\pL\pN_·∕]*`)
	declares = regexp.MustCompile(`\b(DATA|GLOBL|TEXT)\b`)
	data     = regexp.MustCompile(`^DATA\s+([\pL\pN_·∕]+)\s*(?:\+\s*(\w+)\s*)?\(\s*SB\s*\)\s*/\s*(\w+)\s*,\s*\$\s*(.+)$`)
	globl    = regexp.MustCompile(`^GLOBL\s+([\pL\pN_·∕]+)\s*\(\s*SB\s*\)\s*,(?:([^,]*),)?[^,]*$`)
	text     = regexp.MustCompile(`^TEXT\s+([\pL\pN_·∕]+)`)
	static   = regexp.MustCompile(`^(?:DATA|GLOBL|TEXT)\s+[\pL\pN_·∕]+\s*<\s*>`) // of the file alone: no variable of Go
	number   = regexp.MustCompile(`^(\d|\.\d)`)
)

// define notes the macros of a file.
func (r *reader) define(statements []string) {
	for _, s := range statements {
		if m := defines.FindStringSubmatch(s); m != nil {
			r.macros[m[1]] = true
		}
	}
}

// isWild reports whether macros of a file declare something, or name what is declared.
func (r *reader) isWild(statements []string) bool {
	return slices.ContainsFunc(statements, func(s string) bool {
		if m := defines.FindStringSubmatch(s); m != nil {
			return declares.MatchString(m[2])
		}
		names := word.FindAllString(s, 2)
		return declares.MatchString(s) && len(names) == 2 && r.macros[names[1]]
	})
}

// file reads the statements of a file.
func (r *reader) file(statements []string, isIncluded bool) {
	depth := 0 // of conditions
	for _, s := range statements {
		if rest, ok := strings.CutPrefix(s, "#"); ok {
			switch d := strings.TrimSpace(rest); {
			case strings.HasPrefix(d, "if"):
				depth++
			case strings.HasPrefix(d, "endif"):
				depth--
			}
		}
		names := word.FindAllString(s, -1)
		declares := declares.MatchString(s) && !strings.HasPrefix(s, "#") && !static.MatchString(s)
		odd := ""
		switch {
		case r.wild:
			odd = "macros make its declaration"
		case !declares:
			continue
		case isIncluded:
			odd = "its declaration is in a file that is included"
		case depth > 0:
			odd = "its declaration is under a condition"
		case slices.ContainsFunc(names, func(name string) bool { return r.macros[name] }):
			odd = "its declaration has a macro"
		default:
			odd = r.statement(s)
		}
		if odd == "" {
			continue
		}
		for _, name := range names {
			if v := r.value(name); v.Odd == "" {
				v.Odd = odd
			}
		}
	}
}

// value is that of a variable, by its name in assembly.
func (r *reader) value(name string) *Value {
	name = strings.ReplaceAll(strings.ReplaceAll(name, "∕", "/"), "·", ".")
	if own, ok := strings.CutPrefix(name, "main."); ok && r.main {
		name = "." + own
	}
	if strings.HasPrefix(name, ".") {
		name = r.path + name
	}
	v := r.values[name]
	if v == nil {
		v = new(Value)
		r.values[name] = v
	}
	return v
}

// statement reads a declaration. It returns why it does not understand it.
func (r *reader) statement(s string) (odd string) {
	if m := text.FindStringSubmatch(s); m != nil {
		return Function
	}
	if m := globl.FindStringSubmatch(s); m != nil {
		v := r.value(m[1])
		v.declared = true
		flags := func(c rune) bool { return unicode.IsSpace(c) || c == '|' || c == '+' || c == '(' || c == ')' }
		for _, flag := range strings.FieldsFunc(m[2], flags) {
			switch flag {
			case "NOPTR", "16", "0":
			case "RODATA", "8", "24":
				v.ReadOnly = true
			default:
				return "it has the flag " + flag
			}
		}
		return ""
	}
	m := data.FindStringSubmatch(s)
	if m == nil {
		return "it is not written in the usual way"
	}
	off, err := strconv.ParseUint(cmp.Or(m[2], "0"), 0, 24)
	width, err2 := strconv.ParseUint(m[3], 0, 16)
	b := constant(m[4], int(width))
	if err != nil || err2 != nil || b == nil {
		return "it is no plain number or string"
	}
	v := r.value(m[1])
	v.Data = append(v.Data, make([]byte, max(0, int(off)+len(b)-len(v.Data)))...)
	copy(v.Data[off:], b)
	return ""
}

// constant is a constant in memory, nil if it is no plain one.
func constant(s string, width int) []byte {
	out := make([]byte, max(width, 8))
	if strings.HasPrefix(s, `"`) {
		text, err := strconv.Unquote(s)
		if err != nil || len(text) > width {
			return nil
		}
		copy(out, text)
		return out[:width]
	}
	s = strings.TrimSpace(s)
	for strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		s = strings.TrimSpace(s[1 : len(s)-1])
	}
	digits := strings.TrimLeft(s, "+-~ ")
	signs := strings.ReplaceAll(s[:len(s)-len(digits)], " ", "")
	if !number.MatchString(digits) {
		return nil
	}
	if n, err := strconv.ParseUint(digits, 0, 64); err == nil {
		for _, sign := range slices.Backward([]byte(signs)) {
			switch sign {
			case '-':
				n = -n
			case '~':
				n = ^n
			}
		}
		binary.NativeEndian.PutUint64(out, n)
		switch width {
		case 1:
			return []byte{byte(n)}
		case 2:
			binary.NativeEndian.PutUint16(out, uint16(n))
		case 4:
			binary.NativeEndian.PutUint32(out, uint32(n))
		case 8:
		default:
			return nil
		}
		return out[:width]
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || strings.Contains(signs, "~") {
		return nil
	}
	if strings.Count(signs, "-")%2 != 0 {
		f = -f
	}
	switch width {
	case 4:
		binary.NativeEndian.PutUint32(out, math.Float32bits(float32(f)))
	case 8:
		binary.NativeEndian.PutUint64(out, math.Float64bits(f))
	default:
		return nil
	}
	return out[:width]
}
