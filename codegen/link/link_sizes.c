/* link_sizes -- see the header. */
#include "link_sizes.h"

#include "elf_object.h"
#include "layout_offsets.h"
#include "stack_bound.h"

#include <string.h>

#define SIZE_SUFFIX "$stk"
/* What a new process starts with: saved register, start routine, body. */
#define START_BYTES       24
#define BLOCK_LIMIT_BYTES (UINT16_MAX * (uint64_t)LAYOUT_SIZE_CLASS_UNIT) /* Process.size_class */

/* StackTableRow -- one function; runtime/include/occ/stack_table.h reads it. */
typedef struct StackTableRow {
    uint64_t function; /* filled in by the linker */
    uint32_t frame_bytes;
    uint32_t unused; /* up to the alignment of the next */
    uint64_t name;   /* filled in by the linker */
} StackTableRow;

static StackTable *join_tables(Arena *arena, const LinkInput *input) {
    StackTable *whole = stack_table_create(arena, 0, 0);
    for (size_t i = 0; i < input->objects.count; i++) {
        const StackTable *table = input->objects.items[i]->table;
        for (size_t k = 0; table && k < table->entries.count; k++) {
            const StackEntry *from = table->entries.items[k];
            StackEntry *to = stack_table_add(whole, from->name, from->frame_bytes, from->may_wait);
            if (to) {
                to->callees = from->callees;
            }
        }
    }
    return whole;
}

static uint64_t block_bytes(uint64_t bound) {
    uint64_t unit = LAYOUT_SIZE_CLASS_UNIT;
    uint64_t stack = bound > START_BYTES ? bound : START_BYTES;
    return (stack + unit - 1) / unit * unit + SIZE_Process;
}

static const char *define_size(Arena *arena, StackBounds *bounds, ElfObject *object,
                               unsigned section, const char *symbol) {
    const char *body =
        arena_format(arena, "%.*s", (int)(strlen(symbol) - strlen(SIZE_SUFFIX)), symbol);
    uint64_t bound = 0;
    const char *fault = stack_bound(bounds, body, &bound);
    if (fault) {
        return fault;
    }
    if (block_bytes(bound) > BLOCK_LIMIT_BYTES) {
        return arena_format(arena, "process '%s' needs %llu bytes of stack; at most %llu work",
                            body, (unsigned long long)bound,
                            (unsigned long long)(BLOCK_LIMIT_BYTES - SIZE_Process));
    }
    uint32_t size = (uint32_t)block_bytes(bound);
    uint64_t offset = elf_object_append(object, section, &size, sizeof size);
    elf_object_define(object, symbol, section, offset, sizeof size);
    return NULL;
}

static bool is_size(const char *symbol) {
    size_t length = strlen(symbol);
    size_t suffix = strlen(SIZE_SUFFIX);
    return length > suffix && strcmp(symbol + length - suffix, SIZE_SUFFIX) == 0;
}

static const char *define_sizes(Arena *arena, const LinkInput *input, const StackTable *table,
                                ElfObject *object, unsigned section) {
    StackBounds *bounds = stack_bounds_create(arena, table);
    for (size_t i = 0; i < input->wanted.count; i++) {
        const char *symbol = input->wanted.items[i];
        if (is_size(symbol) && link_input_is_missing(input, symbol)) {
            const char *fault = define_size(arena, bounds, object, section, symbol);
            if (fault) {
                return fault;
            }
        }
    }
    return NULL;
}

static void define_table(const StackTable *table, ElfObject *object, unsigned constants) {
    unsigned rows = elf_object_add_section(object, ".data.rel.ro", SHF_ALLOC | SHF_WRITE);
    unsigned names = elf_object_add_section(object, ".rodata.occ.names", SHF_ALLOC);
    unsigned names_symbol = elf_object_define(object, "occ_stack_names", names, 0, 0);
    for (size_t i = 0; i < table->entries.count; i++) {
        const StackEntry *entry = table->entries.items[i];
        StackTableRow row = {.frame_bytes = entry->frame_bytes};
        uint64_t at = elf_object_append(object, rows, &row, sizeof row);
        uint64_t name = elf_object_append(object, names, entry->name, strlen(entry->name) + 1);
        elf_object_point(object, rows, at + offsetof(StackTableRow, function),
                         elf_object_refer(object, entry->name), 0);
        elf_object_point(object, rows, at + offsetof(StackTableRow, name), names_symbol,
                         (int64_t)name);
    }
    elf_object_define(object, "occ_stack_table", rows, 0,
                      table->entries.count * sizeof(StackTableRow));
    uint32_t count = (uint32_t)table->entries.count;
    uint64_t at = elf_object_append(object, constants, &count, sizeof count);
    elf_object_define(object, "occ_stack_table_count", constants, at, sizeof count);
}

static void define_programs(const LinkWords *programs, ElfObject *object) {
    unsigned section = elf_object_add_section(object, ".data.rel.ro", SHF_ALLOC | SHF_WRITE);
    const uint64_t nothing = 0;
    for (size_t i = 0; i < programs->count; i++) {
        uint64_t at = elf_object_append(object, section, &nothing, sizeof nothing);
        elf_object_point(object, section, at, elf_object_refer(object, programs->items[i]), 0);
    }
    elf_object_append(object, section, &nothing, sizeof nothing);
    elf_object_define(object, "occ_programs", section, 0, (programs->count + 1) * sizeof(uint64_t));
}

const char *link_sizes(Arena *arena, const LinkInput *input, const LinkWords *programs,
                       ElfBytes *result) {
    StackTable *table = join_tables(arena, input);
    ElfObject *object = elf_object_create(arena);
    unsigned constants = elf_object_add_section(object, ".rodata", SHF_ALLOC);
    const char *fault = define_sizes(arena, input, table, object, constants);
    if (fault) {
        return fault;
    }
    define_table(table, object, constants);
    if (programs->count > 1) {
        define_programs(programs, object);
    }
    *result = elf_object_finish(object);
    return NULL;
}

const char *link_routine_sizes(Arena *arena, const char *object, RoutineSizes *sizes) {
    LinkInput *input = link_input_create(arena);
    const char *fault = link_input_add(input, object);
    const StackTable *table = join_tables(arena, input);
    StackBounds *bounds = stack_bounds_create(arena, table);
    for (size_t i = 0; i < table->entries.count && !fault; i++) {
        RoutineSize size = {.name = table->entries.items[i]->name};
        if (!stack_bound(bounds, size.name, &size.stack_bytes)) {
            size.process_bytes = block_bytes(size.stack_bytes);
            array_push(arena, sizes, size);
        }
    }
    return fault;
}
