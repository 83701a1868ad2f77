package machine

// This file defines the intrinsics of reflect and internal/reflectlite.

func reflectBoundary() {
	for _, pkg := range []string{"reflect.", "internal/reflectlite."} {
		boundary[pkg+"resolveNameOff"] = func(m *Machine, g *G, w []uint64) status { w[2] = m.types.Name(int32(w[1])); return done }
		boundary[pkg+"resolveTypeOff"] = func(m *Machine, g *G, w []uint64) status { w[2] = m.types.TypeOff(int32(w[1])); return done }
		boundary[pkg+"resolveTextOff"] = func(m *Machine, g *G, w []uint64) status { w[2] = m.types.TextOff(int32(w[1])); return done }
	}
}
