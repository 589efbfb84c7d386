/* unit -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "unit.h"

#include "file.h"
#include "object_section.h"
#include "text.h"
#include "version.h"

#include <unistd.h>

UnitTable *unit_table_create(Arena *arena) {
    UnitTable *table = arena_new(arena, UnitTable);
    table->arena = arena;
    return table;
}

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool begins_with_name(const char *text, const char *name) {
    for (; *name; text++, name++) {
        if (!*text || (*text != *name && (is_plain(*text) || is_plain(*name)))) {
            return false;
        }
    }
    return true;
}

bool unit_is_named(const char *left, const char *right) {
    return strlen(left) == strlen(right) && begins_with_name(left, right);
}

/* ---- objects ---- */

static void add_records(UnitTable *table, UnitFile *file, const ObjectSection *section) {
    Interfaces found = {0};
    file->fault = interface_decode(table->arena, section->bytes, section->size, &found);
    const char *origin = section->member
                             ? arena_format(table->arena, "%s(%s)", file->path, section->member)
                             : file->path;
    for (size_t i = 0; i < found.count && !file->fault; i++) {
        UnitRecord *record = arena_new(table->arena, UnitRecord);
        *record = (UnitRecord){found.items[i], origin, file->path, NULL};
        array_push(table->arena, &file->records, record);
        if (strcmp(found.items[i]->compiler, OCCC_VERSION) != 0) {
            file->fault = arena_format(table->arena, "it was made by occc %s, and this is occc %s",
                                       found.items[i]->compiler, OCCC_VERSION);
        }
    }
}

/* The units in a file; NULL when it is no object or library of ours. */
static UnitFile *open_file(UnitTable *table, const char *path) {
    for (size_t i = 0; i < table->files.count; i++) {
        if (strcmp(table->files.items[i]->path, path) == 0) {
            return table->files.items[i];
        }
    }
    ObjectSections sections = {0};
    if (access(path, R_OK) != 0 ||
        !object_sections(table->arena, path, INTERFACE_SECTION, &sections) || sections.count == 0) {
        return NULL;
    }
    UnitFile *file = arena_new(table->arena, UnitFile);
    file->path = arena_format(table->arena, "%s", path);
    for (size_t i = 0; i < sections.count && !file->fault; i++) {
        add_records(table, file, &sections.items[i]);
    }
    array_push(table->arena, &table->files, file);
    return file;
}

const UnitFile *unit_file(UnitTable *table, const char *path) {
    return open_file(table, path);
}

/* One with an object of its own goes before a copy that was compiled into another's object. */
static UnitRecord *record_by_name(const UnitFile *file, const char *name) {
    UnitRecord *copy = NULL;
    for (size_t i = file->records.count; i-- > 0;) {
        UnitRecord *record = file->records.items[i];
        if (unit_is_named(record->interface->name, name)) {
            if (!record->interface->within) {
                return record;
            }
            copy = copy ? copy : record;
        }
    }
    return copy;
}

/* A library may hold a unit and copies of it, in any order: the one that the user was compiled
 * with; without such a one the unit itself, which does not fit. */
static UnitRecord *record_for_use(const UnitFile *file, const InterfaceUse *use) {
    for (size_t i = 0; i < file->records.count; i++) {
        UnitRecord *record = file->records.items[i];
        if (unit_is_named(record->interface->name, use->name) &&
            strcmp(record->interface->digest, use->digest) == 0) {
            return record;
        }
    }
    UnitRecord *other = record_by_name(file, use->name);
    return other && other->interface->within ? NULL : other;
}

/* `name` is the file's own name, as name.o, name.a or libname.a. */
static bool is_called(const char *path, const char *name) {
    const char *file = path_name(path);
    size_t length = strlen(name);
    if (strncmp(file, "lib", 3) == 0 && begins_with_name(file + 3, name) &&
        strcmp(file + 3 + length, ".a") == 0) {
        return true;
    }
    return begins_with_name(file, name) &&
           (strcmp(file + length, ".o") == 0 || strcmp(file + length, ".a") == 0);
}

/* ---- does an object fit its source? ---- */

const char *unit_source_digest(Arena *arena, const char *path) {
    FileText text;
    return file_read(arena, path, &text) ? interface_digest(arena, text.bytes, text.length) : NULL;
}

/* The sources of a unit lie where its object lies; those that are elsewhere, or gone, say nothing.
 */
static bool is_stale(UnitTable *table, const Interface *interface, const char *source) {
    int folder = (int)path_folder_length(source);
    for (size_t i = 0; i < interface->sources.count; i++) {
        const InterfaceSource *one = &interface->sources.items[i];
        const char *path =
            i == 0 ? source : arena_format(table->arena, "%.*s%s", folder, source, one->path);
        const char *digest =
            one->path[0] == '/' && i > 0 ? NULL : unit_source_digest(table->arena, path);
        if (digest && strcmp(digest, one->digest) != 0) {
            return true;
        }
    }
    return false;
}

/* ---- the search ---- */

/* An error does in all units the same. The source of an object that was compiled the other way is
 * compiled again with what uses it. */
static bool has_other_mode(const UnitTable *table, const UnitFile *file) {
    for (size_t i = 0; i < file->records.count; i++) {
        bool stops = strcmp(file->records.items[i]->interface->mode, "stop") == 0;
        if (stops != table->stops) {
            return true;
        }
    }
    return false;
}

static UnitAnswer take_file(UnitTable *table, UnitFile *file, const char *name, UnitSearch *found) {
    found->file = file;
    if (file->fault) {
        return UNIT_FAULTY;
    }
    if (has_other_mode(table, file)) {
        file->fault = table->stops ? "it was compiled without -fstop-mode"
                                   : "it was compiled with -fstop-mode";
        return UNIT_FAULTY;
    }
    UnitRecord *one = record_by_name(file, name);
    if (one && !is_called(file->path, name)) {
        array_push(table->arena, &found->records, one);
        return UNIT_OBJECTS;
    }
    for (size_t i = 0; i < file->records.count; i++) {
        array_push(table->arena, &found->records, file->records.items[i]);
    }
    return UNIT_OBJECTS;
}

/* The file that has the unit; without such a one, the first that has a copy of it. */
static UnitAnswer search_command_line(UnitTable *table, const char *name, UnitSearch *found) {
    UnitFile *with_copy = NULL;
    for (size_t i = 0; i < table->objects.count; i++) {
        UnitFile *file = open_file(table, table->objects.items[i]);
        const UnitRecord *record = file ? record_by_name(file, name) : NULL;
        if (file && ((record && !record->interface->within) || is_called(file->path, name))) {
            return take_file(table, file, name, found);
        }
        with_copy = record && !with_copy ? file : with_copy;
    }
    return with_copy ? take_file(table, with_copy, name, found) : UNIT_NOWHERE;
}

static UnitAnswer search_command_line_for(UnitTable *table, const InterfaceUse *use,
                                          UnitSearch *found) {
    UnitFile *chosen = NULL;
    for (size_t i = 0; i < table->objects.count; i++) {
        UnitFile *file = open_file(table, table->objects.items[i]);
        const UnitRecord *record = file ? record_for_use(file, use) : NULL;
        if (record && strcmp(record->interface->digest, use->digest) == 0) {
            return take_file(table, file, use->name, found);
        }
        chosen = record && !chosen ? file : chosen;
    }
    return chosen ? take_file(table, chosen, use->name, found) : UNIT_NOWHERE;
}

static const char *find_source(UnitTable *table, const char *stem) {
    static const char *const suffixes[] = {".occ", ".module", ""};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const char *path = arena_format(table->arena, "%s%s", stem, suffixes[i]);
        if (file_is_there(path)) {
            return path;
        }
    }
    return NULL;
}

static UnitFile *find_object(UnitTable *table, const char *folder, const char *name) {
    const char *part = path_name(name);
    int before = (int)(part - name);
    const char *paths[] = {
        arena_format(table->arena, "%s%s.o", folder, name),
        arena_format(table->arena, "%s%.*slib%s.a", folder, before, name, part),
        arena_format(table->arena, "%s%s.a", folder, name),
    };
    UnitFile *file = NULL;
    for (size_t i = 0; i < sizeof paths / sizeof *paths && !file; i++) {
        file = open_file(table, paths[i]);
    }
    return file;
}

/* A module wraps a library of the same name, so it does not count as its source. */
static bool is_module(const char *path) {
    size_t length = strlen(path);
    return length > 7 && strcmp(path + length - 7, ".module") == 0;
}

static UnitAnswer search_folder(UnitTable *table, const char *name, const char *folder,
                                UnitSearch *found) {
    UnitFile *file = find_object(table, folder, name);
    found->path = find_source(table, arena_format(table->arena, "%s%s", folder, name));
    if (file && !file->fault && found->path && has_other_mode(table, file)) {
        file = NULL;
    }
    if (!file) {
        return found->path ? UNIT_SOURCE : UNIT_NOWHERE;
    }
    UnitAnswer answer = take_file(table, file, path_name(name), found);
    const UnitRecord *own = record_by_name(file, path_name(name));
    if (answer == UNIT_OBJECTS && own && found->path && !is_module(found->path) &&
        is_stale(table, own->interface, found->path)) {
        return UNIT_STALE;
    }
    return answer;
}

UnitAnswer unit_search_directories(UnitTable *table, const char *name, UnitSearch *found) {
    UnitAnswer answer = UNIT_NOWHERE;
    for (size_t i = 0; i < table->directories.count && answer == UNIT_NOWHERE; i++) {
        const char *next = arena_format(table->arena, "%s/", table->directories.items[i]);
        answer = search_folder(table, name, next, found);
    }
    return answer;
}

UnitAnswer unit_search(UnitTable *table, const char *name, const char *folder, UnitSearch *found) {
    if (name[0] == '/') {
        return search_folder(table, name, "", found);
    }
    UnitAnswer answer = search_command_line(table, path_name(name), found);
    if (answer == UNIT_NOWHERE) {
        answer = search_folder(table, name, folder, found);
    }
    return answer == UNIT_NOWHERE ? unit_search_directories(table, name, found) : answer;
}

/* ---- units of units ---- */

static UnitFile *file_of(const UnitTable *table, const UnitRecord *record) {
    for (size_t i = 0; i < table->files.count; i++) {
        if (table->files.items[i]->path == record->object) {
            return table->files.items[i];
        }
    }
    return NULL;
}

static UnitAnswer search_use(UnitTable *table, const UnitRecord *user, const InterfaceUse *use,
                             UnitSearch *found) {
    const UnitFile *same = file_of(table, user);
    if (same && record_for_use(same, use)) {
        found->file = same;
        return UNIT_OBJECTS;
    }
    UnitAnswer answer = search_command_line_for(table, use, found);
    int length = (int)path_folder_length(user->object);
    const char *folder = arena_format(table->arena, "%.*s", length, user->object);
    const char *places[] = {
        /* beside its user; where it was when that was compiled */
        use->object ? arena_format(table->arena, "%s%s", folder, path_name(use->object)) : NULL,
        use->object,
    };
    for (size_t i = 0; i < 2 && answer == UNIT_NOWHERE && places[i]; i++) {
        UnitFile *file = open_file(table, places[i]);
        answer = file ? take_file(table, file, use->name, found) : UNIT_NOWHERE;
    }
    const char *object = use->object ? path_name(use->object) : "";
    size_t length_of_stem = strlen(object);
    bool is_object = length_of_stem > 2 && strcmp(object + length_of_stem - 2, ".o") == 0;
    const char *name =
        is_object ? arena_format(table->arena, "%.*s", (int)length_of_stem - 2, object) : use->name;
    return answer == UNIT_NOWHERE ? unit_search(table, name, folder, found) : answer;
}

UnitRecord *unit_search_use(UnitTable *table, const UnitRecord *user, const InterfaceUse *use,
                            UnitAnswer *answer) {
    UnitSearch found = {0};
    *answer = search_use(table, user, use, &found);
    return *answer == UNIT_OBJECTS ? record_for_use(found.file, use) : NULL;
}

/* ---- what is used ---- */

UsedUnit *unit_find_used(const UnitTable *table, const char *name) {
    for (size_t i = 0; i < table->used.count; i++) {
        if (unit_is_named(table->used.items[i]->name, name)) {
            return table->used.items[i];
        }
    }
    return NULL;
}

UsedUnit *unit_add_record(UnitTable *table, UnitRecord *record) {
    UsedUnit *unit = arena_new(table->arena, UsedUnit);
    unit->name = record->interface->name;
    unit->origin = record->origin;
    unit->object = record->object;
    unit->interface = record->interface;
    unit->source_digest =
        record->interface->sources.count ? record->interface->sources.items[0].digest : "";
    record->used = unit;
    array_push(table->arena, &table->used, unit);
    return unit;
}

UsedUnit *unit_add_source(UnitTable *table, const char *name, const SourceFile *file) {
    UsedUnit *unit = arena_new(table->arena, UsedUnit);
    char *plain = arena_format(table->arena, "%s", name);
    for (char *c = plain; *c; c++) {
        *c = is_plain(*c) ? *c : '.';
    }
    unit->name = plain;
    unit->origin = file->path;
    unit->source_digest = interface_digest(table->arena, file->bytes, file->length);
    array_push(table->arena, &table->used, unit);
    return unit;
}

static void add_once(UnitTable *table, UsedUnit *user, UsedUnit *used) {
    for (size_t i = 0; i < user->uses.count; i++) {
        if (user->uses.items[i] == used) {
            return;
        }
    }
    if (used != user) {
        array_push(table->arena, &user->uses, used);
    }
}

void unit_add_use(UnitTable *table, UsedUnit *user, UsedUnit *used) {
    for (size_t i = 0; i < used->uses.count; i++) {
        add_once(table, user, used->uses.items[i]);
    }
    add_once(table, user, used);
}

bool unit_sees(const UsedUnit *viewer, const UsedUnit *owner) {
    if (viewer == owner) {
        return true;
    }
    for (size_t i = 0; i < viewer->uses.count; i++) {
        if (viewer->uses.items[i] == owner) {
            return true;
        }
    }
    return false;
}
