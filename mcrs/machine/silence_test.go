package machine

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/host"
)

// TestDescriptorsAnnounced: each method of internal/poll.FD that makes system calls on files is in fdEffects, and all
// in the tables of silence exist.
func TestDescriptorsAnnounced(t *testing.T) {
	p := loadMain(t, "testdata/run/turns.go")
	pkg := p.PackageByPath("internal/poll")
	sockets := []string{"Accept", "Shutdown", "WaitWrite", "Init"} // refused, or of a descriptor that nobody else has yet
	set := types.NewMethodSet(types.NewPointer(pkg.Types.Scope().Lookup("FD").Type()))
	for i := range set.Len() {
		name := set.At(i).Obj().Name()
		_, ok := host.Effects[name]
		network := strings.HasPrefix(name, "ReadFrom") || strings.HasPrefix(name, "ReadMsg") || strings.HasPrefix(name, "WriteTo") || strings.HasPrefix(name, "WriteMsg") || strings.Contains(name, "sockopt") || name == "Writev"
		if set.At(i).Obj().Exported() && !ok && !network && !slices.Contains(sockets, name) {
			t.Errorf("FD.%s is not in fdEffects", name)
		}
	}
	for name := range host.Effects {
		if set.Lookup(pkg.Types, name) == nil {
			t.Errorf("there is no FD.%s", name)
		}
	}
}
