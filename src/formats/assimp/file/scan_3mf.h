/* formats/assimp/file/scan_3mf.h - materials and the unit of a 3MF, changed before assimp reads
 * them.
 *
 * assimp gives an object without a material the first material of the file. This one becomes
 * FACET_ASSIMP_NO_MATERIAL; the unit, which assimp drops, is appended to its name. A color without
 * alpha, which assimp reads as transparent, becomes opaque. */
#ifndef FACET_ASSIMP_FILE_SCAN_3MF_H
#define FACET_ASSIMP_FILE_SCAN_3MF_H

#include "formats/assimp/file/edits_dae.h"

/* Examine the opening tag of an element in an XML with a <model>. `parent` is the name in the tag
 * around it, `content` the text after it; `unit` is the unit of the <model>, which is set here.
 * False if out of memory. */
bool facet_3mf_note_element(facet_dae_edits *edits, facet_xml_part name, facet_xml_part parent,
                            facet_xml_part tag, facet_xml_part content, facet_xml_part *unit);

#endif
