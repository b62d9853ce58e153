/* formats/j3d/patch/project.h - textures of SuperBMD's lists, from the images next to them. */
#ifndef FACET_J3D_TEXTURES_PROJECT_H
#define FACET_J3D_TEXTURES_PROJECT_H

#include <facet/j3d.h>

/* Make the textures of options->j3d->textures, if it is SuperBMD's list. Images are in
 * texture_folder or next to textures_file; each entry has the format and sampler. A repeated name
 * is another header for the same texels. A texture without image stays unchanged. *moved, in
 * `scratch`, has the new number of each old texture: those of the list come first, in its order.
 * NULL: the document keeps its textures and their order, and only missing ones are added. For
 * Facet's own list, missing textures come from the BTI files that 'extract' wrote next to it.
 * Errors: those of the JSON, of reading images and of encoding. */
facet_status facet_j3d_make_listed_textures(facet_j3d *document, const facet_options *options,
                                            facet_arena *scratch, uint32_t **moved,
                                            facet_error *error);

/* Make textures that SuperBMD's materials name and the document lacks. Only those of entries that a
 * material of the document uses are made, from an image with that name in texture_folder or next to
 * the lists. */
facet_status facet_j3d_make_preset_textures(facet_j3d *document, const facet_options *options,
                                            facet_error *error);

#endif
