# Everything here is a plain go command; the Makefile only remembers them.

.PHONY: build test outcomes bench bench-explore lint replay score fuzz isolation random native

build:
	go build -o bin/heddle ./cmd/heddle

test:
	go test ./...

# All of what go test ./... takes samples of, and what it leaves out: the packages whose tests ask for the variable.
.PHONY: test-long
LONG = {{range .Deps}}{{if eq . "github.com/heddle-go/heddle/analysistest/long"}}{{$$.ForTest}}{{"\n"}}{{end}}{{end}}
test-long:
	HEDDLE_LONG=1 go test -count=1 -timeout 60m $$(go list -test -f '$(LONG)' ./... | sort -u)

# What the tests cost in processor time, package by package. It fails above 120 s in all, or 60 s for one.
.PHONY: test-cost
test-cost:
	go run -C internal ./score/testcost

# golangci-lint with Heddle in it, in a folder that is kept, and one corpus of packages through every driver.
GOLANGCI ?= $(CURDIR)/bin/golangci-lint
.PHONY: test-golangci golangci-lint
golangci-lint:
	go build -C runner/gclplugin/golangci-lint -o $(GOLANGCI) .
test-golangci: golangci-lint
	go vet -C runner/gclplugin ./...
	go run -C internal ./score/drivers -golangci $(GOLANGCI)

# The scores and generators, which are a module of their own.
.PHONY: test-internal
test-internal:
	go vet -C internal ./...
	go test -C internal ./...

# Every finding of the examples, replayed ten times from a process of its own.
replay:
	HEDDLE_LONG=1 go test -count=1 -run '^TestExamples$$' ./runner -args -replays=10

# The explorers against every schedule of the programs of primitives, to the end.
outcomes:
	HEDDLE_LONG=1 go test -count=1 -timeout 2h -run 'Outcomes|BenchClasses|Waits|Network|Parallel|Sequential|Skipped' ./analysistest -args -executions=20000 -classes.executions=500000 -explorers=all -regimes

bench:
	go test -run '^$$' -bench . -benchmem -timeout 1h ./...
	go test -C internal -run '^$$' -bench . -benchmem -timeout 1h ./...

# The figures of docs/performance.md.
.PHONY: speed
speed:
	go test -C internal -run '^$$' -bench . -benchtime 7x -timeout 1h ./score/speed

# The benchmark programs under each explorer.
CLASSES = SB|Indep4|NWriters|Counter[1-4]|Fib[1-4]|LockCnt[2-6]$$|PingPong[234]|Dekker|Peterson|Bakery|Lamport|RVExample|Airline|Branches[25]$$
bench-explore:
	go run -C internal ./score/explore -explorers union,systematic -executions 10000
	go run -C internal ./score/explore -explorers mcr,se-mcr -executions 10000 -run '$(CLASSES)'

# What the explorers by formulas constrain: question by question, and over whole explorations. It downloads two modules.
.PHONY: reduction
reduction:
	go run -C internal ./score/explore -reduction -same -executions 3000 -modules 300 -run '5$$|6$$|Sort.*4$$|Pool|StringBuffer|Account|golang' \
		-dir analysistest/testdata/reduction,golang.org/x/sync@v0.24.0/singleflight,golang.org/x/sync@v0.24.0/errgroup,golang.org/x/time@v0.12.0/rate
	go run -C internal ./score/explore -reduction -run 'Counter2|Airline3|PingPong2|BubbleSort3|Pool|StringBuffer|Account'

lint:
	@files=$$(find . -name '*.go' -not -path '*/testdata/*' -exec gofmt -l {} +); \
	if [ -n "$$files" ]; then echo "not formatted (gofmt -w):"; echo "$$files"; exit 1; fi
	go vet ./...

# How Heddle does on the tests of other people's code. It downloads them.
score:
	go run -C internal ./score/gotest
	go run -C internal ./score/stdtest
	go run -C internal ./score/xsync
	go run -C internal ./score/goker
	go run -C internal ./score/modules

# What an answer takes: 65 plain concurrent tests of 17 modules, explored with the default flags.
.PHONY: answers
answers:
	go run -C internal ./score/modules -explore -v -j 1 -processor 60s -sample 4 \
		-run 'x/sync|conc@|pond|workerpool|puddle|otter|xsync|concurrent-map|channels|pubsub|benbjohnson|cron|gobreaker|hystrix|suture|websocket|chi'

# Heddle interrupted, at ten moments, on three modules of a hundred tests.
.PHONY: session
session:
	go run -C internal ./score/session

# The default explorer against systematic, on the examples, golang.org/x/sync and the blocking bugs of GOROOT.
.PHONY: compare
compare:
	go run -C internal ./score/compare

# N generated programs, from SEED on, compiled and in the machine. One that differs is shrunk and written to a file.
N ?= 1000
SEED ?= 1
fuzz:
	go run -C internal ./fuzz -n $(N) -seed $(SEED)

# The hostile programs under a trace of system calls. It needs strace.
isolation:
	go run -C internal ./score/isolation

# Random programs from SEED on: the explorers against the oracle, and (native) the compiled programs against it. A failing program
# is made smaller and written to a file; the command that replays it is printed.
random native: N = 50000
random:
	go run -C internal ./random -n $(N) -seed $(SEED)

RUNS ?= 1000
native:
	go run -C internal ./random -n $(N) -seed $(SEED) -native $(RUNS)
	go run -C internal ./random -n $(N) -seed $(SEED) -native $(RUNS) -race
