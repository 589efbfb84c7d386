/* link_input -- the objects that a link brings together, those out of archives included.
 *
 * Owns:   reading objects and archives (ordinary and thin), and choosing the archive members as a
 *         linker does: a member comes in when it defines a symbol that is still missing.
 * Leaves: the real linking to the system's linker; this only has to see the same objects.
 * Holds:  a file that is no x86-64 object is not looked into; the linker will report it. Objects
 *         without a stack table are C or assembly. */
#ifndef OCCC_LINK_INPUT_H
#define OCCC_LINK_INPUT_H

#include "../../frontend/unit/interface.h"
#include "stack_table.h"

/* The section with the libraries that an object's code needs: names for -l, a line each. */
#define LIBRARIES_SECTION ".occ.link"

typedef struct LinkObject {
    const char *name; /* file, or archive(member) */
    ElfFile elf;
    StackTable *table; /* NULL: none */
    Interfaces units;  /* the units whose code it holds */
    bool is_selected;
} LinkObject;

typedef ARRAY_OF(LinkObject *) LinkObjects;

typedef struct LinkInput {
    Arena *arena;
    LinkObjects objects;           /* selected ones, in order */
    NameMap defined;               /* symbol -> LinkObject that defines it */
    NameMap missing;               /* symbol -> LinkObject that wants it */
    ARRAY_OF(const char *) wanted; /* keys of missing, in order */
} LinkInput;

LinkInput *link_input_create(Arena *arena);
/* link_input_add_optional -- add those files of a list that are wanted, as an archive's members;
 * *chosen: their paths. NULL, or what is wrong. */
const char *link_input_add_optional(LinkInput *input, const char *const *paths, size_t count,
                                    const char **chosen, size_t *chosen_count);
/* link_input_add -- an object or archive. NULL, or why it cannot be read. */
const char *link_input_add(LinkInput *input, const char *path);
/* link_input_is_missing -- is the symbol wanted by a selected object and defined by none? */
bool link_input_is_missing(const LinkInput *input, const char *symbol);
/* link_input_find_member -- *member: the member that defines the symbol, by the archive's index;
 * NULL: none, or no object. Returns NULL, or why the archive cannot be read. */
const char *link_input_find_member(Arena *arena, const char *path, const char *symbol,
                                   LinkObject **member);

#endif
