/* child_pool -- see the header. */
#define _GNU_SOURCE

#include "child_pool.h"

#include "array.h"
#include "diag.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_MS = 2000, READ_BYTES = 64 * 1024 };

typedef struct Child {
    size_t index;
    pid_t pid;
    int pidfd;
    int pipe; /* what it writes */
    int64_t began_ns;
    int64_t deadline_ns; /* of what comes next; INT64_MAX: nothing does */
    bool is_asked;       /* where it is: it has run too long */
    ARRAY_OF(char) text;
    bool is_cut;
} Child;

typedef struct Pool {
    Arena *arena;
    const ChildWork *work;
    Child *children; /* those that run are the first */
    struct pollfd *polled;
    size_t running;
    size_t next;
} Pool;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

unsigned child_pool_width(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (unsigned)count : 1;
}

/* ---- the child ---- */

_Noreturn static void become_child(const Pool *pool, size_t index, int output, pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGQUIT, SIG_DFL); /* a job in the background of a shell ignores it */
    int nothing = open("/dev/null", O_RDONLY);
    if (getppid() != parent || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) {
        _exit(127);
    }
    close(nothing);
    int status = pool->work->run(pool->work->context, index);
    fflush(NULL);
    _exit(status);
}

static void start_child(Pool *pool) {
    int ends[2];
    pid_t parent = getpid();
    fflush(NULL); /* or both would write it */
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fatal("cannot make a pipe:");
    }
    pid_t pid = fork();
    if (pid < 0) {
        fatal("cannot start a process:");
    }
    if (pid == 0) {
        become_child(pool, pool->next, ends[1], parent);
    }
    setpgid(pid, pid); /* whoever comes first */
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    int64_t now = now_ns();
    double limit = pool->work->limit_seconds;
    pool->children[pool->running++] = (Child){
        .index = pool->next++,
        .pid = pid,
        .pidfd = pidfd_open(pid, 0),
        .pipe = ends[0],
        .began_ns = now,
        .deadline_ns = limit > 0 ? now + (int64_t)(limit * 1e9) : INT64_MAX,
    };
    if (pool->children[pool->running - 1].pidfd < 0) {
        fatal("cannot watch a process:");
    }
}

/* ---- what it writes ---- */

/* What there is now; false: nothing more will come. */
static bool read_text(Pool *pool, Child *child) {
    char bytes[READ_BYTES];
    for (;;) {
        ssize_t got = read(child->pipe, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 && errno == EAGAIN;
        }
        for (ssize_t i = 0; i < got && child->text.count < CHILD_TEXT_MAX; i++) {
            array_push(pool->arena, &child->text, bytes[i] ? bytes[i] : ' ');
        }
        child->is_cut = child->is_cut || child->text.count == CHILD_TEXT_MAX;
    }
}

/* ---- its end ---- */

static void end_child(Pool *pool, size_t at) {
    Child child = pool->children[at];
    int state = 0;
    while (waitpid(child.pid, &state, 0) < 0 && errno == EINTR) {
    }
    kill(-child.pid, SIGKILL); /* what it left behind */
    read_text(pool, &child);
    close(child.pipe);
    close(child.pidfd);
    array_push(pool->arena, &child.text, '\0');
    ChildResult result = {
        .text = child.text.items,
        .length = child.text.count - 1,
        .is_cut = child.is_cut,
        .has_timed_out = child.is_asked,
        .status = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state),
        .signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0,
        .seconds = (double)(now_ns() - child.began_ns) / 1e9,
    };
    pool->children[at] = pool->children[--pool->running];
    pool->work->done(pool->work->context, child.index, &result);
}

/* Its time is over: first a question, then the end. */
static void meet_deadline(Child *child, int64_t now) {
    if (now < child->deadline_ns) {
        return;
    }
    kill(child->is_asked ? -child->pid : child->pid, child->is_asked ? SIGKILL : SIGQUIT);
    child->deadline_ns = child->is_asked ? INT64_MAX : now + ANSWER_MS * INT64_C(1000000);
    child->is_asked = true;
}

static int wait_ms(const Pool *pool) {
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < pool->running; i++) {
        int64_t deadline = pool->children[i].deadline_ns;
        first = deadline < first ? deadline : first;
    }
    int64_t left = first - now_ns();
    return first == INT64_MAX ? -1 : left < 0 ? 0 : (int)(left / 1000000 + 1);
}

/* Two descriptors each: what it writes, and its end. */
static void wait_for_children(Pool *pool) {
    for (size_t i = 0; i < pool->running; i++) {
        pool->polled[2 * i] = (struct pollfd){pool->children[i].pipe, POLLIN, 0};
        pool->polled[2 * i + 1] = (struct pollfd){pool->children[i].pidfd, POLLIN, 0};
    }
    if (poll(pool->polled, 2 * pool->running, wait_ms(pool)) < 0 && errno != EINTR) {
        fatal("cannot wait for processes:");
    }
    int64_t now = now_ns();
    for (size_t i = pool->running; i > 0; i--) { /* the last takes the place of one that ends */
        Child *child = &pool->children[i - 1];
        bool has_ended = pool->polled[2 * (i - 1) + 1].revents != 0;
        if (pool->polled[2 * (i - 1)].revents != 0 && !read_text(pool, child) && !has_ended) {
            close(child->pipe); /* it closed its side and goes on */
            child->pipe = -1;
        }
        if (has_ended) {
            end_child(pool, i - 1);
        } else {
            meet_deadline(child, now);
        }
    }
}

void child_pool_run(Arena *arena, const ChildWork *work) {
    Pool pool = {.arena = arena, .work = work};
    size_t width = work->width < work->count ? work->width : work->count;
    pool.children = arena_new_array(arena, Child, width);
    pool.polled = arena_new_array(arena, struct pollfd, 2 * width);
    while (pool.next < work->count || pool.running > 0) {
        while (pool.running < width && pool.next < work->count) {
            start_child(&pool);
        }
        wait_for_children(&pool);
    }
}
