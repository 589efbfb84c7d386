/* doc_collect -- what a source defines, from its checked tree. See doc.h.
 *
 * Holds:  a definition belongs to the page when it stands in the source itself or in a file it
 *         includes from its own folder, unless an earlier page has that. A source that defines
 *         nothing itself has a part for every unit and file that its lines bring in, each read as
 *         a source of its own. */
#include "doc.h"

#include "graph.h"
#include "surveyor.h"

#include <ctype.h>
#include <string.h>

enum { VALUE_LINES = 12, LIST_DEPTH = 8 };

/* The name without its suffix. */
static const char *stem_of(Arena *arena, const char *path) {
    const char *name = path_name(path);
    const char *dot = strrchr(name, '.');
    return arena_format(arena, "%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
}

/* ---- one definition ---- */

typedef struct Reader {
    Doc *doc;
    Unit *unit;
    const char *path;
    DocPage *page;
    size_t first_part; /* of the page, that this source brings */
    DocPart *part;
    Surveyor surveyor;
} Reader;

/* The comment that ends above a line. */
static const char *words_above(Reader *reader, uint32_t file, uint32_t line) {
    const char *words = comment_above(&reader->surveyor, file, line);
    return words ? words : "";
}

/* "prime.occ -- the sieve": a comment about the file, whatever stands below. */
static bool is_about_file(const char *words, const char *path) {
    const char *name = path_name(path);
    size_t length = strlen(name);
    return strncmp(words, name, length) == 0 && strncmp(words + length, " -- ", 4) == 0;
}

static Node *def_of(const Node *spec, DocKind *kind) {
    switch (spec->kind) {
    case NODE_PROC: *kind = DOC_PROC; return spec->proc.def;
    case NODE_FUNCTION: *kind = DOC_FUNCTION; return spec->function.def;
    case NODE_PROTOCOL: *kind = DOC_PROTOCOL; return spec->protocol.def;
    case NODE_DATA_TYPE: *kind = DOC_TYPE; return spec->data_type.def;
    case NODE_CHAN_TYPE: *kind = DOC_TYPE; return spec->chan_type.def;
    case NODE_PROC_TYPE: *kind = DOC_TYPE; return spec->proc_type.def;
    case NODE_ABBREVIATION: *kind = DOC_VALUE; return spec->abbreviation.def;
    default: return NULL;
    }
}

/* Without what stands behind `--`, and without blanks at the end. */
static size_t code_length(const char *text, size_t length) {
    bool is_text = false;
    for (size_t i = 0; i < length; i++) {
        is_text = text[i] == '"' ? !is_text : is_text;
        if (!is_text && i + 1 < length && text[i] == '-' && text[i + 1] == '-') {
            length = i;
        }
    }
    while (length && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    return length;
}

/* PROC p (..), INT FUNCTION f (..): up to the end of the parameters, on one line. */
static const char *routine_heading(const Reader *reader, Location at) {
    TextBuilder heading = {.arena = reader->doc->arena};
    unsigned depth = 0;
    bool is_done = false;
    for (uint32_t line = at.line; !is_done; line++) {
        size_t length = 0;
        const char *text = source_line(reader->unit->compiler.sources, at.file, line, &length);
        if (!text) {
            break;
        }
        length = code_length(text, length);
        size_t start = 0;
        while (start < length && text[start] == ' ') {
            start++;
        }
        text_add(&heading, "%s", line > at.line ? " " : "");
        for (size_t i = start; i < length && !is_done; i++) {
            depth += text[i] == '(';
            depth -= text[i] == ')' && depth > 0;
            is_done = text[i] == ')' && depth == 0;
            text_add(&heading, "%c", text[i]);
        }
    }
    return doc_text(&heading);
}

/* Up to the colon that ends it. */
static const char *whole_definition(const Reader *reader, Location at) {
    TextBuilder words = {.arena = reader->doc->arena};
    for (uint32_t i = 0; i < VALUE_LINES * 4; i++) {
        size_t length = 0;
        const char *text =
            source_line(reader->unit->compiler.sources, at.file, at.line + i, &length);
        if (!text) {
            break;
        }
        text_add(&words, "%s%.*s", i ? "\n" : "", (int)length, text);
        size_t code = code_length(text, length);
        bool is_outer = i == 0 || (code && text[0] != ' ') || at.column > 1;
        if (is_outer && code && text[code - 1] == ':') {
            break;
        }
        if (i + 1 == VALUE_LINES * 4) {
            text_add(&words, "\n...");
        }
    }
    return doc_text(&words);
}

static const char *anchor_of(const Reader *reader, const char *name) {
    size_t before = 0;
    for (size_t i = 0; i < reader->page->parts.count; i++) {
        const DocPart *part = &reader->page->parts.items[i];
        for (size_t k = 0; k < part->items.count; k++) {
            before += strcmp(part->items.items[k].name, name) == 0;
        }
    }
    return before ? arena_format(reader->doc->arena, "%s-%zu", name, before + 1) : name;
}

/* The picture of a PROC with processes inside; NULL: there is nothing to see. */
static const char *picture_of(const Reader *reader, const Symbol *symbol, const char *anchor) {
    Doc *doc = reader->doc;
    const Node *routine = symbol->definition;
    if (!doc->has_pictures || !routine || routine->proc.body->kind == NODE_ELSEWHERE) {
        return NULL;
    }
    Network *network = network_make(&reader->unit->compiler, (Symbol *)(uintptr_t)symbol);
    if (!network || network->whole->children.count < 2) {
        return NULL;
    }
    const char *name = arena_format(doc->arena, "%s.%s.svg", reader->page->name, anchor);
    const View *view = view_make(network, 0);
    const char *dot = graph_dot(doc->arena, reader->unit->compiler.sources, view);
    const char *path = arena_format(doc->arena, "%s/%s", doc->folder, name);
    return graph_svg(doc->arena, dot, view_is_crowded(view), path) ? name : NULL;
}

/* What is said about a definition. */
static const char *comment_of(Reader *reader, Location at) {
    const char *words = words_above(reader, at.file, at.line);
    return is_about_file(words, source_file(reader->unit->compiler.sources, at.file)->path) ? ""
                                                                                            : words;
}

static void add_item(Reader *reader, const Node *spec, Location at) {
    DocItem item = {.kind = DOC_VALUE, .line = at.line};
    const Node *def = def_of(spec, &item.kind);
    const Text *name = spec->kind == NODE_FUNCTION && spec->function.operator_text
                           ? spec->function.operator_text
                           : def->def.name;
    bool is_pragma = spec->at.file != at.file;
    bool is_routine = item.kind == DOC_PROC || item.kind == DOC_FUNCTION;
    DocComment comment = doc_comment(reader->doc->arena, comment_of(reader, at), false);
    if (comment.is_internal) {
        return;
    }
    item.name = name->bytes;
    item.text = comment.text;
    item.anchor = anchor_of(reader, item.name);
    item.heading = is_pragma    ? symbol_signature(&reader->surveyor, def->def.symbol)
                   : is_routine ? routine_heading(reader, at)
                                : whole_definition(reader, at);
    item.picture = item.kind == DOC_PROC ? picture_of(reader, def->def.symbol, item.anchor) : NULL;
    array_push(reader->doc->arena, &reader->part->items, item);
}

/* ---- files ---- */

/* The comment that a file begins with, unless it is that of its first definition. */
static const char *head_of(Reader *reader, uint32_t file) {
    SourceMap *sources = reader->unit->compiler.sources;
    uint32_t line = 1;
    size_t length = 0;
    const char *text = source_line(sources, file, line, &length);
    while (text && length >= 2 && strncmp(text, "--", 2) == 0) {
        text = source_line(sources, file, ++line, &length);
    }
    const char *words = words_above(reader, file, line);
    bool is_head = is_about_file(words, source_file(sources, file)->path) || !text || length == 0 ||
                   text[0] == '#' || text[0] == ' ';
    return is_head ? words : "";
}

/* Where a definition of the page stands, a pragma in the place of what it becomes; file 0: it is
 * not of the page. */
static Location place_of(const Reader *reader, const Node *spec) {
    const SourceFile *file = source_file(reader->unit->compiler.sources, spec->at.file);
    Location at = spec->at;
    if (file && file->is_generated && !file->unit) {
        at = file->included_at;
        file = source_file(reader->unit->compiler.sources, at.file);
    }
    size_t folder = path_folder_length(reader->path);
    bool is_ours = file && !file->is_generated && !file->unit &&
                   path_folder_length(file->path) == folder &&
                   strncmp(file->path, reader->path, folder) == 0;
    return is_ours ? at : (Location){0};
}

static bool is_read(const DocPage *page, const char *path) {
    for (size_t i = 0; i < page->parts.count; i++) {
        if (strcmp(page->parts.items[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* What several sources include is on the page of the first. */
static bool is_on_another_page(const Reader *reader, const char *path) {
    bool is_there = false;
    for (size_t i = 0; i < reader->doc->pages.count; i++) {
        is_there = is_there || is_read(&reader->doc->pages.items[i], path);
    }
    return is_there && strcmp(path, reader->path) != 0;
}

/* NULL: the file is internal, on another page, or a part that an earlier source has brought. */
static DocPart *part_of_file(Reader *reader, uint32_t number) {
    Arena *arena = reader->doc->arena;
    const char *path = source_file(reader->unit->compiler.sources, number)->path;
    for (size_t i = 0; i < reader->page->parts.count; i++) {
        if (strcmp(reader->page->parts.items[i].path, path) == 0) {
            return i >= reader->first_part ? &reader->page->parts.items[i] : NULL;
        }
    }
    DocComment head = doc_comment(arena, head_of(reader, number), true);
    if (head.is_internal || is_on_another_page(reader, path)) {
        return NULL;
    }
    const char *name = head.module                       ? head.module
                       : string_has_suffix(path, ".inc") ? path_name(path)
                                                         : stem_of(arena, path);
    DocPart part = {name, path, head.summary, head.text, {0}};
    array_push(arena, &reader->page->parts, part);
    return &reader->page->parts.items[reader->page->parts.count - 1];
}

static Unit *check(Doc *doc, const char *path) {
    Unit *unit = unit_create(doc->arena, doc->options, doc->installation);
    array_push(doc->arena, &unit->paths, path);
    unit_parse(unit);
    bool is_ready = unit_check(unit);
    return !unit_has_errors(unit) && is_ready ? unit : NULL;
}

static void add_definitions(Reader *reader) {
    const NodeList *specs = &reader->unit->tree->unit.specs;
    for (size_t i = 0; i < specs->count; i++) {
        DocKind kind;
        const Node *spec = specs->items[i];
        Location at = place_of(reader, spec);
        if (at.file && def_of(spec, &kind) && !node_is_foreign(spec)) {
            reader->part = part_of_file(reader, at.file);
            if (reader->part) {
                add_item(reader, spec, at);
            }
        }
    }
}

/* ---- sources that bring others in ---- */

static bool read_part(Doc *doc, DocPage *page, const char *path, unsigned depth);

/* Does the file define anything, below what it includes? */
static bool defines_itself(const Reader *reader) {
    const NodeList *specs = &reader->unit->tree->unit.specs;
    bool defines = false;
    for (size_t i = 0; i < specs->count; i++) {
        defines = defines || place_of(reader, specs->items[i]).file == 1;
    }
    return defines;
}

/* The path of the source that `#USE "x"` or `#INCLUDE "x.module"` names; NULL: the line is
 * another, or it is a file without a unit. */
static const char *brought_by(const Reader *reader, const char *line, size_t length) {
    bool is_use = length > 5 && strncmp(line, "#USE ", 5) == 0;
    bool is_include = length > 9 && strncmp(line, "#INCLUDE ", 9) == 0;
    const char *open = is_use || is_include ? memchr(line, '"', length) : NULL;
    const char *close = open ? memchr(open + 1, '"', length - (size_t)(open + 1 - line)) : NULL;
    if (!close) {
        return NULL;
    }
    Arena *arena = reader->doc->arena;
    const char *name = arena_format(arena, "%.*s", (int)(close - open - 1), open + 1);
    if (is_use && !string_has_suffix(name, ".occ")) {
        name = arena_format(arena, "%s.occ", name);
    }
    Location from = {1, 1, 1, 1, 1};
    return string_has_suffix(name, ".inc")
               ? NULL
               : source_find(reader->unit->compiler.sources, name, from);
}

static bool read_brought(const Reader *reader, unsigned depth) {
    const SourceFile *file = source_file(reader->unit->compiler.sources, 1);
    for (uint32_t line = 1; line <= file->line_count; line++) {
        size_t length = 0;
        const char *text = source_line(reader->unit->compiler.sources, 1, line, &length);
        const char *path = brought_by(reader, text, length);
        if (path && !read_part(reader->doc, reader->page, path, depth + 1)) {
            return false;
        }
    }
    return true;
}

static bool read_part(Doc *doc, DocPage *page, const char *path, unsigned depth) {
    if (depth > LIST_DEPTH || is_read(page, path)) {
        return true;
    }
    Reader reader = {.doc = doc,
                     .path = path,
                     .page = page,
                     .first_part = page->parts.count,
                     .unit = check(doc, path)};
    if (!reader.unit) {
        return false;
    }
    reader.surveyor.arena = doc->arena;
    reader.surveyor.compiler = &reader.unit->compiler;
    if (depth == 0) {
        DocComment head = doc_comment(doc->arena, head_of(&reader, 1), true);
        page->name = head.module ? head.module : page->name;
        page->summary = head.summary;
        page->text = head.text;
    }
    add_definitions(&reader);
    return defines_itself(&reader) || read_brought(&reader, depth);
}

bool doc_collect(Doc *doc, const char *path) {
    DocPage page = {.name = stem_of(doc->arena, path), .path = path};
    if (!read_part(doc, &page, path, 0)) {
        return false;
    }
    array_push(doc->arena, &doc->pages, page);
    return true;
}
