/* scope -- a hash table from names to chains of bindings, and a stack of levels.
 *
 * A name keeps its entry for ever; its chain is empty while the name is not visible. */
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
    const UsedUnit *viewer; /* the unit whose text is being read; NULL: our own */
};

#define FIRST_CAPACITY 256

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
