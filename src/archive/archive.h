/* archive/archive.h - what the files of this folder share: members, tables of
 * each kind, and the data area. */
#ifndef FACET_ARCHIVE_ARCHIVE_H
#define FACET_ARCHIVE_ARCHIVE_H

#include "base/table.h"

#include <facet/archive.h>

enum { FACET_ARCHIVE_ALIGNMENT = 0x20 }; /* of data, and of the tables of RARC */

/* -- Members (document.c) ----------------------------------------------- */

/* Put a member behind all others, whose name outlives the archive; NULL without
 * memory. */
facet_archive_member *facet_archive_push(facet_archive *archive);
/* Bytes as they are, or decompressed into the arena when they are compressed (layers.c). */
facet_status facet_decompress_into(facet_arena *arena, const uint8_t **data, size_t *size,
                                   facet_error *error);
/* facet_archive_open, or with `stored` the bytes as they are stored (archive.c). */
facet_status facet_archive_open_member(const facet_archive *archive, uint32_t member,
                                       const char *prefix, bool stored,
                                       const facet_options *options, facet_source *source,
                                       facet_error *error);
/* Sort the names for facet_archive_find; false without memory. */
bool facet_archive_sort_names(facet_archive *archive);
/* FACET_ERROR_ARGUMENT when members do not follow their folders at once. */
facet_status facet_archive_check_order(const facet_archive *archive, facet_error *error);
static inline bool facet_archive_is_folder(const facet_archive_member *member)
{
    return member->flags & FACET_ARCHIVE_FOLDER;
}

/* -- RARC --------------------------------------------------------------- */

enum {
    FACET_RARC_HEADER = 0x20, /* and an info block as long behind it */
    FACET_RARC_NODE = 0x10,
    FACET_RARC_ENTRY = 0x14
};

/* The tables of an archive, all of which lie inside its bytes. */
typedef struct facet_rarc {
    const uint8_t *data;
    size_t size;
    uint32_t node_count, entry_count;
    const uint8_t *nodes, *entries;
    const char *strings;
    size_t strings_size;
    size_t start; /* of the files' data */
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
/* True of "." and "..", which are no members. */
bool facet_rarc_is_dots(const facet_rarc_entry *entry, const char *name);
uint16_t facet_rarc_hash(const char *name);
/* Four letters by which games look for a folder. */
void facet_rarc_type(const char *name, uint8_t type[4]);

facet_status facet_rarc_read(facet_archive *archive, facet_error *error);
facet_status facet_rarc_write(const facet_archive *archive, const facet_options *options,
                              facet_output *output, facet_error *error);
/* The rules about its tables, once it could be read. */
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
/* Take a file out, into an arena. */
facet_status facet_zip_get(const facet_archive *archive, uint32_t member, facet_arena *arena,
                           const uint8_t **data, facet_error *error);
/* The rest of facet_archive_free. */
void facet_zip_close(facet_archive *archive);

/* -- tar ---------------------------------------------------------------- */

bool facet_tar_begins(const uint8_t *data, size_t size);
/* How many bytes of data follow a header, and its type. False when it is none. */
bool facet_tar_header(const uint8_t *block, uint64_t *size, char *type);
/* The size that pax records, the data of a header of type 'x', give the next file, where they have
 * one. What is wrong with them, or NULL. */
const char *facet_tar_records_size(const uint8_t *records, size_t size, uint64_t *number,
                                   bool *is_there);
/* As facet_archive_read, of bytes that are a tar, whatever their first name begins like. */
facet_status facet_tar_read_source(const facet_source *source, facet_archive **archive,
                                   facet_error *error);
facet_status facet_tar_read(facet_archive *archive, facet_error *error);
void facet_tar_check(const facet_archive *archive, facet_report *report);

/* -- The data area (extents.c) ------------------------------------------ */

/* Where the data of a table's entry lies, and what comes in its place. */
typedef struct facet_extent {
    uint32_t entry; /* of the table */
    uint64_t offset, size;
    bool replaced;
    const uint8_t *data;
    uint64_t new_offset, new_size;
    int64_t growth; /* by how much the data area grows for it */
} facet_extent;

/* Pieces of the new data area, in order: bytes, then zeros. */
typedef struct facet_piece {
    const uint8_t *data;
    size_t size, zeros;
} facet_piece;
typedef struct facet_data_area {
    facet_piece *pieces;
    size_t piece_count;
    uint64_t end; /* of the new archive */
} facet_data_area;

/* Lay the data area out anew: what is not replaced stays as it is, with the bytes
 * between, and moves by multiples of 32 where something before it grows or
 * shrinks. What shares bytes with others and is replaced goes behind all. `data`
 * has the whole archive, whose data area goes from `start` to its end; all extents
 * lie in it. They are sorted. */
facet_status facet_extents_place(facet_extent *extents, size_t count, const uint8_t *data,
                                 size_t start, size_t size, facet_arena *arena,
                                 facet_data_area *area, facet_error *error);
void facet_data_area_write(const facet_data_area *area, facet_output *output);

/* Places in a new data area, from 0 on, in multiples of 32. Data that several
 * members point to has one place for each kind that the caller tells apart. */
typedef struct facet_places {
    facet_records known; /* facet_places_make */
    uint64_t *of_known;  /* as many as there are members */
    uint64_t end;
} facet_places;
/* Both are false without memory. */
bool facet_places_make(facet_places *places, facet_arena *arena, size_t members);
bool facet_places_take(facet_places *places, const facet_archive_member *member, size_t kind,
                       uint64_t *offset);
/* A member's data, and zeros up to a multiple of 32. */
void facet_archive_put_data(const facet_archive_member *member, facet_output *output);

#endif
