/* table -- hash table by a number or an address; several entries may have one key.
 *
 * Owns:   the slots; entries are members of what they stand for.
 * Leaves: locks to the world: a table is touched inside it.
 * Holds:  entries of one key are found one after the other, in no order. There are more slots than
 *         entries, so most are found at once. */
#ifndef RT_TABLE_H
#define RT_TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct TableEntry {
    struct TableEntry *next;
    uint64_t key;
} TableEntry;

typedef struct Table {
    TableEntry **slots; /* NULL: it has never had an entry */
    unsigned bits;      /* of the number of slots */
    size_t count;
} Table;

/* The structure whose member the entry is; NULL: there is none. */
#define TABLE_OWNER(Type, member, found)                                                           \
    ((found) == NULL ? NULL : (Type *)(void *)((char *)(found)-offsetof(Type, member)))

void table_add(Table *table, TableEntry *entry, uint64_t key);
/* Remove an entry that is in the table. */
void table_remove(Table *table, TableEntry *entry);
/* The first of all entries, and the one after `entry`; NULL: no more. */
TableEntry *table_first(const Table *table);
TableEntry *table_after(const Table *table, const TableEntry *entry);

static inline size_t table_slot(const Table *table, uint64_t key) {
    return (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - table->bits));
}

/* The next one with that key. */
static inline TableEntry *table_more(const TableEntry *entry, uint64_t key) {
    TableEntry *next = entry->next;
    while (next != NULL && next->key != key) {
        next = next->next;
    }
    return next;
}

/* One with that key, or NULL. */
static inline TableEntry *table_find(const Table *table, uint64_t key) {
    TableEntry *entry = table->slots == NULL ? NULL : table->slots[table_slot(table, key)];
    return entry == NULL || entry->key == key ? entry : table_more(entry, key);
}

#endif
