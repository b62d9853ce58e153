/* archive/chain.c - resolution of a path through archives. */
#include "archive/chain.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <string.h>

/* Find the next file on the path, its end or an archive in it, and move `rest` after it. */
static uint32_t next_file(facet_arena *arena, const facet_archive *archive, const char **rest)
{
    char *path = facet_arena_string(arena, *rest, strlen(*rest));
    for (char *end = path; path && *end;) {
        end += strcspn(end, "/");
        char kept = *end;
        *end = '\0';
        uint32_t found = facet_archive_find(archive, FACET_NONE, path);
        if (found != FACET_NONE && !facet_archive_is_folder(&archive->members[found])) {
            *rest += end - path;
            *rest += strspn(*rest, "/");
            return found;
        }
        *end = kept;
        end += kept != '\0';
    }
    return FACET_NONE;
}

/* Read an archive and find the next part of the path. */
static facet_status follow(facet_chain *chain, facet_source source, const facet_options *options,
                           facet_error *error)
{
    facet_quoted quoted;
    if (chain->count == FACET_ARCHIVE_MAX_NESTING)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "archives are nested more than %d deep", FACET_ARCHIVE_MAX_NESTING);
    facet_chain_link *link = &chain->links[chain->count];
    *link = (facet_chain_link){.path = source.name};
    facet_status status = facet_layers_decode(chain->arena, options, &source.data, &source.size,
                                              &link->layers, error);
    if (!status)
        status = facet_archive_read(&source, options, &link->archive, error);
    if (status == FACET_ERROR_UNSUPPORTED && error && strcmp(error->rule, "FORMAT-UNKNOWN") == 0)
        return facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET,
                          "'%s' is neither a folder nor an archive",
                          facet_quote(&quoted, source.name, strlen(source.name)));
    if (status)
        return status;
    chain->count++;
    link->member = next_file(chain->arena, link->archive, &chain->rest);
    return FACET_OK;
}

/* Continue in the archive that is the last archive's member. */
static facet_status descend(facet_chain *chain, const char *path, const facet_options *options,
                            facet_error *error)
{
    const facet_chain_link *last = facet_chain_last(chain);
    facet_source source = {0};
    TRY(facet_archive_get(last->archive, last->member, &source.data, &source.size, error));
    size_t length = (size_t)(chain->rest - path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    source.name = facet_arena_string(chain->arena, path, length);
    return source.name ? follow(chain, source, options, error)
                       : facet_fail_arena(chain->arena, error);
}

facet_status facet_chain_open(const char *path, size_t length, const facet_options *options,
                              facet_chain *chain, facet_error *error)
{
    *chain = (facet_chain){.rest = path + length + strspn(path + length, "/")};
    facet_status status = facet_check_options(options, error);
    if (!status)
        status = facet_arena_create(options, &chain->arena, error);
    if (status)
        return status;
    chain->path = facet_arena_string(chain->arena, path, length);
    if (!chain->path)
        return facet_fail_arena(chain->arena, error);
    status = facet_file_open_steady(chain->path, options, &chain->file, error);
    if (!status)
        status = follow(chain, facet_file_source(chain->file), options, error);
    while (!status && *chain->rest && facet_chain_last(chain)->member != FACET_NONE)
        status = descend(chain, path, options, error);
    return status;
}

void facet_chain_close(facet_chain *chain)
{
    while (chain->count > 0)
        facet_archive_free(chain->links[--chain->count].archive);
    facet_file_close(chain->file);
    facet_arena_free(chain->arena);
    *chain = (facet_chain){0};
}

facet_status facet_chain_fail(const facet_chain *chain, facet_error *error)
{
    const facet_chain_link *last = &chain->links[chain->count - 1];
    facet_quoted quoted, archive;
    bool folder =
        !*chain->rest || facet_archive_find(last->archive, FACET_NONE, chain->rest) != FACET_NONE;
    size_t offset = 0;
    const char *fault = folder ? NULL : facet_tar_fault(last->archive, &offset);
    return facet_fail(error, FACET_ERROR_IO, NULL, fault ? offset : FACET_NO_OFFSET,
                      "'%s' is %s '%s'%s%s", facet_quote(&quoted, chain->rest, strlen(chain->rest)),
                      folder ? "a folder in" : "not in",
                      facet_quote(&archive, last->path, strlen(last->path)), fault ? "; " : "",
                      fault ? fault : "");
}
