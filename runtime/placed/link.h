/* link -- the home of a channel between placements: the machine of the PLACED PAR's parent.
 *
 * Owns:   the number of the channel, which machine has which end, whether it is closed.
 * Leaves: the ends to remote_end.h.
 * Holds:  a link lives as long as the outermost PLACED PAR that has the channel. An end tells the
 *         home where it is when it is first used. When both have, each learns where the other is
 *         and needs the home no more; from then on no other machine may use either end, for
 *         messages may be under way. A CLOSE is told to the home, which tells all machines that
 *         have the channel, unless the two ends know each other. */
#ifndef RT_LINK_H
#define RT_LINK_H

#include "machine.h"

enum { END_INPUT, END_OUTPUT, END_UNKNOWN };

typedef struct Claimant Claimant;
typedef struct BundleHome BundleHome;

/* SharedTurns -- of a shared end: who has the turn, who wants it; messages for the next one. */
typedef struct SharedTurns {
    uint32_t machine, place;
    uint32_t home;   /* the place of the home itself */
    uint64_t number; /* of this turn */
    Claimant *first, **last;
    Message *kept, **kept_end;
} SharedTurns;

struct Link {
    TableEntry by_number, by_address;
    Channel *channel;
    uint64_t number;
    uint32_t users;      /* PLACED PARs that run with it */
    const Site *site;    /* of the last of them */
    RemoteEnd *home;     /* of the parent (home_end.h); NULL: it is a channel of the program */
    bool is_program;     /* a channel of the program: only the turn of its home is used */
    BundleHome *bundle;  /* whose channel it is (bundle_home.h), or NULL; then it has no address */
    int64_t machines[2]; /* of END_INPUT, END_OUTPUT; -1: not known */
    SharedTurns turns[2];
    const Site *closed;
    int64_t known[2];  /* machines that will use it (PlacedUses); -1: none */
    uint32_t *members; /* machines that have placements with the channel */
    uint32_t member_count, member_capacity;
};

/* LinkedChannel -- a channel as a PLACED PAR has it. */
typedef struct LinkedChannel {
    Channel *channel;
    uint32_t item_bytes; /* of the first part of a message: a word where it is 1, 2, 4 or 8 */
    uint32_t shared;     /* sides: PLACED_SHARED_... */
    const Site *site;    /* of the PLACED PAR */
} LinkedChannel;

static inline uint32_t link_home(uint64_t number) {
    return (uint32_t)(number >> 40);
}

/* A PLACED PAR with the channel begins (link_use) or has ended (link_drop). */
void link_use(Worker *worker, Machine *machine, const LinkedChannel *linked);
void link_drop(Worker *worker, Machine *machine, const LinkedChannel *linked);
Link *link_of_entry(TableEntry *by_number);
/* Make the record of the channel with that number. */
Link *link_begin(Machine *machine, uint64_t number);
void link_end(Machine *machine, Link *link);
Link *link_of_number(const Machine *machine, uint64_t number);
Link *link_of_channel(const Machine *machine, const Channel *channel);
/* A placement on that machine has the channel. */
void link_add_member(Link *link, uint32_t machine);

/* That machine will use the channel. */
void link_add_user(Link *link, uint32_t machine);

/* End the program: this use of a channel is not supported. */
_Noreturn void link_refuse(const Site *site, const char *what);

/* May its ends change machines while messages are under way? Messages that miss one come home. */
bool link_ends_move(const Link *link);
/* Tell the end of that side where the other end is. */
void link_tell_peer(const Machine *machine, const Link *link, uint32_t side);
/* Tell that machine, for the end of that side or for any (END_UNKNOWN). */
void link_tell_closed(const Machine *machine, const Link *link, uint32_t to, uint32_t side);
/* Close it on all machines that have it. */
void link_close(const Machine *machine, Link *link, const Site *site);
void link_hello(Machine *machine, const Message *message);
void link_closing(Machine *machine, const Message *message);

#endif
