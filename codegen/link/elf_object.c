/* elf_object -- see the header.
 *
 * Section numbers in the file: 0 null, then the sections of the user, .note.GNU-stack, .symtab,
 * .strtab, .shstrtab, and one .rela for each section that has pointers. */
#include "elf_object.h"

#include "../../frontend/base/array.h"
#include "../../frontend/base/text.h"

#include <elf.h>

typedef struct ObjectSection {
    const char *name;
    uint64_t flags;
    StringBuilder data;
    ARRAY_OF(Elf64_Rela) pointers;
} ObjectSection;

struct ElfObject {
    Arena *arena;
    ARRAY_OF(ObjectSection *) sections;
    ARRAY_OF(Elf64_Sym) symbols;
    StringBuilder symbol_names;
    /* of the file being made */
    StringBuilder file;
    StringBuilder section_names;
    ARRAY_OF(Elf64_Shdr) headers;
};

ElfObject *elf_object_create(Arena *arena) {
    ElfObject *object = arena_new(arena, ElfObject);
    object->arena = arena;
    object->symbol_names.arena = arena;
    object->section_names.arena = arena;
    object->file.arena = arena;
    string_append(&object->symbol_names, "", 1);
    string_append(&object->section_names, "", 1);
    array_push(arena, &object->symbols, (Elf64_Sym){0});
    return object;
}

unsigned elf_object_add_section(ElfObject *object, const char *name, uint64_t flags) {
    ObjectSection *section = arena_new(object->arena, ObjectSection);
    section->name = name;
    section->flags = flags;
    section->data.arena = object->arena;
    array_push(object->arena, &object->sections, section);
    return (unsigned)object->sections.count;
}

static ObjectSection *section_at(ElfObject *object, unsigned section) {
    return object->sections.items[section - 1];
}

uint64_t elf_object_append(ElfObject *object, unsigned section, const void *bytes, size_t size) {
    StringBuilder *data = &section_at(object, section)->data;
    uint64_t offset = data->length;
    string_append(data, bytes, size);
    return offset;
}

static unsigned add_symbol(ElfObject *object, const char *name, Elf64_Sym symbol) {
    symbol.st_name = (Elf64_Word)object->symbol_names.length;
    symbol.st_other = STV_HIDDEN;
    string_append(&object->symbol_names, name, strlen(name) + 1);
    array_push(object->arena, &object->symbols, symbol);
    return (unsigned)(object->symbols.count - 1);
}

unsigned elf_object_define(ElfObject *object, const char *name, unsigned section, uint64_t offset,
                           uint64_t size) {
    Elf64_Sym symbol = {
        .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
        .st_shndx = (Elf64_Section)section,
        .st_value = offset,
        .st_size = size,
    };
    return add_symbol(object, name, symbol);
}

unsigned elf_object_refer(ElfObject *object, const char *name) {
    return add_symbol(object, name, (Elf64_Sym){.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)});
}

void elf_object_point(ElfObject *object, unsigned section, uint64_t offset, unsigned symbol,
                      int64_t addend) {
    Elf64_Rela pointer = {offset, ELF64_R_INFO((uint64_t)symbol, R_X86_64_64), addend};
    array_push(object->arena, &section_at(object, section)->pointers, pointer);
}

/* ---- the file ---- */

static void align_file(ElfObject *object) {
    static const char zeros[16];
    string_append(&object->file, zeros, (16 - object->file.length % 16) % 16);
}

/* Append the contents to the file and the header to the table. */
static void put_section(ElfObject *object, const char *name, Elf64_Shdr header, const void *bytes,
                        size_t size) {
    align_file(object);
    header.sh_name = (Elf64_Word)object->section_names.length;
    header.sh_offset = object->file.length;
    header.sh_size = size;
    header.sh_addralign = header.sh_addralign ? header.sh_addralign : 1;
    string_append(&object->section_names, name, strlen(name) + 1);
    string_append(&object->file, bytes, size);
    array_push(object->arena, &object->headers, header);
}

static void put_data(ElfObject *object) {
    for (size_t i = 0; i < object->sections.count; i++) {
        const ObjectSection *section = object->sections.items[i];
        Elf64_Shdr header = {
            .sh_type = SHT_PROGBITS,
            .sh_flags = section->flags,
            .sh_addralign = 16,
        };
        put_section(object, section->name, header, section->data.bytes, section->data.length);
    }
    put_section(object, ".note.GNU-stack", (Elf64_Shdr){.sh_type = SHT_PROGBITS}, "", 0);
}

static void put_tables(ElfObject *object) {
    Elf64_Word symtab = (Elf64_Word)object->headers.count;
    Elf64_Shdr symbols = {
        .sh_type = SHT_SYMTAB,
        .sh_link = symtab + 1,
        .sh_info = 1, /* the first global symbol */
        .sh_entsize = sizeof(Elf64_Sym),
        .sh_addralign = 8,
    };
    put_section(object, ".symtab", symbols, object->symbols.items,
                object->symbols.count * sizeof *object->symbols.items);
    put_section(object, ".strtab", (Elf64_Shdr){.sh_type = SHT_STRTAB}, object->symbol_names.bytes,
                object->symbol_names.length);
    for (size_t i = 0; i < object->sections.count; i++) {
        const ObjectSection *section = object->sections.items[i];
        Elf64_Shdr header = {
            .sh_type = SHT_RELA,
            .sh_flags = SHF_INFO_LINK,
            .sh_link = symtab,
            .sh_info = (Elf64_Word)(i + 1),
            .sh_entsize = sizeof(Elf64_Rela),
            .sh_addralign = 8,
        };
        if (section->pointers.count) {
            put_section(object, arena_format(object->arena, ".rela%s", section->name), header,
                        section->pointers.items,
                        section->pointers.count * sizeof *section->pointers.items);
        }
    }
}

static void put_section_names(ElfObject *object) {
    static const char name[] = ".shstrtab";
    align_file(object);
    Elf64_Shdr header = {
        .sh_name = (Elf64_Word)object->section_names.length,
        .sh_type = SHT_STRTAB,
        .sh_offset = object->file.length,
        .sh_addralign = 1,
    };
    string_append(&object->section_names, name, sizeof name);
    header.sh_size = object->section_names.length;
    string_append(&object->file, object->section_names.bytes, object->section_names.length);
    array_push(object->arena, &object->headers, header);
}

ElfBytes elf_object_finish(ElfObject *object) {
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_REL,
        .e_machine = EM_X86_64,
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_shentsize = sizeof(Elf64_Shdr),
    };
    string_append(&object->file, (const char *)&header, sizeof header);
    array_push(object->arena, &object->headers, (Elf64_Shdr){0});
    put_data(object);
    put_tables(object);
    put_section_names(object);
    align_file(object);
    header.e_shoff = object->file.length;
    header.e_shnum = (Elf64_Half)object->headers.count;
    header.e_shstrndx = (Elf64_Half)(object->headers.count - 1);
    memcpy(object->file.bytes, &header, sizeof header);
    string_append(&object->file, (const char *)object->headers.items,
                  object->headers.count * sizeof *object->headers.items);
    return (ElfBytes){(uint8_t *)object->file.bytes, object->file.length};
}
