/* explore -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "explore.h"

#include "diag.h"
#include "ends.h"
#include "taken.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUTS_SHOWN = 8, SCHEDULES_WRITTEN = 16, EXCERPT_BYTES = 60 };

#define PROGRESS_SECONDS 0.2

typedef struct Explorer {
    Arena *arena;
    const char *name;
    const ExploreBounds *bounds;
    Program *program;
    Search search;
    Ends ends;
    Taken taken;
    uint64_t behaviours;
    uint64_t given_up; /* runs of which every event slept */
    size_t most_steps;
    double began;
    double shown;
    bool is_complete;
    uint32_t limits;        /* EXPLORE_LIMIT_... */
    const char *stopped_by; /* the bound; or NULL */
} Explorer;

static volatile sig_atomic_t is_interrupted;

static void interrupt(int signal_number) {
    (void)signal_number;
    is_interrupted = 1;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- while it runs ---- */

static void show_progress(Explorer *explorer) {
    double time = now();
    if (isatty(STDERR_FILENO) && time - explorer->shown >= PROGRESS_SECONDS) {
        explorer->shown = time;
        fprintf(stderr, "\r%llu behaviours, at step %zu of %zu, %zu ends ",
                (unsigned long long)explorer->behaviours, explorer->search.steps.count,
                explorer->most_steps, explorer->ends.items.count);
    }
}

static void clear_progress(const Explorer *explorer) {
    if (explorer->shown > 0) {
        fprintf(stderr, "\r\x1b[K");
    }
}

static const char *met_bound(const Explorer *explorer) {
    const ExploreBounds *bounds = explorer->bounds;
    if (is_interrupted) {
        return "interrupted";
    }
    if (bounds->seconds > 0 && now() - explorer->began >= bounds->seconds) {
        return "--time";
    }
    if (bounds->behaviours > 0 && explorer->behaviours >= bounds->behaviours) {
        return "--behaviours";
    }
    return NULL;
}

static bool is_what_was_looked_for(const Explorer *explorer) {
    const char *until = explorer->bounds->until;
    return until != NULL && (strstr(explorer->program->errors, until) != NULL ||
                             strstr(explorer->program->output, until) != NULL);
}

/* The last step of the prefix is new, too. */
static void note_taken(Explorer *explorer) {
    size_t prefix = explorer->program->region->prefix_count;
    for (size_t i = prefix > 0 ? prefix - 1 : 0; i < explorer->search.steps.count; i++) {
        taken_add(&explorer->taken, search_chosen(&explorer->search, i));
    }
}

/* False: the program has gone. */
static bool do_run(Explorer *explorer) {
    Program *program = explorer->program;
    int status = 0;
    if (!program_run(program, &status)) {
        return false;
    }
    search_take(&explorer->search, program->region, end_is_cut_short(program->region, status));
    size_t steps = explorer->search.steps.count;
    note_taken(explorer);
    explorer->most_steps = steps > explorer->most_steps ? steps : explorer->most_steps;
    explorer->limits |= program->region->limits;
    if (program->region->end == EXPLORE_SLEEPS) {
        explorer->given_up++;
        return true;
    }
    explorer->behaviours++;
    program_read(program);
    (void)ends_add(&explorer->ends, program, &explorer->search, status);
    return true;
}

static void run_all(Explorer *explorer) {
    while (search_next(&explorer->search, explorer->program->region)) {
        explorer->stopped_by = met_bound(explorer);
        if (explorer->stopped_by != NULL) {
            return;
        }
        if (!do_run(explorer)) {
            program_read(explorer->program);
            fatal("the program cannot be explored: %s",
                  explorer->program->errors[0] ? explorer->program->errors
                                               : "it has ended before its first process");
        }
        if (is_what_was_looked_for(explorer)) {
            explorer->stopped_by = "--until";
            return;
        }
        show_progress(explorer);
    }
    explorer->is_complete = true;
}

/* ---- the summary ---- */

static size_t count_kind(const Ends *ends, EndKind kind) {
    size_t count = 0;
    for (size_t i = 0; i < ends->items.count; i++) {
        count += ends->items.items[i].kind == kind;
    }
    return count;
}

static bool is_bad(const Explorer *explorer, const End *end) {
    bool is_one_of_many = explorer->bounds->wants_one_output && end->kind == END_FINISHED &&
                          count_kind(&explorer->ends, END_FINISHED) > 1;
    return end_is_bad(end) || is_one_of_many;
}

static bool has_bad(const Explorer *explorer) {
    for (size_t i = 0; i < explorer->ends.items.count; i++) {
        if (is_bad(explorer, &explorer->ends.items.items[i])) {
            return true;
        }
    }
    return false;
}

/* The name of the source without folder and suffix, a number, ".choices". */
static const char *schedule_path(const Explorer *explorer, unsigned number) {
    const char *slash = strrchr(explorer->name, '/');
    const char *name = slash ? slash + 1 : explorer->name;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return arena_format(explorer->arena, "%.*s-%u.choices", length, name, number);
}

static void write_schedules(Explorer *explorer) {
    unsigned number = 0;
    for (size_t i = 0; i < explorer->ends.items.count && number < SCHEDULES_WRITTEN; i++) {
        End *end = &explorer->ends.items.items[i];
        if (!is_bad(explorer, end)) {
            continue;
        }
        const char *path = schedule_path(explorer, ++number);
        if (!end_write(end, explorer->program->region, path, explorer->name)) {
            fatal("cannot write '%s':", path);
        }
        end->schedule = path;
    }
}

/* One line of what was printed. */
static void print_excerpt(const char *text) {
    putchar('"');
    for (size_t i = 0; text[i] && i < EXCERPT_BYTES; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '\n') {
            fputs("\\n", stdout);
        } else {
            putchar(byte < ' ' || byte == 0x7f ? '?' : byte);
        }
    }
    fputs(strlen(text) > EXCERPT_BYTES ? "...\"" : "\"", stdout);
}

static void print_report(const char *text) {
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        printf("            %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_end(const End *end) {
    printf("%10llu  %s", (unsigned long long)end->count, end_words(end));
    if (end->kind == END_FINISHED && end->text[0]) {
        printf(", printed ");
        print_excerpt(end->text);
    }
    if (end->schedule) {
        printf(": OCC_CHOICES=%s", end->schedule);
    }
    printf("\n");
    if (end_is_bad(end)) {
        print_report(end->text);
    }
}

static void print_ends(const Explorer *explorer) {
    size_t outputs = 0;
    uint64_t others = 0;
    for (size_t i = 0; i < explorer->ends.items.count; i++) {
        const End *end = &explorer->ends.items.items[i];
        if (end->kind == END_FINISHED && ++outputs > OUTPUTS_SHOWN) {
            others += end->count;
        } else {
            print_end(end);
        }
    }
    if (others > 0) {
        printf("%10llu  finished, printed %zu other texts\n", (unsigned long long)others,
               outputs - OUTPUTS_SHOWN);
    }
}

/* Has anything been seen that may hide behaviours? */
static bool is_limited(const Explorer *explorer) {
    const uint32_t both = EXPLORE_LIMIT_BUNDLE | EXPLORE_LIMIT_ASKED;
    return (explorer->limits & (EXPLORE_LIMIT_OUTSIDE | EXPLORE_LIMIT_ORDER)) != 0 ||
           (explorer->limits & both) == both;
}

static const char *why_not_all(const Explorer *explorer) {
    if ((explorer->limits & EXPLORE_LIMIT_OUTSIDE) != 0) {
        return "it waits for the world outside";
    }
    return is_limited(explorer)
               ? "not every order of TICKET, BUCKET, CREW, of a bundle's end and CLOSED, or of who "
                 "runs the block of a NEXT"
               : "some are cut off (--steps)";
}

static void print_extent(const Explorer *explorer, bool is_all) {
    unsigned long long count = explorer->behaviours;
    const char *noun = count == 1 ? "behaviour" : "behaviours";
    if (is_all) {
        printf("%s: %llu %s, all there are\n", explorer->name, count, noun);
    } else if (explorer->stopped_by) {
        printf("%s: %llu %s, not all: %s\n", explorer->name, count, noun, explorer->stopped_by);
    } else {
        printf("%s: %llu %s, not all: %s\n", explorer->name, count, noun, why_not_all(explorer));
    }
}

static void print_never_taken(const Explorer *explorer) {
    const ExploreBounds *bounds = explorer->bounds;
    for (size_t i = 0; i < bounds->alternative_count; i++) {
        const ExploreAlternative *one = &bounds->alternatives[i];
        if (!taken_has(&explorer->taken, explorer->program->region, one->file, one->alt_line,
                       one->alt_column, one->number)) {
            printf("never taken: %s:%u:%u: alternative %u of the ALT of line %u\n", one->file,
                   one->line, one->column, one->number + 1, one->alt_line);
        }
    }
}

static int summarise(Explorer *explorer) {
    bool is_all = explorer->is_complete && !is_limited(explorer) &&
                  count_kind(&explorer->ends, END_DEEP) == 0;
    write_schedules(explorer);
    print_extent(explorer, is_all);
    if (explorer->bounds->is_full) {
        fprintf(stderr, "%llu runs given up, %.2f s\n", (unsigned long long)explorer->given_up,
                now() - explorer->began);
    }
    print_ends(explorer);
    print_never_taken(explorer);
    if (fflush(stdout) != 0) {
        fatal("cannot write to standard output:");
    }
    return has_bad(explorer) ? EXIT_FOUND : is_all ? 0 : EXIT_BOUNDED;
}

int explore_program(Arena *arena, const char *path, char **words, const ExploreBounds *bounds) {
    Explorer explorer = {.arena = arena, .name = words[0], .bounds = bounds, .began = now()};
    explorer.search.arena = explorer.ends.arena = arena;
    taken_begin(&explorer.taken, arena);
    explorer.program = program_start(arena, path, words);
    explorer.program->region->step_limit = bounds->steps;
    explorer.search.wants_all = bounds->is_full;
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    run_all(&explorer);
    clear_progress(&explorer);
    int status = summarise(&explorer);
    program_end(explorer.program);
    return status;
}
