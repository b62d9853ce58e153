/* scene/skip.h - parts of a scene that a caller does not want. */
#ifndef FACET_SCENE_SKIP_H
#define FACET_SCENE_SKIP_H

#include <facet/format.h>
#include <facet/scene.h>

/* Take out what the bits of FACET_SKIP_GEOMETRY and others name. */
void facet_scene_skip(facet_scene *scene, uint32_t skip);

#endif
