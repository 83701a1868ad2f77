package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"
)

type myErr struct{ code int }

func (e *myErr) Error() string { return "code " + strconv.Itoa(e.code) }

type person struct {
	Name  string             `json:"name"`
	Age   int                `json:"age,omitempty"`
	Tags  []string           `json:"tags"`
	Extra map[string]any     `json:"extra,omitempty"`
	Next  *person            `json:"next,omitempty"`
	When  time.Time          `json:"when"`
	M     map[string]float64 `json:"m"`
}

type stringer int

func (s stringer) String() string   { return fmt.Sprintf("<%d>", int(s)) }
func (s stringer) GoString() string { return "stringer!" }

func verbs() {
	p := struct {
		A int
		B *string
		C any
		d []byte
	}{1, nil, stringer(3), []byte("hi")}
	fmt.Printf("%v|%+v|%#v|%T\n", p, p, p, p)
	fmt.Printf("%d %5d|%-5d|%05d|%x|%X|%o|%b|%c|%q|%U|%e|%8.3f|%g|%t|%s|%10s|%-10s|%q|%x|% x|%p\n",
		42, 42, 42, 42, 255, 255, 8, 5, 'é', 'x', 0x1F600, 12345.678, math.Pi, 1e21, true, "s", "r", "l", "q\n", "hex", "hex", nil)
	fmt.Printf("%v %v %v %v %s %d %!|%z %d\n", stringer(1), []stringer{2}, map[string]stringer{"k": 4, "a": 5}, [2]bool{true}, errors.New("e"), []any{1, "x"}, 1)
	fmt.Printf("%[2]d %[1]d %*d %.2f %6.2f%% %v %v\n", 1, 2, 4, 7, 2.0/3, 99.5, complex(1, -2), math.Inf(-1))
	var a, b int
	var s string
	n, err := fmt.Sscanf("10 abc 0x1f", "%d %s %v", &a, &s, &b)
	fmt.Println(n, err, a, b, s)
}

func jsons() {
	p := person{Name: "Ann", Tags: []string{"x", "<y>"}, Next: &person{Name: "Bob", Age: 7}, When: time.Date(2024, 2, 29, 1, 2, 3, 4, time.UTC), M: map[string]float64{"z": 1.5, "a": 1e30}}
	b, err := json.MarshalIndent(p, "", "  ")
	fmt.Println(string(b), err)
	var q person
	err = json.Unmarshal(b, &q)
	fmt.Println(err, q.Next.Name, q.When.Equal(p.When), q.Tags, q.M)
	var v any
	err = json.Unmarshal([]byte(`{"a":[1,2,{"b":null}],"c":"\u00e9","d":1e3}`), &v)
	fmt.Println(v, err)
	var se *json.SyntaxError
	fmt.Println(errors.As(json.Unmarshal([]byte(`{"a":}`), &v), &se), se)
	var te *json.UnmarshalTypeError
	fmt.Println(errors.As(json.Unmarshal([]byte(`{"age":"x"}`), &q), &te), te)
	_, err = json.Marshal(map[string]any{"c": make(chan int)})
	fmt.Println(err)
	d := json.NewDecoder(strings.NewReader(`{"name":"a"} {"name":"b"} [`))
	for {
		var x person
		if err := d.Decode(&x); err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(x.Name)
	}
}

func texts() {
	t := template.Must(template.New("t").Funcs(template.FuncMap{"up": strings.ToUpper}).Parse(
		`{{range $i, $e := .Items}}{{if $i}}, {{end}}{{$e | up | printf "%q"}}{{end}}; {{with .M}}{{.k}} {{index . "k"}}{{end}} {{len .Items}} {{.F 3}} {{.P.Name}}{{define "x"}}[{{.}}]{{end}} {{template "x" 5}} {{eq 1 1}} {{and 1 0}}` + "\n"))
	err := t.Execute(os.Stdout, map[string]any{"Items": []string{"a", "b"}, "M": map[string]int{"k": 9}, "F": func(i int) int { return i * i }, "P": &person{Name: "Zoe"}})
	fmt.Println(err)
	fmt.Println(template.Must(template.New("e").Parse("{{.X.Y}}")).Execute(io.Discard, struct{ X int }{}))
	re := regexp.MustCompile(`(?i)(\w+)@(\w+)\.com`)
	fmt.Println(re.FindAllStringSubmatch("Bob@Example.com, al@x.com", -1), re.ReplaceAllString("a@b.com", "$2:$1"), re.MatchString("none"))
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 1, '.', tabwriter.AlignRight)
	fmt.Fprintln(w, "a\tbbb\tc\t")
	fmt.Fprintln(w, "aaaa\tb\tccccc\t")
	w.Flush()
	sc := bufio.NewScanner(strings.NewReader("one two\nthree"))
	sc.Split(bufio.ScanWords)
	for sc.Scan() {
		fmt.Print(sc.Text(), ";")
	}
	fmt.Println(strings.Fields("  a b  c "), strings.Map(func(r rune) rune { return r + 1 }, "HAL"), strings.NewReplacer("a", "1", "b", "2").Replace("abc"), strings.EqualFold("Σ", "ς"))
	fmt.Println(strconv.Quote("a\t\x00é☺"), strconv.FormatFloat(1.0/3, 'g', -1, 32), bytes.Title([]byte("go is")), bytes.Split([]byte("a,b,c"), []byte(",")))
	_, err = strconv.Atoi("12x")
	fmt.Println(err, errors.Is(err, strconv.ErrSyntax))
}

func wrapped() {
	e := fmt.Errorf("outer: %w", fmt.Errorf("mid: %w", &myErr{7}))
	var m *myErr
	fmt.Println(e, errors.As(e, &m), m.code, errors.Is(errors.Join(io.EOF, e), io.EOF), errors.Unwrap(e))
	s := []person{{Name: "c"}, {Name: "a"}, {Name: "b"}}
	sort.Slice(s, func(i, j int) bool { return s[i].Name < s[j].Name })
	fmt.Println(s[0].Name, slices.IndexFunc(s, func(p person) bool { return p.Name == "c" }), slices.Max([]int{1, 9, 3}))
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), "k", 1), time.Millisecond)
	defer cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err(), context.Cause(ctx), ctx.Value("k"))
	t := time.Date(2023, time.November, 5, 13, 4, 5, 678e6, time.FixedZone("X", -3600))
	fmt.Println(t.Format(time.RFC3339Nano), t.Format("Mon Jan _2 15:04:05.000 MST 2006"), t.Add(36*time.Hour).Weekday(), t.YearDay(), time.Duration(3723e9))
	u, err := time.Parse(time.RFC1123, "Sun, 05 Nov 2023 13:04:05 GMT")
	fmt.Println(u, err, t.Sub(u).Round(time.Minute))
	buf := new(bytes.Buffer)
	binary.Write(buf, binary.BigEndian, struct {
		A uint16
		B [2]int32
	}{1, [2]int32{-1, 2}})
	fmt.Println(buf.Bytes(), binary.LittleEndian.Uint32(buf.Bytes()), bits.Len(1000), bits.TrailingZeros32(0), bits.ReverseBytes64(1))
	hi, lo := bits.Mul64(1<<63, 6)
	fmt.Println(hi, lo, math.Sqrt(2), math.Sin(1), math.Pow(2, 0.5), math.Exp(1.5), math.Mod(7, -3))
}

func files() {
	dir, err := os.MkdirTemp("", "x")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "sub", "f.txt")
	fmt.Println(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte("line 1\nline 2\n"), 0o644))
	f, err := os.OpenFile(name, os.O_APPEND|os.O_RDWR, 0)
	fmt.Println(err)
	fmt.Fprintf(f, "line %d\n", 3)
	f.Seek(0, io.SeekStart)
	b, err := io.ReadAll(f)
	fmt.Printf("%q %v %v\n", b, err, f.Close())
	st, err := os.Stat(name)
	fmt.Println(st.Name(), st.Size(), st.Mode(), st.IsDir(), err)
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p)
		fmt.Println(rel, d.IsDir(), err)
		return nil
	})
	_, err = os.Open(filepath.Join(dir, "none"))
	fmt.Println(errors.Is(err, fs.ErrNotExist), os.Remove(filepath.Join(dir, "none")) != nil)
}

func where() {
	pc, file, _, ok := runtime.Caller(0)
	fmt.Println(filepath.Base(file), ok, runtime.FuncForPC(pc).Name())
	func() {
		pc, _, _, _ := runtime.Caller(0)
		fmt.Println(runtime.FuncForPC(pc).Name())
	}()
}

func main() {
	verbs()
	jsons()
	texts()
	wrapped()
	files()
	where()
}
