/* program -- see the header. */
#define _GNU_SOURCE

#include "program.h"

#include "diag.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COPY_BYTES = 65536, HIGH_FD = 20 };

/* ---- files ---- */

/* Above the numbers that the program knows. */
static int raised(int fd) {
    int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD) : -1;
    if (high < 0) {
        fatal("cannot explore:");
    }
    close(fd);
    return high;
}

static int memory_file(const char *name) {
    return raised(memfd_create(name, MFD_CLOEXEC));
}

static void copy_all(int from, int to) {
    char bytes[COPY_BYTES];
    ssize_t count;
    while ((count = read(from, bytes, sizeof bytes)) > 0) {
        if (write(to, bytes, (size_t)count) != count) {
            fatal("cannot keep the standard input:");
        }
    }
}

/* A run is to find the same input as the one before. */
static int input_file(void) {
    struct stat status;
    bool is_file = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
    if (is_file) {
        return raised(dup(STDIN_FILENO));
    }
    int file = memory_file("occc-input");
    if (!isatty(STDIN_FILENO)) {
        copy_all(STDIN_FILENO, file);
    }
    return file;
}

static void make_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fatal("cannot explore:");
    }
    ends[0] = raised(ends[0]);
    ends[1] = raised(ends[1]);
}

static ExploreRegion *make_region(int *file) {
    *file = memory_file("occc-explore");
    void *memory = MAP_FAILED;
    if (ftruncate(*file, (off_t)sizeof(ExploreRegion)) == 0) {
        memory = mmap(NULL, sizeof(ExploreRegion), PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    }
    if (memory == MAP_FAILED) {
        fatal("cannot explore:");
    }
    ExploreRegion *region = memory;
    region->version = EXPLORE_VERSION;
    return region;
}

/* ---- starting ---- */

static char **environment_for(Arena *arena) {
    size_t count = 0;
    while (environ[count]) {
        count++;
    }
    char **result = arena_new_array(arena, char *, count + 2);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "OCC_CHOICES=", 12) != 0 &&
            strncmp(environ[i], "OCC_EXPLORE=", 12) != 0) {
            result[kept++] = environ[i];
        }
    }
    result[kept] = arena_format(arena, "OCC_EXPLORE=1");
    return result;
}

static void become(const char *path, char **words, char **environment, const int from[6]) {
    static const int to[6] = {STDIN_FILENO,     STDOUT_FILENO,     STDERR_FILENO,
                              EXPLORE_ORDER_FD, EXPLORE_ANSWER_FD, EXPLORE_REGION_FD};
    setpgid(0, 0); /* ^C is ours */
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    for (size_t i = 0; i < 6; i++) {
        if (dup2(from[i], to[i]) < 0) {
            _exit(EXIT_FAILURE);
        }
    }
    execve(path, words, environment);
    _exit(EXIT_FAILURE);
}

Program *program_start(Arena *arena, const char *path, char **words) {
    Program *program = arena_new(arena, Program);
    int orders[2];
    int answers[2];
    int region;
    make_pipe(orders);
    make_pipe(answers);
    program->region = make_region(&region);
    program->output_file = memory_file("occc-output");
    program->errors_file = memory_file("occc-errors");
    program->orders = orders[1];
    program->answers = answers[0];
    int input = input_file();
    const int from[6] = {input,     program->output_file, program->errors_file,
                         orders[0], answers[1],           region};
    char **environment = environment_for(arena);
    program->process = fork();
    if (program->process < 0) {
        fatal("cannot start the program:");
    }
    if (program->process == 0) {
        become(path, words, environment, from);
    }
    close(input);
    close(region);
    close(orders[0]);
    close(answers[1]);
    return program;
}

/* ---- running ---- */

bool program_run(Program *program, int *status) {
    char order = 'r';
    ssize_t count = write(program->orders, &order, 1);
    if (count == 1) {
        do {
            count = read(program->answers, status, sizeof *status);
        } while (count < 0 && errno == EINTR);
    }
    return count == (ssize_t)sizeof *status;
}

static size_t read_text(int file, char *text) {
    struct stat status;
    ssize_t count = pread(file, text, PROGRAM_TEXT_BYTES, 0);
    text[count > 0 ? count : 0] = '\0';
    return fstat(file, &status) == 0 ? (size_t)status.st_size : 0;
}

void program_read(Program *program) {
    program->output_bytes = read_text(program->output_file, program->output);
    (void)read_text(program->errors_file, program->errors);
}

void program_end(Program *program) {
    close(program->orders);
    close(program->answers);
    waitpid(program->process, NULL, 0);
    munmap(program->region, sizeof *program->region);
    close(program->output_file);
    close(program->errors_file);
}
