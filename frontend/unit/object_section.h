/* object_section -- one section of ELF objects, alone or in archives.
 *
 * Owns:   reading x86-64 objects and `ar` archives as far as a section's bytes need it.
 * Leaves: what is in the section to the caller; objects as a linker sees them to codegen/.
 * Holds:  nothing outside of the file is read, however damaged it is; what is no sound object has
 *         no sections. */
#ifndef OCCC_OBJECT_SECTION_H
#define OCCC_OBJECT_SECTION_H

#include "array.h"

#include <stdbool.h>

typedef struct ObjectSection {
    const char *member; /* of an archive; NULL: the file is the object */
    const char *bytes;
    size_t size;
} ObjectSection;

typedef ARRAY_OF(ObjectSection) ObjectSections;

/* object_sections -- every section of that name in the file, in order. False: the file cannot be
 * read, or is neither object nor archive. */
bool object_sections(Arena *arena, const char *path, const char *name, ObjectSections *found);

#endif
