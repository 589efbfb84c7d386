/* elf_section and elf_object -- objects made from nothing and with a section added. */
#include "elf_file.h"
#include "elf_object.h"
#include "elf_section.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An object with a constant, a pointer to it and an undefined name. */
static ElfBytes make_object(Arena *arena) {
    ElfObject *object = elf_object_create(arena);
    unsigned constants = elf_object_add_section(object, ".rodata", SHF_ALLOC);
    unsigned data = elf_object_add_section(object, ".data", SHF_ALLOC | SHF_WRITE);
    uint32_t value = 0x12345678;
    uint64_t zero = 0;
    uint64_t at = elf_object_append(object, constants, &value, sizeof value);
    elf_object_define(object, "value", constants, at, sizeof value);
    uint64_t pointer = elf_object_append(object, data, &zero, sizeof zero);
    elf_object_define(object, "pointer", data, pointer, sizeof zero);
    elf_object_point(object, data, pointer, elf_object_refer(object, "elsewhere"), 12);
    return elf_object_finish(object);
}

static void test_elf_object__is_read_back(Arena *arena) {
    ElfBytes bytes = make_object(arena);
    ElfFile file;
    assert(elf_file_open(&file, bytes.bytes, bytes.size));
    assert(file.symbol_count == 4);
    assert(strcmp(elf_symbol_name(&file, &file.symbols[1]), "value") == 0);
    assert(file.symbols[3].st_shndx == SHN_UNDEF);
    size_t size;
    const uint8_t *constants = elf_section_bytes(&file, elf_find_section(&file, ".rodata"), &size);
    assert(size == 4 && constants[0] == 0x78);
    size_t count;
    const Elf64_Rela *pointers =
        elf_relocations(&file, elf_find_section(&file, ".rela.data"), &count);
    assert(count == 1 && pointers[0].r_addend == 12);
    assert(ELF64_R_SYM(pointers[0].r_info) == 3);
}

static void test_elf_object__is_what_binutils_accept(Arena *arena) {
    ElfBytes bytes = make_object(arena);
    char path[] = "/tmp/occ-object-XXXXXX";
    int file = mkstemp(path);
    assert(file >= 0 && write(file, bytes.bytes, bytes.size) == (ssize_t)bytes.size);
    close(file);
    int status = system(arena_format(arena, "ld -r -o /dev/null %s", path));
    unlink(path);
    assert(status == 0 || status == 127 << 8); /* 127: no binutils here */
}

static void test_elf_section__is_added_behind_the_others(Arena *arena) {
    ElfBytes before = make_object(arena);
    ElfBytes after = elf_section_append(arena, before.bytes, before.size, ".occ.test", "hello", 5);
    assert(after.bytes);
    ElfFile file;
    assert(elf_file_open(&file, after.bytes, after.size));
    size_t section = elf_find_section(&file, ".occ.test");
    assert(section == file.section_count - 1);
    size_t size;
    const uint8_t *contents = elf_section_bytes(&file, section, &size);
    assert(size == 5 && memcmp(contents, "hello", 5) == 0);
    assert(file.sections[section].sh_flags == SHF_EXCLUDE);
    ElfFile old;
    assert(elf_file_open(&old, before.bytes, before.size));
    assert(file.symbol_count == old.symbol_count);
    for (size_t i = 1; i < old.section_count; i++) {
        assert(strcmp(elf_section_name(&old, i), elf_section_name(&file, i)) == 0);
        assert(file.sections[i].sh_type == old.sections[i].sh_type);
    }
    assert(strcmp(elf_symbol_name(&file, &file.symbols[2]), "pointer") == 0);
}

static void test_elf_section__can_be_empty_and_repeated(Arena *arena) {
    ElfBytes bytes = make_object(arena);
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, ".s%d", i);
        bytes = elf_section_append(arena, bytes.bytes, bytes.size, name, NULL, 0);
        assert(bytes.bytes);
    }
    ElfFile file;
    assert(elf_file_open(&file, bytes.bytes, bytes.size));
    assert(elf_find_section(&file, ".s0") && elf_find_section(&file, ".s4"));
}

/* Look at everything that can be looked at. */
static void look_everywhere(Arena *arena, const uint8_t *bytes, size_t size) {
    ElfFile file;
    if (!elf_file_open(&file, bytes, size)) {
        return;
    }
    size_t sum = 0;
    for (size_t i = 0; i < file.section_count; i++) {
        size_t count;
        const uint8_t *contents = elf_section_bytes(&file, i, &count);
        sum += strlen(elf_section_name(&file, i)) + (count ? contents[count - 1] : 0u);
        const Elf64_Rela *pointers = elf_relocations(&file, i, &count);
        sum += count ? pointers[count - 1].r_offset : 0;
    }
    for (size_t i = 0; i < file.symbol_count; i++) {
        sum += strlen(elf_symbol_name(&file, &file.symbols[i]));
    }
    (void)sum;
    elf_section_append(arena, bytes, size, ".x", "y", 1);
}

static void test_elf_file__survives_damage(Arena *arena) {
    ElfBytes whole = make_object(arena);
    for (size_t size = 0; size < whole.size; size++) {
        look_everywhere(arena, arena_copy(arena, whole.bytes, size), size);
    }
    unsigned seed = 1;
    for (int round = 0; round < 20000; round++) {
        uint8_t *bytes = malloc(whole.size);
        assert(bytes);
        memcpy(bytes, whole.bytes, whole.size);
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[(seed >> 8) % whole.size] = (uint8_t)(seed >> 24);
        }
        Arena *scratch = arena_create();
        look_everywhere(scratch, bytes, whole.size);
        arena_destroy(scratch);
        free(bytes);
    }
}

int main(void) {
    Arena *arena = arena_create();
    test_elf_object__is_read_back(arena);
    test_elf_object__is_what_binutils_accept(arena);
    test_elf_section__is_added_behind_the_others(arena);
    test_elf_section__can_be_empty_and_repeated(arena);
    test_elf_file__survives_damage(arena);
    arena_destroy(arena);
    return 0;
}
