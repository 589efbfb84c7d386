/* posix_confine -- a filter of system calls (Linux, seccomp(2)). See os.h. */
#define _GNU_SOURCE
#include "os.h"

#include "x86_64/cpu.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field)                                                                                \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define ANSWER(what)             BPF_STMT(BPF_RET | BPF_K, (what))
#define SKIP_UNLESS(value, many) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, (many))
#define ALLOW(number)            SKIP_UNLESS(SYS_##number, 1), ANSWER(SECCOMP_RET_ALLOW)
/* Allowed for a standard stream: whoever confines restores its file offset. */
#define ALLOW_STREAM(number)                                                                       \
    SKIP_UNLESS(SYS_##number, 4), LOAD(args[0]),                                                   \
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, STDERR_FILENO, 1, 0), ANSWER(SECCOMP_RET_ALLOW),       \
        ANSWER(SECCOMP_RET_KILL_PROCESS)

bool os_confine(void) {
    static struct sock_filter filter[] = {
        LOAD(arch), SKIP_UNLESS(CPU_AUDIT_ARCH, 1), BPF_STMT(BPF_JMP | BPF_JA, 1),
        ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(nr), ALLOW_STREAM(write), ALLOW_STREAM(writev),
        ALLOW_STREAM(read), ALLOW_STREAM(lseek),
        /* what leaves no trace */
        ALLOW(pread64), ALLOW(prlimit64), ALLOW(getrusage), ALLOW(rt_sigprocmask),
        ALLOW(sched_yield), ALLOW(clock_nanosleep), ALLOW(clock_gettime), ALLOW(gettimeofday),
        ALLOW(getpid), ALLOW(gettid), ALLOW(newfstatat), ALLOW(fstat), ALLOW(sched_getaffinity),
        ALLOW(getrandom), ALLOW(getuid), ALLOW(getcwd), ALLOW(uname), ALLOW(futex), ALLOW(poll),
        ALLOW(ppoll),
        /* memory that is put back */
        ALLOW(brk), ALLOW(mprotect), ALLOW(madvise),
        /* its end; an alarm that a forked process does not have */
        ALLOW(exit_group), ALLOW(rt_sigreturn), ALLOW(tgkill), ALLOW(timer_delete),
        ANSWER(SECCOMP_RET_KILL_PROCESS)};
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
