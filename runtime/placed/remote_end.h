/* remote_end -- one end of a channel whose other end may be on another machine.
 *
 * Owns:   the device behind the channel's word; plain input and output; CLOSE from either side
 *         (remote_close.c).
 * Leaves: ALTs to remote_choice.h, finding the other end to link.h, ends that move to remote_bundle.h.
 * Holds:  inside the world. An output sends its message at once and waits for the answer that it
 *         has been input: so at most one message of a channel is under way or pending. The side is
 *         known when the end is first used. When a placement turns out to have both ends, the
 *         channel is an ordinary one from then on; a shared one has an end for each side (`twin`), which
 *         may meet by messages to themselves. A closed channel's word says so, on both
 *         machines, as soon as no message is pending: nothing else is then asked of the end. */
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

/* What each message needs comes first, in few lines of the cache: of many channels all are cold. */
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
    bool is_extended; /* the pending message has been input by an extended input, which goes on */
    /* END_INPUT */
    Message *pending; /* a message that has come and not been input */
    void *into;       /* of the plain input that waits */
    size_t into_bytes;
    uint64_t offered; /* number of the OFFER that has come last; 0: none */
    /* END_OUTPUT */
    void *from;          /* where the plain output that waits has its message */
    Message *kept;       /* home_end.h: the message under way, when it owns something */
    uint64_t offer;      /* number of the last OFFER */
    uint64_t asked_back; /* an ASK that waits for what this machine's ALT asks itself; 0: none */
    bool reader_waits;   /* for the message, whatever happens */
    bool is_chosen;      /* the message under way is for a reader that waits so */
    bool is_polled;      /* by an ALT that did not wait */
    bool is_held;
    SharedChannel channel; /* unless device.channel is another one (home_end.h) */
    uint32_t asked_by;     /* machine */
    RemoteEnd *next_held;  /* remote_choice.c: the ASK waits for a poll */
    int64_t held_until_ns;
    /* END_INPUT, of ALTs */
    uint32_t offered_by;  /* machine */
    uint64_t offered_in;  /* number of the turn */
    uint64_t asked;       /* the one that an ALT has been claimed for; 0: none */
    uint64_t turn;        /* of that ALT */
    RemoteEnd *next_look; /* remote_choice.c */
    bool is_to_look;
    /* at the beginning and the end */
    const Copy *copy;          /* NULL: is_home */
    Message *held, **held_end; /* what waits for the other end to be known */
    uint32_t shared;           /* sides: PLACED_SHARED_... */
    uint32_t place;            /* its number on this machine */
    Turn turns[2];
    RemoteEnd *next_shared;
};

/* An end of the channel, whose word is new; `closed` by whoever, or NULL. */
void remote_end_begin(RemoteEnd *end, Machine *machine, uint64_t number, const Site *closed);
void remote_end_end(RemoteEnd *end);
/* Nobody uses it any more, so it has no side; nothing is pending. */
void remote_end_leave(RemoteEnd *end);

/* The output end of a shared channel; `end`, which the word leads to, is its input end. */
void remote_end_add_twin(RemoteEnd *end, RemoteEnd *twin);

/* Out of the table of its machine; who waits there is not touched. */
void remote_end_unlink(RemoteEnd *end);

/* WaitingOutput -- who waits with a message. */
typedef struct WaitingOutput {
    Process *process;
    void *from;
    size_t size_bytes;
    const Site *site;
} WaitingOutput;

/* The process is parked there, or about to be, in a plain operation. */
void remote_end_await_input(RemoteEnd *end, Process *process, void *into, size_t size_bytes);
void remote_end_await_output(Worker *worker, RemoteEnd *end, const WaitingOutput *writer);
/* The writer that waits has again what it gave to the message. */
void remote_end_take_back(RemoteEnd *end, Message *message);
/* Its reader waits, and so does the writer of the twin, which has taken its message back. */
void remote_end_deliver(Worker *worker, RemoteEnd *end);
/* The channel becomes an ordinary one of this machine, with whoever waits there. */
void remote_end_make_plain(RemoteEnd *end);

static inline RemoteEnd *remote_end_of(Device *device) {
    return (RemoteEnd *)(void *)device;
}

/* Is the channel still one of the engine? Then its end (the input end); else NULL. */
RemoteEnd *remote_end_of_channel(const Channel *channel);
bool remote_end_is_open(const RemoteEnd *end);
static inline RemoteEnd *remote_end_of_entry(TableEntry *entry) {
    return TABLE_OWNER(RemoteEnd, entry, entry);
}

RemoteEnd *remote_end_find(const Machine *machine, uint64_t number, uint32_t side);
/* It is that side, from now on. False: the placement has both ends, and the channel is plain now.
 */
bool remote_end_take_side(RemoteEnd *end, uint32_t side);
/* To the other end, now or when it is known. */
void remote_end_send(RemoteEnd *end, Message *message);
/* To the other end on that machine. */
void remote_end_answer(const RemoteEnd *end, uint32_t machine, Message *message);
/* ---- remote_close.c ---- */
/* DeviceKind.close */
void remote_close_here(Worker *worker, Device *device);
/* To who has sent a message from that machine, which nobody will input. */
void remote_close_answer(const RemoteEnd *end, uint32_t machine, const Site *site);
/* It has been closed elsewhere; is_answer: which the other end says, to this one alone. That shows
 * when what is pending has been input, and what has been sent has been answered. */
void remote_close_hear(Worker *worker, RemoteEnd *end, const Site *site, bool is_answer);
/* If it has been, and now it shows. */
void remote_close_show(Worker *worker, RemoteEnd *end);
/* The same of all ends of the channel that are here. */
void remote_close_all(Worker *worker, const Machine *machine, const Message *message);

/* The message of the writer that waits, if one does, has been input. */
void remote_end_acknowledged(Worker *worker, RemoteEnd *end);
/* True: the message is kept. */
bool remote_end_hear(Worker *worker, Machine *machine, Message *message);

#endif
