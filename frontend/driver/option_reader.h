/* option_reader -- the command line while it is read: what options.c and option_value.c share. */
#ifndef OCCC_OPTION_READER_H
#define OCCC_OPTION_READER_H

#include "option_file.h"
#include "option_table.h"
#include "options.h"

typedef struct OptionReader {
    Arena *arena;
    Options *options;
    Words words;
    size_t next;              /* index of the next word */
    bool has_level;           /* -O was said */
    bool forces_source;       /* -x occam */
    const char *explore_word; /* an option that only `occc explore` has; NULL: none */
    const char *test_word;    /* an option that only `occc test` has; NULL: none */
    unsigned error_count;
} OptionReader;

#define usage_error(reader, ...) (driver_error(__VA_ARGS__), (reader)->error_count++)

/* ---- option_command.c ---- */
/* option_read_command -- when the first word is a command, what that means for the line. */
void option_read_command(OptionReader *reader);
bool option_is_command(const char *word);
/* option_list_commands -- "run, check, ..." */
const char *option_list_commands(Arena *arena);

/* ---- option_value.c: each says what is wrong with a value that does not fit ---- */
void option_set_level(OptionReader *reader, const char *value);
void option_set_ranks(OptionReader *reader, const char *value);
void option_set_colour(OptionReader *reader, const char *value);
void option_set_diag_format(OptionReader *reader, const char *value);
void option_set_help_topic(OptionReader *reader, const char *value);
void option_set_fault(OptionReader *reader, const char *value);
void option_set_error_limit(OptionReader *reader, const char *word, const char *value);
void option_set_columns(OptionReader *reader, const char *word, const char *value);
void option_set_explore_time(OptionReader *reader, const char *value);
void option_set_explore(OptionReader *reader, OptionId id, const char *value);
void option_set_doc_form(OptionReader *reader, const char *value);
void option_set_depth(OptionReader *reader, const char *value);
void option_set_language(OptionReader *reader, const char *value);
void option_set_cpu(OptionReader *reader, const char *value);
void option_set_target(OptionReader *reader, const char *value);

/* ---- option_input.c ---- */
void option_add_input(OptionReader *reader, InputKind kind, const char *word);
void option_add_file(OptionReader *reader, const char *path);

/* ---- option_test.c ---- */
void option_set_seeds(OptionReader *reader, const char *value);
void option_set_workers(OptionReader *reader, const char *value);
void option_set_time(OptionReader *reader, const char *value);
void option_set_limit(OptionReader *reader, const char *value);
void option_set_jobs(OptionReader *reader, const char *value);
/* option_check_ways -- one way to choose behaviours at a time. */
void option_check_ways(OptionReader *reader);
/* option_check_explored_tests -- of `occc test --explore`. */
void option_check_explored_tests(OptionReader *reader);

#endif
