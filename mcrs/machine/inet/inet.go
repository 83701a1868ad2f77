// Package inet is the machine's loopback network, its pipes and its signals. They are Go programs that join packages of
// the standard library (the files *.go.txt). The machine interprets them like the rest of it. A stream is a channel of
// segments, a datagram socket a channel of datagrams. So what explorers, the race detector, leaks and reports know of
// channels, atomics and locks holds for sockets, and there is no rule for sockets that could be wrong. Files are
// package kernel's.
//
// # System calls
//
// syscall.RawSyscall6 leads to heddleSyscall (files.go.txt). It performs what concerns sockets, pipes and signals; the
// rest goes on to the kernel. Packages net, os and golang.org/x/sys/unix run unchanged above it.
//
//	NET1  A descriptor's number is a function of the goroutine that made it, and of how many it made before. So is a
//	      port that the kernel chooses. POSIX promises the lowest number that is free; a program that counts on it can
//	      tell.
//	NET2  The tables of descriptors and of addresses keep nothing alive (rule LEAK1 of the machine). A goroutine that
//	      waits at a socket that nothing else reaches has leaked.
//	NET3  Only 127.0.0.0/8, ::1, and the unspecified addresses are there. A connection to any other is refused with
//	      ENETUNREACH, and the entry was refused the network.
//	NET4  Who looks for an address, or takes or gives one, or puts a connection before a listener, performs an
//	      operation on the object of the address.
//	NET5  A connection is there when connect returns, before it is accepted. A write after the other end was closed
//	      succeeds once, as TCP has it, and then fails with EPIPE. If the other end was closed with bytes unread it
//	      fails with ECONNRESET.
//	NET6  Close ends the stream to the other end. It resets it if something is unread, or if SO_LINGER has time 0.
//	NET7  A datagram is delivered when it is sent. It is lost if nobody is there, or if 256 wait (UDP). An address
//	      that is none means the loopback address of its version, and of the socket's.
//	NET8  There is one interface, lo. There is no name server, no multicast, no MSG_PEEK, and no control message but
//	      those of NET12. Most computers have more interfaces: who asks for them, and then fails, is refused the
//	      network (REFUSE3).
//	NET9  Who sets an option of a socket, or asks for one, performs an operation on the object of the socket.
//	NET10 Who sets the flags of a socket or pipe, or asks for them (fcntl), performs an operation on them. So does
//	      what waits or not as they say: a read, write or accept that could find nothing, or no room.
//	NET11 A system call on a descriptor of a socket or pipe looks its number up: an operation on the number.
//	      Who closes the descriptor changes it. Calls that are under way have it until they end.
//	NET12 Of a datagram who asks for it is told where it went (PKTINFO), how many hops were left (64), and the traffic
//	      class that its sender gave it, in a control message or by an option. To be told is to ask for an option.
//	NET13 The other end of a unix stream or pair is the program's, and so are its credentials (SO_PEERCRED). An option
//	      that nobody has set has Linux's default. What TCP measures, and a peer's groups, are the computer's: who
//	      asks for them is refused the network.
//	NET14 Who begins to work on a descriptor reads which socket it is, and which streams: the connection that a
//	      listener has accepted first is another one in another schedule, and its descriptor the same. All that it
//	      does then depends on that, so that it is in the name of its state until the work is done.
//	NET15 A port that the kernel chooses is one that no other socket has, be it of a client or only bound. Sockets
//	      that all have SO_REUSEPORT, or that all have SO_REUSEADDR and do not listen, share one that the program
//	      asks for. Which of them gets a connection or a datagram that fits several is not supported.
//
// # Streams
//
//	STREAM1  A write is cut into segments of at most 64 KiB. Each is an element of the channel of the stream.
//	STREAM2  So much may be under way: 2 MiB (TCP), 208 KiB (unix), 64 KiB (pipe). A segment counts at least a 1024th
//	         of that. When no more may be, a write waits.
//	STREAM3  A read waits for a segment. Then it takes all that is there and that it has room for. What comes between
//	         two writes, and what comes after both, are schedules like any other. So a read may return one segment or
//	         several. What is left of one is for the next read.
//	STREAM4  The end of a stream, and its reset, are its last element. (A named pipe ends otherwise: FIFO3.)
//	STREAM5  The reader's end tells the writer by an atomic that it is gone.
//	STREAM6  A segment is delivered as soon as it is written, as on a quiet computer's loopback interface. That it
//	         comes late is not explored, but with FAULT6.
//
// # Waiting
//
//	READY1  A method of internal/poll.FD waits before it calls the kernel. Natively it calls first, and waits if it
//	        must. It then calls again, so the program cannot tell. What the wait took out of the channel is in hand
//	        until the call. (RawRead and RawWrite call first: it is the program's call.)
//	READY2  A wait that begins after Close, or after the deadline, fails, also if something is there.
//	READY3  A deadline is a timer with a function, which marks the descriptor late and tells who waits. A deadline in
//	        the past does so at once.
//	READY4  Readers of a descriptor take turns, and so do writers, by two locks. Close tells them, and waits until
//	        they have gone.
//	READY5  Once a descriptor is blocking (File.Fd, NewFile), its reads and writes wait in the call itself. Neither
//	        Close nor a deadline ends that. Close returns at once, and who leaves the call last closes the
//	        descriptor. Readers take turns then, as with several descriptors (SHARE1).
//
// # Several descriptors of one connection
//
//	SHARE1  Once several descriptors lead to one end of a stream (File, dup), its readers take turns: who reads by one
//	        of them has the stream to itself, from its wait to the end of its read. So what it leaves of a segment
//	        comes first for the next, whichever descriptor that reads by. A deadline, or Close, of the own descriptor
//	        ends the wait for the turn. A stream with one descriptor needs no turns: the lock is enough.
//	SHARE2  Who reads by the only descriptor when there comes to be a second one stands by, and then waits for a turn.
//	SHARE3  Who was woken because there is room to write wakes who waits by another descriptor, if there is room left.
//
// # Named pipes
//
//	FIFO1  A named pipe that is open is a stream, found by the number of the file. It begins with the first
//	       descriptor, and ends with the last: what nobody has read is lost then. Its descriptors are several
//	       (SHARE1, SHARE3).
//	FIFO2  Who opens it to read waits until somebody has it to write, and the other way round. With O_NONBLOCK who
//	       reads does not wait, and who writes fails with ENXIO if nobody reads. Who opens it for both does not wait.
//	FIFO3  A read that finds nothing returns 0 if nobody has it to write. That is no end: who opens it to write goes
//	       on with it. A read that waits is told when nobody writes any more.
//	FIFO4  A write fails with EPIPE if nobody has it to read, also one that waits.
//
// # Locks of files
//
//	FLOCK1  A goroutine that waits for flock tries again whenever a description gives a lock up: by flock, or as it is
//	        closed. Who then comes first has the lock.
//
// A lock of a file synchronises nothing, as Go's race detector has it.
//
// # Signals
//
//	SIG1  A signal comes to the program when it sends it to itself. Nobody else does.
//	SIG2  A signal that package os/signal wants is a bit, taken by its goroutine: of equal ones that have not been
//	      taken the second is lost.
//	SIG3  A signal that the program neither wants nor ignores, and that would end it, ends the run as unsupported.
//	SIG4  A signal synchronises nothing: who receives it is not after who sent it, but for time.
//
// # What it orders
//
//	ORDER1  What the functions of syscall's overlay do to sockets, streams and signals orders nothing: Go's race
//	        detector sees none of it.
//	ORDER2  syscall.Write tells the detector that it begins, syscall.Read that it ends without an error (SYNC13 of
//	        package race), and so do Pwrite, Sendfile and Pread. For a search that has states and no trace, the two
//	        events in which a stream counts what is written and read say so too: what was written is copied after the
//	        first, and what was read before the second.
//	ORDER3  Each operation on a descriptor is one on its fdMutex: an atomic update as it begins, and as it ends. What
//	        package poll's overlay does by itself orders no more than that.
//	ORDER4  What goes from a connection to another by io.Copy (splice) the program neither reads nor writes: it
//	        orders no more than ORDER3.
//
// # Faults
//
// Faults happen only where they are asked for (flag -faults).
//
//	FAULT1  Whether something goes wrong is a choice of the schedule, made where the program reads, writes or
//	        connects: a select of two closed channels. An atomic counts how many faults there may still be. So
//	        explorers need no rule for faults, and those who choose that all goes well do not depend on one another.
//	        The count orders nothing, for it is none of the program's.
//	FAULT2  Faults are those of TCP and UDP. A pipe and a unix socket have none.
//	FAULT3  Short: a read returns half of the bytes of the segment that is there, and the rest is for the next read. A
//	        write that is cut in two is the same to who reads.
//	FAULT4  Reset: a connection breaks before one end reads or writes. That operation fails with ECONNRESET, and
//	        nothing is written. What was under way to who reads is lost. The other end reads what was sent to it
//	        before, and then finds the reset.
//	FAULT5  Refused: a connection to a socket that listens is refused, and never comes to be accepted.
//	FAULT6  Late: what a read has waited for comes a minute late. So every deadline and time-out below a minute passes
//	        first. Datagrams may be late too. One that is late holds up those behind it.
//	FAULT7  Drop: a datagram is lost.
package inet

import (
	"embed"
	"strings"
)

//go:embed *.go.txt
var files embed.FS

// Overlay is for program.Config: import path → file name → source.
func Overlay() map[string]map[string]string {
	text := func(name string) string {
		b, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	return map[string]map[string]string{
		"syscall": {
			"heddle_streams.go": text("streams.go.txt"), "heddle_files.go": text("files.go.txt"), "heddle_sockets.go": text("sockets.go.txt"),
			"heddle_connections.go": text("connections.go.txt"), "heddle_datagrams.go": text("datagrams.go.txt"), "heddle_signals.go": text("signals.go.txt"),
			"heddle_faults.go": text("faults.go.txt"), "heddle_flock.go": text("flock.go.txt"),
			"heddle_shared.go": text("shared.go.txt"), "heddle_named.go": text("named.go.txt"), "heddle_given.go": text("given.go.txt"),
		},
		"internal/poll":         {"heddle_poll.go": text("poll.go.txt"), "heddle_splice.go": text("splice.go.txt")},
		"internal/syscall/unix": {"heddle_fcntl.go": text("unix.go.txt")},
		"os/signal":             {"heddle_signal.go": text("signal.go.txt")},
	}
}

// Redirects are functions whose body is one of the overlay.
var Redirects = map[string]string{
	"syscall.RawSyscall6": "syscall.heddleSyscall",
	"syscall.NetlinkRIB":  "syscall.heddleRoutes",

	"syscall.Read":     "syscall.heddleSysRead",
	"syscall.Write":    "syscall.heddleSysWrite",
	"syscall.Pread":    "syscall.heddleSysPread",
	"syscall.Pwrite":   "syscall.heddleSysPwrite",
	"syscall.Sendfile": "syscall.heddleSysSendfile",

	"syscall.rawVforkSyscall": "syscall.heddleFork",

	"syscall.runtime_doAllThreadsSyscall": "syscall.heddleAllThreads",

	"internal/syscall/unix.fcntl": "internal/syscall/unix.heddleFcntl",

	"internal/poll.runtime_pollOpen":        "internal/poll.heddleOpen",
	"internal/poll.runtime_pollReset":       "internal/poll.heddleWait",
	"internal/poll.runtime_pollWait":        "internal/poll.heddleWait",
	"internal/poll.runtime_pollSetDeadline": "internal/poll.heddleSetDeadline",
	"internal/poll.runtime_pollUnblock":     "internal/poll.heddleUnblock",
	"(*internal/poll.FD).Init":              "internal/poll.heddleInit",
	"(*internal/poll.FD).readLock":          "internal/poll.heddleReadLock",
	"(*internal/poll.FD).readUnlock":        "internal/poll.heddleReadUnlock",
	"(*internal/poll.FD).writeLock":         "internal/poll.heddleWriteLock",
	"(*internal/poll.FD).writeUnlock":       "internal/poll.heddleWriteUnlock",
	"(*internal/poll.FD).incref":            "internal/poll.heddleIncref",
	"(*internal/poll.FD).decref":            "internal/poll.heddleDecref",
	"(*internal/poll.FD).closing":           "internal/poll.heddleClosing",
	"(*internal/poll.FD).destroy":           "internal/poll.heddleDestroy",
	"(*internal/poll.FD).Close":             "internal/poll.heddleClose",
	"(*internal/poll.FD).Read":              "internal/poll.heddleRead",
	"(*internal/poll.FD).Pread":             "internal/poll.heddlePread",
	"(*internal/poll.FD).RawRead":           "internal/poll.heddleRawRead",
	"(*internal/poll.FD).RawWrite":          "internal/poll.heddleRawWrite",
	"(*internal/poll.FD).SetBlocking":       "internal/poll.heddleSetBlocking",
	"(*internal/poll.FD).Writev":            "internal/poll.heddleWritev",
	"internal/poll.Splice":                  "internal/poll.heddleSplice",

	"os/signal.signal_recv":          "os/signal.heddleRecv",
	"os/signal.signal_enable":        "os/signal.heddleEnable",
	"os/signal.signal_disable":       "os/signal.heddleDisable",
	"os/signal.signal_ignore":        "os/signal.heddleIgnore",
	"os/signal.signal_ignored":       "os/signal.heddleIgnored",
	"os/signal.signalWaitUntilIdle":  "os/signal.heddleIdle",
	"golang.org/x/sys/unix.Syscall":  "syscall.Syscall",
	"golang.org/x/sys/unix.Syscall6": "syscall.Syscall6",

	"golang.org/x/sys/unix.RawSyscall":  "syscall.RawSyscall",
	"golang.org/x/sys/unix.RawSyscall6": "syscall.RawSyscall6",
}

// Weak reports whether a package variable keeps nothing alive (NET2).
func Weak(name string) bool { return strings.HasPrefix(name, "heddleWeak") }

// FromOutside reports whether another process may let a goroutine go on that waits in a function of the overlay: by a
// signal, a connection, or a datagram.
func FromOutside(function string) (signal, socket bool) {
	switch plain(function) {
	case "HeddleSignal":
		return true, false
	case "heddleFd.wait", "heddleSock.accept", "heddleSock.receive":
		return false, true
	}
	return false, false
}

// Unordered reports whether what is done to a package variable, or to the channel that it holds, orders nothing (SIG4,
// FAULT1).
func Unordered(name string) bool { return strings.HasPrefix(name, "heddleUnordered") }

// Loose reports whether what a function of the overlay does orders nothing (ORDER1). What it copies is of the program's
// memory.
func Loose(name string) bool {
	return strings.Contains(name, "syscall.") && name != "syscall.heddleSeenCopy" && name != "syscall.heddleSyscall"
}

// Leaves and Finds report whether a function of the overlay counts what syscall.Write has written, or Read has read
// (ORDER2).
func Leaves(name string) bool { return name == "syscall.heddleSeenLeave" }
func Finds(name string) bool  { return name == "syscall.heddleSeenFind" }

// Rings reports whether a function of the overlay sends where it can, and does not look whether it did: who waits is
// told, once or several times.
func Rings(name string) bool {
	return name == "syscall.heddleRing" || name == "internal/poll.heddleKick"
}

// Own reports whether a function of the standard library, by its name, is of the overlay.
func Own(name string) bool {
	return (strings.Contains(name, "syscall.") || strings.Contains(name, "internal/poll.")) && (strings.Contains(name, "heddle") || strings.Contains(name, ".Heddle"))
}
