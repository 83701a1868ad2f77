package rtype

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

// This file runs the other tests again over random types, which an overlay puts in place of the corpus's random.go.

var randSeed = flag.Uint64("rtype.seed", 1, "seed of TestRandom's types")

func TestRandom(t *testing.T) {
	if os.Getenv(randomFile) != "" {
		t.Skip()
	}
	dir := t.TempDir()
	src := filepath.Join(dir, "random.go")
	if err := os.WriteFile(src, []byte(generate(*randSeed, long.Pick(60, 250))), 0o666); err != nil {
		t.Fatal(err)
	}
	old, err := filepath.Abs("internal/corpus/random.go")
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {old: src}})
	if err != nil {
		t.Fatal(err)
	}
	over := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(over, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-vet=off", "-v", "-overlay", over, ".")
	cmd.Env = append(os.Environ(), randomFile+"="+src)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("-rtype.seed=%d: %v\n%s", *randSeed, err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "descriptors") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

// A generator writes the source of random types.
type generator struct {
	*rand.Rand
	b     strings.Builder
	kinds []string // underlying kind of T0, T1, …
	comp  []bool
}

func generate(seed uint64, n int) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0))}
	g.b.WriteString("package corpus\n\nimport (\n\t\"io\"\n\t\"time\"\n\t\"unsafe\"\n)\n\nvar _ io.Reader\nvar _ time.Duration\nvar _ unsafe.Pointer\n\n")
	g.kinds, g.comp = make([]string, n), make([]bool, n)
	for i := range n {
		g.kinds[i] = []string{"struct", "struct", "struct", "interface", "int", "string", "slice", "map", "func", "pointer", "array"}[g.IntN(11)]
	}
	for i := range n {
		g.decl(i)
	}
	g.b.WriteString("func random() []any {\n\treturn []any{\n")
	for i := range n {
		fmt.Fprintf(&g.b, "\t\tnew(%s), new(%s),\n", g.typeName(i), g.ref(i))
		c := false
		fmt.Fprintf(&g.b, "\t\tnew(%s),\n", g.typ(n, 3, &c))
	}
	g.b.WriteString("\t}\n}\n")
	return g.b.String()
}

func (g *generator) typeName(i int) string {
	if i%3 == 0 {
		return fmt.Sprint("T", i)
	}
	return fmt.Sprint("t", i)
}

// ref spells a type that mentions Ti.
func (g *generator) ref(i int) string {
	return fmt.Sprintf([]string{"*%s", "[]%s", "chan %s", "func() %s", "List[%s]", "[3]%s", "func(...%s)", "**%s"}[g.IntN(8)], g.typeName(i))
}

var methodSigs = map[string]string{
	"A": "()", "B": "(int) string", "C": "(...any) error", "D": "(x, y *T0) (a, b int)", "a": "()", "b": "(func()) io.Reader", "_c": "() t1", "Ä": "(time.Time)",
}

func (g *generator) methodName() string {
	names := []string{"A", "B", "C", "D", "a", "b", "_c", "Ä"}
	return names[g.IntN(len(names))]
}

func (g *generator) decl(i int) {
	name := g.typeName(i)
	var text string
	comp := true
	switch g.kinds[i] {
	case "struct":
		text = g.structType(i, 3, &comp)
	case "interface":
		text = g.iface(i)
	case "int":
		text = []string{"int", "byte", "float64", "uint16", "bool", "complex64", "float32", "uintptr"}[g.IntN(8)]
	case "string":
		text = "string"
	case "slice":
		text, comp = "[]"+g.typ(len(g.kinds), 2, new(bool)), false
	case "map":
		k := true
		text, comp = "map["+g.key(i)+"]"+g.typ(len(g.kinds), 2, &k), false
	case "func":
		text, comp = g.fn(), false
	case "pointer":
		text = "*" + g.typ(len(g.kinds), 2, new(bool))
	case "array":
		text = fmt.Sprintf("[%d]%s", g.IntN(4), g.typ(i, 2, &comp))
	}
	g.comp[i] = comp
	fmt.Fprintf(&g.b, "type %s %s\n", name, text)
	if g.kinds[i] != "interface" && g.kinds[i] != "pointer" {
		seen := map[string]bool{}
		for range g.IntN(4) {
			m := g.methodName()
			if seen[m] {
				continue
			}
			seen[m] = true
			fmt.Fprintf(&g.b, "func (%s%s) %s%s { panic(0) }\n", []string{"", "*"}[g.IntN(2)], name, m, methodSigs[m])
		}
	}
	g.b.WriteString("\n")
}

func (g *generator) iface(i int) string {
	var b strings.Builder
	b.WriteString("interface {")
	seen := map[string]bool{}
	for range g.IntN(4) {
		if m := g.methodName(); !seen[m] {
			seen[m] = true
			fmt.Fprintf(&b, " %s%s;", m, methodSigs[m])
		}
	}
	if g.IntN(3) == 0 && i > 0 {
		for k := range g.kinds[:min(i, len(g.kinds))] {
			if g.kinds[k] == "interface" && g.IntN(3) == 0 {
				fmt.Fprintf(&b, " %s;", g.typeName(k))
				break
			}
		}
	}
	b.WriteString(" }")
	return b.String()
}

func (g *generator) fn() string {
	var b strings.Builder
	b.WriteString("func(")
	n := g.IntN(4)
	variadic := g.IntN(3) == 0
	for k := range n {
		if variadic && k == n-1 {
			b.WriteString("...")
		}
		b.WriteString(g.typ(len(g.kinds), 1, new(bool)) + ", ")
	}
	b.WriteString(") (")
	for range g.IntN(3) {
		b.WriteString(g.typ(len(g.kinds), 1, new(bool)) + ", ")
	}
	b.WriteString(")")
	return strings.Replace(b.String(), " ()", "", 1)
}

func (g *generator) structType(below, depth int, comp *bool) string {
	var b strings.Builder
	b.WriteString("struct {")
	embedded := map[int]bool{}
	for k := range g.IntN(6) {
		switch {
		case g.IntN(4) == 0 && below > 0 && below < len(g.kinds):
			e := g.IntN(below)
			if embedded[e] || g.kinds[e] == "pointer" {
				continue
			}
			embedded[e] = true
			if g.kinds[e] != "interface" && g.IntN(2) == 0 {
				b.WriteString(" *")
			} else {
				*comp = *comp && g.comp[e]
			}
			b.WriteString(" " + g.typeName(e))
		default:
			name := fmt.Sprint([]string{"f", "F", "_x"}[g.IntN(3)], k)
			if g.IntN(6) == 0 {
				name = "_"
			}
			b.WriteString(" " + name + " " + g.typ(below, depth-1, comp))
		}
		if g.IntN(6) == 0 {
			fmt.Fprintf(&b, " `k%d:\"v\"`", k)
		}
		b.WriteString(";")
	}
	b.WriteString(" }")
	return b.String()
}

// key spells a comparable type.
func (g *generator) key(below int) string {
	for {
		c := true
		if t := g.typ(below, 2, &c); c {
			return t
		}
	}
}

// typ spells a type; it holds values only of T0 … T(below-1), and clears comp if it is not comparable.
func (g *generator) typ(below, depth int, comp *bool) string {
	all := len(g.kinds)
	if depth <= 0 {
		switch g.IntN(3) {
		case 0:
			if below > 0 {
				i := g.IntN(below)
				*comp = *comp && g.comp[i]
				return g.typeName(i)
			}
		case 1:
			return "*" + g.typeName(g.IntN(all))
		}
		return []string{
			"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "bool", "string", "string",
			"float32", "float64", "complex64", "complex128", "unsafe.Pointer", "error", "any", "any", "io.Reader", "time.Duration", "struct{}", "Alias",
		}[g.basic(comp)]
	}
	switch g.IntN(11) {
	case 0:
		return "*" + g.typ(all, depth-1, new(bool))
	case 1:
		*comp = false
		return "[]" + g.typ(all, depth-1, new(bool))
	case 2:
		return fmt.Sprintf("[%d]%s", g.IntN(4), g.typ(below, depth-1, comp))
	case 3:
		return []string{"chan ", "<-chan ", "chan<- "}[g.IntN(3)] + "(" + g.typ(all, depth-1, new(bool)) + ")"
	case 4:
		*comp = false
		return "map[" + g.key(below) + "]" + g.typ(all, depth-1, new(bool))
	case 5:
		*comp = false
		return g.fn()
	case 6:
		return g.iface(below)
	case 7, 8:
		return g.structType(below, depth, comp)
	case 9:
		return "*List[" + g.typ(below, depth-1, new(bool)) + "]"
	}
	return g.typ(below, 0, comp)
}

func (g *generator) basic(comp *bool) int {
	i := g.IntN(26)
	if i == 25 { // Alias holds a func
		*comp = false
	}
	return i
}
