/* lsp -- `occc lsp`: a language server on standard input and output.
 *
 * Owns:   the loop: messages of the editor, results of analyses, requests that wait for one.
 * Leaves: what is asked to answer.h, what a text means to survey.h, the texts to document.h.
 * Holds:  a text is only ever read by a child process (analysis.h): whatever a text does to the
 *         compiler, the server goes on. */
#ifndef OCCC_LSP_H
#define OCCC_LSP_H

#include "options.h"

/* lsp_run -- until the editor says exit, or is gone; exit status. */
int lsp_run(Arena *arena, const Options *options);

#endif
