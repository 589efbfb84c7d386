/* values -- what the files of value.h share; nobody else includes it. */
#ifndef OCCC_VALUES_H
#define OCCC_VALUES_H

#include "symbol_map.h"
#include "usage_phase.h"
#include "value.h"

typedef struct VariableValue {
    const IndexExpr *value; /* where the walk is; NULL: not known */
    const IndexExpr *first; /* what was assigned to it, also where that is not shown */
    const IndexLoop *loops; /* round the declaration */
    unsigned whiles;        /* and others, of which the walk keeps no loop */
} VariableValue;

/* A value that was noted. */
typedef struct ValueNote {
    Symbol *symbol;
    VariableValue *before;
    bool is_fixed; /* while a PAR runs, or after a test: a routine inside sees it, too */
} ValueNote;

/* The notes of one variable. */
typedef struct NotesOf {
    size_t last;      /* the index of the last one, if that is still there */
    unsigned changes; /* those that are not fixed */
} NotesOf;

/* A variable that was tested is the number it was until a statement of the list. */
typedef struct ValueUntil {
    const NodeList *list;
    size_t index;
    Symbol *symbol;
    VariableValue *before;
} ValueUntil;

typedef struct Values {
    SYMBOL_MAP_OF(VariableValue) variables;
    SYMBOL_MAP_OF(NotesOf) noted;
    ARRAY_OF(ValueNote) notes;  /* the last of a variable holds */
    ARRAY_OF(ValueNote) tested; /* what conditions round the walk fixed and something changes */
    ARRAY_OF(ValueUntil) until;
    size_t mark;         /* what is noted from here on is undone together */
    unsigned whiles;     /* WHILEs round the walk that are not among its loops */
    bool reads_assigned; /* what is assigned is shown to what is read now */
} Values;

/* ---- value.c ---- */
VariableValue *value_of(const UsageWalk *walk, const Symbol *symbol); /* NULL: nothing is known */
/* value_put -- in its place, not to be undone. */
void value_put(UsageWalk *walk, const Symbol *symbol, VariableValue *value);
/* value_push -- it is that from now on. */
void value_push(UsageWalk *walk, Symbol *symbol, VariableValue *value, bool is_fixed);
/* value_is_noted -- it has a value that a statement gave it. */
bool value_is_noted(const UsageWalk *walk, const Symbol *symbol);
VariableValue *value_new(Arena *arena, const IndexExpr *value, const IndexExpr *first);
/* value_is_open -- it has no value, or one that only calls in a PAR take (value_assigned.c). */
bool value_is_open(const UsageWalk *walk, const Symbol *symbol);
const IndexExpr *value_assigned(const UsageWalk *walk, const Symbol *symbol);

/* ---- value_assigned.c ---- */
bool value_is_followed(const UsageWalk *walk);
/* value_may_follow -- nobody but the branch or routine writes to it. */
bool value_may_follow(const UsageWalk *walk, const Symbol *symbol);
/* value_after_assign -- the variables it assigns to are what it makes them, others not known. */
void value_after_assign(UsageWalk *walk, const Node *assign);
void value_note(UsageWalk *walk, Symbol *symbol, const IndexExpr *value);
/* value_hide_marked -- in a PAR nothing is shown that only calls take. */
void value_hide_marked(UsageWalk *walk);

/* ---- value_choice.c ---- */
/* value_after_if -- an IF of a sequence has been walked; false: nothing is known of it. */
bool value_after_if(UsageWalk *walk, const Node *statement);

/* ---- value_fixed.c ---- */
typedef ARRAY_OF(Symbol *) SymbolSet;

/* What a part of the tree says of integer variables. */
typedef struct ValueScan {
    UsageWalk *walk;
    SymbolSet named;   /* those that may be fixed; sorted by number */
    SymbolSet changed; /* sorted too, also others */
    bool has_claims;
    unsigned values; /* VAL names gone into */
} ValueScan;

ValueScan value_scan(UsageWalk *walk, const Node *node);
bool value_scan_changes(const ValueScan *scan, const Symbol *symbol);
/* value_fix -- from now on the variable is a parameter of its own. */
void value_fix(UsageWalk *walk, Symbol *symbol);

#endif
