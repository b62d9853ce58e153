/* formats/j3d/animation/kinds.h - tables of the twelve kinds: fields and blocks of their sections,
 * in the exporters' order. */
#ifndef FACET_J3D_ANIMATION_KINDS_H
#define FACET_J3D_ANIMATION_KINDS_H

#include <facet/j3d_animation.h>

/* Sizes of the file header, and of the part of the section header that all kinds share. */
#define FACET_J3D_ANIMATION_HEADER 0x20
#define FACET_J3D_ANIMATION_HEAD 0x0C

/* The content of a block. */
typedef enum facet_j3d_block_content {
    FACET_J3D_BLOCK_TRACKS, /* with the other fields of an entry */
    FACET_J3D_BLOCK_REALS,  /* elements: f32 */
    FACET_J3D_BLOCK_S16,    /* elements: s16 */
    FACET_J3D_BLOCK_U16,    /* elements: u16 */
    FACET_J3D_BLOCK_U8,     /* elements: u8 */
    FACET_J3D_BLOCK_REMAP,
    FACET_J3D_BLOCK_NAMES,
    FACET_J3D_BLOCK_SLOTS,
    FACET_J3D_BLOCK_CENTERS,
    FACET_J3D_BLOCK_RUNS,   /* vertex colors that each entry sets */
    FACET_J3D_BLOCK_INDICES /* indices of vertex colors */
} facet_j3d_block_content;

/* A block. Positions count from the start of the section. */
typedef struct facet_j3d_block {
    uint8_t content; /* facet_j3d_block_content */
    uint8_t set, component;
    uint8_t offset_at; /* position of its offset, 32 bits */
    uint8_t count_at;  /* position of its count, 16 bits; 0: not stored */
    uint8_t alignment; /* alignment of the start */
} facet_j3d_block;

typedef struct facet_j3d_animation_format {
    facet_j3d_animation_kind kind;
    char name[4];    /* "bck"; also the file extension */
    char section[5]; /* for example "ANK1" */
    bool has_keys;   /* tracks have 6 bytes, else 4 */
    bool is_signed;  /* the signature begins with "SVR1" */
    uint8_t header;  /* size of the section before its first block */
    uint8_t frames_at;
    uint8_t sets;
    uint8_t tracks;        /* tracks per entry */
    uint8_t entry;         /* size of an entry of the table */
    uint8_t slot_at;       /* position of the slot in an entry; 0: no slot */
    uint8_t count_factor;  /* the stored count of entries is multiplied by this */
    uint8_t constant_type; /* type that exporters store for a constant */
    uint8_t end;           /* alignment of the end */
    uint8_t block_count;
    facet_j3d_block blocks[FACET_J3D_ANIMATION_BLOCKS];
} facet_j3d_animation_format;

/* The format of a kind; NULL if the kind is invalid. */
const facet_j3d_animation_format *facet_j3d_animation_format_of(facet_j3d_animation_kind kind);
/* The format of a file with these first 8 bytes, or NULL. */
const facet_j3d_animation_format *facet_j3d_animation_format_at(const uint8_t *bytes, size_t size);

/* True for blocks of elements. facet_j3d_block_element_size is the size of one. */
bool facet_j3d_block_is_elements(const facet_j3d_block *block);
size_t facet_j3d_animation_element_size(facet_j3d_block_content content);

/* The component whose elements a track of an entry uses. */
static inline uint32_t facet_j3d_component_of(const facet_j3d_animation_format *format,
                                              uint32_t track)
{
    return format->tracks == 9 ? track % 3 : format->tracks == 4 ? track : 0;
}
/* The elements of a component. Those of vertex colors are in the first set. */
static inline const facet_j3d_elements *facet_j3d_elements_of(const facet_j3d_animation *document,
                                                              uint32_t set, uint32_t component)
{
    bool shared = document->kind == FACET_J3D_BXK || document->kind == FACET_J3D_BXA;
    return &document->sets[shared ? 0 : set].elements[component];
}
/* Number of elements of a track; 0 for a default. */
static inline uint32_t facet_j3d_track_size(const facet_j3d_animation_format *format,
                                            const facet_j3d_track *track)
{
    if (!format->has_keys || track->count <= 1)
        return track->count;
    return track->count * (track->type == 0 ? 3u : 4u);
}
/* Number of elements of one key. */
static inline uint32_t facet_j3d_key_size(const facet_j3d_track *track)
{
    return track->type == 0 ? 3 : 4;
}

#endif
