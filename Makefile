# Everything here is a plain go command; the Makefile only remembers them.

.PHONY: build test bench lint score

build:
	go build -o bin/heddle ./cmd/heddle

test:
	go test ./...

bench:
	go test -run '^$$' -bench . -benchmem ./...

lint:
	@files=$$(find . -name '*.go' -not -path '*/testdata/*' -exec gofmt -l {} +); \
	if [ -n "$$files" ]; then echo "not formatted (gofmt -w):"; echo "$$files"; exit 1; fi
	go vet ./...

# How Heddle does on the tests of other people's code. It downloads them.
score:
	go run ./internal/score/gotest
