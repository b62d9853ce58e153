/* convert/images.h - the images that a scene only names, taken into it. */
#ifndef FACET_CONVERT_IMAGES_H
#define FACET_CONVERT_IMAGES_H

#include <facet/format.h>
#include <facet/scene.h>

/* Give every image and texture of the scene its bytes: files that they name are opened
 * beside the source, else looked for by their base names there and in load->texture_folder.
 * With load->images all that is neither PNG nor JPEG becomes PNG, except what load->images_for
 * holds. What is not there is left out with a warning LOSS-IMAGES. */
facet_status facet_scene_embed_images(facet_scene *scene, const facet_source *source,
                                      const facet_load_options *load, const facet_options *options,
                                      facet_error *error);

#endif
