/* module -- set-up of a unit, the entry switch over node kinds.
 *
 * Owns:   the Emitter, the module, the main wrapper occ.main and the record occ_program.
 * Leaves: every construct to its own file, optimising and writing to target.c. */
#include "emit_clock.h"
#include "emit_sharing.h"
#include "layout_offsets.h"
#include "port.h"
#include "target.h"

#include <string.h>

void emit_not_supported(Emitter *emitter, Location at, const char *construct) {
    diag_report(emitter->diag, DIAG_NOT_SUPPORTED, at, construct);
    emitter->failed = true;
}

/* ---- specifications ---- */

void emit_specification(Emitter *emitter, Node *specification) {
    debug_location(emitter, specification->at);
    switch (specification->kind) {
    case NODE_DECLARATION: emit_declaration(emitter, specification); break;
    case NODE_ABBREVIATION: emit_abbreviation(emitter, specification); break;
    case NODE_PROC:
    case NODE_FUNCTION: emit_routine(emitter, specification); break;
    case NODE_PROTOCOL:
    case NODE_DATA_TYPE:
    case NODE_CHAN_TYPE:
    case NODE_PROC_TYPE:
    case NODE_PRAGMA: break;
    case NODE_PLACE: emit_place_specification(emitter, specification); break;
    default: emit_not_supported(emitter, specification->at, node_title(specification->kind)); break;
    }
}

static void emit_block_process(Emitter *emitter, Node *block) {
    const NodeList *specs = &block->block.specs;
    emit_specifications(emitter, specs, block->block.process);
    emit_process(emitter, block->block.process);
    emit_scope_end(emitter, specs);
}

/* ---- processes ---- */

void emit_process(Emitter *emitter, Node *process) {
    LLVMMetadataRef scope = emitter->routine->debug_scope;
    size_t live = emitter->routine->live.count;
    size_t owned = emitter->routine->owned.count;
    debug_location(emitter, process->at);
    switch (process->kind) {
    case NODE_BLOCK: emit_block_process(emitter, process); break;
    case NODE_SKIP: break;
    case NODE_STOP: emit_error(emitter, ERROR_STOP, process->at, NULL, NULL, NULL, NULL); break;
    case NODE_ASSIGN: emit_assign(emitter, process); break;
    case NODE_OUTPUT: emit_output(emitter, process); break;
    case NODE_INPUT: emit_input(emitter, process, NULL); break;
    case NODE_INPUT_CASE: emit_input_case(emitter, process, NULL); break;
    case NODE_DELAY: emit_delay(emitter, process); break;
    case NODE_CALL: emit_call(emitter, process); break;
    case NODE_SEQ: emit_seq(emitter, process); break;
    case NODE_EXTENDED_INPUT: emit_extended_input(emitter, process); break;
    case NODE_WHILE_INPUT: emit_while_input(emitter, process); break;
    case NODE_CLOSE: emit_close(emitter, process); break;
    case NODE_FORK: emit_fork(emitter, process); break;
    case NODE_FORKING: emit_forking(emitter, process); break;
    case NODE_CLAIM: emit_claim(emitter, process); break;
    case NODE_ENROLL: emit_clock_enroll(emitter, process); break;
    case NODE_NEXT: emit_clock_next(emitter, process); break;
    case NODE_SYNC: emit_clock_sync(emitter, process); break;
    case NODE_RESUME: emit_clock_resume(emitter, process); break;
    case NODE_DROP: emit_clock_drop(emitter, process); break;
    case NODE_RESIGN: emit_clock_resign(emitter, process); break;
    case NODE_PAR: emit_par(emitter, process); break;
    case NODE_ALT: emit_alt(emitter, process); break;
    case NODE_IF: emit_if(emitter, process); break;
    case NODE_CASE: emit_case(emitter, process); break;
    case NODE_WHILE: emit_while(emitter, process); break;
    case NODE_SUSPEND: emit_suspend(emitter, process); break;
    default: emit_not_supported(emitter, process->at, node_title(process->kind)); break;
    }
    emit_end_owned(emitter, owned);
    emit_end_temporaries(emitter, live);
    emitter->routine->debug_scope = scope; /* names declared inside are out of sight */
}

/* ---- the program ---- */

/* Several objects of a program may have something like a main PROC; the link step chooses. */
static const char *main_symbol(Emitter *emitter) {
    return emitter->options->interface ? arena_format(emitter->arena, "occ.main.%s",
                                                      emitter->options->unit_name)
                                       : "occ.main";
}

/* occ.main (me, Channel *[3], 0): picks the channels main wants and calls it. */
static LLVMValueRef emit_main(Emitter *emitter, const MainProcess *main_process) {
    LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr, emitter->i32};
    LLVMTypeRef type = LLVMFunctionType(emitter->ptr, parameters, 3, 0);
    LLVMValueRef function = LLVMAddFunction(emitter->module, main_symbol(emitter), type);
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
    const char *name = emitter->options->interface ? arena_format(emitter->arena, "occ.program.%s",
                                                                  emitter->options->unit_name)
                                                   : "occ_program";
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
    emitter->is_program = has_main && !emitter->options->interface;
    for (size_t i = 0; i < specs->count; i++) {
        emit_specification(emitter, specs->items[i]);
    }
    if (has_main) {
        emit_program_record(emitter, main_process);
    }
    emit_pending_routines(emitter);
}

bool codegen_unit(Arena *arena, const SourceMap *sources, Diag *diag, Node *unit,
                  const MainProcess *main_process, const CodegenOptions *options,
                  const char *path) {
    Emitter emitter;
    memset(&emitter, 0, sizeof emitter);
    emitter.arena = arena;
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
    if (!emitter.failed) {
        target_emit(&emitter, path);
    }
    LLVMDisposeBuilder(emitter.builder);
    LLVMDisposeModule(emitter.module);
    LLVMContextDispose(emitter.context);
    return !emitter.failed;
}
