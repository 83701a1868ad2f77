package cmdline

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// A Color is when output has colours.
type Color string

// When output has colours: on a terminal, always, or never. Auto follows NO_COLOR (no-color.org) and TERM=dumb too.
const (
	Auto   Color = "auto"
	Always Color = "always"
	Never  Color = "never"
)

// Set is flag.Value's.
func (c *Color) Set(s string) error {
	switch Color(s) {
	case Auto, Always, Never:
		*c = Color(s)
		return nil
	}
	return fmt.Errorf("want auto, always or never")
}

func (c *Color) String() string {
	if c == nil {
		return ""
	}
	return string(*c)
}

// Style returns how w is written to.
func (c Color) Style(w io.Writer) Style {
	switch c {
	case Always:
		return true
	case Never:
		return false
	}
	return Style(os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsTerminal(w))
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// A Style colours text, or does not.
type Style bool

// The parts of output. Colours are those of the terminal's own theme; the meaning never rests on them alone.
func (s Style) Place(text string) string { return s.paint("1", text) }    // bold: a position
func (s Style) Bad(text string) string   { return s.paint("1;31", text) } // bold red: what is wrong
func (s Style) Good(text string) string  { return s.paint("32", text) }   // green: exhausted
func (s Style) Warn(text string) string  { return s.paint("33", text) }   // yellow: not explored to the end
func (s Style) Dim(text string) string   { return s.paint("2", text) }    // faint: tokens, positions of less weight

func (s Style) paint(code, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
