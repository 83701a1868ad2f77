package prelude

// nativeLog runs programs natively, each many times, and prints what they show.
//
// The logs lie in memory that is shared with a file. A fatal error ends the process, and the parent then reads how far
// everyone had come. They are written with atomics, and nobody but the harness reads them, so they order nothing for
// the race detector.
//
// A run is over when all goroutines that it started have ended. It is also over when a dump of all goroutines, taken
// with the world stopped, shows every one left waiting for a channel or a primitive of sync. There are no timers, so
// nobody can wake them. They stay behind. When too many have, the process ends and the parent starts another.
//
// What is on its way through the kernel is in no goroutine's hands. So where one waits for a socket or a pipe no time
// is waited for, but these must hold: everyone waits; what the kernel had queued on its loopback interface is
// delivered, for a datagram that is sent behind it on each processor has come back (three times: an answer may cause
// another); no descriptor that somebody waits for is ready; and everyone waits where they did, and has logged nothing
// since.
//
// The collector runs between programs only, and where no goroutine has stayed behind: a connection that nobody reaches
// is closed when it is collected, and who waits at its other end would go on. Goroutines are not counted as a program
// begins, for cleanups may be at work then.
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

// waiting returns the goroutines of this run if each of them waits, where they wait, and the waits for sockets and
// pipes.
func waiting() (ids []string, where string, ios [][2]uintptr, all bool) {
	dump := string(stack[:runtime.Stack(stack, true)])
	old := 0
	for i, block := range strings.Split(dump, "\n\n") {
		head, rest, _ := strings.Cut(block, "\n")
		id, state, ok := strings.Cut(head, " [")
		if left[id] {
			old++
			if !waits(state, rest) {
				stale(block)
			}
		}
		if i == 0 || !ok || left[id] || strings.Contains(block, "park(") {
			continue
		}
		if !waits(state, rest) {
			return nil, "", nil, false
		}
		if strings.HasPrefix(state, "IO wait") {
			var poll, mode uintptr
			if _, err := fmt.Sscanf(rest, "internal/poll.runtime_pollWait(%v, %v)", &poll, &mode); err != nil {
				panic(block)
			}
			ios = append(ios, [2]uintptr{poll, mode})
		}
		ids = append(ids, id)
		where += id + rest
	}
	if old < len(left) {
		stale(dump)
	}
	return ids, where, ios, true
}

// waits reports whether a goroutine waits, by the beginning of its stack and its frames. testing sets GOMAXPROCS before
// each test. Who stops the world for that may wait for this very dump.
func waits(state, frames string) bool {
	if strings.HasPrefix(frames, "runtime.GOMAXPROCS(") {
		return false
	}
	state, _, _ = strings.Cut(state, "]")
	state, _, _ = strings.Cut(state, ",")
	switch state {
	case "chan receive", "chan send", "select", "select (no cases)", "chan receive (nil chan)", "chan send (nil chan)",
		"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.WaitGroup.Wait", "sync.Cond.Wait",
		"IO wait", "semacquire":
		return true
	}
	return false
}

// stale ends the process: a goroutine of a run that was taken to be over has gone on.
func stale(text string) {
	fmt.Fprintf(stdout, "a goroutine of an earlier run goes on\n%s\n", text)
	os.Exit(4)
}

// ready reports whether what somebody waits for is there. poll is the runtime's pollDesc: the descriptor is its
// second word.
func ready(poll, mode uintptr) bool {
	fd := *(*uintptr)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&poll)), 8))
	p := struct {
		fd              int32
		events, revents int16
	}{fd: int32(fd), events: 1} // POLLIN
	if mode == 'w' {
		p.events = 4 // POLLOUT
	}
	n, _, err := syscall.RawSyscall(syscall.SYS_POLL, uintptr(unsafe.Pointer(&p)), 1, 0)
	return err != 0 || n != 0
}

var ping = -1 // a UDP socket connected to itself

// deliver returns when the kernel has delivered what was under way on the loopback interface: each processor has
// a queue, first in first out.
func deliver() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if ping < 0 {
		ping, _ = syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
		syscall.Bind(ping, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
		a, err := syscall.Getsockname(ping)
		if err == nil {
			err = syscall.Connect(ping, a)
		}
		if err != nil {
			panic(err)
		}
	}
	var all, one [16]uint64
	size := unsafe.Sizeof(all)
	syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, size, uintptr(unsafe.Pointer(&all)))
	for range 3 {
		for cpu := range 64 * len(all) {
			if one = ([16]uint64{}); all[cpu/64]&(1<<(cpu%64)) == 0 {
				continue
			}
			one[cpu/64] = 1 << (cpu % 64)
			syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, size, uintptr(unsafe.Pointer(&one)))
			var b [1]byte
			syscall.Write(ping, b[:])
			if _, err := syscall.Read(ping, b[:]); err != nil {
				panic(err)
			}
		}
	}
	syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, size, uintptr(unsafe.Pointer(&all)))
}

// quiescent reports whether every goroutine of this run waits for what nobody will do, and notes them.
func quiescent() bool {
	ids, where, ios, all := waiting()
	if !all {
		return false
	}
	if len(ios) > 0 {
		logged := outcome()
		deliver()
		for _, w := range ios {
			if ready(w[0], w[1]) {
				return false
			}
		}
		if _, again, _, all := waiting(); !all || again != where || outcome() != logged {
			return false
		}
	}
	for _, id := range ids {
		left[id] = true
	}
	return true
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
	own := runtime.NumGoroutine()
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
			base := own + len(left)
			start(p)
			began := time.Now()
			for spin := 0; ; spin++ {
				stay := parked() // first: who is counted afterwards is no rest of what went before
				if runtime.NumGoroutine() <= base+stay && !going() { // one of an earlier run may have ended after all
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
		if r = 0; len(left) > 0 {
			os.Exit(3)
		}
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

// going reports whether one of this run has not ended.
func going() bool {
	for i := range shared.logs {
		if shared.logs[i].status.Load() == 1 {
			return true
		}
	}
	return false
}

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
