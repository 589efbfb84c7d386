/* elf_section -- see the header.
 *
 * The new object is the old one, then the contents, then the table of section names with one more,
 * then the section headers. The old bytes stay where they are, so no offset in them changes. */
#include "elf_section.h"

#include "elf_file.h"

#include <string.h>

static size_t align_up(size_t offset) {
    return (offset + 7) / 8 * 8;
}

/* Where the parts of the new object begin. */
typedef struct Layout {
    size_t contents;
    size_t names;
    size_t names_size;
    size_t headers;
    size_t end;
} Layout;

static Layout plan(const ElfFile *file, const char *name, size_t size) {
    Layout layout;
    size_t old_names;
    elf_section_bytes(file, file->header->e_shstrndx, &old_names);
    layout.contents = align_up(file->size);
    layout.names = align_up(layout.contents + size);
    layout.names_size = old_names + strlen(name) + 1;
    layout.headers = align_up(layout.names + layout.names_size);
    layout.end = layout.headers + (file->section_count + 1) * sizeof(Elf64_Shdr);
    return layout;
}

static void write_headers(uint8_t *to, const ElfFile *file, const Layout *layout, size_t size) {
    size_t names = file->header->e_shstrndx;
    Elf64_Shdr *sections = (void *)(to + layout->headers);
    memcpy(sections, file->sections, file->section_count * sizeof *sections);
    Elf64_Shdr *added = &sections[file->section_count];
    memset(added, 0, sizeof *added);
    added->sh_name = (Elf64_Word)file->sections[names].sh_size;
    added->sh_type = SHT_PROGBITS;
    added->sh_flags = SHF_EXCLUDE;
    added->sh_offset = layout->contents;
    added->sh_size = size;
    added->sh_addralign = 1;
    sections[names].sh_offset = layout->names;
    sections[names].sh_size = layout->names_size;
    Elf64_Ehdr *header = (void *)to;
    header->e_shoff = layout->headers;
    header->e_shnum = (Elf64_Half)(file->section_count + 1);
}

ElfBytes elf_section_append(Arena *arena, const void *object, size_t object_size, const char *name,
                            const void *contents, size_t size) {
    ElfFile file;
    ElfBytes result = {NULL, 0};
    if (!elf_file_open(&file, object, object_size) || file.section_count + 1 >= SHN_LORESERVE) {
        return result;
    }
    Layout layout = plan(&file, name, size);
    size_t old_size;
    const uint8_t *old_names = elf_section_bytes(&file, file.header->e_shstrndx, &old_size);
    result.bytes = arena_allocate(arena, layout.end);
    result.size = layout.end;
    memcpy(result.bytes, object, object_size);
    if (size) {
        memcpy(result.bytes + layout.contents, contents, size);
    }
    if (old_names) {
        memcpy(result.bytes + layout.names, old_names, old_size);
    }
    memcpy(result.bytes + layout.names + old_size, name, strlen(name) + 1);
    write_headers(result.bytes, &file, &layout, size);
    return result;
}
