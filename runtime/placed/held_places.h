/* held_places -- what a deadlock report asks of the engine: who waits on which machine for what.
 *
 * Owns:   the keys by which machines speak of ends, turns, placements and phases (PlaceKey).
 * Leaves: the graph to report/deadlock_elsewhere.h.
 * Holds:  it only reads; everything stands still. Of a side that is shared nobody knows who will
 *         claim it next: it has no key. */
#ifndef RT_HELD_PLACES_H
#define RT_HELD_PLACES_H

#include "machine.h"

/* Machines */
uint32_t held_places_number(const Process *process);
size_t held_places(HeldPlace *places, size_t capacity);
bool held_places_awaited(const AwaitedPlace *awaited, PlaceKey *key);

#endif
