/* batch/check_line.c - check whether the line of an earlier run is still valid for an item. */
#include "base/system.h"
#include "batch/identify.h"

#include <string.h>
#include <sys/stat.h>

/* -- A line ------------------------------------------------------------- */

/* Copy a short value of a line as it is written. */
static void copy_text(const cli_line *line, cli_line_key key, char *text, size_t space)
{
    char decoded[CLI_LINE_SPACE];
    size_t length;
    const char *found = cli_line_string(line, key, decoded, &length);
    length = length < space ? length : 0;
    memcpy(text, found, length);
    text[length] = '\0';
}

static bool is_named(const cli_line *line, cli_line_key key, const char *name)
{
    char before[FACET_PATH_MAX];
    copy_text(line, key, before, sizeof before);
    cli_decode_name(before);
    return strcmp(before, name ? name : "") == 0;
}

/* An empty hash means that the file could not be read. */
static bool has_sum(cli_shared_archive *shared, const char *path, const char *sha256)
{
    char now[65] = "";
    uint64_t bytes;
    if (cli_is_folder_name(path)) {
        if (!cli_identify_folder(path, now))
            *now = '\0';
    } else if (shared->in_memory || !cli_identify_plain(path, now, &bytes)) {
        *now = '\0';
        pthread_mutex_lock(&shared->mutex);
        cli_identify_in(&shared->kept, path, now, &bytes);
        pthread_mutex_unlock(&shared->mutex);
    }
    return strcmp(now, sha256) == 0;
}

/* Compare size and time only, if they are known and no other check is required. */
static bool has_stamp(const char *path, uint64_t bytes, int64_t changed)
{
    facet_file_info now;
    return changed > 0 && facet_system_get_file_info(path, &now) && now.is_file &&
           now.size == bytes && now.changed == changed;
}

static bool are_same(cli_shared_archive *shared, const facet_json *files, bool quick)
{
    char path[FACET_PATH_MAX];
    for (size_t i = 0; i < facet_json_array_size(files); i++) {
        const facet_json *file = facet_json_array_get(files, i);
        int64_t bytes = facet_json_integer_value(facet_json_object_get(file, "bytes"));
        int64_t changed = facet_json_integer_value(facet_json_object_get(file, "ns"));
        if (!cli_json_name_at(file, "path", path))
            return false;
        if (!(quick && has_stamp(path, (uint64_t)bytes, changed)) &&
            !has_sum(shared, path, cli_json_text_at(file, "sha256")))
            return false;
    }
    return true;
}

/* Without `sums`, compare outputs by size: they were complete when the line was written. */
static bool is_there(const char *path, bool known, uint64_t bytes, const char *sha256, bool sums)
{
    struct stat info;
    char now[65] = "";
    uint64_t size;
    if (sums && *sha256)
        return cli_identify_file(path, now, &size) && strcmp(now, sha256) == 0;
    return stat(path, &info) == 0 && (!known || (uint64_t)info.st_size == bytes);
}

static bool are_there(const facet_json *files, bool sums)
{
    char path[FACET_PATH_MAX];
    for (size_t i = 0; i < facet_json_array_size(files); i++) {
        const facet_json *file = facet_json_array_get(files, i);
        const facet_json *bytes = facet_json_object_get(file, "bytes");
        if (!cli_json_name_at(file, "path", path) ||
            !is_there(path, facet_json_is_integer(bytes), (uint64_t)facet_json_integer_value(bytes),
                      cli_json_text_at(file, "sha256"), sums))
            return false;
    }
    return true;
}

/* Compare the hashes of a piece of a tar: its files are in the order of the line. */
static bool piece_has_sums(const cli_tar *tar, const cli_line *line, uint64_t offset,
                           uint64_t bytes)
{
    char main[65], now[65];
    copy_text(line, CLI_LINE_OUT_SHA256, main, sizeof main);
    facet_json *others = cli_line_value(line, CLI_LINE_OUTPUTS);
    bool same = !*main || (cli_tar_sum_next(tar, &offset, &bytes, now) && strcmp(now, main) == 0);
    for (size_t i = 0; i < facet_json_array_size(others) && same; i++)
        same = cli_tar_sum_next(tar, &offset, &bytes, now) &&
               strcmp(now, cli_json_text_at(facet_json_array_get(others, i), "sha256")) == 0;
    facet_json_free(others);
    return same;
}

/* True if the line lists outputs in this tar, and they exist. Also true if neither the line nor
 * this run has a tar. */
static bool agrees_with_tar(const cli_tar *tar, const cli_line *line, bool sums)
{
    uint64_t offset, bytes;
    cli_tar earlier;
    bool makes = line->values[CLI_LINE_OUT].text || line->values[CLI_LINE_OUTPUTS].text;
    if (!tar->path || !makes)
        return !line->values[CLI_LINE_TAR].text;
    if (cli_tar_open_earlier(tar, line, &earlier)) {
        bool agrees = agrees_with_tar(&earlier, line, sums);
        cli_tar_close(&earlier);
        return agrees;
    }
    return cli_tar_piece(tar, line, &offset, &bytes) &&
           (bytes == 0 || cli_tar_has(tar, offset, bytes)) &&
           (!sums || piece_has_sums(tar, line, offset, bytes));
}

/* True if the inputs of an item are the same as in the line. */
static bool has_same_inputs(const cli_batch_item *item, const cli_line *line,
                            cli_shared_archive *shared, bool quick)
{
    char sum[65];
    if (!line->values[CLI_LINE_IN_SHA256].text) /* the line is from --skip-existing */
        return true;
    copy_text(line, CLI_LINE_IN_SHA256, sum, sizeof sum);
    if (!(quick && has_stamp(item->in, cli_line_count(line, CLI_LINE_IN_BYTES),
                             (int64_t)cli_line_count(line, CLI_LINE_IN_CHANGED))) &&
        !has_sum(shared, item->in, sum))
        return false;
    facet_json *sides = cli_line_value(line, CLI_LINE_SIDES);
    bool same = are_same(shared, sides, quick);
    facet_json_free(sides);
    return same;
}

static bool has_outputs(const cli_batch_item *item, const cli_tar *tar, const cli_line *line,
                        bool sums)
{
    char sum[65];
    if (tar->path)
        return true;
    copy_text(line, CLI_LINE_OUT_SHA256, sum, sizeof sum);
    bool known =
        line->values[CLI_LINE_OUT_BYTES].text && *line->values[CLI_LINE_OUT_BYTES].text != 'n';
    if (item->out &&
        !is_there(item->out, known, cli_line_count(line, CLI_LINE_OUT_BYTES), sum, sums))
        return false;
    facet_json *outputs = cli_line_value(line, CLI_LINE_OUTPUTS);
    bool there = are_there(outputs, sums);
    facet_json_free(outputs);
    return there;
}

static bool is_same(const cli_batch_job *job, const cli_batch_item *item, const cli_line *line)
{
    char options[65];
    cli_identify_options(job, item, options);
    return cli_line_is(line, CLI_LINE_VERSION, facet_version()) &&
           (!line->values[CLI_LINE_OPTIONS].text || cli_line_is(line, CLI_LINE_OPTIONS, options)) &&
           is_named(line, CLI_LINE_IN, item->in) && is_named(line, CLI_LINE_OUT, item->out);
}

/* True if the line has the SHA-256 that the manifest requires now. */
static bool agrees_with_manifest(const cli_batch_item *item, const cli_line *line)
{
    char sum[65];
    copy_text(line, CLI_LINE_IN_SHA256, sum, sizeof sum);
    bool refused = cli_line_is(line, CLI_LINE_CODE, "INPUT-SUM");
    bool agrees = !cli_batch_more_of(item)->sha256 || !*sum ||
                  strcmp(sum, cli_batch_more_of(item)->sha256) == 0;
    return agrees != refused;
}

cli_batch_verdict cli_batch_check_line(const cli_batch_job *job, const cli_batch_item *item,
                                       const cli_tar *tar, cli_batch_trust trust,
                                       cli_shared_archive *shared)
{
    cli_line line;
    if (!item->line || !cli_line_scan(item->line, item->line_length, &line) ||
        !is_same(job, item, &line) || !agrees_with_manifest(item, &line))
        return CLI_BATCH_RUN;
    bool ok = cli_batch_rank_of(&line).good, sums = trust == CLI_BATCH_SUMS;
    if (trust != CLI_BATCH_TRUSTED && !job->fetches &&
        !has_same_inputs(item, &line, shared, trust == CLI_BATCH_QUICK))
        return CLI_BATCH_RUN;
    if (cli_line_is(&line, CLI_LINE_CODE, "FILTER")) /* a filtered item has no outputs */
        return CLI_BATCH_DONE;
    if (ok)
        return agrees_with_tar(tar, &line, sums) && (trust == CLI_BATCH_TRUSTED || job->stores ||
                                                     has_outputs(item, tar, &line, sums))
                   ? CLI_BATCH_DONE
                   : CLI_BATCH_RUN;
    return cli_line_is_true(&line, CLI_LINE_RETRY) ? CLI_BATCH_RETRY : CLI_BATCH_FAILED;
}
