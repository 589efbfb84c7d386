/* front_fuzz -- libFuzzer on text to checked tree: scanner, preprocessor, layout, parser and all
 * checks, in one process and without files (reliability.md R1).
 *
 * Holds: whatever the bytes are, the compiler reports or is content; it does not crash, leak out of
 *        its arena, run into undefined behaviour or take longer than -timeout. */
#include "compiler.h"
#include "parse.h"
#include "pass.h"
#include "unit.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static FILE *nowhere(void) {
    static FILE *stream;
    if (!stream) {
        stream = fopen("/dev/null", "w");
    }
    return stream;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Compiler compiler = {.arena = arena_create()};
    compiler.texts = text_table_create(compiler.arena);
    compiler.sources = source_map_create(compiler.arena);
    compiler.diag =
        diag_create(compiler.arena, compiler.sources, nowhere(), (DiagSettings){.error_limit = 20});
    compiler.units = unit_table_create(compiler.arena);
    Node *unit = parse_text(&compiler, "input.occ", (const char *)bytes, size);
    const PassRequest request = {.stop_after = NULL};
    (void)pass_check(&compiler, unit, &request);
    diag_finish(compiler.diag);
    arena_destroy(compiler.arena);
    return 0;
}
