/* batch/identify.c - hashes of files, folders and options, which show whether an item changed. */
#include "batch/identify.h"
#include "base/folder.h"
#include "base/sha256.h"
#include "base/system.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- Options ------------------------------------------------------------ */

void cli_identify_options(const cli_batch_job *job, const cli_batch_item *item, char text[65])
{
    facet_sha256 hash;
    if (item && cli_batch_more_of(item)->word_count == 0) {
        memcpy(text, job->options, sizeof job->options);
        return;
    }
    facet_sha256_begin(&hash);
    facet_sha256_add(&hash, job->command->name, strlen(job->command->name) + 1);
    for (int i = 0; i < job->count; i++)
        facet_sha256_add(&hash, job->words[i], strlen(job->words[i]) + 1);
    for (size_t p = 0; p < job->also_count; p++) {
        const cli_batch_product *also = &job->also[p];
        const char *name = also->command ? also->command->name : "line";
        facet_sha256_add(&hash, "--also", sizeof "--also");
        facet_sha256_add(&hash, name, strlen(name) + 1);
        for (int i = 0; i < also->count; i++)
            facet_sha256_add(&hash, also->words[i], strlen(also->words[i]) + 1);
        facet_sha256_add(&hash, also->out, strlen(also->out) + 1);
    }
    for (size_t i = 0; i < job->filter_count; i++) {
        facet_sha256_add(&hash, "--filter", sizeof "--filter");
        facet_sha256_add(&hash, job->filters[i].given, strlen(job->filters[i].given) + 1);
    }
    for (int i = 0; item && i < cli_batch_more_of(item)->word_count; i++)
        facet_sha256_add(&hash, cli_batch_more_of(item)->words[i],
                         strlen(cli_batch_more_of(item)->words[i]) + 1);
    facet_sha256_end_text(&hash, text);
    text[16] = '\0';
}

/* -- Files -------------------------------------------------------------- */

bool cli_is_plain_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Read the file instead of mapping it: if another process truncates it, this process survives. */
bool cli_identify_plain(const char *path, char text[65], uint64_t *bytes)
{
    uint8_t buffer[8192];
    facet_sha256 hash;
    int descriptor = cli_is_plain_file(path) ? facet_system_open(path) : -1;
    int64_t got;
    if (descriptor < 0)
        return false;
    facet_sha256_begin(&hash);
    *bytes = 0;
    /* Network file systems can give fewer bytes before the end. */
    while ((got = facet_system_read(descriptor, buffer, sizeof buffer)) > 0) {
        facet_sha256_add(&hash, buffer, (size_t)got);
        *bytes += (uint64_t)got;
    }
    close(descriptor);
    facet_sha256_end_text(&hash, text);
    return got == 0;
}

bool cli_identify_in(cli_kept_archive *kept, const char *path, char text[65], uint64_t *bytes)
{
    size_t in_memory = cli_kept_in_memory(kept, path);
    facet_input *input = NULL;
    facet_source source = {0};
    if (in_memory > 0) {
        if (!cli_kept_open(kept, path, in_memory, NULL, &input))
            return false;
        source = facet_input_source(input);
    } else if (cli_identify_plain(path, text, bytes)) {
        return true;
    } else if (facet_archive_in_path(path) > 0) {
        if (!(kept && cli_kept_open(kept, path, facet_archive_in_path(path), NULL, &input)) &&
            facet_input_open(path, NULL, &input, NULL))
            return false;
        source = facet_input_source(input);
    } else {
        return false;
    }
    facet_sha256_text(source.data, source.size, text);
    *bytes = source.size;
    facet_input_close(input);
    return true;
}

bool cli_identify_file(const char *path, char text[65], uint64_t *bytes)
{
    return cli_identify_in(NULL, path, text, bytes);
}

bool cli_identify_folder(const char *path, char text[65])
{
    facet_folder folder;
    facet_sha256 hash;
    bool listed = facet_folder_list(path, &folder);
    facet_sha256_begin(&hash);
    for (size_t i = 0; i < folder.count && listed; i++)
        facet_sha256_add(&hash, folder.names[i], strlen(folder.names[i]) + 1);
    facet_sha256_end_text(&hash, text);
    facet_folder_free(&folder);
    return listed;
}

bool cli_is_folder_name(const char *path)
{
    size_t length = strlen(path);
    return length > 0 && path[length - 1] == '/';
}
