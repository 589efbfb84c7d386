/* target -- from a finished module to a file: optimisation, code, frame sizes, the stack table.
 *
 * Owns:   the target machine, the pass pipeline, what every function is given before code is made.
 * Leaves: calls and the form of the table to stack_table.h, linking to link.h.
 * Holds:  while LLVM optimises, functions are internal, so that it may inline and drop them. After
 *         that they become global and hidden: then every call of one leaves a relocation, and the
 *         call graph can be read from the object. The attributes make the size that LLVM reports
 *         the real one (runtime.md B3.2); a frame whose size is not constant is a bug. */
#include "target.h"

#include "../frontend/unit/interface.h"
#include "deferral.h"
#include "early_store.h"
#include "elf_section.h"
#include "emit_cache.h"
#include "file.h"
#include "foresight.h"
#include "giant.h"
#include "late_choice.h"
#include "late_report.h"
#include "layout_offsets.h"
#include "llvm_compat.h"
#include "loop_blocks.h"
#include "merge_limit.h"
#include "outline.h"
#include "redundant.h"
#include "stack_table.h"
#include "while_loop.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdlib.h>
#include <string.h>

#define BASELINE_CPU "x86-64"

/* ---- begin ---- */

/* "... stack frame size (24) exceeds limit (0) in function 'name'": the only way through LLVM-C to
 * learn it. A function that is not reported has no frame. */
static void record_frame(EmitCache *cache, const char *message) {
    static const char size_words[] = "stack frame size (";
    static const char name_words[] = "in function '";
    const char *size = strstr(message, size_words);
    const char *name = size ? strstr(size, name_words) : NULL;
    const char *end = name ? strrchr(name, '\'') : NULL;
    if (!end) {
        bug("LLVM says: %s", message);
    }
    name += strlen(name_words);
    uint32_t *frame = arena_new(cache->frames.arena, uint32_t);
    *frame = (uint32_t)strtoul(size + strlen(size_words), NULL, 10);
    *name_map_at(&cache->frames, name, (size_t)(end - name)) = frame;
}

static void on_diagnostic(LLVMDiagnosticInfoRef diagnostic, void *context) {
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(diagnostic);
    if (severity == LLVMDSRemark || severity == LLVMDSNote) {
        return;
    }
    char *message = LLVMGetDiagInfoDescription(diagnostic);
    record_frame(context, message);
    LLVMDisposeMessage(message);
}

static LLVMCodeGenOptLevel code_level(const CodegenOptions *options) {
    switch (options->optimisation) {
    case 0: return LLVMCodeGenLevelNone;
    case 1: return LLVMCodeGenLevelLess;
    case 2: return LLVMCodeGenLevelDefault;
    default: return LLVMCodeGenLevelAggressive;
    }
}

static LLVMTargetMachineRef create_machine(const CodegenOptions *options,
                                           LLVMCodeGenOptLevel level) {
    char *triple = LLVMGetDefaultTargetTriple();
    LLVMTargetRef target;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        bug("no target for %s: %s", triple, message);
    }
    bool is_native = options->target_cpu && strcmp(options->target_cpu, "native") == 0;
    char *host = is_native ? LLVMGetHostCPUName() : NULL;
    char *features = is_native ? LLVMGetHostCPUFeatures() : NULL;
    const char *cpu = host ? host : options->target_cpu ? options->target_cpu : BASELINE_CPU;
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        target, triple, cpu, features ? features : "", level, LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMDisposeMessage(triple);
    if (is_native) {
        LLVMDisposeMessage(host);
        LLVMDisposeMessage(features);
    }
    return machine;
}

void target_begin(Emitter *emitter) {
    EmitCache *cache = arena_new(emitter->arena, EmitCache);
    emitter->cache = cache;
    cache->sites.arena = emitter->arena;
    cache->strings.arena = emitter->arena;
    cache->frames.arena = emitter->arena;
    cache->machine = create_machine(emitter->options, code_level(emitter->options));
    LLVMContextSetDiagnosticHandler(emitter->context, on_diagnostic, cache);
    char *triple = LLVMGetTargetMachineTriple(cache->machine);
    LLVMSetTarget(emitter->module, triple);
    LLVMDisposeMessage(triple);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(cache->machine);
    LLVMSetModuleDataLayout(emitter->module, layout);
    LLVMDisposeTargetData(layout);
}

/* ---- optimisation ---- */

static void verify_module(const Emitter *emitter) {
    char *message = NULL;
    if (LLVMVerifyModule(emitter->module, LLVMReturnStatusAction, &message)) {
        bug("the module is not sound: %s", message);
    }
    LLVMDisposeMessage(message);
}

static const char *pipeline(const CodegenOptions *options) {
    static const char *const levels[] = {"", "default<O1>", "default<O2>", "default<O3>"};
    return options->for_size ? "default<Os>" : levels[options->optimisation & 3];
}

static void run_passes(const Emitter *emitter, const char *passes,
                       LLVMPassBuilderOptionsRef options) {
    LLVMErrorRef error = LLVMRunPasses(emitter->module, passes, emitter->cache->machine, options);
    if (error) {
        bug("optimisation failed: %s", LLVMGetErrorMessage(error));
    }
}

static bool is_for_speed(const Emitter *emitter) {
    return emitter->options->optimisation >= 2 && !emitter->options->for_size;
}

/* What debuggers are told of a routine does not follow its loops. */
static void split_routines(Emitter *emitter) {
    if (!emitter->options->debug) {
        outline_loops(emitter->module, LLVMGetModuleDataLayout(emitter->module));
        giants_mark_rest(emitter);
    }
}

/* Loops of data are to become vectors, where the optimisation makes any. */
static void remove_checks(const Emitter *emitter) {
    if (!is_for_speed(emitter)) {
        redundant_checks_remove(emitter->module);
        return;
    }
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(emitter->module);
    Deferrals *deferrals = deferrals_open(emitter->module, layout);
    redundant_checks_remove(emitter->module);
    if (deferrals_close(deferrals)) {
        redundant_checks_remove(emitter->module);
    }
}

/* Only for speed: two loops are longer than one. What does not change is moved out of loops first,
 * so that their ends are known before they begin. */
static void foresee(const Emitter *emitter, LLVMPassBuilderOptionsRef options) {
    if (!is_for_speed(emitter)) {
        return;
    }
    if (foresight_begin(emitter->module)) {
        run_passes(emitter, "function(simplifycfg,loop-mssa(licm))", options);
        if (foresight_plant(emitter->module)) {
            run_passes(emitter, "function(loop-mssa(simple-loop-unswitch<nontrivial>))", options);
        }
    }
    foresight_end(emitter->module);
}

/* What is done before LLVM's own pipeline, on values instead of variables. */
static void shape_loops(Emitter *emitter, LLVMPassBuilderOptionsRef options) {
    if (!emitter->options->checks && !is_for_speed(emitter)) {
        return;
    }
    run_passes(emitter, "function(sroa,early-cse)", options);
    split_routines(emitter);
    if (emitter->options->checks) {
        remove_checks(emitter);
        foresee(emitter, options);
    } else {
        while_loops_count_all(emitter->module);
    }
}

/* One machine makes the code of all routines, and of huge ones it makes it in time only so. */
static void make_code_simply(Emitter *emitter) {
    LLVMDisposeTargetMachine(emitter->cache->machine);
    emitter->cache->machine = create_machine(emitter->options, LLVMCodeGenLevelNone);
}

static void optimise(Emitter *emitter) {
    if (emitter->options->optimisation == 0) {
        return;
    }
    Giants giants = giants_mark(emitter);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    shape_loops(emitter, options);
    if (is_for_speed(emitter)) {
        loop_blocks_settle(emitter->module);
    }
    merge_limit(emitter);
    bool vectorises = emitter->options->optimisation >= 2;
    LLVMPassBuilderOptionsSetLoopVectorization(options, vectorises);
    LLVMPassBuilderOptionsSetSLPVectorization(options, vectorises);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, vectorises);
    run_passes(emitter, pipeline(emitter->options), options);
    late_choice_settle(emitter->module);
    late_report_settle(emitter->module);
    early_store_settle(emitter->module);
    if (giants == GIANTS_HUGE) {
        make_code_simply(emitter);
    }
    LLVMDisposePassBuilderOptions(options);
}

/* ---- code ---- */

/* The frame is constant and every callee is known, else no bound of the stack can be given. */
static void check_instruction(LLVMValueRef function, LLVMValueRef instruction, bool is_entry) {
    const char *name = LLVMGetValueName2(function, &(size_t){0});
    if (LLVMIsAAllocaInst(instruction)) {
        if (!is_entry || !LLVMIsConstant(LLVMGetOperand(instruction, 0))) {
            bug("a frame object of '%s' has no constant size", name);
        }
    } else if (LLVMIsACallInst(instruction) && !LLVMIsAFunction(LLVMGetCalledValue(instruction)) &&
               !LLVMIsAInlineAsm(LLVMGetCalledValue(instruction))) {
        bug("'%s' calls through a pointer", name);
    }
}

static void check_function(LLVMValueRef function) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            check_instruction(function, instruction, block == entry);
        }
    }
}

static bool may_wait(LLVMValueRef function) {
    return LLVMGetFunctionCallConv(function) == CALL_PRESERVE_NONE;
}

static void prepare_function(const Emitter *emitter, LLVMValueRef function) {
    LLVMContextRef context = emitter->context;
    compat_add_string_attribute(context, function, "warn-stack-size", "0");
    compat_add_string_attribute(context, function, "frame-pointer", "none");
    compat_add_string_attribute(context, function, "no-realign-stack", "");
    compat_add_attribute(context, function, COMPAT_FUNCTION, "noredzone", 0);
    compat_add_attribute(context, function, COMPAT_FUNCTION, "nounwind", 0);
    /* 1: right at calls, which is where processes wait; 2: at every instruction. */
    compat_add_attribute(context, function, COMPAT_FUNCTION, "uwtable",
                         emitter->options->debug ? 2 : 1);
    if (may_wait(function)) {
        compat_add_attribute(context, function, COMPAT_FUNCTION, "fn_ret_thunk_extern", 0);
    }
    if (LLVMGetLinkage(function) == LLVMInternalLinkage) {
        LLVMSetLinkage(function, LLVMExternalLinkage);
        LLVMSetVisibility(function, LLVMHiddenVisibility);
    }
}

static bool is_defined(LLVMValueRef function) {
    return !LLVMIsDeclaration(function);
}

static void prepare_functions(const Emitter *emitter) {
    for (LLVMValueRef function = LLVMGetFirstFunction(emitter->module); function;
         function = LLVMGetNextFunction(function)) {
        if (is_defined(function)) {
            check_function(function);
            prepare_function(emitter, function);
        }
    }
}

static LLVMMemoryBufferRef make_code(const Emitter *emitter, LLVMCodeGenFileType type) {
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(emitter->cache->machine, emitter->module, type,
                                            &message, &buffer)) {
        bug("no code was made: %s", message);
    }
    return buffer;
}

/* ---- the stack table of the object ---- */

static StackTable *list_functions(const Emitter *emitter) {
    StackTable *table =
        stack_table_create(emitter->arena, LAYOUT_ABI_VERSION, compat_llvm_version());
    for (LLVMValueRef function = LLVMGetFirstFunction(emitter->module); function;
         function = LLVMGetNextFunction(function)) {
        if (is_defined(function)) {
            size_t length;
            const char *name = LLVMGetValueName2(function, &length);
            const uint32_t *frame = name_map_find(&emitter->cache->frames, name, length);
            stack_table_add(table, name, frame ? *frame : 0, may_wait(function));
        }
    }
    return table;
}

static ElfBytes add_stack_table(const Emitter *emitter, LLVMMemoryBufferRef buffer) {
    size_t size = LLVMGetBufferSize(buffer);
    const void *bytes = arena_copy(emitter->arena, LLVMGetBufferStart(buffer), size);
    ElfFile object;
    if (!elf_file_open(&object, bytes, size)) {
        bug("LLVM made no object that can be read");
    }
    StackTable *table = list_functions(emitter);
    stack_table_add_calls(table, &object);
    size_t table_size;
    const char *text = stack_table_encode(table, &table_size);
    ElfBytes result =
        elf_section_append(emitter->arena, bytes, size, STACK_TABLE_SECTION, text, table_size);
    if (result.bytes && emitter->options->interface) {
        result =
            elf_section_append(emitter->arena, result.bytes, result.size, INTERFACE_SECTION,
                               emitter->options->interface, emitter->options->interface_length);
    }
    if (!result.bytes) {
        bug("the object has too many sections");
    }
    return result;
}

/* ---- files ---- */

static void write_file(const char *path, const void *bytes, size_t size) {
    if (!file_write(path, bytes, size)) {
        fatal("cannot write '%s':", path);
    }
}

static void write_ir(const Emitter *emitter, const char *path) {
    char *text = LLVMPrintModuleToString(emitter->module);
    write_file(path, text, strlen(text));
    LLVMDisposeMessage(text);
}

static void write_bitcode(const Emitter *emitter, const char *path) {
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(emitter->module);
    write_file(path, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
}

static void write_assembly(const Emitter *emitter, const char *path) {
    LLVMMemoryBufferRef buffer = make_code(emitter, LLVMAssemblyFile);
    write_file(path, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
}

static void write_object(const Emitter *emitter, const char *path) {
    LLVMMemoryBufferRef buffer = make_code(emitter, LLVMObjectFile);
    ElfBytes object = add_stack_table(emitter, buffer);
    LLVMDisposeMemoryBuffer(buffer);
    write_file(path, object.bytes, object.size);
}

static void write_output(Emitter *emitter, const char *path) {
    switch (emitter->options->output) {
    case OUTPUT_LLVM_IR: write_ir(emitter, path); break;
    case OUTPUT_BITCODE: write_bitcode(emitter, path); break;
    case OUTPUT_ASSEMBLY:
        prepare_functions(emitter);
        write_assembly(emitter, path);
        break;
    case OUTPUT_OBJECT:
        prepare_functions(emitter);
        write_object(emitter, path);
        break;
    }
}

void target_emit(Emitter *emitter, const char *path) {
    if (emitter->options->verify) {
        verify_module(emitter);
    }
    optimise(emitter);
    write_output(emitter, path);
    LLVMDisposeTargetMachine(emitter->cache->machine);
    emitter->cache->machine = NULL;
}
