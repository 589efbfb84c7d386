/* segment -- recursion of routines that may wait: the body runs on a block of its own.
 *
 * Owns:   occ_call_on_segment; rt_arch_segment_return holds the body's return address.
 * Holds:  the segment's descriptor has the caller's stack pointer in sp and the process in data
 *         while PROCESS_IS_SEGMENT is set; the body's return address lies in entry_return. */
#include "layout.S.h"
#include "segment.S.h"

    .text

/* occ_call_on_segment (me r12, body r13, environment r14, size_bytes r15, site rdi): the caller's
 * stack pointer is kept in the segment's own descriptor, so nothing need survive in a register and
 * the body may wait. */
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
    .type   __morestack, @function
__morestack:
    call    *%rax
.Lbody_returned:
    leaq    -8(%rsp), %rcx
    movq    (%rsp), %rsp
    .cfi_restore_state
    movq    Process_data(%rcx), %r12
    RELEASE_SEGMENT r12, .Lsegment_free
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
    movq    %rdi, %rdx
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
    .size   __morestack, . - __morestack
    .size   occ_call_on_segment, . - occ_call_on_segment

    .section .data.rel.ro, "aw", @progbits
    .p2align 3
    .globl  rt_arch_segment_return
    .hidden rt_arch_segment_return
rt_arch_segment_return:
    .quad   .Lbody_returned

    .section .note.GNU-stack, "", @progbits
