/* lasso_schedule -- see the header. */
#include "lasso_schedule.h"

#include "diag.h"

#include <string.h>

enum { ROUNDS = 3 }; /* the first, one that comes again and again, one more to see that it does */

static const double patience = 10;

static uint32_t round_of(const Lasso *lasso) {
    return (uint32_t)lasso->steps.count - lasso->stem;
}

static void set_wanted(const Exploration *known, ExploreRegion *region, const Lasso *lasso) {
    uint32_t count = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (size_t i = round == 0 ? 0 : lasso->stem; i < lasso->steps.count; i++) {
            region->followed[count++] = *lasso->steps.items[i].event;
        }
    }
    region->followed_count = region->step_limit = count;
    region->phases_return = known->region->phases_return;
    region->sample_count = region->sample_orders = region->runner_count = 1;
}

/* Steps at which something else could have happened. */
static uint32_t choices_of(const Lasso *lasso, size_t first) {
    uint32_t count = 0;
    for (size_t i = first; i < lasso->steps.count; i++) {
        count += lasso->steps.items[i].is_choice;
    }
    return count;
}

/* Has the run done all of it, and is its last round the one before? */
static bool is_followed(const ExploreRegion *region, const Lasso *lasso) {
    const ExploreEnd *end = (const void *)((const char *)region + region->first_end);
    uint32_t round = choices_of(lasso, lasso->stem);
    uint32_t before = choices_of(lasso, 0);
    if (region->first_end == 0 || end->how != EXPLORE_DEEP ||
        end->steps != region->followed_count || end->choice_count != before + 2 * round) {
        return false;
    }
    const ExploreChoice *choices = (const void *)((const char *)region + end->choices);
    for (uint32_t i = before; i < before + round; i++) {
        if (choices[i].chosen != choices[i + round].chosen ||
            choices[i].count != choices[i + round].count) {
            return false;
        }
    }
    return true;
}

static void write_followed(const ExploreRegion *region, const Lasso *lasso, const char *path,
                           const char *program, const char *what) {
    const ExploreEnd *way = (const void *)((const char *)region + region->first_end);
    uint32_t before = choices_of(lasso, 0);
    End end = {.way = way, .region = region};
    if (!end_write_round(&end, before, before + choices_of(lasso, lasso->stem), path, program,
                         what)) {
        fatal("cannot write '%s':", path);
    }
}

bool lasso_schedule_write(const Exploration *known, const Lasso *lasso, const char *path,
                          const char *what) {
    if (lasso->stem + (size_t)ROUNDS * round_of(lasso) > EXPLORE_FOLLOWED) {
        return false;
    }
    Program *program = program_make(known->arena);
    set_wanted(known, program->region, lasso);
    program_start(program, known->arena, known->path, known->words);
    bool is_done = exploration_wait(program, patience) && is_followed(program->region, lasso);
    if (is_done) {
        write_followed(program->region, lasso, path, known->name, what);
    }
    program_forget(program);
    return is_done;
}
