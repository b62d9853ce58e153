/* gx/bti_texture.h - between the header of a texture, its bytes and what GX
 * decodes and encodes: for BTI files and the section TEX1. */
#ifndef FACET_GX_BTI_TEXTURE_H
#define FACET_GX_BTI_TEXTURE_H

#include <facet/gx.h>
#include <facet/gx_bti.h>

/* The texture of a header, its bytes where `image` and `palette` (NULL: none)
 * point. Only what is there: levels that the bytes or the size of the image have
 * no space for are left out, and so are entries beyond the format's limit, or
 * beyond the bytes. Errors: FACET_ERROR_MALFORMED with BTI-FORMAT, BTI-SIZE,
 * BTI-PALETTE, BTI-IMAGE, at offsets counted from the header. */
facet_status facet_bti_texture(const facet_bti_header *header, const uint8_t *image,
                               size_t image_size, const uint8_t *palette, size_t palette_size,
                               facet_gx_texture *texture, facet_error *error);

/* What to encode an image with: options->bti; where it
 * says nothing what `known`, the header it had before (or NULL), says. Errors:
 * FACET_ERROR_ARGUMENT with GX-FORMAT for an unknown name. */
facet_status facet_bti_encoding(const facet_options *options, const facet_bti_header *known,
                                facet_gx_texture_options *how, facet_error *error);

/* A header for a texture that is to be written: that of `known` (NULL: repeat
 * where the sides are powers of two, else clamp; linear filters) with format,
 * size, palette and levels of the texture, and what follows from them where it
 * has changed. Offsets are 0. */
void facet_bti_header_for(const facet_gx_texture *texture, const facet_bti_header *known,
                          facet_bti_header *header);

/* Add to the report what is wrong with a header `available` bytes before the end
 * of what it may point to; `offset` is where it stands. */
void facet_bti_check_header(const facet_bti_header *header, uint64_t available, uint64_t offset,
                            facet_report *report);

#endif
