/* check_alias -- while a name stands for an object, the object is not used by another name
 * (language.md 3.3). The walk is that of check_usage; here is what names stand for.
 *
 * Parts that are known to be disjoint may be used side by side; where two abbreviations may overlap
 * the program tests it when it runs. A channel under two names is wrong only for the same end. */
#include "check.h"

#include "alias.h"
#include "value.h"

#define ELEMENT_BUDGET 200000

/* Case by case more may be proved apart; that two parts meet in some round does not make a mistake
 * of all. The conditions are about values that do not change, so they still hold. */
bool alias_is_apart(const IndexRegion *left, const IndexRegion *right) {
    IndexPair pair = {.first_local = INT64_MAX, .shared_depth = UINT32_MAX};
    return index_meet_pair(left, right, &pair) == INDEX_DISJOINT;
}

/* Parts that meet without a condition round them meet; with one they may not come to it. */
IndexAnswer alias_compare(const IndexRegion *left, const IndexRegion *right) {
    uint64_t budget = ELEMENT_BUDGET;
    IndexPair pair = {.budget = &budget, .first_local = INT64_MAX, .shared_depth = UINT32_MAX};
    IndexRegion a = *left;
    IndexRegion b = *right;
    a.guards = b.guards = NULL;
    IndexAnswer answer = index_compare(&a, &b, &pair);
    bool is_conditional = left->guards || right->guards;
    return answer == INDEX_OVERLAP && is_conditional && alias_is_apart(left, right) ? INDEX_DISJOINT
                                                                                    : answer;
}

/* ---- accesses ---- */

/* Stamp the name and every abbreviation it was made from. */
static void stamp_names(Alias *alias, const Symbol *name) {
    alias->stamp++;
    for (; name; name = symbol_abbreviated(name)) {
        if (name->number < alias->head_count) {
            alias->stamps[name->number] = alias->stamp;
        }
    }
}

/* `symbol` was made from `name`: z IS y[i]: and y. */
static bool comes_from(const Symbol *symbol, const Symbol *name) {
    for (; symbol; symbol = symbol_abbreviated(symbol)) {
        if (symbol == name) {
            return true;
        }
    }
    return false;
}

static bool concerns(const Alias *alias, const AliasEntry *entry, const UsageAccess *access) {
    bool is_change = access->kind == USAGE_WRITE;
    if (alias->stamps[entry->symbol->number] == alias->stamp ||
        (access->kind == USAGE_MEASURE && entry->region.count > access->region.count)) {
        return false;
    }
    bool is_end = access->kind == USAGE_INPUT || access->kind == USAGE_OUTPUT;
    if (is_end && !type_is_port(access->root->type)) {
        Direction used = access->kind == USAGE_INPUT ? DIRECTION_INPUT : DIRECTION_OUTPUT;
        return entry->kind == ALIAS_NAME && entry->direction == used;
    }
    if (entry->kind != ALIAS_NAME) {
        return is_change;
    }
    /* two abbreviations of one object were compared when the later was introduced */
    return access->name == access->root || comes_from(entry->symbol, access->name);
}

static void hint_value(UsageWalk *walk, const Symbol *value) {
    bool has_size = !type_is_array(value->type) || value->type->array.count != ARRAY_OPEN;
    diag_hint(walk->compiler->diag, "a variable keeps the value from before: INITIAL %s %s IS ..:",
              has_size ? type_name(walk->arena, value->type) : "[n]T", value->name->bytes);
}

/* An interface has no text that a user could look at. */
static void note_use(UsageWalk *walk, const UsageAccess *access) {
    const SourceFile *file = source_file(walk->compiler->sources, access->inner_at.file);
    if (file && !file->is_generated) {
        diag_note(walk->compiler->diag, access->inner_at, "'%s' is used there",
                  access->root->name->bytes);
    }
}

/* Once for each name: it is the cause of all that follows. */
static void report(UsageWalk *walk, AliasEntry *entry, const UsageAccess *access) {
    if (entry->is_said) {
        return;
    }
    entry->is_said = true;
    static const DiagId ids[] = {[ALIAS_NAME] = DIAG_ALIAS_ABBREVIATED,
                                 [ALIAS_VALUE] = DIAG_ALIAS_VAL,
                                 [ALIAS_CHOICE] = DIAG_ALIAS_SUBSCRIPT};
    Diag *diag = walk->compiler->diag;
    diag_report(diag, ids[entry->kind], access->at, access->root->name->bytes,
                entry->symbol->name->bytes);
    diag_label(diag, entry->symbol->at, "'%s' is introduced here", entry->symbol->name->bytes);
    if (access->via) {
        diag_primary_label(diag, "used by '%s'", access->via->name->bytes);
        note_use(walk, access);
    }
    if (entry->kind == ALIAS_VALUE && entry->symbol->kind == SYMBOL_VALUE) {
        hint_value(walk, entry->symbol);
    }
}

/* VAL v IS y:   y and what is made from it are not compared with v when the program runs. */
static bool is_of_one_name(const AliasEntry *entry, const UsageAccess *access) {
    return (entry->through != entry->root && comes_from(access->name, entry->through)) ||
           comes_from(entry->through, access->name);
}

/* True after a message. */
static bool check_access(UsageWalk *walk, const UsageAccess *access, bool only_certain) {
    Alias *alias = walk->alias;
    if (!alias || walk->is_silent || access->root->number >= alias->head_count ||
        access->root->permits_aliases || (access->name && access->name->is_blamed)) {
        return false;
    }
    AliasEntry *entry = alias->heads[access->root->number];
    if (entry) {
        stamp_names(alias, access->name);
    }
    for (; entry; entry = entry->next) {
        if (!concerns(alias, entry, access)) {
            continue;
        }
        bool is_compared_later = entry->kind != ALIAS_NAME && access->name != access->root &&
                                 !is_of_one_name(entry, access);
        IndexAnswer answer = alias_compare(&entry->region, &access->region);
        bool is_open = answer == INDEX_IS_UNKNOWN && !only_certain && !is_compared_later;
        if (answer == INDEX_OVERLAP ||
            (is_open && !alias_is_apart(&entry->region, &access->region))) {
            report(walk, entry, access);
            return true;
        }
    }
    return false;
}

void alias_access(UsageWalk *walk, const UsageAccess *access) {
    check_access(walk, access, walk->alias && walk->alias->is_introducing);
}

/* ---- entries ---- */

/* An object, and the name for it in the text. */
typedef struct ObjectName {
    const Symbol *root;
    const Symbol *name;
} ObjectName;

static void add_entry(UsageWalk *walk, AliasKind kind, const Symbol *symbol,
                      const ObjectName *object, Direction direction, const IndexRegion *region) {
    Alias *alias = walk->alias;
    const Symbol *root = object->root;
    if (root->number >= alias->head_count || symbol->number >= alias->head_count) {
        return;
    }
    AliasEntry *entry = arena_new(walk->arena, AliasEntry);
    *entry = (AliasEntry){.next = alias->heads[root->number],
                          .kind = kind,
                          .symbol = symbol,
                          .root = root,
                          .through = object->name,
                          .direction = direction,
                          .region = *region};
    alias->heads[root->number] = entry;
    array_push(walk->arena, &alias->active, entry);
}

void alias_introduce(UsageWalk *walk, bool is_begin) {
    if (walk->alias) {
        walk->alias->is_introducing = is_begin;
    }
}

size_t alias_open(const UsageWalk *walk) {
    return walk->alias ? walk->alias->active.count : 0;
}

void alias_close(UsageWalk *walk, size_t mark) {
    Alias *alias = walk->alias;
    while (alias && alias->active.count > mark) {
        const AliasEntry *entry = alias->active.items[--alias->active.count];
        alias->heads[entry->root->number] = entry->next;
    }
}

/* Everything that was read becomes unchangeable while the name is in scope. */
static void add_reads(UsageWalk *walk, AliasKind kind, const Symbol *symbol, size_t start) {
    size_t end = walk->accesses.count;
    for (size_t i = start; i < end; i++) {
        const UsageAccess access = walk->accesses.items[i];
        if (access.kind == USAGE_READ) {
            ObjectName object = {access.root, access.name};
            add_entry(walk, kind, symbol, &object, DIRECTION_NONE, &access.region);
        }
    }
}

/* A new name for what another name stands for: only certain overlap is a mistake, the rest is
 * tested when the program runs. */
static bool check_named(UsageWalk *walk, const ObjectPart *part, const IndexRegion *region,
                        const Node *element, Direction direction) {
    UsageAccess access = {.root = part->root,
                          .kind = direction == DIRECTION_INPUT    ? USAGE_INPUT
                                  : direction == DIRECTION_OUTPUT ? USAGE_OUTPUT
                                                                  : USAGE_WRITE,
                          .region = *region,
                          .at = element->at,
                          .name = part->name};
    return (direction != DIRECTION_NONE || !type_is_channel(part->root->type)) &&
           check_access(walk, &access, true);
}

static void add_named(UsageWalk *walk, Symbol *symbol, const Node *element) {
    const Node *root = element_root(element);
    if (root->kind == NODE_TABLE) {
        for (size_t i = 0; i < root->table.items.count; i++) {
            add_named(walk, symbol, root->table.items.items[i]);
        }
        return;
    }
    ObjectPart part = region_of(&walk->builder, element);
    if (part.root && part.root != symbol) {
        IndexRegion region = {part.dimensions, part.count, walk->loops, walk->here.guards, 0};
        Direction direction = symbol_direction(symbol, element);
        if (check_named(walk, &part, &region, element, direction)) {
            symbol->is_blamed = true; /* its uses are not said to be wrong as well */
        }
        ObjectName object = {part.root, part.name};
        add_entry(walk, ALIAS_NAME, symbol, &object, direction, &region);
    }
}

void alias_abbreviation(UsageWalk *walk, const Node *node, size_t start) {
    Symbol *symbol = node->abbreviation.def->def.symbol;
    if (!walk->alias || !symbol || symbol->permits_aliases) {
        return;
    }
    switch (node->abbreviation.mode) {
    case ABBREVIATION_VAL: add_reads(walk, ALIAS_VALUE, symbol, start); return;
    case ABBREVIATION_REFERENCE:
    case ABBREVIATION_RESULT:
        add_reads(walk, ALIAS_CHOICE, symbol, start);
        add_named(walk, symbol, node->abbreviation.value);
        return;
    case ABBREVIATION_INITIAL: return;
    }
}

static const IndexExpr *loop_of(const Symbol *symbol, void *context) {
    const UsageWalk *walk = context;
    return symbol->kind == SYMBOL_REPLICATOR ? symbol_map_get(&walk->numbers, symbol) : NULL;
}

/* Symbols are numbered from 0; the highest number of the tree bounds the table. */
static void find_highest(Node **slot, void *data) {
    uint32_t *highest = data;
    const Node *node = *slot;
    if (node->kind == NODE_DEF && node->def.symbol && node->def.symbol->number > *highest) {
        *highest = node->def.symbol->number;
    }
    node_visit_children(*slot, find_highest, data);
}

void check_alias(Compiler *compiler, Node *unit) {
    UsageWalk walk = {.compiler = compiler, .arena = arena_create()};
    Alias alias = {0};
    uint32_t highest = 0;
    find_highest(&unit, &highest);
    alias.head_count = highest + 1;
    alias.heads = arena_new_array(walk.arena, AliasEntry *, alias.head_count);
    alias.stamps = arena_new_array(walk.arena, uint64_t, alias.head_count);
    walk.alias = &alias;
    walk.builder.arena = walk.arena;
    walk.builder.replicator = loop_of;
    walk.builder.context = &walk;
    walk.values = value_start(walk.arena);
    if (unit->kind == NODE_UNIT) {
        usage_specifications(&walk, &unit->unit.specs);
    }
    arena_destroy(walk.arena);
}
