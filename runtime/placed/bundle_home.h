/* bundle_home -- the fixed home of a bundle: the machine that first sent one of its ends away.
 *
 * Owns:   where the ends of the bundle are, and whether anybody has them.
 * Leaves: the ends to remote_bundle.h; messages for an end that is nowhere to the Link of the
 *         channel (shared_turns.c).
 * Holds:  a bundle has the number of its first channel, the other channels have the numbers that
 *         follow. Each end counts its moves. The machine where it arrives reports HERE, with the
 *         number of the move; when the end leaves, LEFT, with the number of the move that had
 *         brought it. Reports older than what the home knows are ignored. When both ends are
 *         somewhere, the home tells each where the other is (PEER), so that messages go directly;
 *         messages that reach a machine which the end has left go to the home, and on from there.
 *         An end that arrives is told which channels are closed. The home ends when nobody has
 *         either end. */
#ifndef RT_BUNDLE_HOME_H
#define RT_BUNDLE_HOME_H

#include "link.h"

enum { ROLE_CLIENT, ROLE_SERVER, ROLES }; /* the ! end, the ? end */

/* The field that the channel belongs to. */
const EndField *end_shape_field(const EndShape *shape, uint32_t channel);

/* Which side of the channel the end of that role is. */
static inline uint32_t end_shape_side(const EndShape *shape, uint32_t channel, uint32_t role) {
    bool is_to_server = (end_shape_field(shape, channel)->flags & END_TO_SERVER) != 0;
    return is_to_server == (role == ROLE_SERVER) ? END_INPUT : END_OUTPUT;
}

/* Make this machine the home of a bundle; is_held: the roles held here. Returns the number. */
uint64_t bundle_home_begin(Machine *machine, const EndShape *shape, const bool *is_held);
/* HERE, LEFT, LET_GO */
void bundle_home_hear(Machine *machine, const Message *message);

#endif
