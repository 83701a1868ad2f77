package cache

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// This file writes a store while something goes wrong: a process ends, a disk is full, a folder goes away. What was
// there is still there, a record that was not written is a miss, and the next process writes it.

// A faulty file lets so many bytes be written, and then calls fail.
type faulty struct {
	file
	room int
	fail func() error
}

func (f *faulty) Write(b []byte) (int, error) {
	if len(b) <= f.room {
		f.room -= len(b)
		return f.file.Write(b)
	}
	n, _ := f.file.Write(b[:f.room])
	return n, f.fail()
}

// failing makes the files of a store faulty.
func (s *Store) failing(room int, fail func() error) *Store {
	create := s.create
	s.create = func(dir string) (file, error) {
		f, err := create(dir)
		return &faulty{f, room, fail}, err
	}
	return s
}

// stands checks that a store has these records of the key, in any order, and that it can be written.
func stands(t *testing.T, what, dir string, want ...string) {
	t.Helper()
	s := Open(dir)
	got := get(s, someKey)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s: the records are %q, want %q", what, got, want)
	}
	s.Put(someKey, []byte("later"))
	if got := get(s, someKey); s.Err() != nil || !slices.Contains(got, "later") || len(got) != len(want)+1 {
		t.Errorf("%s: then written: %v, records: %q", what, s.Err(), got)
	}
}

// A disk may be full after any byte of a record.
func TestFullDisk(t *testing.T) {
	const record = "a record"
	for room := range len(record) {
		dir := t.TempDir()
		Open(dir).Put(someKey, []byte("an older record"))
		asked := 0
		s := Open(dir).failing(room, func() error { asked++; return syscall.ENOSPC })
		id := s.Put(someKey, []byte(record))
		s.Put(someKey, []byte("another"))
		if !errors.Is(s.Err(), syscall.ENOSPC) || id != Hash([]byte(record)) || asked != 1 {
			t.Errorf("%d bytes: error %v, asked %d times", room, s.Err(), asked)
		}
		if files, _ := os.ReadDir(s.folder(someKey)); len(files) != 1 {
			t.Errorf("%d bytes: a part of a record was left: %v", room, files)
		}
		stands(t, fmt.Sprint("full after ", room), dir, "an older record")
	}
}

// A store that may only be read answers with what it has.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	Open(dir).Put(someKey, []byte("an older record"))
	s := Open(dir)
	s.create = func(string) (file, error) { return nil, syscall.EROFS }
	s.Put(someKey, []byte("a record"))
	if got := get(s, someKey); !errors.Is(s.Err(), syscall.EROFS) || len(got) != 1 {
		t.Errorf("error %v, records %q", s.Err(), got)
	}
	stands(t, "read-only", dir, "an older record")
}

// A folder may go away when it has been made, for another process removes empty ones, or all; once is no failure.
func TestFolderGone(t *testing.T) {
	for gone, fails := range map[int]bool{1: false, tries - 1: false, tries: true} {
		dir, n := t.TempDir(), 0
		s := Open(dir)
		create := s.create
		s.create = func(at string) (file, error) {
			if n++; n <= gone {
				_ = os.RemoveAll(filepath.Dir(at))
			}
			return create(at)
		}
		s.Put(someKey, []byte("a record"))
		if got := s.Err(); (got != nil) != fails || fails && !errors.Is(got, fs.ErrNotExist) {
			t.Errorf("gone %d times: %v", gone, got)
		}
		if got := get(s, someKey); (len(got) == 0) != fails {
			t.Errorf("gone %d times: records %q", gone, got)
		}
	}
}

// writerVariable makes the test binary a process that writes into the store that it names.
const writerVariable = "HEDDLE_TEST_CACHE_WRITER"

// TestMain is a writer where that is asked for. It writes records of 20 keys, or half a record, says so, and waits to
// be killed.
func TestMain(m *testing.M) {
	dir := os.Getenv(writerVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	if half, ok := strings.CutPrefix(dir, "half "); ok {
		Open(half).failing(3, func() error {
			fmt.Println("half")
			_, _ = io.ReadAll(os.Stdin) // for ever
			os.Exit(1)
			return nil
		}).Put(someKey, []byte("a record"))
	}
	s := Open(dir)
	for j := range 20 {
		s.Put(fmt.Sprintf("%02d-a-key", j), fmt.Appendf(nil, "%05d", os.Getpid()))
	}
	if err := s.Err(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func writer(dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerVariable+"="+dir)
	return cmd
}

// A process that is killed in the middle of a write leaves what was there.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	Open(dir).Put(someKey, []byte("an older record"))
	cmd := writer("half " + dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if kill := cmd.Process.Kill(); kill != nil || err != nil || line != "half\n" {
		t.Fatalf("%q, %v, %v", line, err, kill)
	}
	_ = cmd.Wait() // it was killed
	files, err := filepath.Glob(filepath.Join(Open(dir).folder(someKey), "new-*"))
	if err != nil || len(files) != 1 {
		t.Errorf("the killed process has left %q: it was not in the middle of a write", files)
	}
	stands(t, "killed", dir, "an older record")
}

// Two processes over one store lose nothing.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if out, err := writer(dir).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	for j := range 20 {
		if got := get(Open(dir), fmt.Sprintf("%02d-a-key", j)); len(got) != 2 || got[0] == got[1] {
			t.Errorf("key %d: %q, want two records", j, got)
		}
	}
}
