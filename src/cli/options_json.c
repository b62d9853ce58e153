/* cli/options_json.c - facet --options: the tables of options as JSON. */
#include "base/json.h"
#include "cli/cli.h"

#include <string.h>

/* A list like "bmd, bdl" as an array; null for NULL. */
static facet_json *names(const char *list)
{
    if (!list)
        return facet_json_null();
    facet_json *array = facet_json_array();
    while (*list) {
        size_t length = strcspn(list, ",");
        facet_json_append(array, facet_json_text(list, length));
        list += length;
        list += strspn(list, ", ");
    }
    return array;
}

static facet_json *text(const char *text_or_null)
{
    return text_or_null ? facet_json_string(text_or_null) : facet_json_null();
}

/* -- One option --------------------------------------------------------- */

static const char *kind_name(cli_option_kind kind)
{
    switch (kind) {
    case CLI_FLAG:
        return "flag";
    case CLI_TEXT:
        return "text";
    case CLI_TEXTS:
        return "texts";
    case CLI_FORMAT:
        return "format";
    case CLI_WORD:
        return "word";
    case CLI_COUNT:
    case CLI_COUNT_OR_ZERO:
    case CLI_COUNT_OR_AUTO:
        return "count";
    case CLI_NUMBER:
    case CLI_NUMBER_OR_ZERO:
        return "number";
    }
    return NULL;
}

/* Set the range of a number: null without a limit. A `number` is above its minimum, or equal to it
 * where that is its default. */
static void set_range(facet_json *object, const cli_option *o)
{
    bool counts = strcmp(kind_name(o->kind), "count") == 0;
    bool ranges = strcmp(kind_name(o->kind), "number") == 0 || counts;
    int64_t least = o->kind == CLI_COUNT_OR_ZERO || !counts ? 0 : o->least ? o->least : 1;
    facet_json_set(object, "least", ranges ? facet_json_integer(least) : facet_json_null());
    facet_json *most = facet_json_null();
    if (ranges && o->most > 0)
        most = counts ? facet_json_integer((int64_t)o->most) : facet_json_real(o->most);
    facet_json_set(object, "most", most);
    facet_json_set(object, "auto", facet_json_boolean(o->kind == CLI_COUNT_OR_AUTO));
}

static void set_words(facet_json *object, const cli_option *o)
{
    facet_json *words = facet_json_null();
    if (o->kind == CLI_WORD) {
        words = facet_json_array();
        for (size_t i = 0; o->words[i]; i++)
            facet_json_append(words, facet_json_string(o->words[i]));
    }
    facet_json_set(object, "words", words);
    facet_json_set(object, "firstWord", facet_json_integer(o->first_word));
}

/* -- Commands ----------------------------------------------------------- */

/* True if a command has the set. A shared option is printed once, with all its commands. */
static bool has(const cli_command *command, const cli_option_set *set)
{
    for (size_t i = 0; command->sets[i]; i++) {
        if (command->sets[i] == set)
            return true;
    }
    return set == &cli_common_options;
}

static void print_set(FILE *to, const cli_option_set *set, const cli_command *const *commands)
{
    for (const cli_option *o = set->options; o->name; o++) {
        char letter[2] = {o->letter, '\0'};
        facet_json *object = facet_json_object(), *having = facet_json_array();
        for (size_t i = 0; commands[i]; i++) {
            if (has(commands[i], set))
                facet_json_append(having, facet_json_string(commands[i]->name));
        }
        facet_json_set(object, "name", facet_json_string(o->name));
        facet_json_set(object, "commands", having);
        facet_json_set(object, "heading", text(set->heading));
        facet_json_set(object, "kind", facet_json_string(kind_name(o->kind)));
        facet_json_set(object, "argument", text(o->argument));
        facet_json_set(object, "letter", text(o->letter ? letter : NULL));
        set_range(object, o);
        set_words(object, o);
        facet_json_set(object, "help", facet_json_string(o->help));
        facet_json_set(object, "default", text(o->default_text));
        facet_json_set(object, "formats", names(o->formats ? o->formats : set->formats));
        facet_json_set(object, "needsScene", facet_json_boolean(o->needs_scene));
        facet_json_set(object, "unless", names(o->unless));
        facet_json_set(object, "fields", names(o->fields));
        cli_print_json(NULL, to, object);
    }
}

void cli_print_options(FILE *to, const cli_command *const *commands)
{
    print_set(to, &cli_common_options, commands);
    for (size_t i = 0; commands[i]; i++) {
        for (size_t k = 0; commands[i]->sets[k]; k++) {
            bool printed = false;
            for (size_t before = 0; before < i && !printed; before++)
                printed = has(commands[before], commands[i]->sets[k]);
            if (!printed)
                print_set(to, commands[i]->sets[k], commands);
        }
    }
}
