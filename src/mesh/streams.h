/* mesh/streams.h - what the passes share: index arrays that several streams
 * have in common, and new data for a stream from the elements it had. */
#ifndef FACET_MESH_STREAMS_H
#define FACET_MESH_STREAMS_H

#include "scene/scene.h"

/* What a pass says of itself: `changed` may be NULL. */
static inline facet_status facet_pass_done(bool has_changed, bool *changed)
{
    if (changed)
        *changed = has_changed;
    return FACET_OK;
}

/* True for the first of the streams that share an index array: a loop over
 * the streams that lead sees every index array once. */
static inline bool facet_stream_leads(const facet_mesh *mesh, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (mesh->streams[i].indices == mesh->streams[index].indices)
            return false;
    }
    return true;
}

/* Every stream that has the index array `old` gets `indices` in its stead. */
static inline void facet_mesh_swap_indices(facet_mesh *mesh, const uint32_t *old, uint32_t *indices)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (mesh->streams[i].indices == old)
            mesh->streams[i].indices = indices;
    }
}

/* Make `count` elements the stream's data, the i-th being what its element
 * from[i] was; FACET_NONE gives zeros, in a color ones. The indices are the
 * caller's affair. On failure nothing has changed. Of `options`, which may be NULL, here and
 * below the threads are used. */
facet_status facet_stream_gather(facet_mesh *mesh, facet_stream *stream, const uint32_t *from,
                                 uint32_t count, const facet_options *options, facet_error *error);

/* Number the elements of an indexed mesh by first use, those that only lines and
 * points use last, and drop those that nothing uses. *changed (NULL is fine) becomes true
 * when that changes anything, and stays as it is otherwise. */
facet_status facet_mesh_renumber(facet_mesh *mesh, const facet_options *options, bool *changed,
                                 facet_error *error);

#endif
