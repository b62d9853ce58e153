/* convert/maps.h - the maps of materials in the terms of glTF. */
#ifndef FACET_CONVERT_MAPS_H
#define FACET_CONVERT_MAPS_H

#include <facet/format.h>
#include <facet/scene.h>

/* Textures of MTL, FBX and COLLADA for formats that know one kind of each. *changed when
 * something was done.
 *
 * FACET_NEED_ALPHA: opacity is the alpha of the base color. A map of opacity becomes that
 * of the image (a new one, unless it is in the image already), and a material that does
 * not say how its alpha is meant gets it from the pixels: where nearly all are either
 * there or not, FACET_ALPHA_MASK, else FACET_ALPHA_BLEND.
 *
 * FACET_NEED_PHYSICAL_MAPS: roughness and metallic maps become one image, and a bump map
 * whose pixels are directions becomes a normal map.
 *
 * Images have bytes or pixels, or are left as they are. Maps that lie on the surface in
 * different ways cannot become one; the writer reports what it has no place for. Linear in
 * the pixels, which are held of two images at a time. */
facet_status facet_scene_settle_maps(facet_scene *scene, unsigned needs,
                                     const facet_options *options, bool *changed,
                                     facet_error *error);

/* Give images that have only pixels the bytes of a PNG; the pixels stay. Where this build writes no
 * PNG, they are as before. *changed when there was one. Linear in the pixels. */
facet_status facet_scene_encode_pixels(facet_scene *scene, const facet_options *options,
                                       bool *changed, facet_error *error);

#endif
