// The plugin for golangci-lint v2, a module of its own: heddle itself needs nothing of golangci-lint.
module github.com/heddle-go/heddle/runner/gclplugin

go 1.26.0

require (
	github.com/golangci/plugin-module-register v0.1.2
	github.com/heddle-go/heddle v0.0.0
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/tools v0.52.0
)

require (
	github.com/aymanbagabas/go-udiff v0.4.1 // indirect
	github.com/ebitengine/purego v0.11.3 // indirect
)

replace github.com/heddle-go/heddle => ../..
