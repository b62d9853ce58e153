/* formats/assimp/file/materials_dae.h - faces without a material in a COLLADA.
 *
 * assimp gives them the first binding of their <instance_geometry>, by symbol, or else the first
 * material of the file, by id. Both become the material FACET_ASSIMP_NO_MATERIAL. */
#ifndef FACET_ASSIMP_FILE_MATERIALS_DAE_H
#define FACET_ASSIMP_FILE_MATERIALS_DAE_H

#include "formats/assimp/file/edits_dae.h"

/* Note the opening tag of an element that is not empty. `content` is the text after it. False if
 * out of memory. */
bool facet_dae_add_no_material(facet_dae_edits *edits, facet_xml_part name, facet_xml_part parent,
                               facet_xml_part content);

#endif
