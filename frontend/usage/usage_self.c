/* usage_self -- a channel that one process both outputs to and inputs from waits for ever; for a
 * local channel the field only warns (language.md 3.2).
 *
 * One call with both ends says nothing: the
 * callee may run them in parallel. Two calls one after the other wait for each other. */
#include "usage.h"

struct ChannelMark {
    const UsageAccess *input;
    bool is_paired; /* some PAR has its ends in two branches */
    bool is_reported;
};

typedef struct ChannelMark ChannelMark;

static ChannelMark *mark_of(UsageWalk *walk, Symbol *channel) {
    ChannelMark *mark = symbol_map_get(&walk->channels, channel);
    if (!mark) {
        mark = arena_new(walk->arena, ChannelMark);
        symbol_map_set(walk->arena, &walk->channels, channel, mark);
    }
    return mark;
}

void usage_note_pair(UsageWalk *walk, Symbol *channel) {
    mark_of(walk, channel)->is_paired = true;
}

static bool is_local_channel(const Symbol *symbol, const Node *routine) {
    return symbol->kind == SYMBOL_VARIABLE && symbol->owner == routine &&
           symbol->type->kind == TYPE_CHANNEL && !symbol->is_library && !symbol->permits_sharing;
}

static void report(UsageWalk *walk, const UsageAccess *output, ChannelMark *mark) {
    Diag *diag = walk->compiler->diag;
    mark->is_reported = true;
    diag_report(diag, DIAG_USAGE_SELF, output->at, output->root->name->bytes);
    if (mark->input->via) {
        diag_label(diag, mark->input->at, "'%s' inputs from it", mark->input->via->name->bytes);
    } else {
        diag_label(diag, mark->input->at, "input here");
    }
    if (output->via) {
        diag_primary_label(diag, "'%s' outputs to it", output->via->name->bytes);
    } else {
        diag_primary_label(diag, "output here");
    }
}

void usage_warn_of_self(UsageWalk *walk, const Node *routine, size_t start) {
    if (walk->is_silent || walk->alias || diag_error_count(walk->compiler->diag) > 0) {
        return;
    }
    for (size_t i = start; i < walk->accesses.count; i++) {
        const UsageAccess *access = &walk->accesses.items[i];
        if (access->kind == USAGE_INPUT && is_local_channel(access->root, routine)) {
            mark_of(walk, access->root)->input = access;
        }
    }
    for (size_t i = start; i < walk->accesses.count; i++) {
        const UsageAccess *access = &walk->accesses.items[i];
        if (access->kind != USAGE_OUTPUT || !is_local_channel(access->root, routine)) {
            continue;
        }
        ChannelMark *mark = mark_of(walk, access->root);
        bool is_one_call = mark->input && access->call && access->call == mark->input->call;
        if (mark->input && !is_one_call && !mark->is_paired && !mark->is_reported) {
            report(walk, access, mark);
        }
    }
}
