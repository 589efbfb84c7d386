/* terminal -- the size of a terminal, and keys that are not signals: what module terminal asks for.
 */
#ifndef RT_TERMINAL_H
#define RT_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* *result: 0, or an errno, negated: it is no terminal. */
void occ_terminal_size(int32_t file, int32_t *columns, int32_t *rows, int32_t *result);
/* Deliver ^C, ^Z and the like as bytes, or as signals again; restored when the program ends. */
void occ_terminal_raw(int32_t file, bool is_raw, int32_t *result);

#endif
