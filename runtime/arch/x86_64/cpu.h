/* cpu -- what C needs to know of x86-64. */
#ifndef RT_CPU_H
#define RT_CPU_H

#include <linux/audit.h>
#include <ucontext.h>

/* What the kernel calls it (seccomp(2)). */
#define CPU_AUDIT_ARCH AUDIT_ARCH_X86_64

/* The stack pointer of an interrupted context (the third argument of a signal handler). */
static inline const void *arch_context_sp(const void *context) {
    const ucontext_t *interrupted = context;
    return (const void *)interrupted->uc_mcontext.gregs[15]; /* REG_RSP */
}

#endif
