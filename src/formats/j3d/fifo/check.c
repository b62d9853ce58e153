/* formats/j3d/fifo/check.c - check that the tables of a FIFO log are inside the file, and
 * description of its content. Logs of games are also accepted. */
#include "formats/j3d/fifo/log.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/tree.h"

#include <inttypes.h>
#include <stdio.h>

enum { HEADER_SIZE = 128, FRAME_SIZE = 64, UPDATE_SIZE = 24, OLDEST_VERSION = 1 };

typedef struct facet_j3d_log_counts {
    uint64_t commands, updates, update_bytes; /* totals of all frames */
} facet_j3d_log_counts;

bool facet_j3d_log_is(const uint8_t *bytes, size_t size)
{
    return size >= 4 && facet_load_u32le(bytes) == 0x0D01F1F0;
}

static bool is_inside(const facet_source *source, uint64_t offset, uint64_t count, uint32_t size)
{
    return offset <= source->size && count <= (source->size - offset) / size;
}

static void complain(facet_report *report, const char *rule, uint64_t offset, const char *what)
{
    facet_report_add(report, rule, FACET_SEVERITY_ERROR, offset, "%s", what);
}

/* Check the header's tables. False if the frames are outside of the file. */
static bool check_header(const facet_source *source, facet_report *report)
{
    const uint8_t *data = source->data;
    if (source->size < HEADER_SIZE || !facet_j3d_log_is(data, source->size)) {
        complain(report, "J3D-FIFO-HEADER", 0, "the file has no header of a FIFO log");
        return false;
    }
    if (facet_load_u32le(data + 4) < OLDEST_VERSION)
        facet_report_add(report, "J3D-FIFO-HEADER", FACET_SEVERITY_ERROR, 4,
                         "version %" PRIu32 ", expected 1 or more", facet_load_u32le(data + 4));
    for (uint32_t at = 12; at < 60; at += 12) { /* registers, and memory of the transform unit */
        if (!is_inside(source, facet_load_u64le(data + at), facet_load_u32le(data + at + 8), 4))
            complain(report, "J3D-FIFO-HEADER", at, "registers run over the end of the file");
    }
    if (is_inside(source, facet_load_u64le(data + 60), facet_load_u32le(data + 68), FRAME_SIZE))
        return true;
    complain(report, "J3D-FIFO-HEADER", 60, "the list of frames runs over the end of the file");
    return false;
}

static void check_frame(const facet_source *source, uint64_t at, facet_report *report,
                        facet_j3d_log_counts *counts)
{
    const uint8_t *frame = source->data + at;
    uint64_t first = facet_load_u64le(frame + 20);
    uint32_t size = facet_load_u32le(frame + 8), updates = facet_load_u32le(frame + 28);
    counts->commands += size;
    if (!is_inside(source, facet_load_u64le(frame), size, 1))
        complain(report, "J3D-FIFO-FRAME", at, "commands run over the end of the file");
    if (!is_inside(source, first, updates, UPDATE_SIZE)) {
        complain(report, "J3D-FIFO-FRAME", at + 20,
                 "a list of memory runs over the end of the file");
        return;
    }
    counts->updates += updates;
    for (uint32_t i = 0; i < updates; i++) {
        const uint8_t *update = source->data + first + (uint64_t)i * UPDATE_SIZE;
        uint32_t bytes = facet_load_u32le(update + 16);
        counts->update_bytes += bytes;
        if (facet_load_u32le(update) > size ||
            !is_inside(source, facet_load_u64le(update + 8), bytes, 1)) {
            facet_report_add(report, "J3D-FIFO-FRAME", FACET_SEVERITY_ERROR,
                             first + (uint64_t)i * UPDATE_SIZE,
                             "memory %" PRIu32 " of a frame runs over the end of the file, or "
                             "comes after its commands",
                             i);
            return;
        }
    }
}

/* Check the frames. Their lists can overlap, so the work is limited to the size of the file. */
static void check_frames(const facet_source *source, facet_report *report,
                         facet_j3d_log_counts *counts)
{
    uint64_t first = facet_load_u64le(source->data + 60);
    uint32_t count = facet_load_u32le(source->data + 68);
    if (count == 0)
        complain(report, "J3D-FIFO-FRAME", 68, "the log has no frame");
    for (uint32_t i = 0; i < count; i++) {
        check_frame(source, first + (uint64_t)i * FRAME_SIZE, report, counts);
        if (counts->updates > source->size / UPDATE_SIZE) {
            complain(report, "J3D-FIFO-FRAME", first + (uint64_t)i * FRAME_SIZE,
                     "frames share their lists of memory");
            return;
        }
    }
}

facet_status facet_j3d_log_check(const facet_source *source, const facet_options *options,
                                 facet_report *report, facet_error *error)
{
    facet_j3d_log_counts counts = {0};
    (void)options;
    (void)error;
    if (check_header(source, report))
        check_frames(source, report, &counts);
    return FACET_OK;
}

facet_status facet_j3d_log_describe(const facet_source *source, const facet_options *options,
                                    facet_description *description, facet_error *error)
{
    facet_j3d_log_counts counts = {0};
    facet_arena *arena = description->arena;
    char version[16] = "";
    (void)options;
    if (!check_header(source, NULL))
        return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-FIFO-HEADER", 0,
                          "the header of the FIFO log names tables beyond the end of the file");
    check_frames(source, NULL, &counts);
    snprintf(version, sizeof version, "%" PRIu32, facet_load_u32le(source->data + 4));
    char *kept = facet_arena_allocate(arena, sizeof version, 1);
    if (!kept)
        return facet_fail_arena(arena, error);
    snprintf(kept, sizeof version, "%s", version);
    description->version = kept;
    facet_tree_integer(arena, description->detail, "frames", facet_load_u32le(source->data + 68));
    facet_tree_integer(arena, description->detail, "command_bytes", counts.commands);
    facet_tree_integer(arena, description->detail, "memory_updates", counts.updates);
    facet_tree_integer(arena, description->detail, "memory_bytes", counts.update_bytes);
    return facet_arena_status(arena, error);
}
