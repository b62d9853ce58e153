/* scene/skip_parts.h - removal of unwanted parts of a scene. */
#ifndef FACET_SCENE_SKIP_PARTS_H
#define FACET_SCENE_SKIP_PARTS_H

#include <facet/format.h>
#include <facet/scene.h>

/* Remove the parts selected by the bits FACET_SKIP_GEOMETRY and others. */
void facet_scene_skip(facet_scene *scene, uint32_t skip);

#endif
