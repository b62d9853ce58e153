/* formats/assimp/file/texcoords_dae.h - the texture coordinates of a COLLADA's textures.
 *
 * A <texture> of an effect names its coordinates. The <bind_vertex_input> of a material with the
 * effect gives that name a set. assimp reads a number from the name instead. */
#ifndef FACET_ASSIMP_FILE_TEXCOORDS_DAE_H
#define FACET_ASSIMP_FILE_TEXCOORDS_DAE_H

#include "base/report.h"
#include "formats/assimp/file/edits_dae.h"
#include "formats/assimp/file/sets_dae.h"

/* A material and its effect, without '#'. */
typedef struct facet_dae_material {
    facet_xml_part id, effect;
} facet_dae_material;

/* A <texture> in an effect, or a <bind_vertex_input> of a material. */
typedef struct facet_dae_texcoord {
    facet_xml_part owner, name; /* owner: id of the effect or material */
    uint32_t set;               /* of a <bind_vertex_input> */
    facet_xml_part shape;       /* of a <bind_vertex_input>: what its instance shows, without '#' */
    uint64_t line;
} facet_dae_texcoord;

typedef struct facet_dae_texcoords {
    facet_arena *arena;
    facet_dae_material *materials;
    facet_dae_texcoord *textures, *bindings;
    uint32_t material_count, material_capacity, texture_count, texture_capacity, binding_count,
        binding_capacity;
    facet_xml_part effect, material, target, shape; /* of the current elements */
    facet_dae_sets sets;
} facet_dae_texcoords;

/* Note an element, if it is one of these. False if out of memory. */
bool facet_dae_note_texcoord(facet_dae_texcoords *all, facet_xml_part name, facet_xml_part tag,
                             uint64_t line);

/* Add edits that give each texture a name from which assimp reads the right set. The tally and line
 * are of bindings whose set is lost, because assimp has one set per effect, below 8. n log n. */
facet_status facet_dae_bind_texcoords(facet_dae_texcoords *all, facet_dae_edits *edits,
                                      facet_tally *lost, uint64_t *line, facet_error *error);

#endif
