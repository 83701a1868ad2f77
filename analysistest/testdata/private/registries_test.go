package private

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto"
	"crypto/md5"
	"database/sql"
	"database/sql/driver"
	"encoding/gob"
	"expvar"
	"flag"
	"fmt"
	"hash"
	"image"
	"image/color"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"text/template"
	"time"
)

type gobbed struct{ N int }

type other struct{ N int }

// Two names for one type.
//
// panics: gob: registering duplicate types for "x": private.other != private.gobbed | gob: registering duplicate types for "x": private.gobbed != private.other
func TestGobTwice(t *testing.T) {
	go gob.RegisterName("x", gobbed{})
	gob.RegisterName("x", other{})
	for {
		time.Sleep(time.Hour)
	}
}

// panics: <nil> | zip: unsupported compression algorithm
func TestZip(t *testing.T) {
	go zip.RegisterCompressor(77, func(w io.Writer) (io.WriteCloser, error) { return nil, io.EOF })
	_, err := zip.NewWriter(io.Discard).CreateHeader(&zip.FileHeader{Name: "x", Method: 77})
	if err == io.EOF {
		err = nil
	}
	say(err)
}

// panics: true | false
func TestExpvar(t *testing.T) {
	go expvar.NewInt("heddle")
	say(expvar.Get("heddle") != nil)
}

// panics: Reuse of exported var name: twice
func TestExpvarTwice(t *testing.T) {
	log.SetOutput(io.Discard)
	two(func() { expvar.NewInt("twice") }, func() { expvar.NewInt("twice") })
}

// panics: 1 | 3
func TestExpvarOrder(t *testing.T) {
	m := new(expvar.Map)
	one := new(expvar.Int)
	one.Set(1)
	two(func() { m.Add("k", 2) }, func() { m.Set("k", one) })
	say(m.Get("k"))
}

// panics: true
func TestFlagSet(t *testing.T) {
	v := flag.Bool("heddle.x", false, "")
	c := make(chan bool)
	go func() { flag.Set("heddle.x", "true"); c <- true }()
	<-c
	say(*v)
}

// finds: datarace
// panics: true | false
func TestFlagLookup(t *testing.T) {
	done := make(chan bool)
	go func() { flag.Bool("heddle.y", false, ""); close(done) }()
	found := flag.Lookup("heddle.y") != nil
	<-done
	say(found)
}

// panics: a | b
func TestImageFormats(t *testing.T) {
	format := func(name string) func() {
		return func() {
			image.RegisterFormat(name, "MAGIC", func(io.Reader) (image.Image, error) { return nil, nil }, func(io.Reader) (image.Config, error) { return image.Config{ColorModel: color.GrayModel}, nil })
		}
	}
	two(format("a"), format("b"))
	_, name, _ := image.DecodeConfig(strings.NewReader("MAGIC"))
	say(name)
}

type noDriver struct{}

func (noDriver) Open(string) (driver.Conn, error) { return nil, io.EOF }

// panics: <nil> | sql: unknown driver "heddle" (forgotten import?)
func TestSQL(t *testing.T) {
	go sql.Register("heddle", noDriver{})
	_, err := sql.Open("heddle", "")
	say(err)
}

// panics: 404 | 200
func TestServeMux(t *testing.T) {
	go http.HandleFunc("/x", func(http.ResponseWriter, *http.Request) {})
	w := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(w, httptest.NewRequest("GET", "/x", nil))
	say(w.Code)
}

// panics: true
func TestRegisterHash(t *testing.T) {
	const unused = crypto.MD4
	done := make(chan bool)
	go func() { crypto.RegisterHash(unused, func() hash.Hash { return md5.New() }); close(done) }()
	<-done
	say(unused.Available())
}

// panics: "" | heddle:
func TestLogPrefix(t *testing.T) {
	go log.SetPrefix("heddle:")
	if s := log.Prefix(); s != "" {
		say(s)
	}
	say(`""`)
}

// panics: "" | x
func TestLogOutput(t *testing.T) {
	var b bytes.Buffer
	log.SetFlags(0)
	done := make(chan bool)
	go func() { log.SetOutput(&b); close(done) }()
	log.Print("x")
	<-done
	if b.Len() == 0 {
		say(`""`)
	}
	say(b.String())
}

// panics: true | false
func TestSlogDefault(t *testing.T) {
	l := slog.New(slog.NewTextHandler(io.Discard, nil))
	go slog.SetDefault(l)
	say(slog.Default() == l)
}

// panics: x | ""
func TestEnviron(t *testing.T) {
	go os.Setenv("HEDDLE_Y", "x")
	if s := os.ExpandEnv("$HEDDLE_Y"); s != "" {
		say(s)
	}
	say(`""`)
}

// panics: true | false
func TestTemplateFuncs(t *testing.T) {
	tm := template.New("x")
	go func() { template.Must(tm.New("y").Parse("t")) }()
	say(tm.Lookup("y") != nil)
}

// panics: 1 2 | 2 1
func TestContextCounters(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := make(chan int, 2)
	context.AfterFunc(ctx, func() { c <- 1 })
	context.AfterFunc(ctx, func() { c <- 2 })
	cancel()
	say(<-c, <-c)
}

// Formatting is nobody's business: one execution, one outcome.
//
// panics: 1 2
func TestSprintf(t *testing.T) {
	var a, b string
	two(func() { a = fmt.Sprintf("%d", 1) }, func() { b = fmt.Sprintf("%v", 2) })
	say(a, b)
}
