/* formats/j3d/animation/kinds.c - fields and blocks of the twelve kinds of sections. */
#include "formats/j3d/animation/kinds.h"

#include <string.h>

#define TRACKS FACET_J3D_BLOCK_TRACKS
#define REALS FACET_J3D_BLOCK_REALS
#define S16 FACET_J3D_BLOCK_S16
#define U16 FACET_J3D_BLOCK_U16
#define U8 FACET_J3D_BLOCK_U8
#define REMAP FACET_J3D_BLOCK_REMAP
#define NAMES FACET_J3D_BLOCK_NAMES
#define SLOTS FACET_J3D_BLOCK_SLOTS
#define CENTERS FACET_J3D_BLOCK_CENTERS
#define RUNS FACET_J3D_BLOCK_RUNS
#define INDICES FACET_J3D_BLOCK_INDICES

/* Blocks: content, set, component, field of the offset, field of the count, alignment. */
static const facet_j3d_animation_format formats[] = {
    {FACET_J3D_BCK, "bck", "ANK1", .has_keys = true, .header = 0x24, .frames_at = 0x0A, .sets = 1,
     .tracks = 9, .entry = 54, .count_factor = 1, .end = 0x20, .block_count = 4,
     .blocks = {{TRACKS, 0, 0, 0x14, 0x0C, 0x20},
                {REALS, 0, 0, 0x18, 0x0E, 0x20},
                {S16, 0, 1, 0x1C, 0x10, 0x20},
                {REALS, 0, 2, 0x20, 0x12, 0x20}}},
    {FACET_J3D_BCA, "bca", "ANF1", .header = 0x24, .frames_at = 0x0A, .sets = 1, .tracks = 9,
     .entry = 36, .count_factor = 1, .end = 0x20, .block_count = 4,
     .blocks = {{TRACKS, 0, 0, 0x14, 0x0C, 0x20},
                {REALS, 0, 0, 0x18, 0x0E, 0x20},
                {S16, 0, 1, 0x1C, 0x10, 0x20},
                {REALS, 0, 2, 0x20, 0x12, 0x20}}},
    {FACET_J3D_BTK, "btk", "TTK1", .has_keys = true, .is_signed = true, .header = 0x60,
     .frames_at = 0x0A, .sets = 2, .tracks = 9, .entry = 54, .count_factor = 3, .constant_type = 1,
     .end = 0x20, .block_count = 16,
     .blocks = {{TRACKS, 0, 0, 0x14, 0x0C, 4},
                {REMAP, 0, 0, 0x18, 0, 4},
                {NAMES, 0, 0, 0x1C, 0, 4},
                {SLOTS, 0, 0, 0x20, 0, 4},
                {CENTERS, 0, 0, 0x24, 0, 4},
                {REALS, 0, 0, 0x28, 0x0E, 4},
                {S16, 0, 1, 0x2C, 0x10, 4},
                {REALS, 0, 2, 0x30, 0x12, 4},
                {TRACKS, 1, 0, 0x3C, 0x34, 4},
                {REMAP, 1, 0, 0x40, 0, 4},
                {NAMES, 1, 0, 0x44, 0, 4},
                {SLOTS, 1, 0, 0x48, 0, 4},
                {CENTERS, 1, 0, 0x4C, 0, 4},
                {REALS, 1, 0, 0x50, 0x36, 4},
                {S16, 1, 1, 0x54, 0x38, 4},
                {REALS, 1, 2, 0x58, 0x3A, 4}}},
    {FACET_J3D_BRK, "brk", "TRK1", .has_keys = true, .is_signed = true, .header = 0x58,
     .frames_at = 0x0A, .sets = 2, .tracks = 4, .entry = 0x1C, .slot_at = 0x18, .count_factor = 1,
     .constant_type = 1, .end = 0x20, .block_count = 14,
     .blocks = {{TRACKS, 0, 0, 0x20, 0x0C, 0x20},
                {TRACKS, 1, 0, 0x24, 0x0E, 4},
                {S16, 0, 0, 0x38, 0x10, 4},
                {S16, 0, 1, 0x3C, 0x12, 4},
                {S16, 0, 2, 0x40, 0x14, 4},
                {S16, 0, 3, 0x44, 0x16, 4},
                {S16, 1, 0, 0x48, 0x18, 4},
                {S16, 1, 1, 0x4C, 0x1A, 4},
                {S16, 1, 2, 0x50, 0x1C, 4},
                {S16, 1, 3, 0x54, 0x1E, 4},
                {REMAP, 0, 0, 0x28, 0, 4},
                {REMAP, 1, 0, 0x2C, 0, 4},
                {NAMES, 0, 0, 0x30, 0, 4},
                {NAMES, 1, 0, 0x34, 0, 4}}},
    {FACET_J3D_BPK, "bpk", "PAK1", .has_keys = true, .is_signed = true, .header = 0x34,
     .frames_at = 0x0C, .sets = 1, .tracks = 4, .entry = 0x18, .count_factor = 1,
     .constant_type = 1, .end = 0x20, .block_count = 7,
     .blocks = {{TRACKS, 0, 0, 0x18, 0x0E, 0x20},
                {S16, 0, 0, 0x24, 0x10, 4},
                {S16, 0, 1, 0x28, 0x12, 4},
                {S16, 0, 2, 0x2C, 0x14, 4},
                {S16, 0, 3, 0x30, 0x16, 4},
                {REMAP, 0, 0, 0x1C, 0, 4},
                {NAMES, 0, 0, 0x20, 0, 4}}},
    {FACET_J3D_BPA, "bpa", "PAF1", .header = 0x34, .frames_at = 0x0C, .sets = 1, .tracks = 4,
     .entry = 0x10, .count_factor = 1, .end = 0x20, .block_count = 7,
     .blocks = {{TRACKS, 0, 0, 0x18, 0x0E, 0x20},
                {U8, 0, 0, 0x24, 0, 4},
                {U8, 0, 1, 0x28, 0, 4},
                {U8, 0, 2, 0x2C, 0, 4},
                {U8, 0, 3, 0x30, 0, 4},
                {REMAP, 0, 0, 0x1C, 0, 4},
                {NAMES, 0, 0, 0x20, 0, 4}}},
    {FACET_J3D_BTP, "btp", "TPT1", .header = 0x20, .frames_at = 0x0A, .sets = 1, .tracks = 1,
     .entry = 8, .slot_at = 4, .count_factor = 1, .end = 0x20, .block_count = 4,
     .blocks = {{TRACKS, 0, 0, 0x10, 0x0C, 4},
                {U16, 0, 0, 0x14, 0x0E, 2},
                {REMAP, 0, 0, 0x18, 0, 4},
                {NAMES, 0, 0, 0x1C, 0, 4}}},
    {FACET_J3D_BVA, "bva", "VAF1", .header = 0x18, .frames_at = 0x0A, .sets = 1, .tracks = 1,
     .entry = 4, .count_factor = 1, .end = 0x20, .block_count = 2,
     .blocks = {{TRACKS, 0, 0, 0x10, 0x0C, 0x20}, {U8, 0, 0, 0x14, 0x0E, 1}}},
    {FACET_J3D_BLK, "blk", "CLK1", .has_keys = true, .header = 0x18, .frames_at = 0x0A, .sets = 1,
     .tracks = 1, .entry = 6, .count_factor = 1, .end = 0x20, .block_count = 2,
     .blocks = {{TRACKS, 0, 0, 0x10, 0, 0x20}, {REALS, 0, 0, 0x14, 0x0E, 0x20}}},
    {FACET_J3D_BLA, "bla", "CLF1", .header = 0x18, .frames_at = 0x0A, .sets = 1, .tracks = 1,
     .entry = 4, .count_factor = 1, .end = 0x20, .block_count = 2,
     .blocks = {{TRACKS, 0, 0, 0x10, 0, 0x20}, {REALS, 0, 0, 0x14, 0x0E, 0x20}}},
    {FACET_J3D_BXK, "bxk", "VCK1", .has_keys = true, .header = 0x40, .frames_at = 0x0A, .sets = 2,
     .tracks = 4, .entry = 0x18, .count_factor = 1, .constant_type = 1, .end = 0x20,
     .block_count = 10,
     .blocks = {{TRACKS, 0, 0, 0x18, 0x0C, 4},
                {TRACKS, 1, 0, 0x1C, 0x0E, 4},
                {RUNS, 0, 0, 0x20, 0, 4},
                {RUNS, 1, 0, 0x24, 0, 4},
                {INDICES, 0, 0, 0x28, 0, 4},
                {INDICES, 1, 0, 0x2C, 0, 4},
                {S16, 0, 0, 0x30, 0, 4},
                {S16, 0, 1, 0x34, 0, 4},
                {S16, 0, 2, 0x38, 0, 4},
                {S16, 0, 3, 0x3C, 0, 4}}},
    {FACET_J3D_BXA, "bxa", "VCF1", .header = 0x40, .frames_at = 0x0A, .sets = 2, .tracks = 4,
     .entry = 0x10, .count_factor = 1, .end = 0x20, .block_count = 10,
     .blocks = {{TRACKS, 0, 0, 0x18, 0x0C, 4},
                {TRACKS, 1, 0, 0x1C, 0x0E, 4},
                {RUNS, 0, 0, 0x20, 0, 4},
                {RUNS, 1, 0, 0x24, 0, 4},
                {INDICES, 0, 0, 0x28, 0, 4},
                {INDICES, 1, 0, 0x2C, 0, 4},
                {U8, 0, 0, 0x30, 0, 4},
                {U8, 0, 1, 0x34, 0, 4},
                {U8, 0, 2, 0x38, 0, 4},
                {U8, 0, 3, 0x3C, 0, 4}}},
};

const facet_j3d_animation_format *facet_j3d_animation_format_of(facet_j3d_animation_kind kind)
{
    bool known = kind >= FACET_J3D_BCK && kind <= FACET_J3D_BXA;
    return known ? &formats[kind - FACET_J3D_BCK] : NULL;
}

const facet_j3d_animation_format *facet_j3d_animation_format_at(const uint8_t *bytes, size_t size)
{
    if (size < 8 || memcmp(bytes, "J3D1", 4) != 0 || bytes[7] != '1')
        return NULL;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (memcmp(bytes + 4, formats[i].name, 3) == 0)
            return &formats[i];
    }
    return NULL;
}

const char *facet_j3d_animation_kind_name(facet_j3d_animation_kind kind)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(kind);
    return format ? format->name : NULL;
}

bool facet_j3d_animation_has_keys(facet_j3d_animation_kind kind)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(kind);
    return format && format->has_keys;
}

bool facet_j3d_block_is_elements(const facet_j3d_block *block)
{
    return block->content >= FACET_J3D_BLOCK_REALS && block->content <= FACET_J3D_BLOCK_U8;
}

size_t facet_j3d_animation_element_size(facet_j3d_block_content content)
{
    switch (content) {
    case FACET_J3D_BLOCK_REALS:
        return 4;
    case FACET_J3D_BLOCK_U8:
        return 1;
    default:
        return 2;
    }
}
