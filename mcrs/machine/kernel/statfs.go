package kernel

// This file defines what is said of the file system: there is one, in memory (/proc/self/mountinfo has it too), and it
// holds as much as Config says.

const (
	tmpfsMagic = 0x01021994
	relatime   = 0x1020 // ST_VALID, ST_RELATIME
)

func sysStatfs(c *call) (uint64, errno) {
	path, e := c.path(c.a[0])
	if e == 0 {
		_, e = c.k.find(cwdFD, path, true)
	}
	if e != 0 {
		return 0, e
	}
	return c.statfs(c.a[1])
}

func sysFstatfs(c *call) (uint64, errno) {
	if _, e := c.k.rawFile(c.a[0]); e != 0 {
		return 0, e
	}
	return c.statfs(c.a[1])
}

// statfs answers in the layout of linux/amd64, 120 bytes. Inodes are limited by their size alone: tmpfs says so by
// zeros. What is free is what no file, inode or name takes; the package's folder takes a page from the beginning.
func (c *call) statfs(addr uint64) (uint64, errno) {
	k := c.k
	total, free := uint64(k.limit/pageSize), uint64(max(k.limit-k.p.used-pageSize, 0)/pageSize)
	return 0, c.putWords(addr, tmpfsMagic, pageSize, total, free, free, 0, 0, 0, nameMax, pageSize, relatime, 0, 0, 0, 0)
}
