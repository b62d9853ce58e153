/* formats/j3d/scene/to_scene/material.h - a document's materials and textures to a scene's, and the
 * vertex data that they need. */
#ifndef FACET_J3D_TO_SCENE_MATERIAL_H
#define FACET_J3D_TO_SCENE_MATERIAL_H

#include <facet/j3d.h>
#include <facet/scene.h>

/* A texture coordinate that a scene's texture transform cannot express. It is computed per vertex:
 * u' and v' from (u, v, 1, 1). */
typedef struct facet_j3d_baked_uv {
    uint8_t texcoord; /* index of the document's texcoord array, 0 to 7 */
    float matrix[8];  /* row-major 2x4 */
} facet_j3d_baked_uv;

/* Vertex data that a material needs. Texcoord set n of the scene is the document's texcoord n as
 * stored. Baked sets follow from facet_j3d_first_baked_set on. */
typedef struct facet_j3d_vertex_wants {
    bool color; /* red, green and blue are those of color 0; else white */
    bool alpha; /* alpha is that of color 0; else 1 */
    /* The color is offset + scale * color 0, clamped to 0 to 1, all gamma-encoded. */
    bool maps_color;
    float color_offset[3], color_scale[3];
    uint32_t doubts; /* bits of j3d_doubt: properties that the scene's material cannot express */
    bool reverse;    /* back faces are visible: reverse the triangles */
    uint32_t baked_count;
    facet_j3d_baked_uv baked[8];
} facet_j3d_vertex_wants;

/* The highest texcoord array of the document, plus one. */
static inline uint32_t facet_j3d_first_baked_set(const facet_j3d *document)
{
    uint32_t sets = 0;
    for (uint32_t i = 0; i < 8; i++) {
        if (document->vertices.arrays[FACET_J3D_ARRAY_TEXCOORD0 + i].bytes)
            sets = i + 1;
    }
    return sets;
}

/* Add the document's textures to the scene as images, and its materials: scene material i is slot
 * i. *wants (in the scene's arena) has an element per slot. */
facet_status facet_j3d_scene_materials(const facet_j3d *document, facet_scene *scene,
                                       facet_j3d_vertex_wants **wants, const facet_options *options,
                                       facet_error *error);

/* Print doubts as text, for example "it reflects what is around; indirect textures move it". */
void facet_j3d_doubts_text(uint32_t doubts, char *text, size_t size);

#endif
