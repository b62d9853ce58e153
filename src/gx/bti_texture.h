/* gx/bti_texture.h - conversion between a texture header with its bytes and the textures of
 * facet/gx.h. BTI files and the section TEX1 use it. */
#ifndef FACET_GX_BTI_TEXTURE_H
#define FACET_GX_BTI_TEXTURE_H

#include <facet/gx.h>
#include <facet/gx_bti.h>

/* Make the texture that a header describes, with pointers to `image` and `palette` (NULL: no
 * palette). Skip levels and palette entries beyond the bytes or the limits of the format. Errors:
 * FACET_ERROR_MALFORMED with BTI-FORMAT, BTI-SIZE, BTI-PALETTE or BTI-IMAGE, at offsets from the
 * start of the header. */
facet_status facet_bti_texture(const facet_bti_header *header, const uint8_t *image,
                               size_t image_size, const uint8_t *palette, size_t palette_size,
                               facet_gx_texture *texture, facet_error *error);

/* Get the options for encoding the image of the texture called `name` from options->bti. Defaults
 * come from `known`, the header that the texture had before, or NULL. Errors: FACET_ERROR_ARGUMENT
 * with GX-FORMAT for an unknown format, GX-SETTING for a malformed setting. */
facet_status facet_bti_encoding(const facet_options *options, const char *name,
                                const facet_bti_header *known, facet_gx_texture_options *how,
                                facet_error *error);

/* Fill in the header of a texture before it is written. Sampling comes from `known`; if it is NULL,
 * filters are linear, and textures repeat if both sides are powers of two, else clamp. Format,
 * size, palette, levels and the fields that depend on them come from the texture. Offsets are 0. */
void facet_bti_header_for(const facet_gx_texture *texture, const facet_bti_header *known,
                          facet_bti_header *header);

/* Report the errors of a header. `available` is the number of bytes that it can point to, and
 * `offset` is its position in the file. */
void facet_bti_check_header(const facet_bti_header *header, uint64_t available, uint64_t offset,
                            facet_report *report);

#endif
