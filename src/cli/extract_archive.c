/* cli/extract_archive.c - an archive as a folder, with a JSON file for data that a folder cannot
 * store. From both, pack creates the same archive. */
#include "archive/archive.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* State of one extraction. */
typedef struct extraction {
    const facet_archive *archive;
    const facet_options *options;
    cli_places places;
    char **paths;        /* members that are folders */
    facet_json *members; /* list for archive.json */
    bool lacked_memory;  /* out of memory: a part is missing */
} extraction;

/* -- Data for archive.json --------------------------------------------- */

/* Set a name in JSON: text, or hexadecimal digits if it is not UTF-8. */
static void set_name(extraction *x, facet_json *object, const char *key, const char *name)
{
    size_t length = strlen(name);
    if (facet_utf8_valid(name, length)) {
        facet_json_set(object, key, facet_json_text(name, length));
        return;
    }
    char hex_key[32], *hex = malloc(length * 2 + 1);
    snprintf(hex_key, sizeof hex_key, "%s_hex", key);
    for (size_t i = 0; hex && i < length; i++)
        snprintf(hex + 2 * i, 3, "%02x", (unsigned char)name[i]);
    if (hex)
        facet_json_set(object, hex_key, facet_json_text(hex, length * 2));
    else
        x->lacked_memory = true;
    free(hex);
}

/* True if the output in memory equals these bytes. */
static bool is_written(extraction *x, facet_status status, facet_output *output,
                       const facet_source *expected)
{
    if (!status)
        status = facet_output_commit(output, NULL);
    x->lacked_memory |= facet_lacks_memory(status);
    return !status && facet_output_size(output) == expected->size &&
           memcmp(facet_output_data(output), expected->data, expected->size) == 0;
}

/* True if the official layout of the members gives the same file. */
static bool is_official(extraction *x, const facet_source *plain)
{
    facet_archive laid_out = *x->archive;
    facet_options quiet = *x->options;
    facet_output *output = NULL;
    laid_out.rearranged = true;
    quiet.report = NULL;
    facet_status status = facet_output_open_memory(NULL, &output, NULL);
    if (!status)
        status = facet_archive_write(&laid_out, &quiet, output, NULL);
    bool same = is_written(x, status, output, plain);
    facet_output_free(output);
    return same;
}

static bool compresses_to(extraction *x, const facet_source *plain, const facet_source *stored,
                          facet_compression_effort effort, size_t alignment)
{
    facet_output *output = NULL;
    facet_status status = facet_output_open_memory(NULL, &output, NULL);
    if (!status)
        status = facet_compress(plain->data, plain->size,
                                facet_get_compression(stored->data, stored->size), effort,
                                alignment, x->options, output, NULL);
    bool same = is_written(x, status, output, stored);
    facet_output_free(output);
    return same;
}

/* Compression of the file, and the encoder of Facet that reproduces it. */
static facet_json *json_of_compression(extraction *x, const facet_source *stored,
                                       const facet_source *plain)
{
    static const struct {
        facet_compression_effort effort;
        const char *name;
    } efforts[] = {{FACET_COMPRESSION_OFFICIAL, "official"},
                   {FACET_COMPRESSION_FAST, "fast"},
                   {FACET_COMPRESSION_BEST, "best"}};
    facet_compression compression = facet_get_compression(stored->data, stored->size);
    if (compression == FACET_COMPRESSION_NONE)
        return facet_json_null();
    size_t alignment = stored->size % 32 == 0 ? 32 : 1, found = 0;
    bool exact = false;
    for (size_t i = 0; i < sizeof efforts / sizeof *efforts && !exact; i++) {
        exact = compresses_to(x, plain, stored, efforts[i].effort, alignment);
        found = exact ? i : 0;
    }
    facet_json *object = facet_json_object();
    facet_json_set(object, "format",
                   facet_json_string(compression == FACET_COMPRESSION_YAZ0 ? "Yaz0" : "Yay0"));
    facet_json_set(object, "effort", facet_json_string(efforts[found].name));
    facet_json_set(object, "alignment", facet_json_integer((int64_t)alignment));
    facet_json_set(object, "exact", facet_json_boolean(exact));
    return object;
}

/* -- Members ------------------------------------------------------------ */

/* A name without separators, which would create folders. */
static bool leaf_of(const char *name, char *leaf, size_t space)
{
    size_t length = strlen(name);
    bool dots = length > 0 && strspn(name, ".") == length;
    for (size_t i = 0; i < length && i + 1 < space; i++)
        leaf[i] = dots || name[i] == '/' || name[i] == '\\' ? '_' : name[i];
    leaf[length < space ? length : space - 1] = '\0';
    return leaf[0] != '\0';
}

/* The first member with the same data, or FACET_NONE. The offsets of data are sorted. */
typedef struct by_data {
    const uint8_t *data;
    size_t size;
    uint32_t member;
} by_data;

static int compare_data(const void *a, const void *b)
{
    const by_data *x = a, *y = b;
    if (x->data != y->data)
        return x->data < y->data ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return (x->member > y->member) - (x->member < y->member);
}

static uint32_t *find_shared(const facet_archive *archive)
{
    uint32_t *first = malloc((archive->member_count + (size_t)1) * sizeof *first);
    by_data *sorted = malloc((archive->member_count + (size_t)1) * sizeof *sorted);
    size_t count = 0;
    if (!first || !sorted) {
        free(first);
        free(sorted);
        return NULL;
    }
    for (uint32_t i = 0; i < archive->member_count; i++) {
        first[i] = FACET_NONE;
        if (archive->members[i].data && archive->members[i].size > 0)
            sorted[count++] = (by_data){archive->members[i].data, archive->members[i].size, i};
    }
    if (count > 0)
        qsort(sorted, count, sizeof *sorted, compare_data);
    for (size_t i = 1, of = 0; i < count; i++) {
        bool same = sorted[i].data == sorted[of].data && sorted[i].size == sorted[of].size;
        if (same)
            first[sorted[i].member] = sorted[of].member;
        else
            of = i;
    }
    free(sorted);
    return first;
}

static void describe(extraction *x, uint32_t index, const char *path, uint32_t shared)
{
    const facet_archive_member *member = &x->archive->members[index];
    bool folder = member->flags & FACET_ARCHIVE_FOLDER,
         rarc = x->archive->kind == FACET_ARCHIVE_RARC;
    const char *relative = path + cli_output_folder_name_offset(&x->places);
    const char *slash = strrchr(relative, '/');
    facet_json *object = facet_json_object();
    facet_json_set(object, folder ? "folder" : "file", cli_json_text(relative));
    if (strcmp(slash ? slash + 1 : relative, member->name) != 0)
        set_name(x, object, "name", member->name);
    uint8_t stated = member->flags & FACET_ARCHIVE_COMPRESSION, other = member->flags ^ stated;
    if (rarc && other != (folder ? FACET_ARCHIVE_FOLDER : FACET_ARCHIVE_FILE | FACET_ARCHIVE_MRAM))
        facet_json_set(object, "flags", facet_json_integer(other));
    if (rarc && stated != facet_archive_compression_of(member->data, member->size))
        facet_json_set(object, "compression_flags", facet_json_integer(stated));
    if (rarc && !folder && !x->archive->synced)
        facet_json_set(object, "id", facet_json_integer(member->id));
    if (shared != FACET_NONE)
        facet_json_set(object, "shares", facet_json_integer((int64_t)shared));
    facet_json_append(x->members, object);
}

static facet_status put_member(extraction *x, uint32_t index, uint32_t shared, facet_error *error)
{
    const facet_archive_member *member = &x->archive->members[index];
    char leaf[1024], path[4096];
    const char *folder =
        member->folder == FACET_NONE ? x->places.directory : x->paths[member->folder];
    leaf_of(member->name, leaf, sizeof leaf);
    errno = ENAMETOOLONG;
    if (strlen(folder) + sizeof leaf >= sizeof path ||
        !cli_output_folder_choose(&x->places, folder, leaf, path, sizeof path))
        return cli_output_folder_fail(error, folder);
    describe(x, index, path, shared);
    if (!(member->flags & FACET_ARCHIVE_FOLDER))
        return cli_output_folder_write(&x->places, path, member->data, member->size, error);
    x->paths[index] = strdup(path);
    strcat(path, "/"); /* cli_output_folder_choose leaves space for it */
    return x->paths[index] && cli_output_folder_make_folders(&x->places, path)
               ? FACET_OK
               : cli_output_folder_fail(error, path);
}

/* -- The archive -------------------------------------------------------- */

static facet_json *json_of_archive(extraction *x, const facet_source *stored,
                                   const facet_source *plain, bool official)
{
    const facet_archive *archive = x->archive;
    bool rarc = archive->kind == FACET_ARCHIVE_RARC;
    facet_json *object = facet_json_object();
    facet_json_set(object, "archive", facet_json_string(rarc ? "rarc" : "u8"));
    facet_json_set(object, "layout", facet_json_string(official ? "official" : "other"));
    facet_json_set(object, "compression", json_of_compression(x, stored, plain));
    if (rarc) {
        set_name(x, object, "root", archive->name);
        facet_json_set(object, "synced", facet_json_boolean(archive->synced));
        if (!archive->synced)
            facet_json_set(object, "next_id", facet_json_integer(archive->next_id));
    } else {
        facet_json *reserved = facet_json_array();
        for (size_t i = 0; i < sizeof archive->reserved; i++)
            facet_json_append(reserved, facet_json_integer(archive->reserved[i]));
        facet_json_set(object, "reserved", reserved);
    }
    facet_json_set(object, "members", facet_json_keep(x->members));
    return object;
}

static facet_status write_json(extraction *x, char *path, facet_json *object, facet_error *error)
{
    char *text =
        x->lacked_memory ? NULL : facet_json_print(object, &(facet_json_style){.indent = 1});
    facet_status status = text
                              ? cli_output_folder_write(&x->places, path, text, strlen(text), error)
                              : facet_fail_memory(error, 1);
    free(text);
    return status;
}

/* Check the total size before the first file is written, because files can share data. */
static facet_status check_growth(const extraction *x, const facet_source *plain, facet_error *error)
{
    facet_budget budget = facet_budget_of(x->options, plain->size, FACET_BUDGET_FILES);
    for (uint32_t i = 0; i < x->archive->member_count; i++)
        TRY(facet_budget_spend(&budget, x->archive->members[i].size, "files of the archive",
                               error));
    return FACET_OK;
}

static facet_status extract(extraction *x, const facet_source *stored, const facet_source *plain,
                            facet_error *error)
{
    char json_path[4096];
    uint32_t *shared = find_shared(x->archive);
    facet_status status = FACET_OK;
    errno = ENOMEM;
    if (!shared || !x->paths || !x->members ||
        !cli_output_folder_choose(&x->places, x->places.directory, CLI_ARCHIVE_JSON, json_path,
                                  sizeof json_path))
        status = cli_output_folder_fail(error, x->places.directory);
    if (!status)
        status = check_growth(x, plain, error);
    for (uint32_t i = 0; i < x->archive->member_count && !status; i++)
        status = put_member(x, i, shared[i], error);
    free(shared);
    if (status)
        return status;
    bool official = is_official(x, plain);
    facet_json *object = json_of_archive(x, stored, plain, official);
    status = write_json(x, json_path, object, error);
    if (!status && !official)
        cli_remark(x->places.record,
                   "%s: not in the layout of the official tools; packed again, its files stay the "
                   "same but its tables differ",
                   x->places.directory);
    facet_json_free(object);
    return status;
}

int cli_extract_archive(cli_record *record, const char *path, const facet_source *stored,
                        const facet_source *plain, const char *directory,
                        const facet_options *options)
{
    facet_archive *archive = NULL;
    facet_error error;
    if (facet_archive_read(plain, options, &archive, &error))
        return cli_complain_error(record, cli_input_name(path), &error);
    extraction x = {.archive = archive,
                    .options = options,
                    .places = {.record = record, .directory = directory, .any_case = true},
                    .paths = calloc(archive->member_count + (size_t)1, sizeof *x.paths),
                    .members = facet_json_array()};
    facet_status status =
        cli_output_folder_end(&x.places, extract(&x, stored, plain, &error), &error);
    for (uint32_t i = 0; x.paths && i < archive->member_count; i++)
        free(x.paths[i]);
    free(x.paths);
    facet_json_free(x.members);
    facet_archive_free(archive);
    return status ? cli_complain_error(record, cli_input_name(path), &error) : EXIT_DONE;
}
