/* predefined -- what passes after check_types ask about the predefined routines. */
#ifndef OCCC_PREDEFINED_H
#define OCCC_PREDEFINED_H

#include "symbol.h"

/* predefined_is_reference -- may the routine change its actual of that index? */
bool predefined_is_reference(unsigned id, size_t index);
/* predefined_is_refused -- is every call of it reported as an error? */
bool predefined_is_refused(unsigned id);
/* predefined_may_wait -- may a call let others run? */
bool predefined_may_wait(unsigned id);

#endif
