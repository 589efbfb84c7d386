/* effects_solve -- free names, waiting and recursion through calls; ParInfo; calls inside VALOF.
 *
 * Without recursion one pass in the order of definition is enough, because a routine is defined
 * before it is called; with it the pass is repeated until nothing changes. */
#include "effects.h"

/* ---- free names ---- */

/* `routine` or one that it is nested in owns the symbol, but not `routine` itself. */
static bool is_free_in(const Symbol *symbol, const Node *routine) {
    if (!symbol->owner || symbol->owner == routine) {
        return !symbol->owner;
    }
    for (const Node *at = routine; at;) {
        if (at == symbol->owner) {
            return true;
        }
        const ProcInfo *info = node_info(at);
        at = info ? info->enclosing : NULL;
    }
    return false;
}

static RoutineEffects *effects_of_node(const Node *node) {
    const ProcInfo *info = node_info(node);
    return info ? effects_of(info->symbol) : NULL;
}

static void take_free(Effects *effects, SymbolList *names, const SymbolList *from,
                      const Node *routine) {
    for (size_t i = 0; i < from->count; i++) {
        if (is_free_in(from->items[i], routine)) {
            array_push(effects->arena, names, from->items[i]);
        }
    }
}

static SymbolList free_names(const ProcInfo *info) {
    SymbolList list = {info->free_names.items, info->free_names.count, info->free_names.capacity};
    return list;
}

static bool has_written(const EffectUseList *list, const Symbol *symbol) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].symbol == symbol) {
            return true;
        }
    }
    return false;
}

static bool take_written(Effects *effects, RoutineEffects *routine, const RoutineEffects *callee) {
    bool changed = false;
    for (size_t i = 0; i < callee->written.count; i++) {
        EffectUse use = callee->written.items[i];
        if (is_free_in(use.symbol, routine->node) && !has_written(&routine->written, use.symbol)) {
            array_push(effects->arena, &routine->written, use);
            changed = true;
        }
    }
    return changed;
}

/* NEXT without names, and SUSPEND, in a PROC that its own process calls. */
static bool take_of_process(RoutineEffects *routine) {
    ProcInfo *info = routine->info;
    bool had_next = routine->nexts_all;
    bool suspended = info->suspends;
    bool is_proc = routine->node->kind == NODE_PROC; /* a FUNCTION that suspends is an error */
    for (size_t i = 0; i < routine->callees.count; i++) {
        const RoutineEffects *callee = effects_of_node(routine->callees.items[i]);
        routine->nexts_all = routine->nexts_all || (callee && callee->nexts_all);
        if (is_proc && callee && callee->info->suspends && !info->suspends) {
            info->suspends = true;
            info->suspends_at = callee->info->suspends_at;
        }
    }
    return routine->nexts_all != had_next || info->suspends != suspended;
}

/* One step for one routine; true when it learnt something. */
static bool step(Effects *effects, RoutineEffects *routine) {
    ProcInfo *info = routine->info;
    SymbolList names = {0};
    take_free(effects, &names, &routine->used, routine->node);
    bool changed = false;
    for (size_t i = 0; i < info->callees.count; i++) {
        const RoutineEffects *callee = effects_of_node(info->callees.items[i]);
        if (!callee) {
            continue;
        }
        SymbolList theirs = free_names(callee->info);
        take_free(effects, &names, &theirs, routine->node);
        changed = take_written(effects, routine, callee) || changed;
        changed = changed || (callee->may_wait && !routine->may_wait) ||
                  (callee->communicates && !routine->communicates) ||
                  (callee->crosses_phase && !routine->crosses_phase) ||
                  (callee->meets && !routine->meets);
        routine->crosses_phase = routine->crosses_phase || callee->crosses_phase;
        routine->meets = routine->meets || callee->meets;
        routine->may_wait = routine->may_wait || callee->may_wait;
        if (callee->communicates && !routine->communicates) {
            routine->communicates = true;
            routine->communicates_at = callee->communicates_at;
        }
    }
    changed = take_of_process(routine) || changed;
    symbol_list_sort(&names);
    changed = changed || names.count != info->free_names.count;
    info->free_names.items = names.items;
    info->free_names.count = names.count;
    info->free_names.capacity = names.capacity;
    info->may_wait = routine->may_wait;
    info->meets = routine->meets;
    info->communicates = routine->communicates;
    info->crosses_phase = routine->crosses_phase;
    info->nexts_all = routine->nexts_all;
    return changed;
}

/* ---- recursion: strongly connected components (Tarjan) ---- */

typedef struct Search {
    Effects *effects;
    RoutineList stack;
    uint32_t next;
} Search;

static void connect(Search *search, RoutineEffects *routine);

static void follow(Search *search, RoutineEffects *routine, RoutineEffects *callee) {
    if (callee == routine) {
        routine->info->is_recursive_used = true;
    } else if (callee->index == 0) {
        connect(search, callee);
        routine->low = callee->low < routine->low ? callee->low : routine->low;
    } else if (callee->is_on_stack) {
        routine->low = callee->index < routine->low ? callee->index : routine->low;
    }
}

static void connect(Search *search, RoutineEffects *routine) {
    routine->index = routine->low = ++search->next;
    routine->is_on_stack = true;
    size_t base = search->stack.count;
    array_push(search->effects->arena, &search->stack, routine);
    for (size_t i = 0; i < routine->info->callees.count; i++) {
        RoutineEffects *callee = effects_of_node(routine->info->callees.items[i]);
        if (callee) {
            follow(search, routine, callee);
        }
    }
    if (routine->low != routine->index) {
        return;
    }
    bool is_cycle = search->stack.count - base > 1;
    while (search->stack.count > base) {
        RoutineEffects *member = search->stack.items[--search->stack.count];
        member->is_on_stack = false;
        member->info->is_recursive_used = member->info->is_recursive_used || is_cycle;
    }
}

static void find_recursion(Effects *effects) {
    Search search = {.effects = effects};
    for (size_t i = 0; i < effects->routines.count; i++) {
        if (effects->routines.items[i]->index == 0) {
            connect(&search, effects->routines.items[i]);
        }
    }
}

/* ---- components of PAR ---- */

static void take_outside(Effects *effects, const ComponentEffects *component, SymbolList *names,
                         const SymbolList *from) {
    for (size_t i = 0; i < from->count; i++) {
        uint32_t number = from->items[i]->number;
        if (number < component->first || number > component->last) {
            array_push(effects->arena, names, from->items[i]);
        }
    }
}

static void complete_component(Effects *effects, const ComponentEffects *component) {
    SymbolList names = {0};
    take_outside(effects, component, &names, &component->used);
    for (size_t i = 0; i < component->callees.count; i++) {
        const RoutineEffects *callee = effects_of_node(component->callees.items[i]);
        if (callee) {
            SymbolList theirs = free_names(callee->info);
            take_outside(effects, component, &names, &theirs);
        }
    }
    symbol_list_sort(&names);
    component->info->captured[component->component].items = names.items;
    component->info->captured[component->component].count = names.count;
    component->info->captured[component->component].capacity = names.capacity;
}

/* ---- calls inside of VALOF ---- */

static void check_valof_call(Effects *effects, const ValofCall *call) {
    const RoutineEffects *callee = effects_of(call->callee);
    Diag *diag = effects->compiler->diag;
    if (!callee) {
        return;
    }
    if (callee->communicates) {
        diag_report(diag, DIAG_TYPES_VALOF_CALL, call->call->at, call->callee->name->bytes);
        diag_label(diag, callee->communicates_at, "it communicates or waits here");
        return;
    }
    for (size_t i = 0; i < callee->written.count; i++) {
        const EffectUse *use = &callee->written.items[i];
        bool is_inside = use->symbol->number >= call->first && use->symbol->number <= call->last;
        if (!is_inside && is_free_in(use->symbol, callee->node)) {
            diag_report(diag, DIAG_TYPES_VALOF_SIDE_EFFECT, call->call->at,
                        use->symbol->name->bytes);
            diag_label(diag, use->at, "'%s' changes it here", call->callee->name->bytes);
            return;
        }
    }
}

/* ---- mobile processes ---- */

static void check_mobile_proc_names(Effects *effects, const RoutineEffects *routine) {
    const Node *node = routine->node;
    const ProcInfo *info = routine->info;
    if (node->kind != NODE_PROC || !node->proc.is_mobile || info->free_names.count == 0) {
        return;
    }
    const Symbol *symbol = info->free_names.items[0];
    diag_report(effects->compiler->diag, DIAG_TYPES_MOBILE_FREE, node->at,
                info->symbol->name->bytes, symbol->name->bytes);
    diag_label(effects->compiler->diag, symbol->at, "'%s' is declared here", symbol->name->bytes);
}

void effects_solve(Effects *effects) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < effects->routines.count; i++) {
            changed = step(effects, effects->routines.items[i]) || changed;
        }
    }
    find_recursion(effects);
    for (size_t i = 0; i < effects->routines.count; i++) {
        check_mobile_proc_names(effects, effects->routines.items[i]);
    }
    for (size_t i = 0; i < effects->components.count; i++) {
        complete_component(effects, &effects->components.items[i]);
    }
    effects_check_forks(effects);
    effects_check_suspend_places(effects);
    effects_check_suspend(effects);
    for (size_t i = 0; i < effects->valof_calls.count; i++) {
        check_valof_call(effects, &effects->valof_calls.items[i]);
    }
}
