package kernel

import (
	"cmp"
	"io"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/calls"
)

// Config says what the process finds.
type Config struct {
	Root   string // a folder of the host, readable at its own path and the current folder; "" for none
	Module string // a folder above Root, or Root, readable as well; "" for Root alone
	GOROOT string // readable
	Args   []string
	Env    []string // TMPDIR, if set, names a folder that is made
	Stdin  io.Reader
	Stdout io.Writer // nil discards
	Stderr io.Writer
	Now    func() int64 // virtual nanoseconds since 1970; nil stands still

	// HostRead is called with the host path of whatever the program learnt of the
	// host: a file or folder opened, a file asked for its attributes, a link read
	// or followed, a name that is not there. It may be called often for one path.
	HostRead func(path string)

	// Whole says that what calls touch is never told apart (APART1).
	Whole bool

	// MaxBytes limits what the file system in memory holds, 1 KiB for each inode
	// included; 0 means 64 MiB.
	MaxBytes int64
}

// readable is the folder of the host that the program can read, and change in memory.
func (c *Config) readable() string { return cmp.Or(c.Module, c.Root) }

// A Kernel is the kernel of one process. It is not for concurrent use.
type Kernel struct {
	files
	boot     int64
	stdin    []byte // all that ever came
	stdinEOF bool

	Complaints
}

// Complaints say what the last call asked for that is not there.
type Complaints struct{ unsupported, refused string }

// New makes a process that has opened nothing but its three streams.
func New(cfg Config) *Kernel {
	k := &Kernel{files: files{cfg: cfg, limit: cfg.MaxBytes}}
	if k.limit <= 0 {
		k.limit = 64 << 20
	}
	limit := k.limit
	k.limit = 1 << 62 // what the start needs is not charged
	k.boot = k.now()
	k.p.umask = 0o022
	k.p.nextIno = 1
	k.root, _ = k.newNode(sIFDIR | 0o755)
	k.root.parent, k.root.outside = k.root, true
	k.p.cwd = k.root
	k.open(k.root)
	dev := k.makeDir(k.root, "dev")
	dev.outside = true
	for _, d := range []struct {
		name string
		s    special
		mode uint32
		rdev uint64
	}{
		{"null", devNull, sIFCHR | 0o666, 0x103},
		{"zero", devZero, sIFCHR | 0o666, 0x105},
		{"random", devRandom, sIFCHR | 0o666, 0x108},
		{"urandom", devRandom, sIFCHR | 0o666, 0x109},
		{"stdin", stdIn, sIFIFO | 0o600, 0},
		{"stdout", stdOut, sIFIFO | 0o600, 0},
		{"stderr", stdErr, sIFIFO | 0o600, 0},
	} {
		n, _ := k.newNode(d.mode)
		n.special, n.rdev = d.s, d.rdev
		k.link(dev, d.name, n)
	}
	in := dev.kids["stdin"].n
	if cfg.Stdin == nil {
		in = dev.kids["null"].n
	}
	k.install(0, k.openDesc(in, oLARGEFILE), false)
	k.install(1, k.openDesc(dev.kids["stdout"].n, oWRONLY), false)
	k.install(2, k.openDesc(dev.kids["stderr"].n, oWRONLY), false)
	k.makeSystem()
	k.mountHost(cfg.readable())
	k.mountHost(cfg.GOROOT)
	k.makeAll("/tmp")
	for _, v := range cfg.Env {
		if dir, ok := strings.CutPrefix(v, "TMPDIR="); ok && strings.HasPrefix(dir, "/") {
			k.makeAll(dir)
		}
	}
	if cfg.Root != "" {
		if n, e := k.find(cwdFD, hostPath(cfg.Root), true); e == 0 && n.isDir() {
			k.chdir(n)
		}
	}
	k.root.fix()
	k.p.used, k.limit = 0, limit
	return k
}

// makeAll makes a folder and those above it, as far as they can be made.
func (k *Kernel) makeAll(path string) {
	dir := k.root
	for _, name := range strings.Split(path, "/") {
		if name == "" || name == "." {
			continue
		}
		if dir = k.makeDir(dir, name); dir == nil || dir.host != nil || !dir.isDir() {
			return
		}
	}
	k.touch(dir)
	dir.mode = sIFDIR | sISVTX | 0o777
	dir.outside = false // it is the program's own, wherever the package is
}

// Close gives back what is held of the host.
func (k *Kernel) Close() {
	for _, r := range k.trees {
		r.Close()
	}
	k.trees = nil
}

func (k *files) now() int64 {
	if k.cfg.Now == nil {
		return 0
	}
	return k.cfg.Now()
}

// Syscall performs one system call. Its second result is 0, but where the package
// comment says otherwise. A failed one returns -1, 0 and the error number. ok is
// false if the call, or these arguments, are not implemented: then
// nothing has happened, and Unsupported says what it was.
func (k *Kernel) Syscall(m Memory, num, a1, a2, a3, a4, a5, a6 uint64) (r1, r2, errnum uint64, ok bool) {
	k.unsupported, k.refused = "", ""
	fail := uint64(1<<64 - 1)
	if num >= uint64(len(table)) || table[num].do == nil {
		k.unsupport(Name(num))
		return fail, 0, uint64(eNOSYS), false
	}
	c := &call{k: k, m: m, num: num, a: [6]uint64{a1, a2, a3, a4, a5, a6}}
	r, e := table[num].do(c)
	const getdents64 = 217
	switch e {
	case eNOSPC:
		k.refused = "more than " + decimal(uint64(k.limit>>20)) + " MiB in files"
	case eMFILE:
		k.refused = "more than " + decimal(maxOpen) + " open files"
	case eNOENT, eAFNOSUPPORT, ePERM, eNOSYS:
	default:
		if e != 0 || num != getdents64 {
			k.refused = ""
		}
	}
	switch {
	case e == eUnsupported:
		k.unsupported = Name(num) + ": " + k.unsupported
		return fail, 0, uint64(eNOSYS), false
	case e != 0:
		return fail, 0, uint64(e), true
	}
	return r, c.r2, 0, true
}

func (k *Complaints) unsupport(what string) errno {
	k.unsupported = what
	return eUnsupported
}

// Unsupported says what the last call lacked, if its ok was false.
func (k *Complaints) Unsupported() string { return k.unsupported }

// Network is what Refused says of a socket.
const Network = "the network"

// Refused says what the last call, which failed, would have needed of the host, if an ordinary process may well find it
// there: the network, another process, files elsewhere. It is empty if the call would have failed for any process like
// this one, or did not fail (except for the list of a folder that has more there).
func (k *Complaints) Refused() string { return k.refused }

// Refuse has Refused say what, of a call that is answered elsewhere.
func (k *Complaints) Refuse(what string) { k.refused = what }

// Name is the name of a system call.
func Name(num uint64) string {
	if num < uint64(len(calls.Names)) && calls.Names[num] != "" {
		return calls.Names[num]
	}
	return "system call " + decimal(num)
}

// Args and Env are the process's own.
func (k *Kernel) Args() []string { return k.cfg.Args }
func (k *Kernel) Env() []string  { return k.cfg.Env }

// PollOpen is what registering fd with the network poller answers: EPERM, for
// files and folders always are ready.
func (k *Kernel) PollOpen(fd uint64) (errnum uint64) {
	_, e := k.file(fd)
	if e == 0 {
		e = ePERM
	}
	return uint64(e)
}

// An Effect says how a system call bears on the state that all goroutines of
// the process share.
type Effect uint8

const (
	Writes Effect = iota // it may change it
	Reads                // it only looks
	Pure                 // neither: its answer is the same in every state
)

// Effect is the effect of a system call, whatever its arguments.
func (k *Kernel) Effect(num uint64) Effect {
	if num < uint64(len(table)) {
		return table[num].effect
	}
	return Writes
}
