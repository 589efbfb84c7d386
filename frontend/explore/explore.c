/* explore -- see the header. */
#include "explore.h"

#include "diag.h"
#include "lasso_schedule.h"
#include "minimise.h"
#include "summary.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { SCHEDULES_WRITTEN = 16 };

static bool is_bad(const Exploration *known, const End *end) {
    bool is_one_of_many = known->bounds->wants_one_output && end->kind == END_FINISHED &&
                          ends_count(&known->ends, END_FINISHED) > 1;
    return end_is_bad(end) || is_one_of_many;
}

static bool has_bad(const Exploration *known) {
    for (size_t i = 0; i < known->starved.count; i++) {
        if (known->starved.items[i].alternative->order == PRI_ALT_NONE) {
            return true;
        }
    }
    for (size_t i = 0; i < known->ends.items.count; i++) {
        if (is_bad(known, &known->ends.items.items[i])) {
            return true;
        }
    }
    return false;
}

/* The name of the source without folder and suffix, which one, ".choices". */
static const char *schedule_path(const Exploration *known, const char *which) {
    const char *name = path_name(known->name);
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return arena_format(known->arena, "%.*s-%s.choices", length, name, which);
}

static void write_schedule(const Exploration *known, End *end, const char *which) {
    end->schedule = schedule_path(known, which);
    if (!end_write(end, end->schedule, known->name)) {
        fatal("cannot write '%s':", end->schedule);
    }
}

static void write_schedules(Exploration *known, bool is_all) {
    unsigned number = 0;
    for (size_t i = 0; i < known->ends.items.count && number < SCHEDULES_WRITTEN; i++) {
        End *end = &known->ends.items.items[i];
        if (is_bad(known, end)) {
            if (known->bounds->minimises && !exploration_is_interrupted) {
                minimise_end(known, is_all, end);
            }
            write_schedule(known, end, arena_format(known->arena, "%u", ++number));
        }
    }
}

/* The behaviour that was looked for. */
static void print_found(const Exploration *known) {
    const char *until = known->bounds->until;
    End end;
    if (until && ends_find(known->region, &end)) {
        write_schedule(known, &end, "until");
        printf("'%s' is reached: ", until);
        summary_print_end(&end);
    } else if (until) {
        printf("'%s' is not reached: no behaviour that was run prints or reports it, or has a step "
               "in a PROC of that name\n",
               until);
    }
}

/* A PRI ALT that gives way is no fault. */
static void write_starved(Exploration *known) {
    unsigned number = 0;
    for (size_t i = 0; i < known->starved.count && number < SCHEDULES_WRITTEN; i++) {
        Starved *starved = &known->starved.items[i];
        const char *path =
            schedule_path(known, arena_format(known->arena, "starves-%u", number + 1));
        const char *what = summary_starved(known, starved);
        bool is_bad = starved->alternative->order == PRI_ALT_NONE;
        if (is_bad && !exploration_is_interrupted &&
            lasso_schedule_write(known, &starved->lasso, path, what)) {
            starved->schedule = path;
            number++;
        }
    }
}

static void check_written(bool is_written, const char *path) {
    if (!is_written) {
        fatal("cannot write '%s':", path);
    }
}

static void make_graph(Exploration *known, bool is_all) {
    const ExploreBounds *bounds = known->bounds;
    if (summary_knows_steps(known, is_all)) {
        known->starved = starvation_find(known->arena, known->region, bounds);
        write_starved(known);
    }
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

static int summarise(Exploration *known) {
    bool is_all = summary_is_all(known);
    write_schedules(known, is_all);
    make_graph(known, is_all);
    summary_print(known, is_all);
    if (known->bounds->is_full) {
        fprintf(stderr, "%llu runs given up, %.2f s\n", (unsigned long long)known->region->given_up,
                known->seconds);
    }
    print_found(known);
    write_graphs(known);
    if (fflush(stdout) != 0) {
        fatal("cannot write to standard output:");
    }
    return has_bad(known) ? EXIT_FOUND : is_all ? 0 : EXIT_BOUNDED;
}

int explore_program(Arena *arena, const char *path, char **words, const ExploreBounds *bounds) {
    Exploration known = {
        .arena = arena, .name = words[0], .path = path, .words = words, .bounds = bounds};
    exploration_run(&known);
    return summarise(&known);
}
