/* formats/j3d/fifo/log.h - FIFO logs of the Dolphin emulator (.dff): commands that a program of
 * the console wrote to its graphics chip, and the memory that they read.
 *
 * All numbers of the file itself are little-endian. A header of 128 bytes; a frame of 64 bytes;
 * the registers of BP and CP, memory and registers of XF as 32-bit words, all zero here, as the
 * commands set what they need; 1 MiB of texture memory; the commands; and updates of 24 bytes
 * each, whose bytes follow. */
#ifndef FACET_J3D_FIFO_LOG_H
#define FACET_J3D_FIFO_LOG_H

#include "formats/j3d/fifo/stream.h"

#include <facet/format.h>

/* Bytes that are in the memory of the console before the first command. */
typedef struct facet_j3d_update {
    uint32_t address; /* a multiple of 32 */
    const uint8_t *bytes;
    uint32_t size;
} facet_j3d_update;

/* A log of one frame. */
typedef struct facet_j3d_log {
    facet_j3d_stream commands; /* the last one copies the picture to the screen */
    facet_j3d_update *updates;
    uint32_t update_count, update_capacity;
    uint32_t next; /* the first free address */
} facet_j3d_log;

/* An empty log, whose memory is the arena's. */
facet_j3d_log facet_j3d_log_make(facet_arena *arena);
/* Place bytes, which outlive the log, in the memory of the console. *address is 0 when there are
 * none. Errors: FACET_ERROR_LIMIT with J3D-FIFO-MEMORY; FACET_ERROR_MEMORY. */
facet_status facet_j3d_log_place(facet_j3d_log *log, const uint8_t *bytes, size_t size,
                                 uint32_t *address, facet_error *error);
/* Write the file. The caller commits. Errors: FACET_ERROR_LIMIT with J3D-LIMIT for commands of
 * 4 GiB; FACET_ERROR_MEMORY. */
facet_status facet_j3d_log_write(const facet_j3d_log *log, facet_output *output,
                                 facet_error *error);

/* True for bytes that begin as such a file does. */
bool facet_j3d_log_is(const uint8_t *bytes, size_t size);
/* check.c: rules of the file as a whole, for the format table. */
facet_status facet_j3d_log_check(const facet_source *source, const facet_options *options,
                                 facet_report *report, facet_error *error);
facet_status facet_j3d_log_describe(const facet_source *source, const facet_options *options,
                                    facet_description *description, facet_error *error);

/* Where the picture is copied to, beyond all that facet_j3d_log_place places; and where the frame
 * is copied to that is cleared before. */
#define FACET_J3D_LOG_SCREEN 0x01600000u
#define FACET_J3D_LOG_SCRATCH 0x01400000u

#endif
