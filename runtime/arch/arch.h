/* arch -- the contract with the CPU: switching processes, and entering C from them.
 *
 * Owns:   the names a CPU must supply. arch/<cpu>/switch.S: these routines; calls.S: an entry
 *         occ_<name> for every routine of abi.def that is C; memory.S: the mem* routines with a
 *         known depth (leaf.def); cpu.h: arch_context_sp.
 * Leaves: everything else; no other folder knows the CPU.
 * Holds:  a parked process has its return address at sp[1] and the word for the frame register at
 *         sp[0]; every other register is dead. A process that is resumed finds itself in the
 *         register where occ_switch has its second argument.
 *
 * System stack: C runs on Worker.os_sp. One C routine at a time, so every call begins at its top.
 */
#ifndef RT_ARCH_H
#define RT_ARCH_H

#include "layout.h"

/* Save the C context of the caller as `main_process`, resume `first`. Returns when main_process is
 * resumed. When main_process->worker->os_sp is NULL, C goes on below the caller's own frame. */
void rt_arch_enter(Process *main_process, Process *first);

/* The counter of the processor, which all its cores share. */
static inline uint64_t arch_ticks(void) {
    return __builtin_ia32_rdtsc();
}

/* From C on a system stack: go on with a parked process. */
_Noreturn void rt_arch_resume(Process *process);

/* Where a body's entry_return points; not callable from C. */
void occ_process_end(void);
/* First resume of a process; not callable from C. */
void occ_process_start(void);

/* Return addresses that the unwinder must know. A body on a segment returns to the first two: the
 * word above is the caller's stack pointer. An ALT that waits is resumed in the third: the caller's
 * return address is the next word. A routine of the C convention that lets others run is resumed in
 * the fourth: the caller's return address is above what C keeps. */
extern const uintptr_t rt_arch_segment_return;
extern const uintptr_t rt_arch_segment_c_return;
extern const char rt_arch_alt_resumed[];
extern const char rt_arch_yield_resumed[];
enum { ARCH_YIELD_KEPT = 13 }; /* words */

/* The context of a process that an ALT has resumed (rt_arch_alt_resumed), while C runs for it: made
 * that of one whose ALT waits; and back. */
static inline void arch_alt_resumes_again(Process *process) {
    void **sp = process->sp;
    sp[-1] = sp[0];
    sp[0] = (void *)(uintptr_t)rt_arch_alt_resumed;
    process->sp = sp - 1;
}

static inline void arch_alt_goes_on(Process *process) {
    void **sp = process->sp;
    sp[1] = sp[0];
    process->sp = sp + 1;
}

#endif
