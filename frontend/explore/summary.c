/* summary -- see the header. */
#include "summary.h"

#include "behaviour_graph.h"

#include <stdio.h>
#include <string.h>

enum {
    OUTPUTS_SHOWN = 8,
    EXCERPT_BYTES = 60,
    PLACE_OF_IF = 3, /* as the code generator numbers them */
    PLACE_OF_CASE = 4
};

/* ---- ends ---- */

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

void summary_print_end(const End *end) {
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
    summary_print_end(end);
    if (end_is_bad(end)) {
        print_report(end->text);
    }
}

static void print_ends(const Exploration *known) {
    size_t outputs = 0;
    uint64_t others = 0;
    for (size_t i = 0; i < known->ends.items.count; i++) {
        const End *end = &known->ends.items.items[i];
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

/* ---- how much that is ---- */

/* Has anything been seen that may hide behaviours? Why, or NULL. */
static const char *limit_of(const Exploration *known) {
    const uint32_t both = EXPLORE_LIMIT_BUNDLE | EXPLORE_LIMIT_ASKED;
    uint32_t limits = known->region->limits;
    if ((limits & EXPLORE_LIMIT_OUTSIDE) != 0) {
        return "it waits for the world outside";
    }
    if ((limits & EXPLORE_LIMIT_ORDER) != 0 || (limits & both) == both) {
        return "not every order of a TICKET that another process serves, of a bundle's end and "
               "CLOSED, of the end of a RESIGN, or of who runs the block of a NEXT";
    }
    return known->bounds->recognises_states && (limits & EXPLORE_LIMIT_C) != 0
               ? "it calls C, whose own memory is no part of a state"
               : NULL;
}

/* A run was cut off, or there was no room for its state. */
static const char *why_cut_off(const Exploration *known) {
    if (known->region->state_count >= EXPLORE_STATES) {
        return "there are more states than can be kept";
    }
    return known->bounds->recognises_states
               ? "some runs are cut off (--steps)"
               : "some are cut off (--steps; for a program that goes on for ever: --states)";
}

/* The bound is that of its own kind. */
static const char *bound_of_kind(const Exploration *known) {
    unsigned long long left_out = known->region->left_out;
    if (known->bounds->samples > 0) {
        return arena_format(known->arena, "drawn by chance, seed %llu",
                            (unsigned long long)known->bounds->seed);
    }
    if (left_out > 0) {
        return arena_format(known->arena, "%llu ways off with more than %s are left out", left_out,
                            summary_count(known->arena, known->bounds->delays, "delay"));
    }
    return NULL;
}

const char *summary_bound(const Exploration *known) {
    const char *limit = bound_of_kind(known);
    limit = limit ? limit : limit_of(known);
    return known->stopped_by ? known->stopped_by : limit ? limit : why_cut_off(known);
}

const char *summary_count(Arena *arena, unsigned long long count, const char *noun) {
    return arena_format(arena, "%llu %s%s", count, noun, count == 1 ? "" : "s");
}

bool summary_knows_steps(const Exploration *known, bool is_all) {
    return is_all && known->bounds->recognises_states && !known->region->is_tree_full;
}

static void print_extent(const Exploration *known, bool is_all) {
    const ExploreRegion *region = known->region;
    const char *extent = known->bounds->recognises_states
                             ? summary_count(known->arena, region->state_count, "state")
                             : summary_count(known->arena, region->behaviours, "behaviour");
    if (summary_knows_steps(known, is_all)) {
        size_t different = known->graph.states.count - known->ends.items.count;
        printf("%s: %s, all there are; %zu that differ in what comes after them\n", known->name,
               extent, different);
    } else if (is_all) {
        printf("%s: %s, all there are\n", known->name, extent);
    } else {
        printf("%s: %s, not all: %s\n", known->name, extent, summary_bound(known));
    }
}

static double power(double base, unsigned exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* That none of so many runs finds what one finds with that probability. */
static double miss_of_all(double probability, uint64_t runs) {
    if (runs == 0) {
        return 1;
    }
    double half = miss_of_all(probability, runs / 2);
    return half * half * (runs % 2 ? 1 - probability : 1);
}

static void print_chance(const Exploration *known) {
    const ExploreRegion *region = known->region;
    uint32_t d = region->sample_orders;
    uint32_t k = region->sample_steps;
    if (known->bounds->samples == 0 || region->processes == 0 || (k == 0 && d > 1)) {
        return;
    }
    double cases = region->processes * power(k, d - 1);
    printf("%12sn = %u processes, k = %u steps, d = %u: a fault that needs no more than d orders\n",
           "", region->processes, k, d);
    printf("%12sis found by a run with a probability of 1/%.0f or more, by all with %.3g %%\n", "",
           cases, 100 * (1 - miss_of_all(1 / cases, region->behaviours)));
    if (region->most_steps > k && d > 1) {
        printf("%12sthe longest run has %u steps: nothing falls back behind the first %u\n", "",
               region->most_steps, k);
    }
}

static void print_duration(const Exploration *known, bool is_all) {
    if (summary_knows_steps(known, is_all) && graph_goes_round(known->arena, &known->graph)) {
        printf("%12s%s for ever\n", "", known->ends.items.count > 0 ? "may go on" : "goes on");
    }
}

/* Of the largest run in each sense. */
static void print_sizes(const Exploration *known) {
    const ExploreRegion *region = known->region;
    if (known->bounds->tells_sizes) {
        printf("%12sat most %s and %llu processes at one time, in %llu bytes; %.2f s\n", "",
               summary_count(known->arena, region->most_steps, "step"),
               (unsigned long long)region->most_blocks,
               (unsigned long long)region->most_block_bytes, known->seconds);
    }
}

/* ---- what was never seen ---- */

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

static void print_never_taken(const Exploration *known) {
    const ExploreBounds *bounds = known->bounds;
    for (size_t i = 0; i < bounds->alternative_count; i++) {
        const ExploreAlternative *one = &bounds->alternatives[i];
        if (!is_taken(known->region, one)) {
            printf("never taken: %s:%u:%u: alternative %u of the ALT of line %u\n", one->file,
                   one->line, one->column, one->number + 1, one->alt_line);
        }
    }
}

/* Of an ALT with a replicator that guard is several. */
const char *summary_starved(const Exploration *known, const Starved *starved) {
    const ExploreAlternative *one = starved->alternative;
    bool is_pri = one->order == PRI_ALT_ALL;
    const char *guard =
        starved->guard == one->number
            ? ""
            : arena_format(known->arena, " (guard %u as it runs)", starved->guard + 1);
    return arena_format(known->arena,
                        "%s: %s:%u:%u: alternative %u of the %sALT of line %u%s is ready again and "
                        "again, and never "
                        "taken, in %s that come round",
                        is_pri ? "gives way for ever" : "starves", one->file, one->line,
                        one->column, one->number + 1, is_pri ? "PRI " : "", one->alt_line, guard,
                        summary_count(known->arena, starved->states, "state"));
}

static void print_starved(const Exploration *known) {
    for (size_t i = 0; i < known->starved.count; i++) {
        const Starved *starved = &known->starved.items[i];
        size_t steps = starved->lasso.steps.count;
        printf("%s\n", summary_starved(known, starved));
        if (starved->schedule) {
            printf("%12sOCC_CHOICES=%s (%s, then a round of %zu)\n", "", starved->schedule,
                   summary_count(known->arena, starved->lasso.stem, "step"),
                   steps - starved->lasso.stem);
        }
    }
}

static bool is_own(const Exploration *known, const char *file) {
    for (size_t i = 0; i < known->bounds->file_count; i++) {
        if (strncmp(known->bounds->files[i], file, sizeof((ExplorePlace){0}.file) - 1) == 0) {
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
static void print_never_reached(const Exploration *known) {
    const ExploreRegion *region = known->region;
    const ExplorePlace *places = (const void *)((const char *)region + region->places);
    for (size_t i = 0; i < region->place_count; i++) {
        const ExplorePlace *place = &places[i];
        bool is_asked = place->kind == PLACE_OF_IF || place->kind == PLACE_OF_CASE;
        if (is_asked && is_own(known, place->file) &&
            !is_settled(places, region->place_count, place)) {
            printf("never reached: %s:%u:%u: %s\n", place->file, place->line, place->column,
                   place->kind == PLACE_OF_IF ? "branch of an IF" : "option of a CASE");
        }
    }
}

bool summary_is_all(const Exploration *known) {
    return known->region->is_complete && !bound_of_kind(known) && !limit_of(known) &&
           ends_count(&known->ends, END_DEEP) == 0;
}

void summary_print(const Exploration *known, bool is_all) {
    print_extent(known, is_all);
    print_chance(known);
    print_ends(known);
    print_duration(known, is_all);
    print_sizes(known);
    print_starved(known);
    print_never_taken(known);
    print_never_reached(known);
}
