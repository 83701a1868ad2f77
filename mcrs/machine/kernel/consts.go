package kernel

// An errno is a Linux error number; zero is success. The package does not use
// those of package syscall: they are the host's, and the host need not be Linux.
type errno uint64

const (
	ePERM           errno = 1
	eNOENT          errno = 2
	eIO             errno = 5
	eBADF           errno = 9
	eCHILD          errno = 10
	eAGAIN          errno = 11
	eACCES          errno = 13
	eNOMEM          errno = 12
	eNODEV          errno = 19
	eFAULT          errno = 14
	eBUSY           errno = 16
	eEXIST          errno = 17
	eXDEV           errno = 18
	eNOTDIR         errno = 20
	eISDIR          errno = 21
	eINVAL          errno = 22
	eMFILE          errno = 24
	eNXIO           errno = 6
	eNOTTY          errno = 25
	eFBIG           errno = 27
	eNOSPC          errno = 28
	eSPIPE          errno = 29
	eROFS           errno = 30
	ePIPE           errno = 32
	eRANGE          errno = 34
	eNAMETOOLONG    errno = 36
	eNOSYS          errno = 38
	eNOTEMPTY       errno = 39
	eLOOP           errno = 40
	eOVERFLOW       errno = 75
	eNOTSOCK        errno = 88
	eOPNOTSUPP      errno = 95
	eAFNOSUPPORT    errno = 97
	eUnsupported    errno = 1 << 32 // not Linux's: the call is not implemented for these arguments
	maxErrno              = 4095
	pathMax               = 4096
	nameMax               = 255
	maxLinks              = 40            // symbolic links in one look-up
	maxOpen               = 1024          // RLIMIT_NOFILE
	maxBytes              = 0xffffffff000 // largest file, as ext4 with 4 KiB blocks
	maxRW                 = 0x7ffff000    // most that one read or write moves
	pageSize              = 4096
	pipeSlots             = 16
	uid                   = 1000 // user, group, and every id derived from them
	pid                   = 4242
	atFDCWD               = -100
	atSymlinkNF           = 0x100
	atRemoveDir           = 0x200
	atSymlinkFollow       = 0x400
	atEmptyPath           = 0x1000
)

// Bits of open's flags.
const (
	oWRONLY    = 1
	oRDWR      = 2
	oACCMODE   = 3
	oCREAT     = 0x40
	oEXCL      = 0x80
	oNOCTTY    = 0x100
	oTRUNC     = 0x200
	oAPPEND    = 0x400
	oNONBLOCK  = 0x800
	oDIRECT    = 0x4000
	oLARGEFILE = 0x8000
	oDIRECTORY = 0x10000
	oNOFOLLOW  = 0x20000
	oNOATIME   = 0x40000
	oCLOEXEC   = 0x80000
	oPATH      = 0x200000
	oTMPFILE   = 0x400000
)

// Bits of a mode.
const (
	sIFMT   = 0o170000
	sIFIFO  = 0o010000
	sIFCHR  = 0o020000
	sIFDIR  = 0o040000
	sIFBLK  = 0o060000
	sIFREG  = 0o100000
	sIFLNK  = 0o120000
	sIFSOCK = 0o140000
	sISUID  = 0o4000
	sISGID  = 0o2000
	sISVTX  = 0o1000
)

// Accesses that permission is asked for.
const (
	mayExec  = 1
	mayWrite = 2
	mayRead  = 4
)
