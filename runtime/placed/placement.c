/* placement -- see placement.h. */
#include "placement.h"

#include "atomic.h"
#include "channel.h"
#include "error.h"
#include "home_end.h"
#include "lost.h"
#include "ownership.h"
#include "placed_clock.h"
#include "process.h"
#include "remote_end.h"
#include "scheduler.h"
#include "shared_end.h"
#include "start_text.h"
#include "world.h"

#include <string.h>

/* Agent -- a Proxy, and what its placement wants done here. */
typedef struct Agent {
    Proxy proxy; /* first */
    struct Agent *next;
    Process *waiter;
    Message *output, **output_end, *current; /* OUTPUT and RETURN, in order */
    const PlacedPar *par;
    ClockHome *clocks;
    uint32_t machine; /* of the placement */
    bool has_ended;
} Agent;

struct Scope {
    Scope *next;
    void *environment; /* of the PLACED PAR */
    Agent *agents;
};

/* ---- the parent's side ---- */

static Scope **find_scope(Machine *machine, const void *environment) {
    Scope **at = &machine->scopes;
    while (*at != NULL && (*at)->environment != environment) {
        at = &(*at)->next;
    }
    return at;
}

typedef void ChannelAct(Worker *worker, Machine *machine, const LinkedChannel *linked);

static void each_channel(const Process *me, Machine *machine, const PlacedPar *par,
                         void *environment, ChannelAct *act) {
    for (uint32_t i = 0; i < par->count; i++) {
        const PlacedName *name = &par->names[i];
        size_t count = start_text_channels(name, environment);
        Channel **channels = start_text_channel(name, environment);
        for (size_t k = 0; k < count; k++) {
            LinkedChannel linked = {channels[k], name->item_bytes, name->shared, par->site};
            act(me->worker, machine, &linked);
        }
    }
}

/* No worker owns a channel of a placement. */
static void free_channel(Worker *worker, Machine *machine, const LinkedChannel *linked) {
    (void)machine;
    ownership_take(worker, linked->channel);
}

/* Whoever waits there may send ends of bundles in the message (owned_text.h). */
static Channel *owned_in_scope(const PlacedPar *par, void *environment) {
    Channel *owned = NULL;
    for (uint32_t i = 0; i < par->count && owned == NULL; i++) {
        const PlacedName *name = &par->names[i];
        size_t count = start_text_channels(name, environment);
        Channel **channels = start_text_channel(name, environment);
        for (size_t k = 0; k < count && owned == NULL; k++) {
            owned = home_end_owned(channels[k], name->item_bytes);
        }
    }
    return owned;
}

static void enter_free(const Process *me, const PlacedPar *par, void *environment) {
    world_enter(me->worker);
    Channel *owned = owned_in_scope(par, environment);
    while (owned != NULL) {
        world_leave(me->worker);
        ownership_take(me->worker, owned);
        world_enter(me->worker);
        owned = owned_in_scope(par, environment);
    }
}

static void end_scope(Machine *machine, void *environment) {
    Scope **at = find_scope(machine, environment);
    Scope *scope = *at;
    *at = scope->next;
    while (scope->agents != NULL) {
        Agent *agent = scope->agents;
        scope->agents = agent->next;
        machine_free(agent);
    }
    machine_free(scope);
    for (uint32_t i = 0; i < rt_machines.count; i++) {
        Message *end = message_make(MESSAGE_END, 0, 0);
        end->number = (uintptr_t)environment;
        message_send(machine, i, end);
    }
}

void placement_scope(Process *me, const PlacedPar *par, void *environment, int32_t begins) {
    Machine *machine = machine_of_process(me);
    if (par->survives != 0) {
        lost_survive();
    }
    each_channel(me, machine, par, environment, free_channel);
    enter_free(me, par, environment);
    each_channel(me, machine, par, environment, begins != 0 ? link_use : link_drop);
    if (begins != 0) {
        Scope *scope = machine_memory(sizeof *scope);
        scope->environment = environment;
        scope->next = machine->scopes;
        machine->scopes = scope;
    } else {
        end_scope(machine, environment);
    }
    world_leave(me->worker);
}

static void wake(Worker *worker, Agent *agent) {
    Process *waiter = agent->waiter;
    agent->waiter = NULL;
    if (waiter != NULL) {
        rt_scheduler_ready(worker, waiter);
    }
}

static void lose_agent(Worker *worker, Agent *agent) {
    clock_homes_lose(worker, agent->clocks, agent->par);
    agent->has_ended = true;
    clock_homes_end(agent->clocks, agent->par);
    wake(worker, agent);
}

static void note_uses(const Machine *machine, const PlacedComponent *component, void *environment,
                      int32_t index, uint32_t to) {
    for (uint32_t i = 0; component->known != NULL && i < component->known->count; i++) {
        const PlacedUse *use = &component->known->uses[i];
        const PlacedName *name = &component->par->names[use->name];
        int64_t element = (int64_t)use->added + (use->is_replicated != 0 ? index : 0);
        if (element >= 0 && (size_t)element < start_text_channels(name, environment)) {
            Link *link = link_of_channel(machine, start_text_channel(name, environment)[element]);
            if (link != NULL) {
                link_add_user(link, to);
            }
        }
    }
}

Proxy *placement_run(Process *me, const PlacedComponent *component, void *environment,
                     const PlacedRequest *request) {
    Machine *machine = machine_of_process(me);
    uint32_t to = (uint32_t)request->number % rt_machines.count;
    world_enter(me->worker);
    Scope *scope = *find_scope(machine, environment);
    Agent *agent = machine_memory(sizeof *agent);
    agent->output_end = &agent->output;
    agent->next = scope->agents;
    scope->agents = agent;
    agent->par = component->par;
    agent->machine = to;
    agent->clocks = clock_homes_make(machine, component->par, request->members);
    StartHead head = {component, agent, environment, agent->clocks, request->index};
    message_send(machine, to, start_text_make(machine, to, &head));
    note_uses(machine, component, environment, request->index, to);
    if (rt_machines.lost[to]) {
        lose_agent(me->worker, agent);
    }
    world_leave(me->worker);
    return &agent->proxy;
}

static Message *take_output(Agent *agent) {
    Message *message = agent->output;
    if (message != NULL) {
        agent->output = message->next;
        agent->output_end = agent->output != NULL ? agent->output_end : &agent->output;
    }
    return message;
}

Process *placement_attend(Process *me, Proxy *proxy, const Site *site) {
    Agent *agent = (Agent *)(void *)proxy;
    world_enter(me->worker);
    message_free(agent->current);
    Message *message = take_output(agent);
    while (message != NULL && message->kind == MESSAGE_RETURN) {
        shared_turns_hear(machine_of_process(me), message);
        message_free(message);
        message = take_output(agent);
    }
    agent->current = message;
    if (message != NULL) {
        world_leave(me->worker);
        return rt_channel_output(me, (Channel *)(uintptr_t)message->channel, message->bytes,
                                 (int64_t)message->size_bytes, site);
    }
    if (agent->has_ended) {
        agent->proxy.is_done = 1;
        world_leave(me->worker);
        return me;
    }
    agent->waiter = me;
    return rt_scheduler_park(me, site, NULL);
}

void placement_done(Worker *worker, const Message *message) {
    Agent *agent = (Agent *)(uintptr_t)message->number;
    agent->has_ended = true;
    clock_homes_end(agent->clocks, agent->par);
    wake(worker, agent);
}

static void keep_output(Worker *worker, Agent *agent, Message *message) {
    message->next = NULL;
    *agent->output_end = message;
    agent->output_end = &message->next;
    wake(worker, agent);
}

bool placement_output(Worker *worker, Message *message) {
    keep_output(worker, (Agent *)(uintptr_t)message->number, message);
    return true;
}

bool placement_return(Worker *worker, const Machine *machine, Message *message) {
    const Link *link = link_of_number(machine, message->channel);
    bool follows_outputs = link != NULL && link->is_program && message->turn != 0;
    if (follows_outputs) {
        keep_output(worker, (Agent *)(uintptr_t)message->turn, message);
    } else {
        shared_turns_hear(machine, message);
    }
    return follows_outputs;
}

void placement_lose(Worker *worker, const Machine *machine, uint32_t lost) {
    for (Scope *scope = machine->scopes; scope != NULL; scope = scope->next) {
        for (Agent *agent = scope->agents; agent != NULL; agent = agent->next) {
            if (agent->machine == lost && !agent->has_ended) {
                lose_agent(worker, agent);
            }
        }
    }
}

/* ---- the side of the placement ---- */

Machine *placement_machine(const Process *process) {
    for (uint32_t i = 0; i < rt_machines.count; i++) {
        for (Copy *copy = rt_machines.machines[i].copies; copy != NULL; copy = copy->next) {
            if (copy->process == process) {
                return &rt_machines.machines[i];
            }
        }
    }
    return NULL;
}

void placement_start(Worker *worker, Machine *machine, const Message *message) {
    const StartHead *head = start_text_head(message);
    Copy *copy = start_text_read(machine, message);
    if (head->component->par->survives != 0) {
        lost_survive();
    }
    copy->next = machine->copies;
    machine->copies = copy;
    size_t block_bytes = *head->component->block_bytes;
    Process *process = block_take(&rt_root.blocks, worker, NULL, block_bytes);
    if (process == NULL) {
        rt_error_no_memory(&worker->main_process, head->component->site, block_bytes);
    }
    copy->process = process;
    process_begin(process, head->component->body, copy->environment, &occ_program_join,
                  head->index);
    (void)atomic_add(&occ_program_join.count, 1);
    process->worker = worker;
    process->priority = PRIORITY_START;
    rt_scheduler_ready(worker, process);
}

void placement_lose_copies(const Machine *lost) {
    for (Copy *copy = lost->copies; copy != NULL; copy = copy->next) {
        if (copy->process != NULL && !copy->is_lost) {
            copy->is_lost = true;
            (void)atomic_add(&occ_program_join.count, -1);
        }
    }
}

/* The block of the process may soon be reused. */
void placement_ended(Process *me, void *environment) {
    Machine *machine = machine_of_process(me);
    world_enter(me->worker);
    Copy *copy = machine->copies;
    while (copy->environment != environment) {
        copy = copy->next;
    }
    if (copy->is_lost) {
        (void)atomic_add(&occ_program_join.count, 1); /* already taken out */
    }
    copy->process = NULL;
    shared_end_leave(copy);
    clock_copies_end(copy);
    Message *done = message_make(MESSAGE_DONE, 0, 0);
    done->number = (uintptr_t)copy->agent;
    message_send(machine, copy->parent, done);
    world_leave(me->worker);
}

void placement_end(Machine *machine, const Message *message) {
    for (Copy **at = &machine->copies; *at != NULL;) {
        Copy *copy = *at;
        bool is_of_it =
            copy->parent == message->from && (uintptr_t)copy->scope == (uintptr_t)message->number;
        if (is_of_it) {
            *at = copy->next;
            start_text_free(copy);
        } else {
            at = &copy->next;
        }
    }
}

/* ---- for reports ---- */

uint64_t placement_agent(const Process *process) {
    for (const Scope *scope = machine_of_process(process)->scopes; scope != NULL;
         scope = scope->next) {
        for (const Agent *agent = scope->agents; agent != NULL; agent = agent->next) {
            if (agent->waiter == process) {
                return (uintptr_t)agent;
            }
        }
    }
    return 0;
}

const Process *placement_missing(const Machine *machine, const Clock *clock) {
    for (const Scope *scope = machine->scopes; scope != NULL; scope = scope->next) {
        for (const Agent *agent = scope->agents; agent != NULL; agent = agent->next) {
            if (!agent->has_ended && clock_homes_miss(agent->clocks, agent->par, clock)) {
                return agent->waiter;
            }
        }
    }
    return NULL;
}
