/* deadlock_line -- the words. See deadlock_line.h. */
#include "deadlock_line.h"

#include "backtrace.h"
#include "device.h"
#include "registration.h"

#include <inttypes.h>

enum { CALLERS_SHOWN = 5 };

static uint32_t numbers_before; /* processes of ranks before this one */

void deadlock_line_number_from(uint32_t before) {
    numbers_before = before;
}

static uint32_t number_of(uint32_t node) {
    return numbers_before + node + 1;
}

static const char *const reasons[WAIT_REASON_COUNT] = {
#define OCC_WAIT(REASON, words) [WAIT_##REASON] = words,
#include "occ/wait_reason.def"
#undef OCC_WAIT
};

/* ---- parts of a line ---- */

static void add_name(ReportText *text, const WaitNode *node) {
    report_add(text, "%s", node->site->proc != NULL ? node->site->proc : "?");
    if (process_is_replicated(node->process)) {
        report_add(text, " [%" PRId32 "]", node->process->index);
    }
}

void deadlock_line_place(ReportText *text, const Site *site) {
    report_add(text, "  %s:%" PRIu32 ":%u", site->file, site->line, (unsigned)site->column);
}

static void add_join(ReportText *text, const Process *process) {
    const Join *join = (const Join *)(const void *)process->next;
    if (join != NULL) {
        report_add(text, " (%" PRId64 " %s%s still running)", join->count,
                   process->wait->kind == WAIT_FORKING ? "process" : "component",
                   join->count == 1                      ? ""
                   : process->wait->kind == WAIT_FORKING ? "es"
                                                         : "s");
    }
}

/* A process that waits for the world is often in a library routine: ", called from net.read, p". */
static void add_callers(ReportText *text, const Process *process) {
    Frame frames[CALLERS_SHOWN];
    size_t count = backtrace(process, frames, CALLERS_SHOWN);
    const char *separator = ", called from ";
    for (size_t i = backtrace_innermost(frames, count) + 1; i < count; i++) {
        RoutineName name = backtrace_name(frames[i].row);
        if (!name.is_hidden && !name.is_branch && !name.is_loop) {
            report_add(text, "%s%.*s", separator, name.length, name.text);
            separator = ", ";
        }
    }
}

static bool is_call(const Site *site) {
    return (site->flags & SITE_CALL) != 0;
}

/* For a group: only what all its members have in common. */
static void add_device(ReportText *text, const Process *process, bool is_group) {
    const Channel *channel = (const Channel *)(const void *)process->next;
    const Device *device = device_of(channel->word);
    const Device *other = device_other(device);
    device = other != NULL && other->waiter == process ? other : device;
    if (device->kind->describe == NULL) {
        report_add(text, "  %s: %s", reasons[WAIT_DEVICE], device->kind->name);
    } else if (is_group) {
        report_add(text, "  %s", device->kind->name);
    } else {
        char words[DEVICE_WORDS];
        device->kind->describe(device, words, sizeof words);
        report_add(text, "  %s", words);
        if (device->kind->is_named && process->wait->object != NULL) {
            report_add(text, ", in '%s'", process->wait->object);
        }
        if (!is_call(process->wait)) {
            add_callers(text, process);
        }
    }
}

/* As the program has them: some entries of the record are not guards. */
static uint32_t count_guards(const Alt *alt) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < alt->count; i++) {
        count += alt->guards[i].kind != GUARD_GROUP;
        i += rt_alt_entries(&alt->guards[i]) - 1;
    }
    return count;
}

static void add_alt(ReportText *text, const Process *process) {
    uint32_t count = count_guards(process->data);
    report_add(text, " (%" PRIu32 " guard%s)", count, count == 1 ? "" : "s");
}

/* ---- in a routine reported at its call: the site has its name, not that of what is waited for
 * ---- */

static const Device *device_of_guard(const AltGuard *guard) {
    bool is_channel = guard->kind == GUARD_INPUT || guard->kind == GUARD_OUTPUT;
    const Channel *channel = is_channel ? (const Channel *)guard->object : NULL;
    uintptr_t word = channel != NULL ? atomic_get_relaxed(&channel->word) : 0;
    return (word & TAG_MASK) == TAG_DEVICE ? device_at(word, guard->kind == GUARD_OUTPUT) : NULL;
}

/* The devices and times waited for: "waits for input from 127.0.0.1:1024, or a time". */
static bool add_guards_of_call(ReportText *text, const Alt *alt, bool is_group) {
    const char *separator = "  ";
    bool has_time = false;
    for (uint32_t i = 0; i < alt->count; i++) {
        const AltGuard *guard = &alt->guards[i];
        const Device *device = device_of_guard(guard);
        has_time = has_time || guard->kind == GUARD_TIMER;
        if (device != NULL && device->kind->describe != NULL) {
            char words[DEVICE_WORDS];
            device->kind->describe(device, words, sizeof words);
            report_add(text, "%s%s", separator, is_group ? device->kind->name : words);
            separator = ", or ";
        }
        i += rt_alt_entries(guard) - 1;
    }
    bool has_any = separator[0] == ',';
    report_add(text, "%s", has_any && has_time ? ", or a time" : "");
    return has_any;
}

static void add_reason_of_call(ReportText *text, const WaitNode *node, WaitReason reason,
                               bool is_group) {
    if (reason == WAIT_DEVICE) {
        add_device(text, node->process, is_group);
    } else if (reason != WAIT_ALT || !add_guards_of_call(text, node->process->data, is_group)) {
        bool is_channel =
            reason == WAIT_INPUT || reason == WAIT_OUTPUT || reason == WAIT_UNTIL_CLOSED;
        report_add(text, "  %s%s", reasons[reason],
                   is_channel             ? " a channel"
                   : reason == WAIT_CLAIM ? " a shared end"
                                          : "");
    }
    report_add(text, ", in %s", node->site->object);
}

/* What it waits for. `process` is NULL for a group: no numbers of its own. */
void deadlock_line_reason(ReportText *text, const WaitNode *node, bool is_group) {
    WaitReason reason = deadlock_graph_reason(node);
    if (node->process == NULL) {
        report_add(text, "%s", foreign_group(node->foreign));
        return;
    }
    if (is_call(node->site)) {
        add_reason_of_call(text, node, reason, is_group);
        return;
    }
    if (reason == WAIT_DEVICE) {
        add_device(text, node->process, is_group);
        return;
    }
    report_add(text, "  %s", reason < WAIT_REASON_COUNT ? reasons[reason] : "?");
    if (node->site->object != NULL && reason != WAIT_STOPPED) {
        report_add(text, " '%s'", node->site->object);
    }
    if ((reason == WAIT_JOIN || reason == WAIT_FORKING) && !is_group) {
        add_join(text, node->process);
    }
    if (reason == WAIT_ALT && !is_group) {
        add_alt(text, node->process);
    }
}

bool deadlock_line_can_have_holder(const WaitNode *node) {
    WaitReason reason = deadlock_graph_reason(node);
    return reason == WAIT_INPUT || reason == WAIT_OUTPUT || reason == WAIT_ALT ||
           reason == WAIT_UNTIL_CLOSED || reason == WAIT_EXTENDED;
}

static int32_t number_awaited(const Sync *ticket, const Process *process) {
    const SyncWaiter *waiter = ticket->first;
    while (waiter != NULL && waiter->process != process) {
        waiter = waiter->next;
    }
    return waiter != NULL ? (int32_t)waiter->number : 0;
}

/* The last one that got in, and where; it may have ended. */
static void add_last(ReportText *text, const WaitNode *node, const Sync *sync, const char *words) {
    if (sync->site != NULL) {
        report_add(text, "  %s", words);
        if (node->holder != NO_NODE) {
            report_add(text, " by #%" PRIu32, number_of(node->holder));
        }
        report_add(text, " at %s:%" PRIu32 ":%u", sync->site->file, sync->site->line,
                   (unsigned)sync->site->column);
    }
}

static void add_sync(ReportText *text, const WaitNode *node, const Sync *sync) {
    WaitReason reason = deadlock_graph_reason(node);
    if (reason == WAIT_SEMAPHORE) {
        add_last(text, node, sync, "the last permit was claimed");
    } else if (reason == WAIT_TICKET) {
        report_add(text, "  has number %" PRId32 ", %" PRId32 " is served",
                   number_awaited(sync, node->process), (int32_t)sync->value);
    } else if (reason == WAIT_BUCKET) {
        report_add(text, "  %" PRId64 " in it", sync->value);
    } else if ((reason == WAIT_CREW_READ || reason == WAIT_CREW_WRITE) && sync->value < 0) {
        add_last(text, node, sync, "written");
    } else if (reason == WAIT_CREW_READ || reason == WAIT_CREW_WRITE) {
        report_add(text, "  %" PRId64 " read", sync->value);
        add_last(text, node, sync, "the last began");
    }
}

static void add_other_end(ReportText *text, const WaitNode *node) {
    bool is_alt = deadlock_graph_reason(node) == WAIT_ALT;
    bool has_several = is_alt && count_guards(node->process->data) > 1;
    if (node->is_for_phase) {
        report_add(text, "  waiting for #%" PRIu32, number_of(node->holder));
    } else if (node->holder != NO_NODE) {
        report_add(text, "  %s %s by #%" PRIu32,
                   has_several ? "one of the other ends is" : "the other end is",
                   node->after != NULL ? "used" : "held", number_of(node->holder));
    } else if (node->own_after != NULL) {
        report_add(text,
                   "  no other process holds the other end; this one may use it after its PAR of "
                   "line %" PRIu32,
                   node->own_after->line);
    } else if (!node->is_open) {
        report_add(text, "  no other process holds %s",
                   has_several ? "any of the other ends" : "the other end");
        if (deadlock_graph_reason(node) == WAIT_UNTIL_CLOSED) {
            report_add(text, ": who did has ended without CLOSE");
        }
    }
    if (node->after != NULL) {
        report_add(text, " after its PAR of line %" PRIu32, node->after->line);
    }
}

/* Found by a key: the waiting process does not know where. */
static void add_elsewhere(ReportText *text, const WaitNode *node) {
    WaitReason reason = deadlock_graph_reason(node);
    bool is_said = node->process == NULL; /* that it is held on another machine */
    const char *words = reason == WAIT_CLAIM && is_said ? " by"
                        : reason == WAIT_CLAIM          ? "  held on another machine by"
                        : reason == WAIT_PLACEMENT      ? ":"
                        : reason == WAIT_CLOCK          ? ", waiting for"
                        : node->has_several             ? "  one of the other ends is held by"
                                                        : "  the other end is held by";
    report_add(text, "%s #%" PRIu32, words, number_of(node->holder));
}

void deadlock_line_holder(ReportText *text, const WaitNode *node) {
    if (node->is_elsewhere || node->process == NULL) {
        if (node->is_elsewhere) {
            add_elsewhere(text, node);
        }
        return;
    }
    if (deadlock_graph_reason(node) == WAIT_CLAIM) {
        if (node->holder != NO_NODE) {
            report_add(text, "  held by #%" PRIu32, number_of(node->holder));
        } else if (((const Claim *)(const void *)node->process->next)->holder == NULL) {
            report_add(text, "  held on another machine"); /* placed/shared_end.h */
        }
        return;
    }
    if (deadlock_graph_sync(node) != NULL) {
        add_sync(text, node, deadlock_graph_sync(node));
        return;
    }
    if (!deadlock_line_can_have_holder(node)) {
        return;
    }
    add_other_end(text, node);
}

/* ---- clocks ---- */

/* By its registration, a waiting process is in the next phase already. */
void deadlock_line_clock(ReportText *text, const Registration *registration) {
    const Clock *clock = registration->clock;
    unsigned registered = (unsigned)clock_registered_in(clock->word);
    report_add(text, "  phase %u, %u enrolled, %u resumed",
               clock_phase_after(registration->phase, UINT32_MAX), registered,
               registered - (unsigned)clock_unarrived_in(clock->word));
}

void deadlock_line_missing(ReportText *text, const DeadlockGraph *graph, const WaitNode *node) {
    const Registration *registration = deadlock_graph_registration(node);
    if (registration == NULL || node->holder == NO_NODE) {
        return;
    }
    const WaitNode *missing = &graph->nodes[node->holder];
    unsigned others = (unsigned)clock_unarrived_in(registration->clock->word) - 1;
    report_add(text, ", waiting for #%" PRIu32, number_of(node->holder));
    if (missing->site == NULL) {
        report_add(text, " (ready)");
    } else {
        report_add(text, " (%s:%" PRIu32 ")", missing->site->file, missing->site->line);
    }
    if (others > 0) {
        report_add(text, " and %u more", others);
    }
}

/* ---- lines ---- */

void deadlock_line_number(ReportText *text, const DeadlockGraph *graph, uint32_t index) {
    report_add(text, "#%" PRIu32, number_of(index));
    if (graph->has_machines) {
        report_add(text, " on machine %" PRIu32, graph->nodes[index].machine);
    }
}

void deadlock_line_words(ReportText *text, const DeadlockGraph *graph, const WaitNode *node) {
    add_name(text, node);
    deadlock_line_place(text, node->site);
    deadlock_line_reason(text, node, false);
    if (deadlock_graph_registration(node) != NULL) {
        deadlock_line_clock(text, deadlock_graph_registration(node));
    }
    if (!node->is_elsewhere) {
        deadlock_line_holder(text, node);
        deadlock_line_missing(text, graph, node);
    }
}

void deadlock_line_print(const DeadlockGraph *graph, uint32_t index) {
    const WaitNode *node = &graph->nodes[index];
    ReportText text = {.length = 0};
    report_add(&text, "  ");
    deadlock_line_number(&text, graph, index);
    report_add(&text, "  ");
    if (node->process == NULL) {
        report_add(&text, "%s", foreign_line(node->foreign));
    } else {
        deadlock_line_words(&text, graph, node);
    }
    if (node->is_elsewhere) {
        deadlock_line_holder(&text, node);
    }
    report_add(&text, "\n");
    report_write(&text);
}
