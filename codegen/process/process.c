/* process -- the switch over kinds of processes, and over kinds of specifications.
 *
 * Owns:   which routine emits what; what ends with each process: temporaries, owners, names.
 * Leaves: every construct to its own file.
 * Holds:  lower folders call back here: a body, a guarded process, a branch is a process again. */
#include "emit_clock.h"
#include "emit_sharing.h"
#include "port.h"

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

static void emit_any_assign(Emitter *emitter, Node *assign) {
    if (assign->assign.invariants == NULL) {
        emit_assign(emitter, assign);
        return;
    }
    emit_observed_begin(emitter, assign);
    emit_assign(emitter, assign);
    emit_observed_end(emitter, assign);
}

void emit_process(Emitter *emitter, Node *process) {
    LLVMMetadataRef scope = emitter->routine->debug_scope;
    size_t live = emitter->routine->live.count;
    size_t owned = emitter->routine->owned.count;
    debug_location(emitter, process->at);
    bool is_frame = process->kind == NODE_BLOCK || process->kind == NODE_SEQ;
    if (!is_frame && process->kind != NODE_PAR) {
        emit_coverage(emitter, COVERAGE_PROCESS, process->at, process->at);
    }
    switch (process->kind) {
    case NODE_BLOCK: emit_block_process(emitter, process); break;
    case NODE_SKIP: break;
    case NODE_STOP: emit_error(emitter, ERROR_STOP, process->at, NULL, NULL); break;
    case NODE_ASSIGN: emit_any_assign(emitter, process); break;
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
    emitter->routine->debug_scope = scope; /* names declared inside go out of scope */
}
