/* cli/options.c - one table per command gives its parser, its help and its
 * part of the manual page. */
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Options that every command takes. */
static const cli_option common[] = {
    {"help", 'h', NULL, "print this help", OPTION_FLAG, offsetof(cli_settings, help)},
    {"quiet", 'q', NULL, "print errors only", OPTION_FLAG, offsetof(cli_settings, quiet)},
    {"verbose", 'v', NULL, "print notes too", OPTION_FLAG, offsetof(cli_settings, verbose)},
    {0}};

/* -- Parsing ------------------------------------------------------------ */

static const cli_option *find_in(const cli_option *table, const char *name, size_t length,
                                 char letter)
{
    for (const cli_option *o = table; o->name; o++) {
        if (letter ? o->letter == letter
                   : strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return o;
    }
    return NULL;
}

static const cli_option *find_option(const cli_command *command, const char *name, size_t length,
                                     char letter)
{
    const cli_option *found = find_in(command->options, name, length, letter);
    return found ? found : find_in(common, name, length, letter);
}

static bool set_count(const cli_option *o, const char *value, unsigned *to)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end || errno || number > UINT_MAX) {
        complain("--%s takes a whole number, not '%s'", o->name, value);
        return false;
    }
    if (number == 0 && o->kind == OPTION_COUNT) {
        complain("--%s takes a number above 0", o->name);
        return false;
    }
    *to = (unsigned)number;
    return true;
}

static bool set_number(const cli_option *o, const char *value, double *to)
{
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end || !isfinite(number)) {
        complain("--%s takes a number, not '%s'", o->name, value);
        return false;
    }
    if (number <= 0) {
        complain("--%s takes a number above 0, not %s", o->name, value);
        return false;
    }
    *to = number;
    return true;
}

static bool set_option(const cli_option *o, const char *value, cli_settings *settings)
{
    void *to = (char *)settings + o->offset;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)to = true;
        return true;
    case OPTION_TEXT:
        *(const char **)to = value;
        return true;
    case OPTION_COUNT:
    case OPTION_COUNT_OR_ZERO:
        return set_count(o, value, to);
    case OPTION_NUMBER:
        return set_number(o, value, to);
    }
    return false;
}

/* One word that begins with a dash; *next is the word after it, and is taken
 * when the option wants an argument that does not stand in the same word. */
static bool parse_word(const cli_command *command, const char *word, char **next, bool *took_next,
                       cli_settings *settings)
{
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;
    *took_next = false;
    for (;;) {
        const cli_option *o = find_option(command, name, length, is_long ? 0 : *name);
        if (!o) {
            complain("%s has no option '%s%.*s'; see 'facet %s --help'", command->name,
                     is_long ? "--" : "-", (int)length, name, command->name);
            return false;
        }
        const char *rest = name + length;
        if (!o->argument) {
            if (is_long && *rest == '=') {
                complain("--%s takes no argument", o->name);
                return false;
            }
            if (!set_option(o, NULL, settings))
                return false;
            if (is_long || !*rest)
                return true;
            name = rest; /* the next letter of -qv */
            continue;
        }
        const char *value = is_long ? (*rest == '=' ? rest + 1 : NULL) : (*rest ? rest : NULL);
        if (!value && *next) {
            value = *next;
            *took_next = true;
        }
        if (!value) {
            complain("--%s needs an argument: %s", o->name, o->argument);
            return false;
        }
        return set_option(o, value, settings);
    }
}

bool parse_options(const cli_command *command, char **words, int *count, cli_settings *settings)
{
    int kept = 0;
    bool only_names = false;
    for (int i = 0; i < *count; i++) {
        char *word = words[i];
        if (only_names || word[0] != '-' || !word[1]) {
            words[kept++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_names = true;
            continue;
        }
        char *none = NULL;
        bool took_next;
        if (!parse_word(command, word, i + 1 < *count ? &words[i + 1] : &none, &took_next,
                        settings))
            return false;
        i += took_next;
    }
    *count = kept;
    return true;
}

static bool was_given(const cli_option *o, const cli_settings *settings)
{
    const void *at = (const char *)settings + o->offset;
    switch (o->kind) {
    case OPTION_FLAG:
        return *(const bool *)at;
    case OPTION_TEXT:
        return *(const char *const *)at != NULL;
    case OPTION_COUNT:
    case OPTION_COUNT_OR_ZERO:
        return *(const unsigned *)at != 0;
    case OPTION_NUMBER:
        return *(const double *)at > 0;
    }
    return false;
}

bool options_suit(const cli_command *command, const cli_option_scope *scopes,
                  const cli_settings *settings, const facet_format *to)
{
    const char *name = facet_format_name(to);
    for (; scopes->option; scopes++) {
        const cli_option *o = find_option(command, scopes->option, strlen(scopes->option), 0);
        if (!o || !was_given(o, settings))
            continue;
        char list[64] = "";
        bool suits = false;
        for (int i = 0; i < 4 && scopes->formats[i]; i++) {
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", scopes->formats[i]);
            suits = suits || strcmp(scopes->formats[i], name) == 0;
        }
        if (!suits) {
            complain("--%s is for %s files, and OUT is %s", o->name, list, name);
            return false;
        }
    }
    return true;
}

/* -- Help --------------------------------------------------------------- */

void print_help(FILE *to)
{
    fprintf(to,
            "facet %s - binary mesh files, read, checked, written and converted\n\n"
            "usage: facet COMMAND [options] FILE...\n\ncommands:\n",
            facet_version());
    for (size_t i = 0; commands[i]; i++)
        fprintf(to, "  %-8s %-11s  %s\n", commands[i]->name, commands[i]->arguments,
                commands[i]->summary);
    fprintf(to, "\n'facet COMMAND --help' tells more of a command.\n"
                "A file named - is standard input or output.\n"
                "Exit status: 0 done, 1 the input is at fault, 2 the command line is, 3 the system "
                "is.\n");
}

static void print_option(FILE *to, const cli_option *o)
{
    char left[64];
    snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : " ",
             o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name, o->argument ? " " : "",
             o->argument ? o->argument : "");
    fprintf(to, "  %-26s %s\n", left, o->help);
}

void print_command_help(FILE *to, const cli_command *command)
{
    fprintf(to, "usage: facet %s [options]%s%s\n\n%s\n\noptions:\n", command->name,
            *command->arguments ? " " : "", command->arguments, command->details);
    for (const cli_option *o = command->options; o->name; o++)
        print_option(to, o);
    for (const cli_option *o = common; o->name; o++)
        print_option(to, o);
}

/* -- The manual page ---------------------------------------------------- */

/* Dashes that are meant as such, and no line that begins with a roff command. */
static void print_roff(FILE *to, const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", to);
        if (*text == '-' || *text == '\\')
            fputc('\\', to);
        fputc(*text == '\\' ? 'e' : *text, to);
        line_start = *text == '\n';
    }
}

static void print_roff_options(FILE *to, const cli_option *table)
{
    for (const cli_option *o = table; o->name; o++) {
        fputs(".TP\n.B ", to);
        if (o->letter)
            fprintf(to, "\\-%c, ", o->letter);
        fputs("\\-\\-", to);
        print_roff(to, o->name);
        if (o->argument)
            fprintf(to, " \\fI%s\\fR", o->argument);
        fputc('\n', to);
        print_roff(to, o->help);
        fputc('\n', to);
    }
}

void print_manual(FILE *to)
{
    fprintf(to,
            ".TH FACET 1 \"\" \"facet %s\" \"User Commands\"\n"
            ".SH NAME\nfacet \\- read, check, write and convert binary mesh files\n"
            ".SH SYNOPSIS\n.B facet\n.I COMMAND\n[options]\n.IR FILE ...\n"
            ".SH COMMANDS\n",
            facet_version());
    for (size_t i = 0; commands[i]; i++) {
        fprintf(to, ".SS facet %s [options]%s%s\n", commands[i]->name,
                *commands[i]->arguments ? " " : "", commands[i]->arguments);
        print_roff(to, commands[i]->details);
        fputc('\n', to);
        print_roff_options(to, commands[i]->options);
    }
    fputs(".SH COMMON OPTIONS\n", to);
    print_roff_options(to, common);
    fputs(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe input is at fault, or a check found errors\n"
          ".TP\n2\nthe command line is at fault\n.TP\n3\nthe system is: reading, writing, memory\n"
          ".SH ENVIRONMENT\n.TP\nNO_COLOR\nany value: no colors\n",
          to);
}
