/* package_unit -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "package_unit.h"

#include "file.h"
#include "folder.h"
#include "unit.h"

#include <string.h>

enum { INCLUDE_DEPTH = 8 };

/* ---- which there are ---- */

/* The name without what stands behind its last dot, if that is a suffix of ours. */
static const char *stem_of(Arena *arena, const char *path) {
    static const char *const suffixes[] = {".occ", ".module", ".lib", ".tco", ".tce"};
    const char *name = path_name(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t length = strlen(name);
        size_t suffix = strlen(suffixes[i]);
        if (length > suffix && strcmp(name + length - suffix, suffixes[i]) == 0) {
            return arena_format(arena, "%.*s", (int)(length - suffix), name);
        }
    }
    return name;
}

static bool add_unit(Arena *arena, PackageUnits *units, const char *folder, const char *path) {
    const char *name = stem_of(arena, path);
    for (size_t i = 0; i < units->count; i++) {
        if (strcmp(units->items[i].path, path) == 0) {
            return true;
        }
        if (unit_is_named(units->items[i].name, name)) {
            driver_error("two units have the name '%s': %s and %s", name, units->items[i].path,
                         path);
            return false;
        }
    }
    PackageUnit unit = {
        .name = name, .path = path, .object = arena_format(arena, "%s/%s.o", folder, name)};
    array_push(arena, units, unit);
    return true;
}

static bool is_source(const char *name) {
    size_t length = strlen(name);
    bool is_occam = length > 4 && strcmp(name + length - 4, ".occ") == 0;
    bool is_test = length > 9 && strcmp(name + length - 9, "_test.occ") == 0;
    return is_occam && !is_test;
}

static bool add_folder(Arena *arena, PackageUnits *units, const char *objects, const char *folder) {
    Words names = folder_names(arena, folder);
    bool all = true;
    for (size_t i = 0; i < names.count; i++) {
        if (is_source(names.items[i])) {
            const char *path = arena_format(arena, "%s/%s", folder, names.items[i]);
            all = add_unit(arena, units, objects, path) && all;
        }
    }
    return all;
}

/* ---- what they use ---- */

PackageUnit *package_unit_of_path(const PackageUnits *units, const char *path) {
    for (size_t i = 0; i < units->count; i++) {
        if (strcmp(units->items[i].path, path) == 0) {
            return &units->items[i];
        }
    }
    return NULL;
}

static const PackageUnit *unit_of_name(const PackageUnits *units, const char *name) {
    for (size_t i = 0; i < units->count; i++) {
        if (unit_is_named(units->items[i].name, name)) {
            return &units->items[i];
        }
    }
    return NULL;
}

static void add_use(Arena *arena, const PackageUnits *units, PackageUnit *unit, const char *name) {
    const PackageUnit *used = unit_of_name(units, stem_of(arena, name));
    if (!used || used == unit) {
        return;
    }
    size_t index = (size_t)(used - units->items);
    for (size_t i = 0; i < unit->uses.count; i++) {
        if (unit->uses.items[i] == index) {
            return;
        }
    }
    array_push(arena, &unit->uses, index);
}

/* The name between quotes behind the directive; NULL: the line is another. */
static const char *directive_name(Arena *arena, const char *line, const char *directive) {
    line += strspn(line, " \t");
    if (strncmp(line, directive, strlen(directive)) != 0) {
        return NULL;
    }
    const char *open = line + strcspn(line, "\"\n");
    size_t length = *open == '"' ? strcspn(open + 1, "\"\n") : 0;
    return length > 0 ? arena_format(arena, "%.*s", (int)length, open + 1) : NULL;
}

/* The lines of #USE, also those that an #IF leaves out: what is made before it is needed does no
 * harm. Included files may use units, too. */
static void scan(Arena *arena, const PackageUnits *units, PackageUnit *unit, const char *path,
                 unsigned depth) {
    FileText text;
    if (depth > INCLUDE_DEPTH || !file_read(arena, path, &text)) {
        return;
    }
    for (const char *line = text.bytes; *line; line += line[strcspn(line, "\n")] == '\n') {
        const char *use = directive_name(arena, line, "#USE");
        const char *include = directive_name(arena, line, "#INCLUDE");
        if (use) {
            add_use(arena, units, unit, use);
        } else if (include) {
            int folder = (int)path_folder_length(path);
            scan(arena, units, unit, arena_format(arena, "%.*s%s", folder, path, include),
                 depth + 1);
        }
        line += strcspn(line, "\n");
    }
}

/* Units that use each other in a circle have some level; the compiler says what is wrong. */
static unsigned find_level(PackageUnits *units, PackageUnit *unit) {
    if (!unit->is_visited) {
        unit->is_visited = true;
        for (size_t i = 0; i < unit->uses.count; i++) {
            unsigned below = find_level(units, &units->items[unit->uses.items[i]]);
            unit->level = below + 1 > unit->level ? below + 1 : unit->level;
        }
    }
    return unit->level;
}

bool package_units_find(Arena *arena, const Manifests *manifests, const char *folder,
                        PackageUnits *units) {
    bool all = true;
    for (size_t i = 0; i < manifests->count; i++) {
        const Manifest *manifest = manifests->items[i];
        for (size_t k = 0; k < manifest->sources.count; k++) {
            all = add_folder(arena, units, folder, manifest->sources.items[k]) && all;
        }
        for (size_t k = 0; i == 0 && k < manifest->programs.count; k++) {
            all = add_unit(arena, units, folder, manifest->programs.items[k].main) && all;
        }
    }
    for (size_t i = 0; i < units->count; i++) {
        scan(arena, units, &units->items[i], units->items[i].path, 0);
    }
    for (size_t i = 0; i < units->count; i++) {
        unsigned level = find_level(units, &units->items[i]);
        units->levels = level + 1 > units->levels ? level + 1 : units->levels;
    }
    return all;
}

/* ---- is it still good? ---- */

static bool has_its_sources(Arena *arena, const PackageUnit *unit, const Interface *interface) {
    int folder = (int)path_folder_length(unit->path);
    for (size_t i = 0; i < interface->sources.count; i++) {
        const InterfaceSource *source = &interface->sources.items[i];
        if (i > 0 && source->path[0] == '/') {
            continue; /* of the library: the folder of objects is another when that changes */
        }
        const char *path =
            i == 0 ? unit->path : arena_format(arena, "%.*s%s", folder, unit->path, source->path);
        const char *digest = unit_source_digest(arena, path);
        if (!digest || strcmp(digest, source->digest) != 0) {
            return false;
        }
    }
    return true;
}

static bool has_its_uses(const PackageUnits *units, const Interface *interface) {
    for (size_t i = 0; i < interface->uses.count; i++) {
        const InterfaceUse *use = &interface->uses.items[i];
        const PackageUnit *used = unit_of_name(units, use->name);
        if (used && (!used->digest || strcmp(used->digest, use->digest) != 0)) {
            return false;
        }
    }
    return true;
}

void package_unit_look(Arena *arena, const PackageUnits *units, PackageUnit *unit) {
    UnitTable *table = unit_table_create(arena);
    const UnitFile *file = unit_file(table, unit->object);
    unit->digest = NULL;
    for (size_t i = 0; file && !file->fault && i < file->records.count; i++) {
        const Interface *interface = file->records.items[i]->interface;
        if (!interface->within && has_its_sources(arena, unit, interface) &&
            has_its_uses(units, interface)) {
            unit->digest = interface->digest;
        }
    }
}

/* ---- what is linked ---- */

static void add_closure(Arena *arena, const PackageUnits *units, const PackageUnit *unit,
                        Words *objects) {
    for (size_t i = 0; i < unit->uses.count; i++) {
        const PackageUnit *used = &units->items[unit->uses.items[i]];
        bool is_known = false;
        for (size_t k = 0; k < objects->count; k++) {
            is_known = is_known || objects->items[k] == used->object;
        }
        if (!is_known) {
            array_push(arena, objects, used->object);
            add_closure(arena, units, used, objects);
        }
    }
}

Words package_unit_closure(Arena *arena, const PackageUnits *units, const PackageUnit *unit) {
    Words objects = {0};
    add_closure(arena, units, unit, &objects);
    return objects;
}
