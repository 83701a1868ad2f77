package inet

import "strings"

// This file says in the words of the network what the functions of the overlay do. They are made of channels, locks and
// atomics. Nobody who reads a schedule has written these, so it shows what an operation means, and leaves out one that
// means nothing by itself.

// steps are the meanings of operations, by the function that performs them: "" leaves one out. A name with a kind of
// operation behind it goes before the name alone.
var steps = map[string]string{
	"heddleStream.next receive":      "what was sent arrives",
	"heddleStream.read receive":      "what was sent arrives",
	"heddleStream.copyOut receive":   "more of it arrives",
	"heddleStream.write send":        "sends",
	"heddleStream.space receive":     "there is room to write",
	"heddleStream.hangUp":            "",
	"heddleStream.next":              "",
	"heddleStream.read":              "",
	"heddleMode.waits":               "",
	"heddleFd.fcntl":                 "sets flags of the descriptor, or asks for them",
	"heddleFd.callNamed":             "sets flags of the descriptor",
	"heddleStream.copyOut":           "",
	"heddleStream.nextNamed receive": "what was sent arrives",
	"heddleStream.nextNamed":         "",
	"heddleOpenNamed receive":        "the other end of the named pipe is opened",
	"heddleOpenNamed":                "",
	"heddleSock.setOption":           "",
	"heddleSock.option":              "looks at an option of the socket",
	"heddleSock.hangUp send":         "ends the stream",
	"heddleSock.shutdown send":       "ends the stream",
	"heddleSock.connect send":        "connects",
	"heddleSock.accept receive":      "accepts a connection",
	"heddleFd.wait receive":          "a connection or datagram arrives",
	"heddleSock.deliver send":        "sends a datagram",
	"heddleSock.deliver":             "",
	"heddleSock.receive receive":     "a datagram arrives",
	"heddleSock.breaks":              "",
	"heddleSock.writeStream":         "",
	"heddlePoll.setDeadline":         "sets a deadline",
	"heddlePoll.setDeadline$1":       "the deadline passes",
	"heddlePoll.lateness receive":    "what was late arrives",
	"heddlePoll.lateness":            "",
	"heddleClose":                    "",
	"heddleKeyed":                    "",
	"heddleKick":                     "",
	"heddleRing":                     "",
	"heddleFd.leave":                 "",
	"heddleLook":                     "",
	"heddleSeenBlock":                "makes the descriptor blocking",
	"heddleSeenShut":                 "closes the descriptor",
	"heddleSeenTold":                 "",
	"heddleSeenState":                "",
	"heddleSeenSwap":                 "",
	"heddleSeenPause":                "",
	"heddleSeenGoOn":                 "",
	"heddleSeenPaused":               "",
	"heddleSeenSetPaused":            "",
	"heddleSeenLock":                 "",
	"heddleSeenTryLock":              "",
	"heddleSeenUnlock":               "",
	"heddleSeenTimer":                "",
	"heddleSeenSetTimer":             "",
	"heddleSeenFront":                "",
	"heddleSeenSetRest":              "",
	"heddleSeenGet":                  "",
	"heddleSeenAdd":                  "",
	"heddleSeenLeave":                "",
	"heddleSeenFind":                 "",
	"heddleSeenOr":                   "",
	"heddleSeenOr64":                 "",
	"heddleSeenAnd64":                "",
	"heddleSeenLoad":                 "",
	"heddleSeenStore":                "",
	"heddleSeenCount":                "",
	"heddleSeenCopy":                 "",
	"heddleSeenShare":                "",
	"heddleSeenMany":                 "",
	"heddleSeenSetMany":              "",
	"heddleSeenLockSharing":          "",
	"heddleSeenUnlockSharing":        "",
	"heddleStream.takeTurn":          "",
	"HeddleEndRead":                  "",
	"heddlePoll.standBy":             "",
	"heddlePoll.destroy":             "",
	"heddlePoll.finish":              "",
	"heddlePoll.GoOn":                "",
	"heddleSeenFaultsLeft":           "",
	"heddleSeenFaultChosen":          "",
	"heddleSeenFaultShort":           "fault: only half of it is read",
	"heddleSeenFaultReset":           "fault: the connection is reset",
	"heddleSeenFaultRefused":         "fault: the connection is refused",
	"heddleSeenFaultLate":            "fault: what was sent comes a minute late",
	"heddleSeenFaultDrop":            "fault: the datagram is lost",
}

// plain is a function's name without its package: "heddleStream.next".
func plain(function string) string {
	_, name, _ := strings.Cut(function, ".")
	return strings.NewReplacer("(*", "", ")", "").Replace(name)
}

// Step says what an operation means that a function of the overlay performs, called by another. The operation is kind,
// of a select the case that was chosen, from 0. The result is "" if it means nothing by itself, and told is false if
// nothing is known of it.
func Step(function, caller, kind string, chosen int) (meaning string, told bool) {
	name := plain(function)
	if name == "heddleSeenSwap" {
		name = plain(caller)
	}
	if chosen > 0 && kind == "receive" { // it was woken, or nothing goes wrong
		return "", true
	}
	if meaning, told = steps[name+" "+kind]; !told {
		meaning, told = steps[name]
	}
	return meaning, told
}

// Waits is what a goroutine waits for that is blocked in a function of the overlay, as the runtime says it.
const Waits = "IO wait"
