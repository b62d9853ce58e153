/* batch/items.c - the items of a batch, read from a manifest of JSON lines, from a list of names,
 * or from files and folders. */
#include "base/arena.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/json.h"
#include "base/text.h"
#include "batch/lines.h"
#include "batch/products.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Origin of an item, for messages. */
typedef struct place {
    const char *file;
    uint64_t line; /* 0: not from a line */
} place;

static int complain_at(place at, const char *sentence, const char *name)
{
    char line[24] = "";
    if (at.line)
        snprintf(line, sizeof line, ":%llu", (unsigned long long)at.line);
    cli_complain(NULL, "%s%s: %s%s%s%s", cli_input_name(at.file), line, sentence, name ? " '" : "",
                 name ? name : "", name ? "'" : "");
    return EXIT_USAGE;
}

static int out_of_memory(void)
{
    cli_complain_memory(NULL);
    return EXIT_SYSTEM;
}

/* -- Adding ------------------------------------------------------------- */

/* True for a name of ASCII characters without escapes: it is the same in JSON. */
static bool is_plain(const char *name)
{
    for (; *name > ' ' && *name < 0x7F && *name != '\\'; name++)
        continue;
    return !*name;
}

/* Id for a name: the name as JSON stores it, in UTF-8. That is usually the name itself, a string in
 * the arena. */
static const char *make_id(facet_arena *arena, const char *id, const char *in)
{
    if (id || !in)
        return id ? facet_arena_string(arena, id, strlen(id)) : NULL;
    if (is_plain(in))
        return in;
    facet_json *name = cli_json_name(in);
    const char *text = facet_json_string_value(name);
    const char *made = !text ? NULL
                       : strcmp(text, in) == 0
                           ? in
                           : facet_arena_string(arena, text, facet_json_string_length(name));
    facet_json_free(name);
    return made;
}

/* Error message for an output, or NULL. */
static const char *fault_of_output(cli_batch_items *items, const cli_batch_origin *origin,
                                   const char *out)
{
    if (!*out || strcmp(out, "-") == 0)
        return "an item's output is a file, not";
    bool stores = origin->job && origin->job->stores && !origin->packs;
    if (cli_batch_is_url(out) && !stores)
        return "an item's output is a file, not the URL";
    if (origin->packs)
        return NULL;
    /* Items run in parallel, but an archive can only be rewritten as a whole. */
    return !stores && cli_batch_paths_in_file(&items->paths, out)
               ? "the output of an item must be a separate file, not in an archive:"
               : NULL;
}

/* Store the paths that an item reads and writes. */
static bool note_paths(cli_batch_items *items, size_t index, const cli_batch_item *item, bool packs)
{
    bool noted = cli_batch_paths_note(&items->paths, index, item->in, item->out, packs);
    for (size_t i = 0; i < cli_batch_more_of(item)->also_count; i++)
        noted &=
            cli_batch_paths_note_out(&items->paths, index, cli_batch_more_of(item)->also[i], packs);
    return noted;
}

/* Store only the paths of an item of another shard. */
static int note_elsewhere(cli_batch_items *items, const cli_batch_item *item, bool packs)
{
    items->elsewhere++;
    return note_paths(items, CLI_BATCH_ELSEWHERE, item, packs) ? EXIT_DONE : out_of_memory();
}

/* Copy the optional members of an item, with the outputs of the products. False if out of
 * memory. */
static bool keep_more(facet_arena *arena, const cli_batch_origin *origin, cli_batch_item *item,
                      size_t below)
{
    cli_batch_more more = *cli_batch_more_of(item), *kept;
    item->more = NULL;
    if (!cli_batch_products_expand(arena, origin->job, item, &more, below))
        return false;
    if (!more.words && !more.also && !more.sha256 && !more.columns)
        return true;
    item->more = kept = facet_arena_allocate(arena, 1, sizeof *kept);
    if (kept)
        *kept = more;
    return kept != NULL;
}

/* Names are copied; options and columns are used without a copy; `below` as in cli_batch_expand. */
static int complete(facet_arena *arena, const cli_batch_origin *origin, place at,
                    cli_batch_item *item, size_t below)
{
    cli_batch_item given = *item;
    if (!*given.in || strcmp(given.in, "-") == 0)
        return complain_at(at, "an item's input is a file, not", given.in);
    if (cli_batch_is_url(given.in) && origin->job && !origin->job->fetches)
        return complain_at(at, "an item's input is a file, not the URL", given.in);
    item->named = given.out != NULL;
    item->attempt = item->run = 1;
    item->in = facet_arena_string(arena, given.in, strlen(given.in));
    item->id = make_id(arena, given.id, item->in);
    if (given.out)
        item->out = facet_arena_string(arena, given.out, strlen(given.out));
    else if (origin->out && item->id)
        item->out = cli_batch_expand(arena, origin->out, item->id, given.in, below);
    if (!item->id || !item->in || ((given.out || origin->out) && !item->out) ||
        !keep_more(arena, origin, item, below))
        return out_of_memory();
    if (!item->out && origin->wants_out)
        return complain_at(at, "no output given, by \"out\" or --out, for", given.in);
    if (item->out && origin->packs && !cli_tar_name_suits(item->out))
        return complain_at(at, "an output in a tar has a relative path without '..', not",
                           item->out);
    for (size_t i = 0; i < cli_batch_more_of(item)->also_count && origin->packs; i++) {
        if (!cli_tar_name_suits(cli_batch_more_of(item)->also[i]))
            return complain_at(at, "an output in a tar has a relative path without '..', not",
                               cli_batch_more_of(item)->also[i]);
    }
    return EXIT_DONE;
}

int cli_batch_item_complete(facet_arena *arena, const cli_batch_origin *origin, const char *where,
                            cli_batch_item *item, size_t below)
{
    return complete(arena, origin, (place){where, 0}, item, below);
}

static int add(cli_batch_items *items, const cli_batch_origin *origin, place at,
               cli_batch_item made, size_t below)
{
    int result = complete(items->arena, origin, at, &made, below);
    if (result != EXIT_DONE)
        return result;
    if (!FACET_GROW_HEAP(items->items, items->count + 1, items->space))
        return out_of_memory();
    const char *fault = made.out ? fault_of_output(items, origin, made.out) : NULL;
    if (fault)
        return complain_at(at, fault, made.out);
    for (size_t i = 0; i < cli_batch_more_of(&made)->also_count; i++) {
        fault = fault_of_output(items, origin, made.more->also[i]);
        if (fault)
            return complain_at(at, fault, made.more->also[i]);
    }
    if (!origin->balances && !cli_batch_shard_has(&origin->shard, made.id))
        return note_elsewhere(items, &made, origin->packs);
    uint32_t known = cli_batch_items_put(items, made.id, strlen(made.id));
    if (known == UINT32_MAX)
        return out_of_memory();
    if (known != items->count)
        return complain_at(at, "a second item has the id", made.id);
    if (!note_paths(items, items->count, &made, origin->packs))
        return out_of_memory();
    items->items[items->count++] = made;
    return EXIT_DONE;
}

/* -- Manifests ---------------------------------------------------------- */

static bool take_words(cli_batch_items *items, const facet_json *array, cli_batch_more *more)
{
    size_t count = facet_json_array_size(array);
    char **words = facet_arena_allocate(items->arena, count + 1, sizeof *words);
    for (size_t i = 0; i < count && words; i++) {
        const facet_json *word = facet_json_array_get(array, i);
        words[i] = facet_arena_string(items->arena, facet_json_string_value(word),
                                      facet_json_string_length(word));
        if (!words[i])
            return false;
        cli_decode_name(words[i]);
    }
    more->words = words;
    more->word_count = (int)count;
    return words != NULL;
}

/* String of a key, or NULL; *wrong is set if the value is not a string. */
static const char *text_of(const facet_json *object, const char *key, const char **wrong)
{
    const facet_json *value = facet_json_object_get(object, key);
    if (value && !facet_json_is_null(value) && !facet_json_is_string(value))
        *wrong = key;
    return facet_json_string_value(value);
}

/* Bytes of a name; NULL: none. A copy that was needed is *made, which the caller frees. *wrong is
 * set if the value is not a string, *lacks if out of memory. */
static const char *name_of(const facet_json *object, const char *key, const char **wrong,
                           char **made, bool *lacks)
{
    const char *text = text_of(object, key, wrong);
    if (!text || !strchr(text, '\\'))
        return text;
    *made = strdup(text);
    *lacks |= !*made;
    if (*made)
        cli_decode_name(*made);
    return *made;
}

/* SHA-256 of a manifest in lower case; NULL if it is invalid. */
static const char *sum_of(cli_batch_items *items, const char *text)
{
    enum { DIGITS = 64 };
    char *sum = facet_arena_string(items->arena, text, strlen(text));
    bool is_sum = sum && strlen(sum) == DIGITS && strspn(sum, "0123456789abcdefABCDEF") == DIGITS;
    for (char *at = sum; is_sum && *at; at++)
        *at = *at >= 'A' && *at <= 'F' ? (char)(*at - 'A' + 'a') : *at;
    return is_sum ? sum : NULL;
}

/* True for keys that a batch reads or writes itself: a line of results can be an item. */
static bool is_own_key(const char *key)
{
    static const char *const others[] = {"args",    "bytes",  "sha256",  "result",
                                         "columns", "reason", "same_as", NULL};
    bool own = false;
    for (unsigned i = 0; i < CLI_LINE_KEYS && !own; i++) {
        const char *name = cli_line_key_name((cli_line_key)i);
        own = *key == *name && strcmp(key, name) == 0;
    }
    for (size_t i = 0; others[i] && !own; i++)
        own = strcmp(key, others[i]) == 0;
    return own;
}

/* Further columns of a manifest's item, as JSON; NULL if it has none. False if out of memory. */
static bool keep_columns(cli_batch_items *items, const facet_json *object, cli_batch_more *more)
{
    const facet_json *before = facet_json_object_get(object, "columns");
    facet_json *columns = facet_json_is_object(before) ? facet_json_object() : NULL;
    bool kept = !columns || facet_json_update(columns, before);
    for (size_t i = 0; i < facet_json_object_size(object) && kept; i++) {
        const char *key = facet_json_object_key(object, i);
        if (is_own_key(key))
            continue;
        columns = columns ? columns : facet_json_object();
        kept = facet_json_set(columns, key, facet_json_keep(facet_json_object_value(object, i)));
    }
    if (kept && facet_json_object_size(columns) > 0) {
        char *text = cli_json_line(columns);
        more->columns = text ? facet_arena_string(items->arena, text, strlen(text)) : NULL;
        kept = more->columns != NULL;
        free(text);
    }
    facet_json_free(columns);
    return kept;
}

/* True for a size. Programs with tables write 5.0 for 5 if some sizes are missing. */
static bool is_size(const facet_json *value)
{
    double number = facet_json_number_value(value);
    return facet_json_is_integer(value) ? facet_json_integer_value(value) >= 0
                                        : facet_json_is_real(value) && number >= 0 &&
                                              number < 9e15 && number == floor(number);
}

static int add_named(cli_batch_items *items, const cli_batch_origin *origin, place at,
                     const facet_json *object, const char *in, const char *out, const char *wrong)
{
    cli_batch_more more = {0};
    cli_batch_item item = {
        .in = in, .out = out, .more = &more, .id = text_of(object, "id", &wrong)};
    const char *sum = text_of(object, "sha256", &wrong);
    const facet_json *words = facet_json_object_get(object, "args");
    const facet_json *bytes = facet_json_object_get(object, "bytes");
    if (bytes && !facet_json_is_null(bytes) && !is_size(bytes))
        return complain_at(at, "a size of at least 0 is expected in", "bytes");
    item.bytes = facet_json_is_integer(bytes) ? (uint64_t)facet_json_integer_value(bytes)
                                              : (uint64_t)facet_json_number_value(bytes);
    for (size_t i = 0; i < facet_json_array_size(words); i++) {
        if (!facet_json_is_string(facet_json_array_get(words, i)))
            wrong = "args";
    }
    if (facet_json_is_null(words))
        words = NULL;
    if (wrong || (words && !facet_json_is_array(words)))
        return complain_at(at, "strings are expected in", wrong ? wrong : "args");
    if (!item.in)
        return complain_at(at, "an item is an object with", "in");
    more.sha256 = sum ? sum_of(items, sum) : NULL;
    if (sum && !more.sha256)
        return complain_at(at, "a SHA-256 is 64 hexadecimal digits, not", sum);
    if (!keep_columns(items, object, &more))
        return out_of_memory();
    item.id = item.id && *item.id ? item.id : NULL;
    if (words && !take_words(items, words, &more))
        return out_of_memory();
    return add(items, origin, at, item, 0);
}

static int add_object(cli_batch_items *items, const cli_batch_origin *origin, place at,
                      const facet_json *object)
{
    const char *wrong = NULL;
    char *made_in = NULL, *made_out = NULL;
    bool lacks = false;
    const char *in = name_of(object, "in", &wrong, &made_in, &lacks);
    const char *out = name_of(object, "out", &wrong, &made_out, &lacks);
    int result = lacks ? out_of_memory() : add_named(items, origin, at, object, in, out, wrong);
    free(made_in);
    free(made_out);
    return result;
}

typedef struct manifest {
    cli_batch_items *items;
    const cli_batch_origin *origin;
    place at;
    int result;
} manifest;

static bool is_blank(const char *line, size_t length)
{
    while (length > 0 && strchr(" \t\r", line[length - 1]))
        length--;
    return length == 0;
}

/* Parse a line: a tree, or NULL if the line is not JSON or has no item. */
static void parse_item(void *record, const char *line, size_t length)
{
    facet_json **object = record;
    *object = cli_batch_is_header(line, length)
                  ? NULL
                  : facet_json_read(line, length, FACET_JSON_UNIQUE_KEYS, NULL);
}

/* Describe the error of a line. */
static int complain_line(const manifest *m, const char *line, size_t length)
{
    facet_json_fault fault;
    facet_json *object = facet_json_read(line, length, FACET_JSON_UNIQUE_KEYS, &fault);
    facet_json_free(object);
    if (object || fault.memory)
        return out_of_memory();
    size_t blanks = 0;
    while (blanks < length && strchr(" \t\r\n", line[blanks]))
        blanks++;
    return blanks < length && line[blanks] != '{'
               ? complain_at(m->at,
                             "a line of a manifest is a JSON object; a list of names is "
                             "given by --filelist",
                             NULL)
               : complain_at(m->at, fault.text, NULL);
}

static int add_line(const manifest *m, const facet_json *object, const char *line, size_t length)
{
    if (facet_json_is_object(object))
        return add_object(m->items, m->origin, m->at, object);
    if (object)
        return complain_at(m->at, "an item is an object", NULL);
    return is_blank(line, length) || cli_batch_is_header(line, length)
               ? EXIT_DONE
               : complain_line(m, line, length);
}

static bool take_item(void *user, void *record, const char *line, size_t length)
{
    manifest *m = user;
    facet_json *object = *(facet_json **)record;
    m->at.line++;
    if (m->result == EXIT_DONE)
        m->result = add_line(m, object, line, length);
    facet_json_free(object);
    return m->result == EXIT_DONE;
}

static int read_manifest(cli_batch_items *items, const cli_batch_origin *origin,
                         const facet_source *source, size_t first)
{
    manifest m = {items, origin, {origin->manifest, 0}, EXIT_DONE};
    const cli_line_steps steps = {sizeof(facet_json *), parse_item, take_item, &m, true};
    bool lacks;
    if (!cli_each_line(source, first, origin->threads, &steps, &lacks) && lacks)
        return out_of_memory();
    return m.result;
}

/* -- Lists -------------------------------------------------------------- */

static int read_list(cli_batch_items *items, const cli_batch_origin *origin,
                     const facet_source *source, size_t first)
{
    const char *text = (const char *)source->data + first;
    size_t size = source->size - first;
    place at = {origin->list, 0};
    char name[4096];
    int result = EXIT_DONE;
    for (const char *line = text, *end = text + size; line < end && result == EXIT_DONE;) {
        const char *stop = memchr(line, origin->null ? '\0' : '\n', (size_t)(end - line));
        size_t length = (size_t)((stop ? stop : end) - line), kept = length;
        at.line++;
        if (!origin->null && kept > 0 && line[kept - 1] == '\r')
            kept--;
        if (kept >= sizeof name || memchr(line, '\0', kept))
            return complain_at(at, "this is not a file name", NULL);
        memcpy(name, line, kept);
        name[kept] = '\0';
        if (kept > 0)
            result = add(items, origin, at, (cli_batch_item){.in = name}, 0);
        line += length + 1;
    }
    return result;
}

static int read_file(cli_batch_items *items, const cli_batch_origin *origin, const char *path,
                     int (*read)(cli_batch_items *, const cli_batch_origin *, const facet_source *,
                                 size_t))
{
    int result = EXIT_DONE;
    facet_source source;
    facet_input *file = cli_open_input(NULL, path, origin->memory_limit, &source, &result, NULL);
    if (!file)
        return result;
    /* Some editors and shells of Windows begin UTF-8 with a byte order mark. */
    size_t mark = source.size >= 3 && memcmp(source.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    result = read(items, origin, &source, mark);
    facet_input_close(file);
    return result;
}

/* -- Folders ------------------------------------------------------------ */

static void remark_too_long(const char *path, size_t count)
{
    cli_remark(NULL,
               "%s: %zu files or folders are left out, because their paths are longer than %d "
               "bytes",
               path, count, FACET_PATH_MAX - 1);
}

/* The directory entry usually has the type, without a look at the file. */
static bool is_known_file(const struct dirent *entry)
{
#ifdef DT_REG
    return entry->d_type == DT_REG;
#else
    (void)entry;
    return false;
#endif
}

/* True for a file, and for a link to one, even if that file is missing: the item then fails. Links
 * to folders may form cycles. */
static bool is_file_or_link(const char *path, const struct stat *info)
{
    struct stat target;
    return S_ISREG(info->st_mode) ||
           (S_ISLNK(info->st_mode) && (stat(path, &target) != 0 || S_ISREG(target.st_mode)));
}

static int complain_system(const char *path)
{
    cli_complain(NULL, "%s: %s", path, strerror(errno));
    return EXIT_SYSTEM;
}

/* Sort the entries of a folder into files and folders, with the folder's path. Count those whose
 * path is too long for the system. */
static int list_folder(const char *path, cli_paths *files, cli_paths *folders, size_t *too_long)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    bool listed = true;
    if (!folder)
        return complain_system(path);
    for (errno = 0; listed && (entry = readdir(folder)); errno = 0) {
        char child[FACET_PATH_MAX];
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int length = snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        if (length < 0 || length >= (int)sizeof child) {
            ++*too_long;
        } else if (is_known_file(entry)) {
            listed = cli_paths_append(files, child);
        } else if (lstat(child, &info) == 0) {
            if (S_ISDIR(info.st_mode))
                listed = cli_paths_append(folders, child);
            else if (is_file_or_link(child, &info))
                listed = cli_paths_append(files, child);
        }
    }
    int result = !listed ? out_of_memory() : errno != 0 ? complain_system(path) : EXIT_DONE;
    closedir(folder);
    return result;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* True if the next run would find an output of an item in the folder that it comes from. */
static bool feeds_itself(const cli_batch_items *items, const cli_batch_origin *origin,
                         const char *folder, size_t first)
{
    size_t length = strlen(folder);
    bool found = false;
    for (size_t i = first; i < items->count && !found; i++) {
        const char *out = items->items[i].out;
        found = out && !origin->packs && strncmp(out, folder, length) == 0 && out[length] == '/' &&
                cli_batch_would_want(&items->match, origin, out + length + 1);
    }
    return found;
}

static int walk(cli_batch_items *items, const cli_batch_origin *origin, const char *path)
{
    cli_paths files = {0}, folders = {0};
    size_t length = strlen(path), too_long = 0, first = items->count;
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *root = facet_arena_string(items->arena, path, length);
    int result = root && cli_paths_append(&folders, root) ? EXIT_DONE : out_of_memory();
    for (size_t i = 0; i < folders.count && result == EXIT_DONE; i++)
        result = list_folder(folders.items[i], &files, &folders, &too_long);
    if (too_long > 0)
        remark_too_long(path, too_long);
    if (files.count > 0)
        qsort(files.items, files.count, sizeof *files.items, compare_paths);
    for (size_t i = 0; i < files.count && result == EXIT_DONE; i++) {
        const char *file = files.items[i];
        if (cli_batch_wants(&items->match, origin, file + length + 1))
            result = add(items, origin, (place){path, 0}, (cli_batch_item){.in = file}, length);
    }
    if (result == EXIT_DONE && feeds_itself(items, origin, root, first))
        cli_remark(NULL,
                   "%s: outputs are in this folder of inputs, and the next run takes them as "
                   "inputs; select the inputs by --match, or name outputs in another folder",
                   path);
    cli_paths_free(&files);
    cli_paths_free(&folders);
    return result;
}

/* -- Archives ----------------------------------------------------------- */

/* Add the files of an archive that match --match. If members have the same path, add the one that
 * the path opens. */
static int walk_archive(cli_batch_items *items, const cli_batch_origin *origin, const char *path,
                        const facet_archive *archive)
{
    int result = EXIT_DONE;
    size_t before = strlen(path), hidden = 0, too_long = 0;
    for (uint32_t i = 0; i < archive->member_count && result == EXIT_DONE; i++) {
        char below[FACET_PATH_MAX], whole[FACET_PATH_MAX];
        if (archive->members[i].flags & FACET_ARCHIVE_FOLDER)
            continue;
        size_t length = facet_archive_path(archive, i, below, sizeof below);
        if (length >= sizeof below || before + 1 + length >= sizeof whole) {
            too_long++;
            continue;
        }
        if (!cli_batch_wants(&items->match, origin, below))
            continue;
        uint32_t found = facet_archive_find(archive, FACET_NONE, below);
        if (found != i && found != FACET_NONE) {
            hidden++;
            continue;
        }
        /* A path that cannot be opened, such as one with "..", is an item that fails. */
        memcpy(whole, path, before);
        whole[before] = '/';
        strcpy(whole + before + 1, below);
        result = add(items, origin, (place){path, 0},
                     (cli_batch_item){.in = whole,
                                      .bytes = archive->members[i].size,
                                      .in_archive = (uint32_t)strlen(path)},
                     strlen(path));
    }
    if (too_long > 0)
        remark_too_long(path, too_long);
    if (hidden > 0)
        cli_remark(NULL, "%s: %zu file%s left out, because another has the same path", path, hidden,
                   facet_plural(hidden, " is", "s are"));
    return result;
}

/* Add a file. If a pattern is given, add the files in an archive instead. */
static int add_path(cli_batch_items *items, const cli_batch_origin *origin, const char *path)
{
    facet_input *input = NULL;
    facet_archive *archive = NULL;
    facet_source source;
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return walk(items, origin, path);
    facet_options options = {0};
    if (facet_report_create(NULL, &options.report, NULL))
        return out_of_memory();
    bool read = origin->match.count > 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
                !facet_input_open(path, NULL, &input, NULL) &&
                !facet_input_decompress(input, &source, NULL) &&
                !facet_archive_read(&source, &options, &archive, NULL);
    if (read)
        cli_print_report(NULL, path, options.report);
    int result = read ? walk_archive(items, origin, path, archive)
                      : add(items, origin, (place){path, 0}, (cli_batch_item){.in = path}, 0);
    facet_archive_free(archive);
    facet_input_close(input);
    facet_report_free(options.report);
    return result;
}

cli_batch_item *cli_batch_items_remember(cli_batch_items *items, const char *id, size_t length)
{
    uint32_t known = cli_batch_items_find(items, id, length);
    if (known != UINT32_MAX)
        return &items->items[known];
    const char *copy = FACET_GROW_HEAP(items->items, items->count + 1, items->space)
                           ? facet_arena_string(items->arena, id, length)
                           : NULL;
    if (!copy || cli_batch_items_put(items, copy, length) == UINT32_MAX)
        return NULL;
    items->items[items->count] = (cli_batch_item){.id = copy};
    return &items->items[items->count++];
}

/* -- All items ---------------------------------------------------------- */

int cli_batch_items_read(const cli_batch_origin *origin, cli_batch_items *items)
{
    *items = (cli_batch_items){0};
    if (facet_arena_create(NULL, &items->arena, NULL))
        return out_of_memory();
    items->ids = facet_table_make(items->arena);
    items->paths =
        (cli_batch_paths){.arena = items->arena, .folders = facet_names_make(items->arena)};
    int result = cli_batch_match_begin(&items->match, items->arena, &origin->match);
    if (result != EXIT_DONE)
        return result;
    if (origin->manifest)
        result = read_file(items, origin, origin->manifest, read_manifest);
    if (origin->list && result == EXIT_DONE)
        result = read_file(items, origin, origin->list, read_list);
    for (int i = 0; i < origin->count && result == EXIT_DONE && !origin->streams; i++)
        result = add_path(items, origin, origin->paths[i]);
    /* Items arrive later. Note the shards now, so that no output replaces one. */
    for (int i = 0; i < origin->count && result == EXIT_DONE && origin->streams; i++) {
        const char *shard = origin->paths[i];
        if (strcmp(shard, "-") != 0 &&
            !cli_batch_paths_note(&items->paths, CLI_BATCH_ELSEWHERE, shard, NULL, origin->packs))
            result = out_of_memory();
    }
    if (origin->streams)
        return result;
    bool any = items->count > 0 || items->elsewhere > 0 || origin->manifest || origin->list ||
               origin->may_be_empty;
    if (result == EXIT_DONE)
        result = cli_batch_match_end(&items->match, any);
    if (result == EXIT_DONE && origin->balances)
        result = cli_batch_balance(items, &origin->shard);
    return result;
}

void cli_batch_items_free(cli_batch_items *items)
{
    cli_batch_paths_free(&items->paths);
    free(items->items);
    facet_arena_free(items->arena);
    *items = (cli_batch_items){0};
}
