/* formats/assimp/file/ranges_dae.h - indices of joints and weights in a COLLADA. assimp uses those
 * of <v> without a check, and reads and writes beyond its arrays. */
#ifndef FACET_ASSIMP_FILE_RANGES_DAE_H
#define FACET_ASSIMP_FILE_RANGES_DAE_H

#include "base/table.h"
#include "formats/assimp/file/xml.h"

/* A <skin>. */
typedef struct facet_dae_skin {
    facet_xml_part joints, weights; /* ids of the sources that its indices count */
    facet_xml_part pairs;           /* content of <v> */
    uint64_t line;                  /* of <v> */
} facet_dae_skin;

typedef struct facet_dae_ranges {
    facet_arena *arena;
    facet_names sources;
    uint32_t *counts; /* per id of a source: elements of its accessor, the least of equal ids */
    facet_dae_skin *skins;
    uint32_t count_capacity, skin_count, skin_capacity;
    uint32_t source; /* the last <source>, or FACET_NONE */
} facet_dae_ranges;

void facet_dae_begin_ranges(facet_dae_ranges *ranges, facet_arena *arena);

/* Note an element. `parent` is the name of the element around it, `content` the text after its tag.
 * False if out of memory. */
bool facet_dae_note_range(facet_dae_ranges *ranges, facet_xml_part name, facet_xml_part parent,
                          facet_xml_part tag, facet_xml_part content, uint64_t line);

/* Check that the indices of each skin are in range. Linear. */
facet_status facet_dae_check_ranges(const facet_dae_ranges *ranges, facet_error *error);

#endif
