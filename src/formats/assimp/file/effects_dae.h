/* formats/assimp/file/effects_dae.h - colors of a COLLADA's materials that assimp replaces.
 *
 * An absent <diffuse> is black (COLLADA 1.4.1, chapter 8: an absent term is 0). assimp makes it
 * gray. The color of a <constant> is its <emission>, which becomes its <diffuse> here: the color of
 * an unlit material.
 *
 * assimp ignores that a texture of <transparent> is inverted (RGB_ZERO, A_ZERO), and multiplies it
 * by an opacity of 0. Such a texture is removed: the material is opaque. */
#ifndef FACET_ASSIMP_FILE_EFFECTS_DAE_H
#define FACET_ASSIMP_FILE_EFFECTS_DAE_H

#include "formats/assimp/file/edits_dae.h"

typedef struct facet_dae_effects {
    facet_xml_part shader;      /* name of the current <phong>, <constant> and so on; or empty */
    facet_xml_part inside;      /* position after its opening tag, of size 0 */
    facet_xml_part emission[2]; /* names in the tags of its <emission>; or empty */
    facet_xml_part
        transparent; /* name of the current <transparent> without its texture; or empty */
    bool has_diffuse,
        is_inverted; /* is_inverted: the current <transparent> is 0 where it is opaque */
} facet_dae_effects;

/* Note the opening tag of an element. `content` is the text after it, `element` the whole element
 * if it is empty. False if out of memory. */
bool facet_dae_begin_effect(facet_dae_effects *all, facet_dae_edits *edits, facet_xml_part name,
                            facet_xml_part parent, facet_xml_part tag, facet_xml_part content,
                            facet_xml_part element);
/* True for a texture that facet_dae_begin_effect removes. */
bool facet_dae_is_inverted(const facet_dae_effects *all, facet_xml_part name,
                           facet_xml_part parent);
/* Note the closing tag of an element. `name` is the name in that tag, or empty. */
bool facet_dae_end_effect(facet_dae_effects *all, facet_dae_edits *edits, facet_xml_part element,
                          facet_xml_part name);

#endif
