/* cli/options.c - the parser of the command line, driven by the option tables. */
#include "cli/options.h"

#include "base/numbers.h"
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const cli_option common[] = {
    {"help", NULL, CLI_HELP("print this help"), CLI_FLAG, .offset = offsetof(cli_common, help),
     .letter = 'h'},
    {"quiet", NULL, CLI_HELP("print errors only"), CLI_FLAG, .offset = offsetof(cli_common, quiet),
     .letter = 'q'},
    {"verbose", NULL, CLI_HELP("print notes too"), CLI_FLAG,
     .offset = offsetof(cli_common, verbose), .letter = 'v'},
    {"time-limit", "SECONDS", CLI_HELP("give up after SECONDS, with exit status 3"), CLI_NUMBER,
     .offset = offsetof(cli_common, time_limit), .most = 1000000000},
    {"timings", NULL, CLI_HELP("print time and peak memory of each step"), CLI_FLAG,
     .offset = offsetof(cli_common, timings)},
    {0}};
const cli_option_set cli_common_options = {.options = common, .settings_size = sizeof(cli_common)};

/* -- Search ------------------------------------------------------------- */

/* The name after the dashes of a long option, or the letter of a short one. */
typedef struct option_name {
    const char *text;
    size_t length;
    char letter; /* 0: a long one */
} option_name;

static bool is_name(option_name name, const char *other)
{
    return strlen(other) == name.length && memcmp(other, name.text, name.length) == 0;
}

static const cli_option *find_in(const cli_option *table, option_name name)
{
    for (const cli_option *o = table; o->name; o++) {
        if (name.letter ? o->letter == name.letter : is_name(name, o->name))
            return o;
    }
    return NULL;
}

/* Find an option and the settings that it changes. */
static const cli_option *find_option(cli_arguments *arguments, option_name name, void **settings)
{
    const cli_option_set *const *sets = arguments->command->sets;
    for (size_t i = 0; sets[i]; i++) {
        const cli_option *found = find_in(sets[i]->options, name);
        *settings = arguments->settings[i];
        if (found)
            return found;
    }
    *settings = &arguments->common;
    return find_in(cli_common_options.options, name);
}

/* Edit distance of two words: letters to insert, remove or change. Words of more than 31 letters
 * are far from all others. */
static size_t distance(const char *a, size_t a_length, const char *b)
{
    size_t b_length = strlen(b), row[32];
    if (a_length > 31 || b_length > 31)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[b_length];
}

void cli_nearest_try(cli_nearest *nearest, const char *name)
{
    size_t d = distance(nearest->given, nearest->length, name);
    bool near_enough = d <= 2 && 2 * d <= nearest->length; /* at least half of the letters match */
    if (near_enough && (!nearest->name || d < nearest->distance)) {
        nearest->distance = d;
        nearest->name = name;
    }
}

static int unknown_option(cli_record *record, const cli_command *command, option_name name)
{
    cli_nearest nearest = {name.text, name.length, NULL, 0};
    for (size_t i = 0; !name.letter && command->sets[i]; i++) {
        for (const cli_option *o = command->sets[i]->options; o->name; o++)
            cli_nearest_try(&nearest, o->name);
    }
    for (const cli_option *o = cli_common_options.options; !name.letter && o->name; o++)
        cli_nearest_try(&nearest, o->name);
    if (nearest.name)
        cli_complain(record, "%s has no option '--%.*s'; did you mean '--%s'?", command->name,
                     (int)name.length, name.text, nearest.name);
    else
        cli_complain(record, "%s has no option '%s%.*s'; see 'facet %s --help'", command->name,
                     name.letter ? "-" : "--", (int)name.length, name.text, command->name);
    return EXIT_USAGE;
}

/* -- Values ------------------------------------------------------------- */

static int set_count(cli_record *record, const cli_option *o, const char *value, unsigned *to)
{
    bool automatic = o->kind == CLI_COUNT_OR_AUTO;
    if (automatic && strcasecmp(value, "auto") == 0) {
        *to = UINT_MAX;
        return EXIT_DONE;
    }
    char *end;
    errno = 0;
    unsigned long number = strtoul(value, &end, 10);
    bool whole = value[0] >= '0' && value[0] <= '9' && !*end && !errno && number <= UINT_MAX;
    unsigned least = o->kind == CLI_COUNT_OR_ZERO ? 0 : o->least ? o->least : 1;
    if (o->most && (!whole || number < least || number > o->most)) {
        cli_complain(record, "--%s takes %s%u to %.15g, not '%s'", o->name,
                     automatic ? "auto or " : "", least, o->most, value);
        return EXIT_USAGE;
    }
    if (!whole) {
        cli_complain(record, "--%s takes a whole number, not '%s'", o->name, value);
        return EXIT_USAGE;
    }
    if (number < least) {
        cli_complain(record, "--%s takes a number above %u, not %s", o->name, least - 1, value);
        return EXIT_USAGE;
    }
    *to = (unsigned)number;
    return EXIT_DONE;
}

static int set_number(cli_record *record, const cli_option *o, const char *value, double *to)
{
    const uint8_t *text = (const uint8_t *)value, *end = text + strlen(value);
    double number;
    if (facet_number_parse_double(text, end, &number) != end || !isfinite(number)) {
        cli_complain(record, "--%s takes a number, not '%s'", o->name, value);
        return EXIT_USAGE;
    }
    bool zero = o->kind == CLI_NUMBER_OR_ZERO;
    if (number < 0 || (number == 0 && !zero) || (o->most && number > o->most)) {
        char most[48] = "";
        if (o->most)
            snprintf(most, sizeof most, " and up to %.15g", o->most);
        cli_complain(record, "--%s takes %s%s, not %s", o->name,
                     zero ? "0 or more" : "a number above 0", most, value);
        return EXIT_USAGE;
    }
    *to = number + 0.0; /* turns -0 into 0 */
    return EXIT_DONE;
}

static int set_word(cli_record *record, const cli_option *o, const char *value, unsigned *to)
{
    char list[160] = "";
    for (unsigned i = 0; o->words[i]; i++) {
        if (strcasecmp(value, o->words[i]) == 0) {
            *to = i + 1;
            return EXIT_DONE;
        }
        size_t used = strlen(list);
        const char *before = i == 0 ? "" : o->words[i + 1] ? ", " : " or ";
        snprintf(list + used, sizeof list - used, "%s%s", before, o->words[i]);
    }
    cli_complain(record, "--%s takes %s, not '%s'", o->name, list, value);
    return EXIT_USAGE;
}

static int add_text(cli_record *record, const char *value, cli_texts *to)
{
    const char **grown = realloc(to->items, (to->count + 1) * sizeof *grown);
    if (!grown) {
        cli_complain_memory(record);
        return EXIT_SYSTEM;
    }
    to->items = grown;
    to->items[to->count++] = value;
    return EXIT_DONE;
}

static int set_option(cli_record *record, const cli_option *o, const char *value, void *settings)
{
    void *to = (char *)settings + o->offset;
    switch (o->kind) {
    case CLI_FLAG:
        *(bool *)to = true;
        return EXIT_DONE;
    case CLI_TEXT:
        if (o->once && *(const char **)to) {
            cli_complain(record, "--%s is given twice: '%s' and '%s'", o->name, *(const char **)to,
                         value);
            return EXIT_USAGE;
        }
        *(const char **)to = value;
        return EXIT_DONE;
    case CLI_TEXTS:
        return add_text(record, value, to);
    case CLI_FORMAT:
        *(const facet_format **)to = facet_format_named(value[0] == '.' ? value + 1 : value);
        if (*(const facet_format **)to)
            return EXIT_DONE;
        cli_complain(record, "unknown format '%s'; 'facet formats' lists them", value);
        return EXIT_USAGE;
    case CLI_WORD:
        return set_word(record, o, value, to);
    case CLI_COUNT:
    case CLI_COUNT_OR_ZERO:
    case CLI_COUNT_OR_AUTO:
        return set_count(record, o, value, to);
    case CLI_NUMBER:
    case CLI_NUMBER_OR_ZERO:
        return set_number(record, o, value, to);
    }
    return EXIT_USAGE;
}

/* -- Parsing ------------------------------------------------------------ */

/* Suggest the option for another format: --quantize-mesh instead of --quantize. */
static void name_longer(cli_record *record, const cli_command *command, const cli_option *o)
{
    size_t length = strlen(o->name);
    for (size_t i = 0; command->sets[i]; i++) {
        for (const cli_option *other = command->sets[i]->options; other->name; other++) {
            const char *formats = other->formats ? other->formats : command->sets[i]->formats;
            if (formats && strncmp(other->name, o->name, length) == 0 && other->name[length] == '-')
                cli_complain(record, "for %s use --%s", formats, other->name);
        }
    }
}

/* Parse "--name" or "--name=value". *next is the next word or NULL; it becomes NULL if it is the
 * value. */
static int parse_long(cli_arguments *arguments, const char *word, const char **next)
{
    void *settings;
    option_name name = {word + 2, strcspn(word + 2, "="), 0};
    const cli_option *o = find_option(arguments, name, &settings);
    const char *equals = word[2 + name.length] ? word + 2 + name.length : NULL;
    if (!o)
        return unknown_option(arguments->record, arguments->command, name);
    if (!o->argument && equals) {
        cli_complain(arguments->record, "--%s takes no argument", o->name);
        return EXIT_USAGE;
    }
    const char *value = equals ? equals + 1 : NULL;
    if (o->argument && !value) {
        value = *next;
        *next = NULL;
    }
    if (o->argument && !value) {
        cli_complain(arguments->record, "--%s needs an argument: %s", o->name, o->argument);
        return EXIT_USAGE;
    }
    int result = set_option(arguments->record, o, value, settings);
    if (result == EXIT_USAGE)
        name_longer(arguments->record, arguments->command, o);
    return result;
}

/* Parse "-qv", "-j4" or "-j 4": flags, and possibly a last option with a value. */
static int parse_short(cli_arguments *arguments, const char *word, const char **next)
{
    for (const char *letter = word + 1; *letter; letter++) {
        void *settings;
        option_name name = {letter, 1, *letter};
        const cli_option *o = find_option(arguments, name, &settings);
        if (!o)
            return unknown_option(arguments->record, arguments->command, name);
        if (!o->argument) {
            set_option(arguments->record, o, NULL, settings);
            continue;
        }
        const char *value = letter[1] ? letter + 1 : *next;
        if (!letter[1])
            *next = NULL;
        if (!value) {
            cli_complain(arguments->record, "--%s needs an argument: %s", o->name, o->argument);
            return EXIT_USAGE;
        }
        return set_option(arguments->record, o, value, settings);
    }
    return EXIT_DONE;
}

static bool make_settings(cli_arguments *arguments)
{
    const cli_option_set *const *sets = arguments->command->sets;
    size_t count = 0;
    while (sets[count])
        count++;
    arguments->settings = calloc(count, sizeof *arguments->settings);
    bool made = arguments->settings != NULL;
    for (size_t i = 0; i < count && made; i++) {
        arguments->settings[i] = calloc(1, sets[i]->settings_size);
        made = arguments->settings[i] != NULL;
    }
    return made;
}

int cli_parse(cli_record *record, const cli_command *command, int count, char **words,
              cli_arguments *arguments)
{
    *arguments = (cli_arguments){.command = command, .record = record, .words = words};
    if (!make_settings(arguments)) {
        cli_complain_memory(arguments->record);
        return EXIT_SYSTEM;
    }
    bool only_names = false;
    for (int i = 0; i < count; i++) {
        char *word = words[i];
        if (only_names || word[0] != '-' || !word[1]) {
            words[arguments->count++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0 && command->takes_command) {
            arguments->rest_count = count - i - 1;
            arguments->rest = words + i + 1;
            break;
        }
        if (strcmp(word, "--") == 0) {
            only_names = true;
            continue;
        }
        const char *next = i + 1 < count ? words[i + 1] : NULL, *left = next;
        int result = word[1] == '-' ? parse_long(arguments, word, &left)
                                    : parse_short(arguments, word, &left);
        if (result != EXIT_DONE)
            return result;
        i += left != next;
    }
    return EXIT_DONE;
}

void cli_arguments_free(cli_arguments *arguments)
{
    const cli_option_set *const *sets = arguments->command->sets;
    for (size_t i = 0; arguments->settings && sets[i]; i++) {
        if (arguments->settings[i] && sets[i]->release)
            sets[i]->release(arguments->settings[i]);
        free(arguments->settings[i]);
    }
    free(arguments->settings);
}

/* -- Given options ----------------------------------------------------- */

void *cli_settings_of(const cli_arguments *arguments, const cli_option_set *set)
{
    for (size_t i = 0; arguments->command->sets[i]; i++) {
        if (arguments->command->sets[i] == set)
            return arguments->settings[i];
    }
    return NULL;
}

static bool was_given(const cli_option *o, const void *settings)
{
    const void *at = (const char *)settings + o->offset;
    switch (o->kind) {
    case CLI_FLAG:
        return *(const bool *)at;
    case CLI_TEXT:
        return *(const char *const *)at != NULL;
    case CLI_TEXTS:
        return ((const cli_texts *)at)->count > 0;
    case CLI_FORMAT:
        return *(const facet_format *const *)at != NULL;
    case CLI_WORD:
    case CLI_COUNT:
    case CLI_COUNT_OR_ZERO:
    case CLI_COUNT_OR_AUTO:
        return *(const unsigned *)at != 0;
    case CLI_NUMBER:
    case CLI_NUMBER_OR_ZERO:
        return *(const double *)at > 0;
    }
    return false;
}

/* True if `name` is in a list like "bmd, bdl, bmt". */
static bool lists(const char *formats, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = formats; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    }
    return false;
}

bool cli_options_suit(const cli_arguments *arguments, const facet_format *to)
{
    const cli_option_set *const *sets = arguments->command->sets;
    for (size_t i = 0; sets[i]; i++) {
        for (const cli_option *o = sets[i]->options; o->name; o++) {
            const char *formats = o->formats ? o->formats : sets[i]->formats;
            if (!formats || !was_given(o, arguments->settings[i]) ||
                lists(formats, facet_format_name(to)))
                continue;
            cli_complain(arguments->record, "--%s is for %s files, and OUT is %s", o->name, formats,
                         facet_format_name(to));
            return false;
        }
    }
    return true;
}

bool cli_option_given(const cli_arguments *arguments, const char *name)
{
    const cli_option_set *const *sets = arguments->command->sets;
    for (size_t i = 0; sets[i]; i++) {
        for (const cli_option *o = sets[i]->options; o->name; o++) {
            if (strcmp(o->name, name) == 0 && was_given(o, arguments->settings[i]))
                return true;
        }
    }
    return false;
}

static bool any_given(const cli_arguments *arguments, const char *names)
{
    const cli_option_set *const *sets = arguments->command->sets;
    for (size_t i = 0; sets[i] && names; i++) {
        for (const cli_option *o = sets[i]->options; o->name; o++) {
            if (lists(names, o->name) && was_given(o, arguments->settings[i]))
                return true;
        }
    }
    return false;
}

bool cli_needs_scene(const cli_arguments *arguments)
{
    const cli_option_set *const *sets = arguments->command->sets;
    for (size_t i = 0; sets[i]; i++) {
        for (const cli_option *o = sets[i]->options; o->name; o++) {
            if (o->needs_scene && was_given(o, arguments->settings[i]) &&
                !any_given(arguments, o->unless))
                return true;
        }
    }
    return false;
}

int cli_apply_options(const cli_arguments *arguments, facet_options *options, facet_error *error)
{
    const cli_option_set *const *sets = arguments->command->sets;
    int result = EXIT_DONE;
    for (size_t i = 0; sets[i] && result == EXIT_DONE; i++) {
        if (sets[i]->apply)
            result = sets[i]->apply(arguments->record, arguments->settings[i], options, error);
    }
    return result;
}

const char *cli_at_fault(const cli_arguments *arguments, const facet_error *error)
{
    const cli_option_set *const *sets = arguments->command->sets;
    const char *file = NULL;
    for (size_t i = 0; sets[i] && !file; i++) {
        if (sets[i]->at_fault)
            file = sets[i]->at_fault(arguments->settings[i], error);
    }
    return file;
}
