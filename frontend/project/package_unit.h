/* package_unit -- the units of packages, and which of them must be compiled again.
 *
 * Owns:   which units there are, in which order they are made, whether an object is still what its
 *         sources would give.
 * Leaves: compiling to package.c; what an object knows of itself to interface.h.
 * Holds:  an object is good when every source it was made from has the contents it had, and every
 *         unit it uses the interface it had. Nothing is noted beside the objects. */
#ifndef OCCC_PACKAGE_UNIT_H
#define OCCC_PACKAGE_UNIT_H

#include "interface.h"
#include "manifest.h"

typedef struct PackageUnit {
    const char *name;
    const char *path;
    const char *object;
    ARRAY_OF(size_t) uses; /* units of packages, by index */
    unsigned level;        /* above those of all that it uses */
    const char *digest;    /* of its interface; NULL: the object is no good */
    bool is_visited;
} PackageUnit;

typedef struct PackageUnits {
    PackageUnit *items;
    size_t count;
    size_t capacity;
    unsigned levels;
} PackageUnits;

/* package_units_find -- those of the packages; objects go to `folder`. False after a message: two
 * have one name. */
bool package_units_find(Arena *arena, const Manifests *manifests, const char *folder,
                        PackageUnits *units);
/* package_unit_look -- set its digest, once those of the units it uses are known. */
void package_unit_look(Arena *arena, const PackageUnits *units, PackageUnit *unit);
/* package_unit_closure -- the units it uses, and those that they use: their objects. */
Words package_unit_closure(Arena *arena, const PackageUnits *units, const PackageUnit *unit);
PackageUnit *package_unit_of_path(const PackageUnits *units, const char *path);

#endif
