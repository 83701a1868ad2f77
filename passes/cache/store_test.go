package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
)

const someKey = "0123456789abcdef"

func get(s *Store, key string) (out []string) {
	s.Records(key, func(_ string, data []byte) bool {
		out = append(out, string(data))
		return false
	})
	return out
}

// A record that was damaged, cut short or left half-written is none, and the others are still there.
func TestDamagedRecordIsNone(t *testing.T) {
	for name, damage := range map[string]func(file string) error{
		"changed": func(file string) error { return os.WriteFile(file, []byte("anything else"), 0o666) },
		"cut":     func(file string) error { return os.Truncate(file, 3) },
		"empty":   func(file string) error { return os.Truncate(file, 0) },
		"a killed writer's": func(file string) error {
			return os.Rename(file, filepath.Join(filepath.Dir(file), "new-123"))
		},
		"a folder": func(file string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o777)) },
		"gone":     os.Remove,
	} {
		s := Open(t.TempDir())
		id := s.Put(someKey, []byte("one record"))
		s.Put(someKey, []byte("another"))
		if err := damage(filepath.Join(s.folder(someKey), id)); err != nil {
			t.Fatal(err)
		}
		if got := get(s, someKey); len(got) != 1 || got[0] != "another" {
			t.Errorf("%s: got %q", name, got)
		}
		if s.Put(someKey, []byte("one record")); name != "a folder" && len(get(s, someKey)) != 2 {
			t.Errorf("%s: the record cannot be written again: %v", name, s.Err())
		}
	}
}

// Several processes over one store lose nothing and see whole records alone. (Stores share nothing but the folder.)
func TestProcessesShareAStore(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			s := Open(dir)
			for j := range 20 {
				key := fmt.Sprintf("%02d-a-key", j)
				s.Put(key, []byte(strings.Repeat(fmt.Sprint(i), 10_000)))
				for _, r := range get(s, key) {
					if len(r) != 10_000 || strings.Trim(r, r[:1]) != "" {
						t.Errorf("half a record: %.20q", r)
					}
				}
			}
			if err := s.Err(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for j := range 20 {
		if got := get(Open(dir), fmt.Sprintf("%02d-a-key", j)); len(got) != 4 {
			t.Errorf("key %d has %d records, want 4", j, len(got))
		}
	}
}

// A store that cannot be written says so once, and answers as if it were empty. What can be read in it is read.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s := Open(file) // below a file nothing can be made, whoever asks
	if s.Put(someKey, []byte("x")); s.Err() == nil || len(get(s, someKey)) != 0 {
		t.Errorf("error %v, records %q", s.Err(), get(s, someKey))
	}
}

// The longest unused records go first, and files that a killed process was writing go when they are old.
func TestShrink(t *testing.T) {
	s, now := Open(t.TempDir()), time.Now()
	for i := range 10 {
		id := s.Put(someKey, []byte(strings.Repeat(fmt.Sprint(i), 100)))
		at := now.Add(time.Duration(i-20) * time.Minute)
		if err := os.Chtimes(filepath.Join(s.folder(someKey), id), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for name, age := range map[string]time.Duration{"new-1": 2 * time.Hour, "new-2": time.Minute} {
		file := filepath.Join(s.folder(someKey), name)
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		_ = os.Chtimes(file, now.Add(-age), now.Add(-age))
	}
	s.shrink(350, now)
	got := get(s, someKey)
	if len(got) != 3 || got[0][0] != '9' || got[2][0] != '7' {
		t.Errorf("left: %.3q", got)
	}
	_, old := os.Stat(filepath.Join(s.folder(someKey), "new-1"))
	_, young := os.Stat(filepath.Join(s.folder(someKey), "new-2"))
	if old == nil || young != nil {
		t.Errorf("files that are being written: the old one is there: %t, the young one: %t", old == nil, young == nil)
	}
}

// A key has no more than maxVariants records, the last used ones.
func TestStoreKeepsTheLastVariants(t *testing.T) {
	s := Open(t.TempDir())
	for i := range maxVariants + 5 {
		id := s.Put(someKey, fmt.Append(nil, i))
		at := time.Now().Add(time.Duration(i-100) * time.Minute)
		_ = os.Chtimes(filepath.Join(s.folder(someKey), id), at, at)
	}
	if got := get(s, someKey); len(got) != maxVariants || got[0] != fmt.Sprint(maxVariants+4) {
		t.Errorf("%d records, the last used is %q", len(got), got[0])
	}
	if err := s.Clean(); err != nil || len(get(s, someKey)) != 0 {
		t.Errorf("after Clean: %v", err)
	}
}

// What a record says goes through its bytes unchanged, whatever its strings hold.
func TestRecordsGoThroughTheirBytes(t *testing.T) {
	r := &Record{Depends: Depends{Files: "f", Decls: map[string]string{"a\x00b": "1", "c": "2"}}, Results: []Result{{Reason: "a\xff\n\"b", SkipText: "ä"}}}
	data, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(data)
	if err != nil || back.Results[0].Reason != r.Results[0].Reason || back.Results[0].SkipText != "ä" || back.Decls["a\x00b"] != "1" {
		t.Errorf("%+v, %v", back, err)
	}
	again, _ := back.Encode()
	if string(again) != string(data) {
		t.Errorf("encoded again:\n%s\n%s", again, data)
	}
}

// TestFields shows that each field of a result and of a finding is kept, but for those that are made anew. So a field
// that is added one day is not forgotten here.
func TestFields(t *testing.T) {
	anew := map[string]bool{"ReasonSite": true, "Findings": true, "Stats": true, "Seed": true, "Witness": true, "Key": true}
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		for i := range v.NumField() {
			f, name := v.Field(i), v.Type().Field(i).Name
			if anew[name] || !v.Type().Field(i).IsExported() {
				continue
			}
			switch f.Kind() {
			case reflect.Bool:
				f.SetBool(true)
			case reflect.String:
				f.SetString(name)
			case reflect.Int:
				f.SetInt(1)
			case reflect.Uint8, reflect.Uint32:
				f.SetUint(1)
			case reflect.Slice:
				f.Set(reflect.MakeSlice(f.Type(), 1, 1))
			case reflect.Struct:
				fill(f)
			case reflect.Pointer:
				f.Set(reflect.New(f.Type().Elem()))
			default:
				t.Fatalf("field %s has a kind that this test does not know", name)
			}
		}
	}
	var r explore.Result
	fill(reflect.ValueOf(&r).Elem())
	r.Verdict = explore.Exhausted
	r.Interrupted, r.Behind = false, 0 // such a result is never kept
	kept := KeepResult(&r)
	back := kept.Restore()
	if back.Stats.WallNS != -1 {
		t.Error("a time was kept")
	}
	back.Stats = r.Stats
	if !reflect.DeepEqual(*back, r) {
		t.Errorf("kept: %+v\nwant: %+v", *back, r)
	}
	var f report.Finding
	fill(reflect.ValueOf(&f).Elem())
	f.Leads.Category = report.Panics // of what it leads to, that is all that is needed
	keptFinding := Keep(&f)
	again, err := keptFinding.Restore()
	if err != nil || again.Seed != nil && len(again.Seed) > 0 {
		t.Fatal(err, again.Seed)
	}
	again.Seed = nil
	if !reflect.DeepEqual(again, f) {
		t.Errorf("kept: %+v\nwant: %+v", again, f)
	}
}
