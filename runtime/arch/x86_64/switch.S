/* switch -- the process world of x86-64: switch, start, end, segments, entering from C.
 *
 * Owns:   what arch.h promises. preserve_none passes arguments in r12 r13 r14 r15 rdi rsi rdx rcx
 *         r8 r9 r11 rax and keeps only rbp and rsp (LLVM 19).
 * Holds:  a saved context is [rbp][return address] at Process.sp; a resumed process finds itself
 *         in r13, and in rax as the result of the routine it parked in: a caller that goes on with
 *         that, and not with what it kept on its stack, has one load less between two switches
 *         (4.2 against 5.5 ns a communication where it matters). Routines return by pop and jmp where a switch may have come between call and
 *         return: ret would be mispredicted each time (runtime.md B4.2). Nothing is written below
 *         a stack pointer that has been saved: the block ends there.
 *         The unwind tables end a process's chain at its entry_return (undefined rip), and lead
 *         through segments and through the system stack. */
#include "layout.S.h"

    .text
    .reloc  ., R_X86_64_NONE, rt_arch_memory

/* occ_switch (me r12, next r13, worker r14): save me, resume next. */
    .p2align 4
    .globl  occ_switch
    .type   occ_switch, @function
occ_switch:
    .cfi_startproc
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq    %rsp, Process_sp(%r12)
    movq    Process_sp(%r13), %rsp
    movq    %r13, %rax
    movq    %r14, %rdx
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    popq    %rcx
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, rcx
    jmp     *%rcx
    .cfi_endproc
    .size   occ_switch, . - occ_switch

/* occ_process_start: first resume of the process in r13. The stack holds the body's address and
 * then the descriptor, whose first word is the body's return address. */
    .p2align 4
    .globl  occ_process_start
    .type   occ_process_start, @function
occ_process_start:
    .cfi_startproc
    .cfi_undefined rip
    popq    %rax
    movq    %r13, %r12
    movslq  Process_index(%r12), %r14
    movq    Process_data(%r12), %r13
    jmp     *%rax
    .cfi_endproc
    .size   occ_process_start, . - occ_process_start

/* occ_process_end: the body has returned. Free the block, leave the PAR, run something else. The
 * nop gives the return address a table entry that does not belong to the routine before. */
    .p2align 4
    .globl  occ_process_end
    .type   occ_process_end, @function
    .cfi_startproc
    .cfi_undefined rip
    nop
occ_process_end:
    leaq    -8(%rsp), %rdi
    movzwl  Process_size_class(%rdi), %eax
    movq    Process_worker(%rdi), %rsi
    cmpl    $OCC_SIZE_CLASS_LIMIT, %eax
    ja      .Lend_large
    movq    Process_join(%rdi), %rdx
    movq    Worker_free(%rsi,%rax,8), %rcx
    movq    $0, Process_sp(%rdi)
    movq    %rcx, Process_next(%rdi)
    movq    %rdi, Worker_free(%rsi,%rax,8)
    subq    $1, Join_count(%rdx)
    jne     .Lend_next
    movq    Join_waiter(%rdx), %rcx
    testq   %rcx, %rcx
    je      .Lend_next
    movq    $0, Process_next(%rcx)
    cmpq    $0, Worker_head(%rsi)
    jne     .Lend_behind
    movq    %rcx, Worker_head(%rsi)
    movq    %rcx, Worker_tail(%rsi)
    jmp     .Lend_next
.Lend_behind:
    movq    Worker_tail(%rsi), %rdx
    movq    %rcx, Process_next(%rdx)
    movq    %rcx, Worker_tail(%rsi)
.Lend_next:
    cmpl    $0, Worker_mode(%rsi)
    jne     .Lend_slow
    movq    Worker_head(%rsi), %r13
    testq   %r13, %r13
    je      .Lend_slow
    movq    Process_next(%r13), %rcx
    movq    %rcx, Worker_head(%rsi)
    RESUME
.Lend_slow:
    movq    Worker_os_sp(%rsi), %rsp
    movq    %rsi, %rdi
    call    rt_scheduler_next
    movq    %rax, %r13
    RESUME
.Lend_large:
    movq    Worker_os_sp(%rsi), %rsp
    call    rt_process_end
    movq    %rax, %r13
    RESUME
    .cfi_endproc
    .size   occ_process_end, . - occ_process_end

/* __x86_return_thunk: the ret of every routine that may wait. */
    .p2align 4
    .globl  __x86_return_thunk
    .hidden __x86_return_thunk
    .type   __x86_return_thunk, @function
__x86_return_thunk:
    .cfi_startproc
    popq    %r11
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, r11
    jmp     *%r11
    .cfi_endproc
    .size   __x86_return_thunk, . - __x86_return_thunk

/* Give the segment in %rcx back; uses rax, rdx, rsi. Large ones jump to \large. */
.macro RELEASE_SEGMENT large
    leaq    occ_process_end(%rip), %rax
    movq    %rax, Process_entry_return(%rcx)
    movq    $0, Process_sp(%rcx)
    andb    $~PROCESS_IS_SEGMENT, Process_flags(%rcx)
    movzwl  Process_size_class(%rcx), %eax
    cmpl    $OCC_SIZE_CLASS_LIMIT, %eax
    ja      \large
    movq    Process_worker(%rcx), %rdx
    movq    Worker_free(%rdx,%rax,8), %rsi
    movq    %rsi, Process_next(%rcx)
    movq    %rcx, Worker_free(%rdx,%rax,8)
.endm

/* While the body runs on a segment: the word at the stack pointer is the caller's stack pointer,
 * which points at the return address: CFA = deref (rsp) + 8. */
.macro CFA_OF_SEGMENT
    .cfi_escape 0x0f, 5, 0x77, 0, 0x06, 0x23, 8
.endm

/* occ_call_on_segment (me r12, body r13, environment r14, size_bytes r15): the caller's stack
 * pointer is kept in the segment's own descriptor, so nothing need survive in a register and the
 * body may wait. */
    .p2align 4
    .globl  occ_call_on_segment
    .type   occ_call_on_segment, @function
occ_call_on_segment:
    .cfi_startproc
    movq    Process_worker(%r12), %rcx
    cmpq    $(OCC_SIZE_CLASS_LIMIT * OCC_SIZE_CLASS_UNIT), %r15
    ja      .Lsegment_allocate
    movq    %r15, %rax
    shrq    $4, %rax
    movq    Worker_free(%rcx,%rax,8), %rbx
    testq   %rbx, %rbx
    je      .Lsegment_allocate
    movq    Process_next(%rbx), %rdx
    movq    %rdx, Worker_free(%rcx,%rax,8)
.Lsegment_made:
    movq    %rsp, Process_sp(%rbx)
    movq    %r12, Process_data(%rbx)
    orb     $PROCESS_IS_SEGMENT, Process_flags(%rbx)
    leaq    8(%rbx), %rsp
    .cfi_remember_state
    CFA_OF_SEGMENT
    movq    %r13, %rax
    movq    %r14, %r13
    call    *%rax
    .globl  rt_arch_segment_return
    .hidden rt_arch_segment_return
rt_arch_segment_return:
    leaq    -8(%rsp), %rcx
    movq    (%rsp), %rsp
    .cfi_restore_state
    movq    Process_data(%rcx), %r12
    RELEASE_SEGMENT .Lsegment_free
    RETURN_ME r12
    popq    %r11
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, r11
    jmp     *%r11
    .cfi_adjust_cfa_offset 8
    .cfi_restore rip
.Lsegment_allocate:
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq    %rsp, Process_sp(%r12)
    .cfi_remember_state
    CFA_OF_SAVED 12
    movq    Worker_os_sp(%rcx), %rsp
    movq    %r12, %rdi
    movq    %r15, %rsi
    call    rt_block_allocate
    movq    %rax, %rbx
    movq    Process_sp(%r12), %rsp
    .cfi_restore_state
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    jmp     .Lsegment_made
.Lsegment_free:
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq    %rsp, Process_sp(%r12)
    .cfi_remember_state
    CFA_OF_SAVED 12
    movq    Process_worker(%r12), %rdi
    movq    %rcx, %rsi
    movq    Worker_os_sp(%rdi), %rsp
    call    rt_block_free
    movq    Process_sp(%r12), %rsp
    .cfi_restore_state
    RETURN_ME r12
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    popq    %r11
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, r11
    jmp     *%r11
    .cfi_endproc
    .size   occ_call_on_segment, . - occ_call_on_segment

/* occ_call_on_segment_c (me rdi, body rsi, environment rdx, size_bytes rcx): the same for a body
 * of the C convention that never waits; keeps what C keeps. */
    .p2align 4
    .globl  occ_call_on_segment_c
    .type   occ_call_on_segment_c, @function
occ_call_on_segment_c:
    .cfi_startproc
    movq    Process_worker(%rdi), %r8
    cmpq    $(OCC_SIZE_CLASS_LIMIT * OCC_SIZE_CLASS_UNIT), %rcx
    ja      .Lsegment_c_allocate
    movq    %rcx, %rax
    shrq    $4, %rax
    movq    Worker_free(%r8,%rax,8), %r9
    testq   %r9, %r9
    je      .Lsegment_c_allocate
    movq    Process_next(%r9), %r10
    movq    %r10, Worker_free(%r8,%rax,8)
.Lsegment_c_made:
    movq    %rsp, Process_sp(%r9)
    movq    %rdi, Process_data(%r9)
    orb     $PROCESS_IS_SEGMENT, Process_flags(%r9)
    leaq    8(%r9), %rsp
    .cfi_remember_state
    CFA_OF_SEGMENT
    movq    %rsi, %rax
    movq    %rdx, %rsi
    call    *%rax
    .globl  rt_arch_segment_c_return
    .hidden rt_arch_segment_c_return
rt_arch_segment_c_return:
    leaq    -8(%rsp), %rcx
    movq    (%rsp), %rsp
    .cfi_restore_state
    movq    Process_data(%rcx), %rdi
    RELEASE_SEGMENT .Lsegment_c_free
    ret
.Lsegment_c_allocate:
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq    %rsp, Process_sp(%rdi)
    movq    Worker_os_sp(%r8), %rsp
    /* the system stack keeps me, body, environment; CFA = deref (me + sp) + 16, me at rsp + 16 */
    .cfi_remember_state
    .cfi_escape 0x0f, 5, 0x75, Process_sp, 0x06, 0x23, 16
    pushq   %rdx
    pushq   %rdi
    pushq   %rsi
    pushq   %rdi
    .cfi_escape 0x0f, 8, 0x77, 0, 0x06, 0x23, Process_sp, 0x06, 0x23, 16
    movq    %rcx, %rsi
    call    rt_block_allocate
    movq    %rax, %r9
    popq    %rdi
    .cfi_escape 0x0f, 5, 0x75, Process_sp, 0x06, 0x23, 16
    popq    %rsi
    popq    %rdx
    popq    %rdx
    movq    Process_sp(%rdi), %rsp
    .cfi_restore_state
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    jmp     .Lsegment_c_made
.Lsegment_c_free:
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq    %rsp, Process_sp(%rdi)
    movq    Process_worker(%rdi), %rdx
    movq    Worker_os_sp(%rdx), %rsp
    .cfi_remember_state
    .cfi_escape 0x0f, 5, 0x75, Process_sp, 0x06, 0x23, 16
    pushq   %rdi
    pushq   %rdi
    .cfi_escape 0x0f, 8, 0x77, 0, 0x06, 0x23, Process_sp, 0x06, 0x23, 16
    movq    %rdx, %rdi
    movq    %rcx, %rsi
    call    rt_block_free
    popq    %rdi
    .cfi_escape 0x0f, 5, 0x75, Process_sp, 0x06, 0x23, 16
    movq    Process_sp(%rdi), %rsp
    .cfi_restore_state
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    ret
    .cfi_endproc
    .size   occ_call_on_segment_c, . - occ_call_on_segment_c

/* rt_arch_enter (main_process rdi, first rsi): C convention. */
    .p2align 4
    .globl  rt_arch_enter
    .hidden rt_arch_enter
    .type   rt_arch_enter, @function
rt_arch_enter:
    .cfi_startproc
    pushq   %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq   %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq   %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq   %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq   %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    .cfi_remember_state
    leaq    .Lenter_back(%rip), %rax
    pushq   %rax
    .cfi_adjust_cfa_offset 8
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    movq    %rsp, Process_sp(%rdi)
    movq    Process_worker(%rdi), %rcx
    cmpq    $0, Worker_os_sp(%rcx)
    jne     .Lenter_first
    leaq    -256(%rsp), %rax
    andq    $-16, %rax
    movq    %rax, Worker_os_sp(%rcx)
.Lenter_first:
    movq    %rsi, %r13
    RESUME
.Lenter_back:
    .cfi_restore_state
    popq    %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore r15
    popq    %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore r14
    popq    %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore r13
    popq    %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore r12
    popq    %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    ret
    .cfi_endproc
    .size   rt_arch_enter, . - rt_arch_enter

    .section .note.GNU-stack, "", @progbits
