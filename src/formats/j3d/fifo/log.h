/* formats/j3d/fifo/log.h - FIFO logs of the Dolphin emulator (.dff). A log has the commands that a
 * console program wrote to its graphics chip, and the memory that they read.
 *
 * All numbers of the file are little-endian. The parts are:
 * - a header of 128 bytes, and a frame of 64 bytes
 * - registers of BP and CP, memory and registers of XF as 32-bit words; all are zero here, because
 * the commands set what they need
 * - 1 MiB of texture memory
 * - the commands
 * - updates of 24 bytes each, followed by their bytes */
#ifndef FACET_J3D_FIFO_LOG_H
#define FACET_J3D_FIFO_LOG_H

#include "formats/j3d/fifo/stream.h"

#include <facet/format.h>

/* Bytes in the console's memory before the first command. */
typedef struct facet_j3d_update {
    uint32_t address; /* a multiple of 32 */
    const uint8_t *bytes;
    uint32_t size;
} facet_j3d_update;

/* A log of one frame. */
typedef struct facet_j3d_log {
    facet_j3d_stream commands; /* the last command copies the picture to the screen */
    facet_j3d_update *updates;
    uint32_t update_count, update_capacity;
    uint32_t next; /* the first free address */
} facet_j3d_log;

/* Create an empty log in the arena. */
facet_j3d_log facet_j3d_log_make(facet_arena *arena);
/* Add bytes to the memory of the console; they must outlive the log. *address is 0 if `size` is 0.
 * Errors: FACET_ERROR_LIMIT with J3D-FIFO-MEMORY; FACET_ERROR_MEMORY. */
facet_status facet_j3d_log_add_memory(facet_j3d_log *log, const uint8_t *bytes, size_t size,
                                      uint32_t *address, facet_error *error);
/* Write the file. The caller commits. Errors: FACET_ERROR_LIMIT with J3D-LIMIT for 4 GiB of
 * commands or more; FACET_ERROR_MEMORY. */
facet_status facet_j3d_log_write(const facet_j3d_log *log, facet_output *output,
                                 facet_error *error);

/* True if the bytes begin like a FIFO log. */
bool facet_j3d_log_is(const uint8_t *bytes, size_t size);
/* Check the rules of a whole file, for the format table (check.c). */
facet_status facet_j3d_log_check(const facet_source *source, const facet_options *options,
                                 facet_report *report, facet_error *error);
facet_status facet_j3d_log_describe(const facet_source *source, const facet_options *options,
                                    facet_description *description, facet_error *error);

/* Address of the picture's copy, beyond all bytes of facet_j3d_log_add_memory, and address of the
 * copy that clears the frame before. */
#define FACET_J3D_LOG_SCREEN 0x01600000u
#define FACET_J3D_LOG_SCRATCH 0x01400000u

#endif
