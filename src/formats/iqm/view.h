/* formats/iqm/view.h - the sections of the header; all that view.c needs. */
#ifndef FACET_IQM_VIEW_H
#define FACET_IQM_VIEW_H

#include <facet/iqm.h>

/* Offsets of the fields of the header. */
enum {
    FACET_IQM_AT_VERSION = 16,
    FACET_IQM_AT_FILE_SIZE = 20,
    FACET_IQM_AT_FLAGS = 24,
    FACET_IQM_AT_VERTICES = 48,
    FACET_IQM_AT_CHANNELS = 96
};

/* Bytes of the records of a file of version 2. */
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
    uint32_t count_at, offset_at; /* in the header */
    uint32_t record_size;         /* in version 2; 0: given by the header */
    uint32_t record_size_1;       /* in version 1 */
    bool optional;                /* the count is that of other records: offset 0 is "none" */
} facet_iqm_section_info;

extern const facet_iqm_section_info facet_iqm_section_infos[FACET_IQM_SECTION_COUNT];

/* The magic and the numbers of the header; all but the sections. Returns the id of the broken
 * rule and fills *error, or NULL. */
const char *facet_iqm_parse_header(const uint8_t *data, size_t size, facet_iqm_layout *layout,
                                   facet_error *error);

/* Find one section: set its count and raw, zero where they are not usable. Returns the id of the
 * broken rule and fills *error, or NULL. */
const char *facet_iqm_locate(facet_iqm_layout *layout, facet_iqm_section section,
                             facet_error *error);

/* A record of a section whose index is in range. */
static inline const uint8_t *facet_iqm_record(const facet_iqm_layout *layout,
                                              facet_iqm_section section, uint32_t index)
{
    return layout->raw[section] + (size_t)index * layout->record_size[section];
}

/* The offset of a record of a section in the file. */
static inline uint64_t facet_iqm_record_offset(const facet_iqm_layout *layout,
                                               facet_iqm_section section, uint64_t index)
{
    return layout->offset[section] + index * layout->record_size[section];
}

/* The same as the public functions, of a file that need not be verified. The index is in range. */
void facet_iqm_load_mesh(const facet_iqm_layout *layout, uint32_t index, facet_iqm_mesh *mesh);
void facet_iqm_load_joint(const facet_iqm_layout *layout, uint32_t index, facet_iqm_joint *joint);
void facet_iqm_load_pose(const facet_iqm_layout *layout, uint32_t index, facet_iqm_pose *pose);
void facet_iqm_load_animation(const facet_iqm_layout *layout, uint32_t index,
                              facet_iqm_animation *animation);
void facet_iqm_load_bounds(const facet_iqm_layout *layout, uint32_t index,
                           facet_iqm_bounds *bounds);
/* data is NULL when the array does not fit into the file. */
void facet_iqm_load_array(const facet_iqm_layout *layout, uint32_t index, facet_iqm_array *array);

/* The next extension of the list: *offset is that of its record, and becomes that of the one after
 * it. False when it is not inside the file; `data` is NULL when its data is not. */
bool facet_iqm_next_extension(const facet_iqm_layout *layout, uint32_t *offset,
                              facet_iqm_extension *extension);

/* The parts of facet_iqm_verify, in its order. Each depends on the sections, but not on the parts
 * before it, except the last, which needs vertex arrays inside the file. */
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

/* The first array of a type; false when there is none. */
bool facet_iqm_find_array(const facet_iqm_layout *layout, uint32_t type, facet_iqm_array *array);

/* The first of `count` indices that is not one of the `length` numbers from `first` on, which may
 * go beyond 2^32 to 0; `count` when all are. */
size_t facet_iqm_find_outside(const uint8_t *raw, size_t count, uint32_t first, uint32_t length);

/* w of the rotation of a file of version 1. */
float facet_iqm_rotation_w(const float xyz[3]);

/* Bits of the channels. */
uint32_t facet_iqm_channels_of(uint32_t mask);

/* A component as a number: as it is stored, or of integers the fraction of the largest. `data` is
 * little-endian and at any alignment. */
double facet_iqm_component(const uint8_t *data, uint32_t format, bool normalized);
/* The same of `count` components in a row, without deciding the format for each. */
void facet_iqm_components(const uint8_t *data, uint32_t format, bool normalized, double *out,
                          size_t count);

#endif
