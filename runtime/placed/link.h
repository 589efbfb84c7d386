/* link -- the home of a channel between placements: the machine of the PLACED PAR's parent.
 *
 * Owns:   the number of the channel, which machine has which end, whether it is closed.
 * Leaves: the ends to remote_end.h.
 * Holds:  a link lives from the beginning of the outermost PLACED PAR that has the channel to its
 *         end. An end tells its home where it is when it is first used; when both have, each
 *         learns of the other, and they need the home no more; then nobody else may have one of
 *         the ends before the link ends, for messages may be under way. Who closes tells the home, which tells
 *         all machines that have the channel, unless both know of each other already. */
#ifndef RT_LINK_H
#define RT_LINK_H

#include "machine.h"

enum { END_INPUT, END_OUTPUT, END_UNKNOWN };

typedef struct Claimant Claimant;
typedef struct BundleHome BundleHome;

/* SharedTurns -- of a shared end: who has the turn, who wants it; messages for who comes next. */
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
    uint32_t users;      /* PLACED PARs */
    const Site *site;    /* of the last of them */
    RemoteEnd *home;     /* of the parent (home_end.h); NULL: it is a channel of the program */
    bool is_program;     /* a channel of the program: of its home only the turn is used */
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

/* A PLACED PAR with the channel begins; it has ended. */
void link_use(Worker *worker, Machine *machine, const LinkedChannel *linked);
void link_drop(Worker *worker, Machine *machine, const LinkedChannel *linked);
Link *link_of_entry(TableEntry *by_number);
/* Its record, with that number. */
Link *link_begin(Machine *machine, uint64_t number);
void link_end(Machine *machine, Link *link);
Link *link_of_number(const Machine *machine, uint64_t number);
Link *link_of_channel(const Machine *machine, const Channel *channel);
/* A placement that has the channel starts there. */
void link_add_member(Link *link, uint32_t machine);

/* It will use the channel. */
void link_add_user(Link *link, uint32_t machine);

/* The program ends: so far nobody can do that, there. */
_Noreturn void link_refuse(const Site *site, const char *what);

/* May its ends change machines while messages are under way? Those for who has gone come home. */
bool link_ends_move(const Link *link);
/* Where the other end is. */
void link_tell_peer(const Machine *machine, const Link *link, uint32_t side);
/* To the end of that side, or to any (END_UNKNOWN). */
void link_tell_closed(const Machine *machine, const Link *link, uint32_t to, uint32_t side);
/* On all machines that have it. */
void link_close(const Machine *machine, Link *link, const Site *site);
void link_hello(Machine *machine, const Message *message);
void link_closing(Machine *machine, const Message *message);

#endif
