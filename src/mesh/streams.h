/* mesh/streams.h - functions shared by the passes: index arrays that several streams share, and
 * new stream data gathered from old elements. */
#ifndef FACET_MESH_STREAMS_H
#define FACET_MESH_STREAMS_H

#include "scene/scene.h"

/* Finish a pass: report whether it changed the mesh. `changed` may be NULL. */
static inline facet_status facet_pass_done(bool has_changed, bool *changed)
{
    if (changed)
        *changed = has_changed;
    return FACET_OK;
}

/* True for the first of the streams that share an index array. A loop over these streams visits
 * every index array once. */
static inline bool facet_stream_leads(const facet_mesh *mesh, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (mesh->streams[i].indices == mesh->streams[index].indices)
            return false;
    }
    return true;
}

/* Replace the index array `old` by `indices` in every stream that uses it. */
static inline void facet_mesh_swap_indices(facet_mesh *mesh, const uint32_t *old, uint32_t *indices)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (mesh->streams[i].indices == old)
            mesh->streams[i].indices = indices;
    }
}

/* Replace the stream's data by `count` elements. Element i becomes a copy of its old element
 * from[i]. FACET_NONE gives zeros, or ones in a color. The caller updates the indices. On
 * failure nothing has changed. `options` (NULL is allowed) supplies the threads, here and below. */
facet_status facet_stream_gather(facet_mesh *mesh, facet_stream *stream, const uint32_t *from,
                                 uint32_t count, const facet_options *options, facet_error *error);

/* End of the run of faces that begins at `face`: at another material, or where a part begins or
 * ends. *part is 0 for the first run. It becomes the first part that has not ended yet. */
uint32_t facet_mesh_end_of_run(const facet_mesh *mesh, uint32_t face, uint32_t *part);

/* Number the elements of an indexed mesh by first use. Elements that only lines and points use
 * come last; unused ones are dropped. Sets *changed to true if this changes anything, and
 * otherwise leaves it. `changed` may be NULL. */
facet_status facet_mesh_renumber(facet_mesh *mesh, const facet_options *options, bool *changed,
                                 facet_error *error);

#endif
