/* alias -- what check_alias adds to the walk of usage.h: which names stand for which parts now.
 *
 * Holds: an entry is active from its specification to the end of the process it stands before.
 *        Entries of one object hang together, innermost first, on Alias.heads by the number of the
 *        object's symbol. */
#ifndef OCCC_ALIAS_H
#define OCCC_ALIAS_H

#include "usage.h"

typedef enum AliasKind {
    ALIAS_NAME,  /* y IS x:       x is not used at all */
    ALIAS_VALUE, /* VAL y IS x:   x is not changed */
    ALIAS_CHOICE /* y IS z[x]:    x is not changed */
} AliasKind;

typedef struct AliasEntry {
    struct AliasEntry *next; /* of the same object */
    AliasKind kind;
    const Symbol *symbol; /* the name that is introduced */
    const Symbol *root;
    const Symbol *through; /* the name that was read; the root: by itself */
    Direction direction;   /* of a channel */
    IndexRegion region;
    bool is_said; /* one use of what it names was reported: the others have the same cause */
} AliasEntry;

typedef struct Alias {
    AliasEntry **heads; /* by Symbol.number */
    uint32_t head_count;
    uint64_t *stamps; /* by number too: equal to `stamp` for the names an access goes through */
    uint64_t stamp;
    ARRAY_OF(AliasEntry *) active;
    bool is_introducing; /* reading the element of a VAL abbreviation */
} Alias;

/* ---- check_alias.c ---- */
/* alias_access -- report when an active name stands for the object that is used. */
void alias_access(UsageWalk *walk, const UsageAccess *access);
/* alias_abbreviation -- the accesses from `start` on were reads of its value or subscripts. */
void alias_abbreviation(UsageWalk *walk, const Node *abbreviation, size_t start);
/* alias_introduce -- the element that follows gets another name: certain overlap is a mistake. */
void alias_introduce(UsageWalk *walk, bool is_begin);
size_t alias_open(const UsageWalk *walk);
void alias_close(UsageWalk *walk, size_t mark);
IndexAnswer alias_compare(const IndexRegion *left, const IndexRegion *right);
/* alias_is_apart -- of what alias_compare left open. */
bool alias_is_apart(const IndexRegion *left, const IndexRegion *right);

/* ---- alias_statement.c ---- */
void alias_call(UsageWalk *walk, const Node *call, const Symbol *callee, const NodeList *actuals);
void alias_predefined(UsageWalk *walk, const Symbol *callee, const NodeList *actuals);
/* alias_activation -- of the mobile process in the variable `callee`, which uses nothing else. */
void alias_activation(UsageWalk *walk, const Symbol *callee, const NodeList *formals,
                      const NodeList *actuals);
void alias_assign(UsageWalk *walk, const Node *target, const Node *value);
/* alias_counted -- the accesses from `start` on are the subscripts of the array part. */
void alias_counted(UsageWalk *walk, const Node *item, size_t start);

#endif
