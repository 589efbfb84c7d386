/* death -- see death.h. */
#include "death.h"

#include "machine.h"
#include "os.h"

enum { WATCH_NS = 5000000 };

static struct {
    int *watches; /* of each process of the node; negative: none */
    int64_t next_watch_ns;
    uint32_t dead; /* 1 + the number of a machine seen dead and not told; 0: none */
} death;

void death_begin(void) {
    death.watches = machine_memory(rt_machines.count * sizeof *death.watches);
    for (uint32_t i = 0; i < rt_machines.count; i++) {
        death.watches[i] = -1;
    }
}

void death_watch(uint32_t machine, long process) {
    death.watches[machine] = os_process_watch(process);
}

bool death_is_of(uint32_t machine) {
    return death.watches[machine] >= 0 && os_is_ready(death.watches[machine], OS_READABLE, 0);
}

/* Tell the other nodes; the result tells this one. */
static Message *loss_of(uint32_t lost) {
    const Machine *here = &rt_machines.machines[0];
    for (uint32_t i = 0; i < rt_machines.count; i++) {
        if (death.watches[i] < 0 && i != here->number && i != lost) {
            Message *message = message_make(MESSAGE_LOST, 0, 0);
            message->number = lost;
            message_send(here, i, message);
        }
    }
    Message *message = message_make(MESSAGE_LOST, 0, 0);
    message->from = message->to = here->number;
    message->number = lost;
    return message;
}

Message *death_look(void) {
    int64_t now_ns = os_clock_coarse_ns();
    if (now_ns < death.next_watch_ns) {
        return NULL;
    }
    if (death.dead != 0) { /* since then nothing has come */
        uint32_t lost = death.dead;
        death.dead = 0;
        return loss_of(lost - 1);
    }
    for (uint32_t i = 0; i < rt_machines.count && death.dead == 0; i++) {
        death.dead = !rt_machines.lost[i] && death_is_of(i) ? i + 1 : 0;
    }
    death.next_watch_ns = death.dead != 0 ? 0 : now_ns + WATCH_NS;
    return NULL;
}
