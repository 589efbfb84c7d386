/* link_input -- see the header. */
#include "link_input.h"

#include "../../frontend/base/text.h"

#include <ar.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define THIN_MAGIC "!<thin>\n"

/* A file or a part of one; bytes are 16-byte aligned. */
typedef struct FileBytes {
    const uint8_t *bytes;
    size_t size;
} FileBytes;

LinkInput *link_input_create(Arena *arena) {
    LinkInput *input = arena_new(arena, LinkInput);
    input->arena = arena;
    input->defined.arena = arena;
    input->missing.arena = arena;
    return input;
}

/* In one piece when the size is known; a pipe is read in several. */
static const char *read_file(Arena *arena, const char *path, FileBytes *file) {
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return arena_format(arena, "cannot read '%s': %s", path, strerror(errno));
    }
    struct stat status;
    bool is_file = fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode);
    size_t capacity = (is_file ? (size_t)status.st_size : 32 * 1024) + 1;
    uint8_t *bytes = arena_allocate(arena, capacity);
    size_t size = 0;
    size_t got;
    while ((got = fread(bytes + size, 1, capacity - size, stream)) > 0) {
        size += got;
        if (size == capacity) {
            uint8_t *larger = arena_allocate(arena, capacity * 2);
            memcpy(larger, bytes, size);
            bytes = larger;
            capacity *= 2;
        }
    }
    int reason = ferror(stream) ? errno : 0;
    fclose(stream);
    *file = (FileBytes){bytes, size};
    return reason ? arena_format(arena, "cannot read '%s': %s", path, strerror(reason)) : NULL;
}

/* ---- one object ---- */

static const char *open_object(Arena *arena, const char *name, FileBytes file,
                               LinkObject **opened) {
    *opened = NULL;
    LinkObject *object = arena_new(arena, LinkObject);
    object->name = name;
    if (!elf_file_open(&object->elf, file.bytes, file.size)) {
        return NULL;
    }
    *opened = object;
    size_t section = elf_find_section(&object->elf, STACK_TABLE_SECTION);
    if (section == 0) {
        return NULL;
    }
    size_t size;
    const uint8_t *bytes = elf_section_bytes(&object->elf, section, &size);
    object->table = stack_table_create(arena, 0, 0);
    const char *fault = stack_table_decode(object->table, bytes, size);
    if (fault) {
        return arena_format(arena, "damaged stack table in '%s': %s", name, fault);
    }
    section = elf_find_section(&object->elf, INTERFACE_SECTION);
    bytes = section ? elf_section_bytes(&object->elf, section, &size) : NULL;
    fault = bytes ? interface_decode(arena, (const char *)bytes, size, &object->units) : NULL;
    return fault ? arena_format(arena, "'%s' cannot be linked: %s", name, fault) : NULL;
}

static bool is_global(const Elf64_Sym *symbol) {
    return ELF64_ST_BIND(symbol->st_info) != STB_LOCAL;
}

/* The object joins the program: its symbols are defined, the symbols it refers to are wanted. */
static void select_object(LinkInput *input, LinkObject *object) {
    object->is_selected = true;
    array_push(input->arena, &input->objects, object);
    for (size_t i = 1; i < object->elf.symbol_count; i++) {
        const Elf64_Sym *symbol = &object->elf.symbols[i];
        const char *name = elf_symbol_name(&object->elf, symbol);
        if (!is_global(symbol) || !name[0]) {
            continue;
        }
        bool is_wanted = symbol->st_shndx == SHN_UNDEF;
        void **slot =
            name_map_at(is_wanted ? &input->missing : &input->defined, name, strlen(name));
        if (is_wanted && !*slot) {
            array_push(input->arena, &input->wanted, name);
        }
        *slot = *slot ? *slot : object;
    }
}

bool link_input_is_missing(const LinkInput *input, const char *symbol) {
    size_t length = strlen(symbol);
    return name_map_find(&input->missing, symbol, length) &&
           !name_map_find(&input->defined, symbol, length);
}

/* ---- archives ---- */

typedef struct Archive {
    Arena *arena;
    const char *path;
    FileBytes file;
    const char *long_names; /* of the member "//" */
    size_t long_names_size;
    bool is_thin;
} Archive;

/* The name of a member: "name/" or "/offset" into the long names. */
static const char *member_name(const Archive *archive, const struct ar_hdr *header) {
    char field[sizeof header->ar_name + 1] = {0};
    memcpy(field, header->ar_name, sizeof header->ar_name);
    if (field[0] == '/' && field[1] >= '0' && field[1] <= '9') {
        size_t offset = strtoul(field + 1, NULL, 10);
        if (offset >= archive->long_names_size) {
            return "?";
        }
        const char *name = archive->long_names + offset;
        size_t length = 0;
        while (offset + length < archive->long_names_size && name[length] != '\n') {
            length++;
        }
        length -= length > 0 && name[length - 1] == '/';
        return arena_format(archive->arena, "%.*s", (int)length, name);
    }
    field[strcspn(field, "/ ")] = '\0';
    return arena_format(archive->arena, "%s", field);
}

static const char *add_member(const Archive *archive, const struct ar_hdr *header,
                              FileBytes contents, LinkObjects *members) {
    const char *name = member_name(archive, header);
    FileBytes file = contents;
    const char *fault = NULL;
    if (archive->is_thin) {
        fault = read_file(archive->arena, path_beside(archive->arena, archive->path, name), &file);
    } else {
        file.bytes = arena_copy(archive->arena, contents.bytes, contents.size);
    }
    LinkObject *object = NULL;
    const char *title = arena_format(archive->arena, "%s(%s)", archive->path, name);
    fault = fault ? fault : open_object(archive->arena, title, file, &object);
    if (object) {
        array_push(archive->arena, members, object);
    }
    return fault;
}

static size_t member_size(const struct ar_hdr *header) {
    char digits[sizeof header->ar_size + 1] = {0};
    memcpy(digits, header->ar_size, sizeof header->ar_size);
    return strtoul(digits, NULL, 10);
}

/* One member at `offset`; advances it. The member "/" is the index, "//" the long names. */
static const char *read_member(Archive *archive, size_t *offset, LinkObjects *members) {
    const struct ar_hdr *header = (const void *)(archive->file.bytes + *offset);
    size_t start = *offset + sizeof *header;
    size_t size = member_size(header);
    bool is_special =
        header->ar_name[0] == '/' && (header->ar_name[1] == ' ' || header->ar_name[1] == '/' ||
                                      strncmp(header->ar_name, "/SYM64/", 7) == 0);
    size_t stored = archive->is_thin && !is_special ? 0 : size;
    if (memcmp(header->ar_fmag, ARFMAG, 2) != 0 || stored > archive->file.size - start) {
        return arena_format(archive->arena, "'%s' is a damaged archive", archive->path);
    }
    *offset = start + stored + stored % 2;
    const uint8_t *bytes = archive->file.bytes + start;
    if (!is_special) {
        return add_member(archive, header, (FileBytes){bytes, size}, members);
    }
    if (header->ar_name[1] == '/') {
        archive->long_names = (const char *)bytes;
        archive->long_names_size = size;
    }
    return NULL;
}

static bool has_magic(FileBytes file, const char *magic) {
    return file.size >= SARMAG && memcmp(file.bytes, magic, SARMAG) == 0;
}

static const char *read_members(Arena *arena, const char *path, FileBytes file,
                                LinkObjects *members) {
    Archive archive = {.arena = arena, .path = path, .file = file};
    archive.is_thin = has_magic(file, THIN_MAGIC);
    size_t offset = SARMAG;
    while (offset + sizeof(struct ar_hdr) <= file.size) {
        const char *fault = read_member(&archive, &offset, members);
        if (fault) {
            return fault;
        }
    }
    return NULL;
}

/* ---- one member, by the index of its archive ---- */

static uint32_t read_big(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The contents behind the member header at `offset`; no bytes: there is no member. */
static FileBytes read_contents(Arena *arena, FILE *stream, uint32_t offset) {
    struct ar_hdr header;
    struct stat status;
    if (fstat(fileno(stream), &status) != 0 || fseek(stream, (long)offset, SEEK_SET) != 0 ||
        fread(&header, sizeof header, 1, stream) != 1) {
        return (FileBytes){NULL, 0};
    }
    size_t size = member_size(&header);
    if (size > (size_t)status.st_size) {
        return (FileBytes){NULL, 0};
    }
    uint8_t *bytes = arena_allocate(arena, size + 1);
    return (FileBytes){bytes, fread(bytes, 1, size, stream)};
}

/* The index: the number of symbols, the offset of the member of each, their names one after the
 * other. Returns the member's offset; 0: not there. */
static uint32_t find_in_index(FileBytes index, const char *symbol) {
    size_t count = index.size < 4 ? 0 : read_big(index.bytes);
    if (count > index.size / 4 - (count > 0)) {
        return 0;
    }
    const char *name = (const char *)index.bytes + 4 + 4 * count;
    const char *end = (const char *)index.bytes + index.size;
    for (size_t i = 0; i < count && name < end; i++) {
        size_t length = strnlen(name, (size_t)(end - name));
        if (length == strlen(symbol) && memcmp(name, symbol, length) == 0) {
            return read_big(index.bytes + 4 + 4 * i);
        }
        name += length + 1;
    }
    return 0;
}

const char *link_input_find_member(Arena *arena, const char *path, const char *symbol,
                                   LinkObject **member) {
    *member = NULL;
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return arena_format(arena, "cannot read '%s': %s", path, strerror(errno));
    }
    char magic[SARMAG];
    const char *fault = NULL;
    if (fread(magic, sizeof magic, 1, stream) != 1 || memcmp(magic, ARMAG, sizeof magic) != 0) {
        fault = arena_format(arena, "'%s' is no archive", path);
    } else {
        uint32_t offset = find_in_index(read_contents(arena, stream, SARMAG), symbol);
        FileBytes contents = offset ? read_contents(arena, stream, offset) : (FileBytes){NULL, 0};
        fault = open_object(arena, path, contents, member);
    }
    fclose(stream);
    return fault;
}

static bool defines_missing_symbol(const LinkInput *input, const LinkObject *object) {
    for (size_t i = 1; i < object->elf.symbol_count; i++) {
        const Elf64_Sym *symbol = &object->elf.symbols[i];
        if (is_global(symbol) && symbol->st_shndx != SHN_UNDEF &&
            link_input_is_missing(input, elf_symbol_name(&object->elf, symbol))) {
            return true;
        }
    }
    return false;
}

static void select_members(LinkInput *input, const LinkObjects *members) {
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (size_t i = 0; i < members->count; i++) {
            LinkObject *member = members->items[i];
            if (!member->is_selected && defines_missing_symbol(input, member)) {
                select_object(input, member);
                is_changed = true;
            }
        }
    }
}

const char *link_input_add(LinkInput *input, const char *path) {
    FileBytes file;
    const char *fault = read_file(input->arena, path, &file);
    if (fault) {
        return fault;
    }
    if (has_magic(file, ARMAG) || has_magic(file, THIN_MAGIC)) {
        LinkObjects members = {0};
        fault = read_members(input->arena, path, file, &members);
        select_members(input, &members);
        return fault;
    }
    LinkObject *object;
    fault = open_object(input->arena, path, file, &object);
    if (object) {
        select_object(input, object);
    }
    return fault;
}

/* ---- files that are linked when something is wanted from them ---- */

static bool is_wanted(const LinkInput *input, const LinkObjects *objects) {
    for (size_t i = 0; i < objects->count; i++) {
        if (defines_missing_symbol(input, objects->items[i])) {
            return true;
        }
    }
    return false;
}

static const char *read_objects(Arena *arena, const char *path, LinkObjects *objects) {
    FileBytes file;
    const char *fault = read_file(arena, path, &file);
    if (fault) {
        return fault;
    }
    if (has_magic(file, ARMAG) || has_magic(file, THIN_MAGIC)) {
        return read_members(arena, path, file, objects);
    }
    LinkObject *object = NULL;
    fault = open_object(arena, path, file, &object);
    if (object) {
        array_push(arena, objects, object);
    }
    return fault;
}

const char *link_input_add_optional(LinkInput *input, const char *const *paths, size_t count,
                                    const char **chosen, size_t *chosen_count) {
    LinkObjects *files = arena_new_array(input->arena, LinkObjects, count + 1);
    bool *is_chosen = arena_new_array(input->arena, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *fault = read_objects(input->arena, paths[i], &files[i]);
        if (fault) {
            return fault;
        }
    }
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t i = 0; i < count; i++) {
            if (is_wanted(input, &files[i])) {
                select_members(input, &files[i]);
                is_changed = true;
                is_chosen[i] = true;
            }
        }
    }
    *chosen_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_chosen[i]) {
            chosen[(*chosen_count)++] = paths[i];
        }
    }
    return NULL;
}
