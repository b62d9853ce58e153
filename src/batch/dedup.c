/* batch/dedup.c - items of equal content. They are found before a run, by size and then by SHA-256.
 * Side files are known only after the first of the equal items is converted; then they are also
 * compared. */
#include "batch/dedup.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/threads.h"
#include "batch/identify.h"
#include "batch/products.h"
#include "scene/format.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUM = 32 };

/* An item whose size is not unique. */
typedef struct candidate {
    uint64_t bytes;
    uint32_t item;
    bool known; /* `key` is valid */
    uint8_t key[SUM];
} candidate;

typedef struct twin {
    uint32_t item, first;
} twin;

typedef struct first {
    uint32_t item;
    facet_json *line; /* its line; NULL: it must not be copied */
} first;

struct cli_dedup {
    twin *twins; /* sorted by item, like the first items */
    first *firsts;
    size_t twin_count, first_count;
};

/* -- Keys --------------------------------------------------------------- */

/* Formats whose readers use only the extension of the input's name. */
static bool is_nameless(const char *path)
{
    const facet_format *const formats[] = {
        &facet_format_obj,        &facet_format_ply, &facet_format_stl, &facet_format_glb,
        &facet_format_gltf,       &facet_format_bsm, &facet_format_iqm, &facet_format_bga,
        &facet_format_binarymesh, &facet_format_bpx};
    const facet_format *format = facet_format_from_path(path);
    bool found = false;
    for (size_t i = 0; i < sizeof formats / sizeof *formats && !found; i++)
        found = format == formats[i];
    return found;
}

static const char *extension_of(const char *path)
{
    const char *name = facet_path_name(path), *dot = strrchr(name, '.');
    return dot ? dot : "";
}

static void add_text(facet_sha256 *hash, const char *text)
{
    facet_sha256_add(hash, text, strlen(text) + 1);
}

/* Hash of everything that decides about the outputs, except side files. False if the input cannot
 * be read, or differs from the required hash. */
static bool make_key(const cli_batch_item *item, cli_shared_archive *shared, uint8_t key[SUM])
{
    const cli_batch_more *more = cli_batch_more_of(item);
    char sum[65] = "";
    uint64_t bytes;
    facet_sha256 hash;
    bool plain = cli_is_plain_file(item->in);
    if (!plain)
        pthread_mutex_lock(&shared->mutex);
    bool read = cli_identify_in(plain ? NULL : &shared->kept, item->in, sum, &bytes);
    if (!plain)
        pthread_mutex_unlock(&shared->mutex);
    if (!read || (more->sha256 && strcmp(more->sha256, sum) != 0))
        return false;
    facet_sha256_begin(&hash);
    add_text(&hash, sum);
    add_text(&hash, is_nameless(item->in) ? extension_of(item->in) : facet_path_name(item->in));
    add_text(&hash, item->out ? extension_of(item->out) : "");
    for (size_t i = 0; i < more->also_count; i++)
        add_text(&hash, extension_of(more->also[i]));
    for (int i = 0; i < more->word_count; i++)
        add_text(&hash, more->words[i]);
    facet_sha256_end(&hash, key);
    return true;
}

/* -- Equal items -------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_sizes(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->bytes != y->bytes ? compare_numbers(x->bytes, y->bytes)
                                : compare_numbers(x->item, y->item);
}

/* Sort by item: the members of one archive are then read in order. */
static int compare_items(const void *a, const void *b)
{
    return compare_numbers(((const candidate *)a)->item, ((const candidate *)b)->item);
}

static int compare_keys(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    int order = memcmp(x->key, y->key, SUM);
    return x->known != y->known ? (x->known ? -1 : 1) : order ? order : compare_items(a, b);
}

static int compare_twins(const void *a, const void *b)
{
    return compare_numbers(((const twin *)a)->item, ((const twin *)b)->item);
}

static int compare_firsts(const void *a, const void *b)
{
    return compare_numbers(((const first *)a)->item, ((const first *)b)->item);
}

/* Keep only items whose size another item also has. The number of kept items. */
static size_t keep_equal_sizes(candidate *all, size_t count)
{
    size_t kept = 0;
    qsort(all, count, sizeof *all, compare_sizes);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && all[end].bytes == all[i].bytes;)
            end++;
        for (size_t k = i; k < end && end - i > 1; k++)
            all[kept++] = all[k];
    }
    qsort(all, kept, sizeof *all, compare_items);
    return kept;
}

typedef struct hashing {
    const cli_batch *batch;
    candidate *all;
    cli_shared_archive shared;
} hashing;

static void hash_one(void *argument, size_t index)
{
    hashing *h = argument;
    candidate *c = &h->all[index];
    if (!atomic_load(&h->batch->stop))
        c->known = make_key(&h->batch->items.items[c->item], &h->shared, c->key);
}

static bool hash_all(const cli_batch *batch, candidate *all, size_t count)
{
    hashing h = {batch, all, {.mutex = PTHREAD_MUTEX_INITIALIZER}};
    const facet_threads *threads = NULL;
    if (facet_threads_create(batch->jobs, &threads, NULL))
        return false;
    threads->run(threads->user, hash_one, &h, count);
    facet_threads_free(threads);
    cli_kept_close(&h.shared.kept);
    return true;
}

/* Among items with equal keys, convert the first one. */
static bool pair(struct cli_dedup *dedup, candidate *all, size_t count)
{
    qsort(all, count, sizeof *all, compare_keys);
    dedup->twins = calloc(count + 1, sizeof *dedup->twins);
    dedup->firsts = calloc(count + 1, sizeof *dedup->firsts);
    if (!dedup->twins || !dedup->firsts)
        return false;
    for (size_t i = 0, end; i < count && all[i].known; i = end) {
        for (end = i + 1;
             end < count && all[end].known && memcmp(all[end].key, all[i].key, SUM) == 0; end++)
            dedup->twins[dedup->twin_count++] = (twin){all[end].item, all[i].item};
        if (end > i + 1)
            dedup->firsts[dedup->first_count++].item = all[i].item;
    }
    qsort(dedup->twins, dedup->twin_count, sizeof *dedup->twins, compare_twins);
    qsort(dedup->firsts, dedup->first_count, sizeof *dedup->firsts, compare_firsts);
    return true;
}

bool cli_dedup_find(cli_batch *batch, const size_t *indices, size_t count)
{
    candidate *all = calloc(count + 1, sizeof *all);
    batch->dedup = calloc(1, sizeof *batch->dedup);
    bool found = all && batch->dedup;
    size_t used = 0;
    for (size_t i = 0; i < count && found; i++) {
        const cli_batch_item *item = &batch->items.items[indices[i]];
        if (item->deaths == 0)
            all[used++] = (candidate){.bytes = item->bytes, .item = (uint32_t)indices[i]};
    }
    used = found ? keep_equal_sizes(all, used) : 0;
    found = found && hash_all(batch, all, used) && pair(batch->dedup, all, used);
    free(all);
    return found;
}

static const twin *find_twin(const cli_batch *batch, size_t index)
{
    const twin wanted = {.item = (uint32_t)index};
    const struct cli_dedup *d = batch->dedup;
    return d && d->twin_count > 0
               ? bsearch(&wanted, d->twins, d->twin_count, sizeof *d->twins, compare_twins)
               : NULL;
}

static first *find_first(const cli_batch *batch, size_t index)
{
    const first wanted = {.item = (uint32_t)index};
    const struct cli_dedup *d = batch->dedup;
    return d && d->first_count > 0
               ? bsearch(&wanted, d->firsts, d->first_count, sizeof *d->firsts, compare_firsts)
               : NULL;
}

bool cli_dedup_is_copy(const cli_batch *batch, size_t index)
{
    return find_twin(batch, index) != NULL;
}

/* -- The first of equal items -------------------------------------------- */

/* True if the line has names of files, which copies would repeat: in findings, or in a result. */
static bool names_files(const facet_json *line)
{
    const facet_json *findings = facet_json_object_get(line, "findings");
    bool named = facet_json_object_get(line, "result") != NULL;
    for (size_t i = 0; i < facet_json_array_size(findings) && !named; i++)
        named = facet_json_object_get(facet_json_array_get(findings, i), "file") != NULL;
    return named;
}

/* True if an item wrote only the outputs of its commands. An output with files next to it contains
 * their names. A copy would refer to the files of the first item. */
static bool stands_alone(const cli_batch *batch, const facet_json *line)
{
    size_t products = batch->job->also_count - cli_batch_products_has_line(batch->job);
    size_t others = facet_json_array_size(facet_json_object_get(line, "outputs"));
    return others == batch->job->also_count || others == products;
}

void cli_dedup_keep(cli_batch *batch, const cli_batch_item *item, facet_json *line)
{
    first *found = batch->stream ? NULL : find_first(batch, (size_t)(item - batch->items.items));
    if (found && strcmp(cli_json_text_at(line, "status"), "ok") == 0 && !names_files(line) &&
        stands_alone(batch, line))
        found->line = facet_json_keep(line);
}

/* -- Copies -------------------------------------------------------------- */

/* Path of a side file of the first item, relative to another item. */
static bool move_side(const char *path, const cli_batch_item *from, const cli_batch_item *to,
                      char moved[FACET_PATH_MAX])
{
    size_t folder = facet_path_folder_length(from->in), other = facet_path_folder_length(to->in);
    bool inside =
        strncmp(path, from->in, folder) == 0 && !(folder == 0 && facet_path_is_absolute(path));
    int length = snprintf(moved, FACET_PATH_MAX, "%.*s%s", inside ? (int)other : 0, to->in,
                          path + (inside ? folder : 0));
    return length >= 0 && length < FACET_PATH_MAX;
}

/* Side files of the first item as those of another item; NULL if they differ. */
static facet_json *compare_sides(const facet_json *line, const cli_batch_item *from,
                                 const cli_batch_item *to, cli_record *record)
{
    char path[FACET_PATH_MAX], moved[FACET_PATH_MAX];
    const facet_json *sides = facet_json_object_get(line, "sides");
    facet_json *list = facet_json_array();
    bool same = true;
    for (size_t i = 0; i < facet_json_array_size(sides) && same; i++) {
        const facet_json *side = facet_json_array_get(sides, i);
        char now[65] = "";
        uint64_t bytes = 0;
        same = cli_json_name_at(side, "path", path) && move_side(path, from, to, moved);
        if (same && cli_is_folder_name(moved))
            cli_identify_folder(moved, now);
        else if (same)
            cli_identify_in(record->kept, moved, now, &bytes);
        same = same && strcmp(now, cli_json_text_at(side, "sha256")) == 0;
        facet_json *file = facet_json_object();
        facet_json_set(file, "path", cli_json_name(moved));
        facet_json_set(file, "sha256", *now ? facet_json_string(now) : facet_json_null());
        facet_json_set(file, "bytes",
                       *now ? facet_json_integer((int64_t)bytes) : facet_json_null());
        facet_json_append(list, file);
    }
    if (!same)
        facet_json_free(list);
    return same ? list : NULL;
}

/* Position of the next output of the first item, if outputs are in a tar. */
typedef struct reading {
    cli_tar tar; /* opened separately: meanwhile the batch may begin other parts */
    uint64_t offset, size;
} reading;

static bool begin_reading(reading *r, const facet_json *line, char path[FACET_PATH_MAX])
{
    *r = (reading){.tar.descriptor = -1};
    if (!facet_json_object_get(line, "tar"))
        return true;
    r->offset = (uint64_t)facet_json_integer_value(facet_json_object_get(line, "tar_offset"));
    r->size = (uint64_t)facet_json_integer_value(facet_json_object_get(line, "tar_bytes"));
    if (cli_json_name_at(line, "tar", path))
        r->tar = (cli_tar){.path = path, .descriptor = open(path, O_RDONLY | O_CLOEXEC)};
    return r->tar.descriptor >= 0;
}

/* Copy an output that has the given hash. */
static bool copy_output(reading *r, const char *from, const char *sum, const char *to,
                        cli_record *record)
{
    char now[65];
    facet_file *file = NULL;
    uint8_t *member = NULL;
    facet_source source = {0};
    if (r->tar.path) {
        uint64_t bytes = 0;
        if (cli_tar_read_next(&r->tar, &r->offset, &r->size, &member, &bytes))
            source = facet_source_from_memory(member, (size_t)bytes, from);
    } else if (!facet_file_open(from, NULL, &file, NULL)) {
        source = facet_file_source(file);
    }
    bool there = file || member;
    if (there)
        facet_sha256_text(source.data, source.size, now);
    bool copied = there && strcmp(now, sum) == 0 &&
                  cli_batch_write_bytes(to, source.data, source.size, record) == EXIT_DONE;
    facet_file_close(file);
    free(member);
    return copied;
}

/* Copy the main output and those of the products, which the line lists in this order. */
static bool copy_outputs(const cli_batch *batch, const facet_json *line, const cli_batch_item *item,
                         cli_record *record)
{
    char path[FACET_PATH_MAX], tar[FACET_PATH_MAX];
    const facet_json *others = facet_json_object_get(line, "outputs");
    reading r;
    bool copied = begin_reading(&r, line, tar) && cli_json_name_at(line, "out", path) &&
                  copy_output(&r, path, cli_json_text_at(line, "out_sha256"), item->out, record);
    size_t at = 0;
    for (size_t i = 0; i < batch->job->also_count && copied; i++) {
        if (!batch->job->also[i].command) /* the line of the item: not copied */
            continue;
        const facet_json *other = facet_json_array_get(others, at++);
        copied = other && cli_json_name_at(other, "path", path) &&
                 copy_output(&r, path, cli_json_text_at(other, "sha256"),
                             cli_batch_more_of(item)->also[i], record);
    }
    if (r.tar.descriptor >= 0)
        close(r.tar.descriptor);
    return copied;
}

facet_json *cli_dedup_copy(cli_batch *batch, const cli_batch_item *item, cli_record *record)
{
    const twin *t = find_twin(batch, (size_t)(item - batch->items.items));
    const first *f = t ? find_first(batch, t->first) : NULL;
    const cli_batch_item *from = t ? &batch->items.items[t->first] : NULL;
    double began = cli_seconds();
    char sum[65] = "";
    uint64_t bytes = 0;
    if (!f || !f->line || !cli_identify_in(record->kept, item->in, sum, &bytes) ||
        strcmp(sum, cli_json_text_at(f->line, "in_sha256")) != 0)
        return NULL;
    cli_record_free(record);
    facet_json *sides = compare_sides(f->line, from, item, record), *line = NULL;
    if (sides && copy_outputs(batch, f->line, item, record)) {
        memcpy(record->in_sha256, sum, sizeof sum);
        record->in_bytes = bytes;
        line = cli_batch_copied_line(batch->job, item, f->line, sides, record);
        facet_json_set(line, "ms",
                       facet_json_real((double)(int64_t)((cli_seconds() - began) * 1e5) / 100));
        if (record->tar.size > 0)
            facet_json_set(line, "tar_bytes", facet_json_integer((int64_t)record->tar.size));
    } else {
        facet_json_free(sides);
        cli_tar_free(&record->tar);
    }
    return line;
}

void cli_dedup_free(struct cli_dedup *dedup)
{
    if (!dedup)
        return;
    for (size_t i = 0; i < dedup->first_count; i++)
        facet_json_free(dedup->firsts[i].line);
    free(dedup->twins);
    free(dedup->firsts);
    free(dedup);
}
