/* formats/j3d/fifo/log.c - FIFO logs as files. */
#include "formats/j3d/fifo/log.h"

#include "base/bytes.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

enum {
    HEADER_SIZE = 128,
    FRAME_SIZE = 64,
    UPDATE_SIZE = 24,
    BP_COUNT = 256,
    CP_COUNT = 256,
    XF_COUNT = 4096,
    XF_REGISTER_COUNT = 88,
    TEXTURE_MEMORY = 1 << 20,
    UPDATE_KIND = 4, /* for vertices and textures: the player copies the bytes */
};

#define FIRST_ADDRESS 0x00200000u /* below: the program and the ring of commands */
#define RING_START 0x00100000u
#define RING_END 0x00180000u

facet_j3d_log facet_j3d_log_make(facet_arena *arena)
{
    return (facet_j3d_log){.commands = {.arena = arena}, .next = FIRST_ADDRESS};
}

facet_status facet_j3d_log_add_memory(facet_j3d_log *log, const uint8_t *bytes, size_t size,
                                      uint32_t *address, facet_error *error)
{
    facet_arena *arena = log->commands.arena;
    *address = 0;
    if (size == 0)
        return FACET_OK;
    if (size > FACET_J3D_LOG_SCRATCH - log->next)
        return facet_fail(
            error, FACET_ERROR_LIMIT, "J3D-FIFO-MEMORY", FACET_NO_OFFSET,
            "vertices and textures need more than the %u bytes of memory that a log holds",
            FACET_J3D_LOG_SCRATCH - FIRST_ADDRESS);
    if (!FACET_GROW(arena, log->updates, log->update_count, log->update_capacity))
        return facet_fail_arena(arena, error);
    *address = log->next;
    log->updates[log->update_count++] = (facet_j3d_update){*address, bytes, (uint32_t)size};
    log->next = (*address + (uint32_t)size + 31) & ~31u;
    return FACET_OK;
}

/* -- The file ----------------------------------------------------------- */

static void write_zeros(facet_output *output, size_t count)
{
    static const uint8_t zeros[4096];
    for (size_t part; count > 0; count -= part) {
        part = count < sizeof zeros ? count : sizeof zeros;
        facet_output_write(output, zeros, part);
    }
}

/* Write an offset of 64 bits and a count of 32, a pair of the header. */
static uint8_t *put_table(uint8_t *at, uint64_t offset, uint32_t count)
{
    facet_store_u64le(at, offset);
    facet_store_u32le(at + 8, count);
    return at + 12;
}

/* Write the header. Return the offset after the registers, where texture memory begins. */
static uint64_t put_header(uint8_t header[HEADER_SIZE])
{
    static const uint32_t counts[4] = {BP_COUNT, CP_COUNT, XF_COUNT, XF_REGISTER_COUNT};
    uint64_t offset = HEADER_SIZE + FRAME_SIZE;
    facet_store_u32le(header, 0x0D01F1F0); /* magic number */
    facet_store_u32le(header + 4, 4);      /* version of the file */
    facet_store_u32le(header + 8, 1);      /* minimum version of the loader */
    uint8_t *at = header + 12;
    for (int i = 0; i < 4; i++) {
        at = put_table(at, offset, counts[i]);
        offset += counts[i] * 4;
    }
    at = put_table(at, HEADER_SIZE, 1); /* frames */
    facet_store_u32le(at, 0);           /* flags: a GameCube */
    put_table(at + 4, offset, TEXTURE_MEMORY);
    return offset;
}

static void write_registers(facet_output *output)
{
    uint8_t mask[4];
    facet_store_u32le(mask, 0xFFFFFF);
    write_zeros(output, 0xFE * 4);
    facet_output_write(output, mask, sizeof mask); /* mask of the next BP register: all bits */
    write_zeros(output, (BP_COUNT - 0xFF + CP_COUNT + XF_COUNT + XF_REGISTER_COUNT) * 4);
    write_zeros(output, TEXTURE_MEMORY);
}

static void write_updates(const facet_j3d_log *log, uint64_t offset, facet_output *output)
{
    for (uint32_t i = 0; i < log->update_count; i++) {
        const facet_j3d_update *update = &log->updates[i];
        uint8_t entry[UPDATE_SIZE] = {0};
        facet_store_u32le(entry + 4, update->address); /* at command 0 */
        facet_store_u64le(entry + 8, offset);
        facet_store_u32le(entry + 16, update->size);
        entry[20] = UPDATE_KIND;
        facet_output_write(output, entry, sizeof entry);
        offset += update->size;
    }
    for (uint32_t i = 0; i < log->update_count; i++)
        facet_output_write(output, log->updates[i].bytes, log->updates[i].size);
}

facet_status facet_j3d_log_write(const facet_j3d_log *log, facet_output *output, facet_error *error)
{
    uint8_t header[HEADER_SIZE] = {0}, frame[FRAME_SIZE] = {0};
    TRY(facet_arena_status(log->commands.arena, error));
    if (log->commands.size > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                          "the log has more than 4 GiB of commands");
    uint64_t commands = put_header(header) + TEXTURE_MEMORY;
    uint64_t updates = commands + log->commands.size;
    put_table(frame, commands, (uint32_t)log->commands.size);
    facet_store_u32le(frame + 12, RING_START);
    facet_store_u32le(frame + 16, RING_END);
    put_table(frame + 20, updates, log->update_count);
    facet_output_write(output, header, sizeof header);
    facet_output_write(output, frame, sizeof frame);
    write_registers(output);
    facet_output_write(output, log->commands.bytes, log->commands.size);
    write_updates(log, updates + (uint64_t)log->update_count * UPDATE_SIZE, output);
    return FACET_OK;
}
