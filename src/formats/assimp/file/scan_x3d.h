/* formats/assimp/file/scan_x3d.h - elements of an X3D that assimp drops or changes. */
#ifndef FACET_ASSIMP_FILE_SCAN_X3D_H
#define FACET_ASSIMP_FILE_SCAN_X3D_H

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/assimp/file/xml.h"

enum { FACET_X3D_FINDINGS = 21 };

typedef struct facet_x3d_findings {
    bool is_x3d;             /* the element <X3D> was found */
    facet_xml_part face_set; /* tag of the current <IndexedFaceSet> */
    facet_tally tallies[FACET_X3D_FINDINGS];
    uint64_t lines[FACET_X3D_FINDINGS];
    facet_xml_part *fatal; /* elements that end the process in assimp */
    uint32_t fatal_count, fatal_capacity;
    facet_xml_part *reversed; /* lists of indices whose faces are clockwise */
    uint32_t reversed_count, reversed_capacity;
    facet_xml_part *commas; /* lists of numbers with commas, of which assimp drops the rest */
    uint32_t comma_count, comma_capacity;
    facet_arena *scratch;
    facet_error *error;
} facet_x3d_findings;

/* An element of any XML. */
typedef struct facet_x3d_element {
    facet_xml_part name;
    facet_xml_part parent; /* name of the element around it, or a part of size 0 */
    facet_xml_part tag;    /* text between angle brackets */
    facet_xml_part empty;  /* the whole element, if it has no content; else of size 0 */
    uint64_t line;
} facet_x3d_element;

/* Examine an element. Linear. */
facet_status facet_x3d_check_element(facet_x3d_findings *found, const facet_x3d_element *element);
/* Report the findings. If the text has elements that end the process in assimp, clockwise faces, or
 * commas between numbers, replace it by a copy in the arena. There, comments replace the elements,
 * faces are counterclockwise, and commas are blanks. */
facet_status facet_x3d_finish(const facet_x3d_findings *found, const uint8_t **data, size_t *size,
                              facet_report *report);

#endif
