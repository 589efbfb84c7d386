/* graph_svg -- Graphviz's dot as a child: it lays out, and a program it cannot cope with ends it,
 * not us. See graph.h. */
#define _GNU_SOURCE

#include "graph.h"

#include "driver_file.h"
#include "file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LAYOUT_SECONDS = 60, NOT_FOUND = 127 };

static _Noreturn void be_dot(const NamelessFile *input, const NamelessFile *output,
                             bool is_crowded) {
    alarm(LAYOUT_SECONDS);
    dup2(input->descriptor, STDIN_FILENO);
    dup2(output->descriptor, STDOUT_FILENO);
    if (is_crowded) {
        execlp("dot", "dot", "-Tsvg", "-Ksfdp", "-Goverlap=scale", "-Gsplines=line", (char *)NULL);
    } else {
        execlp("dot", "dot", "-Tsvg", (char *)NULL);
    }
    _exit(errno == ENOENT ? NOT_FOUND : EXIT_ERRORS);
}

static bool report(int status) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) {
        driver_error("svg needs Graphviz's 'dot', which is not installed (Debian: apt install "
                     "graphviz); -o with .html or .dot needs nothing");
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        driver_error("'dot' found no layout within %d seconds; draw less with --depth=1, or use "
                     "-o with .html",
                     LAYOUT_SECONDS);
    } else {
        driver_error("'dot' failed");
    }
    return false;
}

bool graph_has_layout(void) {
    const char *at = getenv("PATH");
    char path[4096];
    while (at && *at) {
        size_t length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/dot", (int)length, at);
        if (access(path, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

bool graph_svg(Arena *arena, const char *dot, bool is_crowded, const char *path) {
    NamelessFile input = nameless_file(arena, "occc-graph.dot");
    NamelessFile output = nameless_file(arena, "occc-graph.svg");
    if (!file_write_all(input.descriptor, dot, strlen(dot)) ||
        lseek(input.descriptor, 0, SEEK_SET) != 0) {
        fatal("cannot write the graph:");
    }
    pid_t child = fork();
    if (child < 0) {
        fatal("cannot run 'dot':");
    }
    if (child == 0) {
        be_dot(&input, &output, is_crowded);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    bool is_done = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_OK;
    return is_done ? nameless_file_publish(arena, &output, path) : report(status);
}
