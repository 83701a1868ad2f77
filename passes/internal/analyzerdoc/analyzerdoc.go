// Package analyzerdoc takes the documentation of an analyzer out of its
// package's doc.go, so that the web page, `heddle help` and `go doc` say the same.
// It is x/tools' internal analyzerutil.ExtractDoc, with the same conventions.
package analyzerdoc

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
)

// MustExtract returns the part of content's package comment under the heading
// "Analyzer name", without the leading "name: ". It panics if there is none:
// content is embedded, so this is an error of the program, not of its input.
func MustExtract(content, name string) string {
	doc, err := extract(content, name)
	if err != nil {
		panic(fmt.Sprintf("doc.go of %s: %v", name, err))
	}
	return doc
}

func extract(content, name string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "", content, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	for section := range strings.SplitSeq(f.Doc.Text(), "\n# ") {
		body, ok := strings.CutPrefix(section, "Analyzer "+name+"\n")
		if !ok {
			continue
		}
		text, ok := strings.CutPrefix(strings.TrimSpace(body), name+":")
		if !ok {
			return "", fmt.Errorf("the heading is not followed by %q", name+": summary")
		}
		return strings.TrimSpace(text), nil
	}
	return "", fmt.Errorf("no heading %q", "# Analyzer "+name)
}
