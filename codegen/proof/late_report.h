/* late_report -- what failing checks report, kept off the way of those that pass.
 *
 * Holds:  reports say the same with and without this pass; only where their values are made, and
 *         which of them have to be kept for them, changes. */
#ifndef OCCC_LATE_REPORT_H
#define OCCC_LATE_REPORT_H

#include <llvm-c/Core.h>

/* late_report_settle -- for every report of the module, which is optimised. */
void late_report_settle(LLVMModuleRef module);

#endif
