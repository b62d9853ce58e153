/* formats/assimp/file/params_dae.h - parameters of a COLLADA's effects.
 *
 * A <param> in a color or number of an effect names a <newparam>. A <setparam> of a material
 * replaces its value. assimp ignores all of these, so the value is put next to the <param>. */
#ifndef FACET_ASSIMP_FILE_PARAMS_DAE_H
#define FACET_ASSIMP_FILE_PARAMS_DAE_H

#include "base/report.h"
#include "base/table.h"
#include "formats/assimp/file/edits_dae.h"

/* A value of a <newparam> or <setparam>, or a <param> that uses one. */
typedef struct facet_dae_param {
    uint64_t key;         /* effect, name */
    facet_xml_part value; /* of a <param>: its position, of size 0 */
    uint64_t line;
    bool is_color; /* of a <param> */
} facet_dae_param;

typedef struct facet_dae_param_list {
    facet_dae_param *items;
    uint32_t count, capacity;
} facet_dae_param_list;

typedef struct facet_dae_params {
    facet_arena *arena;
    facet_names effects, names;               /* ids; names of parameters */
    facet_dae_param_list made, changed, used; /* <newparam>, <setparam>, <param> */
    facet_dae_param_list instances;           /* <instance_effect>: the effect is its key */
    uint64_t key;                             /* of the current <newparam> or <setparam> */
    uint32_t effect;                          /* current one; that of the current material */
} facet_dae_params;

/* Prepare an empty list. */
void facet_dae_begin_params(facet_dae_params *params, facet_arena *arena);

/* Note the opening tag of an element. `parent` is the name of the element around it, `outer` that
 * of the next, `content` the text after the tag. False if out of memory. */
bool facet_dae_note_param(facet_dae_params *params, facet_xml_part name, facet_xml_part parent,
                          facet_xml_part outer, facet_xml_part tag, facet_xml_part content,
                          uint64_t line);

/* Add the values, with edits. The tally and line are of values that are lost: those that are
 * missing, and those of one of several materials with an effect. n log n. */
facet_status facet_dae_apply_params(facet_dae_params *params, facet_dae_edits *edits,
                                    facet_tally *lost, uint64_t *line, facet_error *error);

#endif
