/* held_places -- what a deadlock report asks about: who waits on which machine for what.
 *
 * Owns:   the keys by which machines name ends, turns, placements and phases (PlaceKey).
 * Leaves: the graph to report/deadlock_elsewhere.h.
 * Holds:  it only reads; everything stands still. Nobody knows who will claim a shared side next,
 *         so it has no key. */
#ifndef RT_HELD_PLACES_H
#define RT_HELD_PLACES_H

#include "machine.h"

/* Functions of Machines. */
uint32_t held_places_number(const Process *process);
size_t held_places(HeldPlace *places, size_t capacity);
bool held_places_awaited(const AwaitedPlace *awaited, PlaceKey *key);

#endif
