/* scene/clips.h - animations that play together. */
#ifndef FACET_SCENE_CLIPS_H
#define FACET_SCENE_CLIPS_H

#include <facet/scene.h>

/* Whether a material has the state of a console's chip: then files of several kinds make up one
 * motion, and share its name. */
bool facet_scene_is_console(const facet_scene *scene);

/* One animation with the channels of all from `first` on, below `end`, that have the name; NULL:
 * of all. *joined is FACET_NONE when there is none, the only one, or a new one at the end of the
 * scene. Linear in animations and channels. */
facet_status facet_scene_join_animations(facet_scene *scene, const char *name, uint32_t first,
                                         uint32_t end, uint32_t *joined, facet_error *error);

#endif
