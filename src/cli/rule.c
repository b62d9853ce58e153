/* cli/rule.c - facet rule: explanation of a finding's id. */
#include "base/json.h"
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct settings {
    bool json;
} settings;
static const cli_option_set own;

#define MAX_NEAREST 5

/* The most severe first. */
static const facet_severity severities[] = {FACET_SEVERITY_ERROR, FACET_SEVERITY_WARNING,
                                            FACET_SEVERITY_NOTE};
#define SEVERITY_COUNT (sizeof severities / sizeof *severities)

/* -- Printing ----------------------------------------------------------- */

facet_json *cli_json_of_rule(const facet_rule *rule)
{
    facet_json *object = facet_json_object(), *list = facet_json_array();
    for (size_t i = 0; i < SEVERITY_COUNT; i++) {
        if (rule->severities >> severities[i] & 1)
            facet_json_append(list, facet_json_string(facet_severity_name(severities[i])));
    }
    facet_json_set(object, "rule", facet_json_string(rule->id));
    facet_json_set(object, "family", facet_json_string(rule->family));
    facet_json_set(object, "severities", list);
    facet_json_set(object, "sentence", facet_json_string(rule->sentence));
    facet_json_set(object, "cause", facet_json_string(rule->cause));
    facet_json_set(object, "remedy", facet_json_string(rule->remedy));
    return object;
}

/* Write the severities of a rule, like "error or warning". */
static const char *severity_words(const facet_rule *rule, char *words, size_t space)
{
    size_t used = 0;
    *words = '\0';
    for (size_t i = 0; i < SEVERITY_COUNT; i++) {
        if (rule->severities >> severities[i] & 1) {
            snprintf(words + used, space - used, "%s%s", used ? " or " : "",
                     facet_severity_name(severities[i]));
            used = strlen(words);
        }
    }
    return words;
}

void cli_print_rule(const facet_rule *rule)
{
    char words[40];
    printf("%s (%s)\n", rule->id, severity_words(rule, words, sizeof words));
    printf("  demands  %s\n  cause    %s\n  remedy   %s\n", rule->sentence, rule->cause,
           rule->remedy);
}

static void print_line(const facet_rule *rule)
{
    char words[40];
    printf("%-28s %-16s %s\n", rule->id, severity_words(rule, words, sizeof words), rule->sentence);
}

/* -- Search ------------------------------------------------------------- */

/* True if the word is the rule's family, or the first words of its id: bsm, J3D-TEX1, AR. */
static bool is_among(const facet_rule *rule, const char *word)
{
    size_t length = strlen(word);
    unsigned char next = (unsigned char)rule->id[strncasecmp(rule->id, word, length) ? 0 : length];
    bool begins = length > 0 && strncasecmp(rule->id, word, length) == 0;
    return strcasecmp(rule->family, word) == 0 ||
           (begins && (next == '-' || (isdigit(next) && isalpha((unsigned char)word[length - 1]))));
}

static bool contains(const char *text, const char *word, size_t length)
{
    for (; *text; text++) {
        if (strncasecmp(text, word, length) == 0)
            return true;
    }
    return false;
}

/* True if an id has all given words, in any order. */
static bool has_words(const char *id, const char *given)
{
    bool any = false;
    while (*given) {
        size_t length = strcspn(given, "-");
        if (length > 0 && !contains(id, given, length))
            return false;
        any |= length > 0;
        given += length + (given[length] == '-');
    }
    return any;
}

static int unknown_rule(cli_record *record, const char *given)
{
    char capitals[32], list[256] = "";
    size_t count = 0, used = 0;
    snprintf(capitals, sizeof capitals, "%s", given);
    for (char *at = capitals; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    cli_nearest nearest = {.given = capitals, .length = strlen(capitals)};
    for (size_t i = 0; i < facet_rule_count(); i++)
        cli_nearest_try(&nearest, facet_rule_get(i)->id);
    if (nearest.name) {
        used = (size_t)snprintf(list, sizeof list, "%s", nearest.name);
        count = 1;
    }
    for (size_t i = 0; i < facet_rule_count() && count < MAX_NEAREST; i++) {
        const char *id = facet_rule_get(i)->id;
        if (id != nearest.name && has_words(id, given)) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", id);
            count++;
        }
    }
    if (count > 0)
        cli_complain(record, "unknown rule '%s'; nearest to it: %s", given, list);
    else
        cli_complain(record, "unknown rule '%s'; 'facet rule' lists them", given);
    return EXIT_USAGE;
}

/* -- The command -------------------------------------------------------- */

/* Print the rule with this id in full, or a line for each rule of a family. NULL: all rules. */
static int show(cli_record *record, const char *word, bool json)
{
    const facet_rule *one = facet_rule_find(word);
    size_t shown = 0;
    for (size_t i = 0; i < facet_rule_count(); i++) {
        const facet_rule *rule = facet_rule_get(i);
        if (one ? rule != one : word && !is_among(rule, word))
            continue;
        if (json)
            cli_print_json(record, stdout, cli_json_of_rule(rule));
        else if (one)
            cli_print_rule(rule);
        else
            print_line(rule);
        shown++;
    }
    return shown > 0 ? EXIT_DONE : unknown_rule(record, word);
}

static int run(const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    int result = EXIT_DONE;
    if (arguments->count == 0)
        return show(arguments->record, NULL, s->json);
    for (int i = 0; i < arguments->count && result == EXIT_DONE; i++)
        result = show(arguments->record, arguments->words[i], s->json);
    return result;
}

static const cli_option options[] = {
    {"json", NULL, "print one JSON object per line", CLI_FLAG, .offset = offsetof(settings, json)},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, NULL};

const cli_command cli_command_rule = {
    "rule",
    "[ID...]",
    "explain the rule of a finding",
    "Explain a rule by its id, which findings and errors print in brackets: what the rule\n"
    "demands, why files break it, and how to fix them. 'facet rule BSM' lists the rules of a\n"
    "family, 'facet rule J3D-TEX1' those whose ids begin like this, and 'facet rule' all.",
    sets,
    0,
    -1,
    run,
    CLI_ITEMS_NONE,
    false,
    false};
