/* render/label.h - text in pictures. */
#ifndef FACET_RENDER_LABEL_H
#define FACET_RENDER_LABEL_H

#include <facet/scene.h>

/* Write ASCII text at the top left of a part of a picture, in RGB or RGBA bytes. `width`, that of
 * the part, decides the text size. Text that does not fit is left out. */
void facet_render_label(const facet_image *image, uint32_t x, uint32_t y, uint32_t width,
                        const char *text);

#endif
