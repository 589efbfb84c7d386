/* program -- see the header. */
#define _GNU_SOURCE

#include "program.h"

#include "diag.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COPY_BYTES = 65536, HIGH_FD = 20, ERRORS_BYTES = 4096 };

#define REGION_MOST  ((size_t)1 << 37)
#define REGION_LEAST ((size_t)1 << 29)

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
        (void)dup2(file, STDIN_FILENO); /* for another program */
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

/* Addresses, not memory: as many as the system lets us have. */
static void make_region(Program *program) {
    program->region_file = memory_file("occc-explore");
    void *memory = MAP_FAILED;
    for (size_t bytes = REGION_MOST; memory == MAP_FAILED && bytes >= REGION_LEAST; bytes /= 2) {
        if (ftruncate(program->region_file, (off_t)bytes) == 0) {
            memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                          program->region_file, 0);
            program->region_bytes = bytes;
        }
    }
    if (memory == MAP_FAILED) {
        fatal("cannot explore:");
    }
    program->region = memory;
    program->region->version = EXPLORE_VERSION;
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

static void become(pid_t parent, const char *path, char **words, char **environment,
                   const int from[5]) {
    static const int to[5] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, EXPLORE_LIFE_FD,
                              EXPLORE_REGION_FD};
    setpgid(0, 0);                          /* ^C is ours */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* and it ends with us */
    if (getppid() != parent) {
        _exit(EXIT_FAILURE);
    }
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    for (size_t i = 0; i < 5; i++) {
        if (dup2(from[i], to[i]) < 0) {
            _exit(EXIT_FAILURE);
        }
    }
    execve(path, words, environment);
    _exit(EXIT_FAILURE);
}

Program *program_make(Arena *arena) {
    Program *program = arena_new(arena, Program);
    make_region(program);
    return program;
}

void program_start(Program *program, Arena *arena, const char *path, char **words) {
    int life[2];
    make_pipe(life);
    program->errors_file = memory_file("occc-errors");
    program->life = life[0];
    int input = input_file();
    const int from[5] = {input, program->errors_file, program->errors_file, life[1],
                         program->region_file};
    char **environment = environment_for(arena);
    pid_t parent = getpid();
    program->process = fork();
    if (program->process < 0) {
        fatal("cannot start the program:");
    }
    if (program->process == 0) {
        become(parent, path, words, environment, from);
    }
    close(input);
    close(program->region_file);
    close(life[1]);
}

/* ---- the end ---- */

/* A program that it has started may hold the descriptor longer than it lives. */
bool program_has_ended(Program *program, int milliseconds) {
    struct pollfd life = {.fd = program->life, .events = POLLIN};
    siginfo_t ended = {.si_pid = 0};
    return poll(&life, 1, milliseconds) > 0 ||
           (waitid(P_PID, (id_t)program->process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            ended.si_pid != 0);
}

int program_end(Program *program, bool is_killed) {
    int status;
    if (is_killed) {
        (void)kill(-program->process, SIGKILL);
    }
    bool is_over = waitpid(program->process, &status, 0) == program->process;
    close(program->life);
    return is_over && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void program_forget(Program *program) {
    close(program->errors_file);
    munmap(program->region, program->region_bytes);
    program->region = NULL;
}

const char *program_errors(Program *program, Arena *arena) {
    char *text = arena_new_array(arena, char, ERRORS_BYTES + 1);
    ssize_t count = pread(program->errors_file, text, ERRORS_BYTES, 0);
    text[count > 0 ? count : 0] = '\0';
    return text;
}
