/* batch/report.c - facet batch report: what came of a batch, from the results of
 * all its shards and runs. */
#include "base/arena.h"
#include "base/json.h"
#include "batch/batch.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *manifest, *list, *merged, *allow_failures;
    bool null, json;
    unsigned most;
} settings;
static const cli_option_set own;

/* -- Lines -------------------------------------------------------------- */

/* What the last attempt at an id came to, and where its line is. */
typedef struct outcome {
    const char *line;
    size_t length;
    cli_batch_rank rank;
    double ms;
    uint64_t peak, bytes;
    bool retry;
} outcome;

/* How often something was. */
typedef struct tally {
    facet_names names;
    uint64_t *counts;
    size_t space;
} tally;

typedef struct report {
    facet_arena *arena;
    facet_file **files;
    facet_names ids;
    outcome *outcomes; /* of each id */
    size_t space;
    uint64_t lines, broken;
    tally statuses, codes, rules, versions, options, hosts;
    uint64_t bytes, good, failed, retry;
    double ms;
    cli_batch_items items; /* those of the manifest */
    uint64_t missing, unknown;
} report;

static const char *text_at(const facet_json *object, const char *key)
{
    const char *text = facet_json_string_value(facet_json_object_get(object, key));
    return text ? text : "";
}

static uint64_t count_at(const facet_json *line, const char *key)
{
    int64_t value = facet_json_integer_value(facet_json_object_get(line, key));
    return value > 0 ? (uint64_t)value : 0;
}

static bool add_line(report *r, const char *text, size_t length)
{
    facet_json *line = facet_json_read(text, length, 0, NULL);
    const char *id = facet_json_string_value(facet_json_object_get(line, "id"));
    if (!id || !*text_at(line, "status")) { /* as when a machine went down */
        r->broken++;
        facet_json_free(line);
        return true;
    }
    r->lines++;
    outcome made = {text,
                    length,
                    cli_batch_rank_of(line),
                    facet_json_number_value(facet_json_object_get(line, "ms")),
                    count_at(line, "peak_bytes"),
                    count_at(line, "in_bytes"),
                    facet_json_is_true(facet_json_object_get(line, "retry"))};
    char *name = facet_arena_string(r->arena, id, strlen(id));
    uint32_t before = r->ids.count;
    uint32_t index = name ? facet_names_put(&r->ids, name, strlen(name)) : UINT32_MAX;
    facet_json_free(line);
    if (index == UINT32_MAX)
        return false;
    if (index >= r->space) {
        size_t space = r->space ? r->space * 2 : 1024;
        outcome *grown = facet_arena_resize(r->arena, r->outcomes, r->space, space, sizeof *grown);
        if (!grown)
            return false;
        r->outcomes = grown;
        r->space = space;
    }
    if (index == before || cli_batch_outranks(made.rank, r->outcomes[index].rank))
        r->outcomes[index] = made;
    return true;
}

static bool add_file(report *r, const facet_file *file)
{
    const char *text = (const char *)facet_file_data(file), *end = text + facet_file_size(file);
    bool added = true;
    for (const char *line = text; line < end && added;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop ? stop : end) - line);
        if (length > 0)
            added = add_line(r, line, length);
        line += length + 1;
    }
    return added;
}

/* -- Sums --------------------------------------------------------------- */

static bool count(facet_arena *arena, tally *t, const char *name, uint64_t times)
{
    uint32_t known = facet_names_find(&t->names, name, strlen(name));
    if (known == UINT32_MAX) {
        char *copy = facet_arena_string(arena, name, strlen(name));
        known = copy ? facet_names_put(&t->names, copy, strlen(copy)) : UINT32_MAX;
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
    return true;
}

static bool count_text(facet_arena *arena, tally *t, const char *text)
{
    return !*text || count(arena, t, text, 1);
}

static bool sum_line(report *r, const outcome *o)
{
    facet_json *line = facet_json_read(o->line, o->length, 0, NULL);
    const facet_json *findings = facet_json_object_get(line, "findings");
    const char *code = facet_json_string_value(facet_json_object_get(line, "code"));
    bool counted = count(r->arena, &r->statuses, text_at(line, "status"), 1);
    if (code)
        counted &= count(r->arena, &r->codes, code, 1);
    for (size_t i = 0; i < facet_json_array_size(findings); i++) {
        const facet_json *finding = facet_json_array_get(findings, i);
        uint64_t times = count_at(finding, "count");
        counted &= count(r->arena, &r->rules, text_at(finding, "rule"), times ? times : 1);
    }
    counted &= count_text(r->arena, &r->versions, text_at(line, "version")) &&
               count_text(r->arena, &r->options, text_at(line, "options")) &&
               count_text(r->arena, &r->hosts, text_at(line, "host"));
    facet_json_free(line);
    r->good += o->rank.good;
    r->failed += !o->rank.good;
    r->retry += !o->rank.good && o->retry;
    r->bytes += o->bytes;
    r->ms += o->ms;
    return counted;
}

static bool sum(report *r)
{
    bool summed = true;
    for (uint32_t i = 0; i < r->ids.count && summed; i++)
        summed = sum_line(r, &r->outcomes[i]);
    for (size_t i = 0; i < r->items.count; i++) {
        const char *id = r->items.items[i].id;
        r->missing += facet_names_find(&r->ids, id, strlen(id)) == UINT32_MAX;
    }
    for (uint32_t i = 0; i < r->ids.count && r->items.arena; i++)
        r->unknown += facet_names_find(&r->items.ids, r->ids.items[i].text,
                                       r->ids.items[i].length) == UINT32_MAX;
    return summed;
}

/* -- The most of something ----------------------------------------------- */

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

static ranked *rank(uint32_t count, double (*value)(const void *of, uint32_t index), const void *of)
{
    ranked *list = calloc((size_t)count + 1, sizeof *list);
    for (uint32_t i = 0; i < count && list; i++)
        list[i] = (ranked){value(of, i), i};
    if (list)
        qsort(list, count, sizeof *list, compare_ranked);
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

/* -- As text ------------------------------------------------------------ */

static void print_tally(const char *title, const tally *t)
{
    ranked *list = rank(t->names.count, times_of, t);
    for (uint32_t i = 0; i < t->names.count && list; i++) {
        if (i == 0)
            puts(title);
        cli_print_line(stdout, "  %10.0f  %s", list[i].value, t->names.items[list[i].index].text);
    }
    free(list);
}

static void print_most(const report *r, const char *title, double scale, unsigned most,
                       double (*value)(const void *of, uint32_t index))
{
    ranked *list = rank(r->ids.count, value, r);
    for (uint32_t i = 0; i < r->ids.count && i < most && list && list[i].value > 0; i++) {
        if (i == 0)
            puts(title);
        cli_print_line(stdout, "  %10.1f  %s", list[i].value * scale,
                       r->ids.items[list[i].index].text);
    }
    free(list);
}

static void print_missing(const report *r, unsigned most)
{
    unsigned printed = 0;
    for (size_t i = 0; i < r->items.count && printed < most && r->missing > 0; i++) {
        const char *id = r->items.items[i].id;
        if (facet_names_find((facet_names *)&r->ids, id, strlen(id)) != UINT32_MAX)
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
    printf("%lu items, %llu lines: %llu done, %llu failed (%llu may work when run again)",
           (unsigned long)r->ids.count, (unsigned long long)r->lines, (unsigned long long)r->good,
           (unsigned long long)r->failed, (unsigned long long)r->retry);
    if (r->items.arena)
        printf(", %llu missing, %llu not of the manifest", (unsigned long long)r->missing,
               (unsigned long long)r->unknown);
    if (r->broken > 0)
        printf(", %llu lines cut short", (unsigned long long)r->broken);
    printf("\n%.1f MB read, %.1f s of work\n", (double)r->bytes * 1e-6, r->ms * 1e-3);
    print_tally("status:", &r->statuses);
    print_tally("code:", &r->codes);
    print_tally("findings:", &r->rules);
    print_tally("version:", &r->versions);
    print_tally("options:", &r->options);
    print_tally("host:", &r->hosts);
    print_most(r, "slowest, ms:", 1, most, time_of);
    print_most(r, "most memory, MB:", 1e-6, most, peak_of);
    print_missing(r, most);
}

/* -- As JSON ------------------------------------------------------------ */

static facet_json *json_of_tally(const tally *t)
{
    facet_json *object = facet_json_object();
    ranked *list = rank(t->names.count, times_of, t);
    for (uint32_t i = 0; i < t->names.count && list; i++)
        facet_json_set(object, t->names.items[list[i].index].text,
                       facet_json_integer((int64_t)list[i].value));
    free(list);
    return object;
}

static facet_json *json_of_most(const report *r, const char *key, unsigned most, bool whole,
                                double (*value)(const void *of, uint32_t index))
{
    facet_json *array = facet_json_array();
    ranked *list = rank(r->ids.count, value, r);
    for (uint32_t i = 0; i < r->ids.count && i < most && list && list[i].value > 0; i++) {
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
        if (facet_names_find((facet_names *)&r->ids, id, strlen(id)) == UINT32_MAX)
            facet_json_append(missing, facet_json_string(id));
    }
    facet_json_set(object, "missing_ids", missing);
    cli_print_json(stdout, object);
}

/* -- Merging ------------------------------------------------------------ */

static int compare_ids(const void *a, const void *b)
{
    const facet_name *const *x = a, *const *y = b;
    return strcmp((*x)->text, (*y)->text);
}

/* One line for each id, in the order of the ids: the same whatever the order in
 * which items, shards and runs ended. */
static int merge(const report *r, const char *path)
{
    facet_output *output = NULL;
    facet_error error;
    const facet_name **sorted = calloc((size_t)r->ids.count + 1, sizeof *sorted);
    if (!sorted || facet_output_open(path, &output, &error)) {
        free(sorted);
        return sorted ? cli_complain_error(path, &error) : EXIT_SYSTEM;
    }
    for (uint32_t i = 0; i < r->ids.count; i++)
        sorted[i] = &r->ids.items[i];
    qsort(sorted, r->ids.count, sizeof *sorted, compare_ids);
    for (uint32_t i = 0; i < r->ids.count; i++) {
        const outcome *o = &r->outcomes[sorted[i] - r->ids.items];
        facet_output_write(output, o->line, o->length);
        facet_output_write(output, "\n", 1);
    }
    int result = facet_output_commit(output, &error) ? cli_complain_error(path, &error) : EXIT_DONE;
    facet_output_free(output);
    free(sorted);
    return result;
}

/* -- The command -------------------------------------------------------- */

static int read_lines(const cli_arguments *arguments, report *r)
{
    int result = EXIT_DONE;
    facet_error error;
    r->files = calloc((size_t)arguments->count, sizeof *r->files);
    for (int i = 0; i < arguments->count && r->files; i++) {
        const char *path = arguments->words[i];
        if (facet_file_open(path, &r->files[i], &error))
            return cli_complain_error(path, &error);
        if (!add_file(r, r->files[i]))
            result = EXIT_SYSTEM;
    }
    return r->files ? result : EXIT_SYSTEM;
}

static int read_manifest(const settings *s, report *r)
{
    cli_batch_origin origin = {
        .manifest = s->manifest, .list = s->list, .null = s->null, .shard = {0, 1}};
    return s->manifest || s->list ? cli_batch_items_read(&origin, &r->items) : EXIT_DONE;
}

static int make_report(const cli_arguments *arguments, const settings *s, report *r)
{
    int result = read_manifest(s, r);
    if (result == EXIT_DONE)
        result = read_lines(arguments, r);
    if (result == EXIT_DONE && !sum(r)) {
        cli_complain("memory is used up");
        result = EXIT_SYSTEM;
    }
    if (result == EXIT_DONE && s->merged)
        result = merge(r, s->merged);
    if (result != EXIT_DONE)
        return result;
    if (s->json)
        print_object(r, s->most ? s->most : 10);
    else
        print_text(r, s->most ? s->most : 10);
    bool expected = r->items.count > 0 || !r->items.arena;
    if (r->lines == 0 && expected)
        cli_complain("no lines in the results");
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
        return EXIT_SYSTEM;
    r.ids = r.statuses.names = r.codes.names = r.rules.names = r.versions.names = r.options.names =
        r.hosts.names = facet_names_make(r.arena);
    const settings *s = cli_settings_of(arguments, &own);
    int result =
        cli_batch_allowance_suits(s->allow_failures) ? make_report(arguments, s, &r) : EXIT_USAGE;
    for (int i = 0; i < arguments->count && r.files; i++)
        facet_file_close(r.files[i]);
    free(r.files);
    if (r.items.arena)
        cli_batch_items_free(&r.items);
    facet_arena_free(r.arena);
    return result;
}

#define OFFSET(name) .offset = offsetof(settings, name)

static const cli_option options[] = {
    {"manifest", "FILE", "the batch's manifest, to find items without a line", CLI_TEXT,
     OFFSET(manifest)},
    {"filelist", "FILE", "the batch's list of files, for the same", CLI_TEXT, OFFSET(list)},
    {"null", NULL, "names in --filelist end with a NUL byte", CLI_FLAG, OFFSET(null),
     .letter = '0'},
    {"merged", "FILE", "write the last line of each id, sorted by id", CLI_TEXT, OFFSET(merged)},
    {"allow-failures", "N|P%", "exit with status 0 when no more items, or no larger share, failed",
     CLI_TEXT, OFFSET(allow_failures)},
    {"json", NULL, "one JSON object", CLI_FLAG, OFFSET(json)},
    {"most", "N", "how many items are named in a list; default: 10", CLI_COUNT, OFFSET(most)},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, NULL};

const cli_command cli_command_batch_report = {
    "batch report",
    "RESULTS...",
    "tell what came of a batch",
    "Read the results of all shards and runs of a batch and tell what came of it: totals,\n"
    "how often each rule was broken, what took longest and most memory, which items of\n"
    "the manifest have no line. Of several lines of one id the last run counts. Exit\n"
    "status 0: all is done, 1: items failed for good, 3: some are missing or may work\n"
    "when they are run again.",
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_NONE,
    false};
