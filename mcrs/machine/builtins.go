package machine

import (
	"bytes"
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines the built-in functions.

// builtinFunc makes a function of a builtin, for go and defer.
func (m *Machine) builtinFunc(name string, args []code.Operand, results *types.Tuple) *Func {
	f := m.native("builtin."+name, 0, 0, nil)
	f.builtin = true
	f.Instrs, f.Sites = nil, nil
	off := int32(0)
	params := make([]code.Operand, len(args))
	for i, a := range args {
		params[i] = code.Operand{T: a.T, At: off}
		off += int32(m.layouts.Of(a.T).Words()) * 8
	}
	f.Params = off
	f.Ctx = off
	c := &compiler{m: m, f: f}
	c.Compiler = code.NewPlain(c, m.layouts, &f.Code)
	res := types.Type(results)
	if results == nil {
		res = types.NewTuple()
	}
	dst := c.Alloc(int32(m.layouts.Of(res).Words())*8 + 8)
	c.Builtin(name, params, dst, res)
	c.Emit(code.Instr{Op: code.OpRet})
	c.Finish()
	return f
}

// Builtin implements code.Extension.
func (c *compiler) Builtin(name string, args []code.Operand, dst int32, res types.Type) {
	m := c.m
	under := func(i int) types.Type { return args[i].T.Underlying() }
	lay := func(i int) *layout.Layout { return m.layouts.Of(args[i].T) }
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
			c.closure(dst, args[0].At, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
				n, s := m.mapLen(g, ld(fp, in.B))
				if s == done {
					st(fp, in.A, n)
				}
				return s
			})
		case *types.Chan:
			c.closure(dst, args[0].At, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
				n, s := m.chanLen(g, ld(fp, in.B), name == "cap")
				if s == done {
					st(fp, in.A, n)
				}
				return s
			})
		default:
			c.Lacks(name + " of " + args[0].T.String())
		}
	case "append":
		c.appendTo(args, dst)
	case "copy":
		el := m.layouts.Of(under(0).(*types.Slice).Elem())
		c.closure(dst, args[0].At, args[1].At, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			n := min(ld(fp, in.B+8), ld(fp, in.C+8))
			s := m.move(g, ld(fp, in.B), ld(fp, in.C), n*el.Size, el.Ptrs)
			if s == done {
				st(fp, in.A, n)
			}
			return s
		})
	case "clear":
		if _, ok := under(0).(*types.Map); ok {
			c.closure(0, args[0].At, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
				return m.mapClear(g, ld(fp, in.B))
			})
			return
		}
		el := m.layouts.Of(under(0).(*types.Slice).Elem())
		c.closure(0, args[0].At, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			return m.store(g, ld(fp, in.B), make([]byte, ld(fp, in.B+8)*el.Size), nil)
		})
	case "close":
		c.closure(0, args[0].At, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			return m.chanClose(g, ld(fp, in.B))
		})
	case "delete":
		t := m.mapTypeOf(under(0).(*types.Map))
		c.closure(0, args[0].At, args[1].At, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			return m.mapDelete(g, ld(fp, in.B), unsafe.Add(fp, in.C), t)
		})
	case "min", "max":
		c.minmax(name, args, dst)
	case "complex":
		small := m.layouts.Of(res).Size == 8
		c.closure(dst, args[0].At, args[1].At, func(_ *Machine, _ *G, fp unsafe.Pointer, in *code.Instr) status {
			if small {
				*(*complex64)(unsafe.Add(fp, in.A)) = complex(math.Float32frombits(uint32(ld(fp, in.B))), math.Float32frombits(uint32(ld(fp, in.C))))
			} else {
				*(*complex128)(unsafe.Add(fp, in.A)) = complex(fl(fp, in.B), fl(fp, in.C))
			}
			return done
		})
	case "real", "imag":
		small := lay(0).Size == 8
		part := int32(0)
		if name == "imag" {
			part = int32(lay(0).Size) / 2
		}
		c.closure(dst, args[0].At+part, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *code.Instr) status {
			if small {
				st(fp, in.A, uint64(*(*uint32)(unsafe.Add(fp, in.B))))
			} else {
				st(fp, in.A, *(*uint64)(unsafe.Add(fp, in.B)))
			}
			return done
		})
	case "panic":
		c.closure(0, args[0].At, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			if ld(fp, in.B) == 0 {
				return m.throwPanicNil(g)
			}
			return m.startPanic(g, ld(fp, in.B), ld(fp, in.B+8))
		})
	case "recover":
		c.closure(dst, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			t, d := m.recover(g)
			st(fp, in.A, t)
			st(fp, in.A+8, d)
			return done
		})
	case "print", "println":
		c.print(name == "println", args)
	case "ssa:wrapnilchk":
		name := c.Ref(args[2].At)
		c.closure(dst, args[0].At, args[1].At, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			p := ld(fp, in.B)
			if p == 0 { // runtime.panicwrap
				t := m.goString(ld(fp, in.C), ld(fp, in.C+8))
				if m.prog.Root != nil && m.linkPath(m.prog.Root.Types) == "main" {
					t = strings.Replace(t, m.prog.Root.Types.Path()+".", "main.", 1)
				}
				if i := strings.IndexByte(t, '['); i >= 0 {
					t = t[:i] + "[...]"
				}
				short, _, _ := strings.Cut(t, "[")
				return m.throwPlain(g, "value method "+t+"."+m.goString(ld(fp, *name), ld(fp, *name+8))+
					" called using nil *"+t[strings.LastIndexByte(short, '.')+1:]+" pointer")
			}
			st(fp, in.A, p)
			return done
		})
	case "ssa:deferstack":
		c.closure(dst, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			fr := g.top()
			if fr.token == 0 {
				g.tokens++
				fr.token = g.tokens
			}
			st(fp, in.A, fr.token)
			return done
		})
	case "Sizeof":
		c.Move(dst, c.Word(lay(0).Size), 8)
	case "Alignof":
		c.Move(dst, c.Word(lay(0).Align), 8)
	case "Add":
		c.Emit(code.Instr{Op: code.OpAdd, A: dst, B: args[0].At, C: args[1].At})
	case "Slice":
		el := m.layouts.Of(deref(args[0].T))
		c.closure(dst, args[0].At, args[1].At, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			p, n := ld(fp, in.B), int64(ld(fp, in.C))
			if n < 0 || el.Size > 0 && uint64(n) > (1<<47)/el.Size {
				return m.throwRuntime(g, "unsafe.Slice: len out of range")
			}
			if p == 0 && n > 0 {
				return m.throwRuntime(g, "unsafe.Slice: ptr is nil and len is not zero")
			}
			if p != 0 && uint64(n)*el.Size > -p {
				return m.throwRuntime(g, "unsafe.Slice: len out of range")
			}
			st(fp, in.A, p)
			st(fp, in.A+8, uint64(n))
			st(fp, in.A+16, uint64(n))
			return done
		})
	case "String":
		c.closure(dst, args[0].At, args[1].At, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			p, n := ld(fp, in.B), int64(ld(fp, in.C))
			if n < 0 {
				return m.throwRuntime(g, "unsafe.String: len out of range")
			}
			if p == 0 && n > 0 {
				return m.throwRuntime(g, "unsafe.String: ptr is nil and len is not zero")
			}
			if p != 0 && uint64(n) > -p {
				return m.throwRuntime(g, "unsafe.String: len out of range")
			}
			p, s := m.stringOver(g, p, uint64(n))
			if s != done {
				return s
			}
			st(fp, in.A, p)
			st(fp, in.A+8, uint64(n))
			return done
		})
	case "SliceData", "StringData":
		c.Move(dst, args[0].At, 8)
	default:
		c.Lacks("builtin function " + name)
	}
}

// stringOver returns where the bytes of a string are that unsafe.String makes of n bytes at p. They are read without events from now on. So where other goroutines
// can reach and write them the conversion is a read, and the string has a copy: what it says is a function of what its maker was told.
func (m *Machine) stringOver(g *G, p, n uint64) (uint64, status) {
	o := m.mem.Object(p)
	switch {
	case n == 0 || o == nil || o.Flags&mem.ReadOnly != 0:
		return p, done
	case o.Flags&mem.Shared == 0:
		o.Flags |= mem.Unlogged
		return p, done
	}
	b, s := m.view(g, p, n)
	if s != done {
		return 0, s
	}
	q, s := m.allocUnlogged(g, n, nil)
	if s == done {
		copy(m.mem.Object(q).Bytes(), b)
	}
	return q, s
}

// move copies n bytes, which may overlap, with an event for each side.
func (m *Machine) move(g *G, dst, src, n uint64, pm *mem.PtrMap) status {
	if n == 0 {
		return done
	}
	b, s := m.view(g, src, n)
	if s != done {
		return s
	}
	return m.store(g, dst, b, pm)
}

func (c *compiler) appendTo(args []code.Operand, dst int32) {
	m := c.m
	el := m.layouts.Of(args[0].T.Underlying().(*types.Slice).Elem())
	if len(args) == 1 {
		c.Move(dst, args[0].At, 24)
		return
	}
	c.closure(dst, args[0].At, args[1].At, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		p, n, cp := ld(fp, in.B), ld(fp, in.B+8), ld(fp, in.B+16)
		q, k := ld(fp, in.C), ld(fp, in.C+8)
		src, s := m.view(g, q, k*el.Size)
		if s != done {
			return s
		}
		if int64(n+k) < 0 {
			return m.throwRuntime(g, "growslice: len out of range")
		}
		if n+k <= cp {
			if s := m.store(g, p+n*el.Size, src, el.Ptrs); s != done {
				return s
			}
			st(fp, in.A, p)
			st(fp, in.A+8, n+k)
			st(fp, in.A+16, cp)
			return done
		}
		old, s := m.view(g, p, n*el.Size)
		if s != done {
			return s
		}
		if k == 0 {
			*(*[3]uint64)(unsafe.Add(fp, in.A)) = [3]uint64{p, n, cp}
			return done
		}
		nc := growCap(n+k, cp, el.Size)
		r, s := m.alloc(g, nc*el.Size, el.Ptrs)
		if s != done {
			return s
		}
		b := m.mem.Object(r).Bytes()
		copy(b, old)
		copy(b[n*el.Size:], src)
		*(*[3]uint64)(unsafe.Add(fp, in.A)) = [3]uint64{r, n + k, nc}
		return done
	})
}

// growCap is the runtime's growth of slices (runtime/slice.go, nextslicecap and growslice), with its size classes.
func growCap(need, old, size uint64) uint64 {
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
	return roundSize(nc*size) / size
}

// sizeClasses are the runtime's (internal/runtime/gc/sizeclasses.go).
var sizeClasses = []uint64{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448, 480, 512,
	576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864, 5120, 5376, 6144, 6528, 6784, 6912, 8192,
	9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768}

func roundSize(n uint64) uint64 {
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
	l := c.m.layouts.Of(args[0].T)
	c.Move(dst, args[0].At, int32(l.Words())*8)
	less := name == "min"
	b := args[0].T.Underlying().(*types.Basic)
	for _, a := range args[1:] {
		c.closure(dst, a.At, 0, func(m *Machine, _ *G, fp unsafe.Pointer, in *code.Instr) status {
			x, y := ld(fp, in.A), ld(fp, in.B)
			var take bool
			switch {
			case b.Info()&types.IsString != 0:
				cmp := bytes.Compare(m.str(y, ld(fp, in.B+8)), m.str(x, ld(fp, in.A+8)))
				take = cmp < 0 == less && cmp != 0
				if take {
					st(fp, in.A+8, ld(fp, in.B+8))
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
				st(fp, in.A, y)
			}
			return done
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
	c.closure(0, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		var b []byte
		for i, it := range items {
			if ln && i > 0 {
				b = append(b, ' ')
			}
			b = append(b, m.printText(it.t, fp, *it.at)...)
		}
		if ln {
			b = append(b, '\n')
		}
		m.write2(b)
		return done
	})
}

// printText formats one operand of print.
func (m *heap) printText(t types.Type, fp unsafe.Pointer, at int32) string {
	w := ld(fp, at)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return m.goString(w, ld(fp, at+8))
		case u.Info()&types.IsBoolean != 0:
			return strconv.FormatBool(w&1 != 0)
		case u.Info()&types.IsUnsigned != 0:
			return strconv.FormatUint(w, 10)
		case u.Info()&types.IsInteger != 0:
			return strconv.FormatInt(int64(w), 10)
		case u.Kind() == types.Float32:
			return runtimeFloat(float64(math.Float32frombits(uint32(w))), 32)
		case u.Info()&types.IsFloat != 0:
			return runtimeFloat(math.Float64frombits(w), 64)
		case u.Info()&types.IsComplex != 0:
			if u.Kind() == types.Complex64 {
				return runtimeComplex(code.Complex(fp, at, true), 64)
			}
			return runtimeComplex(code.Complex(fp, at, false), 128)
		}
	case *types.Interface:
		return fmt.Sprintf("(%#x,%#x)", w, ld(fp, at+8))
	case *types.Slice:
		return fmt.Sprintf("[%d/%d]%#x", ld(fp, at+8), ld(fp, at+16), w)
	}
	return fmt.Sprintf("%#x", w)
}
