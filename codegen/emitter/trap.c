/* trap -- checks, errors, and the static records that say where they stand.
 *
 * Owns:   Site records and strings of the unit (each distinct one exists once), the cold blocks of
 *         failed checks.
 * Leaves: which checks an operation needs to the file of the operation, the report to the runtime.
 * Holds:  values shown in a message are widened to i64: BOOL and BYTE without sign, wider integers
 *         with sign; a caller with an unsigned wide integer widens it itself. */
#include "emit_cache.h"
#include "emit_sharing.h"
#include "layout_offsets.h"

#include <string.h>

/* How much likelier a check is to succeed: enough for the failing block to be moved away. */
#define WEIGHT_OF_SUCCESS 1048575
#define WEIGHT_OF_FAILURE 1

/* Only its contents matter: LLVM may merge equal ones. */
static LLVMValueRef text_or_record(Emitter *emitter, LLVMValueRef value, const char *name) {
    LLVMValueRef global = emit_constant_global(emitter, value, name);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    return global;
}

LLVMValueRef emit_string(Emitter *emitter, const char *string) {
    size_t length = strlen(string);
    void **slot = name_map_at(&emitter->cache->strings, string, length);
    if (!*slot) {
        LLVMValueRef bytes = LLVMConstStringInContext2(emitter->context, string, length, 0);
        LLVMValueRef global = text_or_record(emitter, bytes, "text");
        LLVMSetAlignment(global, 1);
        *slot = global;
    }
    return *slot;
}

/* ---- sites ---- */

static LLVMValueRef string_or_null(Emitter *emitter, const char *string) {
    return string ? emit_string(emitter, string) : LLVMConstNull(emitter->ptr);
}

static const char *current_proc(const Emitter *emitter) {
    return emitter->routine && emitter->routine->proc_name ? emitter->routine->proc_name : "";
}

static LLVMValueRef site_constant(Emitter *emitter, unsigned kind, Location at, const char *object,
                                  unsigned flags) {
    const SourceFile *file = source_file(emitter->sources, at.file);
    uint32_t column = at.column < UINT16_MAX ? at.column : UINT16_MAX;
    LLVMValueRef members[] = {
        emit_string(emitter, file ? file->path : ""),
        emit_string(emitter, current_proc(emitter)),
        string_or_null(emitter, object),
        LLVMConstInt(emitter->i32, at.line, 0),
        LLVMConstInt(emitter->i16, column, 0),
        LLVMConstInt(emitter->i8, kind, 0),
        LLVMConstInt(emitter->i8, flags | (emitter->options->stop_mode ? LAYOUT_SITE_STOPS : 0), 0),
    };
    _Static_assert(OFFSET_Site_proc == 8 && OFFSET_Site_object == 16 && OFFSET_Site_line == 24 &&
                       OFFSET_Site_column == 28 && OFFSET_Site_kind == 30 &&
                       OFFSET_Site_flags == 31 && SIZE_Site == 32,
                   "the members above are in the order of layout.def");
    return LLVMConstNamedStruct(emitter->site_type, members, sizeof members / sizeof *members);
}

LLVMValueRef emit_site(Emitter *emitter, unsigned kind, Location at, const char *object) {
    const char *key = arena_format(emitter->arena, "%u %u:%u:%u %s\n%s", kind, at.file, at.line,
                                   at.column, current_proc(emitter), object ? object : "\n");
    void **slot = name_map_at(&emitter->cache->sites, key, strlen(key));
    if (!*slot) {
        LLVMValueRef constant = site_constant(emitter, kind, at, object, 0);
        *slot = text_or_record(emitter, constant, "site");
    }
    return *slot;
}

/* ---- sites of a call: all units have the same order (OCC_ABI_VERSION) ---- */

static const WaitReason told_at_call[] = {WAIT_INPUT, WAIT_OUTPUT, WAIT_UNTIL_CLOSED,
                                          WAIT_ALT,   WAIT_TIMER,  WAIT_BLOCKING_CALL,
                                          WAIT_CLAIM};
enum { TOLD_AT_CALL = sizeof told_at_call / sizeof *told_at_call };

LLVMValueRef emit_wait_site(Emitter *emitter, WaitReason reason, Location at, const char *object) {
    LLVMValueRef sites = emitter->routine->call_sites;
    for (unsigned i = 0; sites != NULL && i < TOLD_AT_CALL; i++) {
        if (told_at_call[i] == reason) {
            return emit_field(emitter, sites, SIZE_Site * i, "site");
        }
    }
    return emit_site(emitter, reason, at, object);
}

LLVMValueRef emit_call_sites(Emitter *emitter, Location at, const char *callee) {
    if (emitter->routine->call_sites != NULL) {
        return emitter->routine->call_sites;
    }
    LLVMValueRef sites[TOLD_AT_CALL];
    for (unsigned i = 0; i < TOLD_AT_CALL; i++) {
        sites[i] = site_constant(emitter, told_at_call[i], at, callee, LAYOUT_SITE_CALL);
    }
    LLVMValueRef row = LLVMConstArray2(emitter->site_type, sites, TOLD_AT_CALL);
    return text_or_record(emitter, row, "call");
}

LLVMValueRef emit_sized_site(Emitter *emitter, unsigned kind, Location at, const char *object,
                             LLVMValueRef size) {
    LLVMValueRef site = site_constant(emitter, kind, at, object, LAYOUT_SITE_SIZED);
    LLVMTypeRef members[] = {emitter->site_type, emitter->i64};
    LLVMTypeRef type = LLVMStructTypeInContext(emitter->context, members, 2, 0);
    bool is_constant = LLVMIsAConstantInt(size) != NULL;
    LLVMValueRef parts[] = {site, is_constant ? size : emit_i64(emitter, 0)};
    LLVMValueRef record = LLVMConstNamedStruct(type, parts, 2);
    if (is_constant) {
        return text_or_record(emitter, record, "site");
    }
    LLVMValueRef slot = emit_alloca(emitter, type, "site");
    LLVMBuildStore(emitter->builder, record, slot);
    LLVMBuildStore(emitter->builder, size, emit_field(emitter, slot, SIZE_Site, ""));
    return slot;
}

LLVMValueRef emit_shaped_site(Emitter *emitter, unsigned kind, Location at, const char *object,
                              LLVMValueRef shape) {
    LLVMValueRef members[] = {site_constant(emitter, kind, at, object, LAYOUT_SITE_SHAPED), shape};
    LLVMValueRef record = LLVMConstStructInContext(emitter->context, members, 2, 0);
    return text_or_record(emitter, record, "site");
}

LLVMValueRef emit_site_of_par(Emitter *emitter, Location at, unsigned others, LLVMValueRef *given,
                              unsigned given_words) {
    LLVMValueRef members[] = {
        site_constant(emitter, WAIT_JOIN, at, NULL, LAYOUT_SITE_PAR),
        emit_i32(emitter, others),
        emit_i32(emitter, given_words / PAR_USE_WORDS),
        LLVMConstArray2(emitter->i32, given, given_words),
    };
    LLVMValueRef record = LLVMConstStructInContext(emitter->context, members, 4, 0);
    return text_or_record(emitter, record, "site");
}

/* ---- errors ---- */

static LLVMValueRef widen(Emitter *emitter, LLVMValueRef value) {
    if (!value) {
        return LLVMConstInt(emitter->i64, 0, 0);
    }
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    if (width == 64) {
        return value;
    }
    return width <= 8 ? LLVMBuildZExt(emitter->builder, value, emitter->i64, "")
                      : LLVMBuildSExt(emitter->builder, value, emitter->i64, "");
}

static void call_error(Emitter *emitter, ErrorKind kind, Location at, const char *object,
                       LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMValueRef arguments[] = {
        emit_site(emitter, kind, at, object),
        widen(emitter, a),
        widen(emitter, b),
        widen(emitter, c),
    };
    emit_runtime_call(emitter, RT_error, arguments);
    LLVMBuildUnreachable(emitter->builder);
}

void emit_error(Emitter *emitter, ErrorKind kind, Location at, const char *object,
                LLVMValueRef value) {
    call_error(emitter, kind, at, object, value, NULL, NULL);
    emit_enter(emitter, emit_block(emitter, "after.error"));
}

/* The kinds that --no-checks leaves out; the others are errors that the program states itself. */
static bool is_check(ErrorKind kind) {
    switch (kind) {
    case ERROR_INDEX:
    case ERROR_INDEX_EMPTY:
    case ERROR_SEGMENT:
    case ERROR_SIZE_MISMATCH:
    case ERROR_COUNT:
    case ERROR_REPLICATOR:
    case ERROR_PROCESSOR:
    case ERROR_OVERFLOW:
    case ERROR_OVERFLOW_NEGATE:
    case ERROR_DIVIDE_BY_ZERO:
    case ERROR_SHIFT:
    case ERROR_CONVERSION:
    case ERROR_REAL_CONVERSION:
    case ERROR_REAL:
    case ERROR_OVERLAP: return true;
    case ERROR_PORT:
    case ERROR_STOP:
    case ERROR_CAUSE_ERROR:
    case ERROR_ASSERT:
    case ERROR_ASSERTION:
    case ERROR_INVARIANT:
    case ERROR_NO_CHOICE:
    case ERROR_NO_OPTION:
    case ERROR_NO_VARIANT:
    case ERROR_NO_GUARD:
    case ERROR_NO_MEMORY:
    case ERROR_NO_THREAD:
    case ERROR_TWO_WRITERS:
    case ERROR_TWO_READERS:
    case ERROR_MESSAGE_SIZE:
    case ERROR_PROTOCOL:
    case ERROR_CLOSED:
    case ERROR_EXTENDED:
    case ERROR_CLAIM_MOVED:
    case ERROR_NESTED_CLAIM:
    case ERROR_SEMAPHORE_COUNT:
    case ERROR_SYNC_IN_USE:
    case ERROR_CONDITION_NOT_HELD:
    case ERROR_CONDITION_MUTEX:
    case ERROR_TICKET_UNKNOWN:
    case ERROR_TICKET_NONE:
    case ERROR_CREW_NOT_READING:
    case ERROR_CREW_NOT_WRITING:
    case ERROR_MOBILE_COUNT:
    case ERROR_NOT_ENROLLED:
    case ERROR_RESUMED:
    case ERROR_NOT_RESUMED:
    case ERROR_LEFT_RESUMED:
    case ERROR_UNDEFINED_MOBILE:
    case ERROR_MOBILE_TYPE:
    case ERROR_NOT_DETACHED:
    case ERROR_KIND_COUNT: return false;
    }
    return false;
}

/* Go on where `condition` is `when`, else report the error. */
static void emit_check(Emitter *emitter, LLVMValueRef condition, bool when, ErrorKind kind,
                       Location at, const char *object, LLVMValueRef *values) {
    bool is_known = LLVMIsAConstantInt(condition) != NULL;
    if ((!emitter->options->checks && is_check(kind)) ||
        (is_known && (LLVMConstIntGetZExtValue(condition) != 0) == when)) {
        return;
    }
    LLVMBasicBlockRef failed = emit_block(emitter, "check.failed");
    LLVMBasicBlockRef passed = emit_block(emitter, "check.passed");
    LLVMValueRef branch = LLVMBuildCondBr(emitter->builder, condition, when ? passed : failed,
                                          when ? failed : passed);
    emit_branch_weights(emitter, branch, when ? WEIGHT_OF_SUCCESS : WEIGHT_OF_FAILURE,
                        when ? WEIGHT_OF_FAILURE : WEIGHT_OF_SUCCESS);
    emit_enter(emitter, failed);
    call_error(emitter, kind, at, object, values[0], values[1], values[2]);
    emit_enter(emitter, passed);
}

void emit_trap_unless(Emitter *emitter, LLVMValueRef ok, ErrorKind kind, Location at,
                      const char *object, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    emit_check(emitter, ok, true, kind, at, object, (LLVMValueRef[]){a, b, c});
}

void emit_trap_if(Emitter *emitter, LLVMValueRef wrong, ErrorKind kind, Location at,
                  const char *object, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    emit_check(emitter, wrong, false, kind, at, object, (LLVMValueRef[]){a, b, c});
}

void emit_not_supported(Emitter *emitter, Location at, const char *construct) {
    diag_report(emitter->diag, DIAG_NOT_SUPPORTED, at, construct);
    emitter->failed = true;
}
