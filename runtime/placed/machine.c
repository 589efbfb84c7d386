/* machine -- see machine.h. */
#include "machine.h"

#include "block.h"
#include "bundle_home.h"
#include "common_standstill.h"
#include "deadlock.h"
#include "ending.h"
#include "held_places.h"
#include "hold.h"
#include "link.h"
#include "lost.h"
#include "placed_clock.h"
#include "placement.h"
#include "remote_bundle.h"
#include "remote_choice.h"
#include "remote_end.h"
#include "report.h"
#include "scheduler.h"
#include "shared_end.h"
#include "world.h"

MachineSet rt_machines;

/* A job's process sends itself messages here. Virtual machines use the carrier, for its delays. */
static struct { Message *first, **end; } own;

static Machine *machine_of_number(uint32_t number) {
    return &rt_machines.machines[placed_carrier.is_virtual ? number : 0];
}

Machine *machine_of_process(const Process *process) {
    while (placed_carrier.is_virtual && process != NULL) {
        Machine *machine = placement_machine(process);
        if (machine != NULL) {
            return machine;
        }
        const Process *parent = block_find(&rt_root.blocks, process->join);
        bool is_segment = parent != NULL && (parent->flags & PROCESS_IS_SEGMENT) != 0;
        process = is_segment ? parent->data : parent;
    }
    return &rt_machines.machines[0];
}

/* ---- messages ---- */

static void keep_own(Message *message) {
    Message **end = own.first == NULL ? &own.first : own.end;
    message->next = NULL;
    *end = message;
    own.end = &message->next;
}

static Message *take(bool is_idle) {
    Message *message = own.first;
    if (message == NULL) {
        return placed_carrier.receive(is_idle);
    }
    own.first = message->next;
    return message;
}

static bool has_more(void) {
    return own.first != NULL || placed_carrier.has_more();
}

void message_send(const Machine *from, uint32_t to, Message *message) {
    message->origin = from->number;
    message_pass(from, to, message);
}

void message_pass(const Machine *from, uint32_t to, Message *message) {
    if (message->bulk_tag != 0 && !placed_carrier.fetch_all(message)) {
        lost_at_once(message->from);
    }
    message->from = from->number;
    message->to = to;
    bool is_of_lost = rt_machines.lost[to] || rt_machines.lost[from->number];
    if (rt_machines.lost_count > 0 && is_of_lost) {
        message_free(message);
        return;
    }
    common_standstill_sent(message);
    if (to == from->number && !placed_carrier.is_virtual) {
        keep_own(message);
        return;
    }
    placed_carrier.send(message);
    hold_sent();
}

static void hear_bye(Worker *worker, const Message *message) {
    if (message->number == STATUS_DONE) {
        rt_scheduler_ready(worker, &rt_root.worker.main_process);
    } else {
        lost_is_said();
    }
}

/* True: the handler keeps the message; false: it is freed. */
static bool handle(Worker *worker, Machine *machine, Message *message) {
    switch ((MessageKind)message->kind) {
    case MESSAGE_START: placement_start(worker, machine, message); return false;
    case MESSAGE_DONE: placement_done(worker, message); return false;
    case MESSAGE_END: placement_end(machine, message); return false;
    case MESSAGE_OUTPUT: return placement_output(worker, message);
    case MESSAGE_RETURN: return placement_return(worker, machine, message);
    case MESSAGE_HELLO: link_hello(machine, message); return false;
    case MESSAGE_CLOSING: link_closing(machine, message); return false;
    case MESSAGE_PEER:
    case MESSAGE_CLOSE:
    case MESSAGE_ACK:
    case MESSAGE_DATA: return remote_end_hear(worker, machine, message);
    case MESSAGE_OFFER:
    case MESSAGE_TAKE:
    case MESSAGE_ASK:
    case MESSAGE_NO: return remote_choice_hear(worker, machine, message);
    case MESSAGE_CLAIM: shared_turns_hear(machine, message); return false;
    case MESSAGE_TURN:
    case MESSAGE_WANTED: shared_end_hear(worker, machine, message); return false;
    case MESSAGE_HERE:
    case MESSAGE_LEFT:
    case MESSAGE_LET_GO: bundle_home_hear(machine, message); return false;
    case MESSAGE_ARRIVED:
    case MESSAGE_GONE:
    case MESSAGE_GO: placed_clock_hear(worker, message); return false;
    case MESSAGE_LOST: lost_hear(worker, machine, message); return false;
    case MESSAGE_PROBE:
    case MESSAGE_STANDS:
    case MESSAGE_REPORT:
    case MESSAGE_REPORTED: return common_standstill_hear(message);
    case MESSAGE_BYE: hear_bye(worker, message); return false;
    }
    rt_unreachable("a message of no kind");
}

/* The next message. NULL: none, or a worker that was idle can go on now. */
static Message *next_message(const Worker *worker, bool was_idle) {
    bool is_idle = was_idle && worker->head == NULL;
    bool goes_on = was_idle && !is_idle && !has_more();
    return goes_on ? NULL : take(is_idle);
}

static bool is_of_lost(const Message *message) {
    bool is_late = !placed_carrier.is_virtual && rt_machines.lost[message->from];
    return is_late || rt_machines.lost[message->to];
}

static bool receive(Worker *worker, bool is_idle) {
    bool has_come = false;
    for (Message *message = take(is_idle); message != NULL;
         message = next_message(worker, is_idle)) {
        has_come = true;
        if (rt_machines.lost_count > 0 && is_of_lost(message)) {
            message_free(message);
            continue;
        }
        common_standstill_received(message);
        if (!handle(worker, machine_of_number(message->to), message)) {
            message_free(message);
        }
    }
    if (has_come) {
        shared_end_look();
    }
    return has_come;
}

static void look(Worker *worker) {
    remote_choice_look(worker);
    shared_end_look();
    placed_clock_look();
    (void)receive(worker, false);
    (void)remote_choice_expire(false);
    hold_flush();
}

static int64_t idle(Worker *worker, bool stands_still) {
    remote_choice_look(worker);
    shared_end_look();
    placed_clock_look();
    hold_flush();
    bool has_come = receive(worker, true);
    if (has_come || worker->head != NULL) {
        return 0;
    }
    lost_idle();
    int64_t held_ns = remote_choice_expire(true);
    if (stands_still && held_ns < 0 && !placed_carrier.is_virtual) {
        common_standstill_here();
    }
    hold_flush();
    int64_t idle_ns = own.first != NULL ? 0 : placed_carrier.idle();
    if (has_more()) {
        (void)receive(worker, true);
        return 0;
    }
    return held_ns >= 0 && (idle_ns < 0 || idle_ns > held_ns) ? held_ns : idle_ns;
}

/* ---- from the beginning to the end ---- */

static bool begin(void) {
    if (!placed_carrier.begin(&rt_machines.count, &rt_machines.number)) {
        return false;
    }
    uint32_t here = placed_carrier.is_virtual ? rt_machines.count : 1;
    rt_machines.machines = machine_memory(here * sizeof(Machine));
    rt_machines.lost = machine_memory(rt_machines.count * sizeof(bool));
    common_standstill_begin();
    for (uint32_t i = 0; i < here; i++) {
        rt_machines.machines[i].number = rt_machines.number + i;
    }
    return true;
}

static bool is_first(void) {
    return rt_machines.number == 0;
}

/* A program may fail anywhere. Nobody else gets the lock from now on. */
static bool may_send(void) {
    const Worker *worker = worker_of_thread();
    return worker != NULL &&
           (worker_is_solo(worker) || worker->holds_world || lock_try(&rt_root.world));
}

static void say_bye(int status) {
    const Machine *here = &rt_machines.machines[0];
    for (uint32_t i = 0; i < rt_machines.count; i++) {
        if (i != here->number) {
            Message *bye = message_make(MESSAGE_BYE, 0, 0);
            bye->number = (uint64_t)status;
            message_send(here, i, bye);
        }
    }
}

static void end(int status) {
    bool leaves = rt_machines.survives && !placed_carrier.is_virtual && !is_first() &&
                  placed_carrier.can_leave();
    bool says_so = status == STATUS_DONE ? is_first() : !leaves && may_send();
    if (says_so && !placed_carrier.is_virtual) {
        say_bye(status);
    }
    hold_flush();
    placed_carrier.end(status);
}

/* mpirun ends all by a signal when one is lost, or when one fails, which reports enough itself. */
static void signalled(void) {
    if (!placed_carrier.is_virtual) {
        lost_report("is ended");
    }
}

static void flush(Worker *worker) {
    if (!hold_is_empty()) {
        world_enter(worker);
        hold_flush();
        world_leave(worker);
    }
}

static int32_t ask(Process *me, int32_t what) {
    return (int32_t)(what == PLACED_COUNT ? rt_machines.count : machine_of_process(me)->number);
}

const Machines occ_machines = {.begin = begin,
                               .is_first = is_first,
                               .end = end,
                               .look = look,
                               .idle = idle,
                               .flush = flush,
                               .has_clock = placed_clock_is,
                               .ask = ask,
                               .scope = placement_scope,
                               .run = placement_run,
                               .attend = placement_attend,
                               .ended = placement_ended,
                               .number_of = held_places_number,
                               .held = held_places,
                               .awaited = held_places_awaited,
                               .let_go = remote_bundle_let_go,
                               .signalled = signalled};
