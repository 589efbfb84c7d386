/* common_standstill -- see common_standstill.h. */
#include "common_standstill.h"

#include "deadlock.h"
#include "deadlock_joint.h"
#include "lost.h"
#include "os.h"

enum { PAUSE_NS = 20000000 }; /* between rounds */

Sums *common_standstill_with;

static struct {
    uint64_t number; /* of the round */
    bool is_asked;   /* a PROBE waits until this machine stands still */
    /* On the first machine. */
    Sums round, last;
    bool is_asking, has_last;
    uint32_t answers;
    int64_t next_ns;
    uint32_t processes; /* on the machines that have reported */
    DeadlockPart *parts, **parts_end;
} standstill;

void common_standstill_begin(void) {
    common_standstill_with = machine_memory(rt_machines.count * sizeof(Sums));
}

void common_standstill_lose(uint32_t machine) {
    common_standstill_with[machine] = (Sums){0};
    standstill.is_asking = standstill.has_last = false;
}

static Sums own_sums(void) {
    Sums own = {0};
    for (uint32_t i = 0; i < rt_machines.count; i++) {
        own.sent += common_standstill_with[i].sent;
        own.received += common_standstill_with[i].received;
    }
    return own;
}

static const Machine *here(void) {
    return &rt_machines.machines[0];
}

/* The message belongs to the round that asked. */
static void say(uint32_t to, MessageKind kind) {
    Message *message = message_make(kind, standstill.number, 0);
    message->place = rt_machines.lost_count;
    Sums own = own_sums();
    message->number = own.sent;
    message->turn = own.received;
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
    standstill.number++;
    standstill.round = own_sums();
    for (uint32_t i = 1; i < rt_machines.count; i++) {
        say(i, MESSAGE_PROBE);
    }
}

/* Ask the next machine that is not lost; end when all have reported. */
static void ask_for_part(uint32_t machine) {
    while (machine < rt_machines.count && rt_machines.lost[machine]) {
        machine++;
    }
    if (machine == rt_machines.count) {
        rt_deadlock_joint(standstill.parts);
    }
    Message *message = message_make(MESSAGE_REPORT, 0, 0);
    message->number = standstill.processes;
    message_send(here(), machine, message);
}

static void end_round(void) {
    const Sums *round = &standstill.round;
    bool is_same = standstill.has_last && round->sent == standstill.last.sent &&
                   round->received == standstill.last.received;
    if (is_same && round->sent == round->received) {
        standstill.parts_end = &standstill.parts;
        standstill.processes = deadlock_joint_count();
        ask_for_part(1);
        return; /* no more rounds */
    }
    standstill.last = *round;
    standstill.has_last = true;
    standstill.is_asking = false;
    standstill.next_ns = os_clock_ns() + PAUSE_NS;
}

static void hear_stands(const Message *message) {
    if (message->channel != standstill.number || !standstill.is_asking) {
        return; /* from a round in which a machine was lost */
    }
    bool knows_less = message->place != rt_machines.lost_count; /* no sums are the same then */
    standstill.round.sent += message->number + knows_less;
    standstill.round.received += message->turn;
    if (++standstill.answers == rt_machines.count - rt_machines.lost_count) {
        end_round();
    }
}

static void tell_part(uint32_t before) {
    size_t size_bytes = deadlock_joint_write(before, NULL, 0);
    Message *part = message_make(MESSAGE_REPORTED, 0, size_bytes);
    (void)deadlock_joint_write(before, part->bytes, size_bytes);
    lost_is_said();
    message_send(here(), 0, part);
}

/* Kept: the report points into the message. */
static void hear_part(const Message *message) {
    DeadlockPart *part = machine_memory(sizeof *part);
    *part = (DeadlockPart){.machine = message->from, .bytes = message->bytes};
    *standstill.parts_end = part;
    standstill.parts_end = &part->next;
    standstill.processes += deadlock_joint_count_of(part->bytes);
    ask_for_part(message->from + 1);
}

bool common_standstill_hear(Message *message) {
    switch ((int)message->kind) {
    case MESSAGE_PROBE:
        standstill.is_asked = true;
        standstill.number = message->channel;
        return false;
    case MESSAGE_STANDS: hear_stands(message); return false;
    case MESSAGE_REPORT: tell_part((uint32_t)message->number); return false;
    default: hear_part(message); return true;
    }
}
