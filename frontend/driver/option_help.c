/* option_help -- the table of options, and the list that --help prints of it. */
#include "option_table.h"
#include "options.h"

#include <stdio.h>

#define HELP_COLUMN 28

static const OptionEntry entries[] = {
#define OPTION(ID, spelling, kind, value, group, help)                                             \
    {spelling, KIND_##kind, value, GROUP_##group, help},
#include "option.def"
#undef OPTION
};

static const char *const group_titles[] = {
#define GROUP(ID, title) title,
#include "option.def"
#undef GROUP
};

const char *option_group_title(OptionGroup group) {
    return group_titles[group];
}

const OptionEntry *option_entry(OptionId id) {
    return &entries[id];
}

static void print_option(const OptionEntry *entry) {
    bool is_apart = entry->kind == KIND_EITHER || entry->kind == KIND_SEPARATE;
    int width = printf("  %s%s%s", entry->spelling, is_apart ? " " : "", entry->value);
    if (width >= HELP_COLUMN) {
        printf("\n%*s", HELP_COLUMN, "");
    } else {
        printf("%*s", HELP_COLUMN - width, "");
    }
    printf("%s\n", entry->help);
}

static void print_group(OptionGroup group) {
    printf("\n%s:\n", group_titles[group]);
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        if (entries[id].group == group && entries[id].help[0]) {
            print_option(&entries[id]);
        }
    }
}

bool options_print_developer(void) {
    print_group(GROUP_DEVELOPER);
    return fflush(stdout) == 0 && !ferror(stdout);
}

bool options_print_help(void) {
    printf("occc - compiler for occam 2.1 and occam-pi\n\n"
           "USAGE: occc [options] file...              compile and link (to a.out)\n"
           "       occc run [options] file [args...]   compile, then run the program\n"
           "       occc explore [options] file [args...]  compile, then run every behaviour\n"
           "       occc check [options] file...        only check\n"
           "       occc test [options] [path...]       run the tests of *_test.occ files\n"
           "       occc build [options]                make what occ.toml says\n"
           "       occc new [kind] name                a package: program, library, server, "
           "exercise\n"
           "       occc add [--rev=name] place...      a folder or repository that the package "
           "needs\n"
           "       occc fmt [-l] [-d] [-w] file...     put the blanks of a line in order\n"
           "       occc graph [-o out.svg] file...     draw the processes and channels (dot, svg, "
           "html, json)\n"
           "       occc export [--csp] [-o out.pml] file  what processes say to each other, as a "
           "model "
           "for Spin or FDR\n"
           "       occc doc [--as=form] [-o folder] [file...]  pages from the comments of sources "
           "(html, md, man)\n"
           "       occc trace [-o out.json] file       what a run with OCC_TRACE=file did: a "
           "profile, json, svg\n"
           "       occc debug [gdb options] program [core]  gdb that knows processes; --dap: for "
           "editors\n"
           "       occc top pid                        what the processes of a running program do\n"
           "       occc lsp [options]                  a language server, which an editor starts\n"
           "       occc play [address]                 a page with an editor, to try programs\n"
           "       occc explain [id...]                what a message means, with an example\n\n"
           "Files: .occ sources, .o objects, .a archives, - standard input (with -x occam),\n"
           "       @file: more words of the command line from <file>\n");
    for (unsigned group = 0; group < GROUP_DEVELOPER; group++) {
        print_group((OptionGroup)group);
    }
    printf("\nMessages: occc explain <id> tells what the name in brackets means.\n");
    printf("Exit status: 0 done, 1 errors, 2 wrong usage, 70 a fault of the compiler;\n"
           "of occc explore also 4 a fault was found, 5 none, but not all was explored;\n"
           "of occc check --deadlock also 5 not proved.\n");
    return fflush(stdout) == 0 && !ferror(stdout);
}

bool options_print_warnings(void) {
    printf("Warnings, all on: -Wno-<name> switches one off, -Werror=<name> makes it an error.\n");
    for (unsigned id = 0; id < DIAG_COUNT; id++) {
        if (diag_severity((DiagId)id) == SEVERITY_WARNING) {
            printf("  %s\n", diag_name((DiagId)id));
        }
    }
    printf("\nErrors that -Wno-error=<name> makes warnings:\n");
    for (unsigned id = 0; id < DIAG_COUNT; id++) {
        if (diag_severity((DiagId)id) == SEVERITY_RELAXABLE) {
            printf("  %s\n", diag_name((DiagId)id));
        }
    }
    printf("\nRemarks, given on request: -R<name>.\n");
    for (unsigned id = 0; id < DIAG_COUNT; id++) {
        if (diag_severity((DiagId)id) == SEVERITY_REMARK) {
            printf("  %s\n", diag_name((DiagId)id));
        }
    }
    return fflush(stdout) == 0 && !ferror(stdout);
}
