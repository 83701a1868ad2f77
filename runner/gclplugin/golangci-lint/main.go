// Command golangci-lint is golangci-lint v2 with Heddle as a linter.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/heddle-go/heddle/runner/gclplugin"
)

func main() {
	if err := commands.Execute(commands.BuildInfo{GoVersion: "go1.26", Version: "2.15.0", Commit: "custom"}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitcodes.Failure)
	}
}
