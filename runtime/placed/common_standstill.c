/* common_standstill -- see common_standstill.h. */
#include "common_standstill.h"

#include "deadlock.h"
#include "os.h"
#include "report.h"

enum { PAUSE_NS = 20000000 }; /* from round to round */

/* Sums -- of messages. */
typedef struct Sums {
    uint64_t sent, received;
} Sums;

static struct {
    Sums own;
    bool is_asked; /* a PROBE waits until this machine stands still */
    /* of the first machine */
    Sums round, last;
    bool is_asking, has_last;
    uint32_t answers;
    int64_t next_ns;
} standstill;

static bool is_counted(const Message *message) {
    return message->kind < MESSAGE_PROBE;
}

void common_standstill_sent(const Message *message) {
    standstill.own.sent += is_counted(message);
}

void common_standstill_received(const Message *message) {
    standstill.own.received += is_counted(message);
}

static const Machine *here(void) {
    return &rt_machines.machines[0];
}

static void say(uint32_t to, MessageKind kind) {
    Message *message = message_make(kind, 0, 0);
    message->number = standstill.own.sent;
    message->turn = standstill.own.received;
    message_send(here(), to, message);
}

void common_standstill_here(void) {
    if (standstill.is_asked) {
        standstill.is_asked = false;
        say(0, MESSAGE_STANDS);
    }
    bool begins = here()->number == 0 && !standstill.is_asking;
    if (!begins || os_clock_ns() < standstill.next_ns) {
        return;
    }
    standstill.is_asking = true;
    standstill.answers = 1;
    standstill.round = standstill.own;
    for (uint32_t i = 1; i < rt_machines.count; i++) {
        say(i, MESSAGE_PROBE);
    }
}

static void end_round(void) {
    const Sums *round = &standstill.round;
    bool is_same = standstill.has_last && round->sent == standstill.last.sent &&
                   round->received == standstill.last.received;
    if (is_same && round->sent == round->received) {
        say(1, MESSAGE_REPORT);
        return; /* and no more rounds */
    }
    standstill.last = *round;
    standstill.has_last = true;
    standstill.is_asking = false;
    standstill.next_ns = os_clock_ns() + PAUSE_NS;
}

static void hear_stands(const Message *message) {
    standstill.round.sent += message->number;
    standstill.round.received += message->turn;
    if (++standstill.answers == rt_machines.count) {
        end_round();
    }
}

static void report_here(void) {
    report_line("occ: deadlock: machine %u of %u\n", here()->number, rt_machines.count);
    rt_waits_report();
    say(0, MESSAGE_REPORTED);
}

static void hear_reported(uint32_t from) {
    if (from + 1 < rt_machines.count) {
        say(from + 1, MESSAGE_REPORT);
    } else {
        rt_deadlock();
    }
}

void common_standstill_hear(const Message *message) {
    if (message->kind == MESSAGE_PROBE) {
        standstill.is_asked = true;
    } else if (message->kind == MESSAGE_STANDS) {
        hear_stands(message);
    } else if (message->kind == MESSAGE_REPORT) {
        report_here();
    } else {
        hear_reported(message->from);
    }
}
