/* formats/j3d/animation/kinds.h - the twelve kinds as tables: fields and blocks of their
 * sections, in the order in which exporters write them. */
#ifndef FACET_J3D_ANIMATION_KINDS_H
#define FACET_J3D_ANIMATION_KINDS_H

#include <facet/j3d_animation.h>

/* Sizes of a file's header, and of a section's head that all kinds share. */
#define FACET_J3D_ANIMATION_HEADER 0x20
#define FACET_J3D_ANIMATION_HEAD 0x0C

/* What a block of a section holds. */
typedef enum facet_j3d_block_content {
    FACET_J3D_BLOCK_TRACKS, /* with what an entry has besides its tracks */
    FACET_J3D_BLOCK_REALS,  /* elements: f32 */
    FACET_J3D_BLOCK_S16,    /* elements */
    FACET_J3D_BLOCK_U16,    /* elements */
    FACET_J3D_BLOCK_U8,     /* elements */
    FACET_J3D_BLOCK_REMAP,
    FACET_J3D_BLOCK_NAMES,
    FACET_J3D_BLOCK_SLOTS,
    FACET_J3D_BLOCK_CENTERS,
    FACET_J3D_BLOCK_RUNS,   /* which vertex colors an entry sets */
    FACET_J3D_BLOCK_INDICES /* of vertex colors */
} facet_j3d_block_content;

/* All places count from the section's beginning. */
typedef struct facet_j3d_block {
    uint8_t content; /* facet_j3d_block_content */
    uint8_t set, component;
    uint8_t offset_at; /* the field of its offset, 32 bits */
    uint8_t count_at;  /* the field of its count, 16 bits; 0: there is none */
    uint8_t alignment; /* before it */
} facet_j3d_block;

typedef struct facet_j3d_animation_format {
    facet_j3d_animation_kind kind;
    char name[4];    /* "bck", also the extension */
    char section[5]; /* "ANK1" */
    bool has_keys;   /* tracks of 6 bytes, else of 4 */
    bool is_signed;  /* the signature begins with "SVR1" */
    uint8_t header;  /* bytes of the section before its first block */
    uint8_t frames_at;
    uint8_t sets;
    uint8_t tracks;        /* of an entry */
    uint8_t entry;         /* bytes of an entry of the table */
    uint8_t slot_at;       /* of a slot inside the entry; 0: none */
    uint8_t count_factor;  /* the count of entries is stored times this */
    uint8_t constant_type; /* what exporters write as the type of a constant */
    uint8_t end;           /* alignment of the end */
    uint8_t block_count;
    facet_j3d_block blocks[FACET_J3D_ANIMATION_BLOCKS];
} facet_j3d_animation_format;

/* The format of a kind; NULL for what is no kind. */
const facet_j3d_animation_format *facet_j3d_animation_format_of(facet_j3d_animation_kind kind);
/* That of a file by the 8 bytes at its beginning, or NULL. */
const facet_j3d_animation_format *facet_j3d_animation_format_at(const uint8_t *bytes, size_t size);

/* True for elements; and then bytes of one. */
bool facet_j3d_block_is_elements(const facet_j3d_block *block);
size_t facet_j3d_animation_element_size(facet_j3d_block_content content);

/* The component whose elements a track of an entry points into. */
static inline uint32_t facet_j3d_component_of(const facet_j3d_animation_format *format,
                                              uint32_t track)
{
    return format->tracks == 9 ? track % 3 : format->tracks == 4 ? track : 0;
}
/* The elements of a component; those of vertex colors stand in the first set. */
static inline const facet_j3d_elements *facet_j3d_elements_of(const facet_j3d_animation *document,
                                                              uint32_t set, uint32_t component)
{
    bool shared = document->kind == FACET_J3D_BXK || document->kind == FACET_J3D_BXA;
    return &document->sets[shared ? 0 : set].elements[component];
}
/* Elements that a track takes up; 0 for a default. */
static inline uint32_t facet_j3d_track_size(const facet_j3d_animation_format *format,
                                            const facet_j3d_track *track)
{
    if (!format->has_keys || track->count <= 1)
        return track->count;
    return track->count * (track->type == 0 ? 3u : 4u);
}
/* Elements of one key. */
static inline uint32_t facet_j3d_key_size(const facet_j3d_track *track)
{
    return track->type == 0 ? 3 : 4;
}

#endif
