/* formats/j3d/check/check.h - shared state and functions of the checks. Sections are checked one by
 * one, as far as their data permits. */
#ifndef FACET_J3D_CHECK_CHECK_H
#define FACET_J3D_CHECK_CHECK_H

#include "base/report.h"
#include "formats/j3d/file/reader.h"

/* The console loads images, palettes and commands from multiples of this number of bytes. */
#define FACET_J3D_ALIGNMENT 32

/* A range of a section with known content. */
typedef struct facet_j3d_extent {
    size_t begin, end;
} facet_j3d_extent;

typedef struct facet_j3d_extents {
    facet_j3d_extent *items;
    size_t count, space;
} facet_j3d_extents;

typedef struct facet_j3d_checker {
    const facet_source *source;
    const uint8_t *data; /* bytes of the source */
    size_t size;
    facet_report *report;
    facet_arena *arena;
    facet_j3d_section sections[FACET_J3D_SECTION_COUNT];
    bool is_mat2;
    bool draws_all; /* the game's loader keeps all entries of DRW1 */

    /* Counts that other sections use; 0 if a section is invalid. */
    uint32_t joint_count, envelope_count, draw_count, shape_count, slot_count, texture_count;
    uint64_t packet_total;                    /* number of packets of all shapes */
    facet_j3d *scratch;                       /* has only the vertices, as read */
    bool has_vertices;                        /* scratch->vertices is valid */
    uint32_t used[FACET_J3D_ARRAY_COUNT];     /* highest index in display lists, + 1 */
    uint32_t capacity[FACET_J3D_ARRAY_COUNT]; /* number of elements that fit */

    facet_j3d_extents extents[FACET_J3D_SECTION_COUNT];
    bool has_no_memory;
} facet_j3d_checker;

/* -- Findings ----------------------------------------------------------- */

/* Add a finding at `at` of a section. */
void facet_j3d_say(facet_j3d_checker *c, facet_severity severity, facet_j3d_section_kind kind,
                   uint64_t at, const char *rule, const char *format, ...) FACET_PRINTF(6, 7);
/* Add the finding of a tally whose indices are offsets in the section. */
void facet_j3d_say_tally(facet_j3d_checker *c, facet_severity severity, facet_j3d_section_kind kind,
                         const facet_tally *tally, const char *rule, const char *format, ...)
    FACET_PRINTF(6, 7);

/* -- Access to sections ------------------------------------------------- */

/* True if the section and its whole header exist. Report a truncated header, and note it as
 * used. */
bool facet_j3d_has_head(facet_j3d_checker *c, facet_j3d_section_kind kind, size_t size,
                        const char *rule);
/* The `count` records of `size` bytes whose offset is at `field`. NULL if count is 0, or if they
 * are outside of the section, which is reported. */
const uint8_t *facet_j3d_check_records(facet_j3d_checker *c, facet_j3d_section_kind kind,
                                       uint32_t field, uint64_t count, uint32_t size,
                                       const char *rule, const char *what);
/* Note bytes of a section that are not padding. */
void facet_j3d_note_used(facet_j3d_checker *c, facet_j3d_section_kind kind, uint64_t begin,
                         uint64_t size);
/* Offset of a pointer in its section. */
static inline uint64_t facet_j3d_offset_of(const facet_j3d_checker *c, facet_j3d_section_kind kind,
                                           const uint8_t *at)
{
    return (uint64_t)(at - c->sections[kind].bytes);
}

/* Count infinite and NaN floats in `tally`, and report them. */
void facet_j3d_look_at_floats(facet_j3d_checker *c, facet_j3d_section_kind kind, const uint8_t *at,
                              size_t count, facet_tally *tally);
void facet_j3d_say_floats(facet_j3d_checker *c, facet_j3d_section_kind kind,
                          const facet_tally *tally, const char *what);
/* Check a remap table of `count` slots. Values must be below `limit`, and with `identity` each must
 * equal its slot. */
void facet_j3d_look_at_remap(facet_j3d_checker *c, facet_j3d_section_kind kind, uint32_t field,
                             uint32_t count, uint32_t limit, bool identity, const char *rule);
/* Check a name table of `count` names. It can be missing. */
void facet_j3d_look_at_names(facet_j3d_checker *c, facet_j3d_section_kind kind, uint32_t field,
                             uint32_t count);
/* Count data at `at` of a section whose address in the file is not a multiple of 32. */
void facet_j3d_look_at_alignment(facet_j3d_checker *c, facet_j3d_section_kind kind, uint64_t at,
                                 facet_tally *tally);
/* Report misaligned data. */
void facet_j3d_say_alignment(facet_j3d_checker *c, facet_severity severity,
                             facet_j3d_section_kind kind, const facet_tally *tally,
                             const char *what);
/* Check that the unused bytes of a section are padding. */
void facet_j3d_look_at_padding(facet_j3d_checker *c);

/* -- Sections ----------------------------------------------------------- */

/* Check one section. The order of calls follows their dependencies. */
void facet_j3d_check_jnt1(facet_j3d_checker *c);
void facet_j3d_check_evp1(facet_j3d_checker *c);
void facet_j3d_check_drw1(facet_j3d_checker *c);
void facet_j3d_check_vtx1(facet_j3d_checker *c);
void facet_j3d_check_shp1(facet_j3d_checker *c);
void facet_j3d_check_arrays(facet_j3d_checker *c);
void facet_j3d_check_tex1(facet_j3d_checker *c);
void facet_j3d_check_mat3(facet_j3d_checker *c);
void facet_j3d_check_inf1(facet_j3d_checker *c);
void facet_j3d_check_mdl3(facet_j3d_checker *c);
/* Compare the packets of a document with those baked from its materials. */
void facet_j3d_check_baked(facet_j3d_checker *c, const facet_j3d *document);

#endif
