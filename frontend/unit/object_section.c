/* object_section -- see the header. */
#include "object_section.h"

#include "file.h"
#include "text.h"

#include <ar.h>
#include <elf.h>
#include <stdlib.h>

#define THIN_MAGIC "!<thin>\n"

static bool read_whole(Arena *arena, const char *path, FileText *file) {
    char magic[SARMAG];
    bool is_wanted = file_read_start(path, magic, sizeof magic) == sizeof magic &&
                     (memcmp(magic, ELFMAG, SELFMAG) == 0 || memcmp(magic, ARMAG, SARMAG) == 0 ||
                      memcmp(magic, THIN_MAGIC, SARMAG) == 0);
    return is_wanted && file_read(arena, path, file);
}

/* ---- objects ---- */

static bool lies_inside(FileText file, uint64_t offset, uint64_t size) {
    return offset <= file.length && size <= file.length - offset;
}

static bool section_header(FileText file, const Elf64_Ehdr *header, size_t index,
                           Elf64_Shdr *section) {
    uint64_t offset = header->e_shoff + index * sizeof *section;
    if (index >= header->e_shnum || !lies_inside(file, offset, sizeof *section)) {
        return false;
    }
    memcpy(section, file.bytes + offset, sizeof *section);
    return section->sh_type == SHT_NOBITS ||
           lies_inside(file, section->sh_offset, section->sh_size);
}

static bool has_name(FileText file, const Elf64_Shdr *names, const Elf64_Shdr *section,
                     const char *name) {
    size_t length = strlen(name) + 1;
    return section->sh_name < names->sh_size && length <= names->sh_size - section->sh_name &&
           memcmp(file.bytes + names->sh_offset + section->sh_name, name, length) == 0;
}

static bool find_in_object(Arena *arena, FileText file, const char *member, const char *name,
                           ObjectSections *found) {
    Elf64_Ehdr header;
    if (file.length < sizeof header || memcmp(file.bytes, ELFMAG, SELFMAG) != 0) {
        return false;
    }
    memcpy(&header, file.bytes, sizeof header);
    Elf64_Shdr names;
    if (header.e_type != ET_REL || header.e_shentsize != sizeof names ||
        !section_header(file, &header, header.e_shstrndx, &names) || names.sh_type != SHT_STRTAB) {
        return header.e_type == ET_REL;
    }
    for (size_t i = 1; i < header.e_shnum; i++) {
        Elf64_Shdr section;
        if (section_header(file, &header, i, &section) && section.sh_type != SHT_NOBITS &&
            has_name(file, &names, &section, name)) {
            ObjectSection one = {member, file.bytes + section.sh_offset, section.sh_size};
            array_push(arena, found, one);
        }
    }
    return true;
}

/* ---- archives ---- */

typedef struct ArchiveNames {
    const char *bytes;
    size_t size;
} ArchiveNames;

static const char *member_name(Arena *arena, const struct ar_hdr *header, ArchiveNames names) {
    const char *from = header->ar_name;
    size_t room = sizeof header->ar_name;
    char end = '/';
    if (from[0] == '/' && from[1] >= '0' && from[1] <= '9') { /* a place among the long names */
        size_t offset = strtoul(from + 1, NULL, 10);
        from = names.bytes + (offset < names.size ? offset : names.size);
        room = offset < names.size ? names.size - offset : 0;
        end = '\n';
    }
    size_t length = 0;
    while (length < room && from[length] != end) {
        length++;
    }
    length -= length > 0 && end == '\n' && from[length - 1] == '/';
    return arena_format(arena, "%.*s", (int)length, from);
}

static void find_in_archive(Arena *arena, const char *path, FileText file, const char *name,
                            ObjectSections *found) {
    bool is_thin = memcmp(file.bytes, THIN_MAGIC, SARMAG) == 0;
    ArchiveNames names = {"", 0};
    size_t offset = SARMAG;
    while (lies_inside(file, offset, sizeof(struct ar_hdr))) {
        struct ar_hdr header;
        memcpy(&header, file.bytes + offset, sizeof header);
        char digits[sizeof header.ar_size + 1] = {0};
        memcpy(digits, header.ar_size, sizeof header.ar_size);
        size_t size = strtoul(digits, NULL, 10);
        bool is_index =
            header.ar_name[0] == '/' &&
            (header.ar_name[1] == ' ' || header.ar_name[1] == '/' || header.ar_name[1] == 'S');
        FileText contents = {file.bytes + offset + sizeof header, size};
        offset += sizeof header;
        size_t stored = is_thin && !is_index ? 0 : size;
        if (memcmp(header.ar_fmag, ARFMAG, 2) != 0 || !lies_inside(file, offset, stored)) {
            return;
        }
        offset += stored + stored % 2;
        if (is_index) {
            names = header.ar_name[1] == '/' ? (ArchiveNames){contents.bytes, size} : names;
            continue;
        }
        const char *member = member_name(arena, &header, names);
        if (!is_thin || read_whole(arena, path_beside(arena, path, member), &contents)) {
            find_in_object(arena, contents, member, name, found);
        }
    }
}

bool object_sections(Arena *arena, const char *path, const char *name, ObjectSections *found) {
    FileText file;
    if (!read_whole(arena, path, &file)) {
        return false;
    }
    if (memcmp(file.bytes, ELFMAG, SELFMAG) == 0) {
        return find_in_object(arena, file, NULL, name, found);
    }
    find_in_archive(arena, path, file, name, found);
    return true;
}
