/* flow_graph -- order and dominators of graphs given as text, compared with their definitions. */
#include "flow_graph.h"

#include <llvm-c/IRReader.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_MAX 24u

static LLVMModuleRef parse(LLVMContextRef context, const char *text) {
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "graph");
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    return module;
}

static LLVMBasicBlockRef named(LLVMValueRef function, const char *name) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        if (strcmp(LLVMGetBasicBlockName(block), name) == 0) {
            return block;
        }
    }
    return NULL;
}

static bool dominates(const FlowGraph *graph, LLVMValueRef function, const char *a, const char *b) {
    return flow_dominates(flow_graph_block(graph, named(function, a)),
                          flow_graph_block(graph, named(function, b)));
}

static void test_flow_dominates__in_a_loop_with_a_choice(Arena *arena, LLVMContextRef context) {
    LLVMModuleRef module = parse(context, "define void @f(i1 %c) {\n"
                                          "entry:\n  br label %head\n"
                                          "head:\n  br i1 %c, label %left, label %right\n"
                                          "left:\n  br label %join\n"
                                          "right:\n  br label %join\n"
                                          "join:\n  br i1 %c, label %head, label %exit\n"
                                          "exit:\n  ret void\n"
                                          "never:\n  br label %exit\n}\n");
    LLVMValueRef function = LLVMGetNamedFunction(module, "f");
    FlowGraph *graph = flow_graph_create(arena, function);
    assert(graph->order.count == 6);
    assert(flow_graph_block(graph, named(function, "never")) == NULL);
    assert(flow_graph_block(graph, named(function, "exit"))->before.count == 1);
    assert(flow_graph_block(graph, named(function, "head"))->before.count == 2);
    assert(dominates(graph, function, "entry", "exit"));
    assert(dominates(graph, function, "head", "join"));
    assert(dominates(graph, function, "join", "exit"));
    assert(dominates(graph, function, "left", "left"));
    assert(!dominates(graph, function, "left", "join"));
    assert(!dominates(graph, function, "join", "head"));
    assert(flow_graph_block(graph, named(function, "join"))->dominator->block ==
           named(function, "head"));
    LLVMDisposeModule(module);
}

/* ---- against the definition ---- */

/* Is `to` reached from the entry by a way that avoids `without`? */
static bool is_reached(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef without,
                       LLVMBasicBlockRef *seen, unsigned *count) {
    if (from == without) {
        return false;
    }
    if (from == to) {
        return true;
    }
    for (unsigned i = 0; i < *count; i++) {
        if (seen[i] == from) {
            return false;
        }
    }
    seen[(*count)++] = from;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
        if (is_reached(LLVMGetSuccessor(last, i), to, without, seen, count)) {
            return true;
        }
    }
    return false;
}

static bool is_reached_without(LLVMValueRef function, LLVMBasicBlockRef to,
                               LLVMBasicBlockRef without) {
    LLVMBasicBlockRef seen[BLOCKS_MAX];
    unsigned count = 0;
    return is_reached(LLVMGetEntryBasicBlock(function), to, without, seen, &count);
}

static unsigned next_random(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

static void write_graph(char *text, size_t size, unsigned blocks, unsigned *state) {
    size_t length =
        (size_t)snprintf(text, size, "define void @f(i1 %%c) {\nb0:\n  br label %%b1\n");
    for (unsigned i = 1; i < blocks; i++) {
        unsigned a = 1 + next_random(state) % (blocks - 1);
        unsigned b = 1 + next_random(state) % (blocks - 1);
        const char *form = next_random(state) % 8 == 0
                               ? "b%u:\n  ret void\n"
                               : "b%u:\n  br i1 %%c, label %%b%u, label %%b%u\n";
        length += (size_t)snprintf(text + length, size - length, form, i, a, b);
    }
    snprintf(text + length, size - length, "}\n");
}

static void compare_with_definition(FlowGraph *graph, LLVMValueRef function) {
    for (LLVMBasicBlockRef a = LLVMGetFirstBasicBlock(function); a != NULL;
         a = LLVMGetNextBasicBlock(a)) {
        FlowBlock *first = flow_graph_block(graph, a);
        assert((first != NULL) == is_reached_without(function, a, NULL));
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL && first != NULL;
             b = LLVMGetNextBasicBlock(b)) {
            FlowBlock *second = flow_graph_block(graph, b);
            if (second != NULL) {
                assert(flow_dominates(first, second) ==
                       (a == b || !is_reached_without(function, b, a)));
            }
        }
    }
}

static void test_flow_dominates__is_what_its_definition_says(Arena *arena, LLVMContextRef context) {
    unsigned state = 5;
    for (unsigned round = 0; round < 300; round++) {
        char text[4096];
        write_graph(text, sizeof text, 3 + round % (BLOCKS_MAX - 3), &state);
        LLVMModuleRef module = parse(context, text);
        LLVMValueRef function = LLVMGetNamedFunction(module, "f");
        compare_with_definition(flow_graph_create(arena, function), function);
        LLVMDisposeModule(module);
    }
}

int main(void) {
    Arena *arena = arena_create();
    LLVMContextRef context = LLVMContextCreate();
    test_flow_dominates__in_a_loop_with_a_choice(arena, context);
    test_flow_dominates__is_what_its_definition_says(arena, context);
    LLVMContextDispose(context);
    arena_destroy(arena);
    puts("ok");
    return 0;
}
