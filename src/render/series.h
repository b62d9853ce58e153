/* render/series.h - consecutive pictures of one renderer, as a window shows them. Each is
 * bit-identical to that of facet_renderer_draw. Transformed vertices and animated materials are
 * reused while the pose is the same. The sums of an environment are reused while its image is the
 * same: its bytes and pixels do not change during the series. */
#ifndef FACET_RENDER_SERIES_H
#define FACET_RENDER_SERIES_H

#include <facet/render.h>

typedef struct facet_render_series facet_render_series;

/* The renderer outlives the series. */
facet_status facet_render_series_create(const facet_renderer *renderer,
                                        facet_render_series **series, facet_error *error);
/* `series` may be NULL. */
void facet_render_series_free(facet_render_series *series);

/* Hide nodes from now on: one value for each node of the scene; NULL: none. The array outlives the
 * series, or the next call. Call it again after each change of the array. */
void facet_render_series_hide(facet_render_series *series, const bool *hidden);

/* Like facet_renderer_draw. */
facet_status facet_render_series_draw(facet_render_series *series,
                                      const facet_render_options *render,
                                      const facet_options *options, facet_picture *picture,
                                      facet_error *error);

/* Corners of a triangle of a scene's mesh, in the axes of the picture (+Y up), from the first
 * instance in the last picture. False if it was not drawn. */
bool facet_render_series_triangle(const facet_render_series *series, uint32_t mesh, uint32_t face,
                                  double corners[3][3]);

/* Pixels of an image of the scene, RGBA, valid as long as the renderer. NULL if no material shows
 * the image: then the size is not set. */
const uint8_t *facet_render_series_image(const facet_render_series *series, uint32_t image,
                                         uint32_t *width, uint32_t *height);

#endif
