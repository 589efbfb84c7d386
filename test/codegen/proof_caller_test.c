/* proof_caller -- what all calls of a function say of its first parameter, in modules given as
 * text. */
#include "proof.h"

#include <llvm-c/IRReader.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Question -- is f's first parameter at least `least`, and then at most `most`, at its entry? */
typedef struct Question {
    const char *text;
    int64_t least;
    int64_t most;
    bool holds;
} Question;

static LLVMModuleRef parse(LLVMContextRef context, const char *text) {
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "calls");
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
        fprintf(stderr, "%s\n", message);
        abort();
    }
    return module;
}

static bool answer(LLVMModuleRef module, int64_t least, int64_t most) {
    Arena *arena = arena_create();
    LLVMValueRef function = LLVMGetNamedFunction(module, "f");
    Prover *prover = proof_module_prover(proof_module_create(arena), function);
    FlowBlock *entry = flow_graph_block(prover_graph(prover), LLVMGetEntryBasicBlock(function));
    bool holds = prover_at_least(prover, LLVMGetParam(function, 0), least, entry) &&
                 prover_not_above(prover, LLVMGetParam(function, 0), most, entry);
    arena_destroy(arena);
    return holds;
}

static void ask(LLVMContextRef context, const Question *questions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        LLVMModuleRef module = parse(context, questions[i].text);
        bool holds = answer(module, questions[i].least, questions[i].most);
        if (holds != questions[i].holds) {
            fprintf(stderr, "question %zu is answered %d:\n%s\n", i, holds, questions[i].text);
            abort();
        }
        LLVMDisposeModule(module);
    }
}

#define MOST INT64_C(2147483647)
#define F    "define internal void @f(i32 %a) {\n  ret void\n}\n"
#define CALLER                                                                                     \
    "define void @caller() {\n  call void @f(i32 3)\n  call void @f(i32 0)\n  ret void\n}\n"

static void test_prover__all_calls_are_asked(LLVMContextRef context) {
    static const Question questions[] = {
        {F CALLER, 0, MOST, true},
        {F CALLER, 0, 3, true},
        {F CALLER, 0, 2, false},
        {F CALLER, 1, MOST, false},
        {F CALLER "define void @other() {\n  call void @f(i32 -1)\n  ret void\n}\n", 0, MOST,
         false},
        {F CALLER "define void @other(i32 %x) {\n  call void @f(i32 %x)\n  ret void\n}\n", 0, MOST,
         false},
        {F CALLER "define void @other(i32 %x) {\n  %y = and i32 %x, 2\n  call void @f(i32 %y)\n"
                  "  ret void\n}\n",
         0, 3, true},
    };
    ask(context, questions, sizeof questions / sizeof *questions);
}

static void test_prover__a_function_that_others_may_call_is_not_known(LLVMContextRef context) {
    static const Question questions[] = {
        {"define void @f(i32 %a) {\n  ret void\n}\n" CALLER, 0, MOST, false},
        {F, 0, MOST, false},
        {F CALLER "@kept = global ptr @f\n", 0, MOST, false},
        {F CALLER "declare void @run(ptr)\ndefine void @other() {\n  call void @run(ptr @f)\n"
                  "  ret void\n}\n",
         0, MOST, false},
    };
    ask(context, questions, sizeof questions / sizeof *questions);
}

#define UP(step)                                                                                   \
    "define internal void @f(i32 %a) {\n  %c = icmp slt i32 %a, 100\n"                             \
    "  br i1 %c, label %more, label %done\nmore:\n  %b = add nsw i32 %a, " step "\n"               \
    "  call void @f(i32 %b)\n  br label %done\ndone:\n  ret void\n}\n"

static void test_prover__recursion_is_induction(LLVMContextRef context) {
    static const Question questions[] = {
        {UP("1") CALLER, 0, 100, true},
        {UP("1") CALLER, 0, 99, false},
        {UP("2") CALLER, 0, 101, true},
        {UP("-1") CALLER, 0, MOST, false},
        {UP("-1") CALLER, -MOST - 1, 3, true},
        {"define internal void @f(i32 %a) {\n  call void @g(i32 %a)\n  ret void\n}\n"
         "define internal void @g(i32 %a) {\n  %b = sdiv i32 %a, 2\n  call void @f(i32 %b)\n"
         "  ret void\n}\n" CALLER,
         0, MOST, true},
        {"define internal void @f(i32 %a) {\n  call void @g(i32 %a)\n  ret void\n}\n"
         "define internal void @g(i32 %a) {\n  %b = sub i32 %a, 2\n  call void @f(i32 %b)\n"
         "  ret void\n}\n" CALLER,
         0, MOST, false},
    };
    ask(context, questions, sizeof questions / sizeof *questions);
}

#define COPIES                                                                                     \
    "define internal void @f(i32 %a) {\n  call void @\"f$copy1\"(i32 %a)\n  ret void\n}\n"         \
    "define internal void @\"f$copy1\"(i32 %a) {\n  call void @f(i32 %a)\n  ret void\n}\n"

static void test_prover__copies_are_one_routine(LLVMContextRef context) {
    static const Question questions[] = {
        {COPIES CALLER, 0, 3, true},
        {COPIES CALLER "define void @other() {\n  call void @\"f$copy1\"(i32 -1)\n  ret void\n}\n",
         0, MOST, false},
    };
    ask(context, questions, sizeof questions / sizeof *questions);
}

#define SEGMENT                                                                                    \
    "declare void @occ_call_on_segment_c(ptr, ptr, ptr, i64, ptr)\n"                               \
    "define internal void @f.segment(ptr %me, ptr %r) {\n"                                         \
    "  %p = getelementptr inbounds i8, ptr %r, i64 8\n  %a = load i32, ptr %p\n"                   \
    "  call void @f(i32 %a)\n  ret void\n}\n"                                                      \
    "define void @other(i1 %c) {\n  %r = alloca [2 x i64]\n"                                       \
    "  %p = getelementptr inbounds i8, ptr %r, i64 8\n"
#define ON_SEGMENT                                                                                 \
    "  call void @occ_call_on_segment_c(ptr null, ptr @f.segment, ptr %r, i64 24, ptr null)\n"     \
    "  ret void\n}\n"

static void test_prover__a_record_tells_what_is_passed(LLVMContextRef context) {
    static const Question questions[] = {
        {F CALLER SEGMENT "  store i32 5, ptr %p\n" ON_SEGMENT, 0, 5, true},
        {F CALLER SEGMENT "  store i32 -5, ptr %p\n" ON_SEGMENT, 0, MOST, false},
        {F CALLER SEGMENT ON_SEGMENT, 0, MOST, false},
        {F CALLER SEGMENT "  store i32 5, ptr %p\n  store i32 -1, ptr %p\n" ON_SEGMENT, 0, MOST,
         false},
        {F CALLER SEGMENT "  br i1 %c, label %yes, label %no\nyes:\n  store i32 5, ptr %p\n"
                          "  br label %no\nno:\n" ON_SEGMENT,
         0, MOST, false},
        {F CALLER SEGMENT "  store i32 5, ptr %p\n" ON_SEGMENT "@kept = global ptr @f.segment\n", 0,
         MOST, false},
    };
    ask(context, questions, sizeof questions / sizeof *questions);
}

int main(void) {
    LLVMContextRef context = LLVMContextCreate();
    test_prover__all_calls_are_asked(context);
    test_prover__a_function_that_others_may_call_is_not_known(context);
    test_prover__recursion_is_induction(context);
    test_prover__copies_are_one_routine(context);
    test_prover__a_record_tells_what_is_passed(context);
    LLVMContextDispose(context);
    puts("ok");
    return 0;
}
