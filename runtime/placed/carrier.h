/* carrier -- what machines say to each other, and the contract of what moves messages.
 *
 * Owns:   the kinds of messages.
 * Leaves: their meaning to the files that handle them; moving them to loopback.c (within one
 *         process) or mpi.c (between processes).
 * Holds:  messages between two machines arrive in the order in which they were sent; otherwise the
 *         order is open. A process sends itself no message this way (machine.c). A message is one
 *         piece of memory (message.c). */
#ifndef RT_CARRIER_H
#define RT_CARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sender, receiver and meaning:
 *   START, DONE, END   parent and machine of a placement: run it; it has ended; its PAR has
 *   OUTPUT             placement to its proxy: output this on a channel of the program
 *   HELLO, PEER        end and home of its channel: I am here; the other end is there
 *   CLOSING, CLOSE     end to home, or to the other end: closed
 *   DATA, ACK          writer to reader: a message, committed; reader to writer: it was input
 *   OFFER, TAKE        writer in an ALT to reader: would you?; a plain reader: I wait
 *   ASK, NO            reader in an ALT to writer: now; the answer, unless it is DATA
 *   CLAIM, RETURN      place of a shared end to home: I want the turn; I give it back
 *   TURN, WANTED       home to place: the turn is yours; others want it (shared_end.h)
 *   HERE, LEFT, LET_GO end of a bundle to its home: it is here; it has left; nobody has it
 *                      (bundle_home.h)
 *   ARRIVED, GONE, GO  placement to the home of a clock: all have come; no members are left; home
 *                      to placement: the phase has ended (placed_clock.h)
 *   BYE                first machine to all: the program ends; any one: it fails with this status
 *   LOST               carrier to its machine, and on to others: a machine has died (lost.h)
 *   PROBE, STANDS      first machine to all: answer when you stand still; the answer
 *   REPORT, REPORTED   first machine to each: a deadlock, send your part of the report; that
 * part */
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
    MESSAGE_LOST,  /* this and what follows is not of the program and not counted */
    MESSAGE_PROBE, /* common_standstill.h */
    MESSAGE_STANDS,
    MESSAGE_REPORT,
    MESSAGE_REPORTED
} MessageKind;

/* Bulk -- many bytes of a message, not copied into it: they are sent from where they lie and read
 * to where they are wanted. */
enum { BULK_LEAST_BYTES = 16384 };

typedef struct Bulk {
    struct Bulk *next;
    const void *bytes;
    size_t size_bytes;
    void *object; /* the mobile given back when they are sent; NULL: free the bytes */
} Bulk;

typedef struct Message {
    struct Message *next;
    size_t room;             /* for bytes */
    Bulk *bulks, *bulks_end; /* not read yet, in the order of reading */
    uint32_t kind;
    uint32_t side; /* END_...: which end it is for */
    uint32_t from, to;
    uint32_t origin;  /* the first sender: `from` may have passed it on */
    uint32_t place;   /* of a shared end (shared_end.h) */
    uint64_t channel; /* its number (link.h) */
    uint64_t number;  /* of an offer; or an address on the receiving machine */
    uint64_t turn;    /* of the asking ALT (remote_choice.h); or a Site */
    uint64_t size_bytes;
    uint32_t bulk_count; /* not read yet */
    uint32_t bulk_tag;   /* not 0: the sender still has them, under this number */
    unsigned char bytes[];
} Message;

typedef struct Carrier {
    /* Sets the number of machines and that of this process. False: it is alone. */
    bool (*begin)(uint32_t *count, uint32_t *number);
    bool is_virtual; /* all machines are in this process */
    /* Takes over the message; may hold it back until the next flush (hold.h). */
    void (*send)(Message *message);
    void (*flush)(void);
    /* The next message that has arrived, or NULL. is_idle: nothing else is to be done here. */
    Message *(*receive)(bool is_idle);
    /* Is there a message, as far as is known without a system call? */
    bool (*has_more)(void);
    /* Fetch the next bulk of a message from its sender, or all of them. False: the sender has
     * died. */
    bool (*fetch)(const Message *message, void *into, size_t size_bytes);
    bool (*fetch_all)(Message *message);
    /* Nothing is sent to that machine any more. */
    void (*lose)(uint32_t machine);
    /* Does the job go on when this machine ends by itself? */
    bool (*can_leave)(void);
    /* As Machines.idle, after receive gave nothing. */
    int64_t (*idle)(void);
    void (*end)(int status);
} Carrier;

/* The carrier that is linked. */
extern const Carrier placed_carrier;

#endif
