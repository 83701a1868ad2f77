// Package corpus holds types whose descriptors the tests compare with the compiler's.
package corpus

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

type (
	Int    int
	str    string
	Ptr    *Struct
	Slice  []Struct
	Array  [3]Struct
	Map    map[str][]*Struct
	Chan   chan<- Int
	Fn     func(a int, b ...string) (Int, error)
	Empty  struct{}
	Iface  interface{ M(int) string }
	Unsafe unsafe.Pointer
	Any    any
	unexp  interface{ m() }
	Mixed  interface {
		Z()
		a(Iface) unexp
		B(...int)
		io.Reader
		_b() (x, y int)
	}
	Struct struct {
		A    int `json:"a,omitempty"`
		b    string
		_    [3]byte
		Next *Struct
		Empty
		*Inner `tag:"x"`
		f      func(Struct) *Struct
	}
	Inner struct {
		X, y float64
		io.Writer
	}
	Alias  = Struct
	Embeds struct {
		Alias
		Int
		unexp
		error
		fmt.Stringer
	}
	MyInt  = int
	EmbInt struct{ MyInt }
	Padded struct {
		a byte
		b int64
		c byte
	}
	TailZero struct {
		a int32
		b struct{}
	}
	HeadZero struct {
		a struct{}
		p *int
	}
	Blank  struct{ _ int }
	OneF   struct{ f float32 }
	OneP   struct{ p *Int }
	ArrP   [1]*Int
	Big    [200]byte
	BigMap map[Big]Big
	Huge   [40000]*int
	HugeS  struct {
		a int
		h Huge
		e [100]int
	}
	NoEq struct {
		a int
		_ []int
	}
	Sync struct {
		mu sync.Mutex
		rw sync.RWMutex
		a  atomic.Int64
		p  atomic.Pointer[Struct]
		w  *sync.WaitGroup
	}
	Rec  struct{ f map[*Rec]chan Rec2 }
	Rec2 []Rec
	Rec3 func(Rec3) Rec3
	RecI interface{ Self() RecI }
)

type errorT = fmt.Formatter

type Ünï struct{ Ä, ä int }

func (Int) String() string              { return "" }
func (*Int) Set(string) error           { return nil }
func (i Int) hidden() int               { return 0 }
func (Int) Ab()                         {}
func (Int) AB()                         {}
func (s *Struct) Ptr(int) (a, b string) { return }
func (s Struct) Val(x ...Iface)         {}
func (s Struct) m()                     {}
func (i *Inner) promoted()              {}
func (i *Inner) Promoted(Fn)            {}
func (Fn) Call()                        {}
func (Map) Call()                       {}
func (Chan) Call()                      {}
func (Slice) Call()                     {}
func (*Slice) Call2()                   {}
func (Array) Call()                     {}
func (e *Empty) unexported()            {}
func (Ünï) Ämt()                        {}
func (Ünï) ämt()                        {}

// G is generic.
type G[T any, U comparable] struct {
	t T
	U map[U]T
	*G[U, U]
}

func (g G[T, U]) Get() T       { return g.t }
func (g *G[T, U]) put(T, ...U) {}

// List is generic.
type List[T any] struct {
	next *List[T]
	val  T
}

// Seq is generic.
type Seq[T any] func(yield func(T) bool)

type GI[T any] interface{ Do(T) GI[T] }

type EmbG struct {
	*List[int]
	G[string, int]
}

func local() []any {
	type L struct{ a int }
	type M[T any] struct {
		t T
		L
	}
	{
		type L []M[int]
		x := []any{new(L), new(M[L]), new(map[string]L), new(List[L])}
		return append(x, new(List[M[L]]))
	}
}

var _ = func() int { type Z int; return int(Z(0)) }()

func local2() []any {
	type L int
	return []any{new(L), new(List[L]), new(G[[]L, struct{ l L }])}
}

// Roots returns pointers to zero values of the types to compare.
func Roots() []any {
	roots := []any{
		new(bool), new(int), new(int8), new(int16), new(int32), new(int64), new(uint), new(uint8), new(uint16), new(uint32),
		new(uint64), new(uintptr), new(float32), new(float64), new(complex64), new(complex128), new(string), new(unsafe.Pointer),
		new(byte), new(rune), new(error), new(any), new(*int), new(**Int), new([]byte), new([4]int), new([]error), new([0]func()),
		new([0]string), new([2]any), new([1]string),
		new(Int), new(*Int), new(str), new(Ptr), new(*Ptr), new(Slice), new(*Slice), new(Array), new(Map), new(Chan), new(Fn), new(Empty),
		new(*Empty), new(Iface), new(*Iface), new(Unsafe), new(Any), new(unexp), new(Mixed), new(Struct), new(*Struct), new(Inner),
		new(*Inner), new(Embeds), new(*Embeds), new(EmbInt), new(Padded), new(TailZero), new(HeadZero), new(Blank), new(OneF),
		new(OneP), new(ArrP), new(Big), new(BigMap), new(Huge), new(HugeS), new(NoEq), new(Sync), new(Rec), new(Rec2), new(Rec3), new(RecI),
		new(Ünï), new(*Ünï),
		new(chan int), new(<-chan int), new(chan<- (chan int)), new(chan (<-chan int)), new(chan (chan<- int)), new([]chan Int),
		new(func()), new(func(int) error), new(func(int, ...string)), new(func(...any) (a, b int)), new(func(func(int) bool) (c func())),
		new(map[string]int), new(map[Int]struct{}), new(map[struct{}]struct{}), new(map[byte]int64), new(map[float64][200]byte),
		new(map[any]Iface), new(map[[200]byte]bool), new(map[struct {
			a int
			b any
		}]byte), new(map[int8]map[int16]int32), new(map[chan int][128]byte), new(map[[129]int8][0]int),
		new(struct{}), new(struct {
			A int `a:"b" c:"\"\x00é"`
			b []string
		}), new(struct{ Int }), new(struct{ *Struct }), new(*struct{ *Struct }), new(struct {
			Inner
			x int
		}), new(*struct{ Inner }), new(struct{ *List[int] }), new(struct{ MyInt }), new(struct{ _, _ int }), new(struct{ io.Reader }),
		new(interface{ String() string }), new(interface {
			m()
			X(interface{ n(int) })
		}), new(interface {
			io.ReadWriteCloser
			error
		}), new([]interface{ m() }), new(struct{ f interface{ m() } }),
		new(G[int, string]), new(*G[int, string]), new(G[Struct, *Int]), new(List[List[int]]), new(List[struct {
			MyInt
			x int
			Alias
		}]), new(List[interface{ m() }]), new(List[func(int, ...time.Duration) <-chan Int]), new(Seq[Int]), new(GI[G[int, error]]), new(EmbG),
		new(*EmbG), new(List[any]), new(List[error]), new(List[unsafe.Pointer]), new(List[json.Number]),
		new(time.Time), new(*time.Time), new(time.Duration), new(*time.Timer), new(io.Reader), new(io.ReadWriter), new(*errorT),
		new(fmt.State), new(sync.Once), new(*sync.Pool), new(sync.Map), new(reflect.Value), new(*reflect.Value), new(reflect.Type),
		new(reflect.Method), new(reflect.Kind), new(json.Decoder), new(*json.Encoder), new(json.RawMessage), new(*json.RawMessage),
		new(*json.SyntaxError), new(atomic.Value), new(*atomic.Int32), new(atomic.Pointer[int]),
	}
	roots = append(roots, local()...)
	roots = append(roots, local2()...)
	return append(roots, random()...)
}
