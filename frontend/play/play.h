/* play -- `occc play [address]`: a page on this machine with an editor, for programs that are tried.
 *
 * Owns:   the command, which becomes the server.
 * Leaves: the server to server.occ, what a text may do to confine.c, the page to page.html.
 * Holds:  the address is one of this machine itself: nobody else reaches it. */
#ifndef OCCC_PLAY_H
#define OCCC_PLAY_H

#include "options.h"

/* play_run -- does not return, unless the server cannot start: exit status. */
int play_run(Arena *arena, const Options *options);

#endif
