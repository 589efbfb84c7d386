/* pipeline -- see the header.
 *
 * Owns:   which pass runs when, and what may leave it out: the level, -fno-<pass>, --no-checks, -g.
 * Leaves: the report of an unsound module to reproducer.h.
 * Holds:  no unsound module reaches a pass of LLVM, whose behaviour would then be undefined; with
 *         -fverify-each the module is verified after each pass, to find the one at fault. */
#include "pipeline.h"

#include "checked_loop.h"
#include "deferral.h"
#include "early_store.h"
#include "emit_cache.h"
#include "foresight.h"
#include "giant.h"
#include "late_choice.h"
#include "late_report.h"
#include "loop_blocks.h"
#include "merge_limit.h"
#include "outline.h"
#include "redundant.h"
#include "reproducer.h"
#include "target.h"
#include "while_loop.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Transforms/PassBuilder.h>

/* ---- steps ---- */

static void verify(const Emitter *emitter, const char *after) {
    char *message = NULL;
    if (LLVMVerifyModule(emitter->module, LLVMReturnStatusAction, &message)) {
        report_unsound(emitter, after, message);
    }
    LLVMDisposeMessage(message);
}

static void verify_after(const Emitter *emitter, const char *pass) {
    if (emitter->options->verify_each) {
        verify(emitter, pass);
    }
}

static const char *pass_name(CodegenPass pass) {
    static const char *const names[] = {
#define PASS(ID, name, help) name,
#include "../pass.def"
#undef PASS
    };
    return names[pass];
}

static bool is_on(const Emitter *emitter, CodegenPass pass) {
    return (emitter->options->passes_off & 1u << pass) == 0;
}

static void done(const Emitter *emitter, CodegenPass pass) {
    verify_after(emitter, pass_name(pass));
}

/* Run a pass that needs nothing but the module. */
static void settle(const Emitter *emitter, CodegenPass pass, void (*run)(LLVMModuleRef module)) {
    if (is_on(emitter, pass)) {
        run(emitter->module);
        done(emitter, pass);
    }
}

static void run_passes(const Emitter *emitter, const char *passes,
                       LLVMPassBuilderOptionsRef options) {
    LLVMErrorRef error = LLVMRunPasses(emitter->module, passes, emitter->cache->machine, options);
    if (error) {
        bug("optimisation failed: %s", LLVMGetErrorMessage(error));
    }
}

static const char *pipeline(const CodegenOptions *options) {
    static const char *const levels[] = {"", "default<O1>", "default<O2>", "default<O3>"};
    return options->for_size ? "default<Os>" : levels[options->optimisation & 3];
}

static bool is_for_speed(const Emitter *emitter) {
    return emitter->options->optimisation >= 2 && !emitter->options->for_size;
}

/* ---- before LLVM's own pipeline ---- */

/* Not with -g: debug information does not follow the loops of a routine. */
static void split_routines(Emitter *emitter) {
    if (!emitter->options->debug && is_on(emitter, PASS_OUTLINE)) {
        outline_loops(emitter->module, LLVMGetModuleDataLayout(emitter->module));
        giants_mark_rest(emitter);
        done(emitter, PASS_OUTLINE);
    }
}

/* Of 16 bytes, which every processor has; -O3 takes the time to let LLVM find the best. */
static bool makes_vectors(const CodegenOptions *options) {
    return options->optimisation < 3 && options->target_cpu == NULL;
}

/* Where the optimisation vectorises, loops over data are prepared for it. */
static void remove_checks(const Emitter *emitter) {
    bool makes_strips = is_for_speed(emitter) && is_on(emitter, PASS_STRIPS);
    bool proves = is_on(emitter, PASS_PROOF);
    Deferrals *deferrals = NULL;
    if (is_for_speed(emitter)) {
        settle(emitter, PASS_COUNT_LOOPS, deferrals_count_loops);
    }
    if (makes_strips) {
        deferrals =
            deferrals_open(emitter->module, LLVMGetModuleDataLayout(emitter->module), proves,
                           emitter->options->optimisation >= 3, makes_vectors(emitter->options));
    }
    settle(emitter, PASS_PROOF, redundant_checks_remove);
    if (makes_strips) {
        bool is_changed = deferrals_close(deferrals);
        done(emitter, PASS_STRIPS);
        if (is_changed) {
            settle(emitter, PASS_PROOF, redundant_checks_remove);
        }
    }
}

/* Not when optimising for size, since two loops are longer than one. Invariants are hoisted first,
 * so that the bounds of loops are known before them. Until the end some routines have attributes
 * that LLVM refuses together, which only the verifier notices. */
static void foresee(const Emitter *emitter, LLVMPassBuilderOptionsRef options) {
    if (!is_for_speed(emitter) || !is_on(emitter, PASS_FORESIGHT)) {
        return;
    }
    if (foresight_begin(emitter->module)) {
        run_passes(emitter, "function(simplifycfg,loop-mssa(licm))", options);
        if (foresight_plant(emitter->module, emitter->options->optimisation >= 3)) {
            run_passes(emitter, "function(loop-mssa(simple-loop-unswitch<nontrivial>))", options);
        }
    }
    foresight_end(emitter->module);
    done(emitter, PASS_FORESIGHT);
}

/* The passes that need values instead of variables. */
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
        settle(emitter, PASS_COUNT_LOOPS, while_loops_count_all);
    }
}

/* ---- all of them ---- */

static LLVMPassBuilderOptionsRef create_options(const Emitter *emitter) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    bool vectorises = emitter->options->optimisation >= 2;
    LLVMPassBuilderOptionsSetLoopVectorization(options, vectorises);
    LLVMPassBuilderOptionsSetSLPVectorization(options, vectorises);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, vectorises);
    return options;
}

static void optimise(Emitter *emitter) {
    Giants giants = giants_mark(emitter);
    LLVMPassBuilderOptionsRef options = create_options(emitter);
    shape_loops(emitter, options);
    if (is_for_speed(emitter)) {
        settle(emitter, PASS_LOOP_BLOCKS, loop_blocks_settle);
    }
    if (emitter->options->checks && emitter->options->optimisation < 3) {
        settle(emitter, PASS_CHECKED_LOOPS, checked_loops_settle);
    }
    if (is_on(emitter, PASS_MERGE_LIMIT)) {
        merge_limit(emitter);
    }
    run_passes(emitter, pipeline(emitter->options), options);
    verify_after(emitter, pipeline(emitter->options));
    deferrals_show(emitter->module);
    settle(emitter, PASS_LATE_CHOICE, late_choice_settle);
    settle(emitter, PASS_LATE_REPORT, late_report_settle);
    settle(emitter, PASS_EARLY_STORE, early_store_settle);
    if (giants == GIANTS_HUGE) {
        target_make_code_simply(emitter);
    }
    LLVMDisposePassBuilderOptions(options);
}

/* At -O0 LLVM uses FastISel, which has no switch instruction. */
static void make_plain(const Emitter *emitter) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    run_passes(emitter, "function(lower-switch)", options);
    LLVMDisposePassBuilderOptions(options);
}

void pipeline_run(Emitter *emitter) {
    fail_on_purpose(emitter);
    verify(emitter, NULL);
    if (emitter->options->optimisation != 0) {
        optimise(emitter);
    } else if (emitter->options->output < OUTPUT_LLVM_IR) {
        make_plain(emitter);
    }
}
