/* unit -- separately compiled units: where #USE finds them, and which this compilation uses.
 *
 * Owns:   the search for objects, libraries and sources of units; whether an object fits its
 *         source and the other units; the list of what has been used, which the link step takes.
 * Leaves: reading the text to preprocess_use.c, the record of a unit to interface.h.
 * Holds:  a unit is the same unit however it is reached: its types exist once. In a folder an
 *         object goes before the source, and must have been made from it as it is now. */
#ifndef OCCC_UNIT_H
#define OCCC_UNIT_H

#include "interface.h"
#include "source.h"

typedef struct UsedUnit {
    const char *name;
    const char *origin;               /* as messages call it: a.o, liba.a(b.o), a.occ */
    const char *object;               /* to be linked; NULL: source, compiled here */
    const Interface *interface;       /* NULL: source */
    const char *source_digest;        /* of its own file */
    bool is_global;                   /* its text was read at the outermost level */
    ARRAY_OF(struct UsedUnit *) uses; /* and what those use */
} UsedUnit;

/* A unit inside of an object or library. */
typedef struct UnitRecord {
    const Interface *interface;
    const char *origin;
    const char *object;
    UsedUnit *used; /* once it is */
} UnitRecord;

typedef struct UnitFile {
    const char *path;
    const char *fault; /* NULL: sound */
    ARRAY_OF(UnitRecord *) records;
} UnitFile;

typedef struct UnitTable {
    Arena *arena;
    ARRAY_OF(const char *) directories; /* -I, -L, the library */
    ARRAY_OF(const char *) objects;     /* of the command line */
    ARRAY_OF(UnitFile *) files;         /* looked into so far */
    ARRAY_OF(UsedUnit *) used;          /* in the order of first use */
    const char *own_name;               /* of the unit being compiled; NULL: a program */
    bool stops;                         /* -fstop-mode */
    bool is_incomplete;                 /* a unit was not found: its names are unknown */
} UnitTable;

typedef enum UnitAnswer {
    UNIT_NOWHERE,
    UNIT_SOURCE,  /* path */
    UNIT_OBJECTS, /* records */
    UNIT_STALE,   /* path and the object do not fit */
    UNIT_FAULTY   /* file->fault */
} UnitAnswer;

typedef struct UnitSearch {
    const char *path;
    const UnitFile *file;
    ARRAY_OF(UnitRecord *) records;
} UnitSearch;

UnitTable *unit_table_create(Arena *arena);
/* unit_is_named -- two names of one unit: symbols cannot have all the characters of file names, so
 * my_unit.occ is the unit my.unit. */
bool unit_is_named(const char *left, const char *right);
/* unit_file -- the units in a file; NULL when it is no object or library of ours. */
const UnitFile *unit_file(UnitTable *table, const char *path);
/* unit_search -- `name` without suffix, from a file in `folder` ("" or ending in a slash). */
UnitAnswer unit_search(UnitTable *table, const char *name, const char *folder, UnitSearch *found);
/* unit_search_directories -- the same, only in the folders of -I and -L and in the library. */
UnitAnswer unit_search_directories(UnitTable *table, const char *name, UnitSearch *found);
/* unit_search_use -- the unit that an interface in a file says it uses, if *answer is UNIT_OBJECTS:
 * the one it was compiled with, else one of that name. */
UnitRecord *unit_search_use(UnitTable *table, const UnitRecord *user, const InterfaceUse *use,
                            UnitAnswer *answer);
/* unit_source_digest -- of a file; NULL when it cannot be read. */
const char *unit_source_digest(Arena *arena, const char *path);
/* unit_find_used -- the unit of that name that this compilation uses; NULL: none. */
UsedUnit *unit_find_used(const UnitTable *table, const char *name);
/* unit_add_record, unit_add_source -- now it is used. */
UsedUnit *unit_add_record(UnitTable *table, UnitRecord *record);
UsedUnit *unit_add_source(UnitTable *table, const char *name, const SourceFile *file);
/* unit_add_use -- user uses this one, and what this one uses. */
void unit_add_use(UnitTable *table, UsedUnit *user, UsedUnit *used);
/* unit_sees -- names of `owner` mean something in the text of `viewer`. NULL owner: the unit being
 * compiled. */
bool unit_sees(const UsedUnit *viewer, const UsedUnit *owner);

#endif
