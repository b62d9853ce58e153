/* scene/units.h - lengths of a scene in another unit. */
#ifndef FACET_SCENE_UNITS_H
#define FACET_SCENE_UNITS_H

#include <facet/scene.h>

typedef struct facet_units {
    double unit;       /* of what hangs on the scene's roots, in the other; 1: unknown */
    uint32_t top;      /* the root whose scale is counted in it, or FACET_NONE */
    double root_scale; /* that scale; 1 without such a root. All roots are divided by it */
} facet_units;

/* The scene's lengths in a unit of so many meters. A format without units says them by a
 * node above the others: glTF's writer puts one there, and armatures that came out of FBX
 * have such a scale. It is counted when more than half of the nodes are in the tree of one
 * root (those that stand alone without a mesh, as cameras do, are not asked) that has no mesh,
 * that no skin binds and no animation moves, and whose place has one scale along all axes and
 * no shear. `order` has the nodes, parents first; `below` is memory for
 * a number per node. */
facet_units facet_units_of_scene(const facet_scene *scene, double meters, const uint32_t *order,
                                 uint32_t *below);

/* A length of the scene in the other unit. Often it came from there: then it is what has few
 * digits, of the numbers that give the same float on that way. */
double facet_units_length(double unit, float length);

#endif
