// This file says how the program was built: by which toolchain, and whether as a test binary.

package boundary

import (
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// underTest stands in for testing.Testing, which asks a variable that the go command has the linker set.
func underTest(m *vm.Machine, _ *vm.G, w []uint64) vm.Status {
	w[0] = vm.Word(!m.Program.IsCommand())
	return vm.Done
}

// toolchain is the version of Go whose standard library the program has.
func toolchain(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return retString(m, g, w, 0, m.Program.Toolchain)
}

// moduleInfo stands in for what the go command writes into a binary of its modules. It has the binary's name alone.
// Modules and their versions are not in a recipe, so a test that asks, and then fails, may miss just these.
func moduleInfo(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	path := m.Program.Path
	if !m.Program.IsCommand() {
		path += ".test"
	}
	m.Measure("runtime/debug.ReadBuildInfo: the versions of modules")
	frame := strings.Repeat("-", 16) // ReadBuildInfo cuts off 16 bytes at either end
	return retString(m, g, w, 0, frame+"path\t"+path+"\n"+frame)
}
