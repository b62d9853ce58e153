/* formats/j3d/patch/replace.h - textures of a model put in place of others. */
#ifndef FACET_J3D_TEXTURES_REPLACE_H
#define FACET_J3D_TEXTURES_REPLACE_H

#include <facet/j3d.h>

/* What the file of a texture is called among others: "body.png", the second of that
 * name "body-1.png", "texture-3.png" when it has none. `before` is how many of its name
 * come before it. NULL without memory. */
const char *facet_j3d_texture_file(const facet_j3d *document, uint32_t texture, uint32_t before,
                                   const char *ending, facet_arena *arena);

/* Do what options->j3d->texture_changes and texture_folder say to the textures of a
 * document that owns an arena. Packets that were baked get the sizes and samplers that
 * have changed, and stay what they are otherwise. Pictures that show what a texture
 * shows already change nothing. Errors: FACET_ERROR_ARGUMENT with J3D-TEXTURE for a name
 * that the model does not have, or has; those of reading images and textures;
 * FACET_ERROR_LIMIT with GX-SIZE. */
facet_status facet_j3d_replace_textures(facet_j3d *document, const facet_options *options,
                                        facet_error *error);

/* A texture that is made of a picture. */
typedef struct facet_j3d_made_texture {
    const char *name;
    facet_source picture;           /* without bytes: a place for a texture is made */
    const facet_bti_header *header; /* its format, sampler and level_count; NULL: what suits the
                                       picture and the options */
    const facet_source *levels;     /* mip levels by hand, from 1 on, when there is a header */
    uint32_t level_count;
} facet_j3d_made_texture;

/* Make texture *index of a picture; beyond those there are it is a new one behind them.
 * Errors: as above. */
facet_status facet_j3d_make_texture(facet_j3d *document, const facet_j3d_made_texture *how,
                                    const facet_options *options, uint32_t *index,
                                    facet_error *error);

#endif
