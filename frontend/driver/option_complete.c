/* option_complete -- the table of options for others: the manual page and the completions of shells
 * (--help=man, bash, zsh, fish). The words an option takes are in choices_of. */
#include "option_table.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

/* The words an option takes, NULL when they are not a short list. */
static const char *choices_of(OptionId id) {
    static const char *const choices[OPTION_COUNT] = {
        [OPTION_OPTIMISE] = "0 1 2 3 s",
        [OPTION_COLOUR_WHEN] = "auto always never",
        [OPTION_DIAG_FORMAT] = "text json sarif-stderr sarif-file",
        [OPTION_HELP_TOPIC] = "warnings developer",
        [OPTION_DOC_FORM] = "html md man",
        [OPTION_LANGUAGE] = "occam none",
        [OPTION_STOP_AFTER] = "parse types effects clock alias usage unused flow",
        [OPTION_PRINT_AFTER] = "parse types effects clock alias usage unused flow",
        [OPTION_LINKER] = "bfd gold lld mold",
        [OPTION_CPU] = "native x86-64 x86-64-v2 x86-64-v3 x86-64-v4"};
    return choices[id];
}

static bool is_listed(const OptionEntry *entry) {
    return entry->help[0] != '\0' && entry->group != GROUP_DEVELOPER;
}

static bool takes_directory(OptionId id) {
    return id == OPTION_INCLUDE || id == OPTION_LIBRARY_DIRECTORY;
}

static bool takes_file(OptionId id) {
    return id == OPTION_OUTPUT || id == OPTION_DEPENDENCY_FILE;
}

/* ---- the manual page ---- */

/* A spelling or value as scdoc takes it: < and > are how --help marks what the user fills in. */
static void print_scd(const char *text) {
    for (; *text; text++) {
        if (strchr("*_\\#", *text)) {
            putchar('\\');
        }
        if (*text == '<' || *text == '>') {
            putchar('_');
        } else {
            putchar(*text);
        }
    }
}

/* scdoc takes no underline that begins in the middle of a word: -O<level>. */
static bool takes_underline(const OptionEntry *entry) {
    bool is_apart = entry->kind == KIND_EITHER || entry->kind == KIND_SEPARATE;
    return is_apart || entry->spelling[strlen(entry->spelling) - 1] == '=';
}

static void print_man_option(const OptionEntry *entry) {
    bool is_apart = entry->kind == KIND_EITHER || entry->kind == KIND_SEPARATE;
    putchar('*');
    print_scd(entry->spelling);
    printf("*%s", is_apart ? " " : "");
    if (takes_underline(entry)) {
        print_scd(entry->value);
    } else {
        printf("%s", entry->value);
    }
    printf("\n\t");
    print_scd(entry->help);
    printf(".\n\n");
}

static void print_man(void) {
    printf("# OPTIONS\n\n");
    for (unsigned group = 0; group < GROUP_DEVELOPER; group++) {
        printf("## %s\n\n", option_group_title((OptionGroup)group));
        for (unsigned id = 0; id < OPTION_COUNT; id++) {
            const OptionEntry *entry = option_entry((OptionId)id);
            if (entry->group == group && is_listed(entry)) {
                print_man_option(entry);
            }
        }
    }
}

/* ---- names of warnings ---- */

static void print_warning_names(const char *prefix) {
    for (unsigned id = 0; id < DIAG_COUNT; id++) {
        if (diag_severity((DiagId)id) != SEVERITY_ERROR &&
            diag_severity((DiagId)id) != SEVERITY_REMARK) {
            printf("%s%s ", prefix, diag_name((DiagId)id));
        }
    }
}

/* Each choice behind its option: -O0 -O1 ... */
static void print_joined_choices(const OptionEntry *entry, const char *choices) {
    while (*choices) {
        int length = (int)strcspn(choices, " ");
        printf("%s%.*s ", entry->spelling, length, choices);
        choices += length + (choices[length] != '\0');
    }
}

/* ---- bash ---- */

static void print_bash_words(void) {
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        const OptionEntry *entry = option_entry((OptionId)id);
        const char *choices = choices_of((OptionId)id);
        if (is_listed(entry) && entry->kind == KIND_JOINED && choices) {
            print_joined_choices(entry, choices);
        } else if (is_listed(entry)) {
            printf("%s ", entry->spelling);
        }
    }
    print_warning_names("-Wno-");
    print_warning_names("-Werror=");
    print_warning_names("-Wno-error=");
}

static void print_bash_case(const char *body, bool (*takes)(OptionId id)) {
    const char *between = "    ";
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        if (takes((OptionId)id)) {
            printf("%s%s", between, option_entry((OptionId)id)->spelling);
            between = "|";
        }
    }
    printf(") %s; return ;;\n", body);
}

static void print_bash(void) {
    printf("# bash completion for occc; made by occc --help=bash\n"
           "_occc() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "  if [[ $before == = && $COMP_CWORD -gt 1 ]]; then\n"
           "    before=${COMP_WORDS[COMP_CWORD-2]}=\n"
           "  fi\n"
           "  case $before in\n");
    print_bash_case("COMPREPLY=($(compgen -d -- \"$word\"))", takes_directory);
    print_bash_case("COMPREPLY=($(compgen -f -- \"$word\"))", takes_file);
    printf("    -x) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n",
           choices_of(OPTION_LANGUAGE));
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        const OptionEntry *entry = option_entry((OptionId)id);
        const char *choices = choices_of((OptionId)id);
        size_t length = strlen(entry->spelling);
        if (choices && entry->spelling[length - 1] == '=') {
            printf("    %s) COMPREPLY=($(compgen -W '%s' -- \"${word#=}\")); return ;;\n",
                   entry->spelling, choices);
        }
    }
    printf("  esac\n"
           "  if [[ ${COMP_WORDS[1]} == explain && $COMP_CWORD -gt 1 ]]; then\n"
           "    COMPREPLY=($(compgen -W \"$(occc explain | cut -d' ' -f1)\" -- \"$word\"))\n"
           "    return\n"
           "  fi\n"
           "  if [[ $word == -* ]]; then\n"
           "    COMPREPLY=($(compgen -W '");
    print_bash_words();
    printf("' -- \"$word\"))\n"
           "    return\n"
           "  fi\n"
           "  COMPREPLY=($(compgen -f -X '!*.@(occ|module|inc|o|a)' -- \"$word\") $(compgen -d -- "
           "\"$word\"))\n"
           "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
           "    COMPREPLY+=($(compgen -W '%s' -- \"$word\"))\n"
           "  fi\n"
           "}\n"
           "shopt -s extglob\n"
           "complete -o filenames -F _occc occc\n",
           option_commands);
}

/* ---- zsh ---- */

/* Inside of '...[...]': quotes, brackets and colons are escaped. */
static void print_zsh_text(const char *text) {
    for (; *text; text++) {
        if (*text == '\'') {
            printf("'\\''");
        } else {
            if (strchr("[]:\\", *text)) {
                putchar('\\');
            }
            putchar(*text);
        }
    }
}

static void print_zsh_option(OptionId id) {
    const OptionEntry *entry = option_entry(id);
    const char *choices = choices_of(id);
    const char *mark = entry->kind == KIND_JOINED ? "-" : entry->kind == KIND_EITHER ? "+" : "";
    printf("  '*");
    print_zsh_text(entry->spelling);
    printf("%s[", mark);
    print_zsh_text(entry->help);
    putchar(']');
    if (choices) {
        printf(":value:(%s)", choices);
    } else if (id == OPTION_WARNING) {
        printf(":warning:(");
        print_warning_names("");
        print_warning_names("no-");
        print_warning_names("error=");
        print_warning_names("no-error=");
        putchar(')');
    } else if (takes_directory(id)) {
        printf(":folder:_files -/");
    } else if (takes_file(id)) {
        printf(":file:_files");
    } else if (entry->kind != KIND_FLAG) {
        printf(":value: ");
    }
    printf("' \\\n");
}

static void print_zsh(void) {
    printf("#compdef occc\n# zsh completion for occc; made by occc --help=zsh\n"
           "if [[ $words[2] == explain ]]; then\n"
           "  compadd -- ${(f)\"$(occc explain | cut -d' ' -f1)\"}\n"
           "  return\n"
           "fi\n"
           "(( CURRENT == 2 )) && compadd -- %s\n"
           "_arguments \\\n",
           option_commands);
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        if (is_listed(option_entry((OptionId)id))) {
            print_zsh_option((OptionId)id);
        }
    }
    printf("  '*:file:_files -g \"*.(occ|module|inc|o|a)\"'\n");
}

/* ---- fish ---- */

static void print_fish_text(const char *text) {
    putchar('\'');
    for (; *text; text++) {
        if (strchr("'\\", *text)) {
            putchar('\\');
        }
        putchar(*text);
    }
    putchar('\'');
}

/* The words of an option whose value is joined to it; the option itself otherwise. */
static void print_fish_option(OptionId id) {
    const OptionEntry *entry = option_entry(id);
    const char *choices = choices_of(id);
    printf("complete -c occc -n 'string match -q -- \"-*\" (commandline -ct)' -a '");
    if (entry->kind == KIND_JOINED && choices) {
        print_joined_choices(entry, choices);
    } else {
        printf("%s", entry->spelling);
    }
    printf("' -d ");
    print_fish_text(entry->help);
    putchar('\n');
}

static void print_fish(void) {
    printf("# fish completion for occc; made by occc --help=fish\n"
           "complete -c occc -n __fish_use_subcommand -a '%s'\n"
           "complete -c occc -n '__fish_seen_subcommand_from explain' -f -a "
           "\"(occc explain | string replace -r ' .*' '')\"\n",
           option_commands);
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        if (is_listed(option_entry((OptionId)id))) {
            print_fish_option((OptionId)id);
        }
    }
    printf("complete -c occc -n 'string match -q -- \"-W*\" (commandline -ct)' -a '");
    print_warning_names("-Wno-");
    print_warning_names("-Werror=");
    printf("'\n");
}

bool options_print_topic(HelpTopic topic) {
    switch (topic) {
    case TOPIC_WARNINGS: return options_print_warnings();
    case TOPIC_DEVELOPER: return options_print_developer();
    case TOPIC_MAN: print_man(); break;
    case TOPIC_BASH: print_bash(); break;
    case TOPIC_ZSH: print_zsh(); break;
    case TOPIC_FISH: print_fish(); break;
    }
    return fflush(stdout) == 0 && !ferror(stdout);
}
