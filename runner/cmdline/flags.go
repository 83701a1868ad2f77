package cmdline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// LongFlags gives each long flag of args its second dash: "-run X" becomes "--run X". A value is left as it is. If
// flags may only stand before the first other argument, everything from there on is left as it is.
func LongFlags(fs *pflag.FlagSet, args []string, interspersed bool) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" || !isFlag(arg) && !interspersed {
			return append(out, args[i:]...)
		}
		if !isFlag(arg) {
			out = append(out, arg)
			continue
		}
		name, _, valued := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if len(name) > 1 && !strings.HasPrefix(arg, "--") {
			arg = "-" + arg
		}
		out = append(out, arg)
		if takesValue(fs, name) && !valued && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return out
}

func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

func takesValue(fs *pflag.FlagSet, name string) bool {
	f := fs.Lookup(name)
	if f == nil && len(name) == 1 {
		f = fs.ShorthandLookup(name)
	}
	return f != nil && f.NoOptDefVal == ""
}

// FlagError says on one line what is wrong with a flag, names it with one dash, and names one that may have been meant.
func FlagError(fs *pflag.FlagSet, err error) error {
	var (
		unknown *pflag.NotExistError
		invalid *pflag.InvalidValueError
		missing *pflag.ValueRequiredError
	)
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		return fmt.Errorf("there is no flag -%s%s", name, DidYouMean("-", name, names(fs)))
	case errors.As(err, &invalid):
		return fmt.Errorf("-%s=%s: %w", invalid.GetFlag().Name, invalid.GetValue(), valueError(invalid))
	case errors.As(err, &missing):
		return fmt.Errorf("-%s needs a value", missing.GetSpecifiedName())
	}
	return err
}

// valueError is what is wrong with a value, without the words that package flag says it with.
func valueError(e *pflag.InvalidValueError) error {
	cause := e.Unwrap()
	switch {
	case cause.Error() != "parse error":
		return cause
	case e.GetFlag().NoOptDefVal == "true":
		return errors.New("want true or false")
	}
	return errors.New("want a number")
}

func names(fs *pflag.FlagSet) []string {
	var out []string
	fs.VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(f.Name, "exploration.") {
			out = append(out, f.Name)
		}
	})
	return out
}
