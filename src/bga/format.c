/* bga/format.c - BGA's line in the format table. */
#include "base/arena.h"
#include "base/error.h"
#include "bga/bga.h"
#include "bga/hooks.h"

#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= 4 && memcmp(source->data, "BGA ", 4) == 0 ? 100 : 0;
}

/* The comments of a header, those that stand on lines of their own. */
static facet_status find_comments(facet_bga *bga, facet_arena *arena, facet_error *error)
{
    const char *at = (const char *)bga->data, *end = at + bga->header_size;
    const char **comments = NULL;
    size_t count = 0, space = 0;
    for (const char *next; at < end; at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        if (next - at < 2 || memcmp(at, "//", 2) != 0)
            continue;
        at += next - at > 2 && at[2] == ' ' ? 3 : 2;
        if (count == space) {
            size_t more = space ? space * 2 : 16;
            const char **grown = facet_arena_resize(arena, comments, space, more, sizeof *comments);
            if (!grown)
                return facet_fail_memory(error, more * sizeof *comments);
            comments = grown;
            space = more;
        }
        comments[count] = facet_arena_string(arena, at, (size_t)(next - at));
        if (!comments[count++])
            return facet_fail_memory(error, (size_t)(next - at));
    }
    bga->comments = comments;
    bga->comment_count = count;
    return FACET_OK;
}

/* Within the family nothing passes through a scene: every buffer and every name
 * survives, and comments do. */
facet_status facet_bga_copy(const facet_source *source, const facet_options *options,
                            facet_output *output, facet_error *error)
{
    facet_bga bga;
    facet_status status = facet_bga_view_reported(source, options, &bga, error);
    if (status)
        return status;
    facet_arena *arena = NULL;
    status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    status = find_comments(&bga, arena, error);
    if (!status)
        status = facet_bga_write(&bga, options, output, error);
    facet_arena_free(arena);
    return status;
}

static const char *const extensions[] = {".bga", NULL};

const facet_format facet_format_bga = {
    .name = "bga",
    .title = "Binary GPU Attributes",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT | FACET_NEED_ONE_MESH | FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX,
    .probe = probe,
    .read = facet_bga_read_scene,
    .write = facet_bga_write_scene,
    .check = facet_bga_check,
    .describe = facet_bga_describe,
    .copy = facet_bga_copy,
};
