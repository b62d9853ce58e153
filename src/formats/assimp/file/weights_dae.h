/* formats/assimp/file/weights_dae.h - bind shapes of a COLLADA, and their weights.
 *
 * assimp reads zeros for a missing <bind_shape_matrix>, whose default is the identity.
 * In <v>, the joint -1 is the bind shape: that part of the vertex follows no joint. assimp stops at
 * the sign, so that all later weights are wrong. These weights are removed before it reads them. */
#ifndef FACET_ASSIMP_FILE_WEIGHTS_DAE_H
#define FACET_ASSIMP_FILE_WEIGHTS_DAE_H

#include "formats/assimp/file/edits_dae.h"

typedef struct facet_dae_weights {
    facet_xml_part counts; /* content of the current <vcount>, or empty */
    bool begins_skin;      /* the last element is a <skin> */
} facet_dae_weights;

/* Note an element. `parent` is the name of the element around it, `content` the text after its tag.
 * *removed is true if weights are removed. False if out of memory. Linear. */
bool facet_dae_note_weights(facet_dae_weights *weights, facet_dae_edits *edits, facet_xml_part name,
                            facet_xml_part parent, facet_xml_part content, bool *removed);

#endif
