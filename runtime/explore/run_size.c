/* run_size -- see run_size.h. */
#include "run_size.h"

#include "block.h"
#include "worker.h"

enum { FIRST_WORDS = 4 };

/* Is there a word at the top of its stack, below the descriptor? */
static bool has_been_used(const Process *process) {
    const uint64_t *end = (const void *)process;
    uint64_t bits = 0;
    for (int i = 1; i <= FIRST_WORDS; i++) {
        bits |= end[-i];
    }
    return bits != 0;
}

void run_size_note(SearchRun *run) {
    run->blocks = run->block_bytes = 0;
    BlockCursor cursor = block_first(&rt_root.blocks);
    for (const Process *each = block_next(&cursor); each != NULL; each = block_next(&cursor)) {
        if (has_been_used(each)) {
            run->blocks++;
            run->block_bytes += block_bytes(each);
        }
    }
}

void run_size_add(ExploreRegion *region, const SearchRun *run) {
    if (run->blocks > region->most_blocks) {
        region->most_blocks = run->blocks;
    }
    if (run->block_bytes > region->most_block_bytes) {
        region->most_block_bytes = run->block_bytes;
    }
}
