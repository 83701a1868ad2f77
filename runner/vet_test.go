package runner

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The test binary is the heddle command when the go command calls it as its vettool.
const beHeddle = "HEDDLE_TEST_BE_HEDDLE"

func TestMain(m *testing.M) {
	if os.Getenv(beHeddle) != "" {
		os.Exit(Main(os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}))
	}
	os.Exit(m.Run())
}

// vetModule runs go vet with heddle on packages of testdata/module.
func vetModule(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + exe}, args...)...)
	cmd.Dir = moduleDir(t)
	cmd.Env = append(os.Environ(), beHeddle+"=1", "GOWORK=off", "GOFLAGS=")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestVetIsSilentAboutSequentialPackages(t *testing.T) {
	stdout, stderr, code := vetModule(t, "./quiet")
	if stdout != "" || stderr != "" || code != 0 {
		t.Errorf("go vet ./quiet: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// Our flags get through the go command, in their long and their short form.
func TestVetPassesFlagsOn(t *testing.T) {
	if testing.Short() {
		t.Skip("go vet analyses the standard library again for each set of flags")
	}
	stdout, stderr, code := vetModule(t, "-exploration.limit.executions=5", "-limit.executions=5", "-limit.events=5",
		"-exploration.run=X", "-run=X", "-explorer=systematic", "-incomplete", "-datarace", "-deadlock=false", "-tags=a,b", "./quiet")
	if stdout != "" || stderr != "" || code != 0 {
		t.Errorf("go vet with flags: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestVetJSON(t *testing.T) {
	stdout, stderr, code := vetModule(t, "-json", "./quiet")
	if code != 0 || strings.TrimSpace(stdout) != "{}" {
		t.Errorf("go vet -json ./quiet: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestIsVet(t *testing.T) {
	for args, want := range map[string]bool{
		"": false, "./...": false, "-V=full": true, "-flags": true, "-datarace vet.cfg": true, "-stats=x.cfg ./p": false,
	} {
		if got := isVet(strings.Fields(args)); got != want {
			t.Errorf("isVet(%q) = %v, want %v", args, got, want)
		}
	}
}

func TestTagsOf(t *testing.T) {
	for args, want := range map[string]string{
		"-json x.cfg": "[]", "-tags=a,b x.cfg": "[-tags=a,b]", "--tags=a x.cfg": "[-tags=a]", "-tags a x.cfg": "[-tags=a]",
	} {
		if got := tagsOf(strings.Fields(args)); "["+strings.Join(got, " ")+"]" != want {
			t.Errorf("tagsOf(%q) = %v, want %s", args, got, want)
		}
	}
}
