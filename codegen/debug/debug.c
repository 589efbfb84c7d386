/* debug -- DWARF 4 for gdb, lldb and perf; nothing of it without -g.
 *
 * Owns:   compile unit, routines, places of instructions, variables and their scopes.
 * Leaves: types to debug_type.c.
 * Holds:  the language is given as C, the one setting under which gdb takes quoted names with dots.
 *         DWARF 4, because valgrind cannot read what LLVM makes of 5. Each local name opens a scope
 *         of its own, up to the end of the process it stands before (emit_process restores it), so
 *         a name hides an earlier one for the debugger too. What has no place in the frame (values,
 *         addresses that references stand for) gets one; the optimiser removes it again. */
#include "debug.h"

#include "../frontend/base/version.h"
#include "llvm_compat.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#define PRODUCER      "occc " OCCC_VERSION
#define DWARF_VERSION 4

/* ---- unit ---- */

static void add_flag(const Emitter *emitter, const char *name, unsigned value) {
    LLVMValueRef number = LLVMConstInt(emitter->i32, value, 0);
    LLVMAddModuleFlag(emitter->module, LLVMModuleFlagBehaviorWarning, name, strlen(name),
                      LLVMValueAsMetadata(number));
}

LLVMMetadataRef debug_file(Emitter *emitter, uint32_t number) {
    DebugInfo *debug = emitter->debug;
    void **slot = name_map_at(&debug->files, &number, sizeof number);
    if (!*slot) {
        const SourceFile *file = source_file(emitter->sources, number);
        const char *path = file ? file->path : emitter->options->main_file;
        const char *directory = path[0] == '/' ? "" : debug->directory;
        *slot = LLVMDIBuilderCreateFile(debug->builder, path, strlen(path), directory,
                                        strlen(directory));
    }
    return *slot;
}

void debug_begin(Emitter *emitter) {
    if (!emitter->options->debug) {
        return;
    }
    DebugInfo *debug = arena_new(emitter->arena, DebugInfo);
    emitter->debug = debug;
    debug->files.arena = emitter->arena;
    debug->types.arena = emitter->arena;
    char directory[PATH_MAX];
    debug->directory =
        arena_format(emitter->arena, "%s", getcwd(directory, sizeof directory) ? directory : "");
    add_flag(emitter, "Debug Info Version", LLVMDebugMetadataVersion());
    add_flag(emitter, "Dwarf Version", DWARF_VERSION);
    debug->builder = LLVMCreateDIBuilder(emitter->module);
    const char *path = emitter->options->main_file;
    LLVMMetadataRef file = LLVMDIBuilderCreateFile(debug->builder, path, strlen(path),
                                                   debug->directory, strlen(debug->directory));
    debug->unit =
        LLVMDIBuilderCreateCompileUnit(debug->builder, LLVMDWARFSourceLanguageC, file, PRODUCER,
                                       strlen(PRODUCER), emitter->options->optimisation > 0, "", 0,
                                       0, "", 0, LLVMDWARFEmissionFull, 0, 1, 0, "", 0, "", 0);
}

void debug_end(Emitter *emitter) {
    if (emitter->debug) {
        LLVMDIBuilderFinalize(emitter->debug->builder);
        LLVMDisposeDIBuilder(emitter->debug->builder);
    }
}

/* ---- routines ---- */

static LLVMMetadataRef routine_type(Emitter *emitter, LLVMMetadataRef file) {
    const Node *node = emitter->routine->node;
    LLVMMetadataRef result = NULL;
    if (node && node->kind == NODE_FUNCTION) {
        const Type *type = node->function.def->def.symbol->type;
        result = type_is_scalar(type) ? debug_type(emitter, type) : NULL;
    }
    return LLVMDIBuilderCreateSubroutineType(emitter->debug->builder, file, &result, 1,
                                             LLVMDIFlagZero);
}

void debug_routine(Emitter *emitter, Location at, const char *name) {
    if (!emitter->debug) {
        return;
    }
    Routine *routine = emitter->routine;
    LLVMMetadataRef file = debug_file(emitter, at.file);
    routine->debug_scope =
        LLVMDIBuilderCreateFunction(emitter->debug->builder, file, name, strlen(name), "", 0, file,
                                    at.line, routine_type(emitter, file), 1, 1, at.line,
                                    LLVMDIFlagPrototyped, emitter->options->optimisation > 0);
    LLVMSetSubprogram(routine->function, routine->debug_scope);
    debug_location(emitter, at);
}

/* ---- places ---- */

/* A scope for text that is not in the routine's file: a body that #INCLUDE brought in. */
static LLVMMetadataRef scope_in_file(Emitter *emitter, uint32_t number) {
    LLVMMetadataRef scope = emitter->routine->debug_scope;
    LLVMMetadataRef file = debug_file(emitter, number);
    if (LLVMDIScopeGetFile(scope) == file) {
        return scope;
    }
    return LLVMDIBuilderCreateLexicalBlockFile(emitter->debug->builder, scope, file, 0);
}

static LLVMMetadataRef make_location(Emitter *emitter, Location at, LLVMMetadataRef scope) {
    return LLVMDIBuilderCreateDebugLocation(emitter->context, at.line, at.column, scope, NULL);
}

void debug_location(Emitter *emitter, Location at) {
    if (!emitter->debug || !emitter->routine || !emitter->routine->debug_scope ||
        !location_is_known(at)) {
        return;
    }
    LLVMMetadataRef scope = scope_in_file(emitter, at.file);
    LLVMSetCurrentDebugLocation2(emitter->builder, make_location(emitter, at, scope));
}

/* ---- variables ---- */

/* A place in the frame that holds the value or the address, for the debugger to look at. */
static LLVMValueRef shadow_of(Emitter *emitter, const Symbol *symbol, const Binding *binding) {
    const char *name = symbol->name->bytes;
    if (!binding->is_value) {
        LLVMValueRef slot = emit_alloca(emitter, emitter->ptr, name);
        LLVMBuildStore(emitter->builder, binding->place.address, slot);
        return slot;
    }
    LLVMValueRef slot = emit_alloca(emitter, lower_memory(emitter, symbol->type), name);
    emit_store(emitter, binding->value, (Place){.address = slot, .type = symbol->type});
    return slot;
}

static LLVMMetadataRef make_variable(Emitter *emitter, const Symbol *symbol, const Type *type,
                                     unsigned argument) {
    LLVMDIBuilderRef builder = emitter->debug->builder;
    LLVMMetadataRef file = debug_file(emitter, symbol->at.file);
    LLVMMetadataRef scope = emitter->routine->debug_scope;
    const char *name = symbol->name->bytes;
    if (argument) {
        return LLVMDIBuilderCreateParameterVariable(builder, scope, name, symbol->name->length,
                                                    argument, file, symbol->at.line,
                                                    debug_type(emitter, type), 1, LLVMDIFlagZero);
    }
    return LLVMDIBuilderCreateAutoVariable(builder, scope, name, symbol->name->length, file,
                                           symbol->at.line, debug_type(emitter, type), 1,
                                           LLVMDIFlagZero, 0);
}

static bool is_visible(const Symbol *symbol, const Binding *binding) {
    const Type *element = type_element(symbol->type, type_rank(symbol->type));
    bool is_bound = binding && (binding->is_value ? binding->value : binding->place.address);
    return is_bound && element->kind != TYPE_TIMER && location_is_known(symbol->at) &&
           !(binding->is_value && !type_is_scalar(symbol->type));
}

static void declare(Emitter *emitter, const Symbol *symbol, const Binding *binding,
                    unsigned argument) {
    bool is_indirect = !binding->is_value && !LLVMIsAAllocaInst(binding->place.address);
    LLVMValueRef storage = is_indirect || binding->is_value ? shadow_of(emitter, symbol, binding)
                                                            : binding->place.address;
    const Type *type = binding->is_value ? symbol->type : binding->place.type;
    LLVMMetadataRef variable = make_variable(emitter, symbol, type ? type : symbol->type, argument);
    LLVMMetadataRef location = make_location(emitter, symbol->at, emitter->routine->debug_scope);
    compat_declare_variable(emitter->debug->builder, storage, is_indirect, variable, location,
                            LLVMGetInsertBlock(emitter->builder));
}

void debug_variable(Emitter *emitter, Symbol *symbol, Binding *binding, unsigned argument) {
    if (!emitter->debug || !emitter->routine->debug_scope || !is_visible(symbol, binding)) {
        return;
    }
    Routine *routine = emitter->routine;
    if (argument) {
        /* No place: the debugger counts this as the start of the routine, and stops behind it,
         * where the parameters can be seen. */
        LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(emitter->builder);
        LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
        declare(emitter, symbol, binding, argument);
        LLVMSetCurrentDebugLocation2(emitter->builder, place);
        return;
    }
    routine->debug_scope = LLVMDIBuilderCreateLexicalBlock(
        emitter->debug->builder, routine->debug_scope, debug_file(emitter, symbol->at.file),
        symbol->at.line, symbol->at.column);
    debug_location(emitter, symbol->at);
    declare(emitter, symbol, binding, argument);
}
