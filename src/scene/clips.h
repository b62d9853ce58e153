/* scene/clips.h - animations that are played together. */
#ifndef FACET_SCENE_CLIPS_H
#define FACET_SCENE_CLIPS_H

#include <facet/scene.h>

/* True if a material has the state of a console's chip. Then one motion consists of several files
 * of different kinds, which share its name. */
bool facet_scene_is_console(const facet_scene *scene);

/* Join animations with indices from `first` to before `end` that have this name (NULL: all of
 * them). If there are several, *joined becomes a new animation at the end of the scene. Otherwise
 * it is the only match, or FACET_NONE. Linear in animations and channels. */
facet_status facet_scene_join_animations(facet_scene *scene, const char *name, uint32_t first,
                                         uint32_t end, uint32_t *joined, facet_error *error);

#endif
