/* formats/assimp/file/shapes_x3d.h - shapes without an appearance and lists of texts in an X3D,
 * changed before assimp reads them.
 *
 * assimp gives a <Shape> without <Appearance> the first appearance of the file. It gets one whose
 * texture is FACET_ASSIMP_NO_MATERIAL. assimp reads a list of texts (MFString) only if each text
 * with quotes has a blank, so the other texts lose their quotes. */
#ifndef FACET_ASSIMP_FILE_SHAPES_X3D_H
#define FACET_ASSIMP_FILE_SHAPES_X3D_H

#include "base/error.h"
#include "formats/assimp/file/edits_dae.h"

typedef struct facet_x3d_shapes {
    facet_xml_part name;   /* in the opening tag of the current <Shape>; or empty */
    facet_xml_part inside; /* position after that tag, of size 0 */
    bool has_appearance;
} facet_x3d_shapes;

/* Note the opening tag of an element. `parent` is the name in the tag around it, `content` the
 * text after it. */
facet_status facet_x3d_begin_shape(facet_x3d_shapes *shapes, facet_dae_edits *edits,
                                   facet_xml_part name, facet_xml_part parent, facet_xml_part tag,
                                   facet_xml_part content, facet_error *error);
/* Note the end of the element with this name in its opening tag. False if out of memory. */
bool facet_x3d_end_shape(facet_x3d_shapes *shapes, facet_dae_edits *edits, facet_xml_part name);

#endif
