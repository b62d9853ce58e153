/* gx/vertex.h - what the chip computes of a vertex: raster colors by its lights, and
 * texture coordinates. Single precision, as there. */
#ifndef FACET_GX_VERTEX_H
#define FACET_GX_VERTEX_H

#include <facet/gx_material.h>

/* A vertex as stored, and where it is seen. */
typedef struct facet_gx_vertex {
    float position[3], normal[3], binormal[3], tangent[3]; /* as stored */
    float texcoords[8][2];
    uint8_t colors[2][4]; /* white where there is none */
    float view_position[3];
    float view_normal[3]; /* unit length, or 0 */
    float view_binormal[3], view_tangent[3];
} facet_gx_vertex;

/* The raster colors of the channels in use; 0 for the others. Lights are where they
 * are in view; of directions the sign is the register's, against the light. */
void facet_gx_light_vertex(const facet_gx_material *material, const facet_gx_light lights[8],
                           const facet_gx_vertex *vertex, uint8_t rasters[2][4]);

/* Matrices of a material in one place and view, made once for many vertices. */
typedef struct facet_gx_texgens {
    uint32_t count;
    struct {
        uint8_t type, source;
        bool has_post, normalizes;
        float rows[3][4], post[3][4];
    } items[8];
} facet_gx_texgens;

/* `world` and `view` are 3x4, row-major: of the joint that the material belongs to, and
 * of the camera. The first makes one matrix, by its number as texgens and vertices have it. */
void facet_gx_texture_rows(const facet_gx_material *material, uint8_t matrix,
                           const float world[3][4], const float view[3][4], float rows[3][4]);
void facet_gx_texgens_make(const facet_gx_material *material, const float world[3][4],
                           const float view[3][4], facet_gx_texgens *texgens);
/* s, t and q of every coordinate; `lights` for those of bumps. */
void facet_gx_texgens_run(const facet_gx_texgens *texgens, const facet_gx_light lights[8],
                          const facet_gx_vertex *vertex, const uint8_t rasters[2][4],
                          float out[8][3]);
/* One of them, of (a, b, c, 1). */
void facet_gx_texgen_run(const float rows[3][4], bool has_q, const float (*post)[4],
                         bool normalizes, const float in[4], float out[3]);

#endif
