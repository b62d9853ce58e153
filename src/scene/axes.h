/* scene/axes.h - from a scene's axes and unit to the common ones: +Y up,
 * right-handed, meters; and where v begins. Readers say what axes they found
 * and turn nothing; every writer comes through here. */
#ifndef FACET_SCENE_AXES_H
#define FACET_SCENE_AXES_H

#include <facet/scene.h>

/* True when positions and directions change on the way. */
static inline bool facet_axes_is_turned(const facet_axes *axes)
{
    return axes->up != FACET_AXIS_Y || axes->left_handed;
}

/* True when v becomes 1 - v on the way to a format whose textures begin at the top
 * (as glTF's do) or not (as OBJ's). Tangents change the sign of their w with it. */
static inline bool facet_axes_flips_v(const facet_axes *axes, bool origin_top)
{
    return axes->uv_origin_top != origin_top;
}

/* Meters per unit; an unknown unit counts as a meter. */
static inline double facet_axes_unit(const facet_axes *axes)
{
    return axes->unit > 0 ? axes->unit : 1;
}

/* Turn a position or direction of a axes to +Y up and right-handed.
 *
 *   up   right-handed   left-handed
 *   Y    ( x,  y,  z)   ( x, y, -z)
 *   Z    ( x,  z, -y)   ( x, z,  y)
 *   X    (-y,  x,  z)   (-y, x, -z)
 *
 * The right-handed cases are rotated: a quarter turn that takes the up axis to
 * +Y. The left-handed ones are rotated in the same way and then mirrored from
 * front to back, so that up and right stay where they are. The outside of a
 * triangle a b c is where ab x ac points, as the numbers say it: clockwise to
 * the viewer by the left hand. So with the mirror triangles change their winding
 * and tangents the sign of their w: writers do both when axes->left_handed, and
 * only then. */
static inline void facet_axes_turn(const facet_axes *axes, float v[3])
{
    float x = v[0], y = v[1], z = v[2];
    if (axes->up == FACET_AXIS_Z) {
        v[1] = z;
        v[2] = -y;
    } else if (axes->up == FACET_AXIS_X) {
        v[0] = -y;
        v[1] = x;
    }
    if (axes->left_handed)
        v[2] = -v[2];
}

/* The same turn as a column-major matrix, without the unit. Its zeros have the
 * signs that facet_axes_turn gives them. */
void facet_axes_matrix(const facet_axes *axes, float m[16]);

/* The same turn, and the unit as its scale, as the place of a node above all
 * others. False when that is the identity. */
bool facet_axes_transform(const facet_axes *axes, facet_transform *transform);

/* The transform of a texture (facet_texture) after v becomes 1 - v. */
void facet_axes_flip_transform(float offset[2], float *rotation, const float scale[2]);

#endif
