/* render/series.h - pictures of one renderer, one after the other, as a window shows them. Each is
 * the one of facet_renderer_draw to the bit; vertices in their places and moved materials stay from
 * one to the next as long as the pose does, and the sums of an environment as long as it is the
 * same image: its bytes and pixels do not change while the series lives. */
#ifndef FACET_RENDER_SERIES_H
#define FACET_RENDER_SERIES_H

#include <facet/render.h>

typedef struct facet_render_series facet_render_series;

/* The renderer outlives it. */
facet_status facet_render_series_create(const facet_renderer *renderer,
                                        facet_render_series **series, facet_error *error);
/* NULL is fine. */
void facet_render_series_free(facet_render_series *series);

/* Leave out nodes from now on: one for each of the scene's; NULL: none. The array outlives the
 * series, or the next call; call it again after each change. */
void facet_render_series_hide(facet_render_series *series, const bool *hidden);

/* Like facet_renderer_draw. */
facet_status facet_render_series_draw(facet_render_series *series,
                                      const facet_render_options *render,
                                      const facet_options *options, facet_picture *picture,
                                      facet_error *error);

/* The corners of a triangle of the scene's mesh, in the axes of the camera's numbers (+Y up), as
 * they stood in the last picture, and of its first instance. False when it was not drawn. */
bool facet_render_series_triangle(const facet_render_series *series, uint32_t mesh, uint32_t face,
                                  double corners[3][3]);

/* The pixels of an image of the scene, RGBA; NULL when no material shows it: then the size is left
 * alone. They live as long as the renderer. */
const uint8_t *facet_render_series_image(const facet_render_series *series, uint32_t image,
                                         uint32_t *width, uint32_t *height);

#endif
