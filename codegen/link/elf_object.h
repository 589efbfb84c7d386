/* elf_object -- a relocatable object built from nothing: sections of data, symbols, relocations.
 *
 * Owns:   the form of the file.
 * Holds:  every symbol is global and hidden: defined in a section, or undefined. The link step
 *         makes its constants with it, so that it starts neither LLVM nor an assembler. */
#ifndef OCCC_ELF_OBJECT_H
#define OCCC_ELF_OBJECT_H

#include "elf_section.h"

typedef struct ElfObject ElfObject;

ElfObject *elf_object_create(Arena *arena);
/* elf_object_add_section -- data of the program; its number. flags: SHF_ALLOC, SHF_WRITE. */
unsigned elf_object_add_section(ElfObject *object, const char *name, uint64_t flags);
/* elf_object_append -- add bytes at the end of the section; returns their offset. */
uint64_t elf_object_append(ElfObject *object, unsigned section, const void *bytes, size_t size);
/* elf_object_define -- a symbol for `size` bytes of a section; elf_object_refer -- an undefined
 * one. Both return its number. */
unsigned elf_object_define(ElfObject *object, const char *name, unsigned section, uint64_t offset,
                           uint64_t size);
unsigned elf_object_refer(ElfObject *object, const char *name);
/* elf_object_point -- make the eight bytes at `offset` the address of symbol + addend. */
void elf_object_point(ElfObject *object, unsigned section, uint64_t offset, unsigned symbol,
                      int64_t addend);
ElfBytes elf_object_finish(ElfObject *object);

#endif
