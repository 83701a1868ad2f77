package solver

// A varHeap is the set of variables to decide: booleans before order atoms, then the most active,
// then the oldest (a binary heap with positions, so that activities can grow in place).
type varHeap struct {
	act   []float64 // by variable
	late  []bool    // by variable: an order atom
	where []int32   // position in list by variable, -1 if absent
	list  []int32
}

func (h *varHeap) less(a, b int32) bool {
	if h.late[a] != h.late[b] {
		return h.late[b]
	}
	return h.act[a] > h.act[b] || h.act[a] == h.act[b] && a < b
}

// add makes v known and puts it in.
func (h *varHeap) add(v int32, late bool) {
	h.act = append(h.act, 0)
	h.late = append(h.late, late)
	h.where = append(h.where, -1)
	h.push(v)
}

func (h *varHeap) push(v int32) {
	if h.where[v] >= 0 {
		return
	}
	h.list = append(h.list, v)
	h.where[v] = int32(len(h.list) - 1)
	h.up(len(h.list) - 1)
}

func (h *varHeap) pop() int32 {
	v := h.list[0]
	h.where[v] = -1
	last := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	if len(h.list) > 0 {
		h.set(0, last)
		h.down(0)
	}
	return v
}

// bump adds inc to v's activity, and reports whether numbers have become too large.
func (h *varHeap) bump(v int32, inc float64) bool {
	h.act[v] += inc
	if i := h.where[v]; i >= 0 {
		h.up(int(i))
	}
	return h.act[v] > 1e100
}

// rescale divides all activities by the same power of two. It keeps the heap's
// order, but for ties that underflow makes.
func (h *varHeap) rescale(by float64) {
	for v := range h.act {
		h.act[v] *= by
	}
	for i := len(h.list)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

func (h *varHeap) set(i int, v int32) {
	h.list[i] = v
	h.where[v] = int32(i)
}

func (h *varHeap) up(i int) {
	v := h.list[i]
	for i > 0 {
		p := (i - 1) / 2
		if !h.less(v, h.list[p]) {
			break
		}
		h.set(i, h.list[p])
		i = p
	}
	h.set(i, v)
}

func (h *varHeap) down(i int) {
	v := h.list[i]
	for {
		c := 2*i + 1
		if c >= len(h.list) {
			break
		}
		if c+1 < len(h.list) && h.less(h.list[c+1], h.list[c]) {
			c++
		}
		if !h.less(h.list[c], v) {
			break
		}
		h.set(i, h.list[c])
		i = c
	}
	h.set(i, v)
}
