/* cli/help.c - the help and the manual page, from the tables of options. */
#include "cli/options.h"

#include <string.h>

/* -- Help --------------------------------------------------------------- */

void cli_print_help(FILE *to, const cli_command *const *commands)
{
    fprintf(to,
            "facet %s - read, check, convert, compare and draw mesh files\n\n"
            "usage: facet COMMAND [options] FILE...\n\ncommands:\n",
            facet_version());
    for (size_t i = 0; commands[i]; i++)
        fprintf(to, "  %-8s %-11s  %s\n", commands[i]->name, commands[i]->arguments,
                commands[i]->summary);
    fprintf(to, "\n'facet COMMAND --help' describes a command and its options.\n"
                "A file named - is standard input or output.\n"
                "Exit status: 0 success, 1 bad input, 2 bad command line, 3 system error.\n");
}

enum { FIRST = 29, LAST = 100 }; /* columns of help texts */

/* Print words from a column on, with line breaks. Returns the last column. */
static int print_wrapped(FILE *to, int column, const char *text)
{
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > FIRST && column + 1 + length > LAST) {
            fprintf(to, "\n%*s", FIRST, "");
            column = FIRST;
        }
        column += fprintf(to, "%s%.*s", column > FIRST ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    return column;
}

/* Text "(default: 40)"; "" without a default. */
static const char *print_default(const cli_option *o, char text[256])
{
    snprintf(text, 256, o->default_text ? "(default: %s)" : "", o->default_text);
    return text;
}

static void print_options(FILE *to, const cli_option_set *set)
{
    for (const cli_option *o = set->options; o->name; o++) {
        char left[64], text[256];
        snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : " ",
                 o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
                 o->argument ? " " : "", o->argument ? o->argument : "");
        fprintf(to, "  %-26s ", left);
        int column = print_wrapped(to, FIRST, o->help);
        print_wrapped(to, column, print_default(o, text));
        fputc('\n', to);
    }
}

void cli_print_command_help(FILE *to, const cli_command *command)
{
    fprintf(to, "usage: facet %s [options]%s%s\n\n%s\n\noptions:\n", command->name,
            *command->arguments ? " " : "", command->arguments, command->details);
    for (size_t i = 0; command->sets[i]; i++) {
        if (!command->sets[i]->heading)
            print_options(to, command->sets[i]);
    }
    print_options(to, &cli_common_options);
    for (size_t i = 0; command->sets[i]; i++) {
        if (command->sets[i]->heading) {
            fprintf(to, "\n%s:\n", command->sets[i]->heading);
            print_options(to, command->sets[i]);
        }
    }
}

/* -- The manual page ---------------------------------------------------- */

/* Print text for roff: escape dashes, and lines that begin like a command. */
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

static void print_roff_options(FILE *to, const cli_option_set *set)
{
    char text[256];
    if (set->heading)
        fprintf(to, ".PP\n.I %s:\n", set->heading);
    for (const cli_option *o = set->options; o->name; o++) {
        fputs(".TP\n.B ", to);
        if (o->letter)
            fprintf(to, "\\-%c, ", o->letter);
        fputs("\\-\\-", to);
        print_roff(to, o->name);
        if (o->argument)
            fprintf(to, " \\fI%s\\fR", o->argument);
        fputc('\n', to);
        print_roff(to, o->help);
        print_roff(to, o->default_text ? " " : "");
        print_roff(to, print_default(o, text));
        fputc('\n', to);
    }
}

static const char exit_status[] =
    ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\nbad input, or a check found errors\n"
    ".TP\n2\nbad command line\n.TP\n3\nsystem error: reading, writing, memory\n"
    ".SH ENVIRONMENT\n.TP\nNO_COLOR\nany value turns colors off\n"
    ".TP\nFACET_MODULE_PATH\na folder that is searched for modules first\n";

void cli_print_command_manual(FILE *to, const cli_command *command)
{
    char name[64], title[64];
    snprintf(name, sizeof name, "facet-%s", command->name);
    for (char *at = name; *at; at++)
        *at = *at == ' ' ? '-' : *at;
    for (size_t i = 0; i <= strlen(name); i++)
        title[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    fprintf(to, ".TH %s 1 \"\" \"facet %s\" \"User Commands\"\n.SH NAME\n", title, facet_version());
    print_roff(to, name);
    fputs(" \\- ", to);
    print_roff(to, command->summary);
    fprintf(to, "\n.SH SYNOPSIS\n.B facet %s\n[options] %s\n.SH DESCRIPTION\n", command->name,
            command->arguments);
    print_roff(to, command->details);
    fputs("\n.SH OPTIONS\n", to);
    for (size_t k = 0; command->sets[k]; k++)
        print_roff_options(to, command->sets[k]);
    fputs(".PP\n.I Every command:\n", to);
    print_roff_options(to, &cli_common_options);
    fputs(exit_status, to);
    fputs(".SH SEE ALSO\n.BR facet (1)\n", to);
}

void cli_print_manual(FILE *to, const cli_command *const *commands)
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
        for (size_t k = 0; commands[i]->sets[k]; k++)
            print_roff_options(to, commands[i]->sets[k]);
    }
    fputs(".SH COMMON OPTIONS\n", to);
    print_roff_options(to, &cli_common_options);
    fputs(exit_status, to);
}
