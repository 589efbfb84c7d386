/* table -- see table.h. */
#include "table.h"

#include "machine.h"

enum { BITS_FIRST = 6 };

static void put(Table *table, TableEntry *entry) {
    TableEntry **slot = &table->slots[table_slot(table, entry->key)];
    entry->next = *slot;
    *slot = entry;
}

static TableEntry *first_from(const Table *table, size_t slot) {
    size_t slots = table->slots == NULL ? 0 : (size_t)1 << table->bits;
    while (slot < slots && table->slots[slot] == NULL) {
        slot++;
    }
    return slot < slots ? table->slots[slot] : NULL;
}

TableEntry *table_first(const Table *table) {
    return first_from(table, 0);
}

TableEntry *table_after(const Table *table, const TableEntry *entry) {
    return entry->next != NULL ? entry->next : first_from(table, table_slot(table, entry->key) + 1);
}

static void grow(Table *table) {
    Table grown = {.bits = table->slots == NULL ? BITS_FIRST : table->bits + 1,
                   .count = table->count};
    grown.slots = machine_memory(((size_t)1 << grown.bits) * sizeof(TableEntry *));
    TableEntry *next;
    for (TableEntry *entry = table_first(table); entry != NULL; entry = next) {
        next = table_after(table, entry);
        put(&grown, entry);
    }
    machine_free(table->slots);
    *table = grown;
}

void table_add(Table *table, TableEntry *entry, uint64_t key) {
    if (table->slots == NULL || 2 * (table->count + 1) > (size_t)1 << table->bits) {
        grow(table);
    }
    entry->key = key;
    put(table, entry);
    table->count++;
}

void table_remove(Table *table, TableEntry *entry) {
    TableEntry **at = &table->slots[table_slot(table, entry->key)];
    while (*at != entry) {
        at = &(*at)->next;
    }
    *at = entry->next;
    table->count--;
}
