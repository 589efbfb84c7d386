/* options -- the command line.
 *
 * Owns:   the one table of options (option.def), what was said on this command line.
 * Leaves: doing it to driver.h; which warnings exist to diag.h.
 * Holds:  wrong usage is reported on stderr in the words of clang's driver, every mistake of the
 *         line, and then nothing is done (exit status 2). Words of a file come in by @file. */
#ifndef OCCC_OPTIONS_H
#define OCCC_OPTIONS_H

#include "array.h"
#include "diag.h"
#include "explore.h"
#include "text.h"

#include <stdbool.h>

/* Exit statuses of the compiler. */
enum { EXIT_OK = 0, EXIT_ERRORS = 1, EXIT_USAGE = 2, EXIT_BUG = 70 };

typedef enum Command {
    COMMAND_COMPILE,
    COMMAND_RUN,
    COMMAND_EXPLORE,
    COMMAND_EXPLAIN,
    COMMAND_FORMAT,
    COMMAND_GRAPH,
    COMMAND_EXPORT,
    COMMAND_DOC,
    COMMAND_TRACE,
    COMMAND_DEBUG,
    COMMAND_TOP,
    COMMAND_TEST,
    COMMAND_BUILD,
    COMMAND_NEW,
    COMMAND_ADD,
    COMMAND_SERVE, /* occc lsp */
    COMMAND_PLAY,
    COMMAND_HELP,
    COMMAND_TOPIC,
    COMMAND_VERSION,
    COMMAND_REPRODUCE
} Command;

/* --help=topic. */
typedef enum HelpTopic {
    TOPIC_WARNINGS,
    TOPIC_DEVELOPER,
    TOPIC_MAN,
    TOPIC_BASH,
    TOPIC_ZSH,
    TOPIC_FISH
} HelpTopic;

typedef enum DocForm { DOC_HTML, DOC_MARKDOWN, DOC_MAN } DocForm;

/* How far to go. */
typedef enum Stage { STAGE_CHECK, STAGE_ASSEMBLY, STAGE_OBJECT, STAGE_PROGRAM } Stage;

typedef enum InputKind {
    INPUT_SOURCE,
    INPUT_OBJECT, /* object, archive or shared library */
    INPUT_WORD    /* -lname or -Wl,...: for the linker, in its place among the files */
} InputKind;

typedef struct Input {
    InputKind kind;
    const char *word; /* path, or what the linker gets */
} Input;

typedef ARRAY_OF(const char *) Words;
bool words_have(const Words *words, const char *word);

/* What is said to `occc test`. */
typedef struct TestOptions {
    Words paths;    /* files and folders; none: this folder */
    Words patterns; /* of names; none: all */
    bool lists;
    bool watches;
    bool has_real_time;
    bool explores;
    uint64_t first_seed;
    uint64_t last_seed;
    ARRAY_OF(unsigned) workers;
    double limit_seconds;
    unsigned jobs; /* 0: as many as there are CPUs */
    const char *junit;
    const char *json;
    const char *coverage_lcov;
    const char *coverage_html;
} TestOptions;

typedef struct Options {
    Command command;
    HelpTopic topic; /* COMMAND_TOPIC */
    Stage stage;
    bool emits_llvm;
    const char *output; /* NULL: not said */
    ARRAY_OF(Input) inputs;
    bool checks_deadlock;
    bool exports_csp;
    const char *stop_after; /* NULL: not said */
    const char *print_after;
    Words include_directories;
    Words defines;
    Words library_directories;
    Words warnings; /* -W..., in order */
    bool warnings_are_errors;
    bool no_warnings;
    unsigned error_limit;
    DiagFormat diag_format;
    DiagSink *sink; /* where diagnostics go; set by main, NULL for text */
    bool has_parseable_fixits;
    int colour; /* -1 by terminal, 0 never, 1 always */
    unsigned optimisation;
    bool optimises_for_size;
    bool debug;
    bool no_checks;
    bool stop_mode;
    bool placed_survive;
    bool coverage;
    bool frame_pointer;
    bool check_reals;
    unsigned passes_off; /* a set of CodegenPass */
    bool verify_each;
    unsigned fault;  /* a CodegenFault */
    long reproduces; /* COMMAND_REPRODUCE */
    const char *cpu; /* NULL: baseline */
    bool is_static;
    bool is_mpi;
    const char *ranks; /* NULL: not said */
    bool writes_dependencies;
    bool writes_only_dependencies; /* -MM */
    bool depends_on_library;       /* -MD, -M */
    bool has_phony_rules;
    const char *dependency_file;
    Words dependency_targets;
    bool is_verbose;
    bool is_dry;
    Words program_words; /* COMMAND_RUN, COMMAND_EXPLORE: arguments of the program; COMMAND_DEBUG:
                            of gdb */
    bool fmt_lists;      /* COMMAND_FORMAT */
    ExploreBounds explore;
    bool fmt_shows_difference;
    bool fmt_writes;
    unsigned fmt_columns; /* of the longest line; 0: any */
    Words topics;         /* COMMAND_EXPLAIN, COMMAND_NEW, COMMAND_ADD; COMMAND_TRACE: the file */
    const char *revision; /* COMMAND_ADD; NULL: not said */
    bool vendors;
    DocForm doc_form; /* COMMAND_DOC */
    const char *doc_title;
    Words build_words; /* COMMAND_BUILD: options of the compiler, as they were written */
    TestOptions test;  /* COMMAND_TEST */
    const char *proc;  /* COMMAND_GRAPH: NULL, the last */
    unsigned depth;    /* 0: as deep as can be read */
    const char *trace; /* NULL: without counts */
} Options;

/* options_makes_and_runs -- `occc run`, `occc explore`: one source, then words of the program. */
static inline bool options_makes_and_runs(const Options *options) {
    return options->command == COMMAND_RUN || options->command == COMMAND_EXPLORE;
}

/* options_explores -- is the program to be run through all its behaviours? */
static inline bool options_explores(const Options *options) {
    return options->command == COMMAND_EXPLORE || options->test.explores;
}

/* options_parse -- NULL when the usage is wrong; that has been reported. */
Options *options_parse(Arena *arena, int count, char **words);
/* options_print_help -- false when stdout did not take it. */
bool options_print_help(void);
/* options_print_warnings -- what -W takes; options_print_developer; likewise. */
bool options_print_warnings(void);
bool options_print_developer(void);
/* options_print_topic -- that, the options of the manual page, or the completions of a shell. */
bool options_print_topic(HelpTopic topic);
/* depend_quoted -- a file name as make reads it (driver_depend.c). */
const char *depend_quoted(Arena *arena, const char *name);
/* driver_error -- "occc: error: ..." on stderr; driver_warning likewise. */
void driver_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void driver_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
