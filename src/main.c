/* main.c - find the command and run it. */
#include "base/system.h"
#include "cli/cli.h"
#include "cli/stop.h"

#include <string.h>

static const cli_command *const commands[] = {&cli_command_info,    &cli_command_check,
                                              &cli_command_convert,
#ifndef FACET_READ_ONLY
                                              &cli_command_render,  &cli_command_show,
                                              &cli_command_view,    &cli_command_compare,
                                              &cli_command_extract, &cli_command_pack,
#ifndef _WIN32 /* they take processes as POSIX has them */
                                              &cli_command_batch,   &cli_command_batch_report,
                                              &cli_command_worker,
#endif
                                              &cli_command_deps,    &cli_command_rule,
#endif
                                              &cli_command_formats, NULL};

/* The command that the words begin with; a name may be two words. */
static const cli_command *find_command(int count, char **words, int *taken)
{
    const cli_command *found = NULL;
    *taken = 0;
    for (size_t i = 0; commands[i] && count > 0; i++) {
        const char *name = commands[i]->name, *second = strchr(name, ' ');
        size_t first = second ? (size_t)(second - name) : strlen(name);
        int needed = second ? 2 : 1;
        bool fits = count >= needed && strlen(words[0]) == first &&
                    memcmp(words[0], name, first) == 0 &&
                    (!second || strcmp(words[1], second + 1) == 0);
        if (fits && needed > *taken) {
            found = commands[i];
            *taken = needed;
        }
    }
    return found;
}

static int unknown_command(const char *name)
{
    cli_nearest nearest = {.given = name, .length = strlen(name)};
    for (size_t i = 0; commands[i]; i++)
        cli_nearest_try(&nearest, commands[i]->name);
    if (nearest.name)
        cli_complain(NULL, "unknown command '%s'; did you mean '%s'?", name, nearest.name);
    else
        cli_complain(NULL, "unknown command '%s'; 'facet --help' lists them", name);
    return EXIT_USAGE;
}

/* The core module of the web has no help: its options and their texts have pages. */
#ifndef FACET_CORE_MODULE

static int help(int count, char **words)
{
    if (count == 0) {
        cli_print_help(stdout, commands);
        return EXIT_DONE;
    }
    int taken;
    const cli_command *found = find_command(count, words, &taken);
    if (!found)
        return unknown_command(words[0]);
    cli_print_command_help(stdout, found);
    return EXIT_DONE;
}

static int manual(int count, char **words)
{
    int taken;
    const cli_command *found = find_command(count, words, &taken);
    if (count > 0 && !found)
        return unknown_command(words[0]);
    if (found)
        cli_print_command_manual(stdout, found);
    else
        cli_print_manual(stdout, commands);
    return EXIT_DONE;
}

/* Print the help or another text from the tables if the words ask for it. */
static bool print_tables(int count, char **words, int *status)
{
    const char *name = words[1];
    *status = EXIT_DONE;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        *status = help(count - 2, words + 2);
    } else if (strcmp(name, "--manual") == 0) {
        *status = manual(count - 2, words + 2);
    } else if (strcmp(name, "--completion") == 0) {
        if (count == 3 && cli_print_completion(stdout, words[2], commands))
            return true;
        cli_complain(NULL, "usage: facet --completion bash, zsh or fish");
        *status = EXIT_USAGE;
    } else if (strcmp(name, "--options") == 0) {
        cli_print_options(stdout, commands);
    } else {
        return false;
    }
    return true;
}
#endif

static int run(cli_arguments *arguments)
{
    const cli_command *command = arguments->command;
#ifndef FACET_CORE_MODULE
    if (arguments->common.help) {
        cli_print_command_help(stdout, command);
        return EXIT_DONE;
    }
#endif
    if (arguments->count < command->least ||
        (command->most >= 0 && arguments->count > command->most)) {
        cli_complain(NULL, "usage: facet %s [options]%s%s; see 'facet %s --help'", command->name,
                     *command->arguments ? " " : "", command->arguments, command->name);
        return EXIT_USAGE;
    }
    cli_message_setup(&arguments->common);
#ifndef __wasm__
    if (arguments->common.time_limit > 0)
        cli_stop_after(arguments->common.time_limit);
#endif
    if (arguments->common.timings)
        cli_timings_begin(cli_option_given(arguments, "json"));
    int result = cli_run_command(arguments);
    cli_timings_end();
    return result;
}

static int dispatch(int count, char **words)
{
    if (count < 2) {
#ifndef FACET_CORE_MODULE
        cli_print_help(stderr, commands);
#endif
        return EXIT_USAGE;
    }
    const char *name = words[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "version") == 0) {
        printf("facet %s\n", facet_version());
        return EXIT_DONE;
    }
#ifndef FACET_CORE_MODULE
    int printed;
    if (print_tables(count, words, &printed))
        return printed;
#endif
    int taken;
    const cli_command *found = find_command(count - 1, words + 1, &taken);
    if (!found)
        return unknown_command(name);

    cli_arguments arguments;
    int result = cli_parse(NULL, found, count - 1 - taken, words + 1 + taken, &arguments);
    arguments.commands = commands;
    arguments.program = words[0];
    if (result == EXIT_DONE)
        result = run(&arguments);
    cli_arguments_free(&arguments);
    return result;
}

int main(int count, char **words)
{
    facet_system_begin(&count, &words);
    /* A line at a time: without a buffer each character of a finding is a call. */
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
#ifndef __wasm__ /* it has no signals */
    cli_stop_setup();
    cli_stop_for_lost_inputs(EXIT_SYSTEM);
#endif
    int status = dispatch(count, words);
    if (!cli_printed_all()) {
        cli_complain(NULL, "error: out of memory for the output");
        status = EXIT_SYSTEM;
    }
    /* A full disk or a closed pipe shows at the latest now. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_complain(NULL, "standard output could not be written");
        return EXIT_SYSTEM;
    }
    return status;
}
