package runner

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"testing"

	"github.com/spf13/cobra"

	"github.com/heddle-go/heddle/passes/cache"
	"github.com/heddle-go/heddle/passes/exploration"
)

// This file opens the cache of verdicts, and cleans it.

// onOff is a flag that is on or off.
type onOff string

func (f *onOff) String() string {
	if f == nil || *f == "" {
		return "on"
	}
	return string(*f)
}

func (f *onOff) Set(s string) error {
	if s != "on" && s != cache.Off {
		return errors.New("want on or off")
	}
	*f = onOff(s)
	return nil
}

// openCache sets the cache that the run asks, and returns what closes it. That says on w if the cache could not be
// written.
func openCache(asked onOff, w io.Writer) (done func(), err error) {
	exploration.Cache = nil
	dir, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	if asked == cache.Off || dir == "" {
		return func() {}, nil
	}
	store := cache.Open(dir)
	exploration.Cache = store
	return func() {
		exploration.Cache = nil
		if err := store.Err(); err != nil {
			fmt.Fprintf(w, "heddle: verdicts cannot be kept for the next run: %v\n", err)
		}
	}, nil
}

// cacheFolder is the folder of the cache, "" if there is none. Heddle's own tests have one only if they say where, so
// that they leave the user's alone.
func cacheFolder() (string, error) {
	dir, err := cache.Folder()
	switch {
	case errors.Is(err, cache.ErrRelative):
		return "", err
	case err != nil, dir == cache.Off: // a user without a home has no cache
		return "", nil
	case testing.Testing() && !cache.Chosen():
		return "", nil
	}
	return dir, nil
}

type cleanOptions struct{ cache bool }

func (o *cleanOptions) flagSet() *flag.FlagSet {
	fs := flag.NewFlagSet("heddle clean", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&o.cache, "cache", false, "remove all verdicts that earlier runs have kept")
	return fs
}

func (c *cli) cleanCommand() *cobra.Command {
	o := new(cleanOptions)
	cmd := &cobra.Command{
		Use:     "clean -cache",
		Short:   "remove what heddle has kept",
		Example: "\theddle clean -cache",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return prefixed(cmd, clean(o, args))
		},
	}
	c.declare(cmd, o.flagSet())
	return cmd
}

func clean(o *cleanOptions, args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("clean takes no arguments; heddle clean -cache removes the kept verdicts of all packages")
	case !o.cache:
		return fmt.Errorf("say what to remove: heddle clean -cache")
	}
	dir, err := cacheFolder()
	if err != nil || dir == "" {
		return err
	}
	return cache.Open(dir).Clean()
}
