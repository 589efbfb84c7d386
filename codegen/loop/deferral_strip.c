/* deferral_strip -- the blocks around strips.
 *
 *   strips:   enough iterations left for a strip? else checked (not asked where it is known)
 *   begin:    what is written lies apart from what is read? else checked
 *   small:    a sum of INTs, of which the first and the last are small? else natural
 *             four vectors at a time (deferral_small.c); then passed, or natural
 *   natural:  no number below zero among the first, or none of more than 16 bits? else plain
 *             the loop without checks, gathering sizes as if there were none
 *             could no check fail? then passed, else plain
 *   plain:    the same for numbers of either sign; else checked
 *   passed:   the next strip; where all there is to do is one, checked
 *   checked:  the loop as it was, for what is left
 *
 * Sizes of numbers that are not below zero take one operation, others two or three, and products of
 * numbers of 16 bits one instead of seven: so strips have two forms, and once the second was needed
 * the first is not tried again in this run of the loop.
 *
 * A strip can be begun again when it writes nothing that it reads. If it does, as in
 * v[i] := v[i] + x, the sum is taken back first; where that is not possible the strip is run
 * without writing, and once more when the test says so. */
#include "deferral_strip.h"
#include "llvm_compat.h"
#include "vector_loop.h"

#define WEIGHT_OF_SUCCESS 1023
#define WEIGHT_OF_FAILURE 1

static LLVMBasicBlockRef strip_block(const Deferral *deferral, const char *name) {
    LLVMBasicBlockRef header = deferral->loop.header->block;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(deferral->loop.limit));
    return LLVMInsertBasicBlockInContext(context, header, name);
}

LLVMValueRef strip_start(const Deferral *deferral, LLVMValueRef phi) {
    return name_map_find(&deferral->starts, &phi, sizeof phi);
}

LLVMValueRef strip_first_phi(const Deferral *deferral) {
    return LLVMGetFirstInstruction(deferral->loop.header->block);
}

void strip_add_way(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from) {
    LLVMAddIncoming(phi, &value, &from, 1);
}

LLVMValueRef deferral_gather(Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before,
                             LLVMValueRef first, LLVMValueRef part) {
    LLVMBuilderRef builder = deferral->builder;
    edit_before(builder, LLVMGetFirstInstruction(copy->entry));
    LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(part), "gathered");
    loop_copy_at_end(copy);
    LLVMValueRef now = LLVMBuildOr(builder, phi, part, "");
    strip_add_way(phi, first, before);
    strip_add_way(phi, now, loop_copy_latch(copy));
    return phi;
}

void strip_branch_likely(const Deferral *deferral, LLVMValueRef condition, LLVMBasicBlockRef likely,
                         LLVMBasicBlockRef otherwise) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(condition));
    LLVMValueRef branch = LLVMBuildCondBr(deferral->builder, condition, likely, otherwise);
    compat_set_branch_weights(context, branch, WEIGHT_OF_SUCCESS, WEIGHT_OF_FAILURE);
}

LLVMTypeRef strip_flag_type(const Deferral *deferral) {
    return LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(deferral->loop.limit)));
}

LLVMValueRef strip_flag(const Deferral *deferral, bool value) {
    return LLVMConstInt(strip_flag_type(deferral), value, 0);
}

/* ---- a form ---- */

/* What the copy has come to is what the next strip begins with. */
static void pass_on(Deferral *deferral, Strips *at, const LoopCopy *copy, LLVMBasicBlockRef from) {
    for (LLVMValueRef phi = strip_first_phi(deferral); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef end = name_map_find(&at->ends, &phi, sizeof phi);
        strip_add_way(end, lane_total(deferral, copy, phi), from);
    }
    strip_add_way(at->stays_small, strip_flag(deferral, false), from);
}

static LoopCopy copy_of_kind(Deferral *deferral, LoopCopyKind kind) {
    return (LoopCopy){.loop = &deferral->loop,
                      .kind = kind,
                      .undone = &deferral->undone,
                      .products = &deferral->products,
                      .builder = deferral->builder};
}

/* Goes on if the condition holds, or is NULL. */
static void go_on_if(const Form *form, LLVMValueRef condition, LLVMBasicBlockRef then) {
    if (condition != NULL) {
        strip_branch_likely(form->deferral, condition, then, form->otherwise);
    } else {
        LLVMBuildBr(form->deferral->builder, then);
    }
}

/* Behind the guards: what is read here the strip reads too. */
static LLVMBasicBlockRef size_strip(const Strips *at, const Form *form) {
    Deferral *deferral = form->deferral;
    LLVMBasicBlockRef sized = strip_block(deferral, "strip.sized");
    edit_at_end(deferral->builder, form->go);
    if (form->is_natural) {
        LLVMBasicBlockRef seen = strip_block(deferral, "strip.natural");
        LLVMValueRef is_natural =
            deferral_both(deferral, range_peek(deferral), product_begin(deferral));
        go_on_if(form, deferral_both(deferral, at->tries_natural, is_natural), seen);
        edit_at_end(deferral->builder, seen);
    }
    go_on_if(form, range_begin(deferral), sized);
    return sized;
}

/* Run from the values of the strip; entered at the end of `begin`. */
static void build_copy(Deferral *deferral, LLVMBasicBlockRef begin, LoopCopy *copy,
                       LLVMBasicBlockRef exit) {
    loop_copy(copy, &deferral->starts, deferral->count, begin, exit);
    edit_at_end(deferral->builder, begin);
    LLVMBuildBr(deferral->builder, copy->entry);
    if (copy->kind == LOOP_COPY_UNDOING) {
        order_leave(loop_copy_latch(copy));
    }
}

/* What is taken back is what was added: products of numbers of 16 bits. */
static LLVMBasicBlockRef undo_products(const Form *form) {
    Deferral *deferral = form->deferral;
    LLVMBasicBlockRef begin = strip_block(deferral, "strip.undo.products");
    LoopCopy copy = copy_of_kind(deferral, LOOP_COPY_UNDOING);
    NameMap factors = {.arena = deferral->arena};
    edit_at_end(deferral->builder, begin);
    product_factors(deferral, &factors);
    copy.factors = &factors;
    build_copy(deferral, begin, &copy, form->otherwise);
    return begin;
}

static void build_form(Strips *at, Form *form) {
    Deferral *deferral = form->deferral;
    LLVMBuilderRef builder = deferral->builder;
    bool is_twice = at->writing.begin != NULL;
    LLVMBasicBlockRef sized = size_strip(at, form);
    LoopCopy copy = copy_of_kind(deferral, is_twice ? LOOP_COPY_READING : LOOP_COPY_WHOLE);
    NameMap rows = {.arena = deferral->arena};
    NameMap factors = {.arena = deferral->arena};
    edit_at_end(builder, sized);
    product_factors(deferral, &factors);
    copy.factors = &factors;
    copy.rows = order_rows(deferral, at->stop, &rows) ? &rows : NULL;
    loop_copy(&copy, &deferral->starts, deferral->count, sized, form->test);
    range_gather(deferral, &copy, sized);
    flag_gather(deferral, &copy, sized);
    lane_gather(deferral, &copy, sized);
    order_side_by_side(deferral, &copy);
    edit_at_end(builder, sized);
    LLVMBuildBr(builder, copy.entry);
    form->copy = copy;
    form->before = sized;
    form->vectors = order_vectors(deferral);
    form->grain = (unsigned)deferral_grain(deferral);

    LLVMValueRef natural = strip_flag(deferral, form->is_natural);
    LLVMBasicBlockRef passed = is_twice ? at->writing.begin : at->passed;
    strip_add_way(is_twice ? at->writing.is_natural : at->stays_natural, natural, form->test);
    edit_at_end(builder, form->test);
    if (!is_twice) {
        pass_on(deferral, at, &copy, form->test);
    }
    LLVMBasicBlockRef failed = form->otherwise;
    if (at->undoing.begin != NULL && deferral->products.count > 0) {
        failed = undo_products(form);
    } else if (at->undoing.begin != NULL) {
        failed = at->undoing.begin;
        strip_add_way(at->undoing.is_natural, natural, form->test);
    }
    edit_at_end(builder, form->test);
    LLVMValueRef holds = deferral_both(deferral, range_test(deferral), flag_test(deferral));
    holds = deferral_both(deferral, holds, lane_test(deferral));
    strip_branch_likely(deferral, holds != NULL ? holds : strip_flag(deferral, true), passed,
                        failed);
}

/* What a strip of small numbers has come to. */
static void pass_small(const Deferral *deferral, Strips *at, LLVMValueRef sum,
                       LLVMBasicBlockRef from) {
    const CountedLoop *loop = &deferral->loop;
    LLVMValueRef phi = deferral->sums.items[0].phi;
    strip_add_way(name_map_find(&at->ends, &phi, sizeof phi), sum, from);
    strip_add_way(name_map_find(&at->ends, &loop->counter, sizeof loop->counter), at->stop, from);
    strip_add_way(at->stays_natural, strip_flag(deferral, true), from);
    strip_add_way(at->stays_small, strip_flag(deferral, true), from);
}

/* In front of the forms, where the loop is a sum that numbers can be small of. */
static void build_small(Strips *at, Deferral *deferral) {
    LLVMBuilderRef builder = deferral->builder;
    LLVMBasicBlockRef next = at->forms[0].go;
    LLVMValueRef address = deferral->memory.accesses.items[0].address;
    NameMap rows = {.arena = deferral->arena};
    edit_at_end(builder, at->first);
    order_rows(deferral, at->stop, &rows);
    LLVMValueRef row = name_map_find(&rows, &address, sizeof address);
    if (row == NULL || !small_suits_count(deferral)) {
        LLVMBuildBr(builder, next);
        return;
    }
    LLVMBasicBlockRef peek = strip_block(deferral, "strip.small");
    SmallBlocks blocks = {strip_block(deferral, "strip.sized"), strip_block(deferral, "strip"),
                          strip_block(deferral, "strip.test")};
    LLVMValueRef sum;
    LLVMBuildCondBr(builder, at->tries_small, peek, next);
    edit_at_end(builder, peek);
    strip_branch_likely(deferral, small_peek(deferral, row), blocks.before, next);
    LLVMValueRef holds = small_build(deferral, row, &blocks, &sum);
    strip_branch_likely(deferral, holds, at->passed, next);
    pass_small(deferral, at, sum, blocks.test);
}

/* ---- what the forms have in common ---- */

static Common common_of(const Deferral *deferral, const char *name) {
    Common common = {.begin = strip_block(deferral, name)};
    edit_at_end(deferral->builder, common.begin);
    common.is_natural = LLVMBuildPhi(deferral->builder, strip_flag_type(deferral), "");
    return common;
}

static void begin_common(Deferral *deferral, Strips *at) {
    if (deferral->undone.count > 0) {
        at->undoing = common_of(deferral, "strip.undo");
    } else if (deferral->memory.again == AGAIN_READING) {
        at->writing = common_of(deferral, "strip.write");
    }
    edit_at_end(deferral->builder, at->passed);
    at->stays_natural = LLVMBuildPhi(deferral->builder, strip_flag_type(deferral), "");
    at->stays_small = LLVMBuildPhi(deferral->builder, strip_flag_type(deferral), "");
    for (LLVMValueRef phi = strip_first_phi(deferral); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        *name_map_at(&at->ends, &phi, sizeof phi) =
            LLVMBuildPhi(deferral->builder, LLVMTypeOf(phi), "");
    }
}

static void build_writing(Deferral *deferral, Strips *at) {
    LoopCopy copy = copy_of_kind(deferral, LOOP_COPY_WHOLE);
    build_copy(deferral, at->writing.begin, &copy, at->passed);
    pass_on(deferral, at, &copy, copy.entry);
    strip_add_way(at->stays_natural, at->writing.is_natural, copy.entry);
}

/* Afterwards the strip is tried in the next form. */
static void build_undoing(Deferral *deferral, Strips *at) {
    LoopCopy copy = copy_of_kind(deferral, LOOP_COPY_UNDOING);
    LLVMBasicBlockRef undone = strip_block(deferral, "strip.undone");
    build_copy(deferral, at->undoing.begin, &copy, undone);
    edit_at_end(deferral->builder, undone);
    LLVMBuildCondBr(deferral->builder, at->undoing.is_natural, at->forms[0].otherwise, at->checked);
}

static void end_strip(Deferral *deferral, Strips *at) {
    edit_at_end(deferral->builder, at->passed);
    LLVMBuildBr(deferral->builder, at->is_single ? at->checked : at->strips);
    if (at->is_single) {
        return;
    }
    strip_add_way(at->tries_natural, at->stays_natural, at->passed);
    strip_add_way(at->tries_small, at->stays_small, at->passed);
    for (LLVMValueRef phi = strip_first_phi(deferral); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef end = name_map_find(&at->ends, &phi, sizeof phi);
        strip_add_way(strip_start(deferral, phi), end, at->passed);
    }
}

/* What the phi of the header is when the loop as it was begins: where the strips left off. */
static LLVMValueRef start_of_checked(Deferral *deferral, const Strips *at, LLVMValueRef phi) {
    LLVMValueRef start = strip_start(deferral, phi);
    if (!at->is_single) {
        return start;
    }
    edit_before(deferral->builder, LLVMGetBasicBlockTerminator(at->checked));
    LLVMValueRef merged = LLVMBuildPhi(deferral->builder, LLVMTypeOf(phi), "");
    LLVMValueRef block = LLVMBasicBlockAsValue(at->checked);
    for (LLVMUseRef use = LLVMGetFirstUse(block); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
        LLVMValueRef end = name_map_find(&at->ends, &phi, sizeof phi);
        LLVMAddIncoming(merged, from == at->passed ? &end : &start, &from, 1);
    }
    return merged;
}

/* The loop as it was now begins where the strips left off. */
static void enter_checked(Deferral *deferral, Strips *at) {
    const CountedLoop *loop = &deferral->loop;
    LLVMBuilderRef builder = deferral->builder;
    edit_at_end(builder, at->checked);
    LLVMBuildBr(builder, loop->header->block);
    LLVMValueRef phi = strip_first_phi(deferral);
    while (LLVMIsAPHINode(phi) != NULL) {
        LLVMValueRef next = LLVMGetNextInstruction(phi);
        LLVMValueRef start = start_of_checked(deferral, at, phi);
        edit_before(builder, strip_first_phi(deferral));
        LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
        strip_add_way(made, start, at->checked);
        strip_add_way(made, loop_last(loop, phi), loop->latch->block);
        LLVMReplaceAllUsesWith(phi, made);
        LLVMInstructionEraseFromParent(phi);
        phi = next;
    }
}

/* ---- all of it ---- */

static void add_form(Strips *at, Deferral *deferral, bool is_natural) {
    at->forms[at->form_count++] = (Form){.deferral = deferral,
                                         .is_natural = is_natural,
                                         .go = strip_block(deferral, "strip.go"),
                                         .test = strip_block(deferral, "strip.test")};
}

static void add_forms(Strips *at, Deferral *deferral, Deferral *natural) {
    if (natural != NULL) {
        add_form(at, natural, true);
    }
    add_form(at, deferral, false);
    for (size_t i = 0; i < at->form_count; i++) {
        at->forms[i].otherwise = i + 1 < at->form_count ? at->forms[i + 1].go : at->checked;
    }
}

void strips_build(Deferral *deferral, Deferral *natural) {
    uint64_t single = count_single(deferral);
    bool is_block = single == 0 && count_block(deferral);
    Strips at = {.strips = strip_block(deferral, "strips"),
                 .begin = strip_block(deferral, "strip.begin"),
                 .passed = strip_block(deferral, "strip.passed"),
                 .checked = strip_block(deferral, "strip.checked"),
                 .ends = {.arena = deferral->arena},
                 .is_single = single != 0 || is_block};
    add_forms(&at, deferral, natural);
    bool may_be_small = natural != NULL && natural->may_be_long && small_suits(natural);
    at.first = may_be_small ? strip_block(deferral, "strip.go") : at.forms[0].go;
    strip_begin(deferral, &at, single, is_block);
    begin_common(deferral, &at);
    if (natural != NULL) {
        natural->starts = deferral->starts;
        natural->count = deferral->count;
    }
    if (may_be_small) {
        build_small(&at, natural);
    }
    for (size_t i = 0; i < at.form_count; i++) {
        build_form(&at, &at.forms[i]);
    }
    if (at.writing.begin != NULL) {
        build_writing(deferral, &at);
    }
    if (at.undoing.begin != NULL) {
        build_undoing(deferral, &at);
    }
    end_strip(deferral, &at);
    enter_checked(deferral, &at);
    order_leave(deferral->loop.latch->block);
    for (size_t i = 0; deferral->makes_vectors && i < at.form_count; i++) {
        const Form *form = &at.forms[i];
        vector_loop_move(form->deferral, &form->copy, form->before, form->vectors, form->grain);
    }
}
