/* formats/j3d/check/check.h - what the files of `check` share: a file that is looked at
 * section by section, each as far as it makes sense. */
#ifndef FACET_J3D_CHECK_CHECK_H
#define FACET_J3D_CHECK_CHECK_H

#include "base/report.h"
#include "formats/j3d/file/reader.h"

/* A run of bytes of a section that something is known to lie in. */
typedef struct facet_j3d_extent {
    size_t begin, end;
} facet_j3d_extent;

typedef struct facet_j3d_extents {
    facet_j3d_extent *items;
    size_t count, space;
} facet_j3d_extents;

typedef struct facet_j3d_checker {
    const facet_source *source;
    const uint8_t *data; /* of the source */
    size_t size;
    facet_report *report;
    facet_arena *arena;
    facet_j3d_section sections[FACET_J3D_SECTION_COUNT];
    bool is_mat2;
    bool draws_all; /* the game's loader keeps all entries of DRW1 */

    /* What other sections may count on, 0 where a section is broken. */
    uint32_t joint_count, envelope_count, draw_count, shape_count, slot_count, texture_count;
    uint64_t packet_total;                    /* packets of all shapes */
    facet_j3d *scratch;                       /* vertices, as read; nothing else */
    bool has_vertices;                        /* scratch->vertices can be relied on */
    uint32_t used[FACET_J3D_ARRAY_COUNT];     /* highest index in display lists + 1 */
    uint32_t capacity[FACET_J3D_ARRAY_COUNT]; /* elements that fit */

    facet_j3d_extents extents[FACET_J3D_SECTION_COUNT];
    bool has_no_memory;
} facet_j3d_checker;

/* -- Saying ------------------------------------------------------------- */

/* Add a finding at `at` of a section. */
void facet_j3d_say(facet_j3d_checker *c, facet_severity severity, facet_j3d_section_kind kind,
                   uint64_t at, const char *rule, const char *format, ...) FACET_PRINTF(6, 7);
/* Add the finding of a tally whose indices are places of the section. */
void facet_j3d_say_tally(facet_j3d_checker *c, facet_severity severity, facet_j3d_section_kind kind,
                         const facet_tally *tally, const char *rule, const char *format, ...)
    FACET_PRINTF(6, 7);

/* -- Looking ------------------------------------------------------------ */

/* True when the section is there and has its head; says it when the head is cut
 * off. The head is noted as used. */
bool facet_j3d_has_head(facet_j3d_checker *c, facet_j3d_section_kind kind, size_t size,
                        const char *rule);
/* `count` records of `size` bytes whose offset stands at `field`: NULL when there
 * are none, and when they are not inside the section, which is said. */
const uint8_t *facet_j3d_look_up(facet_j3d_checker *c, facet_j3d_section_kind kind, uint32_t field,
                                 uint64_t count, uint32_t size, const char *rule, const char *what);
/* These bytes of a section are no padding. */
void facet_j3d_note_used(facet_j3d_checker *c, facet_j3d_section_kind kind, uint64_t begin,
                         uint64_t size);
/* Place of a pointer in its section. */
static inline uint64_t facet_j3d_offset_of(const facet_j3d_checker *c, facet_j3d_section_kind kind,
                                           const uint8_t *at)
{
    return (uint64_t)(at - c->sections[kind].bytes);
}

/* Count floats that are infinite or not a number, by place; and tell of them. */
void facet_j3d_look_at_floats(facet_j3d_checker *c, facet_j3d_section_kind kind, const uint8_t *at,
                              size_t count, facet_tally *tally);
void facet_j3d_say_floats(facet_j3d_checker *c, facet_j3d_section_kind kind,
                          const facet_tally *tally, const char *what);
/* A remap table of `count` slots: values below `limit`; with `identity`, each
 * its own slot. */
void facet_j3d_look_at_remap(facet_j3d_checker *c, facet_j3d_section_kind kind, uint32_t field,
                             uint32_t count, uint32_t limit, bool identity, const char *rule);
/* The names of `count` things; none at all are fine. */
void facet_j3d_look_at_names(facet_j3d_checker *c, facet_j3d_section_kind kind, uint32_t field,
                             uint32_t count);
/* What is between the used bytes of a section must be padding. */
void facet_j3d_look_at_padding(facet_j3d_checker *c);

/* -- Sections ----------------------------------------------------------- */

/* In the order in which they depend on each other. */
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
/* Compare the packets of a document with those that its materials make. */
void facet_j3d_check_baked(facet_j3d_checker *c, const facet_j3d *document);

#endif
