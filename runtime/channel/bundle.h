/* bundle -- who holds the ends of channel bundles, and shared channels of programs that FORK.
 *
 * Owns:   the struct behind the pointer in a variable of an end; counting the holders; what happens
 *         when the last one lets go. The life of a shared channel, which a forked process may use
 *         after the scope of its declaration: it is the contents of a block of its own
 *         (codegen/storage/storage.c).
 * Leaves: making one to codegen/mobile/bundle.c, its memory to mobile.h, closing to close.h, CLAIM
 *         of shared ends to claim.h.
 * Holds:  an end that is not shared has one holder, which changes by moves. The channels close when
 *         the last holder of either end lets go, if the program can see that (site not NULL); the
 *         memory goes back when neither end is held. The ? end may be the world's: then servers is
 *         below 0, an Outside stands behind the channels, and its action takes the place of closing
 *         when the last holder of the ! end lets go (decision 0043). The references of a shared
 *         channel are the scope of its declaration and each forked process that was given it;
 *         those of the runtime's own channels never come to 0. */
#ifndef RT_BUNDLE_H
#define RT_BUNDLE_H

#include "mobile.h"

struct Bundle {
    Mobile mobile;
    int64_t servers;
    int64_t clients;
    Claim server;
    Claim client;
    const Site *site;
    uint32_t count;
    uint32_t sides;
    Channel channels[];
};

/* Outside -- what is at the ? end in place of processes. */
typedef struct Outside {
    void (*let_go)(Process *me, Bundle *bundle);
} Outside;

/* NULL: the ? end is held by processes. */
static inline Outside *bundle_outside(Bundle *bundle) {
    return bundle->servers < 0 ? (Outside *)(void *)&bundle->channels[bundle->count] : NULL;
}

/* A bundle whose ? end is the world's, with an Outside of that size, otherwise zeroed; NULL: no
 * memory. Its ! end is the caller's. */
Bundle *bundle_make_outside(uint32_t channels, size_t outside_bytes,
                            void (*let_go)(Process *me, Bundle *bundle));

/* abi.def */
void rt_bundle_keep(Process *me, void *bundle, int32_t is_server);
void rt_bundle_drop(Process *me, void *bundle, int32_t is_server);
void rt_shared_keep(Process *me, void *channel);
void rt_shared_drop(Process *me, void *channel);

#endif
