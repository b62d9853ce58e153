/* convert/hint.h - hints about probable mistakes. */
#ifndef FACET_CONVERT_HINT_H
#define FACET_CONVERT_HINT_H

#include <facet/convert.h>

/* Add a note about an object whose name begins with that of the occluder, if the scene lacks an
   occluder.
 */
void facet_collision_hint(const facet_scene *scene, const facet_load_options *load,
                          const facet_options *options);

#endif
