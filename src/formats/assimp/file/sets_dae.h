/* formats/assimp/file/sets_dae.h - numbers of the sets of texture coordinates in a COLLADA.
 *
 * A <bind_vertex_input> names a set by the number in the <input> of a mesh. Meshes can lack lower
 * numbers. assimp drops sets from 8 on, and numbers the others again for each mesh, but not those
 * of bindings. So each mesh gets the numbers from 0 on before assimp reads it. */
#ifndef FACET_ASSIMP_FILE_SETS_DAE_H
#define FACET_ASSIMP_FILE_SETS_DAE_H

#include "base/table.h"
#include "formats/assimp/file/edits_dae.h"

/* An <input> with texture coordinates. */
typedef struct facet_dae_set {
    uint32_t geometry, set;
    uint32_t rank;        /* number of smaller sets of its geometry */
    facet_xml_part value; /* of the attribute, or empty */
} facet_dae_set;

/* A <geometry>, or a <controller> and what it changes; without '#'. */
typedef struct facet_dae_shape {
    facet_xml_part id, source;
} facet_dae_shape;

typedef struct facet_dae_sets {
    facet_arena *arena;
    facet_dae_shape *shapes; /* in the order of the text */
    facet_dae_set *items;
    uint32_t shape_count, shape_capacity, count, capacity;
    facet_names names; /* ids of shapes */
    uint32_t *first;   /* per id: the first shape with it */
} facet_dae_sets;

/* The first number in a text; 0 without one. Large numbers become UINT32_MAX. */
uint32_t facet_dae_first_number(facet_xml_part text);

/* Note an element, if it is one of these. False if out of memory. */
bool facet_dae_note_set(facet_dae_sets *sets, facet_xml_part name, facet_xml_part tag);

/* Number the sets of all meshes again, with edits. False if out of memory. n log n. */
bool facet_dae_number_sets(facet_dae_sets *sets, facet_dae_edits *edits);

/* The new number of a set of the geometry or controller with this id; the old one if it lacks
 * the set. */
uint32_t facet_dae_number_of_set(const facet_dae_sets *sets, facet_xml_part id, uint32_t set);

#endif
