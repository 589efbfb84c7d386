/* outline_move -- a loop becomes a routine, and a call of it stands where it was.
 *
 * What the rest uses of the loop is returned, and by which way the loop was left, if there are
 * several:
 *
 *   before:  ..; to call
 *   call:    result := part (inputs); to one of the exits
 *
 *   part:    entry; the blocks of the loop; for each exit a stub that returns
 *
 * Holds:  a part in which a process may wait is preserve_none as its routine is. */
#include "edit.h"
#include "outline_state.h"

#include "emitter.h"
#include "llvm_compat.h"

bool outline_is_inside(const OutlinePart *part, LLVMBasicBlockRef block) {
    return name_map_find(&part->inside, &block, sizeof block) != NULL;
}

static void add_inside(OutlinePart *part, LLVMBasicBlockRef block) {
    *name_map_at(&part->inside, &block, sizeof block) = block;
}

static LLVMContextRef context_of(const OutlinePart *part) {
    return LLVMGetModuleContext(LLVMGetGlobalParent(part->function));
}

/* ---- edges ---- */

static void lead_to(LLVMValueRef branch, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        if (LLVMGetSuccessor(branch, i) == from) {
            LLVMSetSuccessor(branch, i, to);
        }
    }
}

/* The branch from outside; NULL: there are several, or the header is reached by none. */
static LLVMValueRef find_entry(const OutlinePart *part, LLVMBasicBlockRef header) {
    LLVMValueRef found = NULL;
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(header));
    for (; use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!outline_is_inside(part, LLVMGetInstructionParent(user))) {
            if (found != NULL) {
                return NULL;
            }
            found = user;
        }
    }
    return found;
}

/* ---- the entry ---- */

static LLVMValueRef value_on_entry(const OutlinePart *part, LLVMValueRef phi) {
    unsigned i = 0;
    while (outline_is_inside(part, LLVMGetIncomingBlock(phi, i))) {
        i++;
    }
    return LLVMGetIncomingValue(phi, i);
}

static void make_entry(OutlinePart *part) {
    LLVMBasicBlockRef header = part->blocks.items[0]->block;
    LLVMBasicBlockRef entry =
        LLVMAppendBasicBlockInContext(context_of(part), part->function, "frame");
    LLVMValueRef next;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi) != NULL;
         phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMValueRef value = value_on_entry(part, phi);
        outline_remake_phi(part->builder, phi, &part->inside, true, value, entry);
    }
    edit_at_end(part->builder, entry);
    LLVMBuildBr(part->builder, header);
    part->entry = entry;
    add_inside(part, entry);
}

/* ---- exits ---- */

/* Its reports belong to the loop: they have no other way to them, and none out. */
static bool is_report(const OutlinePart *part, const FlowBlock *block) {
    bool is_own = LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(block->block)) != NULL;
    for (size_t i = 0; is_own && i < block->before.count; i++) {
        is_own = outline_is_inside(part, block->before.items[i]->block);
    }
    return is_own;
}

static void add_exit(OutlinePart *part, FlowBlock *from, LLVMBasicBlockRef to) {
    OutlineExit *exit = NULL;
    for (size_t i = 0; exit == NULL && i < part->exits.count; i++) {
        exit = part->exits.items[i].to == to ? &part->exits.items[i] : NULL;
    }
    if (exit == NULL) {
        array_push(part->arena, &part->exits, (OutlineExit){.to = to});
        exit = &part->exits.items[part->exits.count - 1];
    }
    array_push(part->arena, &exit->from, from);
}

static void find_exits(OutlinePart *part) {
    for (size_t i = 0; i < part->blocks.count; i++) {
        FlowBlock *from = part->blocks.items[i];
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(from->block);
        for (unsigned j = 0; j < LLVMGetNumSuccessors(branch); j++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(branch, j);
            FlowBlock *block = flow_graph_block(part->graph, to);
            if (outline_is_inside(part, to)) {
                continue;
            }
            if (block != NULL && is_report(part, block)) {
                add_inside(part, to);
                array_push(part->arena, &part->blocks, block);
            } else {
                add_exit(part, from, to);
            }
        }
    }
}

/* What the phi gets from the loop: one value, or a phi of the stub. */
static LLVMValueRef value_on_exit(OutlinePart *part, const OutlineExit *exit, LLVMValueRef phi) {
    LLVMValueRef value = NULL;
    bool is_one = true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (outline_is_inside(part, LLVMGetIncomingBlock(phi, i))) {
            is_one = is_one && (value == NULL || value == LLVMGetIncomingValue(phi, i));
            value = LLVMGetIncomingValue(phi, i);
        }
    }
    if (is_one) {
        return value;
    }
    edit_at_end(part->builder, exit->stub);
    LLVMValueRef made = LLVMBuildPhi(part->builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
        if (outline_is_inside(part, block)) {
            LLVMAddIncoming(made, &incoming, &block, 1);
        }
    }
    return made;
}

static void make_stub(OutlinePart *part, OutlineExit *exit) {
    exit->stub = LLVMAppendBasicBlockInContext(context_of(part), part->function, "out");
    for (LLVMValueRef phi = LLVMGetFirstInstruction(exit->to); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = value_on_exit(part, exit, phi);
        array_push(part->arena, &exit->phis, ((OutlinePhi){phi, value}));
    }
    add_inside(part, exit->stub);
    for (size_t i = 0; i < exit->from.count; i++) {
        lead_to(LLVMGetBasicBlockTerminator(exit->from.items[i]->block), exit->to, exit->stub);
    }
    edit_at_end(part->builder, exit->stub);
    LLVMBuildUnreachable(part->builder);
}

/* ---- the routine ---- */

static bool waits(const OutlinePart *part) {
    for (size_t i = 0; i < part->blocks.count; i++) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(part->blocks.items[i]->block);
             each != NULL; each = LLVMGetNextInstruction(each)) {
            if (LLVMIsACallInst(each) != NULL &&
                LLVMGetInstructionCallConv(each) == CALL_PRESERVE_NONE) {
                return true;
            }
        }
    }
    return false;
}

/* The way out first, if there are several; then the outputs. */
static LLVMTypeRef result_type(const OutlinePart *part) {
    LLVMTypeRef *types = arena_new_array(part->arena, LLVMTypeRef, part->outputs.count + 1);
    unsigned count = 0;
    if (part->exits.count > 1) {
        types[count++] = LLVMInt32TypeInContext(context_of(part));
    }
    for (size_t i = 0; i < part->outputs.count; i++) {
        types[count++] = LLVMTypeOf(part->outputs.items[i]);
    }
    return count == 0   ? LLVMVoidTypeInContext(context_of(part))
           : count == 1 ? types[0]
                        : LLVMStructTypeInContext(context_of(part), types, count, 0);
}

static void declare(OutlinePart *part, const char *name) {
    size_t count = part->inputs.count;
    LLVMTypeRef *types = arena_new_array(part->arena, LLVMTypeRef, count + 1);
    for (size_t i = 0; i < count; i++) {
        types[i] = LLVMTypeOf(part->inputs.items[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(result_type(part), types, (unsigned)count, 0);
    part->part = LLVMAddFunction(LLVMGetGlobalParent(part->function), name, type);
    LLVMSetLinkage(part->part, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(part->part, waits(part) ? CALL_PRESERVE_NONE : LLVMCCallConv);
    compat_add_attribute(context_of(part), part->part, COMPAT_FUNCTION, "noinline", 0);
}

static void move_local(const OutlinePart *part, LLVMValueRef variable) {
    LLVMInstructionRemoveFromParent(variable);
    edit_before(part->builder, LLVMGetFirstInstruction(part->entry));
    edit_insert(part->builder, variable);
}

static void move_block(const OutlinePart *part, LLVMBasicBlockRef block) {
    LLVMRemoveBasicBlockFromParent(block);
    LLVMAppendExistingBasicBlock(part->part, block);
}

static void move_blocks(OutlinePart *part) {
    move_block(part, part->entry);
    for (size_t i = 0; i < part->blocks.count; i++) {
        move_block(part, part->blocks.items[i]->block);
    }
    for (size_t i = 0; i < part->exits.count; i++) {
        move_block(part, part->exits.items[i].stub);
    }
    for (size_t i = 0; i < part->locals.count; i++) {
        move_local(part, part->locals.items[i]);
    }
}

static void build_return(const OutlinePart *part, size_t place) {
    const OutlineExit *exit = &part->exits.items[place];
    LLVMValueRef *values = arena_new_array(part->arena, LLVMValueRef, part->outputs.count + 1);
    unsigned count = 0;
    if (part->exits.count > 1) {
        values[count++] = LLVMConstInt(LLVMInt32TypeInContext(context_of(part)), place, 0);
    }
    for (size_t i = 0; i < part->outputs.count; i++) {
        values[count++] = outline_value_out(part, exit, part->outputs.items[i]);
    }
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(exit->stub));
    edit_at_end(part->builder, exit->stub);
    if (count == 0) {
        LLVMBuildRetVoid(part->builder);
    } else if (count == 1) {
        LLVMBuildRet(part->builder, values[0]);
    } else {
        LLVMBuildAggregateRet(part->builder, values, count);
    }
}

/* ---- the call ---- */

static LLVMValueRef build_call(const OutlinePart *part) {
    edit_at_end(part->builder, part->call);
    LLVMValueRef call =
        LLVMBuildCall2(part->builder, LLVMGlobalGetValueType(part->part), part->part,
                       part->inputs.items, (unsigned)part->inputs.count, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(part->part));
    return call;
}

/* Place 0 is the way out, if there are several. */
static LLVMValueRef part_of_result(const OutlinePart *part, LLVMValueRef call, size_t place) {
    bool is_struct = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMStructTypeKind &&
                     part->outputs.count + (part->exits.count > 1) > 1;
    return is_struct ? LLVMBuildExtractValue(part->builder, call, (unsigned)place, "") : call;
}

static void build_way_on(const OutlinePart *part, LLVMValueRef call) {
    if (part->exits.count == 0) {
        LLVMBuildUnreachable(part->builder);
        return;
    }
    if (part->exits.count == 1) {
        LLVMBuildBr(part->builder, part->exits.items[0].to);
        return;
    }
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context_of(part));
    LLVMValueRef way = LLVMBuildSwitch(part->builder, part_of_result(part, call, 0),
                                       part->exits.items[0].to, (unsigned)part->exits.count - 1);
    for (size_t i = 1; i < part->exits.count; i++) {
        LLVMAddCase(way, LLVMConstInt(i32, i, 0), part->exits.items[i].to);
    }
}

static void give_outputs(OutlinePart *part, LLVMValueRef call) {
    size_t first = part->exits.count > 1;
    LLVMValueRef *values = arena_new_array(part->arena, LLVMValueRef, part->outputs.count + 1);
    for (size_t i = 0; i < part->outputs.count; i++) {
        values[i] = part_of_result(part, call, first + i);
        outline_value_leave(part, part->outputs.items[i], values[i]);
    }
    build_way_on(part, call);
    for (size_t i = 0; i < part->exits.count; i++) {
        const OutlineExit *exit = &part->exits.items[i];
        for (size_t j = 0; j < exit->phis.count; j++) {
            size_t place = outline_output(part, exit->phis.items[j].value);
            LLVMValueRef value = place > 0 ? values[place - 1] : exit->phis.items[j].value;
            outline_remake_phi(part->builder, exit->phis.items[j].phi, &part->inside, false, value,
                               part->call);
        }
    }
}

bool outline_move(OutlinePart *part, const char *name) {
    LLVMBasicBlockRef header = part->blocks.items[0]->block;
    LLVMValueRef before = find_entry(part, header);
    if (before == NULL) {
        return false;
    }
    find_exits(part);
    make_entry(part);
    part->call = LLVMInsertBasicBlockInContext(context_of(part), header, "loop");
    lead_to(before, header, part->call);
    for (size_t i = 0; i < part->exits.count; i++) {
        make_stub(part, &part->exits.items[i]);
    }
    outline_values_find(part);
    declare(part, name);
    outline_values_describe(part);
    LLVMValueRef call = build_call(part);
    give_outputs(part, call);
    move_blocks(part);
    outline_values_enter(part);
    for (size_t i = 0; i < part->exits.count; i++) {
        build_return(part, i);
    }
    return true;
}
