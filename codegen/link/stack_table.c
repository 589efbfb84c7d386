/* stack_table -- see the header. */
#include "stack_table.h"

#include "../../frontend/base/text.h"

#include <stdlib.h>
#include <string.h>

#define FORMAT_VERSION 1

StackTable *stack_table_create(Arena *arena, unsigned abi_version, unsigned llvm_version) {
    StackTable *table = arena_new(arena, StackTable);
    table->arena = arena;
    table->by_name.arena = arena;
    table->edges.arena = arena;
    table->abi_version = abi_version;
    table->llvm_version = llvm_version;
    return table;
}

StackEntry *stack_table_add(StackTable *table, const char *name, uint32_t frame_bytes,
                            bool may_wait) {
    void **slot = name_map_at(&table->by_name, name, strlen(name));
    if (*slot) {
        return NULL;
    }
    StackEntry *entry = arena_new(table->arena, StackEntry);
    entry->name = arena_format(table->arena, "%s", name);
    entry->frame_bytes = frame_bytes;
    entry->may_wait = may_wait;
    *slot = entry;
    array_push(table->arena, &table->entries, entry);
    return entry;
}

StackEntry *stack_table_find(const StackTable *table, const char *name) {
    return name_map_find(&table->by_name, name, strlen(name));
}

static void add_callee(StackTable *table, StackEntry *entry, const char *name, bool is_tail) {
    const char *edge =
        arena_format(table->arena, "%s\n%c %s", entry->name, is_tail ? 't' : 'c', name);
    void **known = name_map_at(&table->edges, edge, strlen(edge));
    if (!*known) {
        *known = entry;
        StackCallee callee = {arena_format(table->arena, "%s", name), is_tail};
        array_push(table->arena, &entry->callees, callee);
    }
}

/* ---- calls of an object ---- */

/* The code of one entry: bytes [begin, end) of a section. */
typedef struct CodeRange {
    size_t section;
    uint64_t begin;
    uint64_t end;
    StackEntry *entry;
} CodeRange;

typedef ARRAY_OF(CodeRange) CodeRanges;

static int compare_ranges(const void *left, const void *right) {
    const CodeRange *a = left;
    const CodeRange *b = right;
    if (a->section != b->section) {
        return a->section < b->section ? -1 : 1;
    }
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void collect_ranges(const StackTable *table, const ElfFile *object, CodeRanges *ranges) {
    for (size_t i = 1; i < object->symbol_count; i++) {
        const Elf64_Sym *symbol = &object->symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) {
            continue;
        }
        StackEntry *entry = stack_table_find(table, elf_symbol_name(object, symbol));
        if (entry) {
            CodeRange range = {symbol->st_shndx, symbol->st_value,
                               symbol->st_value + symbol->st_size, entry};
            array_push(table->arena, ranges, range);
        }
    }
    if (ranges->count) {
        qsort(ranges->items, ranges->count, sizeof *ranges->items, compare_ranges);
    }
}

static StackEntry *entry_at(const CodeRanges *ranges, size_t section, uint64_t offset) {
    size_t low = 0;
    size_t high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const CodeRange *range = &ranges->items[middle];
        if (range->section < section || (range->section == section && range->end <= offset)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const CodeRange *range = low < ranges->count ? &ranges->items[low] : NULL;
    bool is_hit = range && range->section == section && range->begin <= offset;
    return is_hit ? range->entry : NULL;
}

typedef enum Transfer { TRANSFER_NONE, TRANSFER_CALL, TRANSFER_TAIL } Transfer;

/* What kind of instruction the relocation's 32-bit operand belongs to: the opcode is before it. */
static Transfer transfer_kind(const uint8_t *code, size_t size, const Elf64_Rela *relocation) {
    uint64_t at = relocation->r_offset;
    if (at < 1 || at > size) {
        return TRANSFER_NONE;
    }
    uint8_t first = at >= 2 ? code[at - 2] : 0; /* a jump may begin the section */
    uint8_t last = code[at - 1];
    bool is_jcc = first == 0x0f && (last & 0xf0) == 0x80;
    switch (ELF64_R_TYPE(relocation->r_info)) {
    case R_X86_64_PLT32: return last == 0xe9 || is_jcc ? TRANSFER_TAIL : TRANSFER_CALL;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
        if (first == 0xff && last == 0x15) {
            return TRANSFER_CALL;
        }
        return first == 0xff && last == 0x25 ? TRANSFER_TAIL : TRANSFER_NONE;
    default: return TRANSFER_NONE; /* an address is taken */
    }
}

/* The function a relocation leads to; a local one is reached by its section and an offset. */
static const char *target_name(const ElfFile *object, const CodeRanges *ranges,
                               const Elf64_Rela *relocation) {
    uint64_t number = ELF64_R_SYM(relocation->r_info);
    if (number == 0 || number >= object->symbol_count) {
        return NULL;
    }
    const Elf64_Sym *symbol = &object->symbols[number];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_SECTION) {
        return elf_symbol_name(object, symbol);
    }
    uint64_t offset = symbol->st_value + (uint64_t)relocation->r_addend + 4;
    const StackEntry *entry = entry_at(ranges, symbol->st_shndx, offset);
    return entry ? entry->name : NULL;
}

static void add_calls_of_section(StackTable *table, const ElfFile *object, const CodeRanges *ranges,
                                 size_t relocation_section) {
    size_t count;
    const Elf64_Rela *relocations = elf_relocations(object, relocation_section, &count);
    size_t code_section = object->sections[relocation_section].sh_info;
    size_t size;
    const uint8_t *code = elf_section_bytes(object, code_section, &size);
    for (size_t i = 0; code && i < count; i++) {
        Transfer transfer = transfer_kind(code, size, &relocations[i]);
        StackEntry *entry = entry_at(ranges, code_section, relocations[i].r_offset);
        if (transfer == TRANSFER_NONE || !entry) {
            continue;
        }
        const char *name = target_name(object, ranges, &relocations[i]);
        add_callee(table, entry, name ? name : "?", transfer == TRANSFER_TAIL);
    }
}

void stack_table_add_calls(StackTable *table, const ElfFile *object) {
    CodeRanges ranges = {0};
    collect_ranges(table, object, &ranges);
    for (size_t i = 1; i < object->section_count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        if (section->sh_type == SHT_RELA && section->sh_info < object->section_count &&
            object->sections[section->sh_info].sh_flags & SHF_EXECINSTR) {
            add_calls_of_section(table, object, &ranges, i);
        }
    }
}

/* ---- the section ---- */

const char *stack_table_encode(const StackTable *table, size_t *size) {
    StringBuilder text = {.arena = table->arena};
    string_append_format(&text, "occ-stack %d %u %u\n", FORMAT_VERSION, table->abi_version,
                         table->llvm_version);
    for (size_t i = 0; i < table->entries.count; i++) {
        const StackEntry *entry = table->entries.items[i];
        string_append_format(&text, "f %u %c %s\n", entry->frame_bytes, entry->may_wait ? 'p' : '-',
                             entry->name);
        for (size_t k = 0; k < entry->callees.count; k++) {
            const StackCallee *callee = &entry->callees.items[k];
            string_append_format(&text, "%c %s\n", callee->is_tail ? 't' : 'c', callee->name);
        }
    }
    *size = text.length;
    return text.bytes;
}

/* One line of the section without its newline, as a string; NULL at the end or when it is cut. */
static const char *next_line(const StackTable *table, const char **at, const char *end) {
    const char *newline = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
    if (!newline) {
        return NULL;
    }
    const char *line = arena_format(table->arena, "%.*s", (int)(newline - *at), *at);
    *at = newline + 1;
    return line;
}

/* A decimal number and one blank; NULL when there is none. */
static const char *read_number(const char *text, unsigned long *value) {
    if (!text || *text < '0' || *text > '9') {
        return NULL;
    }
    char *end;
    *value = strtoul(text, &end, 10);
    return *value <= UINT32_MAX && (*end == ' ' || *end == '\0') ? end + (*end == ' ') : NULL;
}

static bool decode_head(StackTable *table, const char *line) {
    unsigned long format;
    unsigned long abi;
    unsigned long llvm;
    const char *rest = read_number(line + strlen("occ-stack "), &format);
    rest = read_number(rest, &abi);
    rest = read_number(rest, &llvm);
    if (!rest || format != FORMAT_VERSION) {
        return false;
    }
    table->abi_version = (unsigned)abi;
    table->llvm_version = (unsigned)llvm;
    return true;
}

static StackEntry *decode_function(StackTable *table, const char *line) {
    unsigned long frame;
    const char *rest = read_number(line + 2, &frame);
    if (!rest || (rest[0] != 'p' && rest[0] != '-') || rest[1] != ' ' || rest[2] == '\0') {
        return NULL;
    }
    return stack_table_add(table, rest + 2, (uint32_t)frame, rest[0] == 'p');
}

const char *stack_table_decode(StackTable *table, const void *bytes, size_t size) {
    const char *at = bytes;
    const char *end = at + size;
    StackEntry *entry = NULL;
    bool has_head = false;
    const char *line;
    while ((line = next_line(table, &at, end)) != NULL) {
        if (strncmp(line, "occ-stack ", 10) == 0) {
            unsigned abi = table->abi_version;
            unsigned llvm = table->llvm_version;
            if (!decode_head(table, line)) {
                return "it is of another format version";
            }
            if (has_head && (abi != table->abi_version || llvm != table->llvm_version)) {
                return "it joins objects of different versions";
            }
            has_head = true;
        } else if (has_head && strncmp(line, "f ", 2) == 0) {
            entry = decode_function(table, line);
            if (!entry) {
                return arena_format(table->arena, "line '%s' is wrong or repeated", line);
            }
        } else if (entry && (strncmp(line, "c ", 2) == 0 || strncmp(line, "t ", 2) == 0)) {
            add_callee(table, entry, line + 2, line[0] == 't');
        } else {
            return arena_format(table->arena, "line '%s' is not understood", line);
        }
    }
    return at == end && has_head ? NULL : "it is cut off";
}
