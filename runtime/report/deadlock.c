/* deadlock -- the report. See deadlock.h. */
#include "deadlock.h"

#include "deadlock_dead.h"
#include "deadlock_graph.h"
#include "deadlock_joint.h"
#include "deadlock_line.h"
#include "ending.h"
#include "registration.h"

#include <inttypes.h>

enum {
    CYCLE_LINES = 24,     /* of the cycle that are shown */
    GROUP_LINES = 60,     /* places that are shown */
    GROUP_CAPACITY = 512, /* places that are distinguished */
    MEMBERS_SHOWN = 4
};

typedef struct Group {
    const Site *site; /* NULL: ready */
    uint32_t count;
    uint32_t without_holder;
    bool have_one_holder; /* all the same */
    bool have_one_clock;
    uint32_t members[MEMBERS_SHOWN];
} Group;

static void print_cycle_from(const DeadlockGraph *graph, uint32_t start, uint32_t length) {
    ReportText text = {.length = 0};
    uint32_t at = start;
    report_add(&text, "  cycle: #%" PRIu32, at + 1);
    for (uint32_t i = 0; i < length; i++) {
        at = graph->nodes[at].holder;
        if (i == CYCLE_LINES && i + 1 < length) {
            report_add(&text, " -> ... (%" PRIu32 " processes)", length);
            at = start;
            i = length;
        }
        report_add(&text, " -> #%" PRIu32, at + 1);
    }
    report_add(&text, "\n");
    report_write(&text);
    for (uint32_t i = 0; i < length && i < CYCLE_LINES; i++) {
        deadlock_line_print(graph, at);
        at = graph->nodes[at].holder;
    }
}

static void print_cycle(const DeadlockGraph *graph) {
    if (graph->cycle_start != NO_NODE) {
        print_cycle_from(graph, graph->cycle_start, graph->cycle_length);
    }
}

static void print_group(const DeadlockGraph *graph, const Group *group) {
    const WaitNode *first = &graph->nodes[group->members[0]];
    bool are_told_apart = deadlock_graph_reason(first) == WAIT_DEVICE; /* each has its address */
    if (group->count == 1 || (are_told_apart && group->count <= MEMBERS_SHOWN)) {
        for (uint32_t i = 0; i < group->count; i++) {
            deadlock_line_print(graph, group->members[i]);
        }
        return;
    }
    ReportText text = {.length = 0};
    report_add(&text, "  %" PRIu32 " x %s", group->count,
               group->site->proc != NULL ? group->site->proc : "?");
    deadlock_line_place(&text, group->site);
    deadlock_line_reason(&text, first, true);
    report_add(&text, "  (");
    for (uint32_t i = 0; i < group->count && i < MEMBERS_SHOWN; i++) {
        report_add(&text, "%s", i == 0 ? "" : ", ");
        deadlock_line_number(&text, graph, group->members[i]);
    }
    report_add(&text, "%s)", group->count > MEMBERS_SHOWN ? ", ..." : "");
    bool has_one = group->have_one_holder && deadlock_graph_sync(first) != NULL &&
                   deadlock_graph_reason(first) != WAIT_TICKET;
    if (has_one || (deadlock_graph_reason(first) == WAIT_CLAIM && group->have_one_holder)) {
        deadlock_line_holder(&text, first);
    }
    if (deadlock_graph_registration(first) != NULL && group->have_one_clock) {
        deadlock_line_clock(&text, deadlock_graph_registration(first));
        deadlock_line_missing(&text, graph, first);
    }
    if (deadlock_line_can_have_holder(first) && group->without_holder == group->count) {
        report_add(&text, "  no other process holds the other end");
    }
    report_add(&text, "\n");
    report_write(&text);
}

/* ---- those that can never go on, while others do ---- */

static bool is_news(const WaitNode *node) {
    return node->is_dead && (node->process->flags & PROCESS_IS_TOLD) == 0;
}

/* The length of the cycle that begins there; 0: all of it has been reported. */
static uint32_t length_of_news(const DeadlockGraph *graph, uint32_t start) {
    uint32_t length = 0;
    bool has_news = false;
    uint32_t at = start;
    do {
        has_news = has_news || is_news(&graph->nodes[at]);
        length++;
        at = graph->nodes[at].holder;
    } while (at != start);
    return has_news ? length : 0;
}

static void print_cycles_of_dead(const DeadlockGraph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        uint32_t length = graph->nodes[i].is_cycle_start ? length_of_news(graph, i) : 0;
        if (length != 0) {
            print_cycle_from(graph, i, length);
        }
    }
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

/* Is the line of the process wanted? Not if it was shown with a cycle. */
static bool is_wanted(const DeadlockGraph *graph, const WaitNode *node) {
    bool is_shown = node->is_in_cycle && graph->cycle_length <= CYCLE_LINES;
    if (graph->is_of_dead) {
        return is_news(node) && !node->is_in_cycle;
    }
    return node->site != NULL && !is_shown;
}

static void print_groups(const DeadlockGraph *graph) {
    GroupTable table;
    table.count = 0;
    table.more_processes = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (is_wanted(graph, &graph->nodes[i])) {
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

static uint32_t report_deadlock(const DeadlockGraph *graph) {
    uint32_t stopped = count_stopped(graph);
    if (stopped > 0) {
        report_line("occ: %" PRIu32 " process%s stopped by an error\n", stopped,
                    stopped == 1 ? " was" : "es were");
    }
    report_line("occ: deadlock: %" PRIu32 " of %" PRIu32
                " process%s blocked and nothing can wake %s\n",
                count_waiting(graph), graph->count, graph->count == 1 ? " is" : "es are",
                graph->count == 1 ? "it" : "them");
    print_cycle(graph);
    print_groups(graph);
    return stopped;
}

_Noreturn void rt_deadlock_joint(const DeadlockPart *parts) {
    DeadlockGraph graph;
    uint32_t stopped = 0;
    rt_root.is_reporting = true;
    ending_flush(false);
    rt_root.is_reporting = false;
    if (deadlock_graph_build(&graph) && deadlock_joint_add(&graph, parts)) {
        stopped = report_deadlock(&graph);
    } else {
        report_line("occ: deadlock (no memory for a report)\n");
    }
    deadlock_graph_free(&graph);
    rt_end(stopped > 0 ? STATUS_ERROR : STATUS_DEADLOCK);
}

_Noreturn void rt_deadlock(void) {
    rt_deadlock_joint(NULL);
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

static uint32_t count_dead(const DeadlockGraph *graph) {
    uint32_t dead = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        dead += graph->nodes[i].is_dead;
    }
    return dead;
}

static void mark_told(const DeadlockGraph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->nodes[i].is_dead) {
            graph->nodes[i].process->flags |= PROCESS_IS_TOLD;
        }
    }
}

static bool print_dead(DeadlockGraph *graph) {
    static bool has_told;
    if (has_told && !deadlock_dead_is_new(graph)) {
        return false; /* they wait only for those already reported */
    }
    graph->is_of_dead = true;
    if (!deadlock_graph_link(graph)) {
        return false;
    }
    uint32_t dead = count_dead(graph);
    report_line("occ: deadlock: %" PRIu32 " of %" PRIu32
                " processes %s blocked and nothing can wake %s; the others go on\n",
                dead, graph->count, dead == 1 ? "is" : "are", dead == 1 ? "it" : "them");
    print_cycles_of_dead(graph);
    print_groups(graph);
    has_told = true;
    return true;
}

bool rt_dead_report(void) {
    DeadlockGraph graph;
    bool has_printed = false;
    if (deadlock_graph_list(&graph) && deadlock_dead_find(&graph) > 0) {
        has_printed = print_dead(&graph);
        mark_told(&graph);
    }
    deadlock_graph_free(&graph);
    return has_printed;
}
