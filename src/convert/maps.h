/* convert/maps.h - conversion of the maps of materials to those of glTF. */
#ifndef FACET_CONVERT_MAPS_H
#define FACET_CONVERT_MAPS_H

#include <facet/format.h>
#include <facet/scene.h>

/* Convert textures of MTL, FBX and COLLADA for formats that support only one kind of each. *changed
 * is true if anything changed.
 *
 * FACET_NEED_ALPHA: opacity becomes the alpha of the base color. An opacity map becomes the alpha
 * of its image, in a new image unless it already has it. If a material does not define its alpha
 * mode, the pixels do: FACET_ALPHA_MASK if nearly all are opaque or transparent, otherwise
 * FACET_ALPHA_BLEND.
 *
 * FACET_NEED_PHYSICAL_MAPS: roughness and metallic maps become one image. A bump map whose pixels
 * are directions becomes a normal map.
 *
 * FACET_NEED_OPAQUE: an opaque material whose image has alpha gets a copy of it without alpha.
 *
 * Images need bytes or pixels; others are unchanged. Maps with different texture transforms cannot
 * be combined; the writer reports the ones that it cannot store. Linear in the pixels; at most two
 * decoded images are in memory at a time. */
facet_status facet_scene_combine_maps(facet_scene *scene, unsigned needs,
                                      const facet_options *options, bool *changed,
                                      facet_error *error);

/* Encode images that have only pixels as PNG; the pixels stay. If this build cannot write PNG, they
 * are unchanged. *changed is true if there was such an image. Linear in the pixels. */
facet_status facet_scene_encode_pixels(facet_scene *scene, const facet_options *options,
                                       bool *changed, facet_error *error);

#endif
