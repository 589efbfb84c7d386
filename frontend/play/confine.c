/* confine -- start a command of which nothing gets out: `confine compile|program|trace FOLDER HOME
 * COMMAND...`, HOME being the folder that this program is in, lib/occ/play.
 *
 * Owns:   what a text from a page may do while it is compiled, and while it runs.
 * Leaves: how long it takes on the clock, and how much it writes, to server.occ.
 * Holds:  everything is closed before the command begins, and stays so in whatever it starts. What
 *         is compiled reads the compiler, its library and the system's (no file of a user), and
 *         writes below FOLDER. What runs opens no file, starts no program, has no socket, reaches
 *         no other process, and has limited memory, processor time and descriptors; it is linked
 *         statically, so that it needs none of that to begin. Refusals are errors of the call:
 *         the program goes on. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    REFUSED = 125, /* exit status: the command has not begun */
    PROGRAM_FD = 60,
    MEGABYTE = 1 << 20
};

_Noreturn static void give_up(const char *what) {
    fprintf(stderr, "occc play: %s: %s\n", what, strerror(errno));
    _exit(REFUSED);
}

/* ---- limits ---- */

static void limit(int resource, rlim_t most) {
    struct rlimit both = {most, most};
    if (setrlimit((__rlimit_resource_t)resource, &both) != 0) {
        give_up("cannot set a limit");
    }
}

static void set_limits(bool is_program) {
    limit(RLIMIT_CPU, is_program ? 5 : 20);
    limit(RLIMIT_DATA, (rlim_t)(is_program ? 512 : 4096) * MEGABYTE);
    limit(RLIMIT_FSIZE, (rlim_t)(is_program ? 16 : 64) * MEGABYTE);
    limit(RLIMIT_NOFILE, is_program ? 64 : 256);
    limit(RLIMIT_CORE, 0);
}

/* ---- files ---- */

/* All that this kernel knows of, so that nothing is left open. */
static uint64_t all_rights(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) {
        give_up("this kernel has no Landlock, which keeps texts from reading files");
    }
    uint64_t rights = (UINT64_C(1) << 13) - 1;
    rights |= version >= 2 ? UINT64_C(1) << 13 : 0; /* moving to other folders */
    rights |= version >= 3 ? UINT64_C(1) << 14 : 0; /* truncating */
    return rights;
}

static void allow(int ruleset, const char *path, uint64_t rights) {
    int file = open(path, O_PATH | O_CLOEXEC);
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
    if (file >= 0 &&
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
        give_up(path);
    }
    if (file >= 0) {
        close(file);
    }
}

static const char *beside(const char *home, const char *path) {
    static char place[4096];
    (void)snprintf(place, sizeof place, "%s%s", home, path);
    return place;
}

static void close_files(bool is_program, const char *folder, const char *home) {
    static const char *const system_folders[] = {"/usr", "/bin", "/lib", "/lib64"};
    static const char *const system_files[] = {"/etc/ld.so.cache", "/dev/urandom", "/dev/null"};
    const uint64_t read = LANDLOCK_ACCESS_FS_READ_FILE;
    const uint64_t execute = read | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
    uint64_t all = all_rights();
    struct landlock_ruleset_attr attributes = {.handled_access_fs = all};
    int ruleset =
        (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, (uint32_t)0);
    if (ruleset < 0) {
        give_up("cannot make a ruleset");
    }
    if (is_program) {
        allow(ruleset, folder, read | LANDLOCK_ACCESS_FS_EXECUTE); /* to begin */
    } else {
        for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++) {
            allow(ruleset, system_folders[i], execute);
        }
        for (size_t i = 0; i < sizeof system_files / sizeof *system_files; i++) {
            allow(ruleset, system_files[i], read | LANDLOCK_ACCESS_FS_WRITE_FILE);
        }
        allow(ruleset, "/etc/alternatives", execute);
        allow(ruleset, "/etc/fonts", execute); /* of pictures */
        allow(ruleset, "/var/cache/fontconfig", execute);
        allow(ruleset, beside(home, "/.."), execute);
        allow(ruleset, beside(home, "/../../../bin/occc"), read | LANDLOCK_ACCESS_FS_EXECUTE);
        allow(ruleset, folder, all);
    }
    if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) {
        give_up("cannot close the files");
    }
    close(ruleset);
}

/* ---- calls of the system ---- */

static void add(scmp_filter_ctx filter, uint32_t action, const char *name) {
    int call = seccomp_syscall_resolve_name(name);
    if (call != __NR_SCMP_ERROR && seccomp_rule_add(filter, action, call, 0) != 0) {
        give_up(name);
    }
}

/* A compiler may do what compilers do; it has no business with the net or with other processes. */
static scmp_filter_ctx filter_of_compiler(void) {
    static const char *const refused[] = {"socket",
                                          "socketpair",
                                          "ptrace",
                                          "process_vm_readv",
                                          "process_vm_writev",
                                          "kill",
                                          "tkill",
                                          "mount",
                                          "umount2",
                                          "pivot_root",
                                          "chroot",
                                          "setns",
                                          "unshare",
                                          "bpf",
                                          "perf_event_open",
                                          "keyctl",
                                          "io_uring_setup",
                                          "userfaultfd",
                                          "kexec_load",
                                          "init_module",
                                          "reboot",
                                          "finit_module",
                                          "setrlimit",
                                          "shmget",
                                          "msgget",
                                          "semget",
                                          "open_by_handle_at",
                                          "add_key",
                                          "request_key",
                                          "pidfd_open",
                                          "pidfd_getfd",
                                          "pidfd_send_signal",
                                          "sethostname",
                                          "settimeofday",
                                          "clock_settime",
                                          "swapon"};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    for (size_t i = 0; filter != NULL && i < sizeof refused / sizeof *refused; i++) {
        add(filter, SCMP_ACT_ERRNO(EACCES), refused[i]);
    }
    return filter;
}

static void add_careful_calls(scmp_filter_ctx filter) {
    uint32_t yes = SCMP_ACT_ALLOW;
    scmp_datum_t me = (scmp_datum_t)getpid();
    bool is_done =
        seccomp_rule_add(filter, yes, SCMP_SYS(execveat), 1, SCMP_A0(SCMP_CMP_EQ, PROGRAM_FD, 0)) ==
            0 &&
        seccomp_rule_add(filter, yes, SCMP_SYS(clone), 1,
                         SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) == 0 &&
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
        seccomp_rule_add(filter, yes, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, me, 0)) == 0 &&
        seccomp_rule_add(filter, yes, SCMP_SYS(kill), 1, SCMP_A0(SCMP_CMP_EQ, me, 0)) == 0;
    if (!is_done) {
        give_up("cannot make a filter");
    }
}

/* What the runtime of occam does; nothing that reaches anybody else. */
static scmp_filter_ctx filter_of_program(void) {
    static const char *const allowed[] = {"read",
                                          "readv",
                                          "write",
                                          "writev",
                                          "close",
                                          "fstat",
                                          "lseek",
                                          "mmap",
                                          "mprotect",
                                          "munmap",
                                          "mremap",
                                          "madvise",
                                          "brk",
                                          "rt_sigaction",
                                          "rt_sigprocmask",
                                          "rt_sigreturn",
                                          "rt_sigpending",
                                          "rt_sigtimedwait",
                                          "sigaltstack",
                                          "futex",
                                          "nanosleep",
                                          "clock_nanosleep",
                                          "clock_gettime",
                                          "clock_getres",
                                          "gettimeofday",
                                          "time",
                                          "timer_create",
                                          "timer_settime",
                                          "timer_gettime",
                                          "timer_delete",
                                          "timer_getoverrun",
                                          "epoll_create1",
                                          "epoll_ctl",
                                          "epoll_wait",
                                          "epoll_pwait",
                                          "epoll_pwait2",
                                          "eventfd2",
                                          "pipe2",
                                          "poll",
                                          "ppoll",
                                          "getpid",
                                          "gettid",
                                          "getrandom",
                                          "sched_yield",
                                          "sched_getaffinity",
                                          "sched_setaffinity",
                                          "set_robust_list",
                                          "rseq",
                                          "set_tid_address",
                                          "arch_prctl",
                                          "exit",
                                          "exit_group",
                                          "restart_syscall",
                                          "membarrier",
                                          "getrusage",
                                          "sysinfo",
                                          "uname",
                                          "getcpu",
                                          "fcntl",
                                          "newfstatat"};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EACCES));
    for (size_t i = 0; filter != NULL && i < sizeof allowed / sizeof *allowed; i++) {
        add(filter, SCMP_ACT_ALLOW, allowed[i]);
    }
    if (filter != NULL) {
        add_careful_calls(filter);
    }
    return filter;
}

static void close_calls(bool is_program) {
    scmp_filter_ctx filter = is_program ? filter_of_program() : filter_of_compiler();
    if (filter == NULL || seccomp_load(filter) != 0) {
        give_up("cannot close the calls of the system");
    }
    seccomp_release(filter);
}

/* ---- the command ---- */

/* Nothing of whoever started us. */
static char *environment[] = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", NULL, NULL, NULL, NULL};

static void make_environment(bool is_program, const char *folder, int trace) {
    static char place[4096];
    static char words[64];
    (void)snprintf(place, sizeof place, "TMPDIR=%s", folder);
    environment[2] = is_program ? "OCC_WORKERS=2" : place;
    if (trace >= 0) {
        (void)snprintf(words, sizeof words, "OCC_TRACE=&%d", trace);
        environment[3] = words;
    }
}

/* The program is open already, in a descriptor that goes when it begins: no other can be begun. */
_Noreturn static void begin(bool is_program, char **command) {
    if (is_program) {
        syscall(SYS_execveat, PROGRAM_FD, "", command, environment, AT_EMPTY_PATH);
    } else {
        (void)execve(command[0], command, environment);
    }
    give_up(command[0]);
}

int main(int count, char **words) {
    bool is_traced = count > 4 && strcmp(words[1], "trace") == 0;
    bool is_program = is_traced || (count > 4 && strcmp(words[1], "program") == 0);
    if (count < 5 || (!is_program && strcmp(words[1], "compile") != 0)) {
        fputs("usage: confine compile|program|trace FOLDER HOME COMMAND...\n", stderr);
        return REFUSED;
    }
    if (chdir(words[2]) != 0) {
        give_up(words[2]);
    }
    int file = is_program ? open(words[4], O_PATH | O_CLOEXEC) : -1;
    if (is_program && (file < 0 || dup3(file, PROGRAM_FD, O_CLOEXEC) < 0)) {
        give_up(words[4]);
    }
    int trace = is_traced ? open("trace", O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    make_environment(is_program, words[2], trace);
    set_limits(is_program);
    (void)alarm(is_program ? 15 : 60); /* should the server be gone by then */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        give_up("cannot give up privileges");
    }
    close_files(is_program, words[2], words[3]);
    close_calls(is_program);
    begin(is_program, words + 4);
}
