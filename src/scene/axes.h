/* scene/axes.h - conversion from a scene's axes, unit and origin of v to the common ones: +Y up,
 * right-handed, meters. Readers record the axes of the file and convert nothing. Every writer uses
 * these functions. */
#ifndef FACET_SCENE_AXES_H
#define FACET_SCENE_AXES_H

#include <facet/scene.h>

/* True if positions and directions change in the conversion. */
static inline bool facet_axes_is_turned(const facet_axes *axes)
{
    return axes->up != FACET_AXIS_Y || axes->left_handed;
}

/* True if v becomes 1 - v in the conversion. `origin_top`: the target's textures begin at the top,
 * as in glTF; otherwise at the bottom, as in OBJ. The w of tangents changes its sign as well. */
static inline bool facet_axes_flips_v(const facet_axes *axes, bool origin_top)
{
    return axes->uv_origin_top != origin_top;
}

/* Meters per unit; an unknown unit is treated as a meter. */
static inline double facet_axes_unit(const facet_axes *axes)
{
    return axes->unit > 0 ? axes->unit : 1;
}

/* Rotate a position or direction from `axes` to +Y up and right-handed:
 *
 * | up | right-handed | left-handed  |
 * | Y  | ( x, y,  z)  | ( x, y, -z)  |
 * | Z  | ( x, z, -y)  | ( x, z,  y)  |
 * | X  | (-y, x,  z)  | (-y, x, -z)  |
 *
 * The right-handed cases are rotations: a quarter turn that moves the up axis to +Y. The
 * left-handed cases are the same rotations, followed by a mirror from front to back, so that up and
 * right do not change. The outside of a triangle a b c is the direction of ab x ac in the given
 * numbers; in left-handed axes the viewer sees it clockwise. The mirror therefore reverses the
 * winding of triangles and the sign of the tangents' w. Writers reverse both if axes->left_handed,
 * and only then. */
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

/* Get the same rotation as a column-major matrix, without the unit. Its zeros have the same signs
 * as the results of facet_axes_turn. */
void facet_axes_matrix(const facet_axes *axes, float m[16]);

/* Get the same rotation, with the unit as scale, as the transform of a node above all others. False
 * if it is the identity. */
bool facet_axes_transform(const facet_axes *axes, facet_transform *transform);

/* Convert the transform of a texture (facet_texture) for v becoming 1 - v. */
void facet_axes_flip_transform(float offset[2], float *rotation, const float scale[2]);

#endif
