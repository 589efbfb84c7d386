/* segment -- what the two routines that run a body on a segment share.
 *
 * gdb gives up when a caller's frame lies below its callee's, as a segment's may, except in a
 * routine named __morestack, that of gcc's split stacks, which do the same. So the call of the
 * body, and what follows it, has that name in both files. */
/* Give the segment in %rcx back to the present worker of the process in \me; uses rax, rdx, rsi.
 * Large ones jump to \large. */
.macro RELEASE_SEGMENT me, large
    leaq    occ_process_end(%rip), %rax
    movq    %rax, Process_entry_return(%rcx)
    movq    $0, Process_sp(%rcx)
    andb    $~PROCESS_IS_SEGMENT, Process_flags(%rcx)
    movq    Process_worker(%\me), %rdx
    movq    %rdx, Process_worker(%rcx)
    movzwl  Process_size_class(%rcx), %eax
    cmpl    $OCC_SIZE_CLASS_LIMIT, %eax
    ja      \large
    movq    Worker_free(%rdx,%rax,8), %rsi
    movq    %rsi, Process_next(%rcx)
    movq    %rcx, Worker_free(%rdx,%rax,8)
.endm

/* While the body runs on a segment: the word at the stack pointer is the caller's stack pointer,
 * which points at the return address: CFA = deref (rsp) + 8. */
.macro CFA_OF_SEGMENT
    .cfi_escape 0x0f, 5, 0x77, 0, 0x06, 0x23, 8
.endm
