/* convert/images.h - the images that a scene only names, taken into it. */
#ifndef FACET_CONVERT_IMAGES_H
#define FACET_CONVERT_IMAGES_H

#include <facet/scene.h>

/* Give every image and texture of the scene its bytes: files that they name are opened
 * beside the source, and with `encodes` all that is neither PNG nor JPEG becomes PNG, except
 * what is of the `kept` media types (NULL-terminated, or NULL). What is not there is left out
 * with a warning LOSS-IMAGES. */
facet_status facet_scene_embed_images(facet_scene *scene, const facet_source *source, bool encodes,
                                      const char *const *kept, const facet_options *options,
                                      facet_error *error);

#endif
