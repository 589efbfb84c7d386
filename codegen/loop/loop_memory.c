/* loop_memory -- see the header. */
#include "loop_memory.h"

#include "proof.h"

#define INDEX_DEPTH 6u
#define PAIRS_LIMIT 16u
#define SLOPE_LIMIT 0xFFFF /* in a strip less than half of what 32 bits hold */

/* ---- forms of addresses ---- */

/* form + factor * value, down to the counter and to what is fixed. */
static bool add_index(const CountedLoop *loop, LinearForm *form, LLVMValueRef value, int64_t factor,
                      unsigned depth) {
    if (LLVMIsAConstantInt(value) != NULL) {
        LinearForm number = form_constant(LLVMConstIntGetSExtValue(value));
        return form_add(form, &number, factor);
    }
    if (value == loop->counter || loop_nature(loop, value) == NATURE_FIXED) {
        return form_add_value(form, value, factor);
    }
    LLVMOpcode opcode;
    bool is_signed;
    LLVMValueRef operation = proof_operation(value, &opcode, &is_signed);
    if (operation == NULL) {
        return false;
    }
    if (opcode == LLVMMul) {
        LLVMValueRef left = LLVMGetOperand(operation, 0);
        LLVMValueRef right = LLVMGetOperand(operation, 1);
        LLVMValueRef number = LLVMIsAConstantInt(left) != NULL ? left : right;
        int64_t times = LLVMIsAConstantInt(number) != NULL ? LLVMConstIntGetSExtValue(number) : 0;
        bool is_small = times != 0 && times >= -SLOPE_LIMIT && times <= SLOPE_LIMIT;
        return depth > 0 && is_small && factor >= -SLOPE_LIMIT && factor <= SLOPE_LIMIT &&
               add_index(loop, form, number == left ? right : left, factor * times, depth - 1);
    }
    return depth > 0 && (opcode == LLVMAdd || opcode == LLVMSub) &&
           add_index(loop, form, LLVMGetOperand(operation, 0), factor, depth - 1) &&
           add_index(loop, form, LLVMGetOperand(operation, 1), opcode == LLVMAdd ? factor : -factor,
                     depth - 1);
}

int64_t loop_slope(const CountedLoop *loop, LLVMValueRef value) {
    LinearForm form = form_constant(0);
    bool is_linear = add_index(loop, &form, value, 1, INDEX_DEPTH);
    int64_t slope = is_linear ? form_factor(&form, loop->counter) : 0;
    return slope >= -SLOPE_LIMIT && slope <= SLOPE_LIMIT ? slope : 0;
}

LLVMValueRef loop_root_of(LLVMValueRef address) {
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

static bool find_movement(const CountedLoop *loop, LLVMTargetDataRef layout, LoopAccess *access) {
    LLVMValueRef address = access->address;
    if (LLVMIsAGetElementPtrInst(address) == NULL || LLVMGetNumOperands(address) != 2 ||
        LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(address)) !=
            LLVMABISizeOfType(layout, access->type)) {
        return false;
    }
    LLVMValueRef row = LLVMGetOperand(address, 0);
    LLVMValueRef index = LLVMGetOperand(address, 1);
    LLVMOpcode opcode = LLVMIsAInstruction(index) ? LLVMGetInstructionOpcode(index) : LLVMAdd;
    if (opcode == LLVMZExt || opcode == LLVMSExt) {
        access->widening = opcode;
        index = LLVMGetOperand(index, 0);
    }
    access->index = form_constant(0);
    if (loop_nature(loop, row) != NATURE_FIXED ||
        !add_index(loop, &access->index, index, 1, INDEX_DEPTH)) {
        return false;
    }
    access->row = row;
    access->slope = form_remove(&access->index, loop->counter);
    access->distance = access->index.constant;
    access->index.constant = 0;
    access->moves = access->slope == 1;
    return access->moves;
}

static bool is_always(const CountedLoop *loop, const LoopAccess *access) {
    return loop_is_always(loop, LLVMGetInstructionParent(access->instruction));
}

static bool add_access(const CountedLoop *loop, LLVMTargetDataRef layout, LoopMemory *memory,
                       LLVMValueRef instruction) {
    bool is_store = LLVMIsAStoreInst(instruction) != NULL;
    LLVMValueRef address = LLVMGetOperand(instruction, is_store ? 1 : 0);
    LoopAccess access = {
        .instruction = instruction,
        .address = address,
        .type = LLVMTypeOf(is_store ? LLVMGetOperand(instruction, 0) : instruction),
        .is_store = is_store,
        .root = loop_root_of(address),
        .place = (unsigned)memory->accesses.count,
    };
    LoopNature nature = loop_nature(loop, address);
    bool is_known = nature == NATURE_FIXED ||
                    (nature == NATURE_COUNTED && find_movement(loop, layout, &access));
    if (!is_known && !is_store && nature == NATURE_COUNTED) {
        access.is_scattered = is_known = true;
    }
    if (!is_known || !proof_is_plain_access(instruction) || (is_store && !access.moves) ||
        (!is_store && !is_always(loop, &access))) {
        return false;
    }
    memory->stores += is_store;
    array_push(loop->arena, &memory->accesses, access);
    return true;
}

/* ---- pairs ---- */

bool loop_access_same_row(const LoopAccess *a, const LoopAccess *b) {
    bool is_same = a->slope != 0 && a->slope == b->slope && a->row == b->row &&
                   a->widening == b->widening && a->type == b->type &&
                   a->index.count == b->index.count;
    for (unsigned i = 0; is_same && i < a->index.count; i++) {
        is_same = form_factor(&b->index, a->index.terms[i].value) == a->index.terms[i].factor;
    }
    return is_same;
}

static bool is_sole_argument(LLVMValueRef root) {
    static const char name[] = "noalias";
    if (LLVMIsAArgument(root) == NULL) {
        return false;
    }
    LLVMValueRef function = LLVMGetParamParent(root);
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    unsigned index = 1;
    while (LLVMGetParam(function, index - 1) != root) {
        index++;
    }
    return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

bool loop_are_different_objects(LLVMValueRef a, LLVMValueRef b) {
    bool is_local_a = LLVMIsAAllocaInst(a) != NULL;
    bool is_local_b = LLVMIsAAllocaInst(b) != NULL;
    bool is_argument_a = LLVMIsAArgument(a) != NULL;
    bool is_argument_b = LLVMIsAArgument(b) != NULL;
    return a != b && (is_local_a || is_argument_a) && (is_local_b || is_argument_b) &&
           (is_local_a || is_local_b || is_sole_argument(a) || is_sole_argument(b));
}

/* Both branches of an IF write one element: LLVM makes one store of them. A store in one branch
 * alone no vectors are made of. */
static bool is_written_either_way(const CountedLoop *loop, const LoopMemory *memory,
                                  const LoopAccess *written) {
    bool is_either = is_always(loop, written);
    for (size_t i = 0; !is_either && i < memory->accesses.count; i++) {
        const LoopAccess *other = &memory->accesses.items[i];
        is_either = other != written && other->is_store && loop_access_same_row(other, written) &&
                    other->distance == written->distance;
    }
    return is_either;
}

static bool are_written_either_way(const CountedLoop *loop, const LoopMemory *memory) {
    bool are_either = true;
    for (size_t i = 0; are_either && i < memory->accesses.count; i++) {
        const LoopAccess *access = &memory->accesses.items[i];
        are_either = !access->is_store || is_written_either_way(loop, memory, access);
    }
    return are_either;
}

/* One element is written when all who read it have; false: it is read after that. */
static bool is_written_last(const LoopAccess *read, const LoopAccess *written) {
    return read->distance > written->distance ||
           (read->distance == written->distance && read->place < written->place);
}

static void look_at_pair(const CountedLoop *loop, LoopMemory *memory, const LoopAccess *read,
                         const LoopAccess *written) {
    if (loop_are_different_objects(read->root, written->root)) {
        return;
    }
    if (read->is_scattered) {
        memory->again = AGAIN_NEVER; /* where it reads is not known */
        return;
    }
    if (!loop_access_same_row(read, written)) {
        array_push(loop->arena, &memory->apart, read);
        array_push(loop->arena, &memory->apart, written);
        return;
    }
    if (memory->again == AGAIN_NEVER) {
        return;
    }
    LoopAgain found = is_written_last(read, written) ? AGAIN_READING : AGAIN_NEVER;
    bool is_one = memory->again == AGAIN_FREELY && read->distance == written->distance;
    memory->read = is_one ? read : NULL;
    memory->written = is_one ? written : NULL;
    memory->again = found < memory->again ? found : memory->again;
}

static void look_at_pairs(const CountedLoop *loop, LoopMemory *memory) {
    for (size_t i = 0; i < memory->accesses.count; i++) {
        const LoopAccess *written = &memory->accesses.items[i];
        for (size_t j = 0; written->is_store && j < memory->accesses.count; j++) {
            if (!memory->accesses.items[j].is_store) {
                look_at_pair(loop, memory, &memory->accesses.items[j], written);
            }
        }
    }
}

bool loop_memory_find(const CountedLoop *loop, LLVMTargetDataRef layout, LoopMemory *memory) {
    *memory = (LoopMemory){.again = AGAIN_FREELY};
    for (size_t i = 0; i < loop->blocks.count; i++) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(loop->blocks.items[i]->block);
             each != NULL; each = LLVMGetNextInstruction(each)) {
            bool is_access = LLVMIsALoadInst(each) != NULL || LLVMIsAStoreInst(each) != NULL;
            if (is_access && !add_access(loop, layout, memory, each)) {
                return false;
            }
        }
    }
    look_at_pairs(loop, memory);
    return are_written_either_way(loop, memory) && memory->again != AGAIN_NEVER &&
           memory->apart.count <= 2 * PAIRS_LIMIT;
}

const LoopAccess *loop_access_of(const LoopMemory *memory, LLVMValueRef instruction) {
    for (size_t i = 0; i < memory->accesses.count; i++) {
        if (memory->accesses.items[i].instruction == instruction) {
            return &memory->accesses.items[i];
        }
    }
    return NULL;
}

/* ---- at run time ---- */

typedef struct Range {
    LLVMValueRef first, end;
} Range;

static Range range_of(const CountedLoop *loop, LLVMTargetDataRef layout, LLVMBuilderRef builder,
                      const LoopAccess *access, LLVMValueRef counter, LLVMValueRef count) {
    LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(counter)));
    LLVMValueRef address = loop_value_at(loop, builder, access->address, counter);
    LLVMValueRef first = LLVMBuildPtrToInt(builder, address, word, "");
    LLVMValueRef size = LLVMConstInt(word, LLVMABISizeOfType(layout, access->type), 0);
    if (access->moves) {
        size = LLVMBuildMul(builder, LLVMBuildIntCast2(builder, count, word, 0, ""), size, "");
    }
    return (Range){first, LLVMBuildAdd(builder, first, size, "")};
}

LLVMValueRef loop_memory_is_apart(const CountedLoop *loop, const LoopMemory *memory,
                                  LLVMTargetDataRef layout, LLVMBuilderRef builder,
                                  LLVMValueRef counter, LLVMValueRef count) {
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < memory->apart.count; i += 2) {
        Range a = range_of(loop, layout, builder, memory->apart.items[i], counter, count);
        Range b = range_of(loop, layout, builder, memory->apart.items[i + 1], counter, count);
        LLVMValueRef before = LLVMBuildICmp(builder, LLVMIntULE, a.end, b.first, "");
        LLVMValueRef behind = LLVMBuildICmp(builder, LLVMIntULE, b.end, a.first, "");
        LLVMValueRef apart = LLVMBuildOr(builder, before, behind, "");
        all = all == NULL ? apart : LLVMBuildAnd(builder, all, apart, "apart");
    }
    return all;
}
