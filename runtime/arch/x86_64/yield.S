/* yield -- letting others run from a routine of the C convention, which never waits itself.
 *
 * Owns:   occ_yield_c; rt_arch_yield_resumed, where a process that was parked in it goes on.
 * Holds:  its callers keep everything except r11 and vectors in registers over the call
 *         (preserve_most): a loop pays nothing for a call once a time slice. So all registers are
 *         pushed on the process's own stack, then the context is saved as everywhere: [rbp][return
 *         address] at Process.sp. The way back is a ret that is mispredicted. */
#include "layout.S.h"

    .text

/* occ_yield_c (me rdi): serve attention, run others, come back when it is my turn. */
    .p2align 4
    .globl  occ_yield_c
    .type   occ_yield_c, @function
occ_yield_c:
    .cfi_startproc
    SAVE_KEPT
    PUSH_ALL r10, r9, r8, rdi, rsi, rdx, rcx, rax
    leaq    rt_arch_yield_resumed(%rip), %rax
    pushq   %rax
    .cfi_adjust_cfa_offset 8
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq    %rsp, Process_sp(%rdi)
    movq    Process_worker(%rdi), %rax
    /* the frame: CFA = deref (me + sp) + 128; C keeps r12 */
    movq    %rdi, %r12
    .cfi_remember_state
    .cfi_escape 0x0f, 6, 0x7c, Process_sp, 0x06, 0x23, 0x80, 0x01
    movq    Worker_os_sp(%rax), %rsp
    call    rt_yield
    movq    %rax, %r13
    RESUME
    .globl  rt_arch_yield_resumed
    .hidden rt_arch_yield_resumed
rt_arch_yield_resumed:
    .cfi_restore_state
    .cfi_adjust_cfa_offset -16
    .cfi_restore rbp
    POP_ALL rax, rcx, rdx, rsi, rdi, r8, r9, r10
    RESTORE_KEPT
    ret
    .cfi_endproc
    .size   occ_yield_c, . - occ_yield_c

    .section .note.GNU-stack, "", @progbits
