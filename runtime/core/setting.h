/* setting -- what the environment asks of a run: OCC_... (docs/occ-runtime.7.scd).
 *
 * Owns:   reading and refusing: a value that means nothing ends the program with one message.
 * Leaves: what a setting does to who asks for it. OCC_PORTS is any path (port.c).
 * Holds:  all are looked at when the program begins (setting_check), whether they are used or not.
 */
#ifndef RT_SETTING_H
#define RT_SETTING_H

#include <stdbool.h>
#include <stdint.h>

/* Refuse what is wrong in any of them. */
void setting_check(void);

bool setting_is_there(const char *name);
/* pre: setting_check; 0: it is not there */
uint64_t setting_number(const char *name);
/* Is every choice to be controlled: OCC_CHOICES, OCC_EXPLORE (explore/choice.h)? */
static inline bool setting_is_explored(void) {
    return setting_is_there("OCC_CHOICES") || setting_is_there("OCC_EXPLORE");
}
/* Is it the word? For those that are _virtual_ or 1. */
bool setting_is(const char *name, const char *word);

#endif
