/* stack_table -- the table's text, and the calls read out of an object that LLVM made. */
#include "llvm_compat.h"
#include "stack_table.h"

#include <llvm-c/IRReader.h>
#include <llvm-c/TargetMachine.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void test_stack_table__reads_what_it_wrote(Arena *arena) {
    static const char text[] = "occ-stack 1 7 19\n"
                               "f 24 p main.relay\nc occ_channel_input\nt __x86_return_thunk\n"
                               "f 0 - main.add\n";
    StackTable *table = stack_table_create(arena, 0, 0);
    assert(!stack_table_decode(table, text, sizeof text - 1));
    assert(table->abi_version == 7 && table->llvm_version == 19);
    StackEntry *relay = stack_table_find(table, "main.relay");
    assert(relay && relay->frame_bytes == 24 && relay->may_wait && relay->callees.count == 2);
    assert(relay->callees.items[1].is_tail && !relay->callees.items[0].is_tail);
    assert(!stack_table_find(table, "main.add")->may_wait);
    size_t size;
    const char *again = stack_table_encode(table, &size);
    assert(size == sizeof text - 1 && memcmp(again, text, size) == 0);
}

static void test_stack_table__joins_sections(Arena *arena) {
    static const char text[] = "occ-stack 1 1 19\nf 8 p a\nocc-stack 1 1 19\nf 16 p b\n";
    StackTable *table = stack_table_create(arena, 0, 0);
    assert(!stack_table_decode(table, text, sizeof text - 1));
    assert(table->entries.count == 2);
}

static void test_stack_table__refuses_damage(Arena *arena) {
    static const char *const texts[] = {
        "",
        "f 8 p a\n",
        "occ-stack 2 1 19\n",
        "occ-stack 1 1\n",
        "occ-stack 1 1 19",
        "occ-stack 1 1 19\nf x p a\n",
        "occ-stack 1 1 19\nf 8 q a\n",
        "occ-stack 1 1 19\nf 8 p \n",
        "occ-stack 1 1 19\nc early\n",
        "occ-stack 1 1 19\nf 8 p a\nf 8 p a\n",
        "occ-stack 1 1 19\nf 99999999999 p a\n",
        "occ-stack 1 1 19\nocc-stack 1 2 19\n",
        "occ-stack 1 1 19\nnonsense\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        StackTable *table = stack_table_create(arena, 0, 0);
        assert(stack_table_decode(table, texts[i], strlen(texts[i])));
    }
}

static const char ir[] =
    "declare void @outside()\n"
    "declare hidden void @hidden()\n"
    "@slot = external hidden global ptr\n"
    "define hidden void @leaf() noinline nounwind { store volatile ptr @calls, ptr @slot\n"
    "  ret void }\n"
    "define hidden void @calls() nounwind { call void @leaf()\n call void @outside()\n"
    "  call void @leaf()\n ret void }\n"
    "define hidden void @jumps(i1 %c) nounwind { br i1 %c, label %a, label %b\n"
    "a:\n tail call void @hidden()\n ret void\nb:\n ret void }\n"
    "define internal void @own() noinline nounwind section \".text.own\" { ret void }\n"
    "define hidden void @across() nounwind { call void @own()\n call void @leaf()\n ret void }\n"
    "define hidden void @copies(ptr %a, ptr %b, i64 %n) nounwind {\n"
    "  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false)\n"
    "  call void @leaf()\n  ret void }\n"
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";

/* The object of the module above. */
/* The object that has it starts LLVM. */
extern void (*const starts_llvm)(const char *);
void (*const starts_llvm)(const char *) = compat_give_up;

static ElfFile compile(Arena *arena) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRange(ir, sizeof ir - 1, "ir", 1);
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMParseIRInContext(context, text, &module, &message)) {
        puts(message);
        assert(0);
    }
    char *triple = LLVMGetDefaultTargetTriple();
    LLVMTargetRef target;
    assert(!LLVMGetTargetFromTriple(triple, &target, &message));
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        target, triple, "x86-64", "", LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMMemoryBufferRef object;
    assert(
        !LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object));
    size_t size = LLVMGetBufferSize(object);
    const uint8_t *bytes = arena_copy(arena, LLVMGetBufferStart(object), size);
    ElfFile file;
    assert(elf_file_open(&file, bytes, size));
    LLVMDisposeMemoryBuffer(object);
    LLVMDisposeTargetMachine(machine);
    LLVMDisposeMessage(triple);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return file;
}

static bool has_callee(const StackTable *table, const char *from, const char *to, bool is_tail) {
    const StackEntry *entry = stack_table_find(table, from);
    for (size_t i = 0; i < entry->callees.count; i++) {
        const StackCallee *callee = &entry->callees.items[i];
        if (strcmp(callee->name, to) == 0 && callee->is_tail == is_tail) {
            return true;
        }
    }
    return false;
}

static void test_stack_table__reads_calls(Arena *arena) {
    static const char *const names[] = {"leaf", "calls", "jumps", "own", "across", "copies"};
    ElfFile object = compile(arena);
    StackTable *table = stack_table_create(arena, 1, 19);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        stack_table_add(table, names[i], 8, true);
    }
    stack_table_add_calls(table, &object);
    assert(stack_table_find(table, "leaf")->callees.count == 0); /* an address is no call */
    assert(stack_table_find(table, "calls")->callees.count == 2);
    assert(has_callee(table, "calls", "leaf", false) || has_callee(table, "calls", "leaf", true));
    assert(has_callee(table, "calls", "outside", false));
    assert(has_callee(table, "jumps", "hidden", true));
    assert(has_callee(table, "across", "own", false)); /* a local function in another section */
    assert(has_callee(table, "across", "leaf", false));
    assert(has_callee(table, "copies", "memcpy", false));
}

int main(void) {
    Arena *arena = arena_create();
    assert(compat_llvm_version() == 19);
    test_stack_table__reads_what_it_wrote(arena);
    test_stack_table__joins_sections(arena);
    test_stack_table__refuses_damage(arena);
    test_stack_table__reads_calls(arena);
    arena_destroy(arena);
    return 0;
}
