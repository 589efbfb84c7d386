/* coverage_report -- what of the sources has run, in words. See coverage.h.
 *
 *   coverage: 35 of 40 lines (87.5 %), 3 of 5 alternatives of ALTs, 7 of 9 branches of IF and CASE
 *     queue.occ: 18 of 20 lines (90.0 %)
 *       never run: lines 12 to 14, 30
 *       never taken: the alternatives of ALT in lines 22, 24 */
#include "coverage.h"

#include <stdio.h>

static double percent(size_t part, size_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 100.0;
}

/* A list of numbers in their order, with the commas between them. */
static void print_number(unsigned first, unsigned last, bool is_begun) {
    printf(first == last ? "%s%u" : "%s%u to %u", is_begun ? ", " : "", first, last);
}

/* Lines that follow each other among those that can run are one range. */
static void print_never_run(const CoveredLines *lines) {
    bool is_begun = false;
    for (size_t i = 0; i < lines->count; i++) {
        size_t end = i;
        while (end < lines->count && lines->items[end].count == 0) {
            end++;
        }
        if (end > i) {
            printf("%s", is_begun ? "" : "    never run: lines ");
            print_number(lines->items[i].line, lines->items[end - 1].line, is_begun);
            is_begun = true;
            i = end;
        }
    }
    printf("%s", is_begun ? "\n" : "");
}

static void print_never_taken(const CoveredFile *file, PlaceKind first, PlaceKind last,
                              const char *what) {
    bool is_begun = false;
    for (size_t i = 0; i < file->count; i++) {
        const Place *place = &file->places[i];
        if (place->kind >= first && place->kind <= last && place->count == 0) {
            printf("%s", is_begun ? "" : "    never taken: ");
            printf("%s", is_begun ? "" : what);
            print_number(place->line, place->line, is_begun);
            is_begun = true;
        }
    }
    printf("%s", is_begun ? "\n" : "");
}

static void print_file(const CoveredFile *file, const CoveredLines *lines) {
    printf("  %s: %zu of %zu lines (%.1f %%)\n", file->path, lines->run, lines->count,
           percent(lines->run, lines->count));
    print_never_run(lines);
    print_never_taken(file, PLACE_ALTERNATIVE, PLACE_ALTERNATIVE, "alternatives of ALT in lines ");
    print_never_taken(file, PLACE_CHOICE, PLACE_OPTION, "branches of IF and CASE in lines ");
}

void coverage_report(Arena *arena, const CoveredFiles *files) {
    PlaceCount lines = {0};
    PlaceCount alternatives = {0};
    PlaceCount branches = {0};
    for (size_t i = 0; i < files->count; i++) {
        CoveredLines of_file = coverage_lines(arena, &files->items[i]);
        PlaceCount alts = coverage_count(&files->items[i], PLACE_ALTERNATIVE, PLACE_ALTERNATIVE);
        PlaceCount others = coverage_count(&files->items[i], PLACE_CHOICE, PLACE_OPTION);
        lines = (PlaceCount){lines.all + of_file.count, lines.run + of_file.run};
        alternatives = (PlaceCount){alternatives.all + alts.all, alternatives.run + alts.run};
        branches = (PlaceCount){branches.all + others.all, branches.run + others.run};
    }
    printf("coverage: %zu of %zu lines (%.1f %%), %zu of %zu alternatives of ALTs, %zu of %zu "
           "branches of IF and CASE\n",
           lines.run, lines.all, percent(lines.run, lines.all), alternatives.run, alternatives.all,
           branches.run, branches.all);
    for (size_t i = 0; i < files->count; i++) {
        CoveredLines of_file = coverage_lines(arena, &files->items[i]);
        print_file(&files->items[i], &of_file);
    }
    fflush(stdout);
}
