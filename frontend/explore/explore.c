/* explore -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "explore.h"

#include "diag.h"
#include "minimise.h"
#include "summary.h"
#include "text.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    SCHEDULES_WRITTEN = 16,
    RUNNERS_MOST = 64,
    PROGRESS_MS = 200,
    PATIENCE_MS = 2000 /* with a run that does not end when it is to stop */
};

typedef struct Explorer {
    Exploration known;
    Program *program;
    double began;
    bool has_shown;
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
        const ExploreRegion *region = explorer->known.region;
        explorer->has_shown = true;
        bool is_of_states = region->recognises_states != 0;
        unsigned long long count = is_of_states ? region->state_count : region->behaviours;
        fprintf(stderr, "\r%llu %s, %.0f s, %u steps at most, %u ends ", count,
                is_of_states ? "states" : "behaviours", now() - explorer->began, region->most_steps,
                region->end_count);
    }
}

static void clear_progress(const Explorer *explorer) {
    if (explorer->has_shown) {
        fprintf(stderr, "\r\x1b[K");
    }
}

static const char *met_bound(const Explorer *explorer) {
    double seconds = explorer->known.bounds->seconds;
    if (is_interrupted) {
        return "interrupted";
    }
    return seconds > 0 && now() - explorer->began >= seconds ? "--time" : NULL;
}

/* Until the next look at the bounds. */
static int wait_ms(const Explorer *explorer) {
    if (!(explorer->known.bounds->seconds > 0)) {
        return PROGRESS_MS;
    }
    double left = (explorer->known.bounds->seconds - (now() - explorer->began)) * 1000 + 1;
    return left < (double)PROGRESS_MS ? (left > 1 ? (int)left : 1) : PROGRESS_MS;
}

static void stop_program(Explorer *explorer) {
    if (explorer->known.region->stop == EXPLORE_GOES_ON) {
        explorer->known.region->stop = EXPLORE_ASKED;
    }
    bool is_ended = program_has_ended(explorer->program, PATIENCE_MS);
    (void)program_end(explorer->program, !is_ended);
}

static void wait_for_program(Explorer *explorer) {
    while (!program_has_ended(explorer->program, wait_ms(explorer))) {
        explorer->known.stopped_by = met_bound(explorer);
        if (explorer->known.stopped_by) {
            stop_program(explorer);
            return;
        }
        show_progress(explorer);
    }
    if (program_end(explorer->program, false) != 0) {
        const char *errors = program_errors(explorer->program, explorer->known.arena);
        fatal("the program cannot be explored: %s",
              errors[0] ? errors : "it has ended before its first process");
    }
}

static void run_all(Explorer *explorer) {
    wait_for_program(explorer);
    if (explorer->known.region->stop == EXPLORE_ENOUGH) {
        explorer->known.stopped_by = "--behaviours";
    } else if (explorer->known.region->stop == EXPLORE_UNTIL) {
        explorer->known.stopped_by = "--until";
    }
    ends_collect(&explorer->known.ends, explorer->known.arena, explorer->known.region);
}

/* ---- the summary ---- */

static bool is_bad(const Explorer *explorer, const End *end) {
    bool is_one_of_many = explorer->known.bounds->wants_one_output && end->kind == END_FINISHED &&
                          ends_count(&explorer->known.ends, END_FINISHED) > 1;
    return end_is_bad(end) || is_one_of_many;
}

static bool has_bad(const Explorer *explorer) {
    for (size_t i = 0; i < explorer->known.ends.items.count; i++) {
        if (is_bad(explorer, &explorer->known.ends.items.items[i])) {
            return true;
        }
    }
    return false;
}

/* The name of the source without folder and suffix, which one, ".choices". */
static const char *schedule_path(const Explorer *explorer, const char *which) {
    const char *name = path_name(explorer->known.name);
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return arena_format(explorer->known.arena, "%.*s-%s.choices", length, name, which);
}

static void write_schedule(const Explorer *explorer, End *end, const char *which) {
    end->schedule = schedule_path(explorer, which);
    if (!end_write(end, end->schedule, explorer->known.name)) {
        fatal("cannot write '%s':", end->schedule);
    }
}

static void write_schedules(Explorer *explorer, const Minimiser *minimiser) {
    unsigned number = 0;
    for (size_t i = 0; i < explorer->known.ends.items.count && number < SCHEDULES_WRITTEN; i++) {
        End *end = &explorer->known.ends.items.items[i];
        if (is_bad(explorer, end)) {
            if (explorer->known.bounds->minimises && !is_interrupted) {
                minimise_end(minimiser, end);
            }
            write_schedule(explorer, end, arena_format(explorer->known.arena, "%u", ++number));
        }
    }
}

/* The behaviour that was looked for. */
static void print_found(const Explorer *explorer) {
    const char *until = explorer->known.bounds->until;
    End end;
    if (until && ends_find(explorer->known.region, &end)) {
        write_schedule(explorer, &end, "until");
        printf("'%s' is reached: ", until);
        summary_print_end(&end);
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

static void make_graph(Exploration *known) {
    const ExploreBounds *bounds = known->bounds;
    if (bounds->recognises_states) {
        known->graph = state_graph(known->arena, known->region, &known->ends, bounds, known->name);
    } else if (bounds->dot || bounds->aut) {
        known->graph =
            behaviour_graph(known->arena, known->region, &known->ends, bounds, known->name);
    }
}

static void write_graphs(const Exploration *known) {
    const ExploreBounds *bounds = known->bounds;
    const BehaviourGraph *graph = &known->graph;
    Arena *arena = known->arena;
    if (bounds->dot) {
        check_written(graph_write_dot(arena, graph, bounds->dot), bounds->dot);
    }
    if (bounds->aut) {
        check_written(graph_write_aut(arena, graph, bounds->aut), bounds->aut);
    }
    if (bounds->dot || bounds->aut) {
        printf("graph: %s, %s%s\n", summary_count(arena, graph->states.count, "state"),
               summary_count(arena, graph->edges.count, "step"),
               known->region->is_tree_full ? ", not of all behaviours: --graph-steps" : "");
    }
}

static int summarise(Explorer *explorer, const char *path, char **words) {
    Exploration *known = &explorer->known;
    bool is_all = summary_is_all(known);
    Minimiser minimiser = {known->arena,  path,   words,          known->region,
                           known->bounds, is_all, &is_interrupted};
    write_schedules(explorer, &minimiser);
    make_graph(known);
    summary_print(known, is_all);
    if (known->bounds->is_full) {
        fprintf(stderr, "%llu runs given up, %.2f s\n", (unsigned long long)known->region->given_up,
                now() - explorer->began);
    }
    print_found(explorer);
    write_graphs(known);
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
    region->recognises_states = bounds->recognises_states;
    region->node_limit =
        bounds->dot || bounds->aut || bounds->recognises_states ? bounds->graph_steps : 0;
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
    Explorer explorer = {.known = {.arena = arena, .name = words[0], .bounds = bounds},
                         .program = program_make(arena),
                         .began = now()};
    explorer.known.region = explorer.program->region;
    set_bounds(explorer.known.region, bounds);
    program_start(explorer.program, arena, path, words);
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    run_all(&explorer);
    clear_progress(&explorer);
    return summarise(&explorer, path, words);
}
