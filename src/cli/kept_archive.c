/* cli/kept_archive.c - the archive that members were read from last, kept open. */
#include "cli/kept_archive.h"

#include <stdlib.h>
#include <string.h>

void cli_kept_close(cli_kept_archive *kept)
{
    facet_archive_free(kept->archive);
    facet_input_close(kept->input);
    free(kept->path);
    *kept = (cli_kept_archive){0};
}

/* True when it is the file that was opened, and nobody has written to it. */
static bool is_kept(const cli_kept_archive *kept, const char *path, const struct stat *now)
{
    const struct stat *was = &kept->was;
    return kept->path && strcmp(kept->path, path) == 0 && was->st_dev == now->st_dev &&
           was->st_ino == now->st_ino && was->st_size == now->st_size &&
           was->st_mtim.tv_sec == now->st_mtim.tv_sec &&
           was->st_mtim.tv_nsec == now->st_mtim.tv_nsec;
}

/* Takes the path over. */
static bool keep(cli_kept_archive *kept, char *path, const facet_options *options)
{
    struct stat now;
    facet_source source;
    bool known = stat(path, &now) == 0;
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
    char *name = length > 0 && path[length] == '/' ? strndup(path, length) : NULL;
    if (!name || !keep(kept, name, options))
        return false;
    uint32_t member = facet_archive_find(kept->archive, FACET_NONE, path + length + 1);
    return member != FACET_NONE && !(kept->archive->members[member].flags & FACET_ARCHIVE_FOLDER) &&
           facet_input_open_member(kept->archive, member, kept->path, options, input, NULL) ==
               FACET_OK;
}
