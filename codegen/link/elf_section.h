/* elf_section -- add one section to a finished object.
 *
 * Holds:  the section is no part of the program's memory, and the linker drops it from executables
 *         (SHF_EXCLUDE) but keeps it when it joins objects (ld -r). */
#ifndef OCCC_ELF_SECTION_H
#define OCCC_ELF_SECTION_H

#include "../../frontend/base/arena.h"

#include <stdint.h>

typedef struct ElfBytes {
    uint8_t *bytes; /* NULL: failed */
    size_t size;
} ElfBytes;

/* elf_section_append -- the object with the section behind its others; bytes NULL when the object
 * is not sound or already has the largest number of sections. */
ElfBytes elf_section_append(Arena *arena, const void *object, size_t object_size, const char *name,
                            const void *contents, size_t size);

#endif
