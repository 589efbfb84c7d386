/* codegen -- checked tree to object: the one door of this folder.
 *
 * Needs:  a UNIT that went through the checks without errors (types, constants, symbols, ProcInfo
 *         and ParInfo are set).
 * Gives:  an LLVM module, optimised and written as IR, assembly or object; for objects the stack
 *         table of the unit travels in the section .occ.stack (stack_table.h).
 * Leaves: linking to link.h. */
#ifndef OCCC_CODEGEN_H
#define OCCC_CODEGEN_H

#include "../frontend/diag/diag.h"
#include "../frontend/tree/ast.h"
#include "../frontend/types/symbol.h"

typedef enum CodegenOutput {
    OUTPUT_OBJECT,
    OUTPUT_ASSEMBLY,
    OUTPUT_LLVM_IR,
    OUTPUT_BITCODE
} CodegenOutput;

/* CodegenPass -- our own passes: a set of them is a sum of 1u << PASS_... */
typedef enum CodegenPass {
#define PASS(ID, name, help) PASS_##ID,
#include "pass.def"
#undef PASS
} CodegenPass;

/* CodegenFault -- what is wrong on purpose, to try what is said of it. */
typedef enum CodegenFault { FAULT_NONE, FAULT_UNSOUND, FAULT_GIVES_UP, FAULT_CRASH } CodegenFault;

typedef struct CodegenOptions {
    const char *unit_name; /* prefix of symbols: the file's stem */
    const char *main_file; /* path of the main source, for debug information */
    unsigned optimisation; /* 0 to 3 */
    bool for_size;         /* -Os: as 2, but smaller */
    bool debug;            /* -g: DWARF 4 */
    bool checks;           /* run-time checks; off with --no-checks */
    bool keeps_no_turns;   /* to be explored: no loop counts its turns in its process's memory */
    bool coverage;         /* -fcoverage: count how often each process runs */
    bool stop_mode;        /* -fstop-mode */
    bool placed_survive;   /* -fplaced-survive */
    bool frame_pointer;    /* -fno-omit-frame-pointer */
    bool check_reals;      /* -fcheck-reals */
    unsigned passes_off;   /* -fno-strips ...: a set of passes */
    bool verify_each;      /* -fverify-each: after each pass too, not only before the first */
    CodegenFault fault;    /* -fbreak= */
    long reproduces;       /* of this process, which crashed: write no output, but the code before
                              the first pass and the command, for whoever mends it; 0: compile */
    CodegenOutput output;
    const char *target_cpu; /* -march; NULL: baseline x86-64 */
    const char *interface;  /* contents of .occ.interface; NULL: the unit is a program by itself */
    size_t interface_length;
    bool is_one_of_many;   /* a program, which is linked with others into one file */
    const char *libraries; /* contents of .occ.link: names for -l, a line each; "": none */
} CodegenOptions;

/* MainProcess -- the program's main PROC and which channels its formals are. */
typedef enum MainRole { ROLE_KEYBOARD, ROLE_SCREEN, ROLE_ERROR } MainRole;
typedef struct MainProcess {
    Symbol *proc; /* NULL: a library unit */
    MainRole roles[3];
    size_t role_count;
} MainProcess;

/* codegen_unit -- write the unit to `path`. False when diagnostics were reported
 * (not supported yet: ...); then nothing is written. `tree` is where the unit lies: it is destroyed
 * before code is made, which is when most memory is wanted. */
bool codegen_unit(Arena *arena, Arena *tree, const SourceMap *sources, Diag *diag, Node *unit,
                  const MainProcess *main_process, const CodegenOptions *options, const char *path);

#endif
