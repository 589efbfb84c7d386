/* manifest -- see the header. */
#define _XOPEN_SOURCE 700

#include "manifest.h"

#include "dependency.h"
#include "driver.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const top_keys[] = {"package", "program",      "library",
                                       "build",   "dependencies", NULL};
static const char *const package_keys[] = {"name", "version", "description", "licence", NULL};
static const char *const program_keys[] = {"name", "main", NULL};
static const char *const library_keys[] = {"name", NULL};
static const char *const build_keys[] = {"sources", "options", "libraries", NULL};
static const char *const dependency_keys[] = {"path", "git", "rev", NULL};

static bool report(const Manifest *manifest, const TomlValue *at, const char *hint,
                   const char *words) {
    toml_error(manifest->path, at->line, at->column, hint, "%s", words);
    return false;
}

static bool has_kind(Arena *arena, const Manifest *manifest, const TomlValue *value,
                     TomlKind kind) {
    static const char *const names[] = {"a text", "a number", "true or false", "a list", "a table"};
    const char *words =
        arena_format(arena, "'%s' is %s, and %s is expected", value->key ? value->key : "this",
                     names[value->kind], names[kind]);
    return value->kind == kind || report(manifest, value, NULL, words);
}

static bool check_keys(Arena *arena, const Manifest *manifest, const TomlValue *table,
                       const char *const *keys) {
    for (size_t i = 0; i < table->parts.count; i++) {
        const TomlValue *part = table->parts.items[i];
        const char *known = "";
        bool is_known = false;
        for (size_t k = 0; keys[k]; k++) {
            is_known = is_known || strcmp(part->key, keys[k]) == 0;
            known =
                arena_format(arena, "%s%s%s", known, k > 0 ? ", " : "the keys here are ", keys[k]);
        }
        if (!is_known) {
            toml_error(manifest->path, part->line,
                       part->key_column ? part->key_column : part->column, known,
                       "the key '%s' means nothing here", part->key);
            return false;
        }
    }
    return true;
}

/* A text that must be there. */
static bool read_text(Arena *arena, const Manifest *manifest, const TomlValue *table,
                      const char *key, const char **text) {
    const TomlValue *value = toml_find(table, key);
    if (!value) {
        return report(manifest, table, NULL, arena_format(arena, "the key '%s' is missing", key));
    }
    *text = value->text;
    if (!has_kind(arena, manifest, value, TOML_TEXT)) {
        return false;
    }
    return value->text[0] ||
           report(manifest, value, NULL, arena_format(arena, "'%s' is empty", key));
}

static bool read_texts(Arena *arena, const Manifest *manifest, const TomlValue *table,
                       const char *key, Words *words) {
    const TomlValue *list = toml_find(table, key);
    if (!list) {
        return true;
    }
    if (!has_kind(arena, manifest, list, TOML_LIST)) {
        return false;
    }
    for (size_t i = 0; i < list->parts.count; i++) {
        if (!has_kind(arena, manifest, list->parts.items[i], TOML_TEXT)) {
            return false;
        }
        array_push(arena, words, list->parts.items[i]->text);
    }
    return true;
}

/* A name becomes one of a file. */
static bool check_name(const Manifest *manifest, const TomlValue *table, const char *name) {
    const TomlValue *at = toml_find(table, "name");
    bool is_good = name[0] != '.' && name[0] != '-' && !strchr(name, '/');
    return is_good || report(manifest, at, NULL, "a name has no '/', and begins with a letter");
}

static const char *inside(Arena *arena, const Manifest *manifest, const char *path) {
    return path[0] == '/' ? path : arena_format(arena, "%s%s", manifest->folder, path);
}

/* ---- the tables ---- */

static bool read_package(Arena *arena, Manifest *manifest, const TomlValue *root) {
    const TomlValue *package = toml_find(root, "package");
    if (!package) {
        return report(manifest, root, "[package]\n           name = \"...\"",
                      "the table [package] is missing");
    }
    manifest->version = "0.0.0";
    return has_kind(arena, manifest, package, TOML_TABLE) &&
           check_keys(arena, manifest, package, package_keys) &&
           read_text(arena, manifest, package, "name", &manifest->name) &&
           check_name(manifest, package, manifest->name) &&
           (!toml_find(package, "version") ||
            read_text(arena, manifest, package, "version", &manifest->version));
}

static bool read_programs(Arena *arena, Manifest *manifest, const TomlValue *root) {
    const TomlValue *list = toml_find(root, "program");
    if (list && list->kind != TOML_LIST) {
        return report(manifest, list, "write [[program]]", "there may be several programs");
    }
    for (size_t i = 0; list && i < list->parts.count; i++) {
        const TomlValue *table = list->parts.items[i];
        ManifestProgram program;
        if (!has_kind(arena, manifest, table, TOML_TABLE) ||
            !check_keys(arena, manifest, table, program_keys) ||
            !read_text(arena, manifest, table, "name", &program.name) ||
            !check_name(manifest, table, program.name) ||
            !read_text(arena, manifest, table, "main", &program.main)) {
            return false;
        }
        program.main = inside(arena, manifest, program.main);
        if (access(program.main, R_OK) != 0) {
            return report(manifest, toml_find(table, "main"), NULL,
                          arena_format(arena, "there is no file '%s'", program.main));
        }
        array_push(arena, &manifest->programs, program);
    }
    return true;
}

static bool read_library(Arena *arena, Manifest *manifest, const TomlValue *root) {
    const TomlValue *library = toml_find(root, "library");
    return !library || (has_kind(arena, manifest, library, TOML_TABLE) &&
                        check_keys(arena, manifest, library, library_keys) &&
                        read_text(arena, manifest, library, "name", &manifest->library) &&
                        check_name(manifest, library, manifest->library));
}

static bool read_build(Arena *arena, Manifest *manifest, const TomlValue *root) {
    const TomlValue *build = toml_find(root, "build");
    Words sources = {0};
    if (build && (!has_kind(arena, manifest, build, TOML_TABLE) ||
                  !check_keys(arena, manifest, build, build_keys) ||
                  !read_texts(arena, manifest, build, "sources", &sources) ||
                  !read_texts(arena, manifest, build, "options", &manifest->options) ||
                  !read_texts(arena, manifest, build, "libraries", &manifest->libraries))) {
        return false;
    }
    if (sources.count == 0) {
        array_push(arena, &sources, "src");
    }
    for (size_t i = 0; i < sources.count; i++) {
        const char *folder = inside(arena, manifest, sources.items[i]);
        if (access(folder, R_OK | X_OK) != 0) {
            const TomlValue *at = toml_find(build, "sources");
            return report(manifest, at ? at->parts.items[i] : root,
                          "[build] sources = [..] says where the units are",
                          arena_format(arena, "there is no folder '%s'", folder));
        }
        array_push(arena, &manifest->sources, folder);
    }
    return true;
}

/* The folder of one that is named by its path; NULL after a message. */
static const char *folder_of_path(Arena *arena, const Manifest *manifest, const TomlValue *one) {
    const char *path;
    if (!read_text(arena, manifest, one, "path", &path)) {
        return NULL;
    }
    const char *folder = arena_format(arena, "%s/", inside(arena, manifest, path));
    bool is_there = access(arena_format(arena, "%s" MANIFEST_NAME, folder), R_OK) == 0;
    if (!is_there) {
        report(manifest, toml_find(one, "path"), NULL,
               arena_format(arena, "there is no package in '%s'", folder));
    }
    return is_there ? folder : NULL;
}

static const char *folder_of_git(Arena *arena, Manifest *manifest, const TomlValue *one) {
    GitPackage package = {.name = one->key};
    if (!read_text(arena, manifest, one, "git", &package.url) ||
        (toml_find(one, "rev") && !read_text(arena, manifest, one, "rev", &package.revision))) {
        return NULL;
    }
    array_push(arena, &manifest->repositories, package);
    return dependency_folder(arena, manifest->root, &package);
}

static bool read_dependencies(Arena *arena, Manifest *manifest, const TomlValue *root) {
    const TomlValue *table = toml_find(root, "dependencies");
    if (table && !has_kind(arena, manifest, table, TOML_TABLE)) {
        return false;
    }
    for (size_t i = 0; table && i < table->parts.count; i++) {
        const TomlValue *one = table->parts.items[i];
        if (!has_kind(arena, manifest, one, TOML_TABLE) ||
            !check_keys(arena, manifest, one, dependency_keys)) {
            return false;
        }
        const TomlValue *git = toml_find(one, "git");
        const TomlValue *other = toml_find(one, git ? "path" : "rev");
        if (other) {
            return report(manifest, other, "{ path = .. } or { git = .., rev = .. }",
                          arena_format(arena, "'%s' does not fit here", other->key));
        }
        const char *folder =
            git ? folder_of_git(arena, manifest, one) : folder_of_path(arena, manifest, one);
        if (!folder) {
            return false;
        }
        array_push(arena, &manifest->dependencies, folder);
    }
    return true;
}

/* ---- the whole ---- */

Manifest *manifest_read(Arena *arena, const char *root, const char *folder) {
    Manifest *manifest = arena_new(arena, Manifest);
    manifest->root = root;
    manifest->folder = folder;
    manifest->path = arena_format(arena, "%s" MANIFEST_NAME, folder);
    const TomlValue *table = toml_read(arena, manifest->path);
    bool is_good = table && check_keys(arena, manifest, table, top_keys) &&
                   read_package(arena, manifest, table) && read_programs(arena, manifest, table) &&
                   read_library(arena, manifest, table) && read_build(arena, manifest, table) &&
                   read_dependencies(arena, manifest, table);
    return is_good ? manifest : NULL;
}

const char *manifest_find(Arena *arena) {
    char room[PATH_MAX];
    const char *folder = "";
    for (;;) {
        if (access(arena_format(arena, "%s" MANIFEST_NAME, folder), F_OK) == 0) {
            return folder;
        }
        if (!realpath(*folder ? folder : ".", room) || strcmp(room, "/") == 0) {
            return NULL;
        }
        folder = arena_format(arena, "%s../", folder);
    }
}

static const char *real_folder(Arena *arena, const char *folder) {
    char room[PATH_MAX];
    return arena_format(arena, "%s", realpath(*folder ? folder : ".", room) ? room : folder);
}

bool manifest_read_all(Arena *arena, const char *folder, Manifests *manifests) {
    Words folders = {0};
    Words known = {0};
    array_push(arena, &folders, folder);
    for (size_t i = 0; i < folders.count; i++) {
        const char *real = real_folder(arena, folders.items[i]);
        bool is_known = false;
        for (size_t k = 0; k < known.count; k++) {
            is_known = is_known || strcmp(known.items[k], real) == 0;
        }
        if (is_known) {
            continue;
        }
        array_push(arena, &known, real);
        Manifest *manifest = manifest_read(arena, folder, folders.items[i]);
        if (!manifest) {
            return false;
        }
        array_push(arena, manifests, manifest);
        for (size_t k = 0; k < manifest->dependencies.count; k++) {
            array_push(arena, &folders, manifest->dependencies.items[k]);
        }
    }
    return true;
}
