package runner

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/runner/cmdline"
	"github.com/heddle-go/heddle/runner/graph"
)

// This file is the tree of commands. Each declares its flags as package flag does, for checks bring theirs in that
// form. cobra parses them, completes them and finds the command.

// A cli is one run of the command.
type cli struct {
	std  Streams
	root *cobra.Command
	// flags are those of each command, in the form that the help shows.
	flags map[*cobra.Command]*flag.FlagSet
	code  int
}

func newCLI(std Streams) *cli {
	c := &cli{std: std, flags: map[*cobra.Command]*flag.FlagSet{}}
	c.root = c.checkCommand()
	c.root.SilenceErrors, c.root.SilenceUsage = true, true
	c.root.SetIn(std.In)
	c.root.SetOut(std.Out)
	c.root.SetErr(std.Err)
	c.root.AddCommand(c.replayCommand(), c.runCommand(), c.graphCommand(), c.vetCommand(), c.cleanCommand(), c.versionCommand())
	help := c.helpCommand()
	c.root.SetHelpCommand(help)
	c.root.AddCommand(help)
	c.root.InitDefaultCompletionCmd()
	c.root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { c.helpCommandText(cmd) })
	return c
}

// run finds the command of args, parses its flags and runs it.
func (c *cli) run(args []string) (int, error) {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return exitOK, c.complete(args)
	}
	c.root.SetArgs(c.longFlags(args))
	return c.code, c.execute()
}

// execute runs the command. Its exit code is in c then.
func (c *cli) execute() error { return c.root.Execute() }

// command returns the command that args name, and the arguments after its name.
func (c *cli) command(args []string) (*cobra.Command, []string) {
	cmd := c.root
	for len(args) > 0 {
		i := 0
		for i < len(cmd.Commands()) && cmd.Commands()[i].Name() != args[0] {
			i++
		}
		if i == len(cmd.Commands()) {
			break
		}
		cmd, args = cmd.Commands()[i], args[1:]
	}
	return cmd, args
}

func (c *cli) longFlags(args []string) []string {
	cmd, rest := c.command(args)
	head := args[:len(args)-len(rest)]
	return append(head[:len(head):len(head)], cmdline.LongFlags(cmd.Flags(), rest, cmd.Annotations[ownArguments] == "")...)
}

// ownArguments marks a command after whose first argument come those of a program.
const ownArguments = "own arguments"

// complete answers a shell's question. Where the word to complete has one dash, so have the answers.
func (c *cli) complete(args []string) error {
	last := args[len(args)-1]
	one := strings.HasPrefix(last, "-") && !strings.HasPrefix(last, "--")
	line := c.longFlags(args[1:])
	if last == "-" {
		line[len(line)-1] = "--"
	}
	var out bytes.Buffer
	c.root.SetOut(&out)
	c.root.SetErr(io.Discard) // cobra says there which directive it gave
	c.root.SetArgs(append([]string{args[0]}, line...))
	err := c.execute()
	for l := range strings.Lines(out.String()) {
		if one && strings.HasPrefix(l, "--") {
			l = l[1:]
		}
		fmt.Fprint(c.std.Out, l)
	}
	return err
}

// declare makes the flags of fs those of cmd.
func (c *cli) declare(cmd *cobra.Command, fs *flag.FlagSet) {
	c.flags[cmd] = fs
	cmd.DisableFlagsInUseLine = true
	cmd.Flags().AddGoFlagSet(fs)
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = strings.HasPrefix(f.Name, "exploration.") }) // they have a bare name too
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		what := ""
		if cmd != c.root {
			what = cmd.Name() + " "
		}
		return fmt.Errorf("%w (heddle help %slists the flags)", prefixed(cmd, cmdline.FlagError(cmd.Flags(), err)), what)
	})
	for name, words := range flagWords {
		if (name == "format" || name == "cache") && cmd.HasParent() {
			continue // another one
		}
		if cmd.Flags().Lookup(name) != nil {
			_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // the flag is there
		}
	}
}

// flagWords are the values of flags that have few.
var flagWords = map[string][]string{
	"explorer": explorers.Names(),
	"timing":   {"structural", "off", "all"},
	"memory":   {"sc", "tso", "pso"},
	"leaks":    {"unreachable", "all"},
	"deps":     {"none", "static", "dynamic"},
	"solver":   {"cdcl", "z3"},
	"merge":    {"on", "off"},
	"cache":    {"on", "off"},
	"color":    {"auto", "always", "never"},
	"format":   formatNames(),
}

// prefixed says before each error of which command it is.
func prefixed(cmd *cobra.Command, err error) error {
	if err == nil || !cmd.HasParent() {
		return err
	}
	var out []error
	for _, e := range flatten(err) {
		out = append(out, fmt.Errorf("%s: %w", cmd.Name(), e))
	}
	return errors.Join(out...)
}

func (c *cli) checkCommand() *cobra.Command {
	o := new(options)
	fs, enabled := o.flagSet()
	cmd := &cobra.Command{
		Use:               "heddle [flags] [packages]",
		Version:           version(),
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := o.take(args, fs, enabled, cmd.Flags().Changed, c.helpWords()); err != nil {
				return err
			}
			c.code, err = check(o, c.std)
			return err
		},
	}
	cmd.SetVersionTemplate("{{.Version}}\n")
	c.declare(cmd, fs)
	return cmd
}

// names are those of the commands.
func (c *cli) names() []string {
	var out []string
	for _, cmd := range c.root.Commands() {
		out = append(out, cmd.Name())
	}
	return out
}

func completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func (c *cli) replayCommand() *cobra.Command {
	o := new(replayOptions)
	cmd := &cobra.Command{
		Use:   "replay [flags] TOKEN [packages]",
		Short: "run the schedule of a finding again, and show it at length",
		Long: `The token is in the message of the finding. It belongs to the sources that it was made from: with others, replay
says so. Packages need only be named if the token's is not found from the current folder.`,
		Example: "\theddle replay h1YQAqZ2...\n\theddle replay h1YQAqZ2... ./pool\n\theddle replay -format=perfetto h1YQAqZ2... > trace.json   # for ui.perfetto.dev",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := o.take(args)
			if err == nil {
				c.code, err = replay(o, c.std)
			}
			return prefixed(cmd, err)
		},
	}
	c.declare(cmd, o.flagSet())
	return cmd
}

func (c *cli) runCommand() *cobra.Command {
	o := new(runOptions)
	cmd := &cobra.Command{
		Use:               "run [flags] package|file.go [args]",
		Short:             "run a program in Heddle's machine, once; with -test, the tests of packages",
		Example:           "\theddle run ./cmd/server -port 80\n\theddle run main.go\n\theddle run -test -run=TestPool -v ./pool",
		Annotations:       map[string]string{ownArguments: "yes"},
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := o.take(args)
			if err == nil {
				c.code, err = interpret(o, c.std)
			}
			return prefixed(cmd, err)
		},
	}
	c.declare(cmd, o.flagSet())
	cmd.Flags().SetInterspersed(false)
	return cmd
}

func (c *cli) graphCommand() *cobra.Command {
	o := new(graph.Options)
	cmd := &cobra.Command{
		Use:               "graph [flags] [packages]",
		Short:             "write the dependence graph of a package, or a slice of it",
		Example:           "\theddle graph -from pool.go:31 ./pool | dot -Tsvg > slice.svg\n\theddle graph -format=json ./pool",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeFolders,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := o.Take(args)
			if err == nil && o.Stats != "" {
				if bad := canWrite(o.Stats); bad != nil {
					err = fmt.Errorf("-stats=%s: %w", o.Stats, bad)
				}
			}
			if err == nil {
				err = o.Write(c.std.Out, shortPath)
			}
			if err != nil {
				c.code = exitFailure
			}
			return prefixed(cmd, err)
		},
	}
	c.declare(cmd, o.FlagSet())
	return cmd
}

func (c *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "write heddle's version",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("version takes no arguments")
			}
			fmt.Fprintln(c.std.Out, version())
			return nil
		},
	}
}

func (c *cli) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command|check|topic|flag]",
		Short: "say more about a command, a check, a topic or a flag",

		DisableFlagParsing: true, // a flag is what to say more about
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return c.helpWords(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.help(args) },
	}
}

// helpWords is what there is help about.
func (c *cli) helpWords() []string {
	out := c.names()
	for _, a := range passes.All {
		out = append(out, a.Name)
	}
	for _, t := range topics {
		out = append(out, t.name)
	}
	return out
}

// visible are the flags that help shows: not the long forms of those that have a bare name too.
func visible(fs *flag.FlagSet) *flag.FlagSet {
	short := flag.NewFlagSet("heddle", flag.ContinueOnError)
	fs.VisitAll(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "exploration.") {
			short.Var(f.Value, f.Name, f.Usage)
		}
	})
	return short
}
