/* cli/kept_archive.c - the archive of the last member, kept open. */
#include "cli/kept_archive.h"
#include "archive/archive.h"

#include <stdlib.h>
#include <string.h>

void cli_kept_close(cli_kept_archive *kept)
{
    facet_archive_free(kept->archive);
    facet_input_close(kept->input);
    free(kept->path);
    free(kept->block);
    *kept = (cli_kept_archive){0};
}

bool cli_kept_sample(cli_kept_archive *kept, const char *path, const void *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, path);
    cli_kept_close(kept);
    kept->path = strdup(path);
    kept->in_memory = kept->path && !facet_tar_read_source(&source, &kept->archive, NULL);
    if (!kept->in_memory)
        cli_kept_close(kept);
    return kept->in_memory;
}

size_t cli_kept_in_memory(const cli_kept_archive *kept, const char *path)
{
    size_t length = kept && kept->in_memory ? strlen(kept->path) : 0;
    return length > 0 && strncmp(path, kept->path, length) == 0 && path[length] == '/' ? length : 0;
}

/* True if the kept archive is this file, unchanged since it was opened. */
static bool is_kept(const cli_kept_archive *kept, const char *path, const facet_file_info *now)
{
    const facet_file_info *was = &kept->was;
    return kept->path && strcmp(kept->path, path) == 0 && was->device == now->device &&
           was->number == now->number && was->size == now->size && was->changed == now->changed;
}

/* Keep an archive. Takes ownership of the path. */
static bool keep(cli_kept_archive *kept, char *path, const facet_options *options)
{
    facet_file_info now = {0};
    facet_source source;
    if (kept->in_memory) {
        bool same = strcmp(kept->path, path) == 0;
        free(path);
        return same;
    }
    bool known = facet_system_get_file_info(path, &now);
    if (known && is_kept(kept, path, &now)) {
        free(path);
        return true;
    }
    cli_kept_close(kept);
    kept->path = path;
    kept->was = now;
    if (known && !facet_input_open(path, options, &kept->input, NULL) &&
        !facet_input_decompress(kept->input, &source, NULL) &&
        !facet_archive_read(&source, options, &kept->archive, NULL))
        return true;
    cli_kept_close(kept);
    return false;
}

bool cli_kept_open(cli_kept_archive *kept, const char *path, size_t length,
                   const facet_options *options, facet_input **input)
{
    char *name = length > 0 && path[length] == '/' ? malloc(length + 1) : NULL;
    if (name) {
        memcpy(name, path, length);
        name[length] = '\0';
    }
    if (!name || !keep(kept, name, options))
        return false;
    uint32_t member = facet_archive_find(kept->archive, FACET_NONE, path + length + 1);
    return member != FACET_NONE && !(kept->archive->members[member].flags & FACET_ARCHIVE_FOLDER) &&
           facet_input_open_member(kept->archive, member, kept->path, options, input, NULL) ==
               FACET_OK;
}
