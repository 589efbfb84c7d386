/* driver_depend -- the dependency file of -MMD and its relatives. See driver.h. */
#include "driver.h"
#include "driver_file.h"
#include "driver_output.h"
#include "unit.h"

#include <string.h>

/* As make reads it: blanks and # quoted, $ doubled. */
static void append_name(StringBuilder *rule, const char *name) {
    for (const char *c = name; *c; c++) {
        if (*c == ' ' || *c == '\t' || *c == '#') {
            string_append(rule, "\\", 1);
        } else if (*c == '$') {
            string_append(rule, "$", 1);
        }
        string_append(rule, c, 1);
    }
}

const char *depend_quoted(Arena *arena, const char *name) {
    StringBuilder text = {.arena = arena};
    append_name(&text, name);
    return text.length ? text.bytes : "";
}

/* An interface was read out of an object or library. */
static const char *path_of(const SourceFile *file) {
    bool is_object = file->is_generated && file->unit && file->unit->object;
    return is_object ? file->unit->object : file->path;
}

static bool is_dependency(const Unit *unit, const SourceFile *file) {
    const char *stdlib = unit->installation->stdlib;
    bool is_library = strncmp(path_of(file), stdlib, strlen(stdlib)) == 0;
    bool is_file = file->path[0] != '<';
    return is_file && (unit->options->depends_on_library || !is_library);
}

/* Each file once, in the order it was read. */
static Words dependencies(const Unit *unit) {
    Words files = {0};
    TextTable *all = text_table_create(unit->arena);
    for (uint32_t number = 1; number <= source_file_count(unit->compiler.sources); number++) {
        const SourceFile *file = source_file(unit->compiler.sources, number);
        if (!is_dependency(unit, file)) {
            continue;
        }
        const char *name = text_intern_string(all, path_of(file))->bytes;
        bool is_new = true;
        for (size_t i = 0; i < files.count && is_new; i++) {
            is_new = files.items[i] != name;
        }
        if (is_new) {
            array_push(unit->arena, &files, name);
        }
    }
    return files;
}

const char *depend_path(Arena *arena, const Options *options, const char *target) {
    if (options->dependency_file) {
        return options->dependency_file;
    }
    if (options->writes_only_dependencies) {
        return options->output ? options->output : "-";
    }
    const char *dot = strrchr(path_name(target), '.');
    int length = dot ? (int)(dot - target) : (int)strlen(target);
    return arena_format(arena, "%.*s.d", length, target);
}

bool depend_write(const Unit *unit, const char *target) {
    StringBuilder rule = {.arena = unit->arena};
    const Words *targets = &unit->options->dependency_targets;
    for (size_t i = 0; i < targets->count; i++) {
        string_append_format(&rule, "%s%s", i ? " " : "", targets->items[i]);
    }
    if (targets->count == 0) {
        append_name(&rule, target);
    }
    string_append(&rule, ":", 1);
    Words files = dependencies(unit);
    for (size_t i = 0; i < files.count; i++) {
        string_append(&rule, " \\\n  ", i ? 5 : 0);
        string_append(&rule, " ", i ? 0 : 1);
        append_name(&rule, files.items[i]);
    }
    string_append(&rule, "\n", 1);
    for (size_t i = 1; unit->options->has_phony_rules && i < files.count; i++) {
        append_name(&rule, files.items[i]);
        string_append(&rule, ":\n", 2);
    }
    const char *path = depend_path(unit->arena, unit->options, target);
    return output_is_unread(unit, path) && file_publish(unit->arena, path, rule.bytes, rule.length);
}
