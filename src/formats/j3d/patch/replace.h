/* formats/j3d/patch/replace.h - replacement of a model's textures. */
#ifndef FACET_J3D_TEXTURES_REPLACE_H
#define FACET_J3D_TEXTURES_REPLACE_H

#include <facet/j3d.h>

/* The file name of a texture: "body.png", "body-1.png" for the second of that name,
 * "texture-3.png" without a name. `before` is the number of earlier textures with its name. NULL
 * if out of memory. */
const char *facet_j3d_texture_file(const facet_j3d *document, uint32_t texture, uint32_t before,
                                   const char *ending, facet_arena *arena);

/* Apply options->j3d->texture_changes and texture_folder, and options->bti, to the textures of a
 * document that owns an arena. Without settings for their names, textures that are not replaced
 * keep format and levels; they keep the sampler too if others are replaced. Baked packets get the
 * changed sizes and samplers, and no other changes. An image that equals its texture changes
 * nothing. Errors: FACET_ERROR_ARGUMENT with J3D-TEXTURE for a name that the model lacks, or
 * already has, with GX-SETTING for a malformed setting; those of reading images and textures;
 * FACET_ERROR_LIMIT with GX-SIZE. */
facet_status facet_j3d_replace_textures(facet_j3d *document, const facet_options *options,
                                        facet_error *error);

/* A texture to make from an image. */
typedef struct facet_j3d_made_texture {
    const char *name;
    facet_source picture;           /* without bytes: make an empty texture */
    const facet_bti_header *header; /* its format, sampler and level_count; NULL: derived from the
                                       image and the options */
    const facet_source *levels;     /* separate mip levels from 1 on, if there is a header */
    uint32_t level_count;
} facet_j3d_made_texture;

/* Make texture *index from an image. An index beyond the last texture adds a new one. Errors: as
 * above. */
facet_status facet_j3d_make_texture(facet_j3d *document, const facet_j3d_made_texture *how,
                                    const facet_options *options, uint32_t *index,
                                    facet_error *error);

#endif
