/* scene/scene.h - what passes and formats need of the scene beyond the public
 * header. */
#ifndef FACET_SCENE_SCENE_H
#define FACET_SCENE_SCENE_H

#include <facet/scene.h>

/* Bytes of one element of a stream. */
static inline size_t facet_stream_element_size(const facet_stream *stream)
{
    return facet_component_size(stream->component) * stream->components;
}

/* Let go of a stream's indices, and free them if no other stream shares them. */
void facet_stream_release_indices(facet_mesh *mesh, facet_stream *stream);

#endif
