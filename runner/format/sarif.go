package format

import (
	"cmp"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/runner/outcome"
)

// This file writes SARIF (OASIS, "Static Analysis Results Interchange Format Version 2.1.0"). The numbers of its
// sections stand at the types.

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

type (
	sarifLog struct { // 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool    sarifTool            `json:"tool"`
		Bases   map[string]sarifBase `json:"originalUriBaseIds"`
		Results []sarifResult        `json:"results"`
		Invoked []sarifInvocation    `json:"invocations"`
		Column  string               `json:"columnKind"`
	}
	sarifTool struct { // 3.18
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // 3.19
		Name    string      `json:"name"`
		Version string      `json:"version"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct { // 3.49
		ID      string      `json:"id"`
		Name    string      `json:"name"`
		Short   sarifText   `json:"shortDescription"`
		Full    sarifText   `json:"fullDescription"`
		Help    sarifText   `json:"help"`
		HelpURI string      `json:"helpUri,omitempty"`
		Config  sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct { // 3.50
		Level string `json:"level"`
	}
	sarifText struct { // 3.11, 3.12
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifBase struct { // 3.4
		Description sarifText `json:"description"`
	}
	sarifInvocation struct { // 3.20
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct { // 3.58
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct { // 3.27
		Rule         string             `json:"ruleId"`
		Index        int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Related      []sarifLocation    `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints,omitempty"`
		Flows        []sarifFlow        `json:"codeFlows,omitempty"`
		Fixes        []sarifFix         `json:"fixes,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Properties   map[string]any     `json:"properties,omitempty"`
	}
	sarifFix struct { // 3.55
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct { // 3.56
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct { // 3.57
		Deleted  sarifDeleted  `json:"deletedRegion"`
		Inserted *sarifContent `json:"insertedContent,omitempty"`
	}
	sarifDeleted struct { // 3.30; the end is exclusive
		Line      int `json:"startLine"`
		Column    int `json:"startColumn"`
		EndLine   int `json:"endLine"`
		EndColumn int `json:"endColumn"`
	}
	sarifContent struct { // 3.3
		Text string `json:"text"`
	}
	sarifSuppression struct { // 3.35
		Kind          string `json:"kind"`
		Justification string `json:"justification,omitempty"`
	}
	sarifLocation struct { // 3.28
		ID       *int           `json:"id,omitempty"`
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct { // 3.29
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct { // 3.4
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct { // 3.30
		Line   int `json:"startLine"`
		Column int `json:"startColumn,omitempty"`
	}
	sarifFlow struct { // 3.36
		Message sarifText     `json:"message"`
		Threads []sarifThread `json:"threadFlows"`
	}
	sarifThread struct { // 3.37
		ID        string      `json:"id"`
		Message   *sarifText  `json:"message,omitempty"`
		Locations []sarifStep `json:"locations"`
	}
	sarifStep struct { // 3.38
		Location   sarifLocation `json:"location"`
		Order      int           `json:"executionOrder"`
		Importance string        `json:"importance,omitempty"`
	}
)

const base = "%SRCROOT%"

// fingerprint is the key of the fingerprints; its number changes when what goes into them does.
const fingerprint = "heddle/v1"

// SARIF writes SARIF 2.1.0. A finding is a result, its schedule a code flow with a thread flow for each goroutine.
// Accepted findings are there as suppressed ones. Entries that are not exhausted are notifications of the invocation.
func SARIF(w io.Writer, r *outcome.Run) error {
	rules := sarifRules()
	x := places{r.Characters}
	run := sarifRun{
		Tool:    sarifTool{sarifDriver{"heddle", r.Heddle, "https://github.com/heddle-go/heddle", rules}},
		Bases:   map[string]sarifBase{base: {sarifText{Text: "The root of the repository."}}},
		Results: []sarifResult{}, Column: "unicodeCodePoints",
	}
	invocation := sarifInvocation{Successful: len(r.Errors) == 0}
	for _, text := range r.Errors {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{Level: "error", Message: sarifText{Text: text}})
	}
	for i := range r.Packages {
		p := &r.Packages[i]
		for j := range p.Findings {
			run.Results = append(run.Results, x.finding(&p.Findings[j], rules))
		}
		for _, n := range p.Notices {
			run.Results = append(run.Results, sarifResult{
				Rule: "exploration", Index: ruleIndex(rules, "exploration"), Level: "warning", Message: sarifText{Text: n.Message},
				Locations: []sarifLocation{x.location(n.Position, "")},
			})
		}
		invocation.Notifications = append(invocation.Notifications, x.verdicts(p)...)
	}
	run.Invoked = []sarifInvocation{invocation}
	return indented(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// sarifRules are the checks, with their documentation.
func sarifRules() []sarifRule {
	var out []sarifRule
	for _, a := range passes.All {
		first, rest, _ := strings.Cut(a.Doc, "\n")
		level := "error"
		if a.Name == "exploration" {
			level = "warning"
		}
		text := strings.TrimSpace(cmp.Or(rest, first))
		out = append(out, sarifRule{
			ID: a.Name, Name: title(a.Name), Short: sarifText{Text: first}, Full: sarifText{Text: paragraph(text)},
			Help: sarifText{Text: text, Markdown: markdown(a, text)}, HelpURI: a.URL, Config: sarifConfig{level},
		})
	}
	return out
}

// paragraph is the first paragraph of a text, on one line.
func paragraph(text string) string {
	p, _, _ := strings.Cut(text, "\n\n")
	return strings.Join(strings.Fields(p), " ")
}

// markdown is the documentation with its programs as blocks of Go.
func markdown(a *analysis.Analyzer, text string) string {
	var b strings.Builder
	b.WriteString("# " + a.Name + "\n\n")
	in := false
	for l := range strings.Lines(text + "\n") {
		indented := strings.HasPrefix(l, "\t")
		if strings.TrimSpace(l) != "" && indented != in {
			b.WriteString(map[bool]string{true: "```go\n", false: "```\n"}[indented])
			in = indented
		}
		b.WriteString(strings.TrimPrefix(l, "\t"))
	}
	if in {
		b.WriteString("```\n")
	}
	return b.String()
}

func ruleIndex(rules []sarifRule, id string) int {
	for i, r := range rules {
		if r.ID == id {
			return i
		}
	}
	return ruleIndex(rules, "exploration") // a fault of Heddle is its
}

func (x places) finding(f *outcome.Finding, rules []sarifRule) sarifResult {
	i := ruleIndex(rules, f.Check)
	out := sarifResult{
		Rule: rules[i].ID, Index: i, Level: "error", Message: sarifText{Text: f.Message + "."},
		Locations:    []sarifLocation{x.location(f.Position, "")},
		Fingerprints: map[string]string{fingerprint: f.Fingerprint},
		Properties:   map[string]any{"entry": f.Entry},
	}
	if f.Token != "" {
		out.Properties["token"] = f.Token
		out.Message.Text += " To see its schedule: heddle replay " + f.Token
	}
	for n, r := range f.Related {
		l := x.location(r.Position, r.Message)
		l.ID = &n
		out.Related = append(out.Related, l)
	}
	if f.Schedule != nil {
		out.Flows = []sarifFlow{x.flow(f)}
	}
	if f.Fix != nil {
		out.Fixes = []sarifFix{fixOf(f.Fix)}
	}
	if f.Accepted != nil {
		kind := "inSource"
		if f.Accepted.By != "comment" {
			kind = "external"
		}
		out.Suppressions = []sarifSuppression{{kind, f.Accepted.Reason}}
	}
	return out
}

// fixOf is a suggested fix, with the replacements of each file together.
func fixOf(f *outcome.Fix) sarifFix {
	out := sarifFix{Description: sarifText{Text: f.Message}}
	for _, c := range f.Changes {
		n := len(out.Changes) - 1
		if a := artifact(c.From.File); n < 0 || out.Changes[n].Artifact != a {
			out.Changes = append(out.Changes, sarifChange{Artifact: a})
			n++
		}
		r := sarifReplacement{Deleted: sarifDeleted{c.From.Line, c.Characters[0], c.To.Line, c.Characters[1]}}
		if c.New != "" {
			r.Inserted = &sarifContent{c.New}
		}
		out.Changes[n].Replacements = append(out.Changes[n].Replacements, r)
	}
	return out
}

// flow is the schedule: a thread flow for each goroutine, whose steps have their numbers as execution order.
func (x places) flow(f *outcome.Finding) sarifFlow {
	out := sarifFlow{Message: sarifText{Text: "the interleaving that shows it, in " + f.Entry}}
	for i, lane := range f.Schedule.Lanes {
		t := sarifThread{ID: lane.ID, Locations: []sarifStep{}}
		if lane.Started != "" {
			t.Message = &sarifText{Text: lane.ID + ", started by " + lane.Started}
		}
		for _, s := range f.Schedule.Steps {
			if s.Lane == i {
				t.Locations = append(t.Locations, sarifStep{x.step(f, s), s.N, importance(s)})
			}
		}
		if len(t.Locations) > 0 {
			out.Threads = append(out.Threads, t)
		}
	}
	return out
}

func importance(s report.Step) string {
	switch {
	case s.Final:
		return "essential"
	case s.Folded:
		return "unimportant"
	}
	return "important"
}

func (x places) step(f *outcome.Finding, s report.Step) sarifLocation {
	text := strings.Join(s.Notes, "; ")
	if s.Text != "" {
		text = s.Text + ": " + text
	}
	if !s.Pos.IsValid() {
		return sarifLocation{Message: &sarifText{Text: cmp.Or(text, "the clock")}}
	}
	return x.location(f.Root.Position(s.Pos.Filename, s.Pos.Line, s.Pos.Column), text)
}

// places makes locations, whose columns count characters (columnKind).
type places struct {
	characters func(outcome.Position) int // nil if nobody knows the files: columns stay as they are
}

func (x places) location(p outcome.Position, text string) sarifLocation {
	out := sarifLocation{Physical: &sarifPhysical{Artifact: artifact(p.File)}}
	if p.Line > 0 {
		if x.characters != nil {
			p.Column = x.characters(p)
		}
		out.Physical.Region = &sarifRegion{p.Line, p.Column}
	}
	if text != "" {
		out.Message = &sarifText{Text: text}
	}
	return out
}

// artifact names a file: relative to the root where it is below that.
func artifact(file string) sarifArtifact {
	if path.IsAbs(file) || filepath.IsAbs(filepath.FromSlash(file)) {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return sarifArtifact{URI: (&url.URL{Path: file}).EscapedPath(), Base: base}
}

// sarifVerdicts says of each entry that is not exhausted what is known of it.
func (x places) verdicts(p *outcome.Package) []sarifNotification {
	var out []sarifNotification
	if p.Note != "" {
		out = append(out, sarifNotification{Level: "note", Message: sarifText{Text: p.Path + ": not explored: " + p.Note}})
	}
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Verdict.Kind != "exhausted" {
			out = append(out, sarifNotification{"note", sarifText{Text: p.Path + ": " + e.Name + ": " + e.Verdict.String()}, []sarifLocation{x.location(e.Position, "")}})
		}
	}
	return out
}
