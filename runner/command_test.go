package runner

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Flags may stand anywhere, with one dash or two; files and folders mean their packages, each once.
func TestFlagsStandAnywhere(t *testing.T) {
	t.Chdir(moduleDir(t))
	for args, want := range map[string]string{
		"":                                     ".",
		"./racy":                               "./racy",
		"racy/racy.go":                         "./racy",
		"racy/racy.go racy/racy_test.go quiet": "./racy ./quiet",
		"./racy/racy.go ./...":                 "./racy ./...",
		"-table racy -run=X":                   "./racy",
		"racy --table --run X quiet":           "./racy ./quiet",
		"-run -racy ./quiet":                   "./quiet",
		"-limit.executions 3 sync ./quiet":     "sync ./quiet",
		"example.com/m/racy all":               "example.com/m/racy all",
	} {
		c := newCLI(Streams{})
		var got []string
		c.root.RunE = func(_ *cobra.Command, rest []string) error {
			o := new(options)
			fs, enabled := o.flagSet()
			err := o.take(rest, fs, enabled, func(string) bool { return false }, nil)
			got = o.patterns
			return err
		}
		if _, err := c.run(strings.Fields(args)); err != nil || strings.Join(got, " ") != want {
			t.Errorf("heddle %s: the patterns are %q, want %s (%v)", args, got, want, err)
		}
	}
}

// The tool answers what a shell asks for while somebody types. Long flags have one dash if the word has.
func TestCompletion(t *testing.T) {
	for line, want := range map[string][]string{
		"re":                     {"replay"},
		"-tab":                   {"-table"},
		"--tab":                  {"--table"},
		"-explorer sys":          {"systematic"},
		"-color ":                {"always", "auto", "never"},
		"run -sho":               {"-short"},
		"graph -for":             {"-format", "-forward"},
		"help dead":              {"deadlock"},
		"-exploration.":          nil,
		"./racy -run X -timing ": {"all", "off", "structural"},
	} {
		words := strings.Split(line, " ")
		stdout, stderr, code := heddle(t, append([]string{"__complete"}, words...)...)
		var got []string
		for l := range strings.Lines(stdout) {
			name, _, _ := strings.Cut(strings.TrimSpace(l), "\t")
			if name != "" && name[0] != ':' && strings.HasPrefix(name, words[len(words)-1]) {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		if code != 0 || stderr != "" || !slices.Equal(got, want) {
			t.Errorf("heddle %s<TAB>: %q, want %q (exit code %d)\n%s%s", line, got, want, code, stdout, stderr)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if stdout, _, code := heddle(t, "completion", shell); code != 0 || !strings.Contains(stdout, "heddle __complete") && !strings.Contains(stdout, "__complete") {
			t.Errorf("completion %s: exit code %d\n%.200s", shell, code, stdout)
		}
	}
}

func TestVersion(t *testing.T) {
	stamp = "v1.2.3"
	t.Cleanup(func() { stamp = "" })
	form := regexp.MustCompile(`^heddle v1\.2\.3( \([0-9a-f]+, .*\))? go\S+ \w+/\w+\n$`)
	for _, arg := range []string{"version", "-version", "--version"} {
		if stdout, stderr, code := heddle(t, arg); code != 0 || stderr != "" || !form.MatchString(stdout) {
			t.Errorf("heddle %s: exit code %d\n%s%s", arg, code, stdout, stderr)
		}
	}
}

// There is help about each command, check, topic and flag, and about words that messages have. Of a command
// `help X` and `X -h` write the same.
func TestHelpAboutEverything(t *testing.T) {
	c := newCLI(Streams{})
	for _, word := range c.helpWords() {
		stdout, stderr, code := heddle(t, "help", word)
		if code != 0 || stderr != "" || strings.Count(stdout, "\n") < 2 {
			t.Errorf("help %s: exit code %d\n%s%s", word, code, stdout, stderr)
		}
	}
	for word, want := range map[string]string{
		"limit": "-limit.events", "-limit.work": "-limit.work", "json": "-json", // flags
		"nolint": "//nolint:heddle", "token": "h1", "sampled": "exhausted", // words of other texts
	} {
		if stdout, stderr, code := heddle(t, "help", word); code != 0 || stderr != "" || !strings.Contains(stdout, want) {
			t.Errorf("help %s: exit code %d, want a text with %q\n%s%s", word, code, want, stdout, stderr)
		}
	}
	for _, cmd := range []string{"run", "replay", "graph"} {
		want, _, _ := heddle(t, "help", cmd)
		if got, _, code := heddle(t, cmd, "-h"); code != 0 || got != want || !strings.Contains(got, "Usage:\n\n\theddle "+cmd) || !strings.Contains(got, "Examples:") {
			t.Errorf("heddle %s -h: exit code %d\n%s\nheddle help %s wrote\n%s", cmd, code, got, cmd, want)
		}
	}
}

// TestColors shows that colours are there when asked for, and that the text is the same without them. (That there are
// none in a pipe shows in every other test.)
func TestColors(t *testing.T) {
	coloured, _, code := heddle(t, "-run=Len", "-color=always", "./racy")
	escapes := regexp.MustCompile("\x1b\\[[0-9;]*m")
	if plain := escapes.ReplaceAllString(coloured, ""); code != 3 || plain == coloured || !finding.MatchString(plain) {
		t.Errorf("exit code %d\n%q", code, coloured)
	}
}
