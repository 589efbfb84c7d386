/* index_point -- integers that satisfy a linear system, looked for one variable after the other:
 * the smallest number first that the rest of the system leaves it. What is found is a solution;
 * that nothing is found says nothing. */
#include "usage_index.h"

#include <string.h>

#define STEP_LIMIT 400 /* numbers tried for one system */

typedef struct Finder {
    LinearPoint *point;
    size_t natural; /* variables before this one are not negative */
    unsigned steps;
    uint64_t looks;
} Finder;

static void copy_system(LinearSystem *copy, const LinearSystem *system) {
    memcpy(copy, system, offsetof(LinearSystem, rows) + system->row_count * sizeof *system->rows);
}

static bool find(Finder *finder, const LinearSystem *system, size_t variable) {
    LinearSystem next;
    copy_system(&next, system);
    int64_t low = 0;
    int64_t high = 0;
    bool may_be = linear_bounds(&next, variable, &low, &high);
    finder->looks += next.looks;
    if (variable == system->variable_count || !may_be) {
        return may_be;
    }
    low = variable < finder->natural && low < 0 ? 0 : low;
    bool is_rising = low > INT64_MIN || high == INT64_MAX;
    int64_t value = low > INT64_MIN ? low : high < INT64_MAX ? high : 0;
    while (low <= value && value <= high && finder->steps > 0) {
        finder->steps--;
        LinearRow fixed = {.constant = -value, .is_equality = true};
        fixed.coefficients[variable] = 1;
        copy_system(&next, system);
        linear_add(&next, &fixed);
        finder->point->values[variable] = value;
        if (find(finder, &next, variable + 1)) {
            return true;
        }
        value += is_rising ? 1 : -1;
    }
    return false;
}

void linear_find_point(LinearSystem *system, size_t natural, LinearPoint *point) {
    Finder finder = {.point = point, .natural = natural, .steps = STEP_LIMIT};
    point->is_found = point->is_natural = !system->is_full && find(&finder, system, 0);
    if (!point->is_found && !system->is_full) {
        finder.natural = 0;
        finder.steps = STEP_LIMIT;
        point->is_found = find(&finder, system, 0);
    }
    system->looks += finder.looks;
}
