/* elf_file -- a relocatable x86-64 object in memory, read only.
 *
 * Owns:   the checks that make it safe to look inside: every section, name and symbol reached
 *         through these functions lies inside the bytes.
 * Leaves: making objects to elf_object.h and elf_section.h.
 * Holds:  the bytes are 8-byte aligned and outlive the ElfFile. */
#ifndef OCCC_ELF_FILE_H
#define OCCC_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ElfFile {
    const uint8_t *bytes;
    size_t size;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    size_t section_count;
    const Elf64_Sym *symbols; /* symbol 0 is the null symbol */
    size_t symbol_count;
    size_t symbol_names; /* section of their names */
} ElfFile;

/* elf_file_open -- false when the bytes are no sound relocatable x86-64 object. */
bool elf_file_open(ElfFile *file, const uint8_t *bytes, size_t size);
/* elf_section_bytes -- contents; NULL and size 0 for a section that has none. */
const uint8_t *elf_section_bytes(const ElfFile *file, size_t section, size_t *size);
/* elf_section_name, elf_symbol_name -- "" when there is none. */
const char *elf_section_name(const ElfFile *file, size_t section);
const char *elf_symbol_name(const ElfFile *file, const Elf64_Sym *symbol);
/* elf_find_section -- the number of a section by name; 0: none. */
size_t elf_find_section(const ElfFile *file, const char *name);
/* elf_relocations -- of a SHT_RELA section; NULL and 0 when it is none or damaged. */
const Elf64_Rela *elf_relocations(const ElfFile *file, size_t section, size_t *count);

#endif
