/* option_input -- words of the command line that are no options: what kind of file each is. */
#include "among.h"
#include "option_reader.h"

#include <string.h>
#include <unistd.h>

void option_add_input(OptionReader *reader, InputKind kind, const char *word) {
    Input input = {kind, word};
    array_push(reader->arena, &reader->options->inputs, input);
}

/* occc run hello, where hello.occ is meant: hello may be the program, or nothing. */
static bool is_without_suffix(OptionReader *reader, const char *path) {
    return !strchr(path_name(path), '.') &&
           access(arena_format(reader->arena, "%s.occ", path), F_OK) == 0;
}

static void report_kind(OptionReader *reader, const char *path) {
    if (string_has_suffix(path, ".c") || string_has_suffix(path, ".cc") ||
        string_has_suffix(path, ".cpp")) {
        usage_error(reader, "'%s' is not occam: compile it with cc -c, and name its object here",
                    path);
    } else if (is_without_suffix(reader, path)) {
        usage_error(reader, "'%s' is not a source; did you mean '%s.occ'?", path, path);
    } else if (option_is_command(path)) {
        usage_error(reader, "the command '%s' comes first: occc %s [options] file", path, path);
    } else if (!strpbrk(path, "./") && access(path, F_OK) != 0) {
        usage_error(reader, "there is no file and no command '%s'; the commands are %s", path,
                    option_list_commands(reader->arena));
    } else {
        usage_error(reader, "unknown kind of file: '%s' (use -x occam to compile it)", path);
    }
}

void option_add_file(OptionReader *reader, const char *path) {
    if (reader->options->command == COMMAND_BUILD) {
        usage_error(reader, "'%s': occ.toml says what 'occc build' makes", path);
        return;
    }
    Command command = reader->options->command;
    if (AMONG(command, COMMAND_EXPLAIN, COMMAND_NEW, COMMAND_ADD, COMMAND_TRACE, COMMAND_TOP,
              COMMAND_PLAY)) {
        array_push(reader->arena, &reader->options->topics, path);
        return;
    }
    if (reader->options->command == COMMAND_TEST && !string_has_suffix(path, ".o") &&
        !string_has_suffix(path, ".a") && !string_has_suffix(path, ".so")) {
        array_push(reader->arena, &reader->options->test.paths, path);
        return;
    }
    bool is_run = options_makes_and_runs(reader->options) || command == COMMAND_FORMAT ||
                  command == COMMAND_GRAPH || command == COMMAND_EXPORT || command == COMMAND_DOC;
    bool is_source = reader->forces_source || is_run || string_has_suffix(path, ".occ") ||
                     string_has_suffix(path, ".inc") || string_has_suffix(path, ".module");
    bool is_object = string_has_suffix(path, ".o") || string_has_suffix(path, ".a") ||
                     string_has_suffix(path, ".so");
    if (is_run && !reader->forces_source && is_without_suffix(reader, path)) {
        report_kind(reader, path);
    } else if (is_source) {
        option_add_input(reader, INPUT_SOURCE, path);
    } else if (is_object || strstr(path, ".so.")) {
        option_add_input(reader, INPUT_OBJECT, path);
    } else if (strcmp(path, "-") == 0) {
        usage_error(reader, "-x occam is required when the input is from standard input");
    } else {
        report_kind(reader, path);
    }
}
