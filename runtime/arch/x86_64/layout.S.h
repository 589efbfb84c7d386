/* layout.S -- layout.def as assembler symbols: Process_sp, Worker_mode, OCC_SIZE_CLASS_LIMIT. */
#define OCC_STRUCT(Struct, size)         .set Struct##_SIZE, size
#define OCC_FIELD(Struct, field, offset) .set Struct##_##field, offset
#define OCC_CONSTANT(NAME, value)        .set OCC_##NAME, value
#include "../../include/occ/layout.def"
#undef OCC_STRUCT
#undef OCC_FIELD
#undef OCC_CONSTANT
.set PROCESS_IS_SEGMENT, 1

/* What every preserve_none routine returns: me in rax, its worker in rdx, the head of the worker's
 * run queue in rcx. */
.macro RETURN_ME me
    movq    %\me, %rax
    movq    Process_worker(%\me), %rdx
    movq    Worker_head(%rdx), %rcx
.endm

/* Resume the process in %r13; all other registers are dead, except %rax, %rdx, %rcx and %rsp. */
.macro RESUME
    movq    Process_sp(%r13), %rsp
    RETURN_ME r13
    popq    %rbp
    popq    %r11
    jmp     *%r11
.endm

/* The CFA while C runs on the system stack and \reg (12: me) holds a process whose saved stack
 * pointer is at [frame word][return address]: deref (reg + Process_sp) + 16. */
.macro CFA_OF_SAVED reg
    .cfi_escape 0x0f, 5, 0x70 + \reg, Process_sp, 0x06, 0x23, 16
.endm

.macro PUSH_ALL registers:vararg
    .irp    reg, \registers
    pushq   %\reg
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \reg, 0
    .endr
.endm

.macro POP_ALL registers:vararg
    .irp    reg, \registers
    popq    %\reg
    .cfi_adjust_cfa_offset -8
    .cfi_restore \reg
    .endr
.endm

/* Save and restore the registers that C keeps, except rbp, which belongs to a saved context. */
.macro SAVE_KEPT
    PUSH_ALL rbx, r12, r13, r14, r15
.endm

.macro RESTORE_KEPT
    POP_ALL r15, r14, r13, r12, rbx
.endm
