/* facet/bpx.h - the BlockProject eXtended container: textures (T), models (M), shader packages (S),
 * scenes (C) and packages (P).
 *
 * A BPX file is a header, a table of sections, and their contents, each plain or compressed. A view
 * reads only the table and copies nothing; contents are decompressed on request. Version 0
 * (revision 0-A of the specification) is read and written. The containers of later revisions are
 * only read. So are versions 1 and 2, with XZ sections and the checksums of their library.
 * docs/reference/formats/bpx.md lists the decisions where the specification is silent.
 *
 * Stability: stable, except facet_bpx_from_images, facet_bpx_get_shaders and
 * facet_bpx_from_programs. */
#ifndef FACET_BPX_H
#define FACET_BPX_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options for writing scenes as BPX (facet_options.bpx). All zero: the defaults. */
typedef struct facet_bpx_options {
    uint32_t struct_size; /* sizeof(facet_bpx_options), or 0: that of release 0.2 */
    double frame_rate;    /* frames per second of baked animations; 0: 30 */
    /* Limit for all frames together, in MiB; 0: 256, enough for 23 minutes of a hundred bones.
     * Without it, two keys that are a year apart would become a huge number of frames. */
    uint32_t frames_limit;
} facet_bpx_options;

/* -- Viewing ------------------------------------------------------------ */

typedef enum facet_bpx_revision {
    FACET_BPX_0A = 0, /* version 0, header of 24 bytes; the only revision that is written */
    FACET_BPX_0B,     /* header of 32 bytes */
    FACET_BPX_0C,     /* header of 40 bytes */
    FACET_BPX_0D,     /* 0-D to 0-F: table entries of 24 bytes */
    FACET_BPX_1,
    FACET_BPX_2
} facet_bpx_revision;

typedef enum facet_bpx_compression {
    FACET_BPX_PLAIN,
    FACET_BPX_ZLIB,
    FACET_BPX_XZ
} facet_bpx_compression;

/* Header of a file. It points into the viewed bytes, which must outlive it. It needs no release. */
typedef struct facet_bpx_layout {
    const uint8_t *data;
    size_t size;
    facet_bpx_revision revision;
    char type;          /* 'T', 'M', 'S', 'C', 'P', or another */
    uint32_t checksum;  /* as stored */
    uint64_t file_size; /* as stored */
    uint32_t section_count;
    uint32_t table_offset; /* size of the header */
    uint32_t entry_size;   /* bytes of a table entry: 16 or 24 */
    uint8_t extension[16]; /* the field TypeExt */
    uint32_t extension_size;
} facet_bpx_layout;

/* One section. */
typedef struct facet_bpx_section {
    uint32_t index; /* in the table, from 0 */
    uint8_t type;
    uint8_t flags;
    uint16_t reserved;
    facet_bpx_compression compression;
    uint64_t offset;       /* of its bytes in the file */
    uint32_t stored_size;  /* stored in the table */
    uint32_t size;         /* uncompressed, stored in the table; 0 for 16-byte entries */
    uint32_t checksum;     /* of the contents; only for 24-byte entries */
    const uint8_t *stored; /* its bytes in the file; plain contents can be used in place */
    size_t available;      /* number of stored bytes: stored_size, or fewer at the end of the
                              file (only for compressed sections of 0-A, whose size may be the
                              uncompressed one) */
} facet_bpx_section;

/* View a BPX file. Every section of a viewed file is inside its bytes. Linear in the number of
 * sections. For version 0, no byte of the contents is read; for later versions, the first six bytes
 * of compressed sections are. If a file may be of either, the checksum over all of it decides.
 * Errors: FACET_ERROR_MALFORMED with BPX-SIZE-HEADER, BPX-SIGNATURE, BPX-VERSION, BPX-TABLE-BOUNDS,
 * BPX-SECTION-BOUNDS or BPX-SECTION-IN-HEADER. */
FACET_API facet_status facet_bpx_view(const uint8_t *data, size_t size, facet_bpx_layout *layout,
                                      facet_error *error);
/* The section at `index`, below section_count. */
FACET_API facet_bpx_section facet_bpx_section_at(const facet_bpx_layout *layout, uint32_t index);

/* -- Checksums ---------------------------------------------------------- */

/* Verify every checksum of a file: FACET_OK means that all are right. Two variants are also
 * accepted: a sum that counts its own field as zeros, and a CRC by the table of the library of
 * versions 1 and 2. Reads the whole file. Sections of versions 1 and 2 that have a sum are
 * decompressed for it, one at a time. Errors: FACET_ERROR_MALFORMED with BPX-CRC, BPX-CRC-ABSENT,
 * BPX2-SUM or BPX2-SECTION-SUM, and those of facet_bpx_read for contents that cannot be
 * decompressed; FACET_ERROR_UNSUPPORTED for revisions 0-C to 0-F, whose checksum algorithm is
 * unknown; FACET_ERROR_MEMORY. */
FACET_API facet_status facet_bpx_verify(const facet_bpx_layout *layout, facet_error *error);

/* -- Document ----------------------------------------------------------- */

/* A section of a document with its decompressed contents. */
typedef struct facet_bpx_contents {
    uint8_t type;
    bool plain;          /* never compress; other sections are compressed if that makes them
                            smaller */
    const uint8_t *data; /* of a plain section that was read: points into the file */
    size_t size;
    uint64_t offset; /* of its bytes in the file that was read, for messages; 0 if filled in by
                        the caller */
} facet_bpx_contents;

/* A file with the contents of all its sections. A plain struct. facet_bpx_read creates one. To
 * write one, fill it in and point it at your own sections. */
typedef struct facet_bpx {
    facet_arena *arena; /* owner of the memory, freed by facet_bpx_free; NULL: filled in by the
                           caller */
    facet_bpx_revision revision; /* as read; only 0-A is written */
    char type;                   /* 'T', 'M', 'S', 'C', 'P' */
    uint8_t extension[16];       /* the field TypeExt; in version 0 its first five bytes */
    uint32_t section_count;
    facet_bpx_contents *sections;
} facet_bpx;

/* View a file and decompress every compressed section, in parallel on options->threads. Plain
 * sections stay in the source's bytes, which must outlive the document. A section may decompress to
 * 1,032 times its stored bytes, the maximum of deflate, and all together to options->memory_limit.
 * Errors: those of facet_bpx_view; BPX-ZLIB, BPX-ZLIB-BOMB, BPX-ZLIB-FOREIGN, BPX2-USIZE. Checksums
 * are not verified; facet_bpx_verify does that. */
FACET_API facet_status facet_bpx_read(const facet_source *source, const facet_options *options,
                                      facet_bpx **document, facet_error *error);
/* Free a document created by this library. NULL is allowed. */
FACET_API void facet_bpx_free(facet_bpx *document);

/* Write a document as a file of version 0 (0-A): the sections in this order, contiguous, with zlib
 * at level 9, checksum and sizes. Compression runs on options->threads. The same sections always
 * give the same bytes. Call facet_output_commit to finish. Errors:
 *  - FACET_ERROR_ARGUMENT with BPX-DOCUMENT if sections or their data are missing;
 *  - FACET_ERROR_UNSUPPORTED with BPX-VERSION-LATER for a document of another revision;
 *  - FACET_ERROR_LIMIT for more than 65,535 sections, or one of 4 GiB. */
FACET_API facet_status facet_bpx_write(const facet_bpx *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

/* -- Textures (T) ------------------------------------------------------- */

struct facet_image;

typedef enum facet_bpx_texel {
    FACET_BPX_RGB = 1,
    FACET_BPX_RGBA = 2,
    FACET_BPX_GRAY = 3,
    FACET_BPX_FLOAT = 4 /* one float32 */
} facet_bpx_texel;

typedef struct facet_bpx_texture {
    uint32_t width, height; /* powers of two, 2 to 65,536 */
    facet_bpx_texel format;
    uint32_t bytes_per_pixel;
    uint32_t image_count; /* at least 1; 6 for a cube: +X, -X, +Y, -Y, +Z, -Z */
    uint32_t mip_count;   /* number of levels that the loader computes; none are stored */
    bool is_array, is_cube, gpu_compress;
    const uint8_t *pixels; /* image after image, top row first, no padding */
    size_t image_size;     /* bytes of one image */
} facet_bpx_texture;

/* Get the texture of a document of type T. If deviation is not NULL, *deviation becomes the rule
 * that the file breaks and that was tolerated (BPX-T-NIBBLES, BPX-T-ARRAY-FLAG), or NULL. Errors:
 * BPX-SECTION-MISSING, BPX-T-FORMAT, BPX-T-SIZE, BPX-T-CUBE. */
FACET_API facet_status facet_bpx_get_texture(const facet_bpx *document, facet_bpx_texture *texture,
                                             const char **deviation, facet_error *error);

typedef struct facet_bpx_texture_options {
    uint32_t struct_size; /* sizeof(facet_bpx_texture_options), or 0: that of release 0.2 */
    bool cube;            /* a cube of six images */
    bool array;           /* an array, even with a single image */
    bool gpu_compress;    /* ask the loader to compress for the GPU */
    uint32_t mip_count;   /* number of levels that the loader computes, up to 255; 0: only the
                             base level */
} facet_bpx_texture_options;

/* Create a texture from images. All must have pixels, with the same size (powers of two, 2 to
 * 65,536) and number of channels; gray with alpha becomes RGBA. Floats must have one channel, or
 * several of the same value. how may be NULL. The document does not point to the images. Free it
 * with facet_bpx_free. Errors: FACET_ERROR_UNSUPPORTED with BPX-T-POWER, BPX-T-CUBE, BPX-T-ALIKE,
 * BPX-T-FORMAT, BPX-T-MIPS. */
FACET_EXPERIMENTAL_API facet_status facet_bpx_from_images(const struct facet_image *const *images,
                                                          uint32_t count,
                                                          const facet_bpx_texture_options *how,
                                                          const facet_options *options,
                                                          facet_bpx **document, facet_error *error);

/* -- Models (M) --------------------------------------------------------- */

typedef enum facet_bpx_component_type {
    FACET_BPX_COMPONENT_FLOAT = 1,
    FACET_BPX_COMPONENT_INT = 2,
    FACET_BPX_COMPONENT_UINT = 3
} facet_bpx_component_type;

/* Assumed meaning of a component, derived from its shape and position
 * (docs/reference/formats/bpx.md). */
typedef enum facet_bpx_meaning {
    FACET_BPX_POSITION,
    FACET_BPX_NORMAL,
    FACET_BPX_TEXCOORD,
    FACET_BPX_TANGENT, /* three floats, or four: w is the handedness */
    FACET_BPX_BITANGENT,
    FACET_BPX_COLOR,
    FACET_BPX_JOINTS,  /* one integer, or four */
    FACET_BPX_WEIGHTS, /* as many floats as FACET_BPX_JOINTS has integers */
    FACET_BPX_CUSTOM
} facet_bpx_meaning;

typedef struct facet_bpx_component {
    facet_bpx_component_type type;
    uint32_t elements;         /* 1 to 15, of 4 bytes each */
    uint32_t offset;           /* in the vertex, in bytes */
    facet_bpx_meaning assumed; /* derived from shape and position */
    facet_bpx_meaning meaning; /* same as `assumed`, unless the values contradict it */
    uint32_t set;              /* set of the meaning */
} facet_bpx_component;

/* Triangles of one material, in place. Vertex `i` is at vertices + i * vertex_size. */
typedef struct facet_bpx_vertex_array {
    uint32_t section;
    uint32_t material;     /* offset of its name in the strings */
    uint32_t vertex_count; /* a multiple of 3; an incomplete triangle is left out */
    const uint8_t *vertices;
} facet_bpx_vertex_array;

typedef struct facet_bpx_model {
    uint32_t vertex_size;
    bool swapped; /* the vertex format only matches with the order of nibbles swapped */
    uint32_t component_count;
    facet_bpx_component components[255];
    uint32_t array_count;
    facet_bpx_vertex_array *arrays; /* owned by the document's arena */
    uint32_t bone_count;
    const uint8_t *bones; /* 68 bytes each: float[16] row-major, u32 name */
    /* The private profile of FrameArray, if the file has one; otherwise 0 frames. */
    uint32_t frame_count, frame_rate;
    const uint8_t *frames; /* frame_count * bone_count * 64 bytes, frame by frame */
    facet_bpx_contents strings;
} facet_bpx_model;

/* Get the model of a document of type M, which must have an arena (BPX-DOCUMENT). Errors:
 * BPX-SECTION-MISSING, BPX-M-*. */
FACET_API facet_status facet_bpx_get_model(const facet_bpx *document, facet_bpx_model *model,
                                           facet_error *error);

/* -- Shader packages (S) ------------------------------------------------ */

enum { FACET_BPX_DIRECTX = 1, FACET_BPX_OPENGL = 2, FACET_BPX_VULKAN = 4, FACET_BPX_METAL = 8 };

/* A shader program of one API. Shaders are indices into the section table, or FACET_NONE. */
typedef struct facet_bpx_assembly {
    bool is_present;
    uint32_t least_version; /* 10 * major + minor */
    uint32_t vertex, geometry, pixel;
} facet_bpx_assembly;

typedef struct facet_bpx_shaders {
    uint32_t count; /* as stored in the header */
    uint8_t flags;  /* FACET_BPX_DIRECTX and others */
    facet_bpx_assembly gl, dx;
    bool zero_based; /* ids start at 0, the only base that fits */
} facet_bpx_shaders;

/* Get the programs of a document of type S. Errors: BPX-SECTION-MISSING, BPX-S-ASM-SIZE,
 * BPX-S-ASM-ID. */
FACET_EXPERIMENTAL_API facet_status facet_bpx_get_shaders(const facet_bpx *document,
                                                          facet_bpx_shaders *shaders,
                                                          facet_error *error);

/* A shader to store in a package. */
typedef struct facet_bpx_shader {
    const void *data; /* source or compiled code; NULL: none */
    size_t size;
    const char *name; /* used in messages */
} facet_bpx_shader;

typedef struct facet_bpx_program {
    uint32_t least_version; /* 0: no program for this API */
    facet_bpx_shader vertex, geometry, pixel;
} facet_bpx_program;

/* Create a shader package. OpenGL is required, DirectX may be all zero. The document points to the
 * shaders, which must outlive it. Free it with facet_bpx_free. Errors: FACET_ERROR_ARGUMENT with
 * BPX-S-ASM-VERTEX. */
FACET_EXPERIMENTAL_API facet_status facet_bpx_from_programs(const facet_bpx_program *gl,
                                                            const facet_bpx_program *dx,
                                                            const facet_options *options,
                                                            facet_bpx **document,
                                                            facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
