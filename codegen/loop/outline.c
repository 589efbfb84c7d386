/* outline -- see the header.
 *
 * A loop with all in it goes as a whole, but one that is itself very long, whose inner loops go.
 * What is then still in the routine are statements that run once, and calls.
 *
 * Holds:  sizes are blocks as emitted, with a handful for each check. */
#include "outline.h"

#include "edit.h"
#include "llvm_compat.h"
#include "outline_state.h"

#include <stdio.h>
#include <stdlib.h>

/* A routine keeps so many loops; a part is so long at most. */
enum { LOOPS_MOST = 24, PART_MOST = 300 };

typedef struct Outliner {
    Arena *arena;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    FlowGraph *graph;
    ARRAY_OF(OutlinePart *) parts;
    NameMap taken; /* LLVMBasicBlockRef -> the part that it is in */
} Outliner;

/* ---- which ---- */

static void add_block(OutlinePart *part, FlowBlock *block) {
    void **slot = name_map_at(&part->inside, &block->block, sizeof(LLVMBasicBlockRef));
    if (*slot == NULL) {
        *slot = block->block;
        array_push(part->arena, &part->blocks, block);
    }
}

/* All that lead back to the header without passing it; false: too many. */
static bool collect(OutlinePart *part, FlowBlock *header) {
    add_block(part, header);
    for (size_t i = 0; i < header->before.count; i++) {
        if (flow_dominates(header, header->before.items[i])) {
            add_block(part, header->before.items[i]);
        }
    }
    for (size_t i = 1; i < part->blocks.count && part->blocks.count <= PART_MOST; i++) {
        FlowBlock *block = part->blocks.items[i];
        for (size_t j = 0; j < block->before.count; j++) {
            add_block(part, block->before.items[j]);
        }
    }
    return part->blocks.count <= PART_MOST;
}

static void find_parts(Outliner *outliner) {
    const FlowGraph *graph = outliner->graph;
    for (size_t i = 0; i < graph->order.count; i++) {
        FlowBlock *header = graph->order.items[i];
        if (!loop_is_header(header) ||
            name_map_find(&outliner->taken, &header->block, sizeof header->block) != NULL) {
            continue;
        }
        OutlinePart *part = arena_new(outliner->arena, OutlinePart);
        part->arena = part->inside.arena = part->places.arena = outliner->arena;
        if (!collect(part, header)) {
            continue;
        }
        array_push(outliner->arena, &outliner->parts, part);
        for (size_t j = 0; j < part->blocks.count; j++) {
            LLVMBasicBlockRef block = part->blocks.items[j]->block;
            *name_map_at(&outliner->taken, &block, sizeof block) = part;
        }
    }
}

/* ---- all of them ---- */

static unsigned count_headers(const FlowGraph *graph) {
    unsigned count = 0;
    for (size_t i = 0; i < graph->order.count; i++) {
        count += loop_is_header(graph->order.items[i]);
    }
    return count;
}

static void outline(Outliner *outliner, LLVMValueRef function) {
    outliner->graph = flow_graph_create(outliner->arena, function);
    if (count_headers(outliner->graph) <= LOOPS_MOST) {
        return;
    }
    outliner->taken.arena = outliner->arena;
    outline_drop_dead(outliner->graph, outliner->builder, function);
    outline_split_pairs(outliner->builder, function);
    find_parts(outliner);
    unsigned made = 0;
    for (size_t i = 0; outliner->parts.count > LOOPS_MOST && i < outliner->parts.count; i++) {
        OutlinePart *part = outliner->parts.items[i];
        part->graph = outliner->graph;
        part->layout = outliner->layout;
        part->builder = outliner->builder;
        part->function = function;
        const char *name = arena_format(outliner->arena, "%s" OUTLINE_SUFFIX "%u",
                                        LLVMGetValueName2(function, &(size_t){0}), made);
        made += outline_move(part, name);
    }
}

void outline_loops(LLVMModuleRef module, LLVMTargetDataRef layout) {
    LLVMBuilderRef builder = edit_open(module);
    LLVMValueRef last = LLVMGetLastFunction(module); /* what is made stands behind */
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = function != last ? LLVMGetNextFunction(function) : NULL) {
        if (!LLVMIsDeclaration(function) && !compat_is_left_alone(function) &&
            LLVMCountBasicBlocks(function) > LOOPS_MOST) {
            Arena *arena = arena_create();
            Outliner outliner = {.arena = arena, .layout = layout, .builder = builder};
            outline(&outliner, function);
            arena_destroy(arena);
        }
    }
    edit_close(builder);
}
