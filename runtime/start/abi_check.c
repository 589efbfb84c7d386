/* abi_check -- runtime.h and the C routines agree with abi.def. Compiling this file is the check.
 *
 * A prototype of runtime.h that has drifted is a "conflicting types" error. Each C routine is
 * called once with arguments of the table's types: a wrong number or kind does not compile, and a
 * routine that may park must return the process to resume. */
#include "alt.h"
#include "alt_look.h"
#include "block.h"
#include "bundle.h"
#include "channel.h"
#include "claim.h"
#include "clock.h"
#include "close.h"
#include "condition.h"
#include "detached.h"
#include "error.h"
#include "foreign.h"
#include "gate.h"
#include "heap_object.h"
#include "machines.h"
#include "mobile.h"
#include "mobile_clock.h"
#include "mobile_process.h"
#include "occ/runtime.h"
#include "port.h"
#include "real.h"
#include "scheduler.h"
#include "semaphore.h"
#include "stop.h"
#include "timer.h"
#include "turn.h"

#define VOID void
#define ME   OccMe
#define PTR  void *
#define I32  int32_t
#define I64  int64_t
#define F32  float
#define F64  double
#define SITE const Site *

/* ---- the prototypes compiled code sees ---- */

#define CONVENTION_MAY_PARK OCC_PN
#define CONVENTION_LEAF_PN  OCC_PN
#define CONVENTION_NEVER_PARKS
#define CONVENTION_LEAF
#define CONVENTION_LEAF_PM
#define CONVENTION_NEVER_RETURNS _Noreturn

#define OCC_CALL0(name, R, effect, bytes)    CONVENTION_##effect R occ_##name(Process *me);
#define OCC_CALL1(name, R, A, effect, bytes) CONVENTION_##effect R occ_##name(Process *me, A a);
#define OCC_CALL2(name, R, A, B, effect, bytes)                                                    \
    CONVENTION_##effect R occ_##name(Process *me, A a, B b);
#define OCC_CALL3(name, R, A, B, C, effect, bytes)                                                 \
    CONVENTION_##effect R occ_##name(Process *me, A a, B b, C c);
#define OCC_CALL4(name, R, A, B, C, D, effect, bytes)                                              \
    CONVENTION_##effect R occ_##name(Process *me, A a, B b, C c, D d);
#include "occ/abi.def"
#undef OCC_CALL0
#undef OCC_CALL1
#undef OCC_CALL2
#undef OCC_CALL3
#undef OCC_CALL4

/* ---- the C routines behind them ---- */

#define CHECK_MAY_PARK(name, R, parameters, arguments)                                             \
    __attribute__((unused)) static Process *check_##name parameters {                              \
        return rt_##name arguments;                                                                \
    }
#define CHECK_NEVER_PARKS(name, R, parameters, arguments)                                          \
    __attribute__((unused)) static void check_##name parameters {                                  \
        (void)rt_##name arguments;                                                                 \
    }
#define CHECK_NEVER_RETURNS(name, R, parameters, arguments)                                        \
    __attribute__((unused)) _Noreturn static R check_##name parameters {                           \
        rt_##name arguments;                                                                       \
    }
#define CHECK_LEAF(name, R, parameters, arguments)
#define CHECK_LEAF_PN(name, R, parameters, arguments)
#define CHECK_LEAF_PM(name, R, parameters, arguments)

#define OCC_CALL0(name, R, effect, bytes)    CHECK_##effect(name, R, (Process * me), (me))
#define OCC_CALL1(name, R, A, effect, bytes) CHECK_##effect(name, R, (Process * me, A a), (me, a))
#define OCC_CALL2(name, R, A, B, effect, bytes)                                                    \
    CHECK_##effect(name, R, (Process * me, A a, B b), (me, a, b))
#define OCC_CALL3(name, R, A, B, C, effect, bytes)                                                 \
    CHECK_##effect(name, R, (Process * me, A a, B b, C c), (me, a, b, c))
#define OCC_CALL4(name, R, A, B, C, D, effect, bytes)                                              \
    CHECK_##effect(name, R, (Process * me, A a, B b, C c, D d), (me, a, b, c, d))
#include "occ/abi.def"
