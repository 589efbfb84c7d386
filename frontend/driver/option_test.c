/* option_test -- the options of `occc test`, and how those of `occc explore` go together. */
#include "option_reader.h"

#include <stdlib.h>
#include <string.h>

#define SEED_LIMIT    1000000
#define WORKERS_LIMIT 56

/* A whole number that ends at one of `ends`; false: it is none. */
static bool read_number(const char **at, const char *ends, uint64_t *number) {
    char *end;
    if (**at < '0' || **at > '9') {
        return false;
    }
    *number = strtoull(*at, &end, 10);
    *at = end;
    return !*end || strchr(ends, *end);
}

void option_set_seeds(OptionReader *reader, const char *value) {
    TestOptions *test = &reader->options->test;
    const char *at = value;
    test->first_seed = 1;
    bool is_right = read_number(&at, "-", &test->last_seed);
    if (is_right && *at == '-') {
        at++;
        test->first_seed = test->last_seed;
        is_right = read_number(&at, "", &test->last_seed);
    }
    if (!is_right || test->last_seed < test->first_seed ||
        test->last_seed - test->first_seed >= SEED_LIMIT) {
        usage_error(reader,
                    "'--seeds=%s': a number of seeds is wanted, or the first and the last "
                    "of them: --seeds=100, --seeds=7-7",
                    value);
    }
}

void option_set_workers(OptionReader *reader, const char *value) {
    const char *at = value;
    bool is_right = true;
    while (is_right) {
        uint64_t number = 0;
        is_right = read_number(&at, ",", &number) && number > 0 && number <= WORKERS_LIMIT;
        array_push(reader->arena, &reader->options->test.workers, (unsigned)number);
        if (*at != ',') {
            break;
        }
        at++;
    }
    if (!is_right) {
        usage_error(reader,
                    "'--workers=%s': numbers from 1 to %d are wanted, with commas between "
                    "them: --workers=1,2,4",
                    value, WORKERS_LIMIT);
    }
}

void option_set_time(OptionReader *reader, const char *value) {
    if (reader->options->command == COMMAND_EXPLORE) {
        option_set_explore_time(reader, value);
        return;
    }
    reader->options->test.has_real_time = strcmp(value, "real") == 0;
    if (strcmp(value, "real") != 0 && strcmp(value, "virtual") != 0) {
        usage_error(reader, "'--time=%s': time is virtual or real", value);
    }
}

void option_set_limit(OptionReader *reader, const char *value) {
    char *end;
    double seconds = strtod(value, &end);
    reader->options->test.limit_seconds = seconds;
    if (end == value || *end || !(seconds > 0 && seconds <= 1e6)) {
        usage_error(reader, "'--timeout=%s': a number of seconds above 0 is wanted", value);
    }
}

void option_set_jobs(OptionReader *reader, const char *value) {
    const char *at = value;
    uint64_t number = 0;
    if (!read_number(&at, "", &number) || number == 0 || number > 1000) {
        usage_error(reader, "'-j %s': a number from 1 to 1000 is wanted", value);
        return;
    }
    reader->options->test.jobs = (unsigned)number;
}

/* ---- what does not go together ---- */

void option_check_ways(OptionReader *reader) {
    const ExploreBounds *bounds = &reader->options->explore;
    if ((bounds->samples > 0) + bounds->has_delays + bounds->recognises_states > 1) {
        usage_error(reader, "--sample, --delays= and --states do not go together");
    }
    bool is_chance = bounds->seed != EXPLORE_SEED || bounds->orders != EXPLORE_ORDERS_WANTED;
    if (is_chance && bounds->samples == 0) {
        usage_error(reader, "--seed= and --orders= say how --sample draws");
    }
}

void option_check_explored_tests(OptionReader *reader) {
    const Options *options = reader->options;
    const TestOptions *test = &options->test;
    const ExploreBounds *bounds = &options->explore;
    if (test->last_seed != 1 || test->workers.count > 0 || test->has_real_time ||
        options->coverage) {
        usage_error(reader, "'--explore' runs a test under every schedule: --seeds=, --workers=, "
                            "--time= and --coverage do not fit");
    }
    if (bounds->until || bounds->minimises || bounds->dot || bounds->aut ||
        bounds->wants_one_output || bounds->recognises_states) {
        usage_error(reader, "--until=, --minimise, --dot=, --aut=, --states and --deterministic "
                            "are for one program, not for tests");
    }
}
