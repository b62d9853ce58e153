/* facet/archive.h - archives and compression around J3D: Yaz0 and Yay0, RARC and U8; and ZIP and
 * tar for reading. An archive is a folder in one file. Layout: the formats as the runtimes of the
 * console and its tools use them. docs/reference/formats/archives.md has the details and the
 * decisions.
 *
 * Stability: experimental. */
#ifndef FACET_ARCHIVE_H
#define FACET_ARCHIVE_H

#include <facet/format.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Compression -------------------------------------------------------- */

typedef enum facet_compression {
    FACET_COMPRESSION_NONE = 0,
    FACET_COMPRESSION_YAZ0, /* flags and items interleaved in one stream; .szs */
    FACET_COMPRESSION_YAY0  /* flags, links and bytes in three streams; .szp */
} facet_compression;

/* Search effort of an encoder. */
typedef enum facet_compression_effort {
    FACET_COMPRESSION_OFFICIAL = 0, /* same bytes as the console maker's encoder: greedy, with a
                                       lookahead of one byte */
    FACET_COMPRESSION_FAST,         /* for quick tests: a few percent larger */
    FACET_COMPRESSION_BEST          /* the smallest result in this format, by optimal parsing */
} facet_compression_effort;

/* Compression of bytes, detected by their magic number. NONE for others, including gzip, bzip2, xz,
 * zstd and LZ4. facet_input_decompress, and every function that loads, checks or describes a
 * source, decompress those as well (docs/reference/formats/compression.md). */
FACET_EXPERIMENTAL_API facet_compression facet_get_compression(const uint8_t *data, size_t size);

/* Get the decompressed size in bytes from the header. It is checked: it is not 0 and not more than
 * the stream can hold (273 bytes for every 3, and a flag for each). Errors: FACET_ERROR_MALFORMED
 * with AR01, AR02 or AR08; FACET_ERROR_UNSUPPORTED if the bytes begin with neither magic number. */
FACET_EXPERIMENTAL_API facet_status facet_decompressed_size(const uint8_t *data, size_t size,
                                                            size_t *decompressed,
                                                            facet_error *error);

/* Decompress into `out`, which has exactly facet_decompressed_size bytes. Bytes after the stream
 * are not read. Allocates nothing; linear in the output. On error `out` is undefined, and the error
 * has the offset in the stream. Errors: FACET_ERROR_MALFORMED with AR01, AR02 (the stream ends
 * early), AR03 (a copy from before the beginning), AR04 (the last copy exceeds the end) or AR08. */
FACET_EXPERIMENTAL_API facet_status facet_decompress(const uint8_t *data, size_t size, uint8_t *out,
                                                     size_t decompressed, facet_error *error);

/* Compress `size` bytes, 1 to 2^32 - 1, to an output. If `alignment` is above 1, zeros pad the
 * stream to a multiple of it (32 is usual). Working memory comes from options->allocator: 128 KiB;
 * with BEST also 6 bytes per byte; with YAY0 also the size of the result. Deterministic. Linear in
 * the size, with a factor of at most the window of 4,096 bytes. Errors: FACET_ERROR_ARGUMENT,
 * FACET_ERROR_LIMIT, FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
FACET_EXPERIMENTAL_API facet_status facet_compress(const uint8_t *data, size_t size,
                                                   facet_compression compression,
                                                   facet_compression_effort effort,
                                                   size_t alignment, const facet_options *options,
                                                   facet_output *output, facet_error *error);

/* -- Content of an archive ----------------------------------------------- */

typedef enum facet_archive_kind {
    FACET_ARCHIVE_RARC = 0, /* GameCube and Wii; .arc */
    FACET_ARCHIVE_U8,       /* Wii; .arc, .u8 */
    FACET_ARCHIVE_ZIP,      /* read only, in builds with libzip */
    FACET_ARCHIVE_TAR       /* read only */
} facet_archive_kind;

enum {
    FACET_ARCHIVE_MAX_NESTING = 8, /* maximum number of nested archives in a path */
    FACET_ARCHIVE_MAX_DEPTH = 64,  /* maximum depth of folders in one archive */
    FACET_ARCHIVE_MAX_NAME = 255   /* maximum bytes of a name when writing */
};

/* Bits of facet_archive_member.flags, as in RARC. */
enum {
    FACET_ARCHIVE_FILE = 0x01,
    FACET_ARCHIVE_FOLDER = 0x02,
    FACET_ARCHIVE_COMPRESSED = 0x04, /* Yay0; together with the last bit, Yaz0 */
    FACET_ARCHIVE_MRAM = 0x10,       /* the game keeps it in main memory */
    FACET_ARCHIVE_ARAM = 0x20,       /* the game keeps it in auxiliary memory */
    FACET_ARCHIVE_DVD = 0x40,        /* the game loads it from disc when needed */
    FACET_ARCHIVE_YAZ0 = 0x80
};

/* A file or a folder in an archive. */
typedef struct facet_archive_member {
    const char *name;    /* without folders; bytes as stored, in any encoding, and not trusted */
    uint32_t folder;     /* the member that is its folder; FACET_NONE: the root */
    uint32_t entry;      /* its index in the file's table; FACET_NONE: new */
    uint16_t id;         /* RARC only; 0xFFFF for folders */
    uint8_t flags;       /* FACET_ARCHIVE_FILE and others; U8 and ZIP have only FILE or FOLDER */
    bool replaced;       /* data and size differ from those in the file */
    const uint8_t *data; /* as stored, may be compressed; NULL in folders and in a ZIP */
    size_t size;         /* as stored; in a ZIP: decompressed size */
} facet_archive_member;

/* The document of an archive. After facet_archive_read, it points into the bytes of the file. The
 * members of a folder follow the folder directly, in the order of the file. If a member is itself a
 * folder, its members follow before the next member. */
typedef struct facet_archive {
    facet_arena *arena;
    facet_archive_kind kind;
    const char *name; /* name of the root */
    facet_archive_member *members;
    uint32_t member_count, member_capacity;
    bool synced;          /* RARC: ids are equal to the indices in the table */
    uint16_t next_id;     /* RARC, if ids are not indices: the first free id */
    uint8_t reserved[16]; /* U8: the header words at 0x10 to 0x1C */
    const uint8_t *bytes; /* of the file; NULL: created by the caller */
    size_t size;
    bool rearranged;        /* members were added, removed or reordered */
    bool is_piece;          /* tar: a piece of a longer one, whose end is not expected */
    uint32_t left_out;      /* tar: number of symbolic links and devices, which are not members */
    const uint64_t *lookup; /* index for facet_archive_find; set it to NULL if you change members
                               yourself */
    void *zip;              /* private data of libzip */
} facet_archive;

/* Read the tables of an archive of any kind; the data of its members is not read. The bytes of the
 * source must outlive the archive. Free it with facet_archive_free. Linear in the tables. A tar
 * without an end, or with data after it, is reported to the report of `options` (AR35). Errors:
 *  - FACET_ERROR_MALFORMED with AR10, AR12, AR13, AR17, AR19, AR30 or AR34;
 *  - FACET_ERROR_LIMIT for folders nested deeper than FACET_ARCHIVE_MAX_DEPTH;
 *  - FACET_ERROR_UNSUPPORTED for an unknown magic number (rule FORMAT-UNKNOWN), or for a ZIP in a
 *    build without libzip (FORMAT-ABSENT). */
FACET_EXPERIMENTAL_API facet_status facet_archive_read(const facet_source *source,
                                                       const facet_options *options,
                                                       facet_archive **archive, facet_error *error);
/* Create an archive without members. `name` is the name of the root. */
FACET_EXPERIMENTAL_API facet_status facet_archive_create(facet_archive_kind kind, const char *name,
                                                         const facet_options *options,
                                                         facet_archive **archive,
                                                         facet_error *error);
/* Free an archive. NULL is allowed. */
FACET_EXPERIMENTAL_API void facet_archive_free(facet_archive *archive);

/* -- Members ------------------------------------------------------------ */

/* Find the member at a path such as "bdl/cl.bdl", relative to `folder` (FACET_NONE: the root).
 * Returns FACET_NONE if nothing matches. Names match exactly first, then ignoring the case of a to
 * z. "." and ".." have their usual meaning. A folder whose own name is "." can be left out of the
 * path. */
FACET_EXPERIMENTAL_API uint32_t facet_archive_find(const facet_archive *archive, uint32_t folder,
                                                   const char *path);
/* Write the path of a member from the root, NUL-terminated, and return its length without the NUL.
 * If the length is `space` or more, nothing is written. */
FACET_EXPERIMENTAL_API size_t facet_archive_path(const facet_archive *archive, uint32_t member,
                                                 char *path, size_t space);
/* Get the bytes of a file as stored. A file in a ZIP is decompressed into the archive's arena, at
 * every call, so two threads must not do this at once. Errors: FACET_ERROR_ARGUMENT for a folder;
 * FACET_ERROR_MALFORMED, FACET_ERROR_LIMIT and FACET_ERROR_MEMORY in a ZIP. */
FACET_EXPERIMENTAL_API facet_status facet_archive_get(const facet_archive *archive, uint32_t member,
                                                      const uint8_t **data, size_t *size,
                                                      facet_error *error);
/* Open a file as a source, decompressed if necessary. Its siblings are those in the archive. Close
 * it with facet_source_close before the archive is freed. `prefix` is put before the path in the
 * source's name; it may be NULL. */
FACET_EXPERIMENTAL_API facet_status facet_archive_open(const facet_archive *archive,
                                                       uint32_t member, const char *prefix,
                                                       const facet_options *options,
                                                       facet_source *source, facet_error *error);

/* -- Changing ----------------------------------------------------------- */

/* Replace the bytes of a file, in stored form. They must outlive the archive. In RARC, the flags
 * state their compression. */
FACET_EXPERIMENTAL_API facet_status facet_archive_replace(facet_archive *archive, uint32_t member,
                                                          const void *data, size_t size,
                                                          facet_error *error);
/* Append a file, or a folder if `data` is NULL, to the end of `folder` (FACET_NONE: the root). The
 * name is copied; the bytes must outlive the archive. Flags become FILE, MRAM and those of the
 * bytes' compression, or FOLDER. Constant time if the folder's members are the last ones, otherwise
 * linear. *member may be NULL. Errors: FACET_ERROR_ARGUMENT, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY.
 */
FACET_EXPERIMENTAL_API facet_status facet_archive_append(facet_archive *archive, uint32_t folder,
                                                         const char *name, const void *data,
                                                         size_t size, uint32_t *member,
                                                         facet_error *error);
/* Add a file at a path, and create missing folders of the path. In its folder it follows the last
 * file, before folders. In RARC, A to Z become a to z, because games only find names in lower case.
 * The indices of later members change. */
FACET_EXPERIMENTAL_API facet_status facet_archive_add(facet_archive *archive, const char *path,
                                                      const void *data, size_t size,
                                                      uint32_t *member, facet_error *error);
/* Remove a member; for a folder, with everything in it. Linear. */
FACET_EXPERIMENTAL_API facet_status facet_archive_remove(facet_archive *archive, uint32_t member,
                                                         facet_error *error);

/* Write an archive. If no members were added, removed or moved, everything else than replaced data
 * stays as in the file, whatever program wrote it; only the offsets of members may change.
 * Otherwise the layout is that of the console maker's tools, with the members in their order.
 * Members that point to the same bytes share them. If members of a RARC that were in the file get
 * other indices, options->report gets a warning ARCHIVE-NUMBERS, because games may rely on them.
 * ZIP is FACET_ERROR_UNSUPPORTED. Errors: FACET_ERROR_LIMIT if a value does not fit its field;
 * FACET_ERROR_ARGUMENT if the members of the document are not in a valid order; FACET_ERROR_MEMORY.
 */
FACET_EXPERIMENTAL_API facet_status facet_archive_write(const facet_archive *archive,
                                                        const facet_options *options,
                                                        facet_output *output, facet_error *error);

/* -- Paths into archives ------------------------------------------------- */

/* A file opened by a path that may lead into archives, also nested ones: "Link.arc/bdl/cl.bdl".
 * Archives of the path may be compressed. */
typedef struct facet_input facet_input;

/* Open a path. Errors: FACET_ERROR_IO if the file does not exist; those of facet_archive_read and
 * facet_decompress for the archives of the path; FACET_ERROR_LIMIT for archives nested deeper than
 * FACET_ARCHIVE_MAX_NESTING. */
FACET_EXPERIMENTAL_API facet_status facet_input_open(const char *path, const facet_options *options,
                                                     facet_input **input, facet_error *error);
/* Open an open descriptor, which stays open. `name` is used in messages. Otherwise like
 * facet_input_open. */
FACET_EXPERIMENTAL_API facet_status facet_input_open_descriptor(int descriptor, const char *name,
                                                                const facet_options *options,
                                                                facet_input **input,
                                                                facet_error *error);
/* Open a file of an archive that was read before, to read many of its files. The archive must
 * outlive the input. `prefix` as in facet_archive_open. */
FACET_EXPERIMENTAL_API facet_status facet_input_open_member(const facet_archive *archive,
                                                            uint32_t member, const char *prefix,
                                                            const facet_options *options,
                                                            facet_input **input,
                                                            facet_error *error);
/* The file as stored; it may be compressed. Valid until the input is closed. Siblings are those in
 * the folder, or in the archive. */
FACET_EXPERIMENTAL_API facet_source facet_input_source(const facet_input *input);
/* Get the file, decompressed if necessary. Its name does not change. If it was compressed with gzip
 * or another general codec, its siblings are found compressed or not. Errors: those of
 * facet_decompress; for a general codec FACET_ERROR_MALFORMED with AR36, FACET_ERROR_LIMIT with
 * AR37, FACET_ERROR_UNSUPPORTED (FORMAT-ABSENT). */
FACET_EXPERIMENTAL_API facet_status facet_input_decompress(facet_input *input, facet_source *source,
                                                           facet_error *error);
/* Close an input. NULL is allowed. */
FACET_EXPERIMENTAL_API void facet_input_close(facet_input *input);

/* Length of the part of a path that names the outermost archive; 0 if the path does not lead into
 * an archive. */
FACET_EXPERIMENTAL_API size_t facet_archive_in_path(const char *path);

/* Compression of an output. */
typedef enum facet_output_compression {
    FACET_COMPRESS_AS_IT_WAS = 0, /* like the file or member that is replaced. For a new one, the
                                     name decides: .szs is Yaz0 and .szp is Yay0. A name that
                                     ends in .gz, .bz2, .xz, .zst or .lz4 selects that codec;
                                     siblings of the output are not compressed */
    FACET_COMPRESS_NEVER,
    FACET_COMPRESS_ALWAYS, /* like FACET_COMPRESS_AS_IT_WAS, but if neither the old file nor the
                              name decides, a file that is not in an archive becomes Yaz0 */
    FACET_COMPRESS_YAZ0,
    FACET_COMPRESS_YAY0
} facet_output_compression;

typedef struct facet_archive_output_options {
    uint32_t struct_size; /* sizeof(facet_archive_output_options), or 0: that of release 0.2 */
    bool add;             /* add the member if it does not exist */
    facet_output_compression compression; /* of the output; archives of the path keep theirs */
    facet_compression_effort effort;      /* for the output, and for the archives of the path */
    uint32_t alignment; /* zeros pad a compressed output to a multiple of this; 0: as before, for
                           a new one 32 */
} facet_archive_output_options;

/* Open an output to a path that may lead into archives. The written bytes are kept in memory. On
 * commit, the archives of the path are written again, innermost first, by the rules of
 * facet_archive_write. The file appears complete or not at all, together with siblings of the
 * output in the same archive. For a path without archive and compression, this is
 * facet_output_open. `how` may be NULL. Allocator and report of `options` must outlive the output.
 * If several outputs write to one archive at once, the last commit wins. Errors: those of
 * facet_input_open, and FACET_ERROR_IO for a missing member, unless how->add is set. */
FACET_EXPERIMENTAL_API facet_status
facet_archive_open_output(const char *path, const facet_archive_output_options *how,
                          const facet_options *options, facet_output **output, facet_error *error);
/* Remove the member at a path from its archive, immediately. */
FACET_EXPERIMENTAL_API facet_status facet_archive_delete(const char *path,
                                                         const facet_archive_output_options *how,
                                                         const facet_options *options,
                                                         facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
