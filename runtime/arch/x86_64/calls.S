/* calls -- the entry occ_<name> of every routine of abi.def that is written in C.
 *
 * Owns:   the way from a process's stack to the system stack and back, generated from abi.def.
 * Leaves: the routines to the C files: rt_<name> (Process *me, ...).
 * Holds:  the context is saved before C runs, at Process.sp, as [rbp][return address]; so C may
 *         publish me, and reports can unwind me. What stays on the process's own stack is 8 bytes
 *         (alt_select: 16), as abi.def says. C routines run from the top of the system stack. */
#include "layout.S.h"

    .text

.macro ENTRY name
    .p2align 4
    .globl  occ_\name
    .type   occ_\name, @function
occ_\name:
    .cfi_startproc
.endm

.macro ENTRY_END name
    .cfi_endproc
    .size   occ_\name, . - occ_\name
.endm

/* push rbp, save, go to the system stack of the worker of \me */
.macro SAVE me, scratch
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq    %rsp, Process_sp(%\me)
    movq    Process_worker(%\me), %\scratch
.endm

/* preserve_none arguments to C's; me stays in r12, which C keeps */
.macro ARGUMENTS
    movq    %rdi, %r8
    movq    %r12, %rdi
    movq    %r13, %rsi
    movq    %r14, %rdx
    movq    %r15, %rcx
.endm

.macro CALL_MAY_PARK name
    ENTRY   \name
    SAVE    r12, r10
    CFA_OF_SAVED 12
    movq    Worker_os_sp(%r10), %rsp
    ARGUMENTS
    call    rt_\name
    movq    %rax, %r13
    RESUME
    ENTRY_END \name
.endm

/* C convention: me in rdi; the others lie where C wants them already. The saved stack pointer is
 * kept on the system stack: CFA = deref (rsp) + 16. */
.macro CALL_NEVER_PARKS name
    ENTRY   \name
    SAVE    rdi, r10
    movq    %rsp, %r11
    .cfi_def_cfa_register r11
    movq    Worker_os_sp(%r10), %rsp
    pushq   %r11
    pushq   %r11
    .cfi_escape 0x0f, 5, 0x77, 0, 0x06, 0x23, 16
    call    rt_\name
    movq    (%rsp), %rsp
    .cfi_def_cfa rsp, 16
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    ret
    ENTRY_END \name
.endm

.macro CALL_NEVER_RETURNS name
    ENTRY   \name
    SAVE    rdi, r10
    movq    %rsp, %r11
    .cfi_def_cfa_register r11
    movq    Worker_os_sp(%r10), %rsp
    pushq   %r11
    pushq   %r11
    .cfi_escape 0x0f, 5, 0x77, 0, 0x06, 0x23, 16
    call    rt_\name
    ud2
    ENTRY_END \name
.endm

.macro CALL_LEAF name
.endm

.macro CALL_LEAF_PM name
.endm

.macro CALL_LEAF_PN name
.endm

/* An ALT that waits is resumed in rt_arch_alt_resumed, which lets C withdraw the other guards on
 * the ALT's own worker, and only then returns to the process. NULL from rt_alt_select: a guard was
 * ready, nothing has been registered (me would mean that me waited and is the next to run). */
.macro CALL_ALT
    ENTRY   alt_select
    leaq    rt_arch_alt_resumed(%rip), %rax
    pushq   %rax
    .cfi_adjust_cfa_offset 8
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq    %rsp, Process_sp(%r12)
    movq    Process_worker(%r12), %r10
    .cfi_escape 0x0f, 5, 0x7c, Process_sp, 0x06, 0x23, 24
    movq    Worker_os_sp(%r10), %rsp
    ARGUMENTS
    call    rt_alt_select
    movq    %rax, %r13
    testq   %r13, %r13
    je      .Lalt_at_once
    RESUME
.Lalt_at_once:
    movq    Process_sp(%r12), %rsp
    .cfi_def_cfa rsp, 24
    RETURN_ME r12
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    addq    $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq    %r11
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, r11
    jmp     *%r11
    ENTRY_END alt_select

    .p2align 4
    .cfi_startproc
    nop
    .globl  rt_arch_alt_resumed
    .hidden rt_arch_alt_resumed
    .type   rt_arch_alt_resumed, @function
rt_arch_alt_resumed:
    movq    %r13, %r12
    SAVE    r12, r10
    CFA_OF_SAVED 12
    movq    Worker_os_sp(%r10), %rsp
    movq    %r12, %rdi
    call    rt_alt_resumed
    testq   %rax, %rax
    jne     .Lalt_waits_again
    movq    Process_sp(%r12), %rsp
    RETURN_ME r12
    .cfi_def_cfa rsp, 16
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    popq    %r11
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, r11
    jmp     *%r11
.Lalt_waits_again:
    movq    %rax, %r13
    RESUME
    .cfi_endproc
    .size   rt_arch_alt_resumed, . - rt_arch_alt_resumed
.endm

.macro ABI_ENTRY effect, name
    .ifc \name, alt_select
    CALL_ALT
    .else
    CALL_\effect \name
    .endif
.endm

#define OCC_CALL0(name, result, effect, bytes) ABI_ENTRY effect, name
#define OCC_CALL1(name, result, a, effect, bytes) ABI_ENTRY effect, name
#define OCC_CALL2(name, result, a, b, effect, bytes) ABI_ENTRY effect, name
#define OCC_CALL3(name, result, a, b, c, effect, bytes) ABI_ENTRY effect, name
#define OCC_CALL4(name, result, a, b, c, d, effect, bytes) ABI_ENTRY effect, name
#include "../../include/occ/abi.def"

    .section .note.GNU-stack, "", @progbits
