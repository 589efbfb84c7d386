/* switch -- the process world of x86-64: switch, start, end, entering from C.
 *
 * Owns:   what arch.h promises. preserve_none passes arguments in r12 r13 r14 r15 rdi rsi rdx rcx
 *         r8 r9 r11 rax and keeps only rbp and rsp (LLVM 19).
 * Holds:  a saved context is [rbp][return address] at Process.sp; a resumed process finds itself
 *         in r13, and in rax as the result of the routine it parked in: a caller that goes on with
 *         that, and not with what it kept on its stack, has one load less between two switches
 *         (4.2 against 5.5 ns a communication where it matters).
 *         Routines return by pop and jmp where a switch may have come between call and return: ret
 *         would be mispredicted each time (decision 0001). Nothing is written below a stack
 *         pointer that has been saved: the block ends there.
 *         The unwind tables end a process's chain at its entry_return (undefined rip). */
#include "layout.S.h"

    .text
    .reloc  ., R_X86_64_NONE, rt_arch_memory

/* occ_switch (me r12, next r13, worker r14, rest r15): save me, resume next; rest becomes the head
 * of the run queue. */
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
    movq    %r15, %rcx
    popq    %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    popq    %r11
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, r11
    jmp     *%r11
    .cfi_endproc
    .size   occ_switch, . - occ_switch

/* rt_arch_resume (process rdi): what C left on the system stack is forgotten. */
    .p2align 4
    .globl  rt_arch_resume
    .hidden rt_arch_resume
    .type   rt_arch_resume, @function
rt_arch_resume:
    .cfi_startproc
    .cfi_undefined rip
    movq    %rdi, %r13
    RESUME
    .cfi_endproc
    .size   rt_arch_resume, . - rt_arch_resume

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
 * nop gives the return address a table entry and a name apart from the routine before. */
    .p2align 4
    .globl  occ_process_end
    .type   occ_process_end, @function
    .cfi_startproc
    .cfi_undefined rip
    .hidden occ_process
    .globl  occ_process
    .type   occ_process, @function
occ_process:
    nop
occ_process_end:
    leaq    -8(%rsp), %rdi
    movzwl  Process_size_class(%rdi), %eax
    movq    Process_worker(%rdi), %rsi
    movl    Worker_mode(%rsi), %ecx
    testl   %ecx, %ecx
    jne     .Lend_shared
    cmpl    $OCC_SIZE_CLASS_LIMIT, %eax
    ja      .Lend_large
    movq    Process_join(%rdi), %rdx
    movq    Worker_free(%rsi,%rax,8), %rcx
    movq    $0, Process_sp(%rdi)
    movq    $0, Process_wait(%rdi)
    movq    %rcx, Process_next(%rdi)
    movq    %rdi, Worker_free(%rsi,%rax,8)
    subq    $1, Join_count(%rdx)
    jne     .Lend_others
.Lend_last:
    movq    Join_waiter(%rdx), %rcx
    testb   $OCC_JOIN_AT_ONCE, %cl
    jne     .Lend_at_once
    movq    $0, Process_next(%rcx)
    movq    %rsi, Process_worker(%rcx)
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
    movq    Worker_head(%rsi), %r13
    testq   %r13, %r13
    je      .Lend_slow
    movq    Process_next(%r13), %rcx
    movq    %rcx, Worker_head(%rsi)
    RESUME
.Lend_at_once:
    leaq    -OCC_JOIN_AT_ONCE(%rcx), %r13
    movq    %rsi, Process_worker(%r13)
    RESUME
.Lend_others:
    movq    Worker_deferred(%rsi), %r13
    testq   %r13, %r13
    je      .Lend_next
    cmpq    Process_join(%r13), %rdx
    jne     .Lend_next
    movq    Process_next(%r13), %rcx
    movq    %rcx, Worker_deferred(%rsi)
    incl    Worker_deferred_taken(%rsi)
    RESUME
    /* The same while several are active and no attention is asked for. ThreadSanitizer sees what C
     * does, not this. */
.Lend_shared:
#ifdef __SANITIZE_THREAD__
    jmp     .Lend_large
#endif
    testl   $~OCC_MODE_SHARED, %ecx
    jne     .Lend_large
    cmpl    $OCC_SIZE_CLASS_LIMIT, %eax
    ja      .Lend_large
    cmpw    $OCC_RETURNED_MANY - 1, Worker_returned(%rsi,%rax,2)
    jae     .Lend_large
    incw    Worker_returned(%rsi,%rax,2)
    movq    Process_join(%rdi), %rdx
    movq    Worker_free(%rsi,%rax,8), %rcx
    movq    $0, Process_sp(%rdi)
    movq    $0, Process_wait(%rdi)
    movq    %rcx, Process_next(%rdi)
    movq    %rdi, Worker_free(%rsi,%rax,8)
    lock subq $1, Join_count(%rdx)
    jne     .Lend_others
    jmp     .Lend_last
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
    .size   occ_process, . - occ_process
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

/* rt_arch_enter (main_process rdi, first rsi): C convention. */
    .p2align 4
    .globl  rt_arch_enter
    .hidden rt_arch_enter
    .type   rt_arch_enter, @function
rt_arch_enter:
    .cfi_startproc
    SAVE_KEPT
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
    RESTORE_KEPT
    ret
    .cfi_endproc
    .size   rt_arch_enter, . - rt_arch_enter

    .section .note.GNU-stack, "", @progbits
