/* archive/archive.h - shared declarations of this folder: members, tables of each kind, and the
 * data area. */
#ifndef FACET_ARCHIVE_ARCHIVE_H
#define FACET_ARCHIVE_ARCHIVE_H

#include "base/table.h"

#include <facet/archive.h>

enum { FACET_ARCHIVE_ALIGNMENT = 0x20 }; /* alignment of data, and of the tables of RARC */

/* -- Members (document.c) ----------------------------------------------- */

/* Append a member, whose name must outlive the archive. NULL if out of memory. */
facet_archive_member *facet_archive_push(facet_archive *archive);
/* Decompress bytes into the arena; other bytes stay as they are (layers.c). */
facet_status facet_decompress_into(facet_arena *arena, const facet_options *options,
                                   const uint8_t **data, size_t *size, facet_error *error);
/* The same as facet_archive_open. With `stored`, the bytes stay compressed (archive.c). */
facet_status facet_archive_open_member(const facet_archive *archive, uint32_t member,
                                       const char *prefix, bool stored,
                                       const facet_options *options, facet_source *source,
                                       facet_error *error);
/* Sort the names for facet_archive_find. False if out of memory. */
bool facet_archive_sort_names(facet_archive *archive);
/* Fail with FACET_ERROR_ARGUMENT if members do not directly follow their folder. */
/* True for names that are invalid on some systems, or lead out of the folder. */
bool facet_archive_leads_away(const char *name);
facet_status facet_archive_check_order(const facet_archive *archive, facet_error *error);
static inline bool facet_archive_is_folder(const facet_archive_member *member)
{
    return member->flags & FACET_ARCHIVE_FOLDER;
}

enum { FACET_ARCHIVE_COMPRESSION = FACET_ARCHIVE_COMPRESSED | FACET_ARCHIVE_YAZ0 };

/* The bits of FACET_ARCHIVE_COMPRESSION for the data of a member. Games believe them, and not the
 * data. */
static inline uint8_t facet_archive_compression_of(const void *data, size_t size)
{
    facet_compression compression = facet_get_compression(data, size);
    return compression == FACET_COMPRESSION_NONE   ? 0
           : compression == FACET_COMPRESSION_YAZ0 ? FACET_ARCHIVE_COMPRESSION
                                                   : FACET_ARCHIVE_COMPRESSED;
}

/* -- RARC --------------------------------------------------------------- */

enum {
    FACET_RARC_HEADER = 0x20, /* followed by an info block of the same size */
    FACET_RARC_NODE = 0x10,
    FACET_RARC_ENTRY = 0x14
};

/* The tables of an archive, all inside its bytes. */
typedef struct facet_rarc {
    const uint8_t *data;
    size_t size;
    uint32_t node_count, entry_count;
    const uint8_t *nodes, *entries;
    const char *strings;
    size_t strings_size;
    size_t start; /* start of the files' data */
} facet_rarc;

typedef struct facet_rarc_entry {
    uint16_t id, hash;
    uint8_t flags;
    uint32_t name, offset, size;
} facet_rarc_entry;

bool facet_rarc_begins(const uint8_t *data, size_t size);
facet_status facet_rarc_view(const uint8_t *data, size_t size, facet_rarc *rarc,
                             facet_error *error);
facet_rarc_entry facet_rarc_entry_at(const facet_rarc *rarc, uint32_t index);
/* A string that ends inside the table, or NULL. */
const char *facet_rarc_string(const facet_rarc *rarc, uint32_t offset);
/* True for "." and "..", which are not members. */
bool facet_rarc_is_dots(const facet_rarc_entry *entry, const char *name);
uint16_t facet_rarc_hash(const char *name);
/* Get the four letters by which games find a folder. */
void facet_rarc_type(const char *name, uint8_t type[4]);

facet_status facet_rarc_read(facet_archive *archive, facet_error *error);
facet_status facet_rarc_write(const facet_archive *archive, const facet_options *options,
                              facet_output *output, facet_error *error);
/* Check the rules of its tables, after it was read. */
facet_status facet_rarc_check(const facet_archive *archive, facet_report *report,
                              facet_error *error);

/* -- U8 ----------------------------------------------------------------- */

enum { FACET_U8_HEADER = 0x20, FACET_U8_NODE = 0x0C };

bool facet_u8_begins(const uint8_t *data, size_t size);
facet_status facet_u8_read(facet_archive *archive, facet_error *error);
facet_status facet_u8_write(const facet_archive *archive, const facet_options *options,
                            facet_output *output, facet_error *error);
void facet_u8_check(const facet_archive *archive, facet_report *report);

/* -- ZIP ---------------------------------------------------------------- */

bool facet_zip_begins(const uint8_t *data, size_t size);
facet_status facet_zip_read(facet_archive *archive, facet_error *error);
/* Decompress a file into an arena. */
facet_status facet_zip_get(const facet_archive *archive, uint32_t member, facet_arena *arena,
                           const uint8_t **data, facet_error *error);
/* Free the data of a ZIP; part of facet_archive_free. */
void facet_zip_close(facet_archive *archive);

/* -- tar ---------------------------------------------------------------- */

bool facet_tar_begins(const uint8_t *data, size_t size);
/* Read a header: its type, and the size of the data after it. False if it is invalid. */
bool facet_tar_header(const uint8_t *block, uint64_t *size, char *type);
/* Get the size of the next file from pax records, the data of a header of type 'x'. *is_there is
 * false if they have none. Returns the error in them, or NULL. */
const char *facet_tar_records_size(const uint8_t *records, size_t size, uint64_t *number,
                                   bool *is_there);
/* The same as facet_archive_read for a tar, even if its first name begins like another format. */
facet_status facet_tar_read_source(const facet_source *source, facet_archive **archive,
                                   facet_error *error);
facet_status facet_tar_read(facet_archive *archive, facet_error *error);
/* Sentence about a missing or an early end, and its offset; NULL: none, or not a tar. */
const char *facet_tar_fault(const facet_archive *archive, size_t *offset);
/* Report this (AR35), and links that were left out (AR39). */
void facet_tar_check(const facet_archive *archive, facet_report *report);
/* archive.c: the same for a source that facet_archive_open opened in a tar. Does nothing for other
 * sources. */
void facet_archive_check_origin(const facet_source *source, facet_report *report);

/* -- The data area (extents.c) ------------------------------------------ */

/* The data of a table's entry, and its replacement. */
typedef struct facet_extent {
    uint32_t entry; /* index in the table */
    uint64_t offset, size;
    bool replaced;
    const uint8_t *data;
    uint64_t new_offset, new_size;
    int64_t growth; /* number of bytes by which the data area grows */
} facet_extent;

/* A piece of the new data area: bytes, then zeros. */
typedef struct facet_piece {
    const uint8_t *data;
    size_t size, zeros;
} facet_piece;
typedef struct facet_data_area {
    facet_piece *pieces;
    size_t piece_count;
    uint64_t end; /* end offset in the new archive */
} facet_data_area;

/* Make a new data area. Data that is not replaced stays unchanged, including the bytes between. It
 * moves by multiples of 32 if data before it grows or shrinks. Replaced data that shares bytes with
 * others moves to the end. `data` is the whole archive; its data area goes from `start` to its end
 * and has all extents. The extents are sorted. */
facet_status facet_extents_replace(facet_extent *extents, size_t count, const uint8_t *data,
                                   size_t start, size_t size, facet_arena *arena,
                                   facet_data_area *area, facet_error *error);
void facet_data_area_write(const facet_data_area *area, facet_output *output);

/* Offsets in a new data area, starting at 0, in multiples of 32. Data that several members share
 * has one offset for each kind of the caller. */
typedef struct facet_places {
    facet_records known; /* set by facet_places_make */
    uint64_t *of_known;  /* as many as members */
    uint64_t end;
} facet_places;
/* Both functions return false if out of memory. */
bool facet_places_make(facet_places *places, facet_arena *arena, size_t members);
bool facet_places_take(facet_places *places, const facet_archive_member *member, size_t kind,
                       uint64_t *offset);
/* Write a member's data, and zeros up to a multiple of 32. */
void facet_archive_put_data(const facet_archive_member *member, facet_output *output);

#endif
