/* minimise -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "minimise.h"

#include "seconds.h"

#include <string.h>

static const double seconds_for_each = 10;

typedef enum SearchResult {
    SEARCH_FOUND,
    SEARCH_NOTHING, /* there is none */
    SEARCH_BOUNDED  /* not known */
} SearchResult;

static void set_wanted(const Exploration *known, ExploreRegion *region, const End *end,
                       uint32_t steps) {
    size_t bytes = end->found->text_bytes;
    region->step_limit = steps;
    region->is_full = 1;
    region->phases_return = known->region->phases_return;
    region->runner_count = known->region->runner_count;
    region->wants_end = 1;
    region->wanted_status = end->found->status;
    region->wanted_text_bytes = bytes;
    memcpy(region->wanted_text, end->text, bytes < EXPLORE_TEXT_BYTES ? bytes : EXPLORE_TEXT_BYTES);
}

/* Is there a behaviour of at most so many steps? */
static SearchResult search(const Exploration *known, End *end, uint32_t steps, double deadline) {
    Program *program = program_make(known->arena);
    const ExploreRegion *region = program->region;
    set_wanted(known, program->region, end, steps);
    program_start(program, known->arena, known->path, known->words);
    bool has_ended = exploration_wait(program, deadline - seconds_now());
    if (has_ended && region->until_end != 0) {
        end->region = region;
        end->way = (const void *)((const char *)region + region->until_end);
        return SEARCH_FOUND;
    }
    bool is_sure =
        has_ended && region->is_complete && (region->limits & ~(uint32_t)EXPLORE_LIMIT_C) == 0;
    program_forget(program);
    return is_sure ? SEARCH_NOTHING : SEARCH_BOUNDED;
}

static const char *steps_text(const Exploration *known, uint32_t steps) {
    return arena_format(known->arena, "%u %s", steps, steps == 1 ? "step" : "steps");
}

static void say_shortest(const Exploration *known, End *end, bool is_sure) {
    const char *steps = steps_text(known, end->way->steps);
    const char *before = end->way->steps < end->found->steps
                             ? arena_format(known->arena, " instead of %u", end->found->steps)
                             : "";
    end->shortness = arena_format(known->arena, "%s%s: %s", steps, before,
                                  is_sure ? "the fewest there are" : "fewer were not found");
}

/* Of behaviours that nothing has cut short the exploration has seen all lengths. */
static bool is_shortest(bool is_all, const End *end) {
    return is_all && (end->kind == END_DEADLOCK || end->kind == END_FINISHED);
}

/* Each try of a process that computes without end would take all the time there is for one. */
static SearchResult search_all(const Exploration *known, End *end) {
    double given = known->bounds->seconds;
    double deadline = seconds_now() + (given > 0 ? given : seconds_for_each);
    SearchResult result = end->kind == END_ENDLESS ? SEARCH_BOUNDED : SEARCH_NOTHING;
    for (uint32_t steps = 0; result == SEARCH_NOTHING && steps < end->found->steps; steps++) {
        result = search(known, end, steps, deadline);
    }
    return result;
}

void minimise_end(const Exploration *known, bool is_all, End *end) {
    bool is_sure = is_shortest(is_all, end) || search_all(known, end) != SEARCH_BOUNDED;
    say_shortest(known, end, is_sure);
}
