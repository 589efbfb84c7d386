/* segment_c -- recursion of what never waits: as segment.S, for the C convention.
 *
 * Owns:   occ_call_on_segment_c; rt_arch_segment_c_return holds the body's return address. */
#include "layout.S.h"
#include "segment.S.h"

    .text

/* occ_call_on_segment_c (me rdi, body rsi, environment rdx, size_bytes rcx, site r8): the same for
 * a body of the C convention that never waits; keeps what C keeps. */
    .p2align 4
    .globl  occ_call_on_segment_c
    .type   occ_call_on_segment_c, @function
occ_call_on_segment_c:
    .cfi_startproc
    movq    Process_worker(%rdi), %r11
    cmpq    $(OCC_SIZE_CLASS_LIMIT * OCC_SIZE_CLASS_UNIT), %rcx
    ja      .Lsegment_c_allocate
    movq    %rcx, %rax
    shrq    $4, %rax
    movq    Worker_free(%r11,%rax,8), %r9
    testq   %r9, %r9
    je      .Lsegment_c_allocate
    movq    Process_next(%r9), %r10
    movq    %r10, Worker_free(%r11,%rax,8)
.Lsegment_c_made:
    movq    %rsp, Process_sp(%r9)
    movq    %rdi, Process_data(%r9)
    orb     $PROCESS_IS_SEGMENT, Process_flags(%r9)
    leaq    8(%r9), %rsp
    .cfi_remember_state
    CFA_OF_SEGMENT
    movq    %rsi, %rax
    movq    %rdx, %rsi
    .type   __morestack, @function
__morestack:
    call    *%rax
.Lbody_returned:
    leaq    -8(%rsp), %rcx
    movq    (%rsp), %rsp
    .cfi_restore_state
    movq    Process_data(%rcx), %rdi
    RELEASE_SEGMENT rdi, .Lsegment_c_free
    ret
.Lsegment_c_allocate:
    pushq   %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq    %rsp, Process_sp(%rdi)
    movq    Worker_os_sp(%r11), %rsp
    /* the system stack keeps me, body, environment; CFA = deref (me + sp) + 16, me at rsp + 16 */
    .cfi_remember_state
    .cfi_escape 0x0f, 5, 0x75, Process_sp, 0x06, 0x23, 16
    pushq   %rdx
    pushq   %rdi
    pushq   %rsi
    pushq   %rdi
    .cfi_escape 0x0f, 8, 0x77, 0, 0x06, 0x23, Process_sp, 0x06, 0x23, 16
    movq    %rcx, %rsi
    movq    %r8, %rdx
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
    .size   __morestack, . - __morestack
    .size   occ_call_on_segment_c, . - occ_call_on_segment_c

    .section .data.rel.ro, "aw", @progbits
    .p2align 3
    .globl  rt_arch_segment_c_return
    .hidden rt_arch_segment_c_return
rt_arch_segment_c_return:
    .quad   .Lbody_returned

    .section .note.GNU-stack, "", @progbits
