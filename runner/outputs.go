package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/runner/cmdline"
	"github.com/heddle-go/heddle/runner/config"
	"github.com/heddle-go/heddle/runner/format"
)

// This file writes the outcome of a run: to standard output in the form that -format names, and to files. A file is
// written as a whole or not at all. A folder that is not there is reported before anything is explored.

const textFormat = "text"

// A formatFlag is the name of a form.
type formatFlag string

func (f *formatFlag) String() string {
	if f == nil || *f == "" {
		return textFormat
	}
	return string(*f)
}

func (f *formatFlag) Set(s string) error {
	if _, ok := format.Writers[s]; !ok && s != textFormat {
		return fmt.Errorf("want %s%s", strings.Join(formatNames(), ", "), cmdline.DidYouMean("", s, formatNames()))
	}
	*f = formatFlag(s)
	return nil
}

func formatNames() []string {
	return append([]string{textFormat}, slices.Sorted(maps.Keys(format.Writers))...)
}

// isText reports whether findings are written as they are found.
func (o *options) isText() bool { return !o.json && (o.format == "" || o.format == textFormat) }

// gathers reports whether something is written at the end.
func (o *options) gathers() bool {
	return o.sarif != "" || o.junit != "" || format.Writers[o.format] != nil
}

// checkOutputs reports a file that cannot be written because its folder is not there.
func (o *options) checkOutputs() error {
	if o.json && o.format != "" && o.format != textFormat {
		return fmt.Errorf("-json and -format=%s: standard output has room for one of them", o.format)
	}
	for _, f := range []struct{ flag, name string }{
		{"stats", o.stats}, {"sarif", o.sarif}, {"junit", o.junit}, {"write-baseline", o.writeBaseline},
	} {
		switch f.name {
		case "":
			continue
		case "-":
			return fmt.Errorf("-%s=-: name a file; %s", f.flag, toStandardOutput(f.flag))
		}
		if err := canWrite(f.name); err != nil {
			return fmt.Errorf("-%s=%s: %w", f.flag, f.name, err)
		}
	}
	if o.html != "" {
		if err := canMake(o.html); err != nil {
			return fmt.Errorf("-html=%s: %w", o.html, err)
		}
	}
	return nil
}

// toStandardOutput says how what the flag of a file writes comes to standard output.
func toStandardOutput(name string) string {
	if format.Writers[name] != nil {
		return fmt.Sprintf("-format=%s writes to standard output", name)
	}
	return "/dev/stdout is standard output"
}

// noName reports that what stands where a name is wanted is what the command was to check: the name was forgotten.
func noName(name string) error {
	switch {
	case strings.HasPrefix(name, "-") && name != "-":
		return errors.New("that is a flag, and a name has to stand before it")
	case strings.HasSuffix(name, "..."):
		return errors.New("that is a pattern of packages, and a name has to stand before it")
	case strings.HasSuffix(name, ".go"):
		return errors.New("that is a Go file, and a name has to stand before it")
	case slices.Contains([]string{"go.mod", "go.sum", "go.work", "go.work.sum", config.Name}, filepath.Base(name)):
		return errors.New("that is a file of the module, and a name has to stand before it")
	}
	return nil
}

// canWrite reports why a file cannot be written.
func canWrite(name string) error {
	if err := noName(name); err != nil {
		return err
	}
	if info, err := os.Stat(name); err == nil {
		switch {
		case info.IsDir():
			return errors.New("that is a folder")
		case !info.Mode().IsRegular():
			return nil // a device or a pipe
		}
	}
	dir := filepath.Dir(name)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s", dir)
	}
	return writable(dir)
}

// canMake reports why a folder cannot be made, or not be written to if it is there.
func canMake(dir string) error {
	if err := noName(dir); err != nil {
		return err
	}
	for {
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s is no folder", dir)
		case err == nil:
			return writable(dir)
		case dir == filepath.Dir(dir):
			return err
		}
		dir = filepath.Dir(dir)
	}
}

// writable reports why no file can be made in a folder.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".heddle-*")
	if err != nil {
		return fmt.Errorf("the folder %s cannot be written to", dir)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// write writes what is written once. failed is what went wrong before.
func (o *options) write(g *gatherer, out io.Writer, failed error) error {
	var errs []error
	for _, err := range flatten(failed) {
		g.run.Errors = append(g.run.Errors, err.Error())
	}
	for _, f := range []struct{ flag, name, form string }{{"sarif", o.sarif, "sarif"}, {"junit", o.junit, "junit"}} {
		if f.name == "" {
			continue
		}
		var b bytes.Buffer
		err := format.Writers[f.form](&b, &g.run)
		if err == nil {
			err = writeWhole(f.name, b.Bytes())
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("-%s=%s: %w", f.flag, f.name, err))
		}
	}
	if w := format.Writers[o.format]; w != nil {
		errs = append(errs, w(out, &g.run))
	}
	return errors.Join(errs...)
}

// writeWhole writes a file as a whole or not at all.
func writeWhole(name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, 0o666) // a device or a pipe
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".heddle-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
