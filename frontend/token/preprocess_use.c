/* preprocess_use -- #USE: the text of a unit's source, or the interface out of its object.
 *
 * Owns:  the order in which the texts of units are read: what a unit uses comes before it.
 * Holds: a unit used at the left margin is read once in a compilation; in a deeper scope it is
 *        read again, because its first reading may have gone out of scope. Suffixes of units that
 *        were compiled for transputers are dropped. */
#include "define.h"
#include "preprocess_stack.h"

#include <string.h>

/* .t4h, .tax, .c8s: compiled or linked, for a class of transputers and an error mode. */
static bool is_transputer_suffix(const char *suffix) {
    return suffix[0] == '.' && strchr("tc", suffix[1]) && strchr("234589a", suffix[2]) &&
           strchr("hsux", suffix[3]);
}

const char *preprocess_stem(Arena *arena, const char *name) {
    static const char *const suffixes[] = {".lib", ".tce",    ".tco", ".tcx", ".lku",
                                           ".occ", ".module", ".o",   ".a"};
    size_t length = strlen(name);
    if (length > 4 && is_transputer_suffix(name + length - 4)) {
        return arena_format(arena, "%.*s", (int)(length - 4), name);
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t suffix = strlen(suffixes[i]);
        if (length > suffix && strcmp(name + length - suffix, suffixes[i]) == 0) {
            return arena_format(arena, "%.*s", (int)(length - suffix), name);
        }
    }
    return name;
}

static const char *own_name_of(Arena *arena, const char *path) {
    return preprocess_stem(arena, path_name(path));
}

/* A #USE being handled: where it stands, and how deep. */
typedef struct Using {
    Preprocessor *preprocessor;
    Location at;
    int32_t indent;
    ARRAY_OF(const UsedUnit *) order; /* texts to read, what a unit uses before it */
} Using;

/* ---- interfaces ---- */

static UsedUnit *use_record(Using *using, UnitRecord *record);

static void report_versions(Using *using, const char *user, const char *unit, const char *one,
                            const char *other) {
    Diag *diag = using->preprocessor->lexing.diag;
    if (user) {
        diag_report(diag, DIAG_UNIT_VERSIONS, using->at, user, unit, other);
    } else {
        diag_report(diag, DIAG_UNIT_TWICE, using->at, unit, one, other);
    }
    diag_hint(diag, "compile %s again", user ? user : "the units that use it");
}

/* One that was compiled into another's object calls its routines differently, as its text shows. */
static bool is_same(const UsedUnit *unit, const Interface *interface) {
    if (unit->interface && strcmp(unit->interface->digest, interface->digest) == 0) {
        return true;
    }
    bool has_own_objects = unit->interface && !unit->interface->within && !interface->within;
    return !has_own_objects && interface->sources.count > 0 &&
           strcmp(unit->source_digest, interface->sources.items[0].digest) == 0;
}

static void add_define(Preprocessor *preprocessor, const char *text) {
    size_t length = strcspn(text, " ");
    const char *rest = text + length + strspn(text + length, " ");
    DefineValue value = {0};
    if (define_parse(preprocessor->lexing.texts, rest, strlen(rest), &value)) {
        define_set(preprocessor->defines, text_intern(preprocessor->lexing.texts, text, length),
                   value);
    }
}

/* The unit being compiled must not be used by a unit that it uses. */
static bool is_own(Using *using, const char *name, const char *user) {
    const char *own = using->preprocessor->units->own_name;
    if (!own || !unit_is_named(own, name)) {
        return false;
    }
    diag_report(using->preprocessor->lexing.diag, DIAG_UNIT_CYCLE, using->at, name, user);
    return true;
}

static void use_others(Using *using, const UnitRecord *record, UsedUnit *unit) {
    UnitTable *table = using->preprocessor->units;
    for (size_t i = 0; i < record->interface->uses.count; i++) {
        const InterfaceUse *use = &record->interface->uses.items[i];
        if (is_own(using, use->name, record->origin)) {
            continue;
        }
        UnitAnswer answer = UNIT_NOWHERE;
        UnitRecord *other = unit_search_use(table, record, use, &answer);
        if (!other && answer == UNIT_FAULTY && table->is_incomplete) {
            continue; /* already reported */
        }
        if (!other) {
            diag_report(using->preprocessor->lexing.diag, DIAG_UNIT_MISSING, using->at,
                        record->origin, use->name);
            table->is_incomplete = true;
            continue;
        }
        if (strcmp(other->interface->digest, use->digest) != 0) {
            report_versions(using, record->origin, use->name, NULL, other->origin);
        }
        UsedUnit *used = use_record(using, other);
        if (used) {
            unit_add_use(table, unit, used);
        }
    }
}

static void push_text(Using *using, const UsedUnit *unit) {
    Preprocessor *preprocessor = using->preprocessor;
    SourceFile *file = source_add_text(preprocessor->sources, unit->origin, unit->interface->text,
                                       unit->interface->text_length);
    file->included_at = using->at;
    file->unit = (UsedUnit *)unit;
    file->is_generated = true;
    preprocess_push(preprocessor, file, using->indent);
}

/* The text to be read first goes on top. */
static void push_texts(Using *using) {
    for (size_t i = using->order.count; i-- > 0;) {
        push_text(using, using->order.items[i]);
    }
    for (size_t i = 0; i < using->order.count; i++) {
        const Interface *interface = using->order.items[i]->interface;
        for (size_t k = 0; k < interface->defines.count; k++) {
            add_define(using->preprocessor, interface->defines.items[k]);
        }
    }
}

/* NULL after a message. */
static UsedUnit *use_record(Using *using, UnitRecord *record) {
    UnitTable *table = using->preprocessor->units;
    const char *name = record->interface->name;
    if (is_own(using, name, record->origin)) {
        return NULL;
    }
    UsedUnit *unit = record->used ? record->used : unit_find_used(table, name);
    if (unit && !is_same(unit, record->interface)) {
        report_versions(using, NULL, name, unit->origin, record->origin);
        return unit;
    }
    record->used = unit;
    if (unit && (unit->is_global || !unit->interface)) {
        return unit;
    }
    if (!unit) {
        unit = unit_add_record(table, record);
    }
    unit->is_global = using->indent == 0;
    use_others(using, record, unit);
    array_push(table->arena, &using->order, unit);
    return unit;
}

static void use_objects(Using *using, const UnitSearch *found) {
    UsedUnit *user = preprocess_unit(using->preprocessor);
    for (size_t i = 0; i < found->records.count; i++) {
        UsedUnit *unit = use_record(using, found->records.items[i]);
        if (unit && user) {
            unit_add_use(using->preprocessor->units, user, unit);
        }
    }
    push_texts(using);
}

/* ---- sources ---- */

static bool is_used(const Preprocessor *preprocessor, const char *path) {
    for (size_t i = 0; i < preprocessor->used.count; i++) {
        if (strcmp(preprocessor->used.items[i], path) == 0) {
            return true;
        }
    }
    return false;
}

/* The unit of a file that is being read. */
static const UsedUnit *unit_of_open(const Preprocessor *preprocessor, const char *path) {
    const UsedUnit *unit = NULL;
    for (size_t i = 0; i < preprocessor->frames.count; i++) {
        const SourceFile *file = preprocessor->frames.items[i]->file;
        unit = strcmp(file->path, path) == 0 ? file->unit : unit;
    }
    return unit;
}

/* A file that is being read already: a module that uses the library of its own name, or a cycle. */
static void use_open_source(Using *using, const char *path) {
    Preprocessor *preprocessor = using->preprocessor;
    const UsedUnit *user = preprocess_unit(preprocessor);
    const SourceFile *file = preprocessor->frames.items[preprocessor->frames.count - 1]->file;
    bool is_itself = strcmp(file->path, path) == 0;
    const char *dot = strrchr(path, '.');
    bool is_module = dot && strcmp(dot, ".module") == 0;
    if (unit_of_open(preprocessor, path) != user || (is_itself && !is_module)) {
        diag_report(preprocessor->lexing.diag, DIAG_UNIT_CYCLE, using->at,
                    own_name_of(preprocessor->lexing.arena, path), user ? user->origin : path);
    }
}

static void use_source(Using *using, const DirectiveLine *line, const char *path) {
    Preprocessor *preprocessor = using->preprocessor;
    UnitTable *table = preprocessor->units;
    UsedUnit *user = preprocess_unit(preprocessor);
    if (preprocess_is_open(preprocessor, path)) {
        use_open_source(using, path);
        return;
    }
    const char *name = own_name_of(preprocessor->lexing.arena, path);
    UsedUnit *unit = unit_find_used(table, name);
    if (unit && unit->interface && unit->is_global) { /* it came with an object */
        const char *digest = unit_source_digest(preprocessor->lexing.arena, path);
        if (digest && strcmp(digest, unit->source_digest) != 0) {
            report_versions(using, NULL, name, unit->origin, path);
        }
    } else if (!is_used(preprocessor, path)) {
        size_t files = source_file_count(preprocessor->sources);
        preprocess_open(preprocessor, line, path, using->at, NULL);
        if (source_file_count(preprocessor->sources) == files) {
            return; /* already reported */
        }
        SourceFile *file = (SourceFile *)source_file(preprocessor->sources, (uint32_t)files + 1);
        unit = unit_add_source(table, name, file);
        file->is_unit = true;
        file->unit = unit;
        if (using->indent == 0) {
            array_push(preprocessor->lexing.arena, &preprocessor->used, path);
        }
    }
    if (user && unit) {
        unit_add_use(table, user, unit);
    }
}

/* ---- the directive ---- */

static const char *folder_of(const Preprocessor *preprocessor, Location from) {
    const SourceFile *file = source_file(preprocessor->sources, from.file);
    int length = file ? (int)path_folder_length(file->path) : 0;
    return arena_format(preprocessor->lexing.arena, "%.*s", length, file ? file->path : "");
}

static void report_nowhere(Using *using, const char *name, const char *stem) {
    Diag *diag = using->preprocessor->lexing.diag;
    diag_report(diag, DIAG_DIRECTIVE_NO_UNIT, using->at, name);
    diag_note(diag, (Location){0}, "looked for %s.o, lib%s.a, %s.occ, %s.module and %s in %s", stem,
              stem, stem, stem, stem, preprocess_searched_places(using->preprocessor, using->at));
    preprocess_hint_file(using->preprocessor, name, true, using->at);
}

/* A program may have the name of a library: the unit found beside it is then itself. */
static UnitAnswer search_elsewhere_too(Preprocessor *preprocessor, const char *stem,
                                       const char *folder, UnitSearch *found) {
    UnitAnswer answer = unit_search(preprocessor->units, stem, folder, found);
    const SourceFile *file = preprocessor->frames.items[preprocessor->frames.count - 1]->file;
    if (answer != UNIT_SOURCE || strcmp(file->path, found->path) != 0) {
        return answer;
    }
    UnitSearch other = {0};
    UnitAnswer second = unit_search_directories(preprocessor->units, stem, &other);
    if (second == UNIT_NOWHERE) {
        return answer;
    }
    *found = other;
    return second;
}

void preprocess_use(Preprocessor *preprocessor, const DirectiveLine *line) {
    size_t used = 0;
    const char *name = directive_quoted_name(preprocessor, line, &used);
    if (!name) {
        preprocessor->compiler->has_missing_names = true;
        return;
    }
    Using using = {.preprocessor = preprocessor,
                   .at = directive_name_location(line, used),
                   .indent = line->token->indent};
    Diag *diag = preprocessor->lexing.diag;
    const char *stem = preprocess_stem(preprocessor->lexing.arena, name);
    const char *folder = folder_of(preprocessor, line->token->at);
    UnitSearch found = {0};
    UnitAnswer answer = search_elsewhere_too(preprocessor, stem, folder, &found);
    if (answer != UNIT_NOWHERE) {
        directive_check_end(preprocessor, line, used);
    }
    switch (answer) {
    case UNIT_NOWHERE:
        report_nowhere(&using, name, stem);
        preprocessor->units->is_incomplete = true;
        break;
    case UNIT_SOURCE: use_source(&using, line, found.path); break;
    case UNIT_OBJECTS: use_objects(&using, &found); break;
    case UNIT_STALE:
        diag_report(diag, DIAG_UNIT_STALE, using.at, found.file->path, found.path);
        diag_hint(diag, "occc -c %s", found.path);
        use_objects(&using, &found);
        break;
    case UNIT_FAULTY:
        diag_report(diag, DIAG_UNIT_UNFIT, using.at, found.file->path, found.file->fault);
        diag_hint(diag, "compile it again");
        preprocessor->units->is_incomplete = true;
        break;
    }
}
