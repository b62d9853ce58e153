/* formats/assimp/file/morphs_dae.h - controllers with morph targets in a COLLADA. They are
 * removed from the text for assimp, which cannot read any mesh of such a file. */
#ifndef FACET_ASSIMP_FILE_MORPHS_DAE_H
#define FACET_ASSIMP_FILE_MORPHS_DAE_H

#include "formats/assimp/file/edits_dae.h"

/* A <controller>. `source` is the mesh or controller that it changes, without '#'. */
typedef struct facet_dae_controller {
    facet_xml_part id, source, element;
    bool is_morph;
} facet_dae_controller;

/* An attribute that names a controller, without '#', and the name of its element at the start and
 * the end if it is an <instance_controller>. */
typedef struct facet_dae_reference {
    facet_xml_part target, names[2];
} facet_dae_reference;

/* All of them, in the order of the text. */
typedef struct facet_dae_controllers {
    facet_arena *arena;
    facet_dae_controller *items;
    facet_dae_reference *references;
    uint32_t count, capacity, reference_count, reference_capacity;
} facet_dae_controllers;

/* Add edits that remove the controllers that are morphs: references to one name its mesh instead.
 * n log n in the controllers. */
facet_status facet_dae_remove_morphs(const facet_dae_controllers *controllers,
                                     facet_dae_edits *edits, facet_error *error);

#endif
