/* options -- see the header. Which option a word is, and what it does; the values are in
 * option_value.c, response files in option_file.c. */
#include "options.h"

#include "option_reader.h"
#include "option_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void driver_error(const char *format, ...) {
    fputs("occc: error: ", stderr);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void driver_warning(const char *format, ...) {
    fputs("occc: warning: ", stderr);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/* ---- which option a word is ---- */

static bool fits(const OptionEntry *entry, const char *word) {
    size_t length = strlen(entry->spelling);
    switch (entry->kind) {
    case KIND_FLAG:
    case KIND_SEPARATE: return strcmp(word, entry->spelling) == 0;
    case KIND_JOINED:
    case KIND_EITHER: return strncmp(word, entry->spelling, length) == 0;
    }
    return false;
}

static OptionId find_option(const char *word) {
    OptionId found = OPTION_COUNT;
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        const OptionEntry *entry = option_entry((OptionId)id);
        bool is_longer = found == OPTION_COUNT ||
                         strlen(entry->spelling) > strlen(option_entry(found)->spelling);
        if (fits(entry, word) && is_longer) {
            found = (OptionId)id;
        }
    }
    return found;
}

/* The spelling most like an unknown word, its value taken over; NULL when none is near. */
static const char *suggest(const OptionReader *reader, const char *word) {
    TextTable *texts = text_table_create(reader->arena);
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) + 1 : strlen(word);
    const Text *said = text_intern(texts, word, length);
    const OptionEntry *nearest = NULL;
    unsigned best = length > 8 ? 3 : length > 3 ? 2 : 1;
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        const OptionEntry *entry = option_entry((OptionId)id);
        unsigned distance = text_distance(said, text_intern_string(texts, entry->spelling), best);
        if (entry->help[0] && strlen(entry->spelling) > 2 && distance < best + (nearest == NULL)) {
            nearest = entry;
            best = distance;
        }
    }
    if (!nearest) {
        return NULL;
    }
    bool has_value = nearest->kind != KIND_FLAG && equals;
    return arena_format(reader->arena, "%s%s", nearest->spelling, has_value ? equals + 1 : "");
}

static void report_unknown(OptionReader *reader, const char *word) {
    const char *near = suggest(reader, word);
    if (near) {
        usage_error(reader, "unknown argument '%s'; did you mean '%s'?", word, near);
    } else {
        usage_error(reader, "unknown argument: '%s'", word);
    }
}

/* ---- applying ---- */

static void apply_joined_warning(OptionReader *reader, const char *word) {
    array_push(reader->arena, &reader->options->warnings, word);
}

/* One arm per option; `value` is NULL for a FLAG, `word` the option as it was written. */
static void apply(OptionReader *reader, OptionId id, const char *word, const char *value) {
    Options *options = reader->options;
    Arena *arena = reader->arena;
    switch (id) {
    case OPTION_OUTPUT: options->output = value; break;
    case OPTION_COMPILE: options->stage = STAGE_OBJECT; break;
    case OPTION_ASSEMBLY: options->stage = STAGE_ASSEMBLY; break;
    case OPTION_EMIT_LLVM: options->emits_llvm = true; break;
    case OPTION_SYNTAX_ONLY: options->stage = STAGE_CHECK; break;
    case OPTION_STOP_AFTER: options->stop_after = value; break;
    case OPTION_PRINT_AFTER: options->print_after = value; break;
    case OPTION_LANGUAGE: option_set_language(reader, value); break;
    case OPTION_INCLUDE: array_push(arena, &options->include_directories, value); break;
    case OPTION_DEFINE: array_push(arena, &options->defines, value); break;
    case OPTION_STOP_MODE: options->stop_mode = true; break;
    case OPTION_PLACED_SURVIVE: options->placed_survive = true; break;
    case OPTION_FRAME_POINTER: options->frame_pointer = true; break;
    case OPTION_CHECK_REALS: options->check_reals = true; break;
    case OPTION_NO_CHECKS: options->no_checks = true; break;
    case OPTION_OPTIMISE: option_set_level(reader, value); break;
    case OPTION_DEBUG_GDB:
    case OPTION_DEBUG_ALL:
    case OPTION_DEBUG: options->debug = true; break;
    case OPTION_CPU: option_set_cpu(reader, value); break;
    case OPTION_NO_WARNINGS: options->no_warnings = true; break;
    case OPTION_ALL_WARNINGS:
    case OPTION_EXTRA_WARNINGS: break;
    case OPTION_ERRORS: options->warnings_are_errors = true; break;
    case OPTION_NO_ERRORS: options->warnings_are_errors = false; break;
    case OPTION_WARNING:
    case OPTION_REMARK: apply_joined_warning(reader, word); break;
    case OPTION_ERROR_LIMIT:
    case OPTION_MAX_ERRORS: option_set_error_limit(reader, word, value); break;
    case OPTION_FORMAT_COLUMNS: option_set_columns(reader, word, value); break;
    case OPTION_DIAG_FORMAT: option_set_diag_format(reader, value); break;
    case OPTION_FIXITS: options->has_parseable_fixits = true; break;
    case OPTION_COLOUR: options->colour = 1; break;
    case OPTION_NO_COLOUR: options->colour = 0; break;
    case OPTION_COLOUR_WHEN: option_set_colour(reader, value); break;
    case OPTION_LIBRARY_DIRECTORY: array_push(arena, &options->library_directories, value); break;
    case OPTION_LIBRARY:
        option_add_input(reader, INPUT_WORD, arena_format(arena, "-l%s", value));
        break;
    case OPTION_STATIC: options->is_static = true; break;
    case OPTION_MPI: options->is_mpi = true; break;
    case OPTION_RANKS: option_set_ranks(reader, value); break;
    case OPTION_TARGET: option_set_target(reader, value); break;
    case OPTION_LINKER:
    case OPTION_LINKER_WORDS: option_add_input(reader, INPUT_WORD, word); break;
    case OPTION_ONLY_DEPENDENCY_ALL: options->depends_on_library = true; /* fall through */
    case OPTION_ONLY_DEPENDENCY:
        options->writes_only_dependencies = true;
        options->stage = STAGE_OBJECT;
        break;
    case OPTION_DEPENDENCY_QUOTED:
        array_push(arena, &options->dependency_targets, depend_quoted(arena, value));
        break;
    case OPTION_DEPENDENCY_ALL: options->depends_on_library = true; /* fall through */
    case OPTION_DEPENDENCY: options->writes_dependencies = true; break;
    case OPTION_DEPENDENCY_FILE: options->dependency_file = value; break;
    case OPTION_DEPENDENCY_TARGET: array_push(arena, &options->dependency_targets, value); break;
    case OPTION_DEPENDENCY_PHONY: options->has_phony_rules = true; break;
    case OPTION_TEST_RUN: array_push(arena, &options->test.patterns, value); break;
    case OPTION_TEST_EXPLORE: options->test.explores = true; break;
    case OPTION_TEST_LIST: options->test.lists = true; break;
    case OPTION_TEST_SEEDS: option_set_seeds(reader, value); break;
    case OPTION_TEST_WORKERS: option_set_workers(reader, value); break;
    case OPTION_TEST_TIME: option_set_time(reader, value); break;
    case OPTION_TEST_TIMEOUT: option_set_limit(reader, value); break;
    case OPTION_TEST_JOBS: option_set_jobs(reader, value); break;
    case OPTION_TEST_JUNIT: options->test.junit = value; break;
    case OPTION_TEST_JSON: options->test.json = value; break;
    case OPTION_TEST_COVERAGE_LCOV:
        options->test.coverage_lcov = value;
        options->coverage = true;
        break;
    case OPTION_TEST_COVERAGE_HTML:
        options->test.coverage_html = value;
        options->coverage = true;
        break;
    case OPTION_TEST_COVERAGE:
    case OPTION_COVERAGE: options->coverage = true; break;
    case OPTION_ADD_REVISION: options->revision = value; break;
    case OPTION_DOC_FORM: option_set_doc_form(reader, value); break;
    case OPTION_DEADLOCK: options->checks_deadlock = true; break;
    case OPTION_PROMELA: options->exports_csp = false; break;
    case OPTION_CSP: options->exports_csp = true; break;
    case OPTION_DOC_TITLE: options->doc_title = value; break;
    case OPTION_ADD_VENDOR: options->vendors = true; break;
    case OPTION_TEST_WATCH: options->test.watches = true; break;
    case OPTION_EXPLORE_BEHAVIOURS:
    case OPTION_EXPLORE_STEPS:
    case OPTION_EXPLORE_UNTIL:
    case OPTION_EXPLORE_MINIMISE:
    case OPTION_EXPLORE_DOT:
    case OPTION_EXPLORE_AUT:
    case OPTION_EXPLORE_GRAPH_STEPS:
    case OPTION_EXPLORE_STATES:
    case OPTION_EXPLORE_SAMPLE:
    case OPTION_EXPLORE_SEED:
    case OPTION_EXPLORE_ORDERS:
    case OPTION_EXPLORE_DELAYS:
    case OPTION_EXPLORE_FULL:
    case OPTION_EXPLORE_ONE: option_set_explore(reader, id, value); break;
    case OPTION_VERBOSE: options->is_verbose = true; break;
    case OPTION_DRY: options->is_dry = true; break;
    case OPTION_HELP:
    case OPTION_SHORT_HELP:
    case OPTION_LETTER_HELP: options->command = COMMAND_HELP; break;
    case OPTION_HELP_TOPIC: option_set_help_topic(reader, value); break;
    case OPTION_VERSION: options->command = COMMAND_VERSION; break;
    case OPTION_VERIFY_EACH: options->verify_each = true; break;
    case OPTION_PROC: options->proc = value; break;
    case OPTION_TRACE: options->trace = value; break;
    case OPTION_DEPTH: option_set_depth(reader, value); break;
    case OPTION_BREAK: option_set_fault(reader, value); break;
    case OPTION_REPRODUCE:
        options->command = COMMAND_REPRODUCE;
        options->reproduces = strtol(value, NULL, 10);
        break;
#define PASS(ID, name, help) case OPTION_NO_##ID:
#include "../../codegen/pass.def"
#undef PASS
        options->passes_off |= 1u << (id - OPTION_REPRODUCE - 1);
        break;
    case OPTION_COUNT: break;
    }
}

/* -l, -d and -w mean something else to `occc fmt`. */
static bool read_format_option(const OptionReader *reader, const char *word) {
    Options *options = reader->options;
    if (options->command != COMMAND_FORMAT || !word[1] || word[2] || !strchr("ldw", word[1])) {
        return false;
    }
    options->fmt_lists = options->fmt_lists || word[1] == 'l';
    options->fmt_shows_difference = options->fmt_shows_difference || word[1] == 'd';
    options->fmt_writes = options->fmt_writes || word[1] == 'w';
    return true;
}

static void read_option(OptionReader *reader, const char *word) {
    bool is_serving = reader->options->command == COMMAND_SERVE;
    if (is_serving && strcmp(word, "--stdio") == 0) {
        return; /* editors say so; there is no other way */
    }
    if (read_format_option(reader, word)) {
        return;
    }
    OptionId id = find_option(word);
    if (id == OPTION_COUNT) {
        report_unknown(reader, word);
        return;
    }
    const OptionEntry *entry = option_entry(id);
    const char *value = entry->kind == KIND_FLAG ? NULL : word + strlen(entry->spelling);
    bool is_apart = entry->kind == KIND_SEPARATE || (entry->kind == KIND_EITHER && !*value);
    if (is_apart) {
        if (reader->next == reader->words.count) {
            usage_error(reader, "argument to '%s' is missing (expected 1 value)", word);
            return;
        }
        value = reader->words.items[reader->next++];
    }
    if (entry->group == GROUP_EXPLORE) {
        reader->explore_word = word;
        value = value && *value == '=' ? value + 1 : value; /* --sample=100 */
    }
    if (entry->group == GROUP_TEST) {
        bool is_explored = reader->options->command == COMMAND_EXPLORE && id == OPTION_TEST_TIME;
        reader->test_word = is_explored ? reader->test_word : word;
        value = value && *value == '=' ? value + 1 : value; /* --run=pattern */
    }
    apply(reader, id, word, value);
}

/* `occc build` hands options of the compiler on, as they are. */
static void keep_for_build(OptionReader *reader, size_t first) {
    const char *word = reader->words.items[first];
    bool is_own = strcmp(word, "-v") == 0 || strncmp(word, "-j", 2) == 0;
    for (size_t i = first; i < reader->next && !is_own; i++) {
        array_push(reader->arena, &reader->options->build_words, reader->words.items[i]);
    }
}

static void read_words(OptionReader *reader) {
    Options *options = reader->options;
    bool has_ended = false; /* "--" was said: only files follow */
    bool is_for_gdb = options->command == COMMAND_DEBUG;
    while (!is_for_gdb && reader->next < reader->words.count) {
        const char *word = reader->words.items[reader->next++];
        if (!has_ended && strcmp(word, "--") == 0) {
            has_ended = true;
            continue;
        }
        if (!has_ended && word[0] == '-' && word[1]) {
            size_t first = reader->next - 1;
            read_option(reader, word);
            keep_for_build(reader, first);
            continue;
        }
        option_add_file(reader, word);
        if (options_makes_and_runs(options)) {
            break; /* what follows belongs to the program */
        }
    }
    while (reader->next < reader->words.count) {
        const char *word = reader->words.items[reader->next++];
        array_push(reader->arena, &options->program_words, word);
    }
}

/* ---- the line as a whole ---- */

static size_t count_inputs(const Options *options, InputKind kind) {
    size_t count = 0;
    for (size_t i = 0; i < options->inputs.count; i++) {
        count += options->inputs.items[i].kind == kind;
    }
    return count;
}

static void check_test_line(OptionReader *reader) {
    Options *options = reader->options;
    option_check_ways(reader);
    if (options->test.explores) {
        option_check_explored_tests(reader);
    } else if (reader->explore_word) {
        usage_error(reader, "'%s' is an option of 'occc explore' and 'occc test --explore'",
                    reader->explore_word);
    }
    if (!reader->has_level) {
        options->optimisation = 0; /* tests run for a moment: compiling is what takes time */
    }
    if (options->stage != STAGE_PROGRAM || options->output) {
        usage_error(reader, "'occc test' makes programs and keeps them to itself: -c, -S, -o and "
                            "-fsyntax-only do not fit");
    }
    if (options->diag_format != DIAG_FORMAT_TEXT) {
        usage_error(reader, "'occc test' says what is wrong as text; --json= is for programs");
    }
    if (options->test.workers.count == 0) {
        array_push(reader->arena, &options->test.workers, 1u);
    }
}

static void check_add_line(OptionReader *reader) {
    const Options *options = reader->options;
    bool is_add = options->command == COMMAND_ADD;
    if (!is_add && (options->revision || options->vendors)) {
        usage_error(reader, "'--rev=' and '--vendor' are options of 'occc add'");
    }
    if (is_add && options->topics.count == 0 && !options->vendors) {
        usage_error(reader, "what is to be added? occc add <folder>, or <repository>");
    }
    if (options->revision && (options->topics.count > 1 || options->revision[0] == '-')) {
        usage_error(reader, "'--rev=' names the revision of one repository");
    }
}

static void check_line(OptionReader *reader) {
    Options *options = reader->options;
    if (options->command == COMMAND_TOP && options->topics.count != 1) {
        usage_error(reader, "'occc top' looks at one program: occc top <pid>");
    }
    if (options->command == COMMAND_TRACE && options->topics.count != 1) {
        usage_error(reader, "'occc trace' reads one file, which a program that runs with "
                            "OCC_TRACE=<file> writes");
    }
    if (options->command == COMMAND_PLAY && options->topics.count > 1) {
        usage_error(reader, "'occc play' serves at one address: occc play 127.0.0.1:8000");
    }
    size_t sources = count_inputs(options, INPUT_SOURCE);
    if (options->coverage) {
        options->optimisation = 0; /* what runs is what is written */
        options->optimises_for_size = false;
    }
    if (options->command == COMMAND_TEST) {
        check_test_line(reader);
        return;
    }
    bool builds = options->command == COMMAND_BUILD;
    if (builds && (options->stage != STAGE_PROGRAM || options->output)) {
        usage_error(reader, "'occc build' makes what occ.toml says: -c, -S, -o and -fsyntax-only "
                            "do not fit");
    }
    bool is_jobs = reader->test_word && strncmp(reader->test_word, "-j", 2) == 0;
    if (reader->test_word && reader->error_count == 0 && !(builds && is_jobs)) {
        usage_error(reader, "'%s' is an option of 'occc test'", reader->test_word);
    }
    bool draws = options->checks_deadlock && reader->explore_word &&
                 strncmp(reader->explore_word, "--dot=", strlen("--dot=")) == 0;
    if (reader->explore_word && options->command != COMMAND_EXPLORE && !draws &&
        reader->error_count == 0) {
        usage_error(reader, "'%s' is an option of 'occc explore'", reader->explore_word);
    }
    if (options->explore.recognises_states && options->explore.wants_one_output) {
        usage_error(reader, "'--deterministic' compares what is printed, which is no part of a "
                            "state: it does not go with '--states'");
    }
    option_check_ways(reader);
    check_add_line(reader);
    if (options->checks_deadlock && options->stage != STAGE_CHECK) {
        usage_error(reader, "'--deadlock' is an option of 'occc check'");
    }
    bool runs = options_makes_and_runs(options);
    const char *command = options->command == COMMAND_RUN ? "run" : "explore";
    if (options->command != COMMAND_COMPILE && !runs && options->command != COMMAND_FORMAT &&
        options->command != COMMAND_GRAPH && options->command != COMMAND_EXPORT) {
        return;
    }
    if (sources + count_inputs(options, INPUT_OBJECT) == 0 && reader->error_count == 0 &&
        !options->is_verbose) {
        usage_error(reader, "no input files");
    }
    bool makes_one_each = options->stage == STAGE_ASSEMBLY || options->stage == STAGE_OBJECT;
    if (options->output && makes_one_each && sources > 1) {
        usage_error(reader, "cannot specify -o when generating multiple output files");
    }
    if (options->emits_llvm && options->stage == STAGE_PROGRAM) {
        usage_error(reader, "-emit-llvm cannot be used when linking");
    }
    if (options->stage == STAGE_PROGRAM && options->output && strcmp(options->output, "-") == 0) {
        usage_error(reader, "a program is not written to standard output: -o - needs -c or -S");
    }
    if (runs && options->stage != STAGE_PROGRAM) {
        usage_error(reader, "'occc %s' makes a program: -c, -S and -fsyntax-only do not fit",
                    command);
    }
    if (runs && options->output) {
        usage_error(reader, "'occc %s' keeps what it makes to itself: -o does not fit", command);
    }
    if (!options->writes_dependencies && !options->writes_only_dependencies &&
        (options->dependency_file || options->dependency_targets.count ||
         options->has_phony_rules)) {
        usage_error(reader, "-MF, -MT, -MQ and -MP say how: -MMD, -MD, -MM or -M is missing");
    }
    if (options->debug && !reader->has_level) {
        options->optimisation = 0;
    }
}

Options *options_parse(Arena *arena, int count, char **words) {
    Options *options = arena_new(arena, Options);
    options->stage = STAGE_PROGRAM;
    options->error_limit = 20;
    options->explore.steps = EXPLORE_DEPTH;
    options->explore.time_option = "--time";
    options->explore.seed = EXPLORE_SEED;
    options->explore.orders = EXPLORE_ORDERS_WANTED;
    options->explore.graph_steps = EXPLORE_GRAPH_STEPS;
    options->colour = -1;
    options->optimisation = 2;
    options->test.first_seed = options->test.last_seed = 1;
    options->test.limit_seconds = 10;
    OptionReader reader = {.arena = arena, .options = options};
    reader.error_count += option_file_expand(arena, count, words, &reader.words);
    option_read_command(&reader);
    read_words(&reader);
    check_line(&reader);
    return reader.error_count ? NULL : options;
}

bool words_have(const Words *words, const char *word) {
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->items[i], word) == 0) {
            return true;
        }
    }
    return false;
}
