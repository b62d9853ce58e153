/* scene/units.h - lengths of a scene in another unit. */
#ifndef FACET_SCENE_UNITS_H
#define FACET_SCENE_UNITS_H

#include <facet/scene.h>

typedef struct facet_units {
    double unit;       /* unit of everything below the scene's roots, in the other unit; 1:
                          unknown */
    uint32_t top;      /* root whose scale is included in the unit, or FACET_NONE */
    double root_scale; /* that scale; 1 without such a root. All roots are divided by it */
} facet_units;

/* Get the unit of the scene's lengths, in a unit of `meters`.
 *
 * A format without units may express them by the scale of a node above the others. glTF's writer
 * adds such a node, and armatures from FBX have such a scale. It is included in the unit if more
 * than half of the nodes are in the tree of one root. (Nodes without mesh and descendants, such as
 * cameras, do not count.) The root must not have a mesh, be bound by a skin, or be animated. Its
 * transform must have one scale along all axes and no shear. `order` has the nodes, parents first;
 * `below` is scratch memory for one number per node. `own` has the scale that each node has as part
 * of the model, such as a joint of an original. The root's scale is divided by it. */
facet_units facet_units_of_scene(const facet_scene *scene, double meters, const uint32_t *order,
                                 const float *own, uint32_t *below);
/* The scale in `own` for a joint: its scale along all axes, or 1 if these differ. */
float facet_units_own_scale(const float scale[3]);

/* Convert a length of the scene to the other unit. Frequently it was converted from there. If a
 * number with few digits gives the same float in that conversion, it is returned. */
double facet_units_length(double unit, float length);

#endif
