/* facet/iqm.h - the Inter-Quake Model format, versions 1 and 2.
 *
 * An IQM is a header of 124 bytes and the sections that it points to:
 *
 *  - a text with all names;
 *  - meshes, which are runs of vertices and triangles with a material;
 *  - vertex arrays of several types and formats;
 *  - triangles and their neighbors;
 *  - joints with the base pose;
 *  - poses, which define how a frame stores each joint;
 *  - animations, which are runs of frames;
 *  - frames of 16-bit numbers, and a box per frame;
 *  - a comment, and a list of extensions.
 *
 * All numbers are little-endian. There are two ways to read a file:
 *
 *  - facet_iqm_view returns pointers into the bytes: nothing is copied or allocated. For engines.
 *  - facet_iqm_read creates a document: fully checked, in host byte order, with its own memory. For
 *    tools; facet_iqm_write writes one.
 *
 * Stability: stable. */
#ifndef FACET_IQM_H
#define FACET_IQM_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Records ------------------------------------------------------------ */

#define FACET_IQM_HEADER_SIZE 124
/* Channels of a pose: translation x, y, z, rotation x, y, z, w, scale x, y, z. */
#define FACET_IQM_CHANNELS 10

/* The sections in the header. */
typedef enum facet_iqm_section {
    FACET_IQM_TEXT = 0,       /* bytes: NUL-terminated strings; the first is "" */
    FACET_IQM_MESHES = 1,     /* a facet_iqm_mesh */
    FACET_IQM_ARRAYS = 2,     /* a facet_iqm_array */
    FACET_IQM_TRIANGLES = 3,  /* three vertex indices, clockwise from outside */
    FACET_IQM_ADJACENCY = 4,  /* three triangle indices, one per edge; 0xFFFFFFFF: none */
    FACET_IQM_JOINTS = 5,     /* a facet_iqm_joint */
    FACET_IQM_POSES = 6,      /* a facet_iqm_pose */
    FACET_IQM_ANIMATIONS = 7, /* a facet_iqm_animation */
    FACET_IQM_FRAMES = 8,     /* channel_count numbers of 16 bits */
    FACET_IQM_BOUNDS = 9,     /* a facet_iqm_bounds, one per frame */
    FACET_IQM_COMMENT = 10,   /* bytes */
    FACET_IQM_EXTENSIONS = 11 /* a linked list */
} facet_iqm_section;

#define FACET_IQM_SECTION_COUNT 12

/* A mesh. Names are offsets into the text. */
typedef struct facet_iqm_mesh {
    uint32_t name;
    uint32_t material;
    uint32_t first_vertex, vertex_count;
    uint32_t first_triangle, triangle_count;
} facet_iqm_mesh;

/* Types of a vertex array. Higher values are custom: FACET_IQM_CUSTOM + offset of a name. */
enum {
    FACET_IQM_POSITION = 0,
    FACET_IQM_TEXCOORD = 1, /* v increases downward */
    FACET_IQM_NORMAL = 2,
    FACET_IQM_TANGENT = 3, /* x, y, z along +u; w: w * cross(normal, tangent) is along -v */
    FACET_IQM_BLEND_INDEXES = 4,
    FACET_IQM_BLEND_WEIGHTS = 5,
    FACET_IQM_COLOR = 6,
    FACET_IQM_CUSTOM = 16
};

/* Formats of the components of a vertex array. */
enum {
    FACET_IQM_INT8 = 0,
    FACET_IQM_UINT8 = 1,
    FACET_IQM_INT16 = 2,
    FACET_IQM_UINT16 = 3,
    FACET_IQM_INT32 = 4,
    FACET_IQM_UINT32 = 5,
    FACET_IQM_FLOAT16 = 6,
    FACET_IQM_FLOAT32 = 7,
    FACET_IQM_FLOAT64 = 8
};

/* Bytes of a component: 1, 2, 4 or 8; 0 for an unknown format. */
static inline uint32_t facet_iqm_component_size(uint32_t format)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 2, 4, 8};
    return format < sizeof sizes ? sizes[format] : 0;
}

typedef struct facet_iqm_array {
    uint32_t type;
    uint32_t flags; /* 0: the format defines no flags */
    uint32_t format;
    uint32_t size;    /* components per vertex */
    uint32_t offset;  /* in the file that was read; 0 if filled in by the caller */
    const void *data; /* vertex_count * size components. In a view: little-endian, at any
                         alignment; in a document: in host byte order */
} facet_iqm_array;

/* A joint. Its transform is scale, then rotation, then translation, in the space of the parent. */
typedef struct facet_iqm_joint {
    uint32_t name;
    int32_t parent; /* index of an earlier joint; below 0: none */
    float translation[3];
    float rotation[4]; /* quaternion x, y, z, w */
    float scale[3];
} facet_iqm_joint;

/* Encoding of a joint in frames. Channel i is offset[i]; if bit i of the mask is set, scale[i]
 * times the next number of the frame is added. */
typedef struct facet_iqm_pose {
    int32_t parent;
    uint32_t mask;
    float offset[FACET_IQM_CHANNELS];
    float scale[FACET_IQM_CHANNELS];
} facet_iqm_pose;

enum { FACET_IQM_LOOP = 1 };

typedef struct facet_iqm_animation {
    uint32_t name;
    uint32_t first_frame, frame_count;
    float rate;     /* frames per second */
    uint32_t flags; /* FACET_IQM_LOOP or 0 */
} facet_iqm_animation;

/* Bounds of the vertices in one frame. */
typedef struct facet_iqm_bounds {
    float minimum[3], maximum[3];
    float xy_radius; /* largest distance from the z axis */
    float radius;    /* largest distance from the origin */
} facet_iqm_bounds;

typedef struct facet_iqm_extension {
    uint32_t name;
    uint32_t size;        /* bytes of data */
    uint32_t offset;      /* of the record in the file that was read; 0 if filled in by the
                             caller */
    uint32_t data_offset; /* of its data in the file that was read; 0 if filled in by the caller */
    const uint8_t *data;
} facet_iqm_extension;

/* -- View --------------------------------------------------------------- */

/* The header, and the bytes of each section. It points into the viewed bytes, which must outlive
 * it. */
typedef struct facet_iqm_layout {
    const uint8_t *data;
    size_t size;
    uint32_t version;   /* 1 or 2 */
    uint32_t file_size; /* as stored in the header */
    uint32_t flags;
    uint32_t vertex_count;
    uint32_t channel_count;                        /* 16-bit numbers per frame */
    uint32_t count[FACET_IQM_SECTION_COUNT];       /* records */
    uint32_t record_size[FACET_IQM_SECTION_COUNT]; /* bytes per record */
    uint32_t offset[FACET_IQM_SECTION_COUNT];      /* as stored in the header */
    const uint8_t *raw[FACET_IQM_SECTION_COUNT];   /* the records: complete and inside the file,
                                                      but little-endian, at any alignment, and
                                                      with content not checked; NULL: empty */
    bool verified;                                 /* set only by facet_iqm_verify */
} facet_iqm_layout;

/* Read the header and check that every section is inside the file. Constant time; nothing is
 * copied or allocated; `data` may have any alignment.
 * Errors: FACET_ERROR_MALFORMED with one of IQM-SIZE-HEADER, IQM-MAGIC, IQM-VERSION,
 * IQM-SECTION-BOUNDS, IQM-SECTION-IN-HEADER. */
FACET_API facet_status facet_iqm_view(const uint8_t *data, size_t size, facet_iqm_layout *layout,
                                      facet_error *error);

/* Check every name, range and index: of meshes, vertex arrays, triangles, neighbors, joints, blend
 * indexes, poses, animations and extensions. The result is valid only for the current bytes.
 * Errors: FACET_ERROR_MALFORMED with the rule that is broken. */
FACET_API facet_status facet_iqm_verify(facet_iqm_layout *layout, facet_error *error);

/* A string of the text. NULL if the offset is out of range or the string has no end. */
FACET_API const char *facet_iqm_text(const facet_iqm_layout *layout, uint32_t offset);

/* Get record `index` of a section, in host byte order: of meshes to a facet_iqm_mesh, arrays to a
 * facet_iqm_array, joints, poses, animations and bounds likewise. `size` is the size of that
 * struct. A joint or pose of version 1 becomes one of version 2. Its rotation gets w = -sqrt(1 -
 * x^2 - y^2 - z^2), and channel 6 of a pose is not in its mask. `data` of an array points into the
 * file. Errors: FACET_ERROR_ARGUMENT if the index is out of range, if the section has other records
 * or the size is not that of its struct, and before facet_iqm_verify. */
FACET_API facet_status facet_iqm_get(const facet_iqm_layout *layout, facet_iqm_section section,
                                     uint32_t index, void *record, size_t size, facet_error *error);

/* The indices of triangles or adjacency in place, three per record, all in range. NULL for an empty
 * section, before facet_iqm_verify, and if they cannot be used in place because they are not
 * aligned to four bytes or the host is big-endian. */
FACET_API const uint32_t *facet_iqm_indices(const facet_iqm_layout *layout,
                                            facet_iqm_section section);

/* -- Document ----------------------------------------------------------- */

/* A complete IQM of version 2 in host byte order. A plain struct. facet_iqm_read creates one that
 * owns what it points to. To write one, fill it in and point it at your own arrays. */
typedef struct facet_iqm {
    facet_arena *arena; /* owner of the memory, freed by facet_iqm_free; NULL: filled in by the
                           caller */
    uint32_t flags;
    uint32_t text_size;
    const char *text; /* all names; NUL-terminated */
    uint32_t mesh_count;
    const facet_iqm_mesh *meshes;
    uint32_t vertex_count;
    uint32_t array_count;
    const facet_iqm_array *arrays;
    uint32_t triangle_count;
    const uint32_t *triangles; /* 3 per triangle */
    const uint32_t *adjacency; /* 3 per triangle; NULL: none */
    uint32_t joint_count;
    const facet_iqm_joint *joints;
    uint32_t pose_count;
    const facet_iqm_pose *poses;
    uint32_t animation_count;
    const facet_iqm_animation *animations;
    uint32_t frame_count, channel_count;
    const uint16_t *frames;         /* frame_count * channel_count numbers */
    const facet_iqm_bounds *bounds; /* one per frame; NULL: none */
    uint32_t comment_size;
    const char *comment;
    uint32_t extension_count;
    const facet_iqm_extension *extensions;

    uint32_t offset[FACET_IQM_SECTION_COUNT]; /* of the sections in the file that was read; 0 if
                                                 filled in by the caller */
    uint32_t size;                            /* size of the file that was read; 0 if filled in
                                                 by the caller */
} facet_iqm;

/* Read a document. Every name, range and index is checked; floats are kept bit for bit. A file of
 * version 1 becomes a document of version 2: w of the rotations is computed and gets its own
 * channel. Bytes outside the sections that are not zero are reported as a warning LOSS-UNREAD. The
 * document does not point into the source. options may be NULL. Errors: those of facet_iqm_view and
 * facet_iqm_verify; FACET_ERROR_LIMIT if arrays share bytes and together exceed the file;
 * FACET_ERROR_MEMORY. */
FACET_API facet_status facet_iqm_read(const facet_source *source, const facet_options *options,
                                      facet_iqm **document, facet_error *error);
/* Free a document created by this library. NULL is allowed. */
FACET_API void facet_iqm_free(facet_iqm *document);

/* Write a document as version 2. If all sections fit at their offsets in the file that was read,
 * they are written there. Otherwise they are in the order of facet_iqm_section, each aligned to 4,
 * arrays of doubles to 8. options may be NULL. Nothing is written unless the whole document is
 * valid. Errors: FACET_ERROR_ARGUMENT with the rule that the document would break (IQM-DOCUMENT for
 * a missing array); FACET_ERROR_LIMIT for a file of more than 4 GiB. Failures of the output are
 * reported by facet_output_commit. */
FACET_API facet_status facet_iqm_write(const facet_iqm *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
