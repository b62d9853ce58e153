/* formats/assimp/file/scan_3mf.h - materials and the unit of a 3MF, changed before assimp reads
 * them.
 *
 * assimp gives an object without a material the first material of the file. This one becomes
 * FACET_ASSIMP_NO_MATERIAL; the unit, which assimp drops, is appended to its name. A color without
 * alpha, which assimp reads as transparent, becomes opaque. */
#ifndef FACET_ASSIMP_FILE_SCAN_3MF_H
#define FACET_ASSIMP_FILE_SCAN_3MF_H

#include "base/report.h"
#include "base/table.h"
#include "formats/assimp/file/split_3mf.h"

enum { FACET_3MF_MATERIAL, FACET_3MF_OTHER, FACET_3MF_FINDINGS };

/* Properties of the current object and its triangles. A property is a resource and an index in it:
 * (number of the resource + 1) << 32 | index + 1, or 0. */
typedef struct facet_3mf {
    facet_xml_part unit;
    facet_names bases;            /* ids of <basematerials> */
    uint32_t *base_counts;        /* per id: materials; 0 if the id repeats */
    uint32_t base_capacity, base; /* `base`: the last <basematerials>, or FACET_NONE */
    facet_names resources;        /* all ids that are used */
    facet_xml_part object_pid, object_index;
    uint64_t object, mesh; /* of the object; of its triangles in assimp */
    bool has_mesh;
    facet_3mf_mesh triangles; /* of the current mesh */
    uint64_t mixed;           /* line of its first triangle with another material, or 0 */
    size_t budget;            /* bytes of vertices that may be copied */
    facet_tally tallies[FACET_3MF_FINDINGS];
    uint64_t lines[FACET_3MF_FINDINGS];
} facet_3mf;

/* Prepare the scan of a file of this size. */
void facet_3mf_begin(facet_3mf *file, facet_arena *arena, size_t size);

/* Examine the opening tag of an element in an XML with a <model>. `parent` is the name in the tag
 * around it, `content` the text after it, or at NULL if it is empty. False if out of memory. */
bool facet_3mf_note_element(facet_3mf *file, facet_dae_edits *edits, facet_xml_part name,
                            facet_xml_part parent, facet_xml_part tag, facet_xml_part content,
                            uint64_t line);

/* Note the end of the element with this name. Its closing tag is from `begin` to before `end`.
 * False if out of memory. */
bool facet_3mf_note_end(facet_3mf *file, facet_dae_edits *edits, facet_xml_part name,
                        const uint8_t *begin, const uint8_t *end);

/* Report the properties of triangles that assimp drops: it has one material per mesh, and reads no
 * colors and only one triangle with texture coordinates. */
void facet_3mf_report(const facet_3mf *file, facet_report *report);

#endif
