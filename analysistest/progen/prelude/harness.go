package prelude

// nativeLog runs programs natively, each many times, and prints what they show.
//
// The logs lie in memory that is shared with a file. A fatal error ends the process, and the parent then reads how far
// everyone had come. They are written with atomics, and nobody but the harness reads them, so they order nothing for
// the race detector.
//
// A run is over when all goroutines that it started have ended. It is also over when a dump of all goroutines, taken
// with the world stopped, shows every one left waiting for a channel or a primitive of sync. There are no timers, so
// nobody can wake them. They stay behind. When too many have, the process ends and the parent starts another. Who waits
// for a socket or a pipe must be seen to do so several times: what is on its way there is in no goroutine's hands.
//
// The collector runs between programs only: a connection that nobody reaches is closed when it is collected.
//
// A goroutine that panics waits for ever after its deferred calls. The others go on to the end: they could have done so
// before the panic.
const nativeLog = `
const (
	maxGoroutines = 8
	maxValues     = 60
	maxLeft       = 60 // each dump has them all
	ended         = 0x7fff // a value that a test logs
)

type log struct {
	status atomic.Int64 // 0 not begun, 1 begun, 2 ended, 3 failed
	count  atomic.Int64
	values [maxValues]atomic.Int64
	rand   uint64
	text   [200]byte
}

var shared *struct {
	program, run, jitter atomic.Int64
	logs         [maxGoroutines]log
}

func begin(n int) *log {
	l := &shared.logs[n]
	l.status.Store(1)
	return l
}

func (l *log) r(v int) {
	if n := l.count.Load(); n < maxValues {
		l.values[n].Store(int64(v))
		l.count.Store(n + 1)
	}
}

// p delays a goroutine by chance.
func (l *log) p() {
	if shared.jitter.Load() == 0 {
		return
	}
	l.rand = l.rand*6364136223846793005 + 1442695040888963407
	switch x := l.rand >> 33; x % 32 {
	case 0, 1, 2, 3, 4, 5, 6, 7:
		runtime.Gosched()
	case 8, 9, 10, 11:
		for range x >> 8 % 2000 {
			l.rand ^= 1
		}
	case 12:
		time.Sleep(time.Duration(x>>8%50) * time.Microsecond)
	}
}

// outcome is what the logs hold.
func outcome() string {
	var b strings.Builder
	for i := range shared.logs {
		l := &shared.logs[i]
		if l.status.Load() == 0 {
			continue
		}
		fmt.Fprintf(&b, "%d:", i)
		for j := range l.count.Load() {
			if v := l.values[j].Load(); v != ended {
				fmt.Fprintf(&b, " %d", v)
			} else {
				b.WriteString(" end")
			}
		}
		switch l.status.Load() {
		case 2:
			b.WriteString(" end")
		case 3:
			fmt.Fprintf(&b, " failed %q", strings.TrimRight(string(l.text[:]), "\x00"))
		}
		b.WriteByte(';')
	}
	return b.String()
}

var (
	left  = map[string]bool{} // goroutines of earlier runs
	stack = make([]byte, 1<<20)
)

// waiting returns the goroutines of this run if each of them waits, and whether one waits for a socket or a pipe.
func waiting() (ids []string, all, io bool) {
	dump := string(stack[:runtime.Stack(stack, true)])
	for i, block := range strings.Split(dump, "\n\n") {
		head, _, _ := strings.Cut(block, "\n")
		id, state, ok := strings.Cut(head, " [")
		if i == 0 || !ok || left[id] || strings.Contains(block, "park(") {
			continue
		}
		state, _, _ = strings.Cut(state, "]")
		state, _, _ = strings.Cut(state, ",")
		switch state {
		case "chan receive", "chan send", "select", "select (no cases)", "chan receive (nil chan)", "chan send (nil chan)",
			"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.WaitGroup.Wait", "sync.Cond.Wait":
		case "IO wait", "semacquire":
			io = true
		default:
			return nil, false, false
		}
		ids = append(ids, id)
	}
	return ids, true, io
}

// quiescent reports whether every goroutine of this run waits, and notes them.
func quiescent() bool {
	for looks := 0; ; looks++ {
		ids, all, io := waiting()
		if !all {
			return false
		}
		if !io || looks == 5 {
			for _, id := range ids {
				left[id] = true
			}
			return true
		}
		time.Sleep(3 * time.Millisecond)
	}
}

var stdout = os.Stdout

func main() {
	runtime.GOMAXPROCS(4)
	debug.SetGCPercent(-1)
	f, err := os.OpenFile(os.Args[1], os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	size := int(unsafe.Sizeof(*shared))
	f.Truncate(int64(size))
	mem, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	*(*unsafe.Pointer)(unsafe.Pointer(&shared)) = unsafe.Pointer(&mem[0])
	runs, _ := strconv.Atoi(os.Args[2])
	p, _ := strconv.Atoi(os.Args[3])
	r, _ := strconv.Atoi(os.Args[4])
	end, _ := strconv.Atoi(os.Args[5])
	for ; p < end; p++ {
		seen := map[string]bool{}
		for ; r < runs; r++ {
			shared.program.Store(int64(p))
			shared.run.Store(int64(r))
			for i := range shared.logs {
				l := &shared.logs[i]
				l.status.Store(0)
				l.count.Store(0)
				l.rand = uint64(r)*0x9e3779b97f4a7c15 + uint64(i)
				clear(l.text[:])
			}
			shared.jitter.Store(int64(r % 2))
			base := runtime.NumGoroutine()
			start(p)
			began := time.Now()
			for spin := 0; ; spin++ {
				stay := parked() // first: who is counted afterwards is no rest of what went before
				if runtime.NumGoroutine() <= base+stay {
					break
				}
				if spin < 100 {
					runtime.Gosched()
				} else if spin%8 == 4 && quiescent() {
					break
				} else {
					time.Sleep(20 * time.Microsecond)
				}
				if time.Since(began) > 20*time.Second {
					fmt.Fprintf(stdout, "stuck %d %d\n%s\n", p, r, stack[:runtime.Stack(stack, true)])
					os.Exit(4)
				}
			}
			if o := outcome(); !seen[o] {
				seen[o] = true
				fmt.Fprintf(stdout, "outcome %d %s\n", p, o)
			}
			finish()
			if len(left) > maxLeft {
				os.Exit(3)
			}
		}
		r = 0
		runtime.GC()
	}
	fmt.Fprintln(stdout, "done")
}
`

// nativeStart runs functions.
const NativeStart = `
func start(p int) { go programs[p]() }
func parked() int { return 0 }
func finish()     {}

func (l *log) end() {
	if e := recover(); e != nil {
		copy(l.text[:], fmt.Sprint(e))
		l.status.Store(3)
		select {}
	}
	l.status.Store(2)
}
`

const nativeImports = `	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"unsafe"
`
