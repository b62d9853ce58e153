/* cli/main.c - find the command and run it. */
#include "cli/cli.h"

#include <string.h>

const cli_command *const commands[] = {&command_info,
                                       &command_check,
                                       &command_convert,
                                       &command_extract,
                                       &command_pack,
                                       &command_formats,
                                       NULL};

static const cli_command *find_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    }
    return NULL;
}

/* Number of letters to insert, remove or change to get from a to b; words of
 * 15 letters at most, longer ones are far from everything. */
static size_t distance(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), row[16];
    if (la > 15 || lb > 15)
        return 99;
    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[lb];
}

static int unknown_command(const char *name)
{
    const char *nearest = NULL;
    size_t least = 3;
    for (size_t i = 0; commands[i]; i++) {
        size_t d = distance(name, commands[i]->name);
        if (d < least) {
            least = d;
            nearest = commands[i]->name;
        }
    }
    if (nearest)
        complain("unknown command '%s'; did you mean '%s'?", name, nearest);
    else
        complain("unknown command '%s'; 'facet --help' lists them", name);
    return EXIT_USAGE;
}

static int help(const char *topic)
{
    if (!topic) {
        print_help(stdout);
        return EXIT_DONE;
    }
    const cli_command *found = find_command(topic);
    if (!found)
        return unknown_command(topic);
    print_command_help(stdout, found);
    return EXIT_DONE;
}

static int dispatch(int count, char **words)
{
    if (count < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *name = words[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return help(count > 2 ? words[2] : NULL);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "version") == 0) {
        printf("facet %s\n", facet_version());
        return EXIT_DONE;
    }
    if (strcmp(name, "--manual") == 0) {
        print_manual(stdout);
        return EXIT_DONE;
    }
    const cli_command *found = find_command(name);
    if (!found)
        return unknown_command(name);

    cli_settings settings = {0};
    int left = count - 2;
    if (!parse_options(found, words + 2, &left, &settings))
        return EXIT_USAGE;
    if (settings.help) {
        print_command_help(stdout, found);
        return EXIT_DONE;
    }
    if (left < found->least || (found->most >= 0 && left > found->most)) {
        complain("usage: facet %s [options]%s%s; see 'facet %s --help'", found->name,
                 *found->arguments ? " " : "", found->arguments, found->name);
        return EXIT_USAGE;
    }
    message_setup(&settings);
    return found->run(&settings, left, words + 2);
}

int main(int count, char **words)
{
    int status = dispatch(count, words);
    /* A full disk or a closed pipe shows at the latest now. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain("standard output could not be written");
        return status == EXIT_DONE ? EXIT_SYSTEM : status;
    }
    return status;
}
