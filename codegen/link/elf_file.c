/* elf_file -- see the header. */
#include "elf_file.h"

#include <string.h>

static bool is_inside(const ElfFile *file, uint64_t offset, uint64_t size) {
    return offset <= file->size && size <= file->size - offset;
}

static bool header_is_sound(const ElfFile *file) {
    const Elf64_Ehdr *header = file->header;
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
           header->e_type == ET_REL && header->e_machine == EM_X86_64 &&
           header->e_shentsize == sizeof(Elf64_Shdr) && header->e_shnum > 0 &&
           header->e_shstrndx < header->e_shnum && header->e_shoff % 8 == 0 &&
           is_inside(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr));
}

static bool section_is_sound(const ElfFile *file, const Elf64_Shdr *section) {
    if (section->sh_type == SHT_NOBITS || section->sh_type == SHT_NULL) {
        return true;
    }
    bool is_table = section->sh_type == SHT_SYMTAB || section->sh_type == SHT_RELA;
    return is_inside(file, section->sh_offset, section->sh_size) &&
           (!is_table || section->sh_offset % 8 == 0);
}

static bool open_symbols(ElfFile *file) {
    for (size_t i = 1; i < file->section_count; i++) {
        const Elf64_Shdr *section = &file->sections[i];
        if (section->sh_type != SHT_SYMTAB) {
            continue;
        }
        if (section->sh_entsize != sizeof(Elf64_Sym) || section->sh_link >= file->section_count) {
            return false;
        }
        file->symbols = (const void *)(file->bytes + section->sh_offset);
        file->symbol_count = section->sh_size / sizeof(Elf64_Sym);
        file->symbol_names = section->sh_link;
    }
    return true;
}

bool elf_file_open(ElfFile *file, const uint8_t *bytes, size_t size) {
    *file = (ElfFile){.bytes = bytes, .size = size, .header = (const void *)bytes};
    if (size < sizeof(Elf64_Ehdr) || !header_is_sound(file)) {
        return false;
    }
    file->sections = (const void *)(bytes + file->header->e_shoff);
    file->section_count = file->header->e_shnum;
    for (size_t i = 0; i < file->section_count; i++) {
        if (!section_is_sound(file, &file->sections[i])) {
            return false;
        }
    }
    return open_symbols(file);
}

const uint8_t *elf_section_bytes(const ElfFile *file, size_t section, size_t *size) {
    *size = 0;
    if (section == 0 || section >= file->section_count ||
        file->sections[section].sh_type == SHT_NOBITS ||
        file->sections[section].sh_type == SHT_NULL) {
        return NULL;
    }
    *size = file->sections[section].sh_size;
    return file->bytes + file->sections[section].sh_offset;
}

static const char *string_at(const ElfFile *file, size_t table, size_t offset) {
    size_t size;
    const uint8_t *bytes = elf_section_bytes(file, table, &size);
    if (!bytes || offset >= size || !memchr(bytes + offset, '\0', size - offset)) {
        return "";
    }
    return (const char *)bytes + offset;
}

const char *elf_section_name(const ElfFile *file, size_t section) {
    return string_at(file, file->header->e_shstrndx, file->sections[section].sh_name);
}

size_t elf_find_section(const ElfFile *file, const char *name) {
    for (size_t i = 1; i < file->section_count; i++) {
        if (strcmp(elf_section_name(file, i), name) == 0) {
            return i;
        }
    }
    return 0;
}

const char *elf_symbol_name(const ElfFile *file, const Elf64_Sym *symbol) {
    return string_at(file, file->symbol_names, symbol->st_name);
}

const Elf64_Rela *elf_relocations(const ElfFile *file, size_t section, size_t *count) {
    *count = 0;
    const Elf64_Shdr *header = &file->sections[section];
    if (header->sh_type != SHT_RELA || header->sh_entsize != sizeof(Elf64_Rela)) {
        return NULL;
    }
    size_t size;
    const uint8_t *bytes = elf_section_bytes(file, section, &size);
    *count = size / sizeof(Elf64_Rela);
    return (const void *)bytes;
}
