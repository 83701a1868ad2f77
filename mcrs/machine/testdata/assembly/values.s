#include "textflag.h"

// DATA ·zero(SB)/8, $1
/* DATA ·zero(SB)/8, $1 */
DATA ·number+0(SB)/8, $0x123456789abcdef0; GLOBL ·number(SB), NOPTR, $8
DATA ·table+0(SB)/4, $1
DATA ·table+4(SB)/4, $-1
DATA ·table + 8 (SB) / 4 , $ ~0x0f
GLOBL ·table(SB), (NOPTR), $16
DATA ·bytes+0(SB)/8, $"a;b//\x63\""
DATA ·bytes+8(SB)/3, $"xyz" // the end
GLOBL ·bytes(SB), NOPTR, $11
DATA ·float(SB)/8, $-1.5e-3
GLOBL ·float(SB), 16, $8
DATA ·small(SB)/4, $(-0.1)
GLOBL main·small(SB), NOPTR, $4
DATA ·constant+2(SB)/2, $0x8001
GLOBL ·constant(SB), NOPTR|RODATA, $4
DATA ·mixed+0(SB)/1, $-2
DATA ·mixed+2(SB)/2, $0xffff
DATA ·mixed+4(SB)/4, $2.5
GLOBL ·mixed(SB), NOPTR, $8
DATA ·large+7(SB)/1, $9
GLOBL ·large(SB), NOPTR, $8
DATA own<>+0(SB)/8, $0x41
GLOBL own<>(SB), NOPTR, $8
DATA ·text+0(SB)/8, $own<>(SB)
DATA ·text+8(SB)/8, $1
GLOBL ·text(SB), NOPTR, $16

TEXT ·code(SB), 16, $0
	RET
