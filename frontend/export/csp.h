/* csp -- a skeleton as a model in CSPm, for FDR and its kin.
 *
 * Owns:   the text.
 * Leaves: what a skeleton is to skeleton.h.
 * Holds:  each task is a process, with the variables of the loops around it as parameters. An event
 *         is a channel, its element, its tag where the protocol has some; of a shared channel also
 *         who outputs and who inputs, so that others of the same side are not part of it. */
#ifndef OCCC_CSP_H
#define OCCC_CSP_H

#include "skeleton.h"

const char *csp_write(Arena *arena, const Skeleton *skeleton, const char *source);

#endif
