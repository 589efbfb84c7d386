/* scope -- shadowing, closing of levels, growth, the name the user may have meant. */
#include "scope.h"

#include <assert.h>
#include <string.h>

static Arena *arena;
static TextTable *texts;

static const Text *text(const char *string) {
    return text_intern_string(texts, string);
}

static Symbol *add(Scope *scope, const char *name, uint32_t number) {
    Symbol *symbol = arena_new(arena, Symbol);
    symbol->name = text(name);
    symbol->number = number;
    scope_add(scope, symbol);
    return symbol;
}

static void test_scope__inner_shadows_outer(void) {
    Scope *scope = scope_create(arena);
    Symbol *outer = add(scope, "x", 1);
    scope_open(scope);
    Symbol *inner = add(scope, "x", 2);
    Symbol *again = add(scope, "x", 3);
    assert(scope_find(scope, text("x")) == again);
    assert(scope_bindings(scope, text("x"))->shadowed->symbol == inner);
    scope_close(scope);
    assert(scope_find(scope, text("x")) == outer);
    assert(!scope_find(scope, text("X")));
}

static void test_scope__grows(void) {
    Scope *scope = scope_create(arena);
    scope_open(scope);
    for (uint32_t i = 0; i < 5000; i++) {
        add(scope, arena_format(arena, "name.%u", i), i);
    }
    for (uint32_t i = 0; i < 5000; i++) {
        assert(scope_find(scope, text(arena_format(arena, "name.%u", i)))->number == i);
    }
    scope_close(scope);
    assert(!scope_find(scope, text("name.7")));
}

static void test_scope__a_name_is_added_further_out(void) {
    Scope *scope = scope_create(arena);
    size_t level = scope_level(scope);
    scope_open(scope);
    Symbol *symbol = arena_new(arena, Symbol);
    symbol->name = text("late");
    scope_add_at(scope, level, symbol);
    scope_close(scope);
    assert(scope_find(scope, text("late")) == symbol);
}

static void test_scope__nearest(void) {
    Scope *scope = scope_create(arena);
    Symbol *count = add(scope, "counter", 1);
    Symbol *total = add(scope, "Total", 2);
    add(scope, "unrelated.name", 3);
    assert(scope_nearest(scope, text("conuter")) == count);
    assert(scope_nearest(scope, text("counters")) == count);
    assert(scope_nearest(scope, text("total")) == total);
    assert(!scope_nearest(scope, text("zebra")));
    scope_open(scope);
    add(scope, "hidden.away", 4);
    scope_close(scope);
    assert(!scope_nearest(scope, text("hidden.awai")));
}

static void test_scope__distance(void) {
    assert(text_distance(text("ab"), text("ba"), 2) == 1);
    assert(text_distance(text("kitten"), text("sitting"), 5) == 3);
    assert(text_distance(text("kitten"), text("sitting"), 2) == 3);
    assert(text_distance(text(""), text("ab"), 2) == 2);
}

int main(void) {
    arena = arena_create();
    texts = text_table_create(arena);
    test_scope__inner_shadows_outer();
    test_scope__grows();
    test_scope__a_name_is_added_further_out();
    test_scope__nearest();
    test_scope__distance();
    arena_destroy(arena);
    return 0;
}
