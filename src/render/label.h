/* render/label.h - words in pictures. */
#ifndef FACET_RENDER_LABEL_H
#define FACET_RENDER_LABEL_H

#include <facet/scene.h>

/* Write a text in ASCII at the top left of a part of a picture, RGB
 * or RGBA bytes. Text is as large as `width`, that of the part, asks for; it is left out where it
 * does not fit. */
void facet_render_label(const facet_image *image, uint32_t x, uint32_t y, uint32_t width,
                        const char *text);

#endif
