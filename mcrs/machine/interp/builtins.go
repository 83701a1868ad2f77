package interp

import (
	"bytes"
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"golang.org/x/tools/go/ssa"
)

// This file defines the built-in functions.

// builtinFunc names a function of a builtin, for go and defer: it is the statement's own. Its instructions stand at the
// instruction in of the source, or nowhere if that is nil.
func (c *compiler) builtinFunc(name string, args []code.Operand, results *types.Tuple, in ssa.Instruction) builtinOf {
	off := int32(0)
	params := make([]code.Operand, len(args))
	for i, a := range args {
		params[i] = code.Operand{T: a.T, At: off}
		off += int32(c.layouts.Of(a.T).Words()) * 8
	}
	t := &vm.Template{Code: code.Code{Params: off, Ctx: off, RecoverPC: -1}}
	inner := &compiler{t: t, library: c.library, layouts: c.layouts}
	inner.Compiler = code.NewPlain(inner, c.layouts, &t.Code)
	if in != nil {
		inner.Stand(in)
	}
	res := types.Type(results)
	if results == nil {
		res = types.NewTuple()
	}
	dst := inner.Alloc(int32(c.layouts.Of(res).Words())*8 + 8)
	inner.Builtin(name, params, dst, res)
	inner.Emit(code.Instr{Op: code.OpRet})
	inner.Finish()
	return builtinOf{"builtin." + name, t}
}

// Builtin implements code.Extension.
func (c *compiler) Builtin(name string, args []code.Operand, dst int32, res types.Type) {
	under := func(i int) types.Type { return args[i].T.Underlying() }
	lay := func(i int) *layout.Layout { return c.layouts.Of(args[i].T) }
	switch name {
	case "len", "cap":
		switch t := under(0).(type) {
		case *types.Slice:
			at := args[0].At + 8
			if name == "cap" {
				at += 8
			}
			c.Move(dst, at, 8)
		case *types.Basic:
			c.Move(dst, args[0].At+8, 8)
		case *types.Array:
			c.Move(dst, c.Word(uint64(t.Len())), 8)
		case *types.Pointer:
			c.Move(dst, c.Word(uint64(t.Elem().Underlying().(*types.Array).Len())), 8)
		case *types.Map:
			c.closure(dst, args[0].At, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
				n, s := objects.MapLen(m, g, vm.Ld(fp, in.B))
				if s == vm.Done {
					vm.St(fp, in.A, n)
				}
				return s
			})
		case *types.Chan:
			c.closure(dst, args[0].At, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
				n, s := objects.ChanLen(m, g, vm.Ld(fp, in.B), name == "cap")
				if s == vm.Done {
					vm.St(fp, in.A, n)
				}
				return s
			})
		default:
			c.Lacks(name + " of " + args[0].T.String())
		}
	case "append":
		c.appendTo(args, dst)
	case "copy":
		el := c.layouts.Of(under(0).(*types.Slice).Elem())
		c.closure(dst, args[0].At, args[1].At, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			n := min(vm.Ld(fp, in.B+8), vm.Ld(fp, in.C+8))
			s := Move(m, g, vm.Ld(fp, in.B), vm.Ld(fp, in.C), n*el.Size, el.Ptrs)
			if s == vm.Done {
				vm.St(fp, in.A, n)
			}
			return s
		})
	case "clear":
		if _, ok := under(0).(*types.Map); ok {
			c.closure(0, args[0].At, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
				return objects.MapClear(m, g, vm.Ld(fp, in.B))
			})
			return
		}
		el := c.layouts.Of(under(0).(*types.Slice).Elem())
		c.closure(0, args[0].At, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			return access.Store(m, g, vm.Ld(fp, in.B), make([]byte, vm.Ld(fp, in.B+8)*el.Size), nil)
		})
	case "close":
		c.closure(0, args[0].At, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			return objects.ChanClose(m, g, vm.Ld(fp, in.B))
		})
	case "delete":
		t := vm.NewMapType(c.layouts, under(0).(*types.Map))
		c.closure(0, args[0].At, args[1].At, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			return objects.MapDelete(m, g, vm.Ld(fp, in.B), unsafe.Add(fp, in.C), t)
		})
	case "min", "max":
		c.minmax(name, args, dst)
	case "complex":
		small := c.layouts.Of(res).Size == 8
		c.closure(dst, args[0].At, args[1].At, func(_ *vm.Machine, _ *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			if small {
				*(*complex64)(unsafe.Add(fp, in.A)) = complex(math.Float32frombits(uint32(vm.Ld(fp, in.B))), math.Float32frombits(uint32(vm.Ld(fp, in.C))))
			} else {
				*(*complex128)(unsafe.Add(fp, in.A)) = complex(fl(fp, in.B), fl(fp, in.C))
			}
			return vm.Done
		})
	case "real", "imag":
		small := lay(0).Size == 8
		part := int32(0)
		if name == "imag" {
			part = int32(lay(0).Size) / 2
		}
		c.closure(dst, args[0].At+part, 0, func(_ *vm.Machine, _ *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			if small {
				vm.St(fp, in.A, uint64(*(*uint32)(unsafe.Add(fp, in.B))))
			} else {
				vm.St(fp, in.A, *(*uint64)(unsafe.Add(fp, in.B)))
			}
			return vm.Done
		})
	case "panic":
		c.closure(0, args[0].At, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			if vm.Ld(fp, in.B) == 0 {
				return goroutine.ThrowPanicNil(m, g)
			}
			return goroutine.StartPanic(m, g, vm.Ld(fp, in.B), vm.Ld(fp, in.B+8))
		})
	case "recover":
		c.closure(dst, 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			t, d := goroutine.Recover(m, g)
			vm.St(fp, in.A, t)
			vm.St(fp, in.A+8, d)
			return vm.Done
		})
	case "print", "println":
		c.print(name == "println", args)
	case "ssa:wrapnilchk":
		name := c.Ref(args[2].At)
		c.closure(dst, args[0].At, args[1].At, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			p := vm.Ld(fp, in.B)
			if p == 0 { // runtime.panicwrap
				t := m.GoString(vm.Ld(fp, in.C), vm.Ld(fp, in.C+8))
				if m.Program.Root != nil && m.LinkPath(m.Program.Root.Types) == "main" {
					t = strings.Replace(t, m.Program.Root.Types.Path()+".", "main.", 1)
				}
				if i := strings.IndexByte(t, '['); i >= 0 {
					t = t[:i] + "[...]"
				}
				short, _, _ := strings.Cut(t, "[")
				return goroutine.ThrowPlain(m, g, "value method "+t+"."+m.GoString(vm.Ld(fp, *name), vm.Ld(fp, *name+8))+
					" called using nil *"+t[strings.LastIndexByte(short, '.')+1:]+" pointer")
			}
			vm.St(fp, in.A, p)
			return vm.Done
		})
	case "ssa:deferstack":
		c.closure(dst, 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			fr := g.Top()
			if fr.Token == 0 {
				g.Tokens++
				fr.Token = g.Tokens
			}
			vm.St(fp, in.A, fr.Token)
			return vm.Done
		})
	case "Sizeof":
		c.Move(dst, c.Word(lay(0).Size), 8)
	case "Alignof":
		c.Move(dst, c.Word(lay(0).Align), 8)
	case "Add":
		c.Emit(code.Instr{Op: code.OpAdd, A: dst, B: args[0].At, C: args[1].At})
	case "Slice":
		el := c.layouts.Of(vm.Deref(args[0].T))
		c.closure(dst, args[0].At, args[1].At, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			p, n := vm.Ld(fp, in.B), int64(vm.Ld(fp, in.C))
			if s := UnsafeSlice(m, g, el.Size, p, n); s != vm.Done {
				return s
			}
			vm.St(fp, in.A, p)
			vm.St(fp, in.A+8, uint64(n))
			vm.St(fp, in.A+16, uint64(n))
			return vm.Done
		})
	case "String":
		c.closure(dst, args[0].At, args[1].At, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			p, n := vm.Ld(fp, in.B), int64(vm.Ld(fp, in.C))
			if n < 0 {
				return goroutine.ThrowRuntime(m, g, "unsafe.String: len out of range")
			}
			if p == 0 && n > 0 {
				return goroutine.ThrowRuntime(m, g, "unsafe.String: ptr is nil and len is not zero")
			}
			if p != 0 && uint64(n) > -p {
				return goroutine.ThrowRuntime(m, g, "unsafe.String: len out of range")
			}
			at := p
			p, s := stringOver(m, g, p, uint64(n))
			if s != vm.Done {
				return s
			}
			if n > 0 && !g.Top().Func.Std {
				m.View(at, uint64(n))
			}
			vm.St(fp, in.A, p)
			vm.St(fp, in.A+8, uint64(n))
			return vm.Done
		})
	case "SliceData", "StringData":
		c.Move(dst, args[0].At, 8)
	default:
		c.Lacks("builtin function " + name)
	}
}

// stringOver returns where the bytes of a string are that unsafe.String makes of n bytes at p. They are read without
// events from now on. So where other goroutines can reach and write them the conversion is a read, and the string has
// a copy: what it says is a function of what its maker was told.
func stringOver(m *vm.Machine, g *vm.G, p, n uint64) (uint64, vm.Status) {
	o := m.Mem.Object(p)
	switch {
	case n == 0 || o == nil || o.Flags&mem.ReadOnly != 0:
		return p, vm.Done
	case o.Flags&mem.Shared == 0:
		o.Flags |= mem.Unlogged
		return p, vm.Done
	}
	b, s := access.View(m, g, p, n)
	if s != vm.Done {
		return 0, s
	}
	q, s := m.AllocUnlogged(g, n, nil)
	if s == vm.Done {
		copy(m.Mem.Object(q).Bytes(), b)
	}
	return q, s
}

// Move copies n bytes, which may overlap, with an event for each side.
func Move(m *vm.Machine, g *vm.G, dst, src, n uint64, pm *mem.PtrMap) vm.Status {
	if n == 0 {
		return vm.Done
	}
	b, s := access.View(m, g, src, n)
	if s != vm.Done {
		return s
	}
	return access.Store(m, g, dst, b, pm)
}

func (c *compiler) appendTo(args []code.Operand, dst int32) {
	el := c.layouts.Of(args[0].T.Underlying().(*types.Slice).Elem())
	if len(args) == 1 {
		c.Move(dst, args[0].At, 24)
		return
	}
	c.closure(dst, args[0].At, args[1].At, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		p, n, cp := vm.Ld(fp, in.B), vm.Ld(fp, in.B+8), vm.Ld(fp, in.B+16)
		q, k := vm.Ld(fp, in.C), vm.Ld(fp, in.C+8)
		src, s := access.View(m, g, q, k*el.Size)
		if s != vm.Done {
			return s
		}
		if int64(n+k) < 0 {
			return goroutine.ThrowRuntime(m, g, "growslice: len out of range")
		}
		if n+k <= cp {
			if s := access.Store(m, g, p+n*el.Size, src, el.Ptrs); s != vm.Done {
				return s
			}
			vm.St(fp, in.A, p)
			vm.St(fp, in.A+8, n+k)
			vm.St(fp, in.A+16, cp)
			return vm.Done
		}
		old, s := access.View(m, g, p, n*el.Size)
		if s != vm.Done {
			return s
		}
		if k == 0 {
			*(*[3]uint64)(unsafe.Add(fp, in.A)) = [3]uint64{p, n, cp}
			return vm.Done
		}
		nc := GrowCap(n+k, cp, el.Size)
		r, s := m.Alloc(g, nc*el.Size, el.Ptrs)
		if s != vm.Done {
			return s
		}
		b := m.Mem.Object(r).Bytes()
		copy(b, old)
		copy(b[n*el.Size:], src)
		*(*[3]uint64)(unsafe.Add(fp, in.A)) = [3]uint64{r, n + k, nc}
		return vm.Done
	})
}

// GrowCap is the runtime's growth of slices (runtime/slice.go, nextslicecap and growslice), with its size classes.
func GrowCap(need, old, size uint64) uint64 {
	nc := old
	if double := old * 2; need > double {
		nc = need
	} else if old < 256 {
		nc = double
	} else {
		for nc < need {
			nc += (nc + 3*256) >> 2
		}
	}
	if size == 0 {
		return need
	}
	return RoundSize(nc*size) / size
}

// sizeClasses are the runtime's (internal/runtime/gc/sizeclasses.go).
var sizeClasses = []uint64{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448, 480, 512,
	576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864, 5120, 5376, 6144, 6528, 6784, 6912, 8192,
	9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768}

// RoundSize returns the size class of gc that holds n bytes.
func RoundSize(n uint64) uint64 {
	if n <= 32768 {
		for _, c := range sizeClasses {
			if n <= c {
				return c
			}
		}
	}
	return (n + 8191) &^ 8191
}

func (c *compiler) minmax(name string, args []code.Operand, dst int32) {
	l := c.layouts.Of(args[0].T)
	c.Move(dst, args[0].At, int32(l.Words())*8)
	less := name == "min"
	b := args[0].T.Underlying().(*types.Basic)
	for _, a := range args[1:] {
		c.closure(dst, a.At, 0, func(m *vm.Machine, _ *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			x, y := vm.Ld(fp, in.A), vm.Ld(fp, in.B)
			var take bool
			switch {
			case b.Info()&types.IsString != 0:
				cmp := bytes.Compare(m.Str(y, vm.Ld(fp, in.B+8)), m.Str(x, vm.Ld(fp, in.A+8)))
				take = cmp < 0 == less && cmp != 0
				if take {
					vm.St(fp, in.A+8, vm.Ld(fp, in.B+8))
				}
			case l.Class == layout.Float64 || l.Class == layout.Float32:
				f := func(w uint64) float64 {
					if l.Class == layout.Float32 {
						return float64(math.Float32frombits(uint32(w)))
					}
					return math.Float64frombits(w)
				}
				r := max(f(x), f(y))
				if less {
					r = min(f(x), f(y))
				}
				take = math.Float64bits(r) != math.Float64bits(f(x))
				if r != r {
					take = f(x) == f(x)
				}
			case code.IsSigned(l.Class):
				take = int64(y) < int64(x) == less && x != y
			default:
				take = y < x == less && x != y
			}
			if take {
				vm.St(fp, in.A, y)
			}
			return vm.Done
		})
	}
}

func (c *compiler) print(ln bool, args []code.Operand) {
	type item struct {
		t  types.Type
		at *int32
	}
	var items []item
	for _, a := range args {
		items = append(items, item{a.T, c.Ref(a.At)})
	}
	c.closure(0, 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		var b []byte
		for i, it := range items {
			if ln && i > 0 {
				b = append(b, ' ')
			}
			b = append(b, printText(m, it.t, fp, *it.at)...)
		}
		if ln {
			b = append(b, '\n')
		}
		vm.Write2(m, b)
		return vm.Done
	})
}

// printText formats one operand of print.
func printText(m *vm.Machine, t types.Type, fp unsafe.Pointer, at int32) string {
	w := vm.Ld(fp, at)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return m.GoString(w, vm.Ld(fp, at+8))
		case u.Info()&types.IsBoolean != 0:
			return strconv.FormatBool(w&1 != 0)
		case u.Info()&types.IsUnsigned != 0:
			return strconv.FormatUint(w, 10)
		case u.Info()&types.IsInteger != 0:
			return strconv.FormatInt(int64(w), 10)
		case u.Kind() == types.Float32:
			return goroutine.RuntimeFloat(float64(math.Float32frombits(uint32(w))), 32)
		case u.Info()&types.IsFloat != 0:
			return goroutine.RuntimeFloat(math.Float64frombits(w), 64)
		case u.Info()&types.IsComplex != 0:
			if u.Kind() == types.Complex64 {
				return goroutine.RuntimeComplex(code.Complex(fp, at, true), 64)
			}
			return goroutine.RuntimeComplex(code.Complex(fp, at, false), 128)
		}
	case *types.Interface:
		return fmt.Sprintf("(%#x,%#x)", w, vm.Ld(fp, at+8))
	case *types.Slice:
		return fmt.Sprintf("[%d/%d]%#x", vm.Ld(fp, at+8), vm.Ld(fp, at+16), w)
	}
	return fmt.Sprintf("%#x", w)
}

// UnsafeSlice panics as unsafe.Slice does where n elements of a size cannot be at p.
func UnsafeSlice(m *vm.Machine, g *vm.G, size, p uint64, n int64) vm.Status {
	switch {
	case n < 0 || size > 0 && uint64(n) > (1<<47)/size:
		return goroutine.ThrowRuntime(m, g, "unsafe.Slice: len out of range")
	case p == 0 && n > 0:
		return goroutine.ThrowRuntime(m, g, "unsafe.Slice: ptr is nil and len is not zero")
	case p != 0 && uint64(n)*size > -p:
		return goroutine.ThrowRuntime(m, g, "unsafe.Slice: len out of range")
	}
	return vm.Done
}
