/* parts -- sets that are joined, in a hash table. See parts.h. */
#include "parts.h"

#include <string.h>

void parts_begin(Parts *parts) {
    if (parts->processes != 0) {
        memset(parts, 0, sizeof *parts);
    }
}

/* The slot of the process, or a free one for it: there always is one. */
static uint16_t place_of(const Parts *parts, const Process *process) {
    uint64_t mixed = ((uintptr_t)process >> 3) * UINT64_C(0x9E3779B97F4A7C15);
    uint16_t at = (uint16_t)(mixed >> 32) % PARTS_SLOTS;
    while (parts->slots[at].process != NULL && parts->slots[at].process != process) {
        at = (uint16_t)((at + 1) % PARTS_SLOTS);
    }
    return at;
}

static uint16_t leader_of(const Parts *parts, uint16_t at) {
    while (parts->slots[at].nearer != at) {
        at = parts->slots[at].nearer;
    }
    return at;
}

/* -1: no room is left. */
static int add(Parts *parts, const Process *process) {
    uint16_t at = place_of(parts, process);
    if (parts->slots[at].process == NULL) {
        if (parts->processes == PARTS_LIMIT) {
            return -1;
        }
        parts->processes++;
        parts->slots[at] = (PartSlot){process, at, 0};
    }
    return leader_of(parts, at);
}

void parts_meet(Parts *parts, const Process *one, const Process *other) {
    int leader = add(parts, one);
    int joined = add(parts, other);
    if (leader < 0 || joined < 0) {
        return;
    }
    parts->meetings++;
    parts->slots[leader].meetings++;
    if (leader != joined) {
        parts->slots[joined].nearer = (uint16_t)leader;
        parts->slots[leader].meetings += parts->slots[joined].meetings;
    }
}

int parts_of(const Parts *parts, const Process *process) {
    uint16_t at = place_of(parts, process);
    return parts->slots[at].process == NULL ? -1 : leader_of(parts, at);
}

bool parts_are_apart(const Parts *parts) {
    uint32_t most = 0;
    for (uint16_t at = 0; at < PARTS_SLOTS; at++) {
        const PartSlot *slot = &parts->slots[at];
        if (slot->process != NULL && slot->nearer == at && slot->meetings > most) {
            most = slot->meetings;
        }
    }
    return parts->meetings >= PARTS_MEETINGS && most <= parts->meetings - parts->meetings / 4;
}
