/* option_command -- the word that a command line may begin with. See option_reader.h. */
#include "option_reader.h"

#include <string.h>

typedef struct CommandWord {
    Command command;
    const char *word;
    Stage stage;
} CommandWord;

static const CommandWord commands[] = {
#define COMMAND_WORD(ID, word, stage) {COMMAND_##ID, word, STAGE_##stage},
#include "command.def"
#undef COMMAND_WORD
};

const char option_commands[] =
#define COMMAND_WORD(ID, word, stage) word " "
#include "command.def"
#undef COMMAND_WORD
    "";

static const CommandWord *find_command(const char *word) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(word, commands[i].word) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

bool option_is_command(const char *word) {
    return find_command(word) != NULL;
}

const char *option_list_commands(Arena *arena) {
    StringBuilder list = {.arena = arena};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        string_append_format(&list, "%s%s", i ? ", " : "", commands[i].word);
    }
    return list.bytes;
}

void option_read_command(OptionReader *reader) {
    const CommandWord *found = reader->words.count ? find_command(reader->words.items[0]) : NULL;
    if (found) {
        reader->options->command = found->command;
        reader->options->stage = found->stage;
        reader->next = 1;
    }
}
