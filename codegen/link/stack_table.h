/* stack_table -- what each function needs of its stack and whom it calls.
 *
 * Owns:   the table, its form in the section .occ.stack of objects, reading the calls out of an
 *         object's relocations.
 * Leaves: sizes of frames to LLVM (target.c), sums over the call graph to stack_bound.h.
 * Holds:  calls are taken from the object and not from the IR, because only the object has those
 *         that LLVM added (memcpy). Every function of ours is a global symbol, so every call of
 *         one leaves a relocation.
 *
 * The section is text, so that `readelf -p .occ.stack` shows it; `ld -r` may join several.
 *
 *   occ-stack 1 <abi version> <llvm version>
 *   f <frame bytes> <p when it may wait, else -> <function>
 *   c <function it calls>
 *   t <function it jumps to at its end, its frame given up>                                   */
#ifndef OCCC_STACK_TABLE_H
#define OCCC_STACK_TABLE_H

#include "../../frontend/base/array.h"
#include "../../frontend/base/name_map.h"
#include "elf_file.h"

#include <stdbool.h>

#define STACK_TABLE_SECTION ".occ.stack"

typedef struct StackCallee {
    const char *name;
    bool is_tail;
} StackCallee;

typedef struct StackEntry {
    const char *name;
    uint32_t frame_bytes; /* below the return address */
    bool may_wait;        /* a routine of the language that may wait: preserve_none */
    ARRAY_OF(StackCallee) callees;
} StackEntry;

typedef struct StackTable {
    Arena *arena;
    unsigned abi_version;
    unsigned llvm_version;
    ARRAY_OF(StackEntry *) entries;
    NameMap by_name; /* -> StackEntry */
    NameMap edges;   /* the calls recorded so far */
} StackTable;

StackTable *stack_table_create(Arena *arena, unsigned abi_version, unsigned llvm_version);
/* stack_table_add -- a new entry; NULL when there is one of that name already. */
StackEntry *stack_table_add(StackTable *table, const char *name, uint32_t frame_bytes,
                            bool may_wait);
StackEntry *stack_table_find(const StackTable *table, const char *name);
/* stack_table_add_calls -- the calls that the entries' code in this object makes. */
void stack_table_add_calls(StackTable *table, const ElfFile *object);
/* stack_table_encode -- contents of the section. */
const char *stack_table_encode(const StackTable *table, size_t *size);
/* stack_table_decode -- add the entries of a section; NULL when it is sound, else what is wrong.
 * The versions become those of the section; two that differ within one section are wrong. */
const char *stack_table_decode(StackTable *table, const void *bytes, size_t size);

#endif
