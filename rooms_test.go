package heddle

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This file keeps the rooms small, and the table of them in docs/architecture.md true.

var updateRooms = flag.Bool("update.rooms", false, "write lines and imports into the table of docs/architecture.md")

// What is larger than this is two things. Tests do not count.
const (
	maxPackageLines = 4000
	maxPackageFiles = 25
	maxTypeFields   = 25
	maxTypeMethods  = 40
)

// roomExceptions are what is larger and is one thing, each with its reason. There may be three.
var roomExceptions = map[string]string{
	"mcrs/solver/z3.library": "a table of C functions, one field for each that is called",
}

// roomDebts are what is larger and has to be cut yet, with its size. It may become smaller, not much larger.
var roomDebts = map[string]int{}

// A room is a package with its sizes.
type room struct {
	lines, files int
	fields       map[string]int // by type
	methods      map[string]int
}

// TestRoomsAreSmall shows that no package and no type is larger than its limit.
func TestRoomsAreSmall(t *testing.T) {
	if len(roomExceptions) > 3 {
		t.Errorf("%d exceptions, three are allowed", len(roomExceptions))
	}
	rooms := measureRooms(t)
	used := map[string]bool{}
	check := func(what, name string, n, limit int) {
		if n <= limit {
			return
		}
		debt := what + " of " + name
		if used[name], used[debt] = true, true; roomExceptions[name] == "" && 10*n > 11*roomDebts[debt] {
			t.Errorf("%s has %d %s, more than %d", name, n, what, max(limit, roomDebts[debt]))
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(rooms)) {
		r := rooms[pkg]
		check("lines", pkg, r.lines, maxPackageLines)
		check("files", pkg, r.files, maxPackageFiles)
		for _, name := range slices.Sorted(maps.Keys(r.fields)) {
			check("fields", pkg+"."+name, r.fields[name], maxTypeFields)
		}
		for _, name := range slices.Sorted(maps.Keys(r.methods)) {
			check("methods", pkg+"."+name, r.methods[name], maxTypeMethods)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(roomExceptions)) {
		if !used[name] {
			t.Errorf("%s is within the limits, and needs no exception", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(roomDebts)) {
		if !used[name] {
			t.Errorf("%s are within the limits: take them off roomDebts", name)
		}
	}
}

// measureRooms measures the packages of this module, by their paths in it.
func measureRooms(t *testing.T) map[string]*room {
	out := map[string]*room{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (d.Name() == "testdata" || d.Name() == "examples" || strings.HasPrefix(d.Name(), ".") || hasModule(name)):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(name))
		r := out[pkg]
		if r == nil {
			r = &room{fields: map[string]int{}, methods: map[string]int{}}
			out[pkg] = r
		}
		r.files++
		r.lines += strings.Count(string(src), "\n")
		for _, d := range f.Decls {
			r.add(d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func hasModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// add counts fields and methods.
func (r *room) add(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return
		}
		typ := d.Recv.List[0].Type
		if p, ok := typ.(*ast.StarExpr); ok {
			typ = p.X
		}
		if x, ok := typ.(*ast.IndexExpr); ok {
			typ = x.X
		}
		if id, ok := typ.(*ast.Ident); ok {
			r.methods[id.Name]++
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			ts, ok := s.(*ast.TypeSpec)
			if !ok {
				continue
			}
			if st, ok := ts.Type.(*ast.StructType); ok {
				for _, f := range st.Fields.List {
					r.fields[ts.Name.Name] += max(1, len(f.Names))
				}
			}
		}
	}
}

var (
	roomRow  = regexp.MustCompile("^\\| (`.*`.*?) \\| (.*) \\| ([0-9]*) \\| (.*) \\|$")
	roomName = regexp.MustCompile("`([a-z0-9/]+)`")
)

// TestArchitectureTable shows that the table of rooms has every package, that its lines of code are right within a
// tenth, and that it says what each room imports, without what those import. A package that is not named belongs to the
// room of its nearest parent that is.
func TestArchitectureTable(t *testing.T) {
	const file = "docs/architecture.md"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Split(string(b), "\n")
	rowOf := map[string]int{} // of a named package: its line
	for i, line := range text {
		if m := roomRow.FindStringSubmatch(line); m != nil {
			for _, name := range roomName.FindAllStringSubmatch(m[1], -1) {
				rowOf[name[1]] = i
			}
		}
	}
	lines, imports := map[int]int{}, map[int]map[int]bool{} // by line of the table
	row := func(pkg string) int {
		for ; pkg != "."; pkg = path.Dir(pkg) {
			if i, ok := rowOf[pkg]; ok {
				return i
			}
		}
		return -1
	}
	all := ownImports(t)
	for pkg, r := range measureRooms(t) {
		i := row(pkg)
		if i < 0 {
			t.Errorf("%s: package %s is in no row of the table of rooms", file, pkg)
			continue
		}
		lines[i] += r.lines
		for _, imp := range all[pkg] {
			if j := row(imp.path); j >= 0 && j != i {
				if imports[i] == nil {
					imports[i] = map[int]bool{}
				}
				imports[i][j] = true
			}
		}
	}
	changed := false
	for i, line := range text {
		m := roomRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var direct []string
		for j := range nearest(imports, i) {
			direct = append(direct, firstName(text[j]))
		}
		slices.Sort(direct)
		want := cmp.Or(strings.Join(direct, ", "), "nothing")
		said, _ := strconv.Atoi(m[3])
		if said == 0 || 10*abs(said-lines[i]) > lines[i] || m[4] != want {
			fresh := fmt.Sprintf("| %s | %s | %d | %s |", m[1], m[2], (lines[i]+5)/10*10, want)
			if text[i], changed = fresh, true; !*updateRooms {
				t.Errorf("%s:%d: %s has %d lines and imports %s: go test -run TestArchitectureTable -update.rooms writes it", file, i+1, m[1], lines[i], want)
			}
		}
	}
	if len(rowOf) == 0 {
		t.Errorf("%s has no table of rooms", file)
	}
	if changed && *updateRooms {
		if err := os.WriteFile(file, []byte(strings.Join(text, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// nearest returns the rooms that a room imports, without those that others of them import.
func nearest(imports map[int]map[int]bool, room int) map[int]bool {
	out := maps.Clone(imports[room])
	for i := range imports[room] {
		seen := map[int]bool{}
		var reach func(int)
		reach = func(j int) {
			for k := range imports[j] {
				if !seen[k] {
					seen[k] = true
					reach(k)
				}
			}
		}
		reach(i)
		if !seen[i] { // rooms that import each other stay
			maps.DeleteFunc(out, func(j int, _ bool) bool { return seen[j] })
		}
	}
	return out
}

// firstName returns the first package of a row.
func firstName(row string) string { return roomName.FindStringSubmatch(row)[1] }

func abs(n int) int { return max(n, -n) }
