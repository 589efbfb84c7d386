/* outline_value -- what a part uses of its routine, and the routine of it.
 *
 * A variable in memory that the part alone uses goes with it. A pointer to any other is a
 * parameter of which is said what is seen of the variable: how long it is, and that no other
 * pointer of the part leads to it.
 *
 * Holds:  variables of which the address is kept anywhere (a phi, a record of a PAR) are not said
 *         to be alone. */
#include "edit.h"
#include "outline_state.h"

#include "intrinsic.h"
#include "llvm_compat.h"

static bool is_local_value(LLVMValueRef value) {
    return LLVMIsAInstruction(value) != NULL || LLVMIsAArgument(value) != NULL;
}

static bool is_value_inside(const OutlinePart *part, LLVMValueRef value) {
    return LLVMIsAInstruction(value) != NULL &&
           outline_is_inside(part, LLVMGetInstructionParent(value));
}

/* ---- pairs ---- */

static void extract_at_once(LLVMBuilderRef builder, LLVMValueRef pair) {
    for (LLVMUseRef use = LLVMGetFirstUse(pair); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef part = LLVMGetUser(use);
        if (LLVMIsAExtractValueInst(part) != NULL &&
            LLVMGetInstructionParent(part) != LLVMGetInstructionParent(pair)) {
            LLVMInstructionRemoveFromParent(part);
            edit_before(builder, LLVMGetNextInstruction(pair));
            edit_insert(builder, part);
        }
    }
}

void outline_split_pairs(LLVMBuilderRef builder, LLVMValueRef function) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
             each = LLVMGetNextInstruction(each)) {
            if (LLVMGetTypeKind(LLVMTypeOf(each)) == LLVMStructTypeKind) {
                extract_at_once(builder, each);
            }
        }
    }
}

/* ---- uses outside ---- */

static bool uses_outside(const OutlinePart *part, LLVMValueRef user, unsigned operand) {
    LLVMBasicBlockRef at = LLVMIsAPHINode(user) != NULL ? LLVMGetIncomingBlock(user, operand)
                                                        : LLVMGetInstructionParent(user);
    return !outline_is_inside(part, at);
}

static bool is_used_outside(const OutlinePart *part, LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        for (int i = 0; i < LLVMGetNumOperands(user); i++) {
            if (LLVMGetOperand(user, (unsigned)i) == value &&
                uses_outside(part, user, (unsigned)i)) {
                return true;
            }
        }
    }
    return false;
}

void outline_value_leave(OutlinePart *part, LLVMValueRef output, LLVMValueRef from_call) {
    OutlineValues users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(output); use != NULL; use = LLVMGetNextUse(use)) {
        array_push(part->arena, &users, LLVMGetUser(use));
    }
    for (size_t i = 0; i < users.count; i++) {
        for (int j = 0; j < LLVMGetNumOperands(users.items[i]); j++) {
            if (LLVMGetOperand(users.items[i], (unsigned)j) == output &&
                uses_outside(part, users.items[i], (unsigned)j)) {
                LLVMSetOperand(users.items[i], (unsigned)j, from_call);
            }
        }
    }
}

/* ---- inputs and outputs ---- */

static size_t *place_of(OutlinePart *part, LLVMValueRef value) {
    void **slot = name_map_at(&part->places, &value, sizeof value);
    if (*slot == NULL) {
        *slot = arena_new(part->arena, size_t);
    }
    return *slot;
}

static void add_once(OutlinePart *part, OutlineValues *values, LLVMValueRef value) {
    size_t *place = place_of(part, value);
    if (*place == 0) {
        array_push(part->arena, values, value);
        *place = values->count;
    }
}

size_t outline_output(const OutlinePart *part, LLVMValueRef value) {
    const size_t *place = name_map_find(&part->places, &value, sizeof value);
    return place != NULL && is_value_inside(part, value) ? *place : 0;
}

static bool is_used_inside_alone(const OutlinePart *part, LLVMValueRef variable) {
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(user) != NULL ||
            !outline_is_inside(part, LLVMGetInstructionParent(user))) {
            return false;
        }
    }
    return true;
}

static void add_operands(OutlinePart *part, LLVMValueRef instruction) {
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (!is_local_value(operand) || is_value_inside(part, operand) ||
            (LLVMIsAPHINode(instruction) != NULL && uses_outside(part, instruction, (unsigned)i))) {
            continue;
        }
        bool is_local = LLVMIsAAllocaInst(operand) != NULL && is_used_inside_alone(part, operand);
        add_once(part, is_local ? &part->locals : &part->inputs, operand);
    }
}

static void add_exit_values(OutlinePart *part, const OutlineExit *exit) {
    for (size_t i = 0; i < exit->phis.count; i++) {
        if (is_value_inside(part, exit->phis.items[i].value)) {
            add_once(part, &part->outputs, exit->phis.items[i].value);
        }
    }
}

static void look_at_block(OutlinePart *part, LLVMBasicBlockRef block) {
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
         each = LLVMGetNextInstruction(each)) {
        add_operands(part, each);
        if (is_used_outside(part, each)) {
            add_once(part, &part->outputs, each);
        }
    }
}

/* Where the life of a variable begins and ends is not said in two routines. */
static void forget_life(const OutlinePart *part, LLVMValueRef variable) {
    OutlineValues marks = {0};
    unsigned begin = intrinsic_number("llvm.lifetime.start");
    unsigned end = intrinsic_number("llvm.lifetime.end");
    bool is_inside = false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        unsigned called = intrinsic_called(user);
        if (called != 0 && (called == begin || called == end)) {
            array_push(part->arena, &marks, user);
            is_inside = is_inside || outline_is_inside(part, LLVMGetInstructionParent(user));
        }
    }
    for (size_t i = 0; is_inside && i < marks.count; i++) {
        LLVMInstructionEraseFromParent(marks.items[i]);
    }
}

void outline_values_find(OutlinePart *part) {
    look_at_block(part, part->entry);
    for (size_t i = 0; i < part->blocks.count; i++) {
        look_at_block(part, part->blocks.items[i]->block);
    }
    for (size_t i = 0; i < part->exits.count; i++) {
        look_at_block(part, part->exits.items[i].stub);
        add_exit_values(part, &part->exits.items[i]);
    }
    for (size_t i = 0; i < part->inputs.count; i++) {
        if (LLVMIsAAllocaInst(part->inputs.items[i]) != NULL) {
            forget_life(part, part->inputs.items[i]);
        }
    }
}

/* It is there when every edge out comes from behind it. */
LLVMValueRef outline_value_out(const OutlinePart *part, const OutlineExit *exit,
                               LLVMValueRef output) {
    LLVMBasicBlockRef at = LLVMGetInstructionParent(output);
    if (at == exit->stub) {
        return output;
    }
    const FlowBlock *block = flow_graph_block(part->graph, at);
    bool is_there = block != NULL;
    for (size_t i = 0; is_there && i < exit->from.count; i++) {
        is_there = flow_dominates(block, exit->from.items[i]);
    }
    return is_there ? output : LLVMGetPoison(LLVMTypeOf(output));
}

/* ---- parameters ---- */

static void enter_block(OutlinePart *part, LLVMBasicBlockRef block) {
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
         each = LLVMGetNextInstruction(each)) {
        for (int i = 0; i < LLVMGetNumOperands(each); i++) {
            LLVMValueRef operand = LLVMGetOperand(each, (unsigned)i);
            const size_t *place = name_map_find(&part->places, &operand, sizeof operand);
            if (place != NULL && *place <= part->inputs.count &&
                part->inputs.items[*place - 1] == operand) {
                LLVMSetOperand(each, (unsigned)i, LLVMGetParam(part->part, (unsigned)*place - 1));
            }
        }
    }
}

void outline_values_enter(OutlinePart *part) {
    enter_block(part, part->entry);
    for (size_t i = 0; i < part->blocks.count; i++) {
        enter_block(part, part->blocks.items[i]->block);
    }
    for (size_t i = 0; i < part->exits.count; i++) {
        enter_block(part, part->exits.items[i].stub);
    }
}

/* ---- what is known of them ---- */

static bool has_attribute(LLVMValueRef function, unsigned index, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

/* Attributes count from 1. */
static unsigned index_of(LLVMValueRef argument) {
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned index = 0;
    while (LLVMGetParam(function, index) != argument) {
        index++;
    }
    return index + 1;
}

static bool is_object(const OutlinePart *part, LLVMValueRef value) {
    return LLVMIsAAllocaInst(value) != NULL ||
           (LLVMIsAArgument(value) != NULL &&
            has_attribute(part->function, index_of(value), "noalias"));
}

/* Is the address only where something is read, written or called with it? */
static bool keeps_no_address(LLVMValueRef user, LLVMValueRef pointer) {
    return LLVMIsALoadInst(user) != NULL || LLVMIsAICmpInst(user) != NULL ||
           (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) != pointer) ||
           (LLVMIsACallInst(user) != NULL &&
            LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMPointerTypeKind);
}

static bool is_kept(LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) != NULL ? is_kept(user)
                                                   : !keeps_no_address(user, pointer)) {
            return true;
        }
    }
    return false;
}

static bool is_alone(const OutlinePart *part, LLVMValueRef object) {
    for (size_t i = 0; i < part->inputs.count; i++) {
        LLVMValueRef root = part->inputs.items[i];
        while (LLVMIsAGetElementPtrInst(root) != NULL) {
            root = LLVMGetOperand(root, 0);
            if (root == object) {
                return false;
            }
        }
    }
    return !is_kept(object);
}

static void describe_variable(const OutlinePart *part, LLVMValueRef variable, unsigned index) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(variable));
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    uint64_t size = LLVMABISizeOfType(part->layout, type);
    compat_add_attribute(context, part->part, index, "noundef", 0);
    compat_add_attribute(context, part->part, index, "nonnull", 0);
    compat_add_attribute(context, part->part, index, "writable", 0);
    compat_add_attribute(context, part->part, index, "dereferenceable", size);
    compat_add_attribute(context, part->part, index, "align", LLVMGetAlignment(variable));
}

/* All but that it is alone. */
static void describe_argument(const OutlinePart *part, LLVMValueRef argument, unsigned index) {
    unsigned from = index_of(argument);
    unsigned count = LLVMGetAttributeCountAtIndex(part->function, from);
    LLVMAttributeRef *attributes = arena_new_array(part->arena, LLVMAttributeRef, count + 1);
    unsigned alone = LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));
    LLVMGetAttributesAtIndex(part->function, from, attributes);
    for (unsigned i = 0; i < count; i++) {
        if (!LLVMIsEnumAttribute(attributes[i]) ||
            LLVMGetEnumAttributeKind(attributes[i]) != alone) {
            LLVMAddAttributeAtIndex(part->part, index, attributes[i]);
        }
    }
}

void outline_values_describe(OutlinePart *part) {
    for (size_t i = 0; i < part->inputs.count; i++) {
        LLVMValueRef input = part->inputs.items[i];
        unsigned index = (unsigned)i + 1;
        if (LLVMIsAAllocaInst(input) != NULL) {
            describe_variable(part, input, index);
        } else if (LLVMIsAArgument(input) != NULL) {
            describe_argument(part, input, index);
        }
        if (is_object(part, input) && is_alone(part, input)) {
            LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(input));
            compat_add_attribute(context, part->part, index, "noalias", 0);
        }
    }
}
