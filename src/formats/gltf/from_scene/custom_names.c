/* formats/gltf/from_scene/custom_names.c - names of custom attributes. glTF requires an underscore
 * in front of them. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "formats/gltf/from_scene/writer.h"

#include <string.h>

static bool is_renamed(const facet_stream *stream)
{
    return stream->semantic == FACET_CUSTOM && stream->name[0] != '_';
}

/* Add underscores until no other attribute has the name. Each attempt that fails meets another
 * stream, so that all attempts of a mesh are at most its streams. NULL if out of memory. */
static const char *free_name(facet_gltf_writer *w, facet_names *taken, const char *name)
{
    for (;;) {
        uint32_t known = taken->count;
        char *made = facet_arena_format(w->arena, "_%s", name);
        uint32_t number = made ? facet_names_put(taken, made, strlen(made)) : FACET_NONE;
        if (number == FACET_NONE)
            return NULL;
        if (number == known)
            return made;
        name = made;
    }
}

const char **facet_gltf_custom_names(facet_gltf_writer *w, const facet_mesh *mesh)
{
    facet_names taken = facet_names_make(w->arena);
    const char **names = facet_arena_allocate_zeroed(w->arena, mesh->stream_count, sizeof *names);
    w->failed |= !names;
    for (uint32_t i = 0; i < mesh->stream_count && !w->failed; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream->semantic != FACET_CUSTOM || is_renamed(stream))
            continue;
        names[i] = stream->name;
        w->failed |= facet_names_put(&taken, names[i], strlen(names[i])) == FACET_NONE;
    }
    for (uint32_t i = 0; i < mesh->stream_count && !w->failed; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (!is_renamed(stream))
            continue;
        names[i] = free_name(w, &taken, stream->name);
        w->failed |= !names[i];
    }
    return w->failed ? NULL : names;
}

void facet_gltf_report_custom_names(const facet_gltf_writer *w)
{
    facet_quoted quoted;
    const char *first = w->first_renamed ? w->first_renamed : "";
    facet_report_add_tally(facet_gltf_writer_report(w), "LOSS-NAMES", FACET_SEVERITY_NOTE,
                           FACET_NO_OFFSET, &w->renamed,
                           "the custom attribute '%s' gets an underscore before its name, which "
                           "glTF requires",
                           facet_quote(&quoted, first, strlen(first)));
}
