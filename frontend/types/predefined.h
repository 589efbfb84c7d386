/* predefined -- what passes after check_types ask about the predefined routines. */
#ifndef OCCC_PREDEFINED_H
#define OCCC_PREDEFINED_H

#include "symbol.h"

/* predefined_is_reference -- the routine may change its actual of that number. */
bool predefined_is_reference(unsigned id, size_t index);
/* predefined_is_refused -- every call of it has been reported. */
bool predefined_is_refused(unsigned id);
/* predefined_may_wait -- a call lets others run. */
bool predefined_may_wait(unsigned id);

#endif
