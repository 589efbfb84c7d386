/* deadlock -- the report. See deadlock.h. */
#include "deadlock.h"

#include "backtrace.h"
#include "base/trace.h"
#include "deadlock_graph.h"
#include "device.h"
#include "ending.h"
#include "registration.h"
#include "report.h"

#include <inttypes.h>

enum {
    CYCLE_LINES = 24,     /* of the cycle that are shown */
    GROUP_LINES = 60,     /* places that are shown */
    GROUP_CAPACITY = 512, /* places that are told apart */
    MEMBERS_SHOWN = 4,
    CALLERS_SHOWN = 5
};

typedef struct Group {
    const Site *site; /* NULL: ready */
    uint32_t count;
    uint32_t without_holder;
    bool have_one_holder; /* all the same */
    bool have_one_clock;
    uint32_t members[MEMBERS_SHOWN];
} Group;

static const char *const reasons[WAIT_REASON_COUNT] = {
#define OCC_WAIT(REASON, words) [WAIT_##REASON] = words,
#include "include/occ/wait_reason.def"
#undef OCC_WAIT
};

/* ---- parts of a line ---- */

static bool is_number_of_branch(const Process *process) {
    return process->index != INDEX_NONE;
}

static void add_name(ReportText *text, const WaitNode *node) {
    report_add(text, "%s", node->site->proc != NULL ? node->site->proc : "?");
    if (is_number_of_branch(node->process)) {
        report_add(text, " [%" PRId32 "]", node->process->index);
    }
}

static void add_place(ReportText *text, const Site *site) {
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

/* Who waits for the world often does so in a routine of the library: ", called from net.read, p".
 */
static void add_callers(ReportText *text, const Process *process) {
    Frame frames[CALLERS_SHOWN];
    size_t count = backtrace(process, frames, CALLERS_SHOWN);
    const char *separator = ", called from ";
    for (size_t i = 1; i < count; i++) {
        RoutineName name = backtrace_name(frames[i].row);
        if (!name.is_hidden && !name.is_branch && !name.is_loop) {
            report_add(text, "%s%.*s", separator, name.length, name.text);
            separator = ", ";
        }
    }
}

/* Of a group only what all of it have in common. */
static void add_device(ReportText *text, const Process *process, bool is_group) {
    const Channel *channel = (const Channel *)(const void *)process->next;
    const Device *device = device_of(channel->word);
    if (device->kind->describe == NULL) {
        report_add(text, "  %s: %s", reasons[WAIT_DEVICE], device->kind->name);
    } else if (is_group) {
        report_add(text, "  %s", device->kind->name);
    } else {
        char words[DEVICE_WORDS];
        device->kind->describe(device, words, sizeof words);
        report_add(text, "  %s", words);
        add_callers(text, process);
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

/* What it waits for. `process` is NULL for a group: no numbers of its own. */
static void add_reason(ReportText *text, const WaitNode *node, bool is_group) {
    WaitReason reason = deadlock_graph_reason(node);
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

static bool can_have_holder(const WaitNode *node) {
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

/* Who got in last, and where; it may have ended. */
static void add_last(ReportText *text, const WaitNode *node, const Sync *sync, const char *words) {
    if (sync->site != NULL) {
        report_add(text, "  %s", words);
        if (node->holder != NO_NODE) {
            report_add(text, " by #%" PRIu32, node->holder + 1);
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
        report_add(text, "  waiting for #%" PRIu32, node->holder + 1);
    } else if (node->holder != NO_NODE) {
        report_add(text, "  %s %s by #%" PRIu32,
                   has_several ? "one of the other ends is" : "the other end is",
                   node->after != NULL ? "used" : "held", node->holder + 1);
    } else if (node->own_after != NULL) {
        report_add(text,
                   "  no other process holds the other end; this one may use it after its PAR of "
                   "line %" PRIu32,
                   node->own_after->line);
    } else if (!node->is_open) {
        report_add(text, "  no other process holds %s",
                   has_several ? "any of the other ends" : "the other end");
    }
    if (node->after != NULL) {
        report_add(text, " after its PAR of line %" PRIu32, node->after->line);
    }
}

static void add_holder(ReportText *text, const WaitNode *node) {
    if (deadlock_graph_reason(node) == WAIT_CLAIM) {
        if (node->holder != NO_NODE) {
            report_add(text, "  held by #%" PRIu32, node->holder + 1);
        }
        return;
    }
    if (deadlock_graph_sync(node) != NULL) {
        add_sync(text, node, deadlock_graph_sync(node));
        return;
    }
    if (!can_have_holder(node)) {
        return;
    }
    add_other_end(text, node);
}

/* ---- clocks ---- */

/* Who waits is in the next phase already, by his registration. */
static void add_clock(ReportText *text, const Registration *registration) {
    const Clock *clock = registration->clock;
    unsigned registered = (unsigned)clock_registered_in(clock->word);
    report_add(text, "  phase %" PRIu32 ", %u enrolled, %u resumed", registration->phase - 1,
               registered, registered - (unsigned)clock_unarrived_in(clock->word));
}

static void add_missing(ReportText *text, const DeadlockGraph *graph, const WaitNode *node) {
    const Registration *registration = deadlock_graph_registration(node);
    if (registration == NULL || node->holder == NO_NODE) {
        return;
    }
    const WaitNode *missing = &graph->nodes[node->holder];
    unsigned others = (unsigned)clock_unarrived_in(registration->clock->word) - 1;
    report_add(text, ", waiting for #%" PRIu32, node->holder + 1);
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

static void print_process(const DeadlockGraph *graph, uint32_t index) {
    const WaitNode *node = &graph->nodes[index];
    ReportText text = {.length = 0};
    report_add(&text, "  #%" PRIu32 "  ", index + 1);
    add_name(&text, node);
    add_place(&text, node->site);
    add_reason(&text, node, false);
    add_holder(&text, node);
    if (deadlock_graph_registration(node) != NULL) {
        add_clock(&text, deadlock_graph_registration(node));
        add_missing(&text, graph, node);
    }
    report_add(&text, "\n");
    report_write(&text);
}

static void print_cycle(const DeadlockGraph *graph) {
    if (graph->cycle_start == NO_NODE) {
        return;
    }
    ReportText text = {.length = 0};
    uint32_t at = graph->cycle_start;
    report_add(&text, "  cycle: #%" PRIu32, at + 1);
    for (uint32_t i = 0; i < graph->cycle_length; i++) {
        at = graph->nodes[at].holder;
        if (i == CYCLE_LINES && i + 1 < graph->cycle_length) {
            report_add(&text, " -> ... (%" PRIu32 " processes)", graph->cycle_length);
            at = graph->cycle_start;
            i = graph->cycle_length;
        }
        report_add(&text, " -> #%" PRIu32, at + 1);
    }
    report_add(&text, "\n");
    report_write(&text);
    for (uint32_t i = 0; i < graph->cycle_length && i < CYCLE_LINES; i++) {
        print_process(graph, at);
        at = graph->nodes[at].holder;
    }
}

static void print_group(const DeadlockGraph *graph, const Group *group) {
    const WaitNode *first = &graph->nodes[group->members[0]];
    if (group->count == 1) {
        print_process(graph, group->members[0]);
        return;
    }
    ReportText text = {.length = 0};
    report_add(&text, "  %" PRIu32 " x %s", group->count,
               group->site->proc != NULL ? group->site->proc : "?");
    add_place(&text, group->site);
    add_reason(&text, first, true);
    report_add(&text, "  (");
    for (uint32_t i = 0; i < group->count && i < MEMBERS_SHOWN; i++) {
        report_add(&text, "%s#%" PRIu32, i == 0 ? "" : ", ", group->members[i] + 1);
    }
    report_add(&text, "%s)", group->count > MEMBERS_SHOWN ? ", ..." : "");
    bool has_one = group->have_one_holder && deadlock_graph_sync(first) != NULL &&
                   deadlock_graph_reason(first) != WAIT_TICKET;
    if (has_one || (deadlock_graph_reason(first) == WAIT_CLAIM && group->have_one_holder)) {
        add_holder(&text, first);
    }
    if (deadlock_graph_registration(first) != NULL && group->have_one_clock) {
        add_clock(&text, deadlock_graph_registration(first));
        add_missing(&text, graph, first);
    }
    if (can_have_holder(first) && group->without_holder == group->count) {
        report_add(&text, "  no other process holds the other end");
    }
    report_add(&text, "\n");
    report_write(&text);
}

/* ---- grouping ---- */

typedef struct GroupTable {
    Group groups[GROUP_CAPACITY];
    uint32_t count;
    uint32_t more_processes; /* at places beyond the table */
} GroupTable;

static Group *group_of(GroupTable *table, const Site *site) {
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->groups[i].site == site) {
            return &table->groups[i];
        }
    }
    if (table->count == GROUP_CAPACITY) {
        return NULL;
    }
    table->groups[table->count] =
        (Group){.site = site, .have_one_holder = true, .have_one_clock = true};
    return &table->groups[table->count++];
}

static bool is_one_clock(const WaitNode *one, const WaitNode *other) {
    const Registration *mine = deadlock_graph_registration(one);
    const Registration *theirs = deadlock_graph_registration(other);
    return mine != NULL && theirs != NULL && mine->clock == theirs->clock;
}

static void add_to_group(GroupTable *table, const DeadlockGraph *graph, uint32_t index) {
    const WaitNode *node = &graph->nodes[index];
    Group *group = group_of(table, node->site);
    if (group == NULL) {
        table->more_processes++;
        return;
    }
    if (group->count < MEMBERS_SHOWN) {
        group->members[group->count] = index;
    }
    const WaitNode *first = &graph->nodes[group->members[0]];
    group->have_one_holder = group->have_one_holder && node->holder == first->holder;
    group->have_one_clock = group->have_one_clock && is_one_clock(node, first);
    group->count++;
    group->without_holder += node->holder == NO_NODE && !node->is_open;
}

/* Those of the cycle that print_cycle has shown are not shown again. */
static void print_groups(const DeadlockGraph *graph) {
    GroupTable table;
    table.count = 0;
    table.more_processes = 0;
    bool cycle_is_shown = graph->cycle_length <= CYCLE_LINES;
    for (uint32_t i = 0; i < graph->count; i++) {
        const WaitNode *node = &graph->nodes[i];
        if (node->site != NULL && !(node->is_in_cycle && cycle_is_shown)) {
            add_to_group(&table, graph, i);
        }
    }
    uint32_t hidden = 0;
    for (uint32_t i = 0; i < table.count; i++) {
        if (i < GROUP_LINES) {
            print_group(graph, &table.groups[i]);
        } else {
            hidden += table.groups[i].count;
        }
    }
    if (hidden + table.more_processes > 0) {
        report_line("  ... and %" PRIu32 " more\n", hidden + table.more_processes);
    }
}

static uint32_t count_waiting(const DeadlockGraph *graph) {
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        waiting += graph->nodes[i].site != NULL;
    }
    return waiting;
}

/* Of a program compiled with -fstop-mode: processes that an error has stopped. */
static uint32_t count_stopped(const DeadlockGraph *graph) {
    uint32_t stopped = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        stopped +=
            graph->nodes[i].site != NULL && deadlock_graph_reason(&graph->nodes[i]) == WAIT_STOPPED;
    }
    return stopped;
}

_Noreturn void rt_deadlock(void) {
    DeadlockGraph graph;
    uint32_t stopped = 0;
    rt_root.is_reporting = true;
    ending_flush(false);
    rt_root.is_reporting = false;
    if (deadlock_graph_build(&graph)) {
        stopped = count_stopped(&graph);
        if (stopped > 0) {
            report_line("occ: %" PRIu32 " process%s stopped by an error\n", stopped,
                        stopped == 1 ? " was" : "es were");
        }
        report_line("occ: deadlock: %" PRIu32 " of %" PRIu32
                    " process%s blocked and nothing can wake %s\n",
                    count_waiting(&graph), graph.count, graph.count == 1 ? " is" : "es are",
                    graph.count == 1 ? "it" : "them");
        print_cycle(&graph);
        print_groups(&graph);
    } else {
        report_line("occ: deadlock (no memory for a report)\n");
    }
    deadlock_graph_free(&graph);
#ifdef RT_TRACE
    rt_trace_print();
#endif
    rt_end(stopped > 0 ? STATUS_ERROR : STATUS_DEADLOCK);
}

void rt_waits_report(void) {
    DeadlockGraph graph;
    if (deadlock_graph_build(&graph)) {
        uint32_t waiting = count_waiting(&graph);
        report_line("occ: %" PRIu32 " processes: %" PRIu32 " ready, %" PRIu32 " waiting\n",
                    graph.count, graph.count - waiting, waiting);
        print_cycle(&graph);
        print_groups(&graph);
    }
    deadlock_graph_free(&graph);
}
