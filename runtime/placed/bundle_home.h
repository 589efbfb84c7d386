/* bundle_home -- the home of a bundle: the machine from which one of its ends was first sent away, for
 * ever.
 *
 * Owns:   where the ends of the bundle are, whether anybody has them.
 * Leaves: the ends to remote_bundle.h; of each channel, the messages that have no end to go to, to
 *         its Link (shared_turns.c).
 * Holds:  a bundle has the number of its first channel; the others have those that follow. Each end
 *         counts its moves. Where it arrives, that machine says HERE, with the number of the move;
 *         where it leaves, LEFT, with the number of the move that had brought it. News of an older
 *         move than the home knows of is none. When both ends are somewhere the home tells each
 *         where the other is (PEER): so messages go directly, and those that come to a machine
 *         which the end has left go home, and on from there. A channel that is closed is so for who
 *         arrives. The home ends when nobody has either end. */
#ifndef RT_BUNDLE_HOME_H
#define RT_BUNDLE_HOME_H

#include "link.h"

enum { ROLE_CLIENT, ROLE_SERVER, ROLES }; /* the ! end, the ? end */

/* The field with that channel. */
const EndField *end_shape_field(const EndShape *shape, uint32_t channel);

/* What the end of that role is to the channel. */
static inline uint32_t end_shape_side(const EndShape *shape, uint32_t channel, uint32_t role) {
    bool is_to_server = (end_shape_field(shape, channel)->flags & END_TO_SERVER) != 0;
    return is_to_server == (role == ROLE_SERVER) ? END_INPUT : END_OUTPUT;
}

/* This machine is it, and has the ends whose roles are held. The result: the number. */
uint64_t bundle_home_begin(Machine *machine, const EndShape *shape, const bool *is_held);
/* HERE, LEFT, LET_GO */
void bundle_home_hear(Machine *machine, const Message *message);

#endif
