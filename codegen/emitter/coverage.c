/* coverage -- -fcoverage: how often each process of the text has run.
 *
 * Owns:   the records in the section occ_coverage, one for each place that is counted, and the code
 *         that counts. The linker puts the sections of all units side by side.
 * Leaves: writing them at the end of the program to runtime/core/coverage.h, what they mean to
 *         frontend/testing.
 * Holds:  a record is CoverageRecord of runtime/core/coverage.h. A place that is emitted several
 *         times, as in copies of a recursive routine, has several records, which are added up. */
#include "emit.h"

#include "array.h"
#include "layout_offsets.h"

#include <string.h>

#define SECTION "occ_coverage"

static LLVMValueRef make_record(Emitter *emitter, CoverageKind kind, Location at,
                                Location construct) {
    const SourceFile *file = source_file(emitter->sources, at.file);
    const char *proc =
        emitter->routine && emitter->routine->proc_name ? emitter->routine->proc_name : "";
    LLVMValueRef members[] = {
        emit_string(emitter, file ? file->path : ""),
        emit_string(emitter, proc),
        emit_i64(emitter, 0),
        LLVMConstInt(emitter->i32, at.line, 0),
        LLVMConstInt(emitter->i32, at.column, 0),
        LLVMConstInt(emitter->i32, kind, 0),
        LLVMConstInt(emitter->i32, construct.line, 0),
    };
    LLVMValueRef value =
        LLVMConstStructInContext(emitter->context, members, sizeof members / sizeof *members, 0);
    LLVMValueRef record = LLVMAddGlobal(emitter->module, LLVMTypeOf(value), "coverage");
    LLVMSetInitializer(record, value);
    LLVMSetLinkage(record, LLVMInternalLinkage);
    LLVMSetSection(record, SECTION);
    LLVMSetAlignment(record, 8);
    return record;
}

void emit_coverage(Emitter *emitter, CoverageKind kind, Location at, Location construct) {
    const SourceFile *file = source_file(emitter->sources, at.file);
    if (!emitter->options->coverage || !file || file->is_generated) {
        return;
    }
    LLVMValueRef record = make_record(emitter, kind, at, construct);
    LLVMValueRef count = emit_field(emitter, record, OFFSET_CoverageRecord_count, "");
    LLVMBuildAtomicRMW(emitter->builder, LLVMAtomicRMWBinOpAdd, count, emit_i64(emitter, 1),
                       LLVMAtomicOrderingMonotonic, 0);
}

/* Routines that nobody calls are not emitted; that they never ran must still be reported. */
void emit_coverage_end(Emitter *emitter) {
    ARRAY_OF(LLVMValueRef) records = {0};
    LLVMValueRef global = LLVMGetFirstGlobal(emitter->module);
    for (; global; global = LLVMGetNextGlobal(global)) {
        const char *section = LLVMGetSection(global);
        if (section && strcmp(section, SECTION) == 0) {
            array_push(emitter->arena, &records, global);
        }
    }
    if (records.count == 0) {
        return;
    }
    LLVMValueRef list = LLVMConstArray2(emitter->ptr, records.items, records.count);
    LLVMValueRef used = LLVMAddGlobal(emitter->module, LLVMTypeOf(list), "llvm.used");
    LLVMSetInitializer(used, list);
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
}
