/* scope -- a hash table from names to chains of bindings, and a stack of levels.
 *
 * A name gets one entry for good; its chain is empty while the name is not visible. */
#include "scope.h"

#include "unit.h"

#include <ctype.h>

typedef struct ScopeEntry {
    const Text *name;
    Binding *innermost;
} ScopeEntry;

struct Scope {
    Arena *arena;
    ScopeEntry *entries; /* open addressing, capacity a power of two */
    size_t capacity;
    size_t count;
    ARRAY_OF(Binding *) levels; /* the binding added last in each level */
    const SourceMap *sources;
    const UsedUnit *viewer; /* whose text is being read; NULL: our own */
};

#define FIRST_CAPACITY   256
#define LONGEST_COMPARED 128 /* longer names are never suggested */

Scope *scope_create(Arena *arena) {
    Scope *scope = arena_new(arena, Scope);
    scope->arena = arena;
    scope->capacity = FIRST_CAPACITY;
    scope->entries = arena_new_array(arena, ScopeEntry, scope->capacity);
    scope_open(scope);
    return scope;
}

void scope_open(Scope *scope) {
    array_push(scope->arena, &scope->levels, NULL);
}

static ScopeEntry *find_entry(const Scope *scope, const Text *name) {
    size_t mask = scope->capacity - 1;
    size_t at = name->hash & mask;
    while (scope->entries[at].name && scope->entries[at].name != name) {
        at = (at + 1) & mask;
    }
    return &scope->entries[at];
}

void scope_close(Scope *scope) {
    Binding *binding = scope->levels.items[--scope->levels.count];
    for (; binding; binding = binding->sibling) {
        find_entry(scope, binding->symbol->name)->innermost = binding->shadowed;
    }
}

static void grow(Scope *scope) {
    ScopeEntry *old = scope->entries;
    size_t old_capacity = scope->capacity;
    scope->capacity *= 2;
    scope->entries = arena_new_array(scope->arena, ScopeEntry, scope->capacity);
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i].name) {
            *find_entry(scope, old[i].name) = old[i];
        }
    }
}

size_t scope_level(const Scope *scope) {
    return scope->levels.count - 1;
}

void scope_add(Scope *scope, Symbol *symbol) {
    scope_add_at(scope, scope_level(scope), symbol);
}

void scope_add_at(Scope *scope, size_t level_number, Symbol *symbol) {
    ScopeEntry *entry = find_entry(scope, symbol->name);
    if (!entry->name) {
        if (scope->count * 2 >= scope->capacity) {
            grow(scope);
            entry = find_entry(scope, symbol->name);
        }
        entry->name = symbol->name;
        scope->count++;
    }
    Binding **level = &scope->levels.items[level_number];
    Binding *binding = arena_new(scope->arena, Binding);
    binding->symbol = symbol;
    binding->shadowed = entry->innermost;
    binding->sibling = *level;
    *level = binding;
    entry->innermost = binding;
}

void scope_look_from(Scope *scope, const SourceMap *sources, const UsedUnit *unit) {
    scope->sources = sources;
    scope->viewer = unit;
}

const UsedUnit *scope_viewer(const Scope *scope) {
    return scope->viewer;
}

bool scope_sees(const Scope *scope, const Symbol *symbol) {
    if (!scope->viewer || !location_is_known(symbol->at)) {
        return true;
    }
    const SourceFile *file = source_file(scope->sources, symbol->at.file);
    return !file || unit_sees(scope->viewer, file->unit);
}

const Binding *scope_all_bindings(const Scope *scope, const Text *name) {
    return find_entry(scope, name)->innermost;
}

const Binding *scope_bindings(const Scope *scope, const Text *name) {
    const Binding *binding = find_entry(scope, name)->innermost;
    while (binding && !scope_sees(scope, binding->symbol)) {
        binding = binding->shadowed;
    }
    return binding;
}

Symbol *scope_find(const Scope *scope, const Text *name) {
    const Binding *binding = scope_bindings(scope, name);
    return binding ? binding->symbol : NULL;
}

static bool equal_but_case(const Text *left, const Text *right) {
    if (left->length != right->length) {
        return false;
    }
    for (uint32_t i = 0; i < left->length; i++) {
        if (tolower((unsigned char)left->bytes[i]) != tolower((unsigned char)right->bytes[i])) {
            return false;
        }
    }
    return true;
}

static unsigned smaller(unsigned left, unsigned right) {
    return left < right ? left : right;
}

/* One row of the table of distances between prefixes; `before` and `last` are the rows above. */
static unsigned fill_row(const Text *left, const Text *right, uint32_t i, const unsigned *before,
                         const unsigned *last, unsigned *row) {
    unsigned least = row[0] = i;
    for (uint32_t j = 1; j <= right->length; j++) {
        bool is_same = left->bytes[i - 1] == right->bytes[j - 1];
        unsigned distance =
            smaller(last[j - 1] + (is_same ? 0 : 1), smaller(last[j], row[j - 1]) + 1);
        if (i > 1 && j > 1 && left->bytes[i - 1] == right->bytes[j - 2] &&
            left->bytes[i - 2] == right->bytes[j - 1]) {
            distance = smaller(distance, before[j - 2] + 1);
        }
        row[j] = distance;
        least = smaller(least, distance);
    }
    return least;
}

unsigned text_distance(const Text *left, const Text *right, unsigned limit) {
    unsigned rows[3][LONGEST_COMPARED + 1];
    uint32_t apart =
        left->length > right->length ? left->length - right->length : right->length - left->length;
    if (apart > limit || left->length > LONGEST_COMPARED || right->length > LONGEST_COMPARED) {
        return limit + 1;
    }
    for (uint32_t j = 0; j <= right->length; j++) {
        rows[0][j] = j;
    }
    for (uint32_t i = 1; i <= left->length; i++) {
        const unsigned *before = rows[(i + 1) % 3];
        if (fill_row(left, right, i, before, rows[(i - 1) % 3], rows[i % 3]) > limit) {
            return limit + 1;
        }
    }
    return smaller(rows[left->length % 3][right->length], limit + 1);
}

Symbol *scope_nearest(const Scope *scope, const Text *name) {
    Symbol *nearest = NULL;
    unsigned limit = name->length < 3 ? 0 : name->length < 6 ? 1 : 2;
    unsigned best = limit + 1;
    for (size_t i = 0; i < scope->capacity; i++) {
        const ScopeEntry *entry = &scope->entries[i];
        if (!entry->innermost) {
            continue;
        }
        if (equal_but_case(entry->name, name)) {
            return entry->innermost->symbol;
        }
        unsigned distance = text_distance(entry->name, name, limit);
        bool is_earlier =
            nearest && distance == best && entry->innermost->symbol->number > nearest->number;
        if (distance < best || is_earlier) {
            best = distance;
            nearest = entry->innermost->symbol;
        }
    }
    return best <= limit ? nearest : NULL;
}
