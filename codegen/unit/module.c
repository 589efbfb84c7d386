/* module -- set-up of a unit.
 *
 * Owns:   the Emitter, the module, the main wrapper occ.main and the record occ_program.
 * Leaves: every construct to its own file, optimising and writing to target.c. */
#include "emit.h"
#include "layout_offsets.h"
#include "target.h"

#include <string.h>

/* ---- the program ---- */

/* Several objects of a program may have something like a main PROC; the link step chooses. */
static const char *program_symbol(Emitter *emitter, const char *plain, const char *prefix) {
    bool is_alone = !emitter->options->interface && !emitter->options->is_one_of_many;
    return is_alone ? plain
                    : arena_format(emitter->arena, "%s%s", prefix, emitter->options->unit_name);
}

/* occ.main (me, Channel *[3], 0): picks the channels main wants and calls it. */
static LLVMValueRef emit_main(Emitter *emitter, const MainProcess *main_process) {
    LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr, emitter->i32};
    LLVMTypeRef type = LLVMFunctionType(emitter->ptr, parameters, 3, 0);
    LLVMValueRef function =
        LLVMAddFunction(emitter->module, program_symbol(emitter, "occ.main", "occ.main."), type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(function, CALL_PRESERVE_NONE);
    Routine state;
    emit_routine_begin(emitter, &state, function, NULL, "main", true);
    debug_routine(emitter, main_process->proc->at, "occ.main");
    LLVMValueRef channels[3];
    for (size_t i = 0; i < main_process->role_count; i++) {
        unsigned offset = 8 * (unsigned)main_process->roles[i];
        LLVMValueRef slot = emit_field(emitter, LLVMGetParam(function, 1), offset, "");
        channels[i] = LLVMBuildLoad2(emitter->builder, emitter->ptr, slot, "channel");
    }
    emit_main_call(emitter, main_process->proc, channels, main_process->role_count);
    emit_return_me(emitter);
    emit_routine_end(emitter);
    return function;
}

static void emit_program_record(Emitter *emitter, const MainProcess *main_process) {
    LLVMValueRef fields[] = {
        emit_main(emitter, main_process),
        NULL,
        emit_string(emitter, emitter->options->unit_name),
    };
    fields[1] = emit_block_size(emitter, fields[0]);
    LLVMValueRef record = LLVMConstStructInContext(emitter->context, fields, 3, 0);
    const char *name = program_symbol(emitter, "occ_program", "occ.program.");
    LLVMValueRef program = LLVMAddGlobal(emitter->module, LLVMTypeOf(record), name);
    LLVMSetInitializer(program, record);
    LLVMSetGlobalConstant(program, 1);
}

/* ---- the unit ---- */

static void create_types(Emitter *emitter) {
    LLVMContextRef context = emitter->context;
    emitter->void_type = LLVMVoidTypeInContext(context);
    emitter->i1 = LLVMInt1TypeInContext(context);
    emitter->i8 = LLVMInt8TypeInContext(context);
    emitter->i16 = LLVMInt16TypeInContext(context);
    emitter->i32 = LLVMInt32TypeInContext(context);
    emitter->i64 = LLVMInt64TypeInContext(context);
    emitter->f32 = LLVMFloatTypeInContext(context);
    emitter->f64 = LLVMDoubleTypeInContext(context);
    emitter->ptr = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef site[] = {emitter->ptr, emitter->ptr, emitter->ptr, emitter->i32,
                          emitter->i16, emitter->i8,  emitter->i8};
    emitter->site_type = LLVMStructTypeInContext(context, site, 7, 0);
}

static void emit_unit(Emitter *emitter, const MainProcess *main_process) {
    const NodeList *specs = &emitter->unit->unit.specs;
    bool has_main = main_process->proc != NULL;
    emitter->is_program = has_main && !emitter->options->interface && !emitter->options->coverage;
    for (size_t i = 0; i < specs->count; i++) {
        emit_specification(emitter, specs->items[i]);
    }
    if (has_main) {
        emit_program_record(emitter, main_process);
    }
    emit_pending_routines(emitter);
}

bool codegen_unit(Arena *arena, Arena *tree, const SourceMap *sources, Diag *diag, Node *unit,
                  const MainProcess *main_process, const CodegenOptions *options,
                  const char *path) {
    Emitter emitter;
    memset(&emitter, 0, sizeof emitter);
    emitter.arena = arena;
    emitter.tree = tree;
    emitter.sources = sources;
    emitter.diag = diag;
    emitter.unit = unit;
    emitter.options = options;
    emitter.context = LLVMContextCreate();
    bool is_read = options->output == OUTPUT_LLVM_IR || options->reproduces != 0;
    LLVMContextSetDiscardValueNames(emitter.context, !is_read);
    emitter.module = LLVMModuleCreateWithNameInContext(options->unit_name, emitter.context);
    emitter.builder = LLVMCreateBuilderInContext(emitter.context);
    create_types(&emitter);
    target_begin(&emitter);
    debug_begin(&emitter);
    emit_unit(&emitter, main_process);
    debug_end(&emitter);
    emit_coverage_end(&emitter);
    if (!emitter.failed) {
        target_emit(&emitter, path);
    }
    LLVMDisposeBuilder(emitter.builder);
    LLVMDisposeModule(emitter.module);
    LLVMContextDispose(emitter.context);
    return !emitter.failed;
}
