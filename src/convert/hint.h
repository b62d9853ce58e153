/* convert/hint.h - what somebody may have meant. */
#ifndef FACET_CONVERT_HINT_H
#define FACET_CONVERT_HINT_H

#include <facet/convert.h>

/* Note an object whose name begins with that of the occluder, when there is none. */
void facet_collision_hint(const facet_scene *scene, const facet_load_options *load,
                          const facet_options *options);

#endif
