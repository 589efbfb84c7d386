/* machine -- the machines of this process: one, or all if they are virtual.
 *
 * Owns:   what each of them knows, sending and receiving.
 * Leaves: handling a message to the file that it concerns.
 * Holds:  everything is touched inside the world, or solo. */
#ifndef RT_MACHINE_H
#define RT_MACHINE_H

#include "carrier.h"
#include "machines.h"
#include "table.h"
#include "worker.h"

#include <string.h>

typedef struct RemoteEnd RemoteEnd;
typedef struct RemoteBundle RemoteBundle;
typedef struct Link Link;
typedef struct Copy Copy;
typedef struct Scope Scope;

typedef struct Machine {
    uint32_t number;
    uint64_t channels;      /* how many numbers were given out */
    uint64_t turns, offers; /* the same (remote_choice.h) */
    uint32_t places;        /* the same (shared_end.h) */
    Table ends;             /* by number of the channel */
    Table links;            /* of channels whose home is here, by number */
    Table known;            /* the same by address, while their PLACED PAR runs */
    Copy *copies;           /* placements */
    Scope *scopes;          /* PLACED PARs whose parent is here */
} Machine;

typedef struct MachineSet {
    Machine *machines;
    uint32_t count, number; /* number: of this process, where they are not virtual */
    bool *lost;             /* lost.h */
    uint32_t lost_count;
    bool survives; /* a PLACED PAR that has begun was compiled with -fplaced-survive */
} MachineSet;

extern MachineSet rt_machines;

/* The machine that the process runs on. */
Machine *machine_of_process(const Process *process);

/* ---- message.c ---- */
/* Zeroed memory, aligned to a cache line; without memory the program ends. */
void *machine_memory(size_t size_bytes);
void machine_free(void *memory);

Message *message_make(MessageKind kind, uint64_t channel, size_t size_bytes);
/* The same message, moved to memory with room for that many bytes. */
Message *message_grow(Message *message, size_t size_bytes);
Message *message_copy(const Message *message);
void message_free(Message *message);
/* Most have one word, which needs no call of memcpy. */
static inline void message_copy_bytes(void *to, const void *from, size_t size_bytes) {
    if (size_bytes == sizeof(uint64_t)) {
        memcpy(to, from, sizeof(uint64_t));
    } else {
        memcpy(to, from, size_bytes);
    }
}
/* Append bytes that stay where they are; object: as in Bulk. */
void message_add_bulk(Message *message, const void *bytes, size_t size_bytes, void *object);
/* Append a copy of the bytes. */
void message_copy_bulk(Message *message, const void *bytes, size_t size_bytes);
/* Read the next bulk. */
void message_read_bulk(Message *message, void *into, size_t size_bytes);
void bulk_free(Bulk *bulk);
void message_send(const Machine *from, uint32_t to, Message *message);
/* Pass on a message that another machine has sent first. */
void message_pass(const Machine *from, uint32_t to, Message *message);

#endif
