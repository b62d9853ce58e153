/* formats/j3d/file/display_list.h - reader of the GX commands that draw a shape. Only the commands
 * determine the lengths of the vertex arrays. Reading a file checks every index before the document
 * is used. */
#ifndef FACET_J3D_FILE_DISPLAY_LIST_H
#define FACET_J3D_FILE_DISPLAY_LIST_H

#include "base/bytes.h"

#include <facet/j3d.h>

/* Packets can share display lists. All drawn lists together have at most this many times the size
 * of the section. So reading them and converting them to a scene stay linear in the file size.
 * Exporters share no lists. */
#define FACET_J3D_MAX_DRAWN 4

/* -- Vertices ----------------------------------------------------------- */

/* Maximum number of attributes of a vertex: nine matrix indices, position, normal, two colors,
 * eight texcoords. */
#define FACET_J3D_PARTS_MAX 21

/* Array of a matrix index, which refers to no array. */
#define FACET_J3D_NO_ARRAY 0xFFu

/* One attribute inside a vertex of a display list. */
typedef struct facet_j3d_part {
    uint8_t attribute; /* facet_j3d_attribute */
    uint8_t array;     /* FACET_J3D_ARRAY_* or FACET_J3D_NO_ARRAY */
    uint8_t offset;    /* in bytes, from the start of the vertex */
    uint8_t width;     /* bytes of one index: 1 or 2 */
    uint8_t indices;   /* 1, or 3 for normals with three indices */
} facet_j3d_part;

/* The layout of a vertex: its parts in the order of their bytes. */
typedef struct facet_j3d_vertex_layout {
    facet_j3d_part parts[FACET_J3D_PARTS_MAX];
    uint32_t part_count;
    uint32_t size;            /* bytes of one vertex, at least 1 */
    bool is_sorted;           /* the list is in the order of attributes, as required */
    bool has_position_matrix; /* the first byte is 3 * slot */
    uint32_t direct_count;    /* bytes of matrix indices, which come first */
    bool is_plain;            /* all other parts are single 16-bit indices */
} facet_j3d_vertex_layout;

/* Compute the vertex layout of a shape. Shapes of a document that was read always have one. Errors:
 * FACET_ERROR_MALFORMED with J3D-SHP1-DESCRIPTOR. `offset` is the position of the list in the file,
 * for the message. */
facet_status facet_j3d_vertex_layout_make(const facet_j3d *document, const facet_j3d_shape *shape,
                                          uint64_t offset, facet_j3d_vertex_layout *layout,
                                          facet_error *error);

/* Size in bytes of an element of vertex array `array` by its format; 0 for unknown codes
 * (vtx1.c). */
uint32_t facet_j3d_element_size(const facet_j3d_vertex_format *format, uint32_t array);

/* -- Commands ----------------------------------------------------------- */

enum {
    FACET_J3D_DRAW_QUADS = 0x80,
    FACET_J3D_DRAW_QUADS2 = 0x88, /* the same as DRAW_QUADS */
    FACET_J3D_DRAW_TRIANGLES = 0x90,
    FACET_J3D_DRAW_STRIP = 0x98,
    FACET_J3D_DRAW_FAN = 0xA0,
    FACET_J3D_DRAW_LINES = 0xA8,
    FACET_J3D_DRAW_LINE_STRIP = 0xB0,
    FACET_J3D_DRAW_POINTS = 0xB8
};

/* Kind of data at a position of a display list. */
typedef enum facet_j3d_step {
    FACET_J3D_STEP_DRAW,   /* a primitive */
    FACET_J3D_STEP_END,    /* end of the list */
    FACET_J3D_STEP_OPCODE, /* unknown command */
    FACET_J3D_STEP_SHORT   /* vertices exceed the end of the list */
} facet_j3d_step;

typedef struct facet_j3d_primitive {
    uint8_t opcode; /* FACET_J3D_DRAW_*, without the number of the vertex format */
    uint16_t count; /* number of vertices */
    const uint8_t *vertices;
} facet_j3d_primitive;

/* A position in a display list. */
typedef struct facet_j3d_commands {
    const uint8_t *at, *end;
    uint32_t vertex_size;
} facet_j3d_commands;

static inline facet_j3d_commands facet_j3d_commands_of(const facet_j3d_display_list *list,
                                                       const facet_j3d_vertex_layout *layout)
{
    facet_j3d_commands commands = {list->bytes, list->bytes + list->size, layout->size};
    return commands;
}

/* Read the next primitive. After FACET_J3D_STEP_OPCODE and _SHORT, `at` is still at the command. In
 * a document that was read, only padding is there. */
static inline facet_j3d_step facet_j3d_next(facet_j3d_commands *commands,
                                            facet_j3d_primitive *primitive)
{
    const uint8_t *at = commands->at, *end = commands->end;
    while (at < end && *at == 0)
        at++;
    commands->at = at;
    if (at == end)
        return FACET_J3D_STEP_END;
    uint8_t opcode = *at & 0xF8;
    if (opcode < FACET_J3D_DRAW_QUADS || opcode > FACET_J3D_DRAW_POINTS)
        return FACET_J3D_STEP_OPCODE;
    if (end - at < 3)
        return FACET_J3D_STEP_SHORT;
    uint16_t count = facet_load_u16be(at + 1);
    if ((size_t)count * commands->vertex_size > (size_t)(end - at - 3))
        return FACET_J3D_STEP_SHORT;
    primitive->opcode = opcode;
    primitive->count = count;
    primitive->vertices = at + 3;
    commands->at = at + 3 + (size_t)count * commands->vertex_size;
    return FACET_J3D_STEP_DRAW;
}

/* -- Matrix slots ------------------------------------------------------- */

#define FACET_J3D_SLOTS 10

/* Load the draw matrices of packet `packet` into the slots. A slot that it does not load keeps the
 * value of the packet before; start with all FACET_J3D_NONE. In a document that was read, vertices
 * use only loaded slots. */
void facet_j3d_load_slots(const facet_j3d *document, const facet_j3d_shape *shape, uint32_t packet,
                          uint16_t slots[FACET_J3D_SLOTS]);

/* -- Scan --------------------------------------------------------------- */

/* Scan a display list once. Every command must draw and have all of its vertices. Every matrix
 * index must be 3 * slot of a slot whose bit is set in `loaded`. counts[array] becomes at least the
 * highest index + 1 of each array. `offset` is the position of the list in the file, for the
 * message. Errors: FACET_ERROR_MALFORMED with J3D-DL-OPCODE, J3D-DL-VERTICES or J3D-DL-MATRIX. */
facet_status facet_j3d_scan(const facet_j3d_vertex_layout *layout,
                            const facet_j3d_display_list *list, uint32_t loaded, uint64_t offset,
                            uint32_t counts[FACET_J3D_ARRAY_COUNT], facet_error *error);
/* Scan all display lists. used[array] becomes the highest index + 1, *packets the number of
 * packets. Errors: those of facet_j3d_scan and facet_j3d_vertex_layout_make. */
facet_status facet_j3d_count_drawn(const facet_j3d *document, uint32_t used[FACET_J3D_ARRAY_COUNT],
                                   uint32_t *packets, facet_error *error);

#endif
