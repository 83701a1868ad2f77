package cache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Store is a folder of records. It is safe for concurrent use, by several processes too.
type Store struct {
	dir    string // with the version of the layout
	create func(dir string) (file, error)

	mu   sync.Mutex
	err  error // the first failure to write
	full bool  // it was measured, and made small enough, by this process
}

// A file is one that is being written. Tests have others, that fail.
type file interface {
	io.WriteCloser
	Name() string
}

// The bounds of a store.
const (
	layout = "v1"

	maxBytes    = 256 << 20
	maxRecord   = 4 << 20
	maxVariants = 16            // records of one key
	staleTemp   = 1 * time.Hour // a file that is being written is older than that only if its writer was killed
	trimEvery   = 1 * time.Hour
	tries       = 3
)

// Off is the value of HEDDLE_CACHE, and of -cache, that switches the cache off.
const Off = "off"

// Variable is the environment variable that says where the store is.
const Variable = "HEDDLE_CACHE"

// ErrRelative says that Variable has a value that makes no sense.
var ErrRelative = errors.New(Variable + " is neither off nor an absolute path")

// Chosen reports whether Variable says where the store is.
func Chosen() bool { return os.Getenv(Variable) != "" }

// Folder is where the store is: HEDDLE_CACHE, or heddle in the user's folder for caches. It may be Off.
func Folder() (string, error) {
	if dir := os.Getenv(Variable); dir != "" {
		if dir != Off && !filepath.IsAbs(dir) {
			return "", ErrRelative
		}
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "heddle"), nil
}

// Open returns the store in a folder. The folder need not be there.
func Open(dir string) *Store {
	return &Store{dir: filepath.Join(dir, layout), create: func(dir string) (file, error) { return os.CreateTemp(dir, "new-*") }}
}

func (s *Store) folder(key string) string { return filepath.Join(s.dir, key[:2], key) }

// Hash is the name of a record, or a key, made of bytes.
func Hash(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:16])
}

// Records calls f with the records of a key, the last used first, until f returns true. It reports whether it did.
func (s *Store) Records(key string, f func(id string, data []byte) bool) bool {
	for _, info := range s.list(key) {
		if len(info.Name()) != 32 {
			continue // being written
		}
		name := filepath.Join(s.folder(key), info.Name())
		data, err := os.ReadFile(name)
		if err != nil || Hash(data) != info.Name() {
			continue // damaged, or removed since
		}
		if f(info.Name(), data) {
			if now := time.Now(); now.Sub(info.ModTime()) > time.Minute {
				_ = os.Chtimes(name, now, now) // a store that cannot be written is read all the same
			}
			return true
		}
	}
	return false
}

// list returns the files of a key, the last used first.
func (s *Store) list(key string) []fs.FileInfo {
	entries, err := os.ReadDir(s.folder(key))
	if err != nil {
		return nil
	}
	var out []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			out = append(out, info)
		}
	}
	slices.SortStableFunc(out, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	return out
}

// Put adds a record, and returns its name. Err tells whether it could be written.
func (s *Store) Put(key string, data []byte) (id string) {
	id = Hash(data)
	if len(data) > maxRecord {
		return id
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return id
	}
	for range tries {
		s.err = s.write(key, id, data)
		if !errors.Is(s.err, fs.ErrNotExist) {
			break // else another process has removed the folder, for it was empty, or cleans the store
		}
	}
	if s.err == nil {
		s.dropOld(key, id)
		s.trim()
	}
	return id
}

func (s *Store) write(key, id string, data []byte) error {
	dir := s.folder(key)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := s.create(dir)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = cmp.Or(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, id))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the other error says more
	}
	return err
}

// dropOld keeps the number of records of a key small. The one just written stays.
func (s *Store) dropOld(key, id string) {
	kept := 0
	for _, info := range s.list(key) {
		if info.Name() == id {
			continue
		}
		if kept++; kept >= maxVariants {
			_ = os.Remove(filepath.Join(s.folder(key), info.Name())) // another process may have done it
		}
	}
}

// trim removes what was not used for the longest time, until the store is small enough. It looks once an hour.
func (s *Store) trim() {
	if s.full {
		return
	}
	s.full = true
	stamp := filepath.Join(s.dir, "trimmed")
	if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < trimEvery {
		return
	}
	s.shrink(maxBytes, time.Now())
	_ = os.WriteFile(stamp, nil, 0o666) // if it is not written the next process looks again
}

// A stored file, for shrink.
type stored struct {
	name string
	size int64
	used time.Time
}

// shrink removes records, the longest unused first, until the others take no more than max bytes.
func (s *Store) shrink(max int64, now time.Time) {
	var files []stored
	total := int64(0)
	_ = filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil // gone
		}
		if strings.HasPrefix(d.Name(), "new-") {
			if now.Sub(info.ModTime()) > staleTemp {
				_ = os.Remove(name)
			}
			return nil
		}
		files = append(files, stored{name, info.Size(), info.ModTime()})
		total += info.Size()
		return nil
	})
	slices.SortFunc(files, func(a, b stored) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	for _, f := range files {
		if total <= max {
			return
		}
		if os.Remove(f.name) == nil {
			total -= f.size
			_ = os.Remove(filepath.Dir(f.name)) // if it is empty
		}
	}
}

// Err says why nothing more is written, nil if all was.
func (s *Store) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Clean removes all records.
func (s *Store) Clean() error { return os.RemoveAll(s.dir) }
