/* formats/assimp/file/arrays_dae.h - arrays of a COLLADA and the accessors that read them. assimp
 * reads behind an array that has fewer values than its accessors need. */
#ifndef FACET_ASSIMP_FILE_ARRAYS_DAE_H
#define FACET_ASSIMP_FILE_ARRAYS_DAE_H

#include "base/table.h"
#include "formats/assimp/file/xml.h"

/* An <accessor>, and the number of values that it needs. */
typedef struct facet_dae_accessor {
    facet_xml_part source; /* id of the array */
    uint64_t needed;
    uint64_t line;
} facet_dae_accessor;

typedef struct facet_dae_arrays {
    facet_arena *arena;
    facet_names ids;
    uint64_t *counts; /* per id: number of values; of equal ids the least */
    facet_dae_accessor *accessors;
    uint32_t count_capacity, accessor_count, accessor_capacity;
} facet_dae_arrays;

/* Note an element, if it is an array or an accessor. */
facet_status facet_dae_note_array(facet_dae_arrays *all, facet_xml_part name, facet_xml_part tag,
                                  uint64_t line, facet_error *error);

/* Check that each accessor stays within its array. */
facet_status facet_dae_check_arrays(const facet_dae_arrays *all, facet_error *error);

#endif
