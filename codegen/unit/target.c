/* target -- from a finished module to a file: code, frame sizes, the stack table.
 *
 * Owns:   the target machine; attributes and alignments of functions before code is made.
 * Leaves: optimisation to pipeline.h, calls and the form of the table to stack_table.h, linking to
 *         link.h.
 * Holds:  while LLVM optimises, functions are internal, so that it may inline and drop them. After
 *         that they become global and hidden: then every call leaves a relocation, and the call
 *         graph can be read from the object. The attributes make the frame size that LLVM reports
 *         exact; a frame whose size is not constant is a bug. */
#include "target.h"

#include "../frontend/unit/interface.h"
#include "elf_section.h"
#include "emit_cache.h"
#include "file.h"
#include "layout_offsets.h"
#include "link_input.h"
#include "llvm_compat.h"
#include "pipeline.h"
#include "reproducer.h"
#include "stack_table.h"

#include <llvm-c/BitWriter.h>

#include <stdlib.h>
#include <string.h>

#define BASELINE_CPU "x86-64"

/* ---- begin ---- */

/* "... stack frame size (24) exceeds limit (0) in function 'name'": the only way to learn it
 * through LLVM-C. A function that is not reported has no frame. */
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

/* One machine makes the code of all routines; for huge ones only this way is fast enough. */
void target_make_code_simply(Emitter *emitter) {
    LLVMDisposeTargetMachine(emitter->cache->machine);
    emitter->cache->machine = create_machine(emitter->options, LLVMCodeGenLevelNone);
}

void target_begin(Emitter *emitter) {
    EmitCache *cache = arena_new(emitter->arena, EmitCache);
    emitter->cache = cache;
    cache->sites.arena = emitter->arena;
    cache->strings.arena = emitter->arena;
    cache->frames.arena = emitter->arena;
    cache->routines.arena = emitter->arena;
    cache->machine = create_machine(emitter->options, code_level(emitter->options));
    LLVMContextSetDiagnosticHandler(emitter->context, on_diagnostic, cache);
    char *triple = LLVMGetTargetMachineTriple(cache->machine);
    LLVMSetTarget(emitter->module, triple);
    LLVMDisposeMessage(triple);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(cache->machine);
    LLVMSetModuleDataLayout(emitter->module, layout);
    LLVMDisposeTargetData(layout);
}

/* ---- code ---- */

/* The frame must be constant and every callee known, or the stack has no bound. */
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

/* ---- alignment ---- */

/* Alignment of a process stack in bytes; frames are not aligned further (no-realign-stack). */
enum { STACK_ALIGNMENT = 16 };

/* SROA makes vectors of arrays, and aligns them as LLVM prefers for vectors of that size. */
static bool align_objects(LLVMValueRef function) {
    bool has_wide = false;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(entry); instruction;
         instruction = LLVMGetNextInstruction(instruction)) {
        if (LLVMIsAAllocaInst(instruction) && LLVMGetAlignment(instruction) > STACK_ALIGNMENT) {
            LLVMSetAlignment(instruction, STACK_ALIGNMENT);
            has_wide = true;
        }
    }
    return has_wide;
}

/* Pointer alignment that intrinsics are told: by attributes, and for masked loads and stores by an
 * operand. */
static void lower_call_alignment(LLVMValueRef call) {
    static const char align[] = "align";
    static const char masked[] = "llvm.masked.";
    unsigned kind = LLVMGetEnumAttributeKindForName(align, strlen(align));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
        if (attribute && LLVMGetEnumAttributeValue(attribute) > STACK_ALIGNMENT) {
            LLVMRemoveCallSiteEnumAttribute(call, i + 1, kind);
            LLVMSetInstrParamAlignment(call, i + 1, STACK_ALIGNMENT);
        }
        LLVMValueRef operand = LLVMGetOperand(call, i);
        LLVMValueRef callee = LLVMGetCalledValue(call);
        size_t length = 0;
        const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
        if (length > strlen(masked) && strncmp(name, masked, strlen(masked)) == 0 &&
            LLVMIsAConstantInt(operand) && LLVMConstIntGetZExtValue(operand) > STACK_ALIGNMENT) {
            LLVMSetOperand(call, i, LLVMConstInt(LLVMTypeOf(operand), STACK_ALIGNMENT, false));
        }
    }
}

/* No frame object is aligned further than the stack, and no access may rely on more: any access in
 * the function may be to such an object. */
static void lower_alignment(LLVMValueRef function) {
    if (!align_objects(function)) {
        return;
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            bool is_access = LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction);
            if (is_access && LLVMGetAlignment(instruction) > STACK_ALIGNMENT) {
                LLVMSetAlignment(instruction, STACK_ALIGNMENT);
            } else if (LLVMIsACallInst(instruction)) {
                lower_call_alignment(instruction);
            }
        }
    }
}

/* ---- functions ---- */

static bool may_wait(LLVMValueRef function) {
    return LLVMGetFunctionCallConv(function) == CALL_PRESERVE_NONE;
}

static void prepare_function(const Emitter *emitter, LLVMValueRef function) {
    LLVMContextRef context = emitter->context;
    compat_add_string_attribute(context, function, "warn-stack-size", "0");
    compat_add_string_attribute(context, function, "frame-pointer",
                                emitter->options->frame_pointer ? "all" : "none");
    compat_add_string_attribute(context, function, "no-realign-stack", "");
    compat_add_attribute(context, function, COMPAT_FUNCTION, "noredzone", 0);
    compat_add_attribute(context, function, COMPAT_FUNCTION, "nounwind", 0);
    /* 1: exact at calls, which is where processes wait; 2: at every instruction. */
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
            lower_alignment(function);
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
    const char *libraries = emitter->options->libraries;
    if (result.bytes && libraries && libraries[0]) {
        result = elf_section_append(emitter->arena, result.bytes, result.size, LIBRARIES_SECTION,
                                    libraries, strlen(libraries));
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

static void forget_tree(Emitter *emitter) {
    arena_destroy(emitter->tree);
    emitter->tree = NULL;
    emitter->unit = NULL;
}

void target_emit(Emitter *emitter, const char *path) {
    long crashed = emitter->options->reproduces;
    if (crashed != 0) {
        reproducer_write(emitter, crashed,
                         "the compiler crashed; this is the code before the passes");
    } else {
        pipeline_run(emitter);
        forget_tree(emitter);
        write_output(emitter, path);
    }
    LLVMDisposeTargetMachine(emitter->cache->machine);
    emitter->cache->machine = NULL;
}
