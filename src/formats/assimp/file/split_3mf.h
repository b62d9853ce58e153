/* formats/assimp/file/split_3mf.h - a mesh of a 3MF with several materials, as several meshes of
 * one object: assimp reads one material for each. */
#ifndef FACET_ASSIMP_FILE_SPLIT_3MF_H
#define FACET_ASSIMP_FILE_SPLIT_3MF_H

#include "formats/assimp/file/edits_dae.h"

/* A triangle with its material: 0 without one. */
typedef struct facet_3mf_triangle {
    uint64_t property;
    facet_xml_part tag, pid, index;
} facet_3mf_triangle;

typedef struct facet_3mf_mesh {
    facet_xml_part vertices; /* the whole element; of size 0 until its end is known */
    facet_xml_part inside;   /* position after the tag of <triangles> */
    facet_3mf_triangle *triangles;
    uint32_t count, capacity;
} facet_3mf_mesh;

/* Add an edit that splits the triangles, whose closing tag is at `end`. The copies of the vertices
 * are taken from *budget, in bytes; *split is false if it is too small, or if the mesh is not as
 * usual. False if out of memory. n log n. */
bool facet_3mf_split(facet_3mf_mesh *mesh, facet_dae_edits *edits, const uint8_t *end,
                     size_t *budget, bool *split);

#endif
