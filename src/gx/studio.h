/* gx/studio.h - the light that takes the place of a game's where a model is drawn by itself. */
#ifndef FACET_GX_STUDIO_H
#define FACET_GX_STUDIO_H

#include <facet/gx_material.h>

/* Of textures and texture coordinates: games that shade by ramps look them up by the red of a
 * light. */
bool facet_gx_is_ramp(const char *texture_name);
bool facet_gx_uses_ramps(const facet_gx_material *material);

/* The lights of a material: the first that each channel looks at is white, half as bright and
 * with the shininess 16 where it is specular; with ramps, light 0 is red. All others are black. */
void facet_gx_studio_colors(const facet_gx_material *material, bool has_ramps,
                            facet_gx_light lights[8]);
/* Place them far away in the direction `toward` in the camera's axes, whose half with the view is
 * `half`, both of unit length. */
void facet_gx_studio_place(const float toward[3], const float half[3], facet_gx_light lights[8]);
/* The direction of unit length that pictures have by default, and its half. */
void facet_gx_studio_direction(const double *given, float toward[3], float half[3]);

#endif
