/* fuzz/fuzz_command_line.c - harness for the parser of the command line. The first byte selects a
 * command; each following line is an argument. Arguments are accepted, or rejected with status 2.
 * No command runs. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const cli_command *const commands[] = {&cli_command_info,
                                              &cli_command_check,
                                              &cli_command_convert,
                                              &cli_command_render,
                                              &cli_command_compare,
                                              &cli_command_extract,
                                              &cli_command_pack,
                                              &cli_command_batch,
                                              &cli_command_deps,
                                              &cli_command_formats,
                                              NULL};
#define COUNT (sizeof commands / sizeof *commands - 1)
#define MAX_WORDS 64

/* Discard stderr: writing it would take most of the time. */
static void be_quiet(void)
{
    static bool done;
    if (!done && !getenv("FACET_FUZZ_LOUD"))
        stderr = fopen("/dev/null", "w");
    done = true;
}

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void use(const cli_command *command, int count, char **words)
{
    cli_arguments arguments;
    int result = cli_parse(NULL, command, count, words, &arguments);
    arguments.commands = commands;
    arguments.program = "facet";
    require(result == EXIT_DONE || result == EXIT_USAGE);
    if (result == EXIT_DONE) {
        require(arguments.count <= count);
        for (int i = 0; i < arguments.count; i++)
            require(arguments.words[i] != NULL);
        cli_option_given(&arguments, "threads");
        cli_needs_scene(&arguments);
        for (size_t i = 0; i < COUNT && command == &cli_command_convert; i++)
            cli_options_suit(&arguments, facet_format_named("glb"));
    }
    cli_arguments_free(&arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[MAX_WORDS], *text = malloc(size + 1);
    int count = 0;
    if (!text || size == 0) {
        free(text);
        return 0;
    }
    be_quiet();
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *at = text + 1; at && count < MAX_WORDS; count++) {
        words[count] = at;
        at = strchr(at, '\n');
        if (at)
            *at++ = '\0';
    }
    use(commands[data[0] % COUNT], count, words);
    free(text);
    return 0;
}
