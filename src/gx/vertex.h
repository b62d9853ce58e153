/* gx/vertex.h - results of the chip's vertex stage: raster colors from lights, and texture
 * coordinates. Single precision, as on the chip. */
#ifndef FACET_GX_VERTEX_H
#define FACET_GX_VERTEX_H

#include <facet/gx_material.h>

/* A vertex as stored, and its position in view space. */
typedef struct facet_gx_vertex {
    float position[3], normal[3], binormal[3], tangent[3]; /* stored values */
    float texcoords[8][2];
    uint8_t colors[2][4]; /* white if missing */
    float view_position[3];
    float view_normal[3]; /* unit length, or 0 */
    float view_binormal[3], view_tangent[3];
} facet_gx_vertex;

/* Compute the raster colors of the channels in use; 0 for other channels. Lights are in view space.
 * Their directions have the sign of the register, which is against the light. */
void facet_gx_light_vertex(const facet_gx_material *material, const facet_gx_light lights[8],
                           const facet_gx_vertex *vertex, uint8_t rasters[2][4]);

/* Matrices of a material for one joint and view, prepared for many vertices. */
typedef struct facet_gx_texgens {
    uint32_t count;
    struct {
        uint8_t type, source;
        bool has_post, normalizes;
        float rows[3][4], post[3][4];
    } items[8];
} facet_gx_texgens;

/* `world` and `view` are 3x4, row-major: the matrix of the material's joint, and of the camera.
 * facet_gx_texture_rows computes one matrix by its number, as texgens and vertices store it. */
void facet_gx_texture_rows(const facet_gx_material *material, uint8_t matrix,
                           const float world[3][4], const float view[3][4], float rows[3][4]);
void facet_gx_texgens_make(const facet_gx_material *material, const float world[3][4],
                           const float view[3][4], facet_gx_texgens *texgens);
/* Compute s, t and q of every coordinate. Bump coordinates use `lights`. */
void facet_gx_texgens_run(const facet_gx_texgens *texgens, const facet_gx_light lights[8],
                          const facet_gx_vertex *vertex, const uint8_t rasters[2][4],
                          float out[8][3]);
/* Compute one coordinate from the input (a, b, c, 1). */
void facet_gx_texgen_run(const float rows[3][4], bool has_q, const float (*post)[4],
                         bool normalizes, const float in[4], float out[3]);

#endif
