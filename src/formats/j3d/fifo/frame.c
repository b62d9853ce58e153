/* formats/j3d/fifo/frame.c - a whole frame: memory, state, drawn shapes, and the copy to the
 * screen. */
#include "formats/j3d/fifo/frame.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/gpu/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The chip samples a pixel at 7/12 of its width, Facet in its middle. The image moves by the
 * difference, so that both are equal. */
#define SHIFT (1.0 / 12)

/* A small file can draw a lot, so this limits the commands. Models of games need less than 4
 * MiB. */
#define MAX_COMMANDS ((size_t)64 << 20)

/* Sort key of translucent shapes: the farther joint is first, then the order of the file. */
typedef struct drawn {
    uint32_t shape;
    double depth; /* larger is nearer */
    bool is_late;
    uint32_t order;
} drawn;

typedef struct framing {
    facet_j3d_posed posed;
    facet_j3d_skeleton skeleton;
    facet_j3d_view view;
    facet_j3d_addresses addresses;
    facet_j3d_log log;
    facet_arena *arena;
    facet_error *error;
} framing;

/* -- Memory ------------------------------------------------------------- */

static facet_status place_texels(framing *f)
{
    const facet_j3d_textures *textures = &f->posed.document.textures;
    uint32_t *places = facet_arena_allocate(f->arena, textures->texels_count, sizeof *places);
    f->addresses.images = facet_arena_allocate_zeroed(f->arena, textures->count, sizeof *places);
    f->addresses.palettes = facet_arena_allocate_zeroed(f->arena, textures->count, sizeof *places);
    if (!places || !f->addresses.images || !f->addresses.palettes)
        return facet_fail_arena(f->arena, f->error);
    for (uint32_t i = 0; i < textures->texels_count; i++)
        TRY(facet_j3d_log_add_memory(&f->log, textures->texels[i].bytes, textures->texels[i].size,
                                     &places[i], f->error));
    for (uint32_t i = 0; i < textures->count; i++) {
        const facet_j3d_texture *texture = &textures->items[i];
        if (texture->image < textures->texels_count)
            f->addresses.images[i] = places[texture->image];
        if (texture->palette < textures->texels_count)
            f->addresses.palettes[i] = places[texture->palette];
    }
    return FACET_OK;
}

static facet_status place_all(framing *f)
{
    const facet_j3d_array *arrays = f->posed.document.vertices.arrays;
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        size_t size = arrays[i].bytes ? (size_t)arrays[i].count * arrays[i].stride : 0;
        TRY(facet_j3d_log_add_memory(&f->log, arrays[i].bytes, size, &f->addresses.arrays[i],
                                     f->error));
    }
    return place_texels(f);
}

/* -- State -------------------------------------------------------------- */

/* Write a copy of the frame, whose origin is at 342. */
static void put_copy(facet_j3d_stream *s, const facet_j3d_view *view, uint32_t address,
                     uint32_t stride)
{
    facet_j3d_stream_bp(s, 0x49, 0);
    facet_j3d_stream_bp(s, 0x4A, (view->height - 1) << 10 | (view->width - 1));
    facet_j3d_stream_bp(s, 0x4B, address >> 5);
    facet_j3d_stream_bp(s, 0x4D, stride >> 5);
    facet_j3d_stream_bp(s, 0x4E, 256); /* no vertical scale */
    facet_j3d_stream_bp(s, 0x53, 0x595000);
    facet_j3d_stream_bp(s, 0x54, 0x000015); /* no filter over lines */
}

static void put_clear(facet_j3d_stream *s, const uint8_t color[3])
{
    facet_j3d_stream_bp(s, 0x4F, 0xFF00u | color[0]);
    facet_j3d_stream_bp(s, 0x50, (uint32_t)color[1] << 8 | color[2]);
    facet_j3d_stream_bp(s, 0x51, 0xFFFFFF); /* depth */
}

/* Write the state that a game sets before drawing, and that packets do not set. */
static void put_state(facet_j3d_stream *s, const facet_j3d_view *view)
{
    static const uint32_t registers[][2] = {
        {0x59, 342 >> 1 << 10 | 342 >> 1}, /* origin of the frame */
        {0x22, 0x000606},                  /* width of lines and points */
        {0x43, 0},                         /* RGB8, 24 bits of depth */
        {0x42, 0},                         /* no constant alpha */
        {0x44, 3},                         /* both fields */
        {0x68, 0},
        {0xF4, 0},
        {0xF5, 0},
        {0xE8, 342},
        {0xEE, 0},
        {0xEF, 0},
        {0xF0, 0},
        {0xF1, 0},
        {0xF2, 0},
        {0x40, 0x17},
        {0x41, 0x18},
        {0xF3, 0x3F0000},
        {0x0F, 0},
        {0x66, 0}, /* empty the texture cache */
        {0xE0, 0x0FF0FF},
        {0xE1, 0x0FF0FF}, /* TEV register 0 is white */
    };
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    double half_width = view->width / 2.0, half_height = view->height / 2.0;
    const float viewport[6] = {(float)half_width,
                               (float)-half_height,
                               16777215.0f,
                               (float)(342 + half_width + SHIFT),
                               (float)(342 + half_height + SHIFT),
                               16777215.0f};
    uint32_t projection[7];
    facet_j3d_stream_bp(s, 0xFE, 0xFFFFFF);
    facet_j3d_stream_bp(s, 0x20, 342 << 12 | 342);
    facet_j3d_stream_bp(s, 0x21, (342 + view->width - 1) << 12 | (342 + view->height - 1));
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        facet_j3d_stream_bp(s, registers[i][0], registers[i][1]);
    for (uint32_t i = 0; i < 16; i++) /* no indirect textures */
        facet_j3d_stream_bp(s, 0x10 + i, 0);
    for (uint32_t i = 0; i < 8; i++) { /* separate halves of the texture cache */
        uint32_t at = (i & 3) + (i > 3 ? 0x20 : 0);
        facet_j3d_stream_bp(s, 0x8C + at, i * 0x800 | 3 << 15 | 3 << 18);
        facet_j3d_stream_bp(s, 0x90 + at, (0x4000 + i * 0x800) | 3 << 15 | 3 << 18);
    }
    facet_j3d_stream_xf_word(s, 0x1000, 0x3F);
    facet_j3d_stream_xf_word(s, 0x1005, 0); /* clipping is on */
    facet_j3d_stream_xf_word(s, 0x1012, 1); /* post matrices are on */
    for (uint32_t i = 0; i < 8; i++)
        facet_j3d_stream_xf_word(s, 0x1050 + i, 61);
    facet_j3d_stream_xf_floats(s, 4 * 60, identity, 12);
    facet_j3d_stream_xf_floats(s, 0x500 + 4 * 61, identity, 12);
    facet_j3d_stream_xf_floats(s, 0x101A, viewport, 6);
    for (int i = 0; i < 6; i++)
        projection[i] = facet_bits_of_float(view->projection[i]);
    projection[6] = view->is_orthographic;
    facet_j3d_stream_xf(s, 0x1020, projection, 7);
}

/* Clear the frame with a copy to scratch memory, so that earlier content does not matter. */
static void put_cleared_frame(facet_j3d_stream *s, const facet_j3d_view *view,
                              const uint8_t color[3])
{
    enum { COPY_RGBA8 = 6 << 3, CLEAR = 0x800 };
    put_copy(s, view, FACET_J3D_LOG_SCRATCH, (view->width + 3) / 4 * 64);
    put_clear(s, color);
    facet_j3d_stream_bp(s, 0x52, COPY_RGBA8 | CLEAR | 3);
}

static void put_screen(facet_j3d_stream *s, const facet_j3d_view *view, const uint8_t color[3])
{
    enum { TO_SCREEN = 0x4000, CLEAR = 0x800 };
    put_copy(s, view, FACET_J3D_LOG_SCREEN, view->width * 2);
    put_clear(s, color);
    facet_j3d_stream_bp(s, 0x52, TO_SCREEN | CLEAR | 3);
}

/* -- Shapes ------------------------------------------------------------- */

static const double *place_of(const framing *f, const facet_j3d_shape *shape)
{
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const facet_j3d *document = &f->posed.document;
    bool is_skinned = facet_j3d_shape_is_skinned(document, shape);
    return shape->joint < document->joints.count && !is_skinned ? f->skeleton.globals[shape->joint]
                                                                : identity;
}

static int compare_drawn(const void *left, const void *right)
{
    const drawn *a = left, *b = right;
    if (a->is_late != b->is_late)
        return a->is_late ? 1 : -1;
    if (a->is_late && a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* List the drawn shapes in order: opaque ones as in the hierarchy, then translucent ones. */
static drawn *find_drawn(const framing *f, uint32_t *count)
{
    const facet_j3d *document = &f->posed.document;
    drawn *list = facet_arena_allocate(f->arena, document->shapes.count, sizeof *list);
    bool *is_seen = facet_arena_allocate_zeroed(f->arena, document->shapes.count, 1);
    *count = 0;
    if (!list || !is_seen)
        return NULL;
    for (uint32_t i = 0; i < document->hierarchy.node_count; i++) {
        const facet_j3d_node *node = &document->hierarchy.nodes[i];
        if (node->type != FACET_J3D_NODE_SHAPE || node->index >= document->shapes.count ||
            is_seen[node->index] || f->posed.is_hidden[node->index])
            continue;
        const facet_j3d_shape *shape = &document->shapes.items[node->index];
        if (shape->material >= document->materials.slot_count)
            continue; /* a game would crash here */
        const double *world = place_of(f, shape), *m = f->view.matrix;
        double depth = m[8] * world[3] + m[9] * world[7] + m[10] * world[11];
        is_seen[node->index] = true;
        list[*count] = (drawn){.shape = node->index,
                               .is_late = (f->posed.materials[shape->material].mode & 4) != 0,
                               .depth = isfinite(depth) ? depth : 0,
                               .order = *count};
        ++*count;
    }
    qsort(list, *count, sizeof *list, compare_drawn);
    return list;
}

static facet_status put_shapes(framing *f)
{
    uint32_t count;
    facet_j3d_stream *s = &f->log.commands;
    bool has_ramps = facet_j3d_has_ramps(&f->posed);
    const drawn *list = find_drawn(f, &count);
    if (!list)
        return facet_fail_arena(f->arena, f->error);
    for (uint32_t i = 0; i < count; i++) {
        const facet_j3d_shape *shape = &f->posed.document.shapes.items[list[i].shape];
        facet_j3d_put_material(s, &f->posed, shape->material, &f->addresses, &f->view,
                               place_of(f, shape), has_ramps);
        facet_j3d_put_shape(s, &f->posed.document, &f->skeleton, shape, &f->addresses, &f->view);
        if (s->size > MAX_COMMANDS)
            return facet_fail(f->error, FACET_ERROR_LIMIT, "J3D-FIFO-MEMORY", FACET_NO_OFFSET,
                              "the model needs more than the 64 MiB of commands that a log holds");
    }
    return FACET_OK;
}

/* -- The log ------------------------------------------------------------ */

/* Report that fog is off, because it depends on a game's camera. */
static void report_fog(const framing *f, facet_report *report)
{
    facet_tally fogs = {0};
    for (uint32_t i = 0; i < f->posed.document.materials.slot_count; i++) {
        if (f->posed.materials[i].gx.fog.type != 0)
            facet_tally_hit(&fogs, i);
    }
    facet_report_add_tally(report, "J3D-FIFO-FOG", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &fogs,
                           "the fog of material %" PRIu64 " is off in the log", fogs.first);
}

static facet_status write_frame(framing *f, const facet_j3d *document, const facet_options *options,
                                facet_output *output)
{
    static const uint8_t black[3];
    const facet_j3d_options *j3d = options ? options->j3d : NULL;
    const uint8_t *background = j3d ? j3d->background : black;
    facet_j3d_stream *s = &f->log.commands;
    TRY(facet_j3d_pose(document, options, f->arena, &f->posed, f->error));
    report_fog(f, options ? options->report : NULL);
    TRY(facet_j3d_skeleton_create(&f->posed.document, f->arena, &f->skeleton, f->error));
    TRY(facet_j3d_view_make(&f->posed, &f->skeleton, j3d, f->arena, &f->view, f->error));
    TRY(place_all(f));
    put_state(s, &f->view);
    put_cleared_frame(s, &f->view, background);
    TRY(put_shapes(f));
    put_screen(s, &f->view, background);
    return facet_j3d_log_write(&f->log, output, f->error);
}

facet_status facet_j3d_write_log(const facet_j3d *document, const facet_options *options,
                                 facet_output *output, facet_error *error)
{
    const facet_j3d_options *j3d = options ? options->j3d : NULL;
    uint32_t width = j3d ? j3d->width : 0, height = j3d ? j3d->height : 0;
    framing f = {.error = error};
    if (document->kind == FACET_J3D_BMT3)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "J3D-KIND", FACET_NO_OFFSET,
                          "a BMT holds only materials and textures, nothing to draw");
    if (width % 16 || width > FACET_J3D_FIFO_WIDTH || height % 16 ||
        height > FACET_J3D_FIFO_MAX_HEIGHT)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-FIFO-SIZE", FACET_NO_OFFSET,
                          "a picture of %u x %u pixels, expected sides that are multiples of 16, "
                          "at most 640 x 528",
                          width, height);
    TRY(facet_j3d_check_geometry(document, error));
    TRY(facet_arena_create(options, &f.arena, error));
    f.log = facet_j3d_log_make(f.arena);
    facet_status status = write_frame(&f, document, options, output);
    facet_arena_free(f.arena);
    return status;
}
