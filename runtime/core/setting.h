/* setting -- what the environment asks of a run: OCC_... (docs/occ-runtime.7.scd).
 *
 * Owns:   reading settings: an invalid value ends the program with one message.
 * Leaves: the effect of a setting to the code that asks for it. OCC_PORTS is any path (port.c).
 * Holds:  all are checked when the program begins (setting_check), whether they are used or not. */
#ifndef RT_SETTING_H
#define RT_SETTING_H

#include <stdbool.h>
#include <stdint.h>

/* Refuse invalid settings. */
void setting_check(void);

bool setting_is_there(const char *name);
/* pre: setting_check. 0: it is not set. */
uint64_t setting_number(const char *name);
/* Is every choice controlled: OCC_CHOICES, OCC_EXPLORE (explore/choice.h)? */
static inline bool setting_is_explored(void) {
    return setting_is_there("OCC_CHOICES") || setting_is_there("OCC_EXPLORE");
}
/* Does it have this value? For settings that are _virtual_ or 1. */
bool setting_is(const char *name, const char *word);

#endif
