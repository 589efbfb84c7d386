/* Tries what a program of a playground must not do, and says how it went. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char *what, long result) {
    printf("%s: %s\n", what, result >= 0 ? "DONE" : strerrorname_np(errno));
    fflush(stdout);
}

static void *idle(void *nothing) {
    return nothing;
}

int main(int count, char **words) {
    pthread_t thread;
    char *program[] = {words[0], NULL};
    const char *secret = count > 1 ? words[1] : "/etc/passwd";
    printf("a thread: %s\n", pthread_create(&thread, NULL, idle, NULL) == 0 ? "DONE" : "refused");
    say("fork", fork());
    say("vfork", syscall(SYS_vfork));
    say("clone", syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
    say("clone3", syscall(SYS_clone3, NULL, 0));
    say("open", open(secret, O_RDONLY));
    say("open itself", open(words[0], O_RDONLY));
    say("open by openat2", syscall(SYS_openat2, AT_FDCWD, secret, NULL, 0));
    say("make", open("more", O_CREAT | O_WRONLY, 0600));
    say("unlink", unlink(words[0]));
    say("rename", rename(words[0], "other"));
    say("link", link(words[0], "other"));
    say("mkdir", mkdir("other", 0700));
    say("chdir", chdir("/"));
    say("stat", access(secret, F_OK));
    say("execve", execve("/bin/true", program, NULL));
    say("execve itself", execve(words[0], program, NULL));
    say("execveat", syscall(SYS_execveat, AT_FDCWD, "/bin/true", program, NULL, 0));
    say("execveat by the number", syscall(SYS_execveat, 60, "", program, NULL, AT_EMPTY_PATH));
    say("memfd", memfd_create("m", 0));
    say("socket", socket(AF_INET, SOCK_STREAM, 0));
    say("unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
    say("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}));
    say("kill the parent", kill(getppid(), SIGKILL));
    say("kill all", kill(-1, SIGKILL));
    say("tkill", syscall(SYS_tkill, 1, 0));
    say("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    say("io_uring", syscall(SYS_io_uring_setup, 1, NULL));
    say("bpf", syscall(SYS_bpf, 0, NULL, 0));
    say("unshare", syscall(SYS_unshare, 0));
    say("mount", syscall(SYS_mount, "none", "/", "tmpfs", 0, NULL));
    say("raise a limit", setrlimit(RLIMIT_CPU, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}));
    say("another alarm", syscall(SYS_alarm, 0));
    say("setuid", setuid(0));
    say("keys", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
    say("a gigabyte", mmap(NULL, 1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                           0) == MAP_FAILED
                          ? -1
                          : 0);
    return 0;
}
