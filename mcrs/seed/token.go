package seed

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// This file defines Token and its text form: prefix, armour and checksum. The
// body inside is in body.go.

// Prefix begins every token; its digit is the version of the format.
const Prefix = "h1"

// Bounds on what Parse builds, so that a hostile token cannot exhaust memory.
const (
	maxBody  = 64 << 20 // bytes of an inflated body
	maxSteps = 16 << 20 // steps of a seed
)

// A Token says how to repeat one execution: what to run, of which sources, and
// in which order. Its text form is what a finding shows and what `heddle replay` takes.
type Token struct {
	Package string // import path
	Entry   string // name of the test, example, fuzz target or main
	Digest  string // digest of the sources of the closed program, as bytes (not hexadecimal)
	Regime  string // the regime of time, "" for the first, or the memory model, "" for sequential consistency
	Seed    Seed
	Env     []string // environment variables that were given, as NAME=VALUE
}

// The errors of Parse; each is wrapped with the particulars.
var (
	ErrPrefix    = errors.New("not a replay token of this version")
	ErrTruncated = errors.New("replay token is truncated")
	ErrChecksum  = errors.New("replay token is damaged")
	ErrMalformed = errors.New("replay token is malformed")
)

var armour = base64.RawURLEncoding.Strict()

// How a body is stored.
const (
	stored   = 0
	deflated = 1
)

// String returns the text form: Prefix, then, in base64 for URLs without
// padding, the length of the payload, the payload (one byte for how the body is
// stored, the body) and its CRC-32. Equal tokens have equal strings.
func (t *Token) String() string {
	body := appendBody(nil, t)
	payload := append([]byte{stored}, body...)
	if small := deflate(body); len(small) < len(body) {
		payload = append([]byte{deflated}, small...)
	}
	raw := binary.AppendUvarint(nil, uint64(len(payload)))
	raw = append(raw, payload...)
	raw = binary.LittleEndian.AppendUint32(raw, crc32.ChecksumIEEE(payload))
	return Prefix + armour.EncodeToString(raw)
}

// Parse is the inverse of String. Its errors wrap ErrPrefix, ErrTruncated,
// ErrChecksum or ErrMalformed.
func Parse(s string) (*Token, error) {
	if len(s) < len(Prefix) || s[:len(Prefix)] != Prefix {
		return nil, fmt.Errorf("%w: want the prefix %q, got %.8q", ErrPrefix, Prefix, s)
	}
	payload, err := unarmour(s[len(Prefix):])
	if err != nil {
		return nil, err
	}
	body := payload[1:]
	switch payload[0] {
	case stored:
	case deflated:
		if body, err = inflate(body); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%w: unknown storage %d", ErrMalformed, payload[0])
	}
	return parseBody(body)
}

// unarmour returns the payload, checked, of at least one byte.
func unarmour(s string) ([]byte, error) {
	raw, err := armour.DecodeString(s)
	if err != nil {
		var bad base64.CorruptInputError
		if errors.As(err, &bad) && int(bad) < len(s)-1 {
			return nil, fmt.Errorf("%w: character %d is not base64", ErrMalformed, int(bad)+len(Prefix))
		}
		return nil, fmt.Errorf("%w: it ends inside a byte", ErrTruncated)
	}
	size, n := binary.Uvarint(raw)
	if n == 0 {
		return nil, fmt.Errorf("%w: no length", ErrTruncated)
	}
	if n < 0 || size == 0 {
		return nil, fmt.Errorf("%w: bad length", ErrMalformed)
	}
	raw = raw[n:]
	have := uint64(len(raw))
	if have < 4 || size > have-4 {
		return nil, fmt.Errorf("%w: %d bytes of %d", ErrTruncated, have, size+4)
	}
	if size < have-4 {
		return nil, fmt.Errorf("%w: %d bytes after its end", ErrMalformed, have-4-size)
	}
	payload, sum := raw[:size], binary.LittleEndian.Uint32(raw[size:])
	if got := crc32.ChecksumIEEE(payload); got != sum {
		return nil, fmt.Errorf("%w: checksum %08x, want %08x", ErrChecksum, got, sum)
	}
	return payload, nil
}

func deflate(b []byte) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	w.Write(b) // a bytes.Buffer does not fail
	w.Close()
	return out.Bytes()
}

func inflate(b []byte) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	if len(out) > maxBody {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrMalformed, maxBody)
	}
	return out, nil
}
