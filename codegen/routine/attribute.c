/* attribute -- what LLVM may assume of the parameters of a routine.
 *
 * Owns:   noalias, readonly and sizes of objects passed by address, ranges of counts.
 * Leaves: which values a name travels as to capture.c, the rules themselves to
 *         frontend/usage/check_alias.c, check_usage.c and, at run time, overlap.c.
 * Holds:  while a routine runs, an object it got under one name is reached under no other and
 *         changed by no other process (language.md 3.2, 3.3). A unit that exempts any name from
 *         these rules gets no noalias at all, since the exempt object may be an actual anywhere;
 *         nor does a routine that knows a MUTEX, under which others change the object in turn, nor
 *         one that goes on to other phases of a clock, in which others may have the object. */
#include "llvm_compat.h"
#include "routine.h"

#include <string.h>

/* ---- exemptions ---- */

static bool is_exemption(const Node *node) {
    if (node->kind != NODE_PRAGMA) {
        return false;
    }
    const char *words = node->pragma.text->bytes;
    words += strspn(words, " \t");
    return strncmp(words, "PERMITALIASES", 13) == 0 || strncmp(words, "SHARED", 6) == 0 ||
           (strncmp(words, "OPTION", 6) == 0 && strpbrk(words + 6, "AN") != NULL);
}

static bool unit_permits_aliases(Emitter *emitter) {
    if (!emitter->is_alias_known) {
        emitter->permits_aliases = node_any(emitter->unit, is_exemption);
        emitter->is_alias_known = true;
    }
    return emitter->permits_aliases;
}

/* A routine that knows a MUTEX may use what other processes change between its CLAIMs. */
static bool knows_mutex(const Emitter *emitter) {
    const Node *routine = emitter->routine->node;
    bool is_proc = routine != NULL && routine->kind == NODE_PROC && routine->proc.info != NULL;
    const NodeList *formals = is_proc ? &routine->proc.formals : NULL;
    for (size_t i = 0; is_proc && i < formals->count; i++) {
        if (type_is_sync(formals->items[i]->formal.def->def.symbol->type)) {
            return true;
        }
    }
    for (size_t i = 0; is_proc && i < routine->proc.info->free_names.count; i++) {
        const Symbol *free_name = routine->proc.info->free_names.items[i];
        if (free_name->type != NULL && type_is_sync(free_name->type)) {
            return true;
        }
    }
    return false;
}

/* ---- attributes ---- */

static void add(Emitter *emitter, unsigned parameter, const char *name, uint64_t value) {
    compat_add_attribute(emitter->context, emitter->routine->function, parameter + 1, name, value);
}

/* Other processes may get the actuals, or they may be gone, before the routine returns. */
static bool outlives_actuals(const Node *routine) {
    const ProcInfo *info = routine != NULL ? node_info(routine) : NULL;
    return info != NULL && (info->crosses_phase || info->suspends);
}

static bool is_fixed(const Symbol *symbol) {
    return symbol->kind == SYMBOL_VALUE || symbol->kind == SYMBOL_REPLICATOR ||
           (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_VAL);
}

static void describe_address(Emitter *emitter, const Symbol *symbol, unsigned parameter) {
    add(emitter, parameter, "nonnull", 0);
    if (symbol->type->kind == TYPE_CHANNEL || symbol->type->kind == TYPE_BARRIER ||
        symbol->type->kind == TYPE_CLOCK || type_is_sync(symbol->type)) {
        return; /* the two ends of one channel may come as two parameters; many join a FORKING */
    }
    bool is_table = type_is_channel(symbol->type); /* of channels: made once, never changed */
    bool is_copied = symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_INITIAL;
    bool is_moved = is_copied && type_owns(symbol->type); /* what was passed is left empty */
    if (is_fixed(symbol) || is_table || (is_copied && !is_moved)) {
        add(emitter, parameter, "readonly", 0);
    }
    if (!is_copied && !unit_permits_aliases(emitter) && !knows_mutex(emitter) &&
        !outlives_actuals(emitter->routine->node)) {
        add(emitter, parameter, "noalias", 0);
    }
    uint64_t size = type_has_open_dimension(symbol->type) ? 0 : type_size(symbol->type);
    bool suspends = emitter->routine->node != NULL && node_info(emitter->routine->node)->suspends;
    if (size > 0 && !suspends) {
        add(emitter, parameter, "dereferenceable", size);
    }
}

void emit_parameter_attributes(Emitter *emitter, const Symbol *symbol, unsigned parameter,
                               size_t count) {
    if (count == 0 || symbol_is_given_by_value(symbol)) {
        return;
    }
    if (!type_is_timer(symbol->type)) {
        describe_address(emitter, symbol, parameter);
    }
    for (size_t i = 1; i < count; i++) {
        compat_add_range(emitter->context, emitter->routine->function,
                         (LLVMAttributeIndex)(parameter + i + 1), 32, 0, UINT64_C(1) << 31);
    }
}
