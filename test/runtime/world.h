/* world -- what the tests of the runtime share: running a root process, and seeing how a program
 * ends.
 *
 * A test is C; the processes it runs are in <file>_test_processes.pn.c, which clang compiles with
 * the convention of compiled code and with the fast paths inlined as the compiler does (inlined.h).
 * Blocks are larger than the link step would make them, so that processes may call C as well. */
#ifndef TEST_WORLD_H
#define TEST_WORLD_H

#include "layout.h"
#include "start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define expect(condition)                                                                          \
    ((condition)                                                                                   \
         ? (void)0                                                                                 \
         : (fprintf(stderr, "%s:%d: expected: %s\n", __FILE__, __LINE__, #condition), abort()))

enum { WORLD_BLOCK = 4096, WORLD_ROOT_BLOCK = 65536 };

/* A body's convention is known to clang only: tests declare it as void name (void). */
#define WORLD_BODY(name) ((void *)(uintptr_t)(name))

/* Set the runtime up, run the root process (me, environment) to its end, take everything down. One
 * worker: the threads of others outlive a world, and the processes here share variables. */
static inline void world_run(void *body, void *environment) {
    expect(rt_begin());
    rt_root.worker_count = 1;
    activity_init(&rt_root.activity, 1);
    ProcessPlan root = {body, WORLD_ROOT_BLOCK, environment, NULL, INDEX_NONE};
    rt_run(&root);
    block_store_check(&rt_root.blocks, &rt_root.worker);
    worker_end(&rt_root.worker);
}

typedef void WorldProgram(void);

typedef struct WorldEnd {
    int status; /* of waitpid */
    char errors[8192];
    char output[8192];
} WorldEnd;

static inline void world_read(int fd, char *into, size_t size_bytes) {
    size_t length = 0;
    ssize_t got;
    while ((got = read(fd, into + length, size_bytes - 1 - length)) > 0) {
        length += (size_t)got;
    }
    into[length] = '\0';
    close(fd);
}

/* Run a whole program in a child and see how it ends. */
static inline WorldEnd world_end_of(WorldProgram *program) {
    int errors[2];
    int output[2];
    expect(pipe(errors) == 0 && pipe(output) == 0);
    fflush(NULL);
    pid_t child = fork();
    expect(child >= 0);
    if (child == 0) {
        dup2(errors[1], 2);
        dup2(output[1], 1);
        close(errors[0]);
        close(output[0]);
        alarm(20);
        program();
        _exit(0);
    }
    close(errors[1]);
    close(output[1]);
    WorldEnd end;
    world_read(output[0], end.output, sizeof end.output);
    world_read(errors[0], end.errors, sizeof end.errors);
    expect(waitpid(child, &end.status, 0) == child);
    return end;
}

static inline void world_expect_end(WorldProgram *program, int status, const char *words) {
    WorldEnd end = world_end_of(program);
    if (!WIFEXITED(end.status) || WEXITSTATUS(end.status) != status ||
        strstr(end.errors, words) == NULL) {
        fprintf(stderr, "status %x, errors:\n%s\nwanted %d and \"%s\"\n", (unsigned)end.status,
                end.errors, status, words);
        abort();
    }
}

#endif
