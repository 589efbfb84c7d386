/* lost -- see lost.h. */
#include "lost.h"

#include "atomic.h"
#include "common_standstill.h"
#include "deadlock.h"
#include "ending.h"
#include "link.h"
#include "os.h"
#include "placement.h"
#include "remote_choice.h"
#include "remote_end.h"
#include "report.h"
#include "shared_end.h"

enum { OTHERS_REPORT_NS = 50000000 };

/* Who closes the channels: a Site of line 0. */
static const Site lost_site = {.file = "", .proc = NULL};

/* ---- ends and homes ---- */

static bool is_shared(const RemoteEnd *end, uint32_t side) {
    uint32_t shared = end->is_twin ? end->twin->shared : end->shared;
    return (shared & (side == END_INPUT ? PLACED_SHARED_INPUT : PLACED_SHARED_OUTPUT)) != 0;
}

/* The peer will neither answer nor ask. */
static void forget_peer(Worker *worker, RemoteEnd *end, uint32_t lost) {
    if (end->asked_back != 0 && end->asked_by == lost) {
        end->asked_back = 0;
    }
    bool is_asked = end->asked != 0 && end->offered_by == lost;
    if (end->offered != 0 && end->offered_by == lost) {
        end->offered = 0;
    }
    if (is_asked) {
        remote_choice_refused(worker, end);
    }
}

static void lose_peer(Worker *worker, RemoteEnd *end, uint32_t lost) {
    bool is_orphan = link_home(end->number) == lost;
    bool is_its = end->peer == lost && end->side != END_UNKNOWN;
    forget_peer(worker, end, lost);
    if (is_orphan || (is_its && !is_shared(end, 1 - end->side))) {
        remote_close_hear(worker, end, &lost_site, true);
    } else if (is_its) {
        end->peer = -1;
        if (end->side == END_OUTPUT) {
            remote_end_acknowledged(worker, end);
        }
    }
}

static void each_end(Worker *worker, const Machine *machine, uint32_t lost) {
    TableEntry *next;
    for (TableEntry *at = table_first(&machine->ends); at != NULL; at = next) {
        next = table_after(&machine->ends, at);
        lose_peer(worker, remote_end_of_entry(at), lost);
    }
}

static void lose_link(const Machine *machine, Link *link, uint32_t lost) {
    bool is_plain = link->home == NULL || link->home->twin == NULL;
    if (is_plain && (link->known[0] == lost || link->known[1] == lost)) {
        link_close(machine, link, &lost_site);
    }
    for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
        bool is_shared_side = link->home != NULL && is_shared(link->home, side);
        if (is_shared_side) {
            shared_turns_lose(machine, link, side, lost);
        } else if (link->machines[side] == lost) {
            link_close(machine, link, &lost_site);
        }
    }
}

static void each_link(const Machine *machine, uint32_t lost) {
    const Table *links = &machine->links;
    for (TableEntry *at = table_first(links); at != NULL; at = table_after(links, at)) {
        lose_link(machine, link_of_entry(at), lost);
    }
}

/* ---- without -fplaced-survive ---- */

static struct {
    bool is_wanted, is_made;
    uint32_t machine;
} report;

void lost_report(const char *how) {
    if (!report.is_made) {
        report.is_made = true;
        report_line("occ: machine %u of %u %s; what waited on it:\n", rt_machines.number,
                    rt_machines.count, how);
        rt_waits_report();
    }
}

void lost_at_once(uint32_t machine) {
    ReportText text = {.length = 0};
    report_add(&text, "machine %u is lost, while a message of it was read", machine);
    rt_fatal(text.bytes, 0);
}

void lost_is_said(void) {
    report.is_made = true;
}

/* The others have noticed at the same time. */
void lost_idle(void) {
    if (!report.is_wanted) {
        return;
    }
    report.is_wanted = false;
    ReportText how = {.length = 0};
    report_add(&how, "waits for machine %u, which is lost", report.machine);
    lost_report(how.bytes);
    if (rt_machines.number == 0 || report.machine == 0) {
        (void)os_is_ready(-1, 0, OTHERS_REPORT_NS);
        rt_end(STATUS_WORLD);
    }
}

void lost_survive(void) {
    bool is_news = !rt_machines.survives && rt_machines.number == 0;
    rt_machines.survives = true;
    if (is_news && !placed_carrier.can_leave()) {
        report_line("occ: -fplaced-survive: mpirun ends this job when a process of it is lost: "
                    "start it with mpirun --enable-recovery\n");
    }
}

/* ---- what all do ---- */

void lost_hear(Worker *worker, Machine *machine, const Message *message) {
    uint32_t lost = (uint32_t)message->number;
    if (!placed_carrier.is_virtual) {
        if (rt_machines.lost[lost]) {
            return;
        }
        rt_machines.lost[lost] = true;
        rt_machines.lost_count++;
        placed_carrier.lose(lost);
        common_standstill_lose(lost);
    }
    if (!rt_machines.survives || lost == 0) {
        report.is_wanted = true;
        report.machine = lost;
        return;
    }
    if (placed_carrier.is_virtual) {
        placement_lose_copies(&rt_machines.machines[lost]);
    }
    placement_lose(worker, machine, lost);
    each_link(machine, lost);
    each_end(worker, machine, lost);
}
