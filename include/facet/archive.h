/* facet/archive.h - archives and compression around J3D: Yaz0 and Yay0, RARC and
 * U8; and ZIP for reading. An archive is a folder in one file.
 *
 * Layout: the formats as the runtimes of the console and its tools have them;
 * docs/reference/formats/archives.md has the details and what was decided.
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
    FACET_COMPRESSION_YAZ0, /* flags and items in one stream; .szs */
    FACET_COMPRESSION_YAY0  /* flags, links and bytes in three; .szp */
} facet_compression;

/* How hard an encoder searches. */
typedef enum facet_compression_effort {
    FACET_COMPRESSION_OFFICIAL = 0, /* the bytes that the console makers' encoder writes: greedy,
                                       looking one byte ahead */
    FACET_COMPRESSION_FAST,         /* for trying things out: some per cent larger */
    FACET_COMPRESSION_BEST /* the fewest bits there are in this format, by optimal parsing */
} facet_compression_effort;

/* The compression that bytes begin with, by their magic number; NONE when it is
 * neither. gzip, bzip2, xz, zstd and LZ4 are none of these: facet_input_decompress and every
 * function that loads, checks or describes a source undo them as well
 * (docs/reference/formats/compression.md). */
FACET_EXPERIMENTAL_API facet_compression facet_get_compression(const uint8_t *data, size_t size);

/* Bytes of what is compressed, as the header says. It is checked: neither 0 nor
 * more than the stream can hold (273 bytes for each 3, and a flag for each).
 * Errors: FACET_ERROR_MALFORMED with AR01, AR02 or AR08; FACET_ERROR_UNSUPPORTED when the bytes
 * begin with neither magic number. */
FACET_EXPERIMENTAL_API facet_status facet_decompressed_size(const uint8_t *data, size_t size,
                                                            size_t *decompressed,
                                                            facet_error *error);

/* Decompress into `out`, which has exactly facet_decompressed_size bytes. Bytes
 * after the stream are not read. Allocates nothing; linear in the output.
 * Errors: FACET_ERROR_MALFORMED with AR01, AR02 (the stream ends early), AR03 (a
 * copy from before the beginning), AR04 (the last copy runs past the end) or AR08,
 * and the offset in the stream; what `out` holds then is undefined. */
FACET_EXPERIMENTAL_API facet_status facet_decompress(const uint8_t *data, size_t size, uint8_t *out,
                                                     size_t decompressed, facet_error *error);

/* Compress `size` bytes, 1 to 2^32 - 1, to an output: the stream, and with
 * `alignment` above 1 zeros up to a multiple of it (32 is usual). Working memory
 * comes from options->allocator: 128 KiB, with BEST 6 bytes for each byte, and
 * with YAY0 as much again as the result. Deterministic. Linear in the size, with
 * a factor of at most the window of 4,096 bytes.
 * Errors: FACET_ERROR_ARGUMENT, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY,
 * FACET_ERROR_CANCELED. */
FACET_EXPERIMENTAL_API facet_status facet_compress(const uint8_t *data, size_t size,
                                                   facet_compression compression,
                                                   facet_compression_effort effort,
                                                   size_t alignment, const facet_options *options,
                                                   facet_output *output, facet_error *error);

/* -- What is in an archive ---------------------------------------------- */

typedef enum facet_archive_kind {
    FACET_ARCHIVE_RARC = 0, /* GameCube and Wii; .arc */
    FACET_ARCHIVE_U8,       /* Wii; .arc, .u8 */
    FACET_ARCHIVE_ZIP,      /* for reading, where the library was built with libzip */
    FACET_ARCHIVE_TAR       /* for reading */
} facet_archive_kind;

enum {
    FACET_ARCHIVE_MAX_NESTING = 8, /* archives in archives that a path may run through */
    FACET_ARCHIVE_MAX_DEPTH = 64,  /* folders in folders of one archive */
    FACET_ARCHIVE_MAX_NAME = 255   /* bytes of a name that is written */
};

/* Bits of facet_archive_member.flags, those of RARC. */
enum {
    FACET_ARCHIVE_FILE = 0x01,
    FACET_ARCHIVE_FOLDER = 0x02,
    FACET_ARCHIVE_COMPRESSED = 0x04, /* Yay0, and with the last bit Yaz0 */
    FACET_ARCHIVE_MRAM = 0x10,       /* where the game keeps it: main memory, */
    FACET_ARCHIVE_ARAM = 0x20,       /* auxiliary memory, */
    FACET_ARCHIVE_DVD = 0x40,        /* or nowhere: it is loaded when it is needed */
    FACET_ARCHIVE_YAZ0 = 0x80
};

/* A file or a folder. */
typedef struct facet_archive_member {
    const char *name;    /* without folders; bytes as stored, in any encoding, and not trusted */
    uint32_t folder;     /* the member that it is in; FACET_NONE: the root */
    uint32_t entry;      /* its number in the file's table; FACET_NONE when it is new */
    uint16_t id;         /* RARC; 0xFFFF of folders */
    uint8_t flags;       /* FACET_ARCHIVE_FILE and the like; of U8 and ZIP FILE or FOLDER alone */
    bool replaced;       /* data and size are not those of the file any more */
    const uint8_t *data; /* as stored, maybe compressed; NULL in folders and in a ZIP */
    size_t size;         /* as stored; in a ZIP: when it is taken out */
} facet_archive_member;

/* The document of an archive. What was read points into its bytes. The members of
 * a folder follow it at once, in the order of the file; each may have a folder's
 * members behind it before the next. */
typedef struct facet_archive {
    facet_arena *arena;
    facet_archive_kind kind;
    const char *name; /* of the root */
    facet_archive_member *members;
    uint32_t member_count, member_capacity;
    bool synced;          /* RARC: ids are the numbers in the table */
    uint16_t next_id;     /* RARC, where they are not: the first that is free */
    uint8_t reserved[16]; /* U8: words 10 to 1C */
    const uint8_t *bytes; /* of the file; NULL when the document was made by hand */
    size_t size;
    bool rearranged;        /* there are other members than in the file, or in another order */
    const uint64_t *lookup; /* for facet_archive_find; NULL after a change by hand, too */
    void *zip;              /* of libzip */
} facet_archive;

/* Read the tables of an archive of any kind; the data of its members is not looked
 * at. The bytes of the source outlive the archive. Free it with
 * facet_archive_free. Linear in the tables.
 * Errors: FACET_ERROR_MALFORMED with AR10, AR12, AR13, AR17, AR19, AR30 or AR34; FACET_ERROR_LIMIT
 * for more than FACET_ARCHIVE_MAX_DEPTH folders in one another; FACET_ERROR_UNSUPPORTED (rule
 * FORMAT-UNKNOWN) when the bytes begin like none of them, or (FORMAT-ABSENT) like a ZIP in a
 * library without libzip. */
FACET_EXPERIMENTAL_API facet_status facet_archive_read(const facet_source *source,
                                                       const facet_options *options,
                                                       facet_archive **archive, facet_error *error);
/* An archive without members; `name` of the root. */
FACET_EXPERIMENTAL_API facet_status facet_archive_create(facet_archive_kind kind, const char *name,
                                                         const facet_options *options,
                                                         facet_archive **archive,
                                                         facet_error *error);
/* NULL is fine. */
FACET_EXPERIMENTAL_API void facet_archive_free(facet_archive *archive);

/* -- Members ------------------------------------------------------------ */

/* The member at a path from `folder` (FACET_NONE: the root) on, "bdl/cl.bdl"; FACET_NONE without
 * one. Letters count as they are; without an equal name, the case of a to z does not
 * matter. "." and ".." are as usual.
 * A folder that is itself named "." need not be said. */
FACET_EXPERIMENTAL_API uint32_t facet_archive_find(const facet_archive *archive, uint32_t folder,
                                                   const char *path);
/* Write the path of a member from the root on, ended by NUL, and return its length
 * without that; when it is `space` or more, nothing is written. */
FACET_EXPERIMENTAL_API size_t facet_archive_path(const facet_archive *archive, uint32_t member,
                                                 char *path, size_t space);
/* The bytes of a file as they are stored. Those of a ZIP are taken out, into the
 * archive's arena, once for each call: so no two threads do it at once.
 * Errors: FACET_ERROR_ARGUMENT for a folder; FACET_ERROR_MALFORMED, FACET_ERROR_LIMIT and
 * FACET_ERROR_MEMORY in a ZIP. */
FACET_EXPERIMENTAL_API facet_status facet_archive_get(const facet_archive *archive, uint32_t member,
                                                      const uint8_t **data, size_t *size,
                                                      facet_error *error);
/* A file as a source, decompressed when it is compressed, whose siblings are those
 * in the archive. Close it with facet_source_close, before the archive is freed.
 * `prefix`, which may be NULL, stands before the path in the source's name. */
FACET_EXPERIMENTAL_API facet_status facet_archive_open(const facet_archive *archive,
                                                       uint32_t member, const char *prefix,
                                                       const facet_options *options,
                                                       facet_source *source, facet_error *error);

/* -- Changing ----------------------------------------------------------- */

/* Give a file other bytes, as they are to be stored; they outlive the archive. */
FACET_EXPERIMENTAL_API facet_status facet_archive_replace(facet_archive *archive, uint32_t member,
                                                          const void *data, size_t size,
                                                          facet_error *error);
/* Add a file, or a folder when `data` is NULL, behind all that is in `folder`
 * (FACET_NONE: the root). The name is copied, the bytes outlive the archive. Flags
 * are FILE and MRAM, or FOLDER. At once when the folder's members are the last
 * ones, else linear. *member may be NULL.
 * Errors: FACET_ERROR_ARGUMENT, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_archive_append(facet_archive *archive, uint32_t folder,
                                                         const char *name, const void *data,
                                                         size_t size, uint32_t *member,
                                                         facet_error *error);
/* Add a file at a path, with the folders on the way to it that are missing; in its
 * folder it comes behind the last file, before folders. In RARC, where games
 * find names in lower case alone, A to Z become a to z. Members behind it get
 * other numbers. */
FACET_EXPERIMENTAL_API facet_status facet_archive_add(facet_archive *archive, const char *path,
                                                      const void *data, size_t size,
                                                      uint32_t *member, facet_error *error);
/* Take a member out, a folder with all that is in it. Linear. */
FACET_EXPERIMENTAL_API facet_status facet_archive_remove(facet_archive *archive, uint32_t member,
                                                         facet_error *error);

/* Write an archive. When members were only replaced, or nothing was done, all
 * tables and all bytes of other members are those of the file, whatever program
 * made it; the data of members may lie elsewhere. Otherwise the layout is that of
 * the console maker's tools, of the members in their order. Members that point to
 * the same bytes share them. When members of RARC that were in the file get other
 * numbers, options->report gets a warning ARCHIVE-NUMBERS: games may have them
 * built in. ZIP is FACET_ERROR_UNSUPPORTED.
 * Errors: FACET_ERROR_LIMIT for what the fields cannot hold, FACET_ERROR_ARGUMENT for a
 * document whose members are in no order, FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_archive_write(const facet_archive *archive,
                                                        const facet_options *options,
                                                        facet_output *output, facet_error *error);

/* -- Paths that run through archives ------------------------------------ */

/* What a path leads to: a file, or a member of an archive that is a file, or is a
 * member of an archive ... "Link.arc/bdl/cl.bdl". Archives on the way may be
 * compressed. */
typedef struct facet_input facet_input;

/* Open a path. Errors: FACET_ERROR_IO when there is nothing, those of facet_archive_read
 * and facet_decompress of what is on the way, FACET_ERROR_LIMIT for more than
 * FACET_ARCHIVE_MAX_NESTING archives in one another. */
FACET_EXPERIMENTAL_API facet_status facet_input_open(const char *path, const facet_options *options,
                                                     facet_input **input, facet_error *error);
/* The same of an open descriptor, which stays open; `name` is for messages. */
FACET_EXPERIMENTAL_API facet_status facet_input_open_descriptor(int descriptor, const char *name,
                                                                const facet_options *options,
                                                                facet_input **input,
                                                                facet_error *error);
/* The same of a file in an archive that was read, for those who read many of its
 * files; the archive outlives the input. `prefix` as in facet_archive_open. */
FACET_EXPERIMENTAL_API facet_status facet_input_open_member(const facet_archive *archive,
                                                            uint32_t member, const char *prefix,
                                                            const facet_options *options,
                                                            facet_input **input,
                                                            facet_error *error);
/* What was found, as it is stored: maybe compressed. Valid until the input is
 * closed. Siblings are those in the folder, or in the archive. */
FACET_EXPERIMENTAL_API facet_source facet_input_source(const facet_input *input);
/* The same, decompressed when it is compressed. Its name is still that of the file; siblings of
 * what is compressed by gzip and the like are found compressed or not.
 * Errors: those of facet_decompress, and of such a stream FACET_ERROR_MALFORMED with AR36,
 * FACET_ERROR_LIMIT with AR37, FACET_ERROR_UNSUPPORTED (FORMAT-ABSENT). */
FACET_EXPERIMENTAL_API facet_status facet_input_decompress(facet_input *input, facet_source *source,
                                                           facet_error *error);
/* NULL is fine. */
FACET_EXPERIMENTAL_API void facet_input_close(facet_input *input);

/* How much of a path is the file that the rest of it runs through; 0 when it does
 * not run through an archive. */
FACET_EXPERIMENTAL_API size_t facet_archive_in_path(const char *path);

/* How an output is to be compressed. */
typedef enum facet_output_compression {
    FACET_COMPRESS_AS_IT_WAS = 0, /* as the file or member that is replaced; of a new one: by its
                                     name, .szs is Yaz0 and .szp Yay0. A name that ends in .gz,
                                     .bz2, .xz, .zst or .lz4 is compressed so, and the siblings
                                     of the output are not */
    FACET_COMPRESS_NEVER,
    FACET_COMPRESS_ALWAYS, /* the same, but of a file that is in no archive Yaz0 where neither it
                              nor its name says */
    FACET_COMPRESS_YAZ0,
    FACET_COMPRESS_YAY0
} facet_output_compression;

typedef struct facet_archive_output_options {
    uint32_t struct_size; /* sizeof(facet_archive_output_options), or 0: that of release 0.2 */
    bool add;             /* a member that is not there is added */
    facet_output_compression compression; /* of the output; archives on the way stay as they were */
    facet_compression_effort effort;      /* of the output, and of the archives on the way */
    uint32_t alignment; /* compressed, the output has zeros up to a multiple of this; 0: as it was,
                           of a new one 32 */
} facet_archive_output_options;

/* An output to a path that may run through archives. What is written is kept in
 * memory; on commit the archives that the path runs through are written anew,
 * innermost first, by the rules of facet_archive_write, and the file appears whole
 * or not at all, siblings of the output in the same archive with it. A path
 * without an archive and without compression is facet_output_open. `how` may
 * be NULL. Allocator and report of `options` outlive the output. Of outputs into
 * one archive at once the last one committed is what it has.
 * Errors: those of facet_input_open, and FACET_ERROR_IO for a member that is not there, unless
 * it is to be added. */
FACET_EXPERIMENTAL_API facet_status
facet_archive_open_output(const char *path, const facet_archive_output_options *how,
                          const facet_options *options, facet_output **output, facet_error *error);
/* Take the member that a path leads to out of its archive, at once. */
FACET_EXPERIMENTAL_API facet_status facet_archive_delete(const char *path,
                                                         const facet_archive_output_options *how,
                                                         const facet_options *options,
                                                         facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
