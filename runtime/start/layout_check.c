/* layout_check -- the structs of layout.h and worker.h are what layout.def says, and the routines
 * of runtime.h are those of abi.def. Compiling this file is the check. */
#include "arch.h"
#include "bundle.h"
#include "clock.h"
#include "coverage.h"
#include "layout.h"
#include "mobile.h"
#include "mobile_process.h"
#include "occ/runtime.h"
#include "sync.h"
#include "worker.h"

/* In C, Alt has no `deadline`: the word is two fields of the runtime. */
#define deadline deadline_position

#define OCC_STRUCT(Struct, size)                                                                   \
    _Static_assert(sizeof(Struct) == (size), #Struct " has the size of layout.def");
#define OCC_FIELD(Struct, field, offset)                                                           \
    _Static_assert(offsetof(Struct, field) == (offset), #Struct "." #field " lies where it must");
#define OCC_CONSTANT(NAME, value) _Static_assert(NAME == (value), #NAME);
#include "occ/layout.def"
#undef OCC_STRUCT
#undef OCC_FIELD
#undef OCC_CONSTANT

_Static_assert(sizeof(void *) == 8, "layout.def is written for 64 bits");
_Static_assert(TAG_DEVICE <= TAG_MASK, "every tag fits below an address");
_Static_assert((int)WORKERS_MAX < (int)MODE_SHARED, "every worker has an owner's number");
_Static_assert(sizeof(Alt) == 48, "the guards of an ALT follow its header");
