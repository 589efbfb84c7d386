/* doc -- the command. See the header. */
#define _POSIX_C_SOURCE 200809L

#include "doc.h"

#include "folder.h"
#include "graph.h"
#include "package_unit.h"

const char *doc_kind_word(DocKind kind) {
    switch (kind) {
    case DOC_PROC: return "PROC";
    case DOC_FUNCTION: return "FUNCTION";
    case DOC_PROTOCOL: return "PROTOCOL";
    case DOC_TYPE: return "type";
    case DOC_VALUE: return "constant";
    }
    return "";
}

const char *doc_text(TextBuilder *text) {
    array_push(text->arena, text, '\0');
    text->count--;
    return text->items;
}

/* The units of the package, which find each other and those of packages it depends on. */
static bool find_units(Doc *doc, Words *paths) {
    Arena *arena = doc->arena;
    const char *root = manifest_find(arena);
    if (!root) {
        driver_error("which sources? there is no " MANIFEST_NAME " here or above");
        return false;
    }
    Manifests manifests = {0};
    PackageUnits units = {0};
    if (!manifest_read_all(arena, root, &manifests)) {
        return false;
    }
    for (size_t i = 0; i < manifests.count; i++) {
        const Manifest *manifest = manifests.items[i];
        for (size_t k = 0; k < manifest->sources.count; k++) {
            array_push(arena, &doc->options->include_directories, manifest->sources.items[k]);
        }
    }
    doc->title = doc->title ? doc->title : manifests.items[0]->name;
    manifests.count = 1;
    bool is_good = package_units_find(arena, &manifests, "", &units);
    for (size_t i = 0; i < units.count; i++) {
        array_push(arena, paths, units.items[i].path);
    }
    return is_good;
}

/* The sources of the command line; without any, the units of the package. */
static bool find_sources(Doc *doc, Words *paths) {
    const Options *options = doc->options;
    for (size_t i = 0; i < options->inputs.count; i++) {
        if (options->inputs.items[i].kind == INPUT_SOURCE) {
            array_push(doc->arena, paths, options->inputs.items[i].word);
        }
    }
    if (paths->count) {
        return true;
    }
    return find_units(doc, paths);
}

int doc_run(Arena *arena, const Options *options) {
    Options quiet = *options; /* warnings are for who writes the source */
    quiet.no_warnings = true;
    Installation installation = installation_find(arena);
    Doc doc = {arena, &quiet, &installation, options->doc_title, options->output, false, {0}};
    bool is_html = options->doc_form == DOC_HTML;
    doc.folder = is_html && !doc.folder ? "doc" : doc.folder;
    if (doc.folder) {
        folder_make(arena, doc.folder);
    }
    doc.has_pictures = doc.folder && options->doc_form != DOC_MAN && graph_has_layout();
    Words paths = {0};
    bool is_good = find_sources(&doc, &paths);
    for (size_t i = 0; is_good && i < paths.count; i++) {
        is_good = doc_collect(&doc, paths.items[i]);
    }
    if (!is_good) {
        return EXIT_ERRORS;
    }
    switch (options->doc_form) {
    case DOC_HTML: is_good = doc_html_write(&doc); break;
    case DOC_MARKDOWN: is_good = doc_plain_write(&doc); break;
    case DOC_MAN: is_good = doc_man_write(&doc); break;
    }
    return is_good ? EXIT_OK : EXIT_ERRORS;
}
