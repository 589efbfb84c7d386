/* remote_end -- one end of a channel whose other end may be on another machine.
 *
 * Owns:   the device behind the channel's word; plain input and output; CLOSE from either side
 *         (remote_close.c).
 * Leaves: ALTs to remote_choice.h, finding the other end to link.h, moving ends to remote_bundle.h.
 * Holds:  inside the world. An output sends its message at once and waits until it has been input:
 *         at most one message of a channel is under way or pending. The side is known when the end
 *         is first used. When a placement turns out to have both ends, the channel becomes an
 *         ordinary one; a shared channel has an end for each side (`twin`), which may meet by
 *         messages to themselves. A closed channel's word says so on both machines as soon as no
 *         message is pending; the end is then used no more. */
#ifndef RT_REMOTE_END_H
#define RT_REMOTE_END_H

#include "device.h"
#include "link.h"

/* Turn -- of a shared end, at one of its places (shared_end.h). */
typedef struct Turn {
    bool is_here, is_wanted, is_asked;
    uint64_t number; /* turns that there were before */
    Process *line;   /* who has come after others on other machines, linked by `data` */
} Turn;

/* What every message needs comes first, in few cache lines: with many channels all are cold. */
struct RemoteEnd {
    _Alignas(CACHE_LINE_BYTES) Device device; /* first */
    TableEntry entry;                         /* in Machine.ends */
    uint64_t number;
    int64_t peer; /* machine of the other end; -1: not known yet */
    Machine *machine;
    const Site *closed;   /* by the other side */
    RemoteBundle *bundle; /* whose channel it is, or NULL */
    RemoteEnd
        *twin;     /* of a shared channel: this is its input end, that its output end, or the other
                      * way round; NULL: this is either end (`side`) */
    uint32_t side; /* END_... */
    bool is_twin;  /* the output end: the rest is that of the other one */
    bool is_home;
    bool is_extended; /* an extended input has taken the pending message and goes on */
    /* END_INPUT */
    Message *pending; /* the message that has come and has not been input */
    void *into;       /* where the waiting plain input wants it */
    size_t into_bytes;
    uint64_t offered; /* number of the last OFFER that has come; 0: none */
    /* END_OUTPUT */
    void *from;          /* the message of the waiting plain output */
    Message *kept;       /* home_end.h: the message under way, when it owns something */
    uint64_t offer;      /* number of the last OFFER */
    uint64_t asked_back; /* an ASK that waits for the answer to this ALT's own; 0: none */
    bool reader_waits;   /* for the message, whatever happens */
    bool is_chosen;      /* the message under way is for such a reader */
    bool is_polled;      /* by an ALT that did not wait */
    bool is_held;
    SharedChannel channel; /* unless device.channel is another one (home_end.h) */
    uint32_t asked_by;     /* machine */
    RemoteEnd *next_held;  /* remote_choice.c: the ASK waits for a poll */
    int64_t held_until_ns;
    /* END_INPUT, of ALTs */
    uint32_t offered_by;  /* machine */
    uint64_t offered_in;  /* number of the turn */
    uint64_t asked;       /* the offer that an ALT has been claimed for; 0: none */
    uint64_t turn;        /* of that ALT */
    RemoteEnd *next_look; /* remote_choice.c */
    bool is_to_look;
    /* Used at the beginning and the end. */
    const Copy *copy;          /* NULL: is_home */
    Message *held, **held_end; /* messages kept until the other end is known */
    uint32_t shared;           /* which sides are shared: PLACED_SHARED_... */
    uint32_t place;            /* its number on this machine */
    Turn turns[2];
    RemoteEnd *next_shared;
};

/* Make an end of the channel, whose word is new; `closed`: by whom, or NULL. */
void remote_end_begin(RemoteEnd *end, Machine *machine, uint64_t number, const Site *closed);
void remote_end_end(RemoteEnd *end);
/* Nobody uses the end any more, so it has no side; nothing is pending. */
void remote_end_leave(RemoteEnd *end);

/* Add the output end of a shared channel; `end`, to which the word leads, is its input end. */
void remote_end_add_twin(RemoteEnd *end, RemoteEnd *twin);

/* Take it out of the table of its machine; who waits there is not touched. */
void remote_end_unlink(RemoteEnd *end);

/* WaitingOutput -- who waits with a message. */
typedef struct WaitingOutput {
    Process *process;
    void *from;
    size_t size_bytes;
    const Site *site;
} WaitingOutput;

/* The process is parked in a plain input of the end, or about to be. */
void remote_end_await_input(RemoteEnd *end, Process *process, void *into, size_t size_bytes);
void remote_end_await_output(Worker *worker, RemoteEnd *end, const WaitingOutput *writer);
/* The waiting writer gets back what it gave to the message. */
void remote_end_take_back(RemoteEnd *end, Message *message);
/* Its reader waits, and so does the writer of the twin, which has taken back its message. */
void remote_end_deliver(Worker *worker, RemoteEnd *end);
/* The channel becomes an ordinary one of this machine, with whoever waits there. */
void remote_end_make_plain(RemoteEnd *end);

static inline RemoteEnd *remote_end_of(Device *device) {
    return (RemoteEnd *)(void *)device;
}

/* The end (the input end) of a channel that is still remote; NULL: it is not. */
RemoteEnd *remote_end_of_channel(const Channel *channel);
bool remote_end_is_open(const RemoteEnd *end);
static inline RemoteEnd *remote_end_of_entry(TableEntry *entry) {
    return TABLE_OWNER(RemoteEnd, entry, entry);
}

RemoteEnd *remote_end_find(const Machine *machine, uint64_t number, uint32_t side);
/* The end is that side from now on. False: the placement has both; the channel is plain now. */
bool remote_end_take_side(RemoteEnd *end, uint32_t side);
/* Send to the other end, now or when it is known. */
void remote_end_send(RemoteEnd *end, Message *message);
/* Answer the other end on that machine. */
void remote_end_answer(const RemoteEnd *end, uint32_t machine, Message *message);
/* ---- remote_close.c ---- */
/* DeviceKind.close */
void remote_close_here(Worker *worker, Device *device);
/* Tell the sender of a message from that machine that nobody will input it. */
void remote_close_answer(const RemoteEnd *end, uint32_t machine, const Site *site);
/* Closed elsewhere. is_answer: the other end tells this one alone. The CLOSE shows when what is
 * pending has been input and what was sent has been answered. */
void remote_close_hear(Worker *worker, RemoteEnd *end, const Site *site, bool is_answer);
/* Show the CLOSE if there was one and nothing stands against it now. */
void remote_close_show(Worker *worker, RemoteEnd *end);
/* As remote_close_hear, for all ends of the channel here. */
void remote_close_all(Worker *worker, const Machine *machine, const Message *message);

/* The message of the waiting writer, if there is one, has been input. */
void remote_end_acknowledged(Worker *worker, RemoteEnd *end);
/* True: the message is kept. */
bool remote_end_hear(Worker *worker, Machine *machine, Message *message);

#endif
