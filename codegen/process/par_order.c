/* par_order -- in which order the branches of a PAR begin, and which of them its parent runs.
 *
 * Owns:   the choice, from the text alone: reports (par_site.c) must know it too.
 * Leaves: carrying it out to parallel.c.
 * Holds:  on one worker branches begin in textual order, those of nested PARs too: the parent runs
 *         the first, and the others go to the front of the run queue (decision 0036). Where a
 *         recursion cannot show the order, the parent runs the last branch, which mostly waits for
 *         the others: so they find it waiting, and only the blocks of one path are needed. */
#include "start.h"
#include "symbol.h"

/* Does an object of this type not show which process came first? Data, a time, and a channel
 * between two do not. */
static bool hides_order(const Type *type) {
    return (type_is_data(type) && !type_owns(type)) || type_is_timer(type) ||
           (type_is_channel(type) && !type_is_shared(type));
}

/* Do the branches use an object that serves processes in order of arrival? */
static bool shows_order(const Node *par) {
    const ParInfo *info = par->par.info;
    for (size_t i = 0; i < par->par.body.count; i++) {
        for (size_t k = 0; k < info->captured[i].count; k++) {
            if (!hides_order(info->captured[i].items[k]->type)) {
                return true;
            }
        }
    }
    return false;
}

/* Depth first, a recursion needs the blocks of one path only, and each is warm in the cache; in
 * queue order the whole tree would be alive at once. So a branch of a recursive PROC starts when
 * its parent has come to the end of the PAR, or when nothing else is ready, the newest first. */
StartOrder par_order(const Emitter *emitter, const Node *par) {
    const Node *routine = emitter->routine->node;
    if (par->par.form == PAR_PRI) {
        return START_LOWER;
    }
    bool is_recursive =
        routine != NULL && routine->kind == NODE_PROC && routine->proc.info->is_recursive_used;
    if (!is_recursive || par->par.enrols.count > 0 || shows_order(par)) {
        return START_FIRST;
    }
    return par->par.replicator == NULL ? START_DEFERRED : START_LAST;
}

size_t par_own_component(const Emitter *emitter, const Node *par) {
    StartOrder order = par_order(emitter, par);
    bool is_first = order == START_FIRST || order == START_LOWER;
    return is_first ? 0 : par->par.body.count - 1;
}
