/* top -- the command and its table. See the header. */
#define _POSIX_C_SOURCE 200809L

#include "top.h"

#include "diag.h"
#include "top_look.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Processes that do the same. */
typedef struct TopLine {
    const TopSite *site; /* NULL: they run or are ready */
    uint64_t processes;
    uint64_t bytes;
} TopLine;

/* What the processes of a PROC have sent and received. */
typedef struct ProcCount {
    const char *proc;
    uint64_t messages;
} ProcCount;

typedef struct TopTable {
    ARRAY_OF(TopLine) lines;
    ARRAY_OF(ProcCount) procs;
    uint64_t processes;
    uint64_t bytes;
    uint64_t messages;
} TopTable;

static TopLine *line_of(Arena *arena, TopTable *table, const TopSite *site) {
    for (size_t i = 0; i < table->lines.count; i++) {
        if (table->lines.items[i].site == site) {
            return &table->lines.items[i];
        }
    }
    TopLine line = {site, 0, 0};
    array_push(arena, &table->lines, line);
    return &table->lines.items[table->lines.count - 1];
}

static void add_processes(TopTable *table, const TopLook *look) {
    TopLine *line = NULL;
    for (size_t i = 0; i < look->processes.count; i++) {
        const TopProcess *process = &look->processes.items[i];
        if (!line || line->site != process->site) { /* neighbours are often alike */
            line = line_of(look->arena, table, process->site);
        }
        line->processes++;
        line->bytes += process->bytes;
        table->processes++;
        table->bytes += process->bytes;
    }
}

static void add_counts(TopTable *table, const TopLook *look) {
    for (size_t i = 0; i < look->counts.count; i++) {
        const TopCount *count = &look->counts.items[i];
        size_t k = 0;
        while (k < table->procs.count &&
               strcmp(table->procs.items[k].proc, count->site->proc) != 0) {
            k++;
        }
        if (k == table->procs.count) {
            ProcCount made = {count->site->proc, 0};
            array_push(look->arena, &table->procs, made);
        }
        table->procs.items[k].messages += count->messages;
        table->messages += count->messages;
    }
}

static int by_processes(const void *left, const void *right) {
    const TopLine *one = left;
    const TopLine *other = right;
    return (one->processes < other->processes) - (one->processes > other->processes);
}

static int by_messages(const void *left, const void *right) {
    const ProcCount *one = left;
    const ProcCount *other = right;
    return (one->messages < other->messages) - (one->messages > other->messages);
}

/* ---- printing ---- */

static const char *reason_words(unsigned reason) {
    static const char *const words[] = {
#define OCC_WAIT(REASON, text) text,
#include "../../runtime/include/occ/wait_reason.def"
#undef OCC_WAIT
    };
    return reason < sizeof words / sizeof *words ? words[reason] : "?";
}

static void print_line(const TopLine *line) {
    printf("%10" PRIu64 " %10.1f  ", line->processes, (double)line->bytes / 1024);
    if (line->site) {
        const TopSite *site = line->site;
        const char *quote = *site->object && !site->is_call ? "'" : "";
        printf("%-20s %s%s %s%s%s  %s:%" PRIu32 ":%" PRIu32 "\n", site->proc,
               reason_words(site->reason), site->is_call ? ", in" : "", quote, site->object, quote,
               site->file, site->line, site->column);
    } else {
        printf("%-20s\n", "(run, or are ready)");
    }
}

static size_t rows_of_screen(void) {
    struct winsize size;
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 8;
    return is_known ? (size_t)size.ws_row - 6 : 40;
}

static void print_table(const TopProgram *program, const TopLook *look, const TopTable *table,
                        double seconds) {
    size_t rows = rows_of_screen();
    printf("%s: %" PRIu64 " processes (%.1f KB), %u worker%s, %.1f MB resident", top_name(program),
           table->processes, (double)table->bytes / 1024, look->workers,
           look->workers == 1 ? "" : "s", (double)look->resident_bytes / 1024 / 1024);
    if (look->is_recorded && seconds > 0) {
        printf(", %.0f communications a second", (double)table->messages / seconds);
    } else if (!look->is_recorded) {
        printf("; communications are counted with OCC_TOP=1");
    }
    printf("\n\n%10s %10s  %-20s %s\n", "processes", "KB", "PROC", "waits for");
    for (size_t i = 0; i < table->lines.count && i < rows; i++) {
        print_line(&table->lines.items[i]);
    }
    if (table->procs.count && seconds > 0) {
        printf("\n%21s  %s\n", "communications/s", "PROC");
    }
    for (size_t i = 0; i < table->procs.count && seconds > 0 && i < rows / 2; i++) {
        printf("%21.0f  %s\n", (double)table->procs.items[i].messages / seconds,
               table->procs.items[i].proc);
    }
}

/* One look; false: the program has ended. */
static bool show(TopProgram *program, double seconds, bool is_printed, bool is_screen) {
    Arena *arena = arena_create();
    TopLook look = {.arena = arena};
    TopTable table = {.processes = 0};
    bool is_there = top_look(program, &look);
    if (is_there && is_printed) {
        add_processes(&table, &look);
        add_counts(&table, &look);
        if (table.lines.count) {
            qsort(table.lines.items, table.lines.count, sizeof *table.lines.items, by_processes);
        }
        if (table.procs.count) {
            qsort(table.procs.items, table.procs.count, sizeof *table.procs.items, by_messages);
        }
        fputs(is_screen ? "\033[H\033[2J" : "", stdout);
        print_table(program, &look, &table, seconds);
    }
    arena_destroy(arena);
    return is_there && fflush(stdout) == 0;
}

static double pause_for_a_second(void) {
    struct timespec from;
    struct timespec to;
    struct timespec second = {1, 0};
    clock_gettime(CLOCK_MONOTONIC, &from);
    nanosleep(&second, NULL);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

int top_run(Arena *arena, const Options *options) {
    char *end;
    long pid = strtol(options->topics.items[0], &end, 10);
    if (*end || pid <= 0) {
        driver_error("'%s' is no number of a process: occc top <pid>", options->topics.items[0]);
        return EXIT_USAGE;
    }
    TopProgram *program = top_open(arena, (pid_t)pid);
    if (!program) {
        return EXIT_ERRORS;
    }
    bool is_screen = isatty(STDOUT_FILENO);
    bool goes_on = show(program, 0, is_screen, is_screen);
    while (goes_on) {
        double seconds = pause_for_a_second();
        goes_on = show(program, seconds, true, is_screen) && is_screen;
    }
    return EXIT_OK;
}
