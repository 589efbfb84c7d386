/* explore -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "explore.h"

#include "behaviour_graph.h"
#include "diag.h"
#include "ends.h"
#include "minimise.h"
#include "text.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    OUTPUTS_SHOWN = 8,
    SCHEDULES_WRITTEN = 16,
    EXCERPT_BYTES = 60,
    RUNNERS_MOST = 64,
    PLACE_OF_IF = 3, /* as the code generator numbers them */
    PLACE_OF_CASE = 4,
    PROGRESS_MS = 200,
    PATIENCE_MS = 2000 /* with a run that does not end when it is to stop */
};

typedef struct Explorer {
    Arena *arena;
    const char *name;
    const ExploreBounds *bounds;
    Program *program;
    ExploreRegion *region;
    Ends ends;
    double began;
    bool has_shown;
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
    if (isatty(STDERR_FILENO)) {
        const ExploreRegion *region = explorer->region;
        explorer->has_shown = true;
        fprintf(stderr, "\r%llu behaviours, %.0f s, %u steps at most, %u ends ",
                (unsigned long long)region->behaviours, now() - explorer->began, region->most_steps,
                region->end_count);
    }
}

static void clear_progress(const Explorer *explorer) {
    if (explorer->has_shown) {
        fprintf(stderr, "\r\x1b[K");
    }
}

static const char *met_bound(const Explorer *explorer) {
    double seconds = explorer->bounds->seconds;
    if (is_interrupted) {
        return "interrupted";
    }
    return seconds > 0 && now() - explorer->began >= seconds ? "--time" : NULL;
}

/* Until the next look at the bounds. */
static int wait_ms(const Explorer *explorer) {
    if (!(explorer->bounds->seconds > 0)) {
        return PROGRESS_MS;
    }
    double left = (explorer->bounds->seconds - (now() - explorer->began)) * 1000 + 1;
    return left < (double)PROGRESS_MS ? (left > 1 ? (int)left : 1) : PROGRESS_MS;
}

static void stop_program(Explorer *explorer) {
    if (explorer->region->stop == EXPLORE_GOES_ON) {
        explorer->region->stop = EXPLORE_ASKED;
    }
    bool is_ended = program_has_ended(explorer->program, PATIENCE_MS);
    (void)program_end(explorer->program, !is_ended);
}

static void wait_for_program(Explorer *explorer) {
    while (!program_has_ended(explorer->program, wait_ms(explorer))) {
        explorer->stopped_by = met_bound(explorer);
        if (explorer->stopped_by) {
            stop_program(explorer);
            return;
        }
        show_progress(explorer);
    }
    if (program_end(explorer->program, false) != 0) {
        const char *errors = program_errors(explorer->program, explorer->arena);
        fatal("the program cannot be explored: %s",
              errors[0] ? errors : "it has ended before its first process");
    }
}

static void run_all(Explorer *explorer) {
    wait_for_program(explorer);
    if (explorer->region->stop == EXPLORE_ENOUGH) {
        explorer->stopped_by = "--behaviours";
    } else if (explorer->region->stop == EXPLORE_UNTIL) {
        explorer->stopped_by = "--until";
    }
    ends_collect(&explorer->ends, explorer->arena, explorer->region);
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

/* The name of the source without folder and suffix, which one, ".choices". */
static const char *schedule_path(const Explorer *explorer, const char *which) {
    const char *name = path_name(explorer->name);
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return arena_format(explorer->arena, "%.*s-%s.choices", length, name, which);
}

static void write_schedule(const Explorer *explorer, End *end, const char *which) {
    end->schedule = schedule_path(explorer, which);
    if (!end_write(end, end->schedule, explorer->name)) {
        fatal("cannot write '%s':", end->schedule);
    }
}

static void write_schedules(Explorer *explorer, const Minimiser *minimiser) {
    unsigned number = 0;
    for (size_t i = 0; i < explorer->ends.items.count && number < SCHEDULES_WRITTEN; i++) {
        End *end = &explorer->ends.items.items[i];
        if (is_bad(explorer, end)) {
            if (explorer->bounds->minimises && !is_interrupted) {
                minimise_end(minimiser, end);
            }
            write_schedule(explorer, end, arena_format(explorer->arena, "%u", ++number));
        }
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

static void print_what(const End *end) {
    fputs(end_words(end), stdout);
    if (end->kind == END_FINISHED && end->text[0]) {
        printf(", printed ");
        print_excerpt(end->text);
    }
    if (end->schedule) {
        printf(": OCC_CHOICES=%s", end->schedule);
    }
    if (end->shortness) {
        printf(" (%s)", end->shortness);
    }
    printf("\n");
}

static void print_end(const End *end) {
    printf("%10llu  ", (unsigned long long)end->found->count);
    print_what(end);
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
            others += end->found->count;
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
    return (explorer->region->limits & (EXPLORE_LIMIT_OUTSIDE | EXPLORE_LIMIT_ORDER)) != 0 ||
           (explorer->region->limits & both) == both;
}

static const char *why_not_all(const Explorer *explorer) {
    if ((explorer->region->limits & EXPLORE_LIMIT_OUTSIDE) != 0) {
        return "it waits for the world outside";
    }
    return is_limited(explorer)
               ? "not every order of a TICKET that another process serves, of a bundle's end and "
                 "CLOSED, or of who runs the block of a NEXT"
               : "some are cut off (--steps)";
}

static void print_extent(const Explorer *explorer, bool is_all) {
    unsigned long long count = explorer->region->behaviours;
    const char *noun = count == 1 ? "behaviour" : "behaviours";
    if (is_all) {
        printf("%s: %llu %s, all there are\n", explorer->name, count, noun);
    } else if (explorer->stopped_by) {
        printf("%s: %llu %s, not all: %s\n", explorer->name, count, noun, explorer->stopped_by);
    } else {
        printf("%s: %llu %s, not all: %s\n", explorer->name, count, noun, why_not_all(explorer));
    }
}

/* Has some behaviour taken that alternative? */
static bool is_taken(const ExploreRegion *region, const ExploreAlternative *one) {
    if (one->number >= EXPLORE_ALTERNATIVES) {
        return true;
    }
    for (size_t i = 1; i < EXPLORE_SITES; i++) {
        const ExploreSite *site = &region->sites[i];
        if (site->line == one->alt_line && site->column == one->alt_column &&
            (region->taken[i] >> one->number & 1) != 0 &&
            strncmp(site->file, one->file, sizeof site->file - 1) == 0) {
            return true;
        }
    }
    return false;
}

static void print_never_taken(const Explorer *explorer) {
    const ExploreBounds *bounds = explorer->bounds;
    for (size_t i = 0; i < bounds->alternative_count; i++) {
        const ExploreAlternative *one = &bounds->alternatives[i];
        if (!is_taken(explorer->region, one)) {
            printf("never taken: %s:%u:%u: alternative %u of the ALT of line %u\n", one->file,
                   one->line, one->column, one->number + 1, one->alt_line);
        }
    }
}

static bool is_own(const Explorer *explorer, const char *file) {
    for (size_t i = 0; i < explorer->bounds->file_count; i++) {
        if (strncmp(explorer->bounds->files[i], file, sizeof((ExplorePlace){0}.file) - 1) == 0) {
            return true;
        }
    }
    return false;
}

/* Reached in any copy of the code, or said of another one? */
static bool is_settled(const ExplorePlace *places, size_t count, const ExplorePlace *wanted) {
    for (size_t i = 0; i < count; i++) {
        const ExplorePlace *place = &places[i];
        if ((place->is_reached || place < wanted) && place->kind == wanted->kind &&
            place->line == wanted->line && place->column == wanted->column &&
            strcmp(place->file, wanted->file) == 0) {
            return true;
        }
    }
    return false;
}

/* With -fcoverage: branches of IF, options of CASE. */
static void print_never_reached(const Explorer *explorer) {
    const ExploreRegion *region = explorer->region;
    const ExplorePlace *places = (const void *)((const char *)region + region->places);
    for (size_t i = 0; i < region->place_count; i++) {
        const ExplorePlace *place = &places[i];
        bool is_asked = place->kind == PLACE_OF_IF || place->kind == PLACE_OF_CASE;
        if (is_asked && is_own(explorer, place->file) &&
            !is_settled(places, region->place_count, place)) {
            printf("never reached: %s:%u:%u: %s\n", place->file, place->line, place->column,
                   place->kind == PLACE_OF_IF ? "branch of an IF" : "option of a CASE");
        }
    }
}

/* The behaviour that was looked for. */
static void print_found(const Explorer *explorer) {
    const char *until = explorer->bounds->until;
    End end;
    if (until && ends_find(explorer->region, &end)) {
        write_schedule(explorer, &end, "until");
        printf("'%s' is reached: ", until);
        print_what(&end);
    } else if (until) {
        printf("'%s' is not reached: no behaviour that was run prints or reports it, or has a step "
               "in a PROC of that name\n",
               until);
    }
}

static void check_written(bool is_written, const char *path) {
    if (!is_written) {
        fatal("cannot write '%s':", path);
    }
}

static void write_graphs(const Explorer *explorer) {
    const ExploreBounds *bounds = explorer->bounds;
    Arena *arena = explorer->arena;
    if (!bounds->dot && !bounds->aut) {
        return;
    }
    BehaviourGraph graph =
        behaviour_graph(arena, explorer->region, &explorer->ends, bounds, explorer->name);
    if (bounds->dot) {
        check_written(graph_write_dot(arena, &graph, bounds->dot), bounds->dot);
    }
    if (bounds->aut) {
        check_written(graph_write_aut(arena, &graph, bounds->aut), bounds->aut);
    }
    printf("graph: %zu states, %zu steps%s\n", graph.states.count, graph.edges.count,
           explorer->region->is_tree_full ? ", not of all behaviours: --graph-steps" : "");
}

static int summarise(Explorer *explorer, const char *path, char **words) {
    bool is_all = explorer->region->is_complete && !is_limited(explorer) &&
                  count_kind(&explorer->ends, END_DEEP) == 0;
    Minimiser minimiser = {explorer->arena,  path,   words,          explorer->region,
                           explorer->bounds, is_all, &is_interrupted};
    write_schedules(explorer, &minimiser);
    print_extent(explorer, is_all);
    if (explorer->bounds->is_full) {
        fprintf(stderr, "%llu runs given up, %.2f s\n",
                (unsigned long long)explorer->region->given_up, now() - explorer->began);
    }
    print_ends(explorer);
    print_never_taken(explorer);
    print_never_reached(explorer);
    print_found(explorer);
    write_graphs(explorer);
    if (fflush(stdout) != 0) {
        fatal("cannot write to standard output:");
    }
    return has_bad(explorer) ? EXIT_FOUND : is_all ? 0 : EXIT_BOUNDED;
}

static void set_bounds(ExploreRegion *region, const ExploreBounds *bounds) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    region->step_limit = bounds->steps;
    region->behaviour_limit = bounds->behaviours;
    region->is_full = bounds->is_full;
    region->node_limit = bounds->dot || bounds->aut ? bounds->graph_steps : 0;
    region->runner_count = processors < 1              ? 1
                           : processors > RUNNERS_MOST ? RUNNERS_MOST
                                                       : (uint32_t)processors;
    if (bounds->until) {
        if (strlen(bounds->until) >= sizeof region->until) {
            fatal("the text of --until= is longer than %zu bytes", sizeof region->until - 1);
        }
        memcpy(region->until, bounds->until, strlen(bounds->until) + 1);
    }
}

int explore_program(Arena *arena, const char *path, char **words, const ExploreBounds *bounds) {
    Explorer explorer = {.arena = arena, .name = words[0], .bounds = bounds, .began = now()};
    explorer.program = program_make(arena);
    explorer.region = explorer.program->region;
    set_bounds(explorer.region, bounds);
    program_start(explorer.program, arena, path, words);
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    run_all(&explorer);
    clear_progress(&explorer);
    return summarise(&explorer, path, words);
}
