/* signals -- signals of the system as messages: what module signal asks for (stdlib/signal.occ).
 *
 * Owns:   which signals somebody catches; the channel that gives them.
 * Leaves: what a signal means that nobody catches to interrupt.c.
 * Holds:  a handler writes the number into a pipe, and nothing else; the channel reads it there,
 *         so a signal waits for its reader. The bundle is one whose other end is the world
 *         (bundle.h); with its last holder the signals are again what they were. A signal is
 *         caught by one bundle at a time. */
#ifndef RT_SIGNALS_H
#define RT_SIGNALS_H

#include <stdint.h>

typedef struct Bundle Bundle;

/* *result: 0, or an errno, negated: EBUSY, one of them is caught already; EINVAL, it cannot be. */
void occ_signal_catch(const int32_t *numbers, int32_t count, Bundle **to, int32_t *result);

#endif
