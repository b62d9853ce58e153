/* batch/report.c - facet batch report: a summary of the results of all shards and runs of a
 * batch. */
#include "base/arena.h"
#include "base/grow.h"
#include "base/json.h"
#include "base/system.h"
#include "base/text.h"
#include "batch/batch.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *manifest, *list, *merged, *csv, *allow_failures;
    bool null, json;
    unsigned most;
} settings;
static const cli_option_set own;

/* -- Lines -------------------------------------------------------------- */

/* Result of the last attempt at an id, and its line. */
typedef struct outcome {
    const char *line;
    size_t length;
    cli_batch_rank rank;
    float ms;
    uint64_t peak;
    bool retry;
} outcome;

/* Counts of strings. */
typedef struct tally {
    facet_names names;
    uint64_t *counts;
    size_t space;
    uint32_t last; /* index counted last: the next string is usually the same */
} tally;

typedef struct report {
    facet_arena *arena;
    facet_file **files;
    size_t file_count;
    facet_names ids;
    outcome *outcomes; /* one for each id */
    size_t space;
    uint64_t lines, broken;
    tally statuses, codes, rules, versions, options, hosts;
    uint64_t bytes, good, failed, retry;
    double ms;
    cli_batch_items items; /* items of the manifest */
    uint64_t missing, unknown;
} report;

static bool add_line(void *user, const cli_line *line, const char *text, size_t length)
{
    report *r = user;
    char space[CLI_LINE_SPACE];
    size_t id_length = 0;
    const char *id = line ? cli_line_string(line, CLI_LINE_ID, space, &id_length) : "";
    if (id_length == 0 || !line->values[CLI_LINE_STATUS].text) {
        r->broken++; /* a truncated line, for example after a power failure */
        return true;
    }
    r->lines++;
    outcome made = {text,
                    length,
                    cli_batch_rank_of(line),
                    (float)cli_line_number(line, CLI_LINE_MS),
                    cli_line_count(line, CLI_LINE_PEAK_BYTES),
                    cli_line_is_true(line, CLI_LINE_RETRY)};
    uint32_t index = facet_names_find(&r->ids, id, id_length);
    bool is_new = index == UINT32_MAX;
    if (is_new) {
        char *name = facet_arena_string(r->arena, id, id_length);
        index = name ? facet_names_put(&r->ids, name, id_length) : UINT32_MAX;
    }
    if (index == UINT32_MAX)
        return false;
    if (!FACET_GROW_HEAP(r->outcomes, (size_t)index + 1, r->space))
        return false;
    if (is_new || cli_batch_outranks(made.rank, r->outcomes[index].rank))
        r->outcomes[index] = made;
    return true;
}

/* -- Sums --------------------------------------------------------------- */

static bool count(facet_arena *arena, tally *t, const char *name, size_t length, uint64_t times)
{
    const facet_name *last = t->names.count > t->last ? &t->names.items[t->last] : NULL;
    bool again = last && last->length == length && memcmp(last->text, name, length) == 0;
    uint32_t known = again ? t->last : facet_names_find(&t->names, name, length);
    if (known == UINT32_MAX) {
        char *copy = facet_arena_string(arena, name, length);
        known = copy ? facet_names_put(&t->names, copy, length) : UINT32_MAX;
        if (known == UINT32_MAX)
            return false;
    }
    if (known >= t->space) {
        size_t space = t->space ? t->space * 2 : 32;
        uint64_t *grown = facet_arena_resize(arena, t->counts, t->space, space, sizeof *grown);
        if (!grown)
            return false;
        memset(grown + t->space, 0, (space - t->space) * sizeof *grown);
        t->counts = grown;
        t->space = space;
    }
    t->counts[known] += times;
    t->last = known;
    return true;
}

static bool count_value(report *r, tally *t, const cli_line *line, cli_line_key key)
{
    char space[CLI_LINE_SPACE];
    size_t length;
    const char *text = cli_line_string(line, key, space, &length);
    return length == 0 || count(r->arena, t, text, length, 1);
}

static bool count_findings(report *r, const cli_line *line)
{
    if (line->values[CLI_LINE_FINDINGS].length <= 2) /* "[]" */
        return true;
    facet_json *findings = cli_line_value(line, CLI_LINE_FINDINGS);
    bool counted = true;
    for (size_t i = 0; i < facet_json_array_size(findings); i++) {
        const facet_json *finding = facet_json_array_get(findings, i);
        const char *rule = facet_json_string_value(facet_json_object_get(finding, "rule"));
        int64_t times = facet_json_integer_value(facet_json_object_get(finding, "count"));
        if (rule)
            counted &=
                count(r->arena, &r->rules, rule, strlen(rule), times > 0 ? (uint64_t)times : 1);
    }
    facet_json_free(findings);
    return counted;
}

static bool sum_line(report *r, const outcome *o)
{
    cli_line line;
    if (!cli_line_scan(o->line, o->length, &line))
        return true;
    r->good += o->rank.good;
    r->failed += !o->rank.good;
    r->retry += !o->rank.good && o->retry;
    r->bytes += cli_line_count(&line, CLI_LINE_IN_BYTES);
    r->ms += cli_line_number(&line, CLI_LINE_MS);
    return count_value(r, &r->statuses, &line, CLI_LINE_STATUS) &&
           count_value(r, &r->codes, &line, CLI_LINE_CODE) &&
           count_value(r, &r->versions, &line, CLI_LINE_VERSION) &&
           count_value(r, &r->options, &line, CLI_LINE_OPTIONS) &&
           count_value(r, &r->hosts, &line, CLI_LINE_HOST) && count_findings(r, &line);
}

/* Number of lines that are in memory together. */
enum { AT_ONCE = 1 << 16 };

static void forget_lines(const report *r)
{
    for (size_t i = 0; i < r->file_count; i++)
        cli_results_forget(r->files[i]);
}

static bool sum(report *r)
{
    bool summed = true;
    for (uint32_t i = 0; i < r->ids.count && summed; i++) {
        summed = sum_line(r, &r->outcomes[i]);
        if (i % AT_ONCE == AT_ONCE - 1)
            forget_lines(r);
    }
    for (size_t i = 0; i < r->items.count; i++) {
        const char *id = r->items.items[i].id;
        r->missing += facet_names_find(&r->ids, id, strlen(id)) == UINT32_MAX;
    }
    for (uint32_t i = 0; i < r->ids.count && r->items.arena; i++)
        r->unknown += cli_batch_items_find(&r->items, r->ids.items[i].text,
                                           r->ids.items[i].length) == UINT32_MAX;
    return summed;
}

/* -- Ranking ------------------------------------------------------------- */

typedef struct ranked {
    double value;
    uint32_t index;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* Up to this number, keep the results sorted during the search; otherwise sort all. */
enum { FEW = 64 };

static ranked *rank_all(uint32_t count, double (*value)(const void *of, uint32_t index),
                        const void *of)
{
    ranked *list = calloc((size_t)count + 1, sizeof *list);
    for (uint32_t i = 0; i < count && list; i++)
        list[i] = (ranked){value(of, i), i};
    if (list && count > 0)
        qsort(list, count, sizeof *list, compare_ranked);
    return list;
}

/* The first `most` entries, in order. */
static ranked *rank(uint32_t count, unsigned most, unsigned *found,
                    double (*value)(const void *of, uint32_t index), const void *of)
{
    if (most > count)
        most = count;
    *found = most;
    if (most > FEW)
        return rank_all(count, value, of);
    ranked *list = calloc((size_t)most + 1, sizeof *list);
    *found = 0;
    for (uint32_t i = 0; i < count && list; i++) {
        ranked next = {value(of, i), i};
        unsigned at = *found;
        if (at == most && (most == 0 || compare_ranked(&next, &list[most - 1]) > 0))
            continue;
        *found += *found < most;
        for (at = *found - 1; at > 0 && compare_ranked(&next, &list[at - 1]) < 0; at--)
            list[at] = list[at - 1];
        list[at] = next;
    }
    return list;
}

static double time_of(const void *of, uint32_t index)
{
    return ((const report *)of)->outcomes[index].ms;
}

static double peak_of(const void *of, uint32_t index)
{
    return (double)((const report *)of)->outcomes[index].peak;
}

static double times_of(const void *of, uint32_t index)
{
    return (double)((const tally *)of)->counts[index];
}

/* -- Output as text ----------------------------------------------------- */

static void print_tally(const char *title, const tally *t, unsigned most)
{
    unsigned found;
    ranked *list = rank(t->names.count, most, &found, times_of, t);
    for (uint32_t i = 0; i < found && list; i++) {
        if (i == 0)
            puts(title);
        cli_print_line(stdout, "  %10.0f  %s", list[i].value, t->names.items[list[i].index].text);
    }
    if (!list)
        cli_lack_memory_to_print();
    else if (found < t->names.count)
        printf("  and %lu others\n", (unsigned long)(t->names.count - found));
    free(list);
}

static void print_most(const report *r, const char *title, double scale, unsigned most,
                       double (*value)(const void *of, uint32_t index))
{
    unsigned found;
    ranked *list = rank(r->ids.count, most, &found, value, r);
    for (uint32_t i = 0; i < found && list && list[i].value > 0; i++) {
        if (i == 0)
            puts(title);
        cli_print_line(stdout, "  %10.1f  %s", list[i].value * scale,
                       r->ids.items[list[i].index].text);
    }
    if (!list)
        cli_lack_memory_to_print();
    free(list);
}

static void print_missing(const report *r, unsigned most)
{
    unsigned printed = 0;
    for (size_t i = 0; i < r->items.count && printed < most && r->missing > 0; i++) {
        const char *id = r->items.items[i].id;
        if (facet_names_find(&r->ids, id, strlen(id)) != UINT32_MAX)
            continue;
        if (printed++ == 0)
            puts("without a line:");
        cli_print_line(stdout, "  %s", id);
    }
    if (r->missing > printed)
        printf("  and %llu more\n", (unsigned long long)(r->missing - printed));
}

static void print_text(const report *r, unsigned most)
{
    printf("%lu item%s, %llu line%s: %llu done, %llu failed (%llu may work when run again)",
           (unsigned long)r->ids.count, facet_plural(r->ids.count, "", "s"),
           (unsigned long long)r->lines, facet_plural(r->lines, "", "s"),
           (unsigned long long)r->good, (unsigned long long)r->failed,
           (unsigned long long)r->retry);
    if (r->items.arena)
        printf(", %llu missing, %llu not of the manifest", (unsigned long long)r->missing,
               (unsigned long long)r->unknown);
    if (r->broken > 0)
        printf(", %llu line%s truncated or of another kind", (unsigned long long)r->broken,
               facet_plural(r->broken, "", "s"));
    printf("\n%.1f MB read, %.1f s of work\n", (double)r->bytes * 1e-6, r->ms * 1e-3);
    print_tally("status:", &r->statuses, UINT32_MAX);
    print_tally("code:", &r->codes, UINT32_MAX);
    print_tally("findings:", &r->rules, UINT32_MAX);
    /* Items may differ in options, and tasks in hosts. */
    print_tally("version:", &r->versions, most);
    print_tally("options:", &r->options, most);
    print_tally("host:", &r->hosts, most);
    print_most(r, "slowest, ms:", 1, most, time_of);
    print_most(r, "most memory, MB:", 1e-6, most, peak_of);
    print_missing(r, most);
}

/* -- Output as JSON ----------------------------------------------------- */

static facet_json *json_of_tally(const tally *t)
{
    unsigned found;
    ranked *list = rank(t->names.count, t->names.count, &found, times_of, t);
    facet_json *object = list ? facet_json_object() : NULL; /* NULL: out of memory */
    for (uint32_t i = 0; i < found && list; i++)
        facet_json_set(object, t->names.items[list[i].index].text,
                       facet_json_integer((int64_t)list[i].value));
    free(list);
    return object;
}

static facet_json *json_of_most(const report *r, const char *key, unsigned most, bool whole,
                                double (*value)(const void *of, uint32_t index))
{
    unsigned found;
    ranked *list = rank(r->ids.count, most, &found, value, r);
    facet_json *array = list ? facet_json_array() : NULL;
    for (uint32_t i = 0; i < found && list && list[i].value > 0; i++) {
        facet_json *object = facet_json_object();
        facet_json_set(object, "id", facet_json_string(r->ids.items[list[i].index].text));
        facet_json_set(object, key,
                       whole ? facet_json_integer((int64_t)list[i].value)
                             : facet_json_real(list[i].value));
        facet_json_append(array, object);
    }
    free(list);
    return array;
}

static void print_object(const report *r, unsigned most)
{
    facet_json *object = facet_json_object(), *missing = facet_json_array();
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {{"items", r->ids.count}, {"lines", r->lines},   {"done", r->good},
                   {"failed", r->failed},   {"retry", r->retry},   {"missing", r->missing},
                   {"unknown", r->unknown}, {"broken", r->broken}, {"in_bytes", r->bytes}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        facet_json_set(object, numbers[i].key, facet_json_integer((int64_t)numbers[i].value));
    facet_json_set(object, "ms", facet_json_real(r->ms));
    facet_json_set(object, "status", json_of_tally(&r->statuses));
    facet_json_set(object, "code", json_of_tally(&r->codes));
    facet_json_set(object, "findings", json_of_tally(&r->rules));
    facet_json_set(object, "version", json_of_tally(&r->versions));
    facet_json_set(object, "options", json_of_tally(&r->options));
    facet_json_set(object, "host", json_of_tally(&r->hosts));
    facet_json_set(object, "slowest", json_of_most(r, "ms", most, false, time_of));
    facet_json_set(object, "largest", json_of_most(r, "peak_bytes", most, true, peak_of));
    for (size_t i = 0; i < r->items.count && r->missing > 0; i++) {
        const char *id = r->items.items[i].id;
        if (facet_names_find(&r->ids, id, strlen(id)) == UINT32_MAX)
            facet_json_append(missing, facet_json_string(id));
    }
    facet_json_set(object, "missing_ids", missing);
    cli_print_json(NULL, stdout, object);
}

/* -- Merging ------------------------------------------------------------ */

static int compare_ids(const void *a, const void *b)
{
    const facet_name *const *x = a, *const *y = b;
    return strcmp((*x)->text, (*y)->text);
}

static void write_line(facet_output *output, const outcome *o)
{
    facet_output_write(output, o->line, o->length);
    facet_output_write(output, "\n", 1);
}

/* Write one line for each id, sorted by id: the file does not depend on the order in which items,
 * shards and runs ended. `head` comes first. */
static int write_sorted(const report *r, const char *path, const char *head,
                        void (*write)(facet_output *output, const outcome *o))
{
    facet_output *output = NULL;
    facet_error error;
    const facet_name **sorted = calloc((size_t)r->ids.count + 1, sizeof *sorted);
    if (!sorted || facet_output_open(path, &output, &error)) {
        free(sorted);
        return sorted ? cli_complain_error(NULL, path, &error) : cli_complain_memory(NULL);
    }
    for (uint32_t i = 0; i < r->ids.count; i++)
        sorted[i] = &r->ids.items[i];
    if (r->ids.count > 0)
        qsort(sorted, r->ids.count, sizeof *sorted, compare_ids);
    facet_output_write(output, head, strlen(head));
    for (uint32_t i = 0; i < r->ids.count; i++)
        write(output, &r->outcomes[sorted[i] - r->ids.items]);
    int result =
        facet_output_commit(output, &error) ? cli_complain_error(NULL, path, &error) : EXIT_DONE;
    facet_output_free(output);
    free(sorted);
    return result;
}

/* -- Output as a table -------------------------------------------------- */

static const cli_line_key columns[] = {
    CLI_LINE_ID,       CLI_LINE_STATUS,     CLI_LINE_CODE,       CLI_LINE_RETRY,
    CLI_LINE_ATTEMPT,  CLI_LINE_RUN,        CLI_LINE_IN,         CLI_LINE_IN_SHA256,
    CLI_LINE_IN_BYTES, CLI_LINE_OUT,        CLI_LINE_OUT_SHA256, CLI_LINE_OUT_BYTES,
    CLI_LINE_MS,       CLI_LINE_PEAK_BYTES, CLI_LINE_OPTIONS,    CLI_LINE_VERSION,
    CLI_LINE_HOST,     CLI_LINE_TAR,        CLI_LINE_TAR_OFFSET, CLI_LINE_TAR_BYTES,
    CLI_LINE_REASON,   CLI_LINE_SAME_AS,    CLI_LINE_COLUMNS,    CLI_LINE_IN_CHANGED};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* True if a spreadsheet reads a text as a formula, or if it begins with the mark of such a text.
 * Some also read the wide forms of = + - and @. Names of files come from others. */
static bool looks_like_formula(const char *text, size_t length)
{
    static const char *const wide[] = {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
                                       "\xEF\xBC\xA0"};
    if (length > 0 && memchr("=+-@\t\r\n'", *text, 8))
        return true;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        if (length >= 3 && memcmp(text, wide[i], 3) == 0)
            return true;
    }
    return false;
}

/* RFC 4180: put values in quotes, and double the quotes in them. Numbers, true, false and objects
 * are written as in JSON; null and missing values are empty. */
static void write_field(facet_output *output, const cli_line *line, cli_line_key key)
{
    char space[CLI_LINE_SPACE];
    const char *text = line->values[key].text;
    size_t length = line->values[key].length;
    if (!text || *text == 'n')
        return;
    if (*text != '"' && *text != '{') {
        facet_output_write(output, text, length);
        return;
    }
    if (*text == '"')
        text = cli_line_string(line, key, space, &length);
    facet_output_write(output, "\"'", looks_like_formula(text, length) ? 2 : 1);
    for (size_t from = 0; from < length;) {
        const char *quote = memchr(text + from, '"', length - from);
        size_t end = quote ? (size_t)(quote - text) + 1 : length;
        facet_output_write(output, text + from, end - from);
        if (quote)
            facet_output_write(output, "\"", 1);
        from = end;
    }
    facet_output_write(output, "\"", 1);
}

static void write_row(facet_output *output, const outcome *o)
{
    cli_line line;
    if (!cli_line_scan(o->line, o->length, &line))
        return;
    for (unsigned i = 0; i < COLUMNS; i++) {
        facet_output_write(output, ",", i > 0);
        write_field(output, &line, columns[i]);
    }
    facet_output_write(output, "\r\n", 2);
}

static int write_table(const report *r, const char *path)
{
    char head[512];
    size_t used = 0;
    for (unsigned i = 0; i < COLUMNS; i++)
        used += (size_t)snprintf(head + used, sizeof head - used, "%s%s", i > 0 ? "," : "",
                                 cli_line_key_name(columns[i]));
    snprintf(head + used, sizeof head - used, "\r\n");
    return write_sorted(r, path, head, write_row);
}

/* -- The command -------------------------------------------------------- */

static int read_lines(const cli_arguments *arguments, report *r)
{
    int result = EXIT_DONE;
    facet_error error;
    r->files = calloc((size_t)arguments->count, sizeof *r->files);
    for (int i = 0; i < arguments->count && r->files; i++) {
        const char *path = arguments->words[i];
        if (facet_file_open(path, NULL, &r->files[i], &error))
            return cli_complain_error(NULL, path, &error);
        r->file_count++;
        if (!cli_results_each_line(r->files[i], 0, add_line, r))
            result = EXIT_SYSTEM;
    }
    return r->files && result == EXIT_DONE ? EXIT_DONE : cli_complain_memory(NULL);
}

static int read_manifest(const settings *s, report *r)
{
    cli_batch_origin origin = {
        .manifest = s->manifest, .list = s->list, .null = s->null, .shard = {0, 1}};
    return s->manifest || s->list ? cli_batch_items_read(&origin, &r->items) : EXIT_DONE;
}

/* A batch cannot be resumed if its results are replaced by their summary. */
static int check_output(const cli_arguments *arguments, const settings *s, const char *option,
                        const char *path)
{
    bool clash = path && ((s->manifest && cli_is_same_file(path, s->manifest)) ||
                          (s->list && cli_is_same_file(path, s->list)));
    for (int i = 0; i < arguments->count && path && !clash; i++)
        clash = cli_is_same_file(path, arguments->words[i]);
    if (clash)
        cli_complain(NULL, "--%s: '%s' is read by this report; nothing is written", option, path);
    return clash ? EXIT_USAGE : EXIT_DONE;
}

static int make_report(const cli_arguments *arguments, const settings *s, report *r)
{
    int result = check_output(arguments, s, "merged", s->merged);
    if (result == EXIT_DONE)
        result = check_output(arguments, s, "csv", s->csv);
    if (result == EXIT_DONE && s->merged && s->csv && cli_is_same_file(s->merged, s->csv)) {
        cli_complain(NULL, "--csv: '%s' is the file of --merged; nothing is written", s->csv);
        result = EXIT_USAGE;
    }
    if (result == EXIT_DONE)
        result = read_manifest(s, r);
    if (result == EXIT_DONE)
        result = read_lines(arguments, r);
    if (result == EXIT_DONE && !sum(r))
        result = cli_complain_memory(NULL);
    if (result == EXIT_DONE && s->merged)
        result = write_sorted(r, s->merged, "", write_line);
    if (result == EXIT_DONE && s->csv)
        result = write_table(r, s->csv);
    if (result != EXIT_DONE)
        return result;
    if (s->json)
        print_object(r, s->most ? s->most : 10);
    else
        print_text(r, s->most ? s->most : 10);
    bool expected = r->items.count > 0 || !r->items.arena;
    if (r->lines == 0 && expected)
        cli_complain(NULL, "no lines in the results");
    if (r->missing > 0 || (r->lines == 0 && expected))
        return EXIT_SYSTEM;
    if (cli_batch_allows(s->allow_failures, r->failed, r->ids.count))
        return EXIT_DONE;
    if (r->retry > 0)
        return EXIT_SYSTEM;
    return r->failed > 0 ? EXIT_INPUT : EXIT_DONE;
}

static int run(const cli_arguments *arguments)
{
    report r = {0};
    if (facet_arena_create(NULL, &r.arena, NULL))
        return cli_complain_memory(NULL);
    r.ids = r.statuses.names = r.codes.names = r.rules.names = r.versions.names = r.options.names =
        r.hosts.names = facet_names_make(r.arena);
    const settings *s = cli_settings_of(arguments, &own);
    int result =
        cli_batch_allowance_suits(s->allow_failures) ? make_report(arguments, s, &r) : EXIT_USAGE;
    for (int i = 0; i < arguments->count && r.files; i++)
        facet_file_close(r.files[i]);
    free(r.files);
    free(r.outcomes);
    if (r.items.arena)
        cli_batch_items_free(&r.items);
    facet_arena_free(r.arena);
    return result;
}

#define OFFSET(name) .offset = offsetof(settings, name)

static const cli_option options[] = {
    {"manifest", "FILE", "read the batch's manifest, to find items without a line", CLI_TEXT,
     OFFSET(manifest)},
    {"filelist", "FILE", "read the batch's list of files, to find items without a line", CLI_TEXT,
     OFFSET(list)},
    {"null", NULL, "read a --filelist with NUL bytes after names", CLI_FLAG, OFFSET(null),
     .letter = '0'},
    {"merged", "FILE", "write the last line of each id, sorted by id", CLI_TEXT, OFFSET(merged)},
    {"csv", "FILE", "write the last line of each id as CSV, without lists", CLI_TEXT, OFFSET(csv)},
    {"allow-failures", "N|P%", "exit with status 0 if at most N items, or P percent, failed",
     CLI_TEXT, OFFSET(allow_failures)},
    {"json", NULL, "print one JSON object", CLI_FLAG, OFFSET(json)},
    {"most", "N", "list at most N items, options and hosts", CLI_COUNT, .default_text = "10",
     OFFSET(most)},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, NULL};

const cli_command cli_command_batch_report = {
    "batch report",
    "RESULTS...",
    "summarize the results of a batch",
    "Read the results of all shards and runs of a batch, and print a summary. It has totals,\n"
    "how often each rule was broken, the items that took the most time and memory, and the\n"
    "items of the manifest without a line. If an id has several lines, the last run is used.\n"
    "\n"
    "Exit status: 0 all items are done, 1 items failed for good, 3 items are missing or may\n"
    "work if they are run again.",
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_NONE,
    false,
    false};
