/* add -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "add.h"

#include "dependency.h"
#include "driver.h"
#include "driver_file.h"
#include "file.h"
#include "manifest.h"
#include "text_builder.h"

#include <stdio.h>
#include <string.h>

static bool is_repository(const char *word) {
    size_t length = strlen(word);
    return strstr(word, "://") || strncmp(word, "git@", 4) == 0 ||
           (length > 4 && strcmp(word + length - 4, ".git") == 0);
}

/* It becomes a text between quotes. */
static bool can_be_text(const char *word) {
    bool is_good = word[0] != '-' && !strpbrk(word, "\"\\\n\t");
    if (!is_good) {
        driver_error("'%s' is neither a folder nor a repository", word);
    }
    return is_good;
}

/* A line of [dependencies], and what the lock gets with it. */
typedef struct Addition {
    const char *name;
    const char *value;
    GitPackage repository; /* no url: it is a folder */
    const char *commit;
} Addition;

static bool describe_repository(Arena *arena, const char *root, Addition *addition) {
    const char *revision = addition->repository.revision;
    const char *url = addition->repository.url;
    addition->commit = dependency_look(arena, root, &addition->repository);
    addition->name = addition->repository.name;
    addition->value = revision
                          ? arena_format(arena, "{ git = \"%s\", rev = \"%s\" }", url, revision)
                          : arena_format(arena, "{ git = \"%s\" }", url);
    return addition->commit != NULL;
}

static bool describe_folder(Arena *arena, const char *root, const char *word, Addition *addition) {
    const char *folder = arena_format(arena, "%s%s/", word[0] == '/' ? "" : root, word);
    const Manifest *manifest = manifest_read(arena, root, folder);
    if (manifest) {
        addition->name = manifest->name;
        addition->value = arena_format(arena, "{ path = \"%s\" }", word);
    }
    return manifest != NULL;
}

/* What a word of the command line adds; false after a message. */
static bool describe(Arena *arena, const Options *options, const char *root, const char *word,
                     Addition *addition) {
    if (is_repository(word)) {
        addition->repository = (GitPackage){"", word, options->revision};
        return describe_repository(arena, root, addition);
    }
    if (options->revision) {
        driver_error("'--rev=' is for repositories, and '%s' is a folder", word);
        return false;
    }
    return describe_folder(arena, root, word, addition);
}

/* Behind the heading [dependencies], or at the end with one. */
static const char *with_line(Arena *arena, const char *text, unsigned heading, const char *line) {
    TextBuilder result = {.arena = arena};
    const char *at = text;
    for (unsigned i = 0; i < heading; i++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (heading > 0) {
        bool has_end = at > text && at[-1] == '\n';
        text_add(&result, "%.*s%s%s\n%s", (int)(at - text), text, has_end ? "" : "\n", line, at);
    } else {
        size_t length = strlen(text);
        bool has_end = length > 0 && text[length - 1] == '\n';
        text_add(&result, "%s%s\n[dependencies]\n%s\n", text, has_end ? "" : "\n", line);
    }
    array_push(arena, &result, '\0');
    return result.items;
}

static bool add_line(Arena *arena, const char *root, const char *name, const char *value) {
    const char *path = arena_format(arena, "%s" MANIFEST_NAME, root);
    FileText text;
    const TomlValue *manifest = toml_read(arena, path);
    const TomlValue *table = toml_find(manifest, "dependencies");
    if (!manifest || !file_read(arena, path, &text)) {
        return false;
    }
    const TomlValue *before = toml_find(table, name);
    if (before) {
        toml_error(path, before->line, before->column, "change or delete this line",
                   "the package depends on '%s' already", name);
        return false;
    }
    if (table && !table->is_headed) {
        toml_error(path, table->line, table->column, "write them under the heading [dependencies]",
                   "'occc add' writes a line, and there is none for it here");
        return false;
    }
    const char *line = arena_format(arena, "%s = %s", name, value);
    const char *result = with_line(arena, text.bytes, table ? table->line : 0, line);
    return file_publish(arena, path, result, strlen(result));
}

static bool add(Arena *arena, const Options *options, const char *root, const char *word) {
    Addition addition = {.name = NULL};
    if (!can_be_text(word) || !describe(arena, options, root, word, &addition) ||
        !add_line(arena, root, addition.name, addition.value)) {
        return false;
    }
    printf("%s = %s\n", addition.name, addition.value);
    return !addition.commit || dependency_lock(arena, root, &addition.repository, addition.commit);
}

static bool vendor(Arena *arena, const char *root) {
    Manifests manifests = {0};
    dependency_vendor_begin(arena, root);
    bool is_done = manifest_read_all(arena, root, &manifests);
    for (size_t i = 0; is_done && i < manifests.count; i++) {
        is_done = dependency_vendor(arena, root, &manifests.items[i]->repositories);
    }
    return dependency_vendor_end(arena, root, is_done);
}

int add_run(Arena *arena, const Options *options) {
    const char *root = manifest_find(arena);
    if (!root) {
        driver_error("there is no " MANIFEST_NAME " here or above; 'occc new' makes a package");
        return EXIT_ERRORS;
    }
    for (size_t i = 0; i < options->topics.count; i++) {
        if (!add(arena, options, root, options->topics.items[i])) {
            return EXIT_ERRORS;
        }
    }
    Manifests manifests = {0}; /* of what is new here, too: the lock gets its entries */
    bool is_done =
        options->vendors ? vendor(arena, root) : manifest_read_all(arena, root, &manifests);
    fflush(stdout);
    return is_done ? EXIT_OK : EXIT_ERRORS;
}
