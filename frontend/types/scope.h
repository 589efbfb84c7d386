/* scope -- which symbol a name means at this point of the walk.
 *
 * Owns:   nested levels, shadowing, the search for a name the user may have meant.
 * Leaves: what a symbol is to symbol.h, messages to check_names.c.
 * Holds:  a name is looked up in constant time however deep the levels are nested; closing a level
 *         costs only what was added in it. User-defined operators are symbols too, named by the
 *         text of the operator; all visible ones are reached through `shadowed`. */
#ifndef OCCC_SCOPE_H
#define OCCC_SCOPE_H

#include "symbol.h"

typedef struct Scope Scope;

typedef struct Binding {
    Symbol *symbol;
    struct Binding *shadowed; /* the same name further out */
    struct Binding *sibling;  /* added before it in the same level */
} Binding;

Scope *scope_create(Arena *arena);
void scope_open(Scope *scope);
void scope_close(Scope *scope);
/* scope_add -- from here to the end of the innermost level the name means this symbol. */
void scope_add(Scope *scope, Symbol *symbol);
/* scope_level, scope_add_at -- the number of the innermost level; add to an outer level a name that
 * is not visible at all. */
size_t scope_level(const Scope *scope);
void scope_add_at(Scope *scope, size_t level, Symbol *symbol);
/* scope_find -- the innermost symbol of that name; NULL when none is visible. */
Symbol *scope_find(const Scope *scope, const Text *name);
/* scope_all_bindings -- as scope_bindings, also of names that the current unit does not know. */
const Binding *scope_all_bindings(const Scope *scope, const Text *name);
/* scope_look_from -- from here on only names that this unit knows are found; NULL: all. */
void scope_look_from(Scope *scope, const SourceMap *sources, const struct UsedUnit *unit);
const struct UsedUnit *scope_viewer(const Scope *scope);
bool scope_sees(const Scope *scope, const Symbol *symbol);
/* scope_bindings -- all visible bindings of the name, innermost first. */
const Binding *scope_bindings(const Scope *scope, const Text *name);
/* scope_nearest -- the visible symbol whose name is most like `name`: the same but for the case of
 * its letters, or a few letters away; NULL when none is near. Slow: for messages only. */
Symbol *scope_nearest(const Scope *scope, const Text *name);

#endif
