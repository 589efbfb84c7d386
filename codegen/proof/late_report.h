/* late_report -- what failing checks report, kept off the path of checks that pass.
 *
 * Holds:  reports are the same with and without this pass; only where their values are computed,
 *         and which of them must be kept, changes. */
#ifndef OCCC_LATE_REPORT_H
#define OCCC_LATE_REPORT_H

#include <llvm-c/Core.h>

/* late_report_settle -- for every report of the module, after it has been optimised. */
void late_report_settle(LLVMModuleRef module);

#endif
