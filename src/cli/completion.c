/* cli/completion.c - completion scripts of shells, from the option tables. */
#include "cli/cli.h"

#include <string.h>

/* A table of a command, by index; the common options are last. */
static const cli_option_set *set_at(const cli_command *command, size_t index)
{
    size_t count = 0;
    while (command->sets[count])
        count++;
    return index < count ? command->sets[index] : index == count ? &cli_common_options : NULL;
}

/* Length of the first word of a name; commands of two words are completed by it. */
static int first_word(const char *name)
{
    return (int)strcspn(name, " ");
}

static void print_values(FILE *to, const cli_option *option)
{
    if (option->kind == CLI_FORMAT) {
        for (size_t i = 0; i < facet_format_count(); i++)
            fprintf(to, "%s%s", i ? " " : "", facet_format_name(facet_format_get(i)));
    } else if (option->kind == CLI_WORD) {
        for (size_t i = 0; option->words[i]; i++)
            fprintf(to, "%s%s", i ? " " : "", option->words[i]);
    }
}

static bool has_values(const cli_option *option)
{
    return option->kind == CLI_FORMAT || option->kind == CLI_WORD;
}

/* -- bash --------------------------------------------------------------- */

static void print_bash(FILE *to, const cli_command *const *commands)
{
    fputs("# bash completion of facet\n_facet()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local options=\n    COMPREPLY=()\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"",
          to);
    for (size_t i = 0; commands[i]; i++)
        fprintf(to, "%.*s ", first_word(commands[i]->name), commands[i]->name);
    fputs("--help --version\" -- \"$word\"))\n        return\n    fi\n"
          "    case \"${COMP_WORDS[1]} $before\" in\n",
          to);
    for (size_t i = 0; commands[i]; i++) {
        const cli_option_set *set;
        for (size_t k = 0; (set = set_at(commands[i], k)) != NULL; k++) {
            for (const cli_option *o = set->options; o->name; o++) {
                if (!has_values(o))
                    continue;
                fprintf(to, "    \"%.*s --%s\") COMPREPLY=($(compgen -W \"",
                        first_word(commands[i]->name), commands[i]->name, o->name);
                print_values(to, o);
                fputs("\" -- \"$word\")); return ;;\n", to);
            }
        }
    }
    fputs("    esac\n    case \"${COMP_WORDS[1]}\" in\n", to);
    for (size_t i = 0; commands[i]; i++) {
        const cli_option_set *set;
        fprintf(to, "    %.*s) options+=\"", first_word(commands[i]->name), commands[i]->name);
        for (size_t k = 0; (set = set_at(commands[i], k)) != NULL; k++) {
            for (const cli_option *o = set->options; o->name; o++)
                fprintf(to, " --%s", o->name);
        }
        fputs("\" ;;&\n", to);
    }
    fputs(
        "    esac\n    if [[ $word == -* ]]; then\n"
        "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n    else\n"
        "        compopt -o filenames\n        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
        "complete -F _facet facet\n",
        to);
}

/* -- zsh ---------------------------------------------------------------- */

/* Print text inside single quotes of an option's specification. */
static void print_zsh_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", to);
        else if (strchr("[]:\\", *text))
            fprintf(to, "\\%c", *text);
        else
            fputc(*text, to);
    }
}

static void print_zsh_option(FILE *to, const cli_option *o)
{
    fprintf(to, "            '--%s[", o->name);
    print_zsh_text(to, o->help);
    fputc(']', to);
    if (o->argument) {
        fputc(':', to);
        print_zsh_text(to, o->argument);
        fputc(':', to);
        if (has_values(o)) {
            fputc('(', to);
            print_values(to, o);
            fputc(')', to);
        } else if (o->kind == CLI_TEXT) {
            fputs("_files", to);
        }
    }
    fputs("' \\\n", to);
}

static void print_zsh(FILE *to, const cli_command *const *commands)
{
    fputs("#compdef facet\n_facet()\n{\n    local -a commands\n    commands=(\n", to);
    for (size_t i = 0; commands[i]; i++) {
        if (strchr(commands[i]->name, ' '))
            continue;
        fprintf(to, "        '%s:", commands[i]->name);
        print_zsh_text(to, commands[i]->summary);
        fputs("'\n", to);
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n"
          "        return\n    fi\n    local command=${words[2]}\n"
          "    shift words\n    (( CURRENT-- ))\n    case $command in\n",
          to);
    for (size_t i = 0; commands[i]; i++) {
        const cli_option_set *set;
        if (strchr(commands[i]->name, ' '))
            continue;
        fprintf(to, "    %s)\n        _arguments \\\n", commands[i]->name);
        for (size_t k = 0; (set = set_at(commands[i], k)) != NULL; k++) {
            for (const cli_option *o = set->options; o->name; o++)
                print_zsh_option(to, o);
        }
        fputs("            '*:file:_files' ;;\n", to);
    }
    fputs("    esac\n}\n_facet \"$@\"\n", to);
}

/* -- fish --------------------------------------------------------------- */

static void print_fish_text(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', to);
        fputc(*text, to);
    }
}

static void print_fish(FILE *to, const cli_command *const *commands)
{
    fputs("# fish completion of facet\n", to);
    for (size_t i = 0; commands[i]; i++) {
        const cli_option_set *set;
        int length = first_word(commands[i]->name);
        if (!commands[i]->name[length]) {
            fprintf(to, "complete -c facet -n __fish_use_subcommand -f -a %s -d '",
                    commands[i]->name);
            print_fish_text(to, commands[i]->summary);
            fputs("'\n", to);
        }
        for (size_t k = 0; (set = set_at(commands[i], k)) != NULL; k++) {
            for (const cli_option *o = set->options; o->name; o++) {
                fprintf(to, "complete -c facet -n '__fish_seen_subcommand_from %.*s' -l %s", length,
                        commands[i]->name, o->name);
                if (o->letter)
                    fprintf(to, " -s %c", o->letter);
                if (has_values(o)) {
                    fputs(" -x -a '", to);
                    print_values(to, o);
                    fputc('\'', to);
                } else if (o->argument) {
                    fputs(o->kind == CLI_TEXT ? " -r" : " -x", to);
                }
                fputs(" -d '", to);
                print_fish_text(to, o->help);
                fputs("'\n", to);
            }
        }
    }
}

/* -- All shells --------------------------------------------------------- */

bool cli_print_completion(FILE *to, const char *shell, const cli_command *const *commands)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(to, commands);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(to, commands);
    else if (strcmp(shell, "fish") == 0)
        print_fish(to, commands);
    else
        return false;
    return true;
}
