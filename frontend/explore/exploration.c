/* exploration -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "exploration.h"

#include "diag.h"
#include "seconds.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    RUNNERS_MOST = 64,
    PROGRESS_MS = 200,
    LOOK_MS = 100,
    PATIENCE_MS = 2000 /* with a run that does not end when it is to stop */
};

volatile sig_atomic_t exploration_is_interrupted;

static void interrupt(int signal_number) {
    (void)signal_number;
    exploration_is_interrupted = 1;
}

/* ---- while it runs ---- */

static void show_progress(Exploration *known) {
    if (isatty(STDERR_FILENO)) {
        const ExploreRegion *region = known->region;
        known->has_shown = true;
        bool is_of_states = region->recognises_states != 0;
        unsigned long long count = is_of_states ? region->state_count : region->behaviours;
        fprintf(stderr, "\r%llu %s, %.0f s, %u steps at most, %u ends ", count,
                is_of_states ? "states" : "behaviours", seconds_now() - known->began,
                region->most_steps, region->end_count);
    }
}

static void clear_progress(const Exploration *known) {
    if (known->has_shown) {
        fprintf(stderr, "\r\x1b[K");
    }
}

static const char *met_bound(const Exploration *known) {
    double seconds = known->bounds->seconds;
    if (exploration_is_interrupted) {
        return "interrupted";
    }
    return seconds > 0 && seconds_now() - known->began >= seconds ? known->bounds->time_option
                                                                  : NULL;
}

/* Until the next look at the bounds. */
static int wait_ms(const Exploration *known) {
    if (!(known->bounds->seconds > 0)) {
        return PROGRESS_MS;
    }
    double left = (known->bounds->seconds - (seconds_now() - known->began)) * 1000 + 1;
    return left < (double)PROGRESS_MS ? (left > 1 ? (int)left : 1) : PROGRESS_MS;
}

static void stop_program(Exploration *known) {
    if (known->region->stop == EXPLORE_GOES_ON) {
        known->region->stop = EXPLORE_ASKED;
    }
    bool is_ended = program_has_ended(known->program, PATIENCE_MS);
    (void)program_end(known->program, !is_ended);
}

static void wait_for_program(Exploration *known) {
    while (!program_has_ended(known->program, wait_ms(known))) {
        known->stopped_by = met_bound(known);
        if (known->stopped_by) {
            stop_program(known);
            return;
        }
        show_progress(known);
    }
    if (program_end(known->program, false) != 0) {
        const char *errors = program_errors(known->program, known->arena);
        fatal("the program cannot be explored: %s",
              errors[0] ? errors : "it has ended before its first process");
    }
}

bool exploration_wait(Program *program, double seconds) {
    double deadline = seconds_now() + seconds;
    while (!program_has_ended(program, LOOK_MS)) {
        if (exploration_is_interrupted || seconds_now() >= deadline) {
            program->region->stop = EXPLORE_ASKED;
            (void)program_end(program, !program_has_ended(program, PATIENCE_MS));
            return false;
        }
    }
    return program_end(program, false) == 0;
}

static void collect(Exploration *known) {
    if (known->region->stop == EXPLORE_ENOUGH) {
        known->stopped_by = "--behaviours";
    } else if (known->region->stop == EXPLORE_UNTIL) {
        known->stopped_by = "--until";
    }
    ends_collect(&known->ends, known->arena, known->region);
}

static void set_bounds(ExploreRegion *region, const ExploreBounds *bounds) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    region->step_limit = bounds->steps;
    region->behaviour_limit = bounds->behaviours;
    region->is_full = bounds->is_full;
    region->has_delay_limit = bounds->has_delays;
    region->delay_limit = bounds->delays;
    region->sample_count = bounds->samples;
    region->sample_seed = bounds->seed;
    region->sample_orders = bounds->orders;
    region->tells_sizes = bounds->tells_sizes;
    region->phases_return = bounds->recognises_states;
    region->recognises_states = bounds->recognises_states;
    region->node_limit =
        bounds->dot || bounds->aut || bounds->recognises_states ? bounds->graph_steps : 0;
    region->runner_count = bounds->runners != 0        ? bounds->runners
                           : processors < 1            ? 1
                           : processors > RUNNERS_MOST ? RUNNERS_MOST
                                                       : (uint32_t)processors;
    if (bounds->until) {
        if (strlen(bounds->until) >= sizeof region->until) {
            fatal("the text of --until= is longer than %zu bytes", sizeof region->until - 1);
        }
        memcpy(region->until, bounds->until, strlen(bounds->until) + 1);
    }
}

void exploration_run(Exploration *known) {
    known->began = seconds_now();
    known->program = program_make(known->arena);
    known->region = known->program->region;
    set_bounds(known->region, known->bounds);
    program_start(known->program, known->arena, known->path, known->words);
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    wait_for_program(known);
    clear_progress(known);
    known->seconds = seconds_now() - known->began;
    collect(known);
}
