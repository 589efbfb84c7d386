/* preprocess_hint -- which file was probably meant, when the one that is named is not found.
 *
 * Owns:   looking through the folders of the search for a similar name.
 * Leaves: the search itself to preprocess_file.c and preprocess_use.c. */
#include "preprocess_stack.h"

#include <dirent.h>
#include <string.h>

/* The name without what preprocess_stem removes: a.occ, a.module, a.o and a.lib are a; others stay.
 */
static const Text *comparable(Preprocessor *preprocessor, const char *name, bool is_unit) {
    const char *bytes = is_unit ? preprocess_stem(preprocessor->lexing.arena, name) : name;
    return text_intern_string(preprocessor->compiler->texts, bytes);
}

static void look_for_nearest(Preprocessor *preprocessor, const char *directory, const Text *wanted,
                             bool is_unit, const Text **nearest, unsigned *best) {
    DIR *folder = opendir(directory);
    const struct dirent *entry = NULL;
    while (folder && (entry = readdir(folder))) {
        const char *dot = strrchr(entry->d_name, '.');
        bool is_source = dot && (strcmp(dot, ".occ") == 0 || strcmp(dot, ".module") == 0 ||
                                 (strcmp(dot, ".inc") == 0 && !is_unit));
        if (!is_source) {
            continue;
        }
        const Text *name = comparable(preprocessor, entry->d_name, is_unit);
        unsigned distance = text_distance(wanted, name, *best);
        if (distance > 0 && distance < *best) {
            *best = distance;
            *nearest = name;
        }
    }
    if (folder) {
        (void)closedir(folder);
    }
}

void preprocess_hint_file(Preprocessor *preprocessor, const char *name, bool is_unit, Location at) {
    const Text *wanted = comparable(preprocessor, name, is_unit);
    const Text *nearest = NULL;
    unsigned best = wanted->length < 4 ? 2 : 3;
    const SourceFile *file = source_file(preprocessor->sources, at.file);
    const char *slash = file ? strrchr(file->path, '/') : NULL;
    const char *beside = slash ? arena_format(preprocessor->lexing.arena, "%.*s",
                                              (int)(slash - file->path) + 1, file->path)
                               : ".";
    look_for_nearest(preprocessor, beside, wanted, is_unit, &nearest, &best);
    const char *directory = NULL;
    for (size_t i = 0; (directory = source_search_directory(preprocessor->sources, i)); i++) {
        look_for_nearest(preprocessor, directory, wanted, is_unit, &nearest, &best);
    }
    Diag *diag = preprocessor->lexing.diag;
    if (nearest) {
        const char *quoted = arena_format(preprocessor->lexing.arena, "\"%s\"", nearest->bytes);
        diag_hint(diag, "did you mean %s?", quoted);
        diag_fixit(diag, at, quoted);
    } else {
        diag_hint(diag, "-I directory adds a place to look in");
    }
}
