/* promela -- a skeleton as a model for Spin.
 *
 * Owns:   the text.
 * Leaves: what a skeleton is to skeleton.h.
 * Holds:  each task is a proctype, so every channel is a global name. */
#ifndef OCCC_PROMELA_H
#define OCCC_PROMELA_H

#include "skeleton.h"

const char *promela_write(Arena *arena, const Skeleton *skeleton, const char *source);

#endif
