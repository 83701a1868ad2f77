package program

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"slices"
)

// This file builds programs of sources that are not on disk: what a suggested fix would make of them.

// Edit returns the recipe with other contents for source files of the user's packages, by full path. If a file imports
// more than before, that must be in the program. The recipe itself is not changed.
func (r *Recipe) Edit(files map[string][]byte) *Recipe {
	out := *r
	out.Packages = slices.Clone(r.Packages)
	for i := range out.Packages {
		p := &out.Packages[i]
		if p.Std {
			continue
		}
		h := sha256.New()
		for _, name := range p.GoFiles {
			text, ok := files[p.File(name)]
			if !ok {
				continue
			}
			if p.Edits = maps.Clone(p.Edits); p.Edits == nil {
				p.Edits = map[string][]byte{}
			}
			p.Edits[name] = bytes.Clone(text)
			put(h, name, string(text))
		}
		if len(p.Edits) > 0 {
			put(h, p.Digest)
			p.Digest = hex.EncodeToString(h.Sum(nil)[:16])
		}
	}
	out.setDigest()
	return &out
}

// readFile returns the content of one of the package's files.
func (p *PackageRecipe) readFile(name string) ([]byte, error) {
	if text, ok := p.Edits[name]; ok {
		return text, nil
	}
	return os.ReadFile(p.File(name))
}
