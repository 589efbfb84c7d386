/* option_value -- the values of options: -O2, -fdiagnostics-format=json, -mcpu=skylake ...
 *
 * Holds:  a value that does not fit is reported in the words of clang's driver, and reading goes
 *         on.
 */
#include "option_reader.h"

#include "option_table.h"

#include "occ/explore.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 4096 };

void option_set_level(OptionReader *reader, const char *value) {
    Options *options = reader->options;
    reader->has_level = true;
    options->optimises_for_size = strcmp(value, "s") == 0 || strcmp(value, "z") == 0;
    if (options->optimises_for_size) {
        options->optimisation = 2;
    } else if (value[0] == '\0' || strcmp(value, "g") == 0) {
        options->optimisation = 1;
    } else if (value[0] >= '0' && value[0] <= '3' && value[1] == '\0') {
        options->optimisation = (unsigned)(value[0] - '0');
    } else {
        usage_error(reader, "invalid value '%s' in '-O%s'", value, value);
    }
}

void option_set_ranks(OptionReader *reader, const char *value) {
    char *end;
    long ranks = strtol(value, &end, 10);
    if (*end != '\0' || ranks < 1 || ranks > RANKS_MAX) {
        usage_error(reader, "invalid value '%s' in '--ranks %s': 1 to %d machines", value, value,
                    RANKS_MAX);
    }
    reader->options->ranks = value;
}

void option_set_colour(OptionReader *reader, const char *value) {
    if (strcmp(value, "auto") == 0) {
        reader->options->colour = -1;
    } else if (strcmp(value, "always") == 0) {
        reader->options->colour = 1;
    } else if (strcmp(value, "never") == 0) {
        reader->options->colour = 0;
    } else {
        usage_error(reader, "invalid argument '%s' to -fdiagnostics-color=", value);
    }
}

void option_set_diag_format(OptionReader *reader, const char *value) {
    static const char *const names[] = {"text", "json", "sarif-stderr", "sarif-file"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            reader->options->diag_format = (DiagFormat)i;
            return;
        }
    }
    usage_error(reader, "invalid value '%s' in '-fdiagnostics-format=%s'", value, value);
}

void option_set_help_topic(OptionReader *reader, const char *value) {
    static const char *const names[] = {"warnings", "developer", "man", "bash", "zsh", "fish"};
    reader->options->command = COMMAND_TOPIC;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            reader->options->topic = (HelpTopic)i;
            return;
        }
    }
    usage_error(reader, "unsupported argument '%s' to option '--help='", value);
}

void option_set_fault(OptionReader *reader, const char *value) {
    static const char *const names[] = {"", "unsound", "gives-up", "crash"};
    for (unsigned i = 1; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            reader->options->fault = i;
            return;
        }
    }
    usage_error(reader, "invalid value '%s' in '-fbreak=%s'", value, value);
}

static unsigned read_number(OptionReader *reader, const char *word, const char *value) {
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end || number > 1000000000) {
        usage_error(reader, "invalid integral value '%s' in '%s'", value, word);
    }
    return (unsigned)number;
}

void option_set_error_limit(OptionReader *reader, const char *word, const char *value) {
    reader->options->error_limit = read_number(reader, word, value);
}

void option_set_columns(OptionReader *reader, const char *word, const char *value) {
    reader->options->fmt_columns = read_number(reader, word, value);
}

void option_set_doc_form(OptionReader *reader, const char *value) {
    static const char *const forms[] = {
        [DOC_HTML] = "html", [DOC_MARKDOWN] = "md", [DOC_MAN] = "man"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strcmp(value, forms[i]) == 0) {
            reader->options->doc_form = (DocForm)i;
            return;
        }
    }
    usage_error(reader, "'--as=%s': the forms are html, md and man", value);
}

void option_set_depth(OptionReader *reader, const char *value) {
    char *end;
    unsigned long depth = strtoul(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end || depth == 0 || depth > 1000) {
        usage_error(reader, "invalid value '%s' in '--depth=': levels from 1 to 1000", value);
    }
    reader->options->depth = (unsigned)depth;
}

void option_set_language(OptionReader *reader, const char *value) {
    reader->forces_source = strcmp(value, "occam") == 0;
    if (!reader->forces_source && strcmp(value, "none") != 0) {
        usage_error(reader, "language not recognized: '%s'", value);
    }
}

/* The processors of x86-64 that LLVM 19 knows; it has no way to ask. */
static bool is_known_cpu(const char *name) {
    static const char *const names[] = {
        "native",         "x86-64",        "x86-64-v2",      "x86-64-v3",
        "x86-64-v4",      "nocona",        "core2",          "penryn",
        "nehalem",        "westmere",      "sandybridge",    "ivybridge",
        "haswell",        "broadwell",     "skylake",        "skylake-avx512",
        "cascadelake",    "cooperlake",    "icelake-client", "icelake-server",
        "tigerlake",      "rocketlake",    "alderlake",      "raptorlake",
        "sapphirerapids", "emeraldrapids", "graniterapids",  "bonnell",
        "silvermont",     "goldmont",      "tremont",        "k8",
        "amdfam10",       "btver1",        "btver2",         "bdver1",
        "bdver2",         "bdver3",        "bdver4",         "znver1",
        "znver2",         "znver3",        "znver4",         "znver5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void option_set_cpu(OptionReader *reader, const char *value) {
    reader->options->cpu = value;
    if (!is_known_cpu(value)) {
        usage_error(reader, "unknown target CPU '%s'", value);
    }
}

void option_set_target(OptionReader *reader, const char *value) {
    static const char *const names[] = {"x86_64-linux-gnu", "x86_64-pc-linux-gnu",
                                        "x86_64-unknown-linux-gnu", "x86_64-linux"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            return;
        }
    }
    usage_error(reader, "unknown target triple '%s'", value);
}

/* ---- occc explore ---- */

static uint64_t read_count(OptionReader *reader, const char *option, const char *value,
                           uint64_t most) {
    char *end;
    unsigned long long number = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end || number < 1 || number > most) {
        usage_error(reader, "invalid value '%s' in '%s%s': a number from 1 to %llu", value, option,
                    value, (unsigned long long)most);
        return 1;
    }
    return number;
}

void option_set_explore(OptionReader *reader, OptionId id, const char *value) {
    ExploreBounds *bounds = &reader->options->explore;
    if (id == OPTION_EXPLORE_BEHAVIOURS) {
        bounds->behaviours = read_count(reader, "--behaviours=", value, INT64_MAX);
    } else if (id == OPTION_EXPLORE_STEPS) {
        bounds->steps = (uint32_t)read_count(reader, "--steps=", value, EXPLORE_STEPS);
    } else if (id == OPTION_EXPLORE_UNTIL) {
        bounds->until = value;
    } else if (id == OPTION_EXPLORE_MINIMISE) {
        bounds->minimises = true;
    } else if (id == OPTION_EXPLORE_DOT) {
        bounds->dot = value;
    } else if (id == OPTION_EXPLORE_AUT) {
        bounds->aut = value;
    } else if (id == OPTION_EXPLORE_GRAPH_STEPS) {
        bounds->graph_steps =
            (uint32_t)read_count(reader, "--graph-steps=", value, EXPLORE_GRAPH_STEPS_MOST);
    } else if (id == OPTION_EXPLORE_SAMPLE) {
        bounds->samples = read_count(reader, "--sample=", value, INT64_MAX);
    } else if (id == OPTION_EXPLORE_SEED) {
        bounds->seed = read_count(reader, "--seed=", value, INT64_MAX);
    } else if (id == OPTION_EXPLORE_ORDERS) {
        bounds->orders = (uint32_t)read_count(reader, "--orders=", value, EXPLORE_ORDERS);
    } else if (id == OPTION_EXPLORE_DELAYS) {
        bounds->has_delays = true;
        bounds->delays = (uint32_t)read_count(reader, "--delays=", value, EXPLORE_STEPS);
    } else if (id == OPTION_EXPLORE_STATES) {
        bounds->recognises_states = true;
    } else if (id == OPTION_EXPLORE_FULL) {
        bounds->is_full = true;
    } else {
        bounds->wants_one_output = true;
    }
}

void option_set_explore_time(OptionReader *reader, const char *value) {
    char *end;
    double seconds = strtod(value, &end);
    if (end == value || *end || !(seconds > 0)) {
        usage_error(reader, "invalid value '%s' in '--time=%s': seconds, such as 10 or 0.5", value,
                    value);
    }
    reader->options->explore.seconds = seconds;
}
