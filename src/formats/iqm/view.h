/* formats/iqm/view.h - sections of the header, for view.c. */
#ifndef FACET_IQM_VIEW_H
#define FACET_IQM_VIEW_H

#include <facet/iqm.h>

/* Offsets of the header's fields. */
enum {
    FACET_IQM_AT_VERSION = 16,
    FACET_IQM_AT_FILE_SIZE = 20,
    FACET_IQM_AT_FLAGS = 24,
    FACET_IQM_AT_VERTICES = 48,
    FACET_IQM_AT_CHANNELS = 96,
    FACET_IQM_AT_EXTENSIONS = 120
};

/* Sizes of records in version 2. */
enum {
    FACET_IQM_MESH_SIZE = 24,
    FACET_IQM_ARRAY_SIZE = 20,
    FACET_IQM_JOINT_SIZE = 48,
    FACET_IQM_POSE_SIZE = 88,
    FACET_IQM_ANIMATION_SIZE = 20,
    FACET_IQM_BOUNDS_SIZE = 32,
    FACET_IQM_EXTENSION_SIZE = 16
};

typedef struct facet_iqm_section_info {
    const char *name;
    uint32_t count_at, offset_at; /* offsets in the header */
    uint32_t record_size;         /* in version 2; 0: the header has it */
    uint32_t record_size_1;       /* in version 1 */
    bool optional;                /* its count is that of other records: offset 0 means missing */
} facet_iqm_section_info;

extern const facet_iqm_section_info facet_iqm_section_infos[FACET_IQM_SECTION_COUNT];

/* Parse the magic and the numbers of the header, without the sections. On failure, returns the id
 * of the broken rule and fills *error; else NULL. */
const char *facet_iqm_parse_header(const uint8_t *data, size_t size, facet_iqm_layout *layout,
                                   facet_error *error);

/* Find one section: set its count and raw bytes, zero if invalid. On failure, returns the id of the
 * broken rule and fills *error; else NULL. */
const char *facet_iqm_locate(facet_iqm_layout *layout, facet_iqm_section section,
                             facet_error *error);

/* A record of a section; the index must be in range. */
static inline const uint8_t *facet_iqm_record(const facet_iqm_layout *layout,
                                              facet_iqm_section section, uint32_t index)
{
    return layout->raw[section] + (size_t)index * layout->record_size[section];
}

/* Offset of a section's record in the file. */
static inline uint64_t facet_iqm_record_offset(const facet_iqm_layout *layout,
                                               facet_iqm_section section, uint64_t index)
{
    return layout->offset[section] + index * layout->record_size[section];
}

/* Like the public functions, but the file does not have to be verified. The index must be in
 * range. */
void facet_iqm_load_mesh(const facet_iqm_layout *layout, uint32_t index, facet_iqm_mesh *mesh);
void facet_iqm_load_joint(const facet_iqm_layout *layout, uint32_t index, facet_iqm_joint *joint);
void facet_iqm_load_pose(const facet_iqm_layout *layout, uint32_t index, facet_iqm_pose *pose);
void facet_iqm_load_animation(const facet_iqm_layout *layout, uint32_t index,
                              facet_iqm_animation *animation);
void facet_iqm_load_bounds(const facet_iqm_layout *layout, uint32_t index,
                           facet_iqm_bounds *bounds);
/* data is NULL if the array does not fit into the file. */
void facet_iqm_load_array(const facet_iqm_layout *layout, uint32_t index, facet_iqm_array *array);

/* Load an extension of the list. *offset is that of its record, and becomes that of the next. False
 * if it is outside the file; `data` is NULL if its data are. */
bool facet_iqm_next_extension(const facet_iqm_layout *layout, uint32_t *offset,
                              facet_iqm_extension *extension);

/* The parts of facet_iqm_verify, in order. Each depends on the sections, but not on earlier parts.
 * Only the last needs vertex arrays inside the file. */
enum {
    FACET_IQM_PART_MESHES = 0,
    FACET_IQM_PART_ARRAYS,
    FACET_IQM_PART_TRIANGLES,
    FACET_IQM_PART_ADJACENCY,
    FACET_IQM_PART_JOINTS,
    FACET_IQM_PART_POSES,
    FACET_IQM_PART_ANIMATIONS,
    FACET_IQM_PART_EXTENSIONS,
    FACET_IQM_PART_BLENDS,
    FACET_IQM_PART_COUNT
};
typedef struct facet_iqm_part {
    facet_status (*verify)(const facet_iqm_layout *layout, facet_error *error);
} facet_iqm_part;

extern const facet_iqm_part facet_iqm_parts[FACET_IQM_PART_COUNT];

/* Find the first array of a type; false if it is missing. */
bool facet_iqm_find_array(const facet_iqm_layout *layout, uint32_t type, facet_iqm_array *array);

/* Index of the first of `count` indices outside the range of `length` numbers from `first`; `count`
 * if all are inside. The range can wrap from 2^32 to 0. */
size_t facet_iqm_find_outside(const uint8_t *raw, size_t count, uint32_t first, uint32_t length);

/* w of a rotation in version 1. */
float facet_iqm_rotation_w(const float xyz[3]);

/* Number of channels in a mask. */
uint32_t facet_iqm_channels_of(uint32_t mask);

/* A component as a number. Normalized integers are fractions of the largest. `data` is
 * little-endian, with any alignment. */
double facet_iqm_component(const uint8_t *data, uint32_t format, bool normalized);
/* The same for `count` adjacent components, with one test of the format. */
void facet_iqm_components(const uint8_t *data, uint32_t format, bool normalized, double *out,
                          size_t count);

#endif
