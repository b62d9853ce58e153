/* image/png.h - the encoder of PNG. */
#ifndef FACET_IMAGE_PNG_H
#define FACET_IMAGE_PNG_H

#include <facet/image.h>

/* What serves one image after another: fresh memory for each would take longer than some of
 * them do. All zero but for the arena to begin with. */
typedef struct facet_png_encoder {
    facet_arena *arena;
    void *deflate; /* libdeflate's compressor of this effort, or NULL */
    facet_png_effort effort;
} facet_png_encoder;

/* Append a PNG of 8 bits per channel. */
facet_status facet_png_encode(facet_png_encoder *encoder, const facet_image *image,
                              const uint8_t *pixels, facet_png_effort effort, facet_output *output,
                              facet_error *error);
/* The arena stays. */
void facet_png_encoder_release(facet_png_encoder *encoder);

#endif
