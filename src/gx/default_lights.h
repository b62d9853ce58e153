/* gx/default_lights.h - default lights. They replace a game's lights if only a model is drawn. */
#ifndef FACET_GX_DEFAULT_LIGHTS_H
#define FACET_GX_DEFAULT_LIGHTS_H

#include <facet/gx_material.h>

/* True for the name of a ramp texture, or if texture coordinates come from colors. Some games look
 * up ramps by the red of a light. */
bool facet_gx_is_ramp(const char *texture_name);
bool facet_gx_uses_ramps(const facet_gx_material *material);

/* Set the lights of a material. The first light of each channel is white. If the channel is
 * specular, it is half as bright and has shininess 16. With ramps, light 0 is red. All others are
 * black. */
void facet_gx_default_light_colors(const facet_gx_material *material, bool has_ramps,
                                   facet_gx_light lights[8]);
/* Place the lights far away. `toward` is the direction to them in the axes of the camera, and
 * `half` the half vector between it and the view. Both have unit length. */
void facet_gx_place_default_lights(const float toward[3], const float half[3],
                                   facet_gx_light lights[8]);
/* The direction to the lights, and its half vector, both of unit length. NULL as `given` selects
 * the default. */
void facet_gx_default_light_direction(const double *given, float toward[3], float half[3]);

#endif
