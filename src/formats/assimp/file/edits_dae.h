/* formats/assimp/file/edits_dae.h - changes to the text of a COLLADA before assimp reads it. */
#ifndef FACET_ASSIMP_FILE_EDITS_DAE_H
#define FACET_ASSIMP_FILE_EDITS_DAE_H

#include "base/arena.h"
#include "base/error.h"
#include "formats/assimp/file/xml.h"

/* A part of the text, and its replacement. */
typedef struct facet_dae_edit {
    facet_xml_part old, new;
    uint32_t number; /* edits at one place keep their order on every machine */
} facet_dae_edit;

typedef struct facet_dae_edits {
    facet_arena *arena;
    facet_dae_edit *items;
    uint32_t count, capacity;
} facet_dae_edits;

/* Add an edit; false if out of memory. `new` must stay valid. */
bool facet_dae_add_edit(facet_dae_edits *edits, facet_xml_part old, facet_xml_part new);

/* Continue with a copy of the text, which has the same size. */
void facet_dae_move_edits(facet_dae_edits *edits, const uint8_t *from, const uint8_t *to);

/* Replace a text by a copy with the edits, in their arena. Edits inside a replaced part are left
 * out. Without edits, the text stays. n log n in the edits. */
facet_status facet_dae_apply(facet_dae_edits *edits, const uint8_t **data, size_t *size,
                             facet_error *error);

#endif
