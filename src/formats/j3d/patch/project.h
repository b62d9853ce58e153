/* formats/j3d/patch/project.h - the textures that SuperBMD's lists name, from the pictures
 * beside them. */
#ifndef FACET_J3D_TEXTURES_PROJECT_H
#define FACET_J3D_TEXTURES_PROJECT_H

#include <facet/j3d.h>

/* Make the textures of options->j3d->textures, when that is SuperBMD's list, of the
 * pictures in texture_folder or beside textures_file, each with the format and sampler of
 * its entry; a name that comes again is another header of the same texels. What has no
 * picture stays as the document has it. *moved, in `scratch`: the new number of each
 * texture that there was: those of the list come first, in its order. NULL: the document
 * keeps its own textures and their order, and gets those alone that it does not have.
 * Of a list of our own those textures are made that the document does not have, of the BTI
 * files that 'extract' wrote beside it. Errors: those of the JSON, of reading pictures and of
 * encoding. */
facet_status facet_j3d_make_listed_textures(facet_j3d *document, const facet_options *options,
                                            facet_arena *scratch, uint32_t **moved,
                                            facet_error *error);

/* Make the textures that SuperBMD's materials name, as far as a material of the document
 * takes them, the document does not have them, and there is a picture of that name in
 * texture_folder or beside the lists. */
facet_status facet_j3d_make_preset_textures(facet_j3d *document, const facet_options *options,
                                            facet_error *error);

#endif
