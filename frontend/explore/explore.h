/* explore -- `occc explore`: every behaviour of a program, or as many as the bounds allow.
 *
 * Owns:   schedules and graphs that are written, the exit status.
 * Leaves: making the program to driver/run.c, running it to exploration.h, words to summary.h.
 * Holds:  the summary says "all" only when every run has been done and none was cut off. */
#ifndef OCCC_EXPLORE_H
#define OCCC_EXPLORE_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Exit statuses, besides those of options.h. */
enum { EXIT_FOUND = 4, EXIT_BOUNDED = 5 };

enum { EXPLORE_SEED = 1, EXPLORE_ORDERS_WANTED = 3 }; /* likewise, of what is sampled */
enum { EXPLORE_DEPTH = 10000 };                       /* steps of a run, if nothing else is said */
enum { EXPLORE_GRAPH_STEPS = 200000, EXPLORE_GRAPH_STEPS_MOST = 1 << 26 };

/* How an ALT and those around it choose: PRI_ALT_SOME: some of them are PRI. */
typedef enum ExploreOrder { PRI_ALT_NONE, PRI_ALT_ALL, PRI_ALT_SOME } ExploreOrder;

/* ExploreAlternative -- of the text: its ALT, its number in it, its guard. */
typedef struct ExploreAlternative {
    const char *file;
    uint32_t alt_line, alt_column;
    uint32_t number;
    uint32_t line, column;
    ExploreOrder order;
    const char *text; /* the guard */
} ExploreAlternative;

typedef struct ExploreBounds {
    double seconds;          /* 0: no bound */
    const char *time_option; /* that has set it */
    uint64_t behaviours;     /* 0: no bound */
    uint32_t steps;          /* of a run */
    uint32_t runners;        /* at once; 0: one for each processor */
    bool has_delays;
    uint32_t delays;  /* departures from the first event, at most */
    uint64_t samples; /* runs that are drawn; 0: all are done in order */
    uint64_t seed;
    uint32_t orders; /* of events, that a fault needs */
    bool tells_sizes;
    bool wants_one_output;
    bool minimises; /* schedules of bad ends */
    bool recognises_states;
    bool is_full;       /* without the reduction by races: for tests of it */
    const char *until;  /* a text of a report or output, or a PROC, that ends the search; or NULL */
    const char **files; /* of the text, but for the library's */
    size_t file_count;
    const char *dot; /* files for the graph of behaviours; or NULL */
    const char *aut;
    uint32_t graph_steps;                   /* of the tree that it is made of, at most */
    const ExploreAlternative *alternatives; /* to be told which are never taken */
    size_t alternative_count;
} ExploreBounds;

/* explore_program -- the program at that path, with its words (words[0] is the name of the source).
 */
int explore_program(Arena *arena, const char *path, char **words, const ExploreBounds *bounds);

#endif
