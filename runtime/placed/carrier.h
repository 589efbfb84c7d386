/* carrier -- what machines say to each other, and the contract of what moves it.
 *
 * Owns:   the kinds of messages.
 * Leaves: their meaning to the files that handle them, moving them to one file for each way:
 *         loopback.c within one process, mpi.c between processes.
 * Holds:  what a process of a job says to itself does not come here (machine.c). Messages between two machines arrive in the order in which they were sent; nothing is
 *         said about others. A message is one piece of memory (message.c). */
#ifndef RT_CARRIER_H
#define RT_CARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* from whom to whom:
 *   START, DONE, END   parent and machine of a placement: run it; it has ended; its PAR has
 *   OUTPUT             placement to its proxy: output that on a channel of the program
 *   HELLO, PEER        end and home of its channel: I am here; the other end is there
 *   CLOSING, CLOSE     an end to home, or to the other end: closed
 *   DATA, ACK          writer to reader: a message, committed; reader to writer: it was input
 *   OFFER, TAKE        writer in an ALT to reader: would you?; a plain reader: I wait
 *   ASK, NO            reader in an ALT to writer: now; the answer, where it is not DATA
 *   CLAIM, RETURN      place of a shared end to home: I want it; I have it no more
 *   TURN, WANTED       back: it is yours; others want it (shared_end.h)
 *   HERE, LEFT, LET_GO an end of a bundle to its home: where it is; it is not; nobody has it any more
 *                      (bundle_home.h)
 *   ARRIVED, GONE, GO  placement to the home of a clock: all have come; nobody is a member; back:
 *                      the phase has ended (placed_clock.h)
 *   BYE                first machine to all: the program ends; any one: it fails, with this number
 *   LOST               the carrier to its machine, and on to others: one has died (lost.h)
 *   PROBE, STANDS      first machine to all: when you stand still; back: it does
 *   REPORT, REPORTED   first machine to each: a deadlock, tell what waits on you; back: that */
typedef enum MessageKind {
    MESSAGE_START,
    MESSAGE_DONE,
    MESSAGE_END,
    MESSAGE_OUTPUT,
    MESSAGE_HELLO,
    MESSAGE_PEER,
    MESSAGE_CLOSING,
    MESSAGE_CLOSE,
    MESSAGE_DATA,
    MESSAGE_ACK,
    MESSAGE_OFFER,
    MESSAGE_TAKE,
    MESSAGE_ASK,
    MESSAGE_NO,
    MESSAGE_CLAIM,
    MESSAGE_RETURN,
    MESSAGE_TURN,
    MESSAGE_WANTED,
    MESSAGE_HERE,
    MESSAGE_LEFT,
    MESSAGE_LET_GO,
    MESSAGE_ARRIVED,
    MESSAGE_GONE,
    MESSAGE_GO,
    MESSAGE_BYE,
    MESSAGE_LOST,  /* this and what follows is not of the program: it is not counted */
    MESSAGE_PROBE, /* common_standstill.h */
    MESSAGE_STANDS,
    MESSAGE_REPORT,
    MESSAGE_REPORTED
} MessageKind;

/* Bulk -- many bytes of a message, which are not copied into it: they are sent from where they lie,
 * and read to where they are wanted. */
enum { BULK_LEAST_BYTES = 16384 };

typedef struct Bulk {
    struct Bulk *next;
    const void *bytes;
    size_t size_bytes;
    void *object; /* given back when they have gone: a mobile; NULL: the bytes are of malloc */
} Bulk;

typedef struct Message {
    struct Message *next;
    size_t room;             /* for bytes */
    Bulk *bulks, *bulks_end; /* that are here, in the order in which they are read */
    uint32_t kind;
    uint32_t side; /* of the end it is for: END_... */
    uint32_t from, to;
    uint32_t origin;  /* who has sent it first: `from` may have passed it on */
    uint32_t place;   /* of a shared end (shared_end.h) */
    uint64_t channel; /* its number (link.h) */
    uint64_t number;  /* of an offer; an address on the machine that it goes to */
    uint64_t turn;    /* of who asks (remote_choice.h); a Site */
    uint64_t size_bytes;
    uint32_t bulk_count; /* not read yet */
    uint32_t bulk_tag;   /* not 0: they are still with the sender, by this number */
    unsigned char bytes[];
} Message;

typedef struct Carrier {
    /* How many machines there are, and which this process is. False: it is alone. */
    bool (*begin)(uint32_t *count, uint32_t *number);
    bool is_virtual; /* all machines are in this process */
    /* Takes the message over; it may be held back until the next flush (hold.h). */
    void (*send)(Message *message);
    void (*flush)(void);
    /* The next one that has arrived; NULL: none. is_idle: nothing else is to be done here. */
    Message *(*receive)(bool is_idle);
    /* Is there one, as far as is known without asking anybody? */
    bool (*has_more)(void);
    /* The next bulk of a message, from its sender; or all of them, which are then here. False: who has
     * them has died. */
    bool (*fetch)(const Message *message, void *into, size_t size_bytes);
    bool (*fetch_all)(Message *message);
    /* Nothing goes to that machine any more. */
    void (*lose)(uint32_t machine);
    /* Does the job go on when this machine ends by itself? */
    bool (*can_leave)(void);
    /* As Machines.idle, after receive gave nothing. */
    int64_t (*idle)(void);
    void (*end)(int status);
} Carrier;

/* Of the one that is linked. */
extern const Carrier placed_carrier;

#endif
