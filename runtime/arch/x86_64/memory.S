/* memory -- memcpy memmove memset memcmp bcmp strlen that use no stack.
 *
 * Owns:   the routines LLVM calls by itself; the stack use of the C library's depends on the CPU,
 *         so no process may call them. leaf.def lists these with their depth, 0.
 * Leaves: the C library's own calls to its own routines: these are hidden, and are bound only
 *         inside the executable.
 * Holds:  no push, no call. Short copies load everything before they store anything, so that memcpy
 *         is memmove. Long ones (LONG bytes or more) use rep movsb / stosb, fast on all CPUs with
 *         ERMS (since 2013); for shorter ones its start costs more than it gains. */

    .set LONG, 2048

    .text

/* switch.S refers to this, so that these routines are in every program: else a library that stands
 * before this one in the link (a sanitizer's) could supply its own. */
    .globl  rt_arch_memory
    .hidden rt_arch_memory
rt_arch_memory:

.macro LEAF_BEGIN name
    .globl  \name
    .hidden \name
    .type   \name, @function
\name:
    .cfi_startproc
.endm

.macro LEAF_END name
    .cfi_endproc
    .size   \name, . - \name
.endm

/* memmove (to rdi, from rsi, size rdx) -> to */
    .p2align 5
    .globl  memcpy
    .hidden memcpy
    .type   memcpy, @function
memcpy:
LEAF_BEGIN memmove
    movq    %rdi, %rax
    cmpq    $16, %rdx
    jb      .Lcopy_below_16
    cmpq    $32, %rdx
    ja      .Lcopy_above_32
    movups  (%rsi), %xmm0
    movups  -16(%rsi,%rdx), %xmm1
    movups  %xmm0, (%rdi)
    movups  %xmm1, -16(%rdi,%rdx)
    ret
.Lcopy_below_16:
    cmpl    $8, %edx
    jae     .Lcopy_8
    cmpl    $4, %edx
    jae     .Lcopy_4
    cmpl    $1, %edx
    ja      .Lcopy_2
    jb      .Lcopy_done
    movzbl  (%rsi), %ecx
    movb    %cl, (%rdi)
.Lcopy_done:
    ret
.Lcopy_8:
    movq    (%rsi), %rcx
    movq    -8(%rsi,%rdx), %r8
    movq    %rcx, (%rdi)
    movq    %r8, -8(%rdi,%rdx)
    ret
.Lcopy_4:
    movl    (%rsi), %ecx
    movl    -4(%rsi,%rdx), %r8d
    movl    %ecx, (%rdi)
    movl    %r8d, -4(%rdi,%rdx)
    ret
.Lcopy_2:
    movzwl  (%rsi), %ecx
    movzwl  -2(%rsi,%rdx), %r8d
    movw    %cx, (%rdi)
    movw    %r8w, -2(%rdi,%rdx)
    ret
.Lcopy_above_32:
    cmpq    $64, %rdx
    ja      .Lcopy_above_64
    movups  (%rsi), %xmm0
    movups  16(%rsi), %xmm1
    movups  -32(%rsi,%rdx), %xmm2
    movups  -16(%rsi,%rdx), %xmm3
    movups  %xmm0, (%rdi)
    movups  %xmm1, 16(%rdi)
    movups  %xmm2, -32(%rdi,%rdx)
    movups  %xmm3, -16(%rdi,%rdx)
    ret
.Lcopy_above_64:
    cmpq    $128, %rdx
    ja      .Lcopy_above_128
    movups  (%rsi), %xmm0
    movups  16(%rsi), %xmm1
    movups  32(%rsi), %xmm2
    movups  48(%rsi), %xmm3
    movups  -64(%rsi,%rdx), %xmm4
    movups  -48(%rsi,%rdx), %xmm5
    movups  -32(%rsi,%rdx), %xmm6
    movups  -16(%rsi,%rdx), %xmm7
    movups  %xmm0, (%rdi)
    movups  %xmm1, 16(%rdi)
    movups  %xmm2, 32(%rdi)
    movups  %xmm3, 48(%rdi)
    movups  %xmm4, -64(%rdi,%rdx)
    movups  %xmm5, -48(%rdi,%rdx)
    movups  %xmm6, -32(%rdi,%rdx)
    movups  %xmm7, -16(%rdi,%rdx)
    ret
.Lcopy_above_128:
    movq    %rdi, %rcx
    subq    %rsi, %rcx
    je      .Lcopy_done
    cmpq    %rdx, %rcx
    jb      .Lcopy_backward         /* from < to < from + size */
    /* the tail is loaded first: the loop may write over it */
    movups  -64(%rsi,%rdx), %xmm4
    movups  -48(%rsi,%rdx), %xmm5
    movups  -32(%rsi,%rdx), %xmm6
    movups  -16(%rsi,%rdx), %xmm7
    leaq    -64(%rdi,%rdx), %r9     /* where the tail goes */
    cmpq    $LONG, %rdx
    jae     .Lcopy_long
.Lcopy_forward:
    movups  (%rsi), %xmm0
    movups  16(%rsi), %xmm1
    movups  32(%rsi), %xmm2
    movups  48(%rsi), %xmm3
    addq    $64, %rsi
    movups  %xmm0, (%rdi)
    movups  %xmm1, 16(%rdi)
    movups  %xmm2, 32(%rdi)
    movups  %xmm3, 48(%rdi)
    addq    $64, %rdi
    cmpq    %r9, %rdi
    jb      .Lcopy_forward
.Lcopy_tail:
    movups  %xmm4, (%r9)
    movups  %xmm5, 16(%r9)
    movups  %xmm6, 32(%r9)
    movups  %xmm7, 48(%r9)
    ret
.Lcopy_long:
    /* rep movsb is slow when it would read what it has just written */
    negq    %rcx
    cmpq    $64, %rcx
    jb      .Lcopy_forward
    leaq    -64(%rdx), %rcx
    rep movsb
    jmp     .Lcopy_tail
.Lcopy_backward:
    movups  (%rsi), %xmm4
    movups  16(%rsi), %xmm5
    movups  32(%rsi), %xmm6
    movups  48(%rsi), %xmm7
    leaq    64(%rdi), %r9
    leaq    (%rdi,%rdx), %r8
    leaq    (%rsi,%rdx), %rcx
.Lcopy_back:
    movups  -16(%rcx), %xmm0
    movups  -32(%rcx), %xmm1
    movups  -48(%rcx), %xmm2
    movups  -64(%rcx), %xmm3
    subq    $64, %rcx
    movups  %xmm0, -16(%r8)
    movups  %xmm1, -32(%r8)
    movups  %xmm2, -48(%r8)
    movups  %xmm3, -64(%r8)
    subq    $64, %r8
    cmpq    %r9, %r8
    ja      .Lcopy_back
    movups  %xmm4, (%rdi)
    movups  %xmm5, 16(%rdi)
    movups  %xmm6, 32(%rdi)
    movups  %xmm7, 48(%rdi)
    ret
LEAF_END memmove
    .size   memcpy, . - memcpy

/* memset (to rdi, byte esi, size rdx) -> to */
    .p2align 5
LEAF_BEGIN memset
    movq    %rdi, %rax
    movzbl  %sil, %esi
    movabsq $0x0101010101010101, %rcx
    imulq   %rsi, %rcx
    cmpq    $16, %rdx
    jae     .Lset_16
    cmpl    $8, %edx
    jae     .Lset_8
    cmpl    $4, %edx
    jae     .Lset_4
    cmpl    $1, %edx
    ja      .Lset_2
    jb      .Lset_done
    movb    %cl, (%rdi)
.Lset_done:
    ret
.Lset_8:
    movq    %rcx, (%rdi)
    movq    %rcx, -8(%rdi,%rdx)
    ret
.Lset_4:
    movl    %ecx, (%rdi)
    movl    %ecx, -4(%rdi,%rdx)
    ret
.Lset_2:
    movw    %cx, (%rdi)
    movw    %cx, -2(%rdi,%rdx)
    ret
.Lset_16:
    movq    %rcx, %xmm0
    punpcklqdq %xmm0, %xmm0
    cmpq    $32, %rdx
    ja      .Lset_above_32
    movups  %xmm0, (%rdi)
    movups  %xmm0, -16(%rdi,%rdx)
    ret
.Lset_above_32:
    movups  %xmm0, -32(%rdi,%rdx)
    movups  %xmm0, -16(%rdi,%rdx)
    leaq    -32(%rdi,%rdx), %r9
    cmpq    $LONG, %rdx
    jae     .Lset_long
.Lset_loop:
    movups  %xmm0, (%rdi)
    movups  %xmm0, 16(%rdi)
    addq    $32, %rdi
    cmpq    %r9, %rdi
    jb      .Lset_loop
    ret
.Lset_long:
    movq    %rax, %r8
    movl    %esi, %eax
    movq    %rdx, %rcx
    rep stosb
    movq    %r8, %rax
    ret
LEAF_END memset

/* memcmp (a rdi, b rsi, size rdx) -> below 0, 0, above 0 */
    .p2align 5
    .globl  bcmp
    .hidden bcmp
    .type   bcmp, @function
bcmp:
LEAF_BEGIN memcmp
    xorl    %ecx, %ecx
    cmpq    $16, %rdx
    jb      .Lcompare_bytes
    leaq    -16(%rdx), %r8
.Lcompare_16:
    movdqu  (%rdi,%rcx), %xmm0
    movdqu  (%rsi,%rcx), %xmm1
    pcmpeqb %xmm1, %xmm0
    pmovmskb %xmm0, %eax
    xorl    $0xffff, %eax           /* a bit for each byte that differs */
    jne     .Lcompare_differ
    cmpq    %r8, %rcx
    jae     .Lcompare_equal
    addq    $16, %rcx
    cmpq    %r8, %rcx
    jbe     .Lcompare_16
    movq    %r8, %rcx               /* the last 16, overlapping */
    jmp     .Lcompare_16
.Lcompare_equal:
    xorl    %eax, %eax
    ret
.Lcompare_differ:
    bsfl    %eax, %eax
    addq    %rax, %rcx
    movzbl  (%rdi,%rcx), %eax
    movzbl  (%rsi,%rcx), %edx
    subl    %edx, %eax
    ret
.Lcompare_bytes:
    cmpq    %rdx, %rcx
    je      .Lcompare_equal
    movzbl  (%rdi,%rcx), %eax
    movzbl  (%rsi,%rcx), %r8d
    incq    %rcx
    subl    %r8d, %eax
    je      .Lcompare_bytes
    ret
LEAF_END memcmp
    .size   bcmp, . - bcmp

/* strlen (text rdi) */
    .p2align 5
LEAF_BEGIN strlen
    movq    %rdi, %rax
    pxor    %xmm0, %xmm0
    andq    $-16, %rax              /* aligned blocks never cross into a page not ours */
    movl    %edi, %ecx
    andl    $15, %ecx
    movdqa  (%rax), %xmm1
    pcmpeqb %xmm0, %xmm1
    pmovmskb %xmm1, %edx
    shrl    %cl, %edx
    testl   %edx, %edx
    jne     .Llength_first
.Llength_16:
    addq    $16, %rax
    movdqa  (%rax), %xmm1
    pcmpeqb %xmm0, %xmm1
    pmovmskb %xmm1, %edx
    testl   %edx, %edx
    je      .Llength_16
    bsfl    %edx, %edx
    subq    %rdi, %rax
    addq    %rdx, %rax
    ret
.Llength_first:
    bsfl    %edx, %eax
    ret
LEAF_END strlen

    .section .note.GNU-stack, "", @progbits
