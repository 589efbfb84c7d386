/* crash -- see the header.
 *
 * Holds:  the handler calls nothing but what a handler may call. A process that has crashed can do
 *         little, so it starts the compiler once more, which reads its command line and compiles
 *         again up to the first pass; that one may crash too, and is silent then. */
#define _GNU_SOURCE

#include "crash.h"

#include "driver.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CRASH_STACK_BYTES (64 * 1024)
#define COMMAND_BYTES     (128 * 1024)
#define WORDS_MOST        4096
#define REPRODUCE_SECONDS 60

static const char reproduce[] = "--reproduce=";

/* ---- in the process that crashed ---- */

#ifndef __SANITIZE_ADDRESS__
static void say(const char *words, size_t length) {
    ssize_t wrote = write(STDERR_FILENO, words, length);
    (void)wrote;
}

/* "--reproduce=" and the number of the process that crashed, whose child this is. */
static void write_option(char *option) {
    char digits[24];
    size_t count = 0;
    for (long pid = (long)getppid(); pid > 0; pid /= 10) {
        digits[count++] = (char)('0' + pid % 10);
    }
    memcpy(option, reproduce, sizeof reproduce - 1);
    option += sizeof reproduce - 1;
    while (count > 0) {
        *option++ = digits[--count];
    }
    *option = '\0';
}

static void start_again(void) {
    char option[sizeof reproduce + 24];
    write_option(option);
    char name[] = "occc";
    char *words[] = {name, option, NULL};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    alarm(REPRODUCE_SECONDS);
    execve("/proc/self/exe", words, environ);
    _exit(EXIT_BUG);
}

static void on_crash(int number) {
    static const char words[] =
        "occc: internal error: the compiler crashed\nThis is a fault of the compiler, not of your "
        "program. Please report it with the program that shows it.\n";
    say(words, sizeof words - 1);
    pid_t again = fork();
    if (again == 0) {
        start_again();
    }
    if (again > 0) {
        waitpid(again, NULL, 0);
    }
    (void)number;
    _exit(EXIT_BUG);
}

/* Of the process that reproduces a crash. */
static void on_crash_again(int number) {
    (void)number;
    _exit(EXIT_BUG);
}

static void set_handler(void (*handler)(int)) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        sigaction(crashes[i], &action, NULL);
    }
}

void crash_catch(Arena *arena) {
    stack_t stack = {.ss_sp = arena_allocate(arena, CRASH_STACK_BYTES),
                     .ss_size = CRASH_STACK_BYTES};
    sigaltstack(&stack, NULL);
    set_handler(on_crash);
}
#else
void crash_catch(Arena *arena) {
    (void)arena; /* the sanitizer says more */
}

static void on_crash_again(int number) {
    (void)number;
}

static void set_handler(void (*handler)(int)) {
    (void)handler;
}
#endif

/* ---- in the one that is started for it ---- */

/* The command line of a process; 0: there is none that can be read. */
static int read_command(Arena *arena, long pid, char **words) {
    FILE *file = fopen(arena_format(arena, "/proc/%ld/cmdline", pid), "rb");
    if (!file) {
        return 0;
    }
    char *text = arena_allocate(arena, COMMAND_BYTES);
    size_t size = fread(text, 1, COMMAND_BYTES - 1, file);
    fclose(file);
    text[size] = '\0';
    int count = 0;
    for (size_t at = 0; at < size && count < WORDS_MOST; at += strlen(text + at) + 1) {
        words[count++] = text + at;
    }
    return count;
}

static bool reads_standard_input(const Options *options) {
    for (size_t i = 0; i < options->inputs.count; i++) {
        if (strcmp(options->inputs.items[i].word, "-") == 0) {
            return true;
        }
    }
    return false;
}

/* What the compiler had to say it has said; the place of the file is new. */
static int hush(void) {
    int messages = dup(STDERR_FILENO);
    int nowhere = open("/dev/null", O_WRONLY);
    if (messages >= 0 && nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
    }
    return messages;
}

static void reproduce_unit(Unit *unit) {
    int messages = hush();
    unit_parse(unit);
    bool is_ready = unit_check(unit) && !unit_has_errors(unit);
    if (is_ready && messages >= 0) {
        Backend backend = backend_open(unit->installation);
        fflush(stderr);
        dup2(messages, STDERR_FILENO);
        unit_generate(unit, &backend, OUTPUT_LLVM_IR, "");
    }
}

int crash_reproduce(Arena *arena, long pid) {
    set_handler(on_crash_again);
    char **words = arena_allocate(arena, WORDS_MOST * sizeof *words);
    int count = read_command(arena, pid, words);
    Options *options = count ? options_parse(arena, count, words) : NULL;
    if (!options || options->command == COMMAND_REPRODUCE || reads_standard_input(options)) {
        return EXIT_BUG;
    }
    Installation installation = installation_find(arena);
    options->reproduces = pid;
    bool is_program = options->stage == STAGE_PROGRAM;
    Unit *unit = NULL;
    for (size_t i = 0; i < options->inputs.count; i++) {
        if (options->inputs.items[i].kind != INPUT_SOURCE) {
            continue;
        }
        unit = is_program && unit ? unit : unit_create(arena, options, &installation);
        array_push(arena, &unit->paths, options->inputs.items[i].word);
        if (!is_program) {
            unit_export(unit);
            reproduce_unit(unit);
        }
    }
    if (is_program && unit) {
        reproduce_unit(unit);
    }
    return EXIT_BUG;
}
