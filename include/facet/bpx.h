/* facet/bpx.h - the BlockProject eXtended container: textures (T), models (M),
 * shader packages (S), scenes (C) and packages (P).
 *
 * A BPX file is a header, a table of sections, and their contents, each plain or
 * compressed. A view reads the table only and copies nothing; contents are
 * inflated when asked for. Version 0 (revision 0-A of the specification) is read
 * and written; the containers of later revisions are read: versions 1 and 2 with
 * XZ sections and the checksums of their own library.
 *
 * What is decided where the specification is silent stands in docs/reference/formats/bpx.md.
 *
 * Stability: stable, except facet_bpx_from_images, facet_bpx_get_shaders and
 * facet_bpx_from_programs. */
#ifndef FACET_BPX_H
#define FACET_BPX_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How scenes become BPX (facet_options.bpx). All zero: the defaults. */
typedef struct facet_bpx_options {
    uint32_t struct_size; /* sizeof(facet_bpx_options), or 0: that of release 0.2 */
    double frame_rate;    /* frames a second of baked animations; 0: 30 */
    /* MiB that all frames may take: two keys a year apart are few bytes and many frames;
     * 0: 256, 23 minutes of a hundred bones */
    uint32_t frames_limit;
} facet_bpx_options;

/* -- Viewing ------------------------------------------------------------ */

typedef enum facet_bpx_revision {
    FACET_BPX_0A = 0, /* version 0, header of 24 bytes: the one that is written */
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

/* A file as its header tells of it; points into the bytes that were viewed,
 * which must outlive it. Nothing to release. */
typedef struct facet_bpx_layout {
    const uint8_t *data;
    size_t size;
    facet_bpx_revision revision;
    char type;          /* 'T', 'M', 'S', 'C', 'P', or another */
    uint32_t checksum;  /* as stored */
    uint64_t file_size; /* as stored */
    uint32_t section_count;
    uint32_t table_offset; /* size of the header */
    uint32_t entry_size;   /* of the table: 16 or 24 */
    uint8_t extension[16]; /* TypeExt */
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
    uint32_t stored_size;  /* as the table says */
    uint32_t size;         /* uncompressed, as the table says; 0 for 16-byte entries */
    uint32_t checksum;     /* of the contents, 24-byte entries only */
    const uint8_t *stored; /* its bytes in the file; plain contents can be used in place */
    size_t available;      /* of them: stored_size, or less where the file ends (only in
                              compressed sections of 0-A, whose size may be the inflated one) */
} facet_bpx_section;

/* View a BPX file. Every section of a viewed file lies inside its bytes.
 * Linear in the number of sections; of version 0 no byte of their contents is
 * touched, of later ones the first six of compressed sections (and where a file
 * could be of either, the checksum over all of it decides).
 * Errors: FACET_ERROR_MALFORMED with BPX-SIZE-HEADER, BPX-SIGNATURE, BPX-VERSION,
 * BPX-TABLE-BOUNDS, BPX-SECTION-BOUNDS or BPX-SECTION-IN-HEADER. */
FACET_API facet_status facet_bpx_view(const uint8_t *data, size_t size, facet_bpx_layout *layout,
                                      facet_error *error);
/* The section at `index`, below section_count. */
FACET_API facet_bpx_section facet_bpx_section_at(const facet_bpx_layout *layout, uint32_t index);

/* -- Checksums ---------------------------------------------------------- */

/* Hold every checksum of a file against its bytes: FACET_OK means that all are
 * right (a sum that counts its own field as zeros is, and so is a CRC by the
 * table of the library of versions 1 and 2). Reads the whole file; sections of
 * versions 1 and 2 that have a sum are inflated for it, one at a time.
 * Errors: FACET_ERROR_MALFORMED with BPX-CRC, BPX-CRC-ABSENT, BPX2-SUM or
 * BPX2-SECTION-SUM, and those of facet_bpx_read for contents that cannot be
 * inflated; FACET_ERROR_UNSUPPORTED for revisions 0-C to 0-F, whose sum is not
 * known; FACET_ERROR_MEMORY. */
FACET_API facet_status facet_bpx_verify(const facet_bpx_layout *layout, facet_error *error);

/* -- Document ----------------------------------------------------------- */

/* A section of a document: its contents, inflated. */
typedef struct facet_bpx_contents {
    uint8_t type;
    bool plain;          /* never compressed; others are where that makes them smaller */
    const uint8_t *data; /* of a plain section that was read: in the file */
    size_t size;
    uint64_t offset; /* of its bytes in the file that was read, for messages; 0 by hand */
} facet_bpx_contents;

/* A file with the contents of all its sections. A plain struct: facet_bpx_read
 * makes one; for writing, fill one in by hand and point it at sections of your
 * own. */
typedef struct facet_bpx {
    facet_arena *arena; /* owner of what facet_bpx_free frees; NULL when filled in by hand */
    facet_bpx_revision revision; /* as read; only 0-A is written */
    char type;                   /* 'T', 'M', 'S', 'C', 'P' */
    uint8_t extension[16];       /* TypeExt; in version 0 the first five bytes */
    uint32_t section_count;
    facet_bpx_contents *sections;
} facet_bpx;

/* View a file and inflate every compressed section, several at once on
 * options->threads. What is plain stays in the source's bytes, which must outlive
 * the document. A section may inflate to 1,032 times its stored bytes, the most
 * deflate can do, and all together to options->memory_limit.
 * Errors: those of the view; BPX-ZLIB, BPX-ZLIB-BOMB, BPX-ZLIB-FOREIGN,
 * BPX2-USIZE. Checksums are not looked at: facet_bpx_verify does. */
FACET_API facet_status facet_bpx_read(const facet_source *source, const facet_options *options,
                                      facet_bpx **document, facet_error *error);
/* Free a document that was made by this library. NULL is fine. */
FACET_API void facet_bpx_free(facet_bpx *document);

/* Write a document as a file of version 0 (0-A): the sections in this order,
 * contiguous, with zlib at level 9, checksum and sizes. Compressed on
 * options->threads. The same bytes for the same sections. The caller commits.
 * Errors: FACET_ERROR_ARGUMENT with BPX-DOCUMENT when sections or their data are
 * missing; FACET_ERROR_UNSUPPORTED with BPX-VERSION-LATER for a document of
 * another revision; FACET_ERROR_LIMIT for more than 65,535 sections, or one of
 * 4 GiB. */
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
    uint32_t image_count; /* at least 1; 6 for a cube: +X -X +Y -Y +Z -Z */
    uint32_t mip_count;   /* levels to make when loading; none are stored */
    bool is_array, is_cube, gpu_compress;
    const uint8_t *pixels; /* image after image, top row first, no padding */
    size_t image_size;     /* bytes of one image */
} facet_bpx_texture;

/* The texture of a document of type T. *deviation, if not NULL, is the rule of
 * the tolerant reading that was taken (BPX-T-NIBBLES, BPX-T-ARRAY-FLAG) or NULL.
 * Errors: BPX-SECTION-MISSING, BPX-T-FORMAT, BPX-T-SIZE, BPX-T-CUBE. */
FACET_API facet_status facet_bpx_get_texture(const facet_bpx *document, facet_bpx_texture *texture,
                                             const char **deviation, facet_error *error);

typedef struct facet_bpx_texture_options {
    uint32_t struct_size; /* sizeof(facet_bpx_texture_options), or 0: that of release 0.2 */
    bool cube;            /* six images */
    bool array;           /* an array, also of a single image */
    bool gpu_compress;    /* ask the loader to compress for the GPU */
    uint32_t mip_count;   /* levels the loader makes, to 255; 0: the base level alone */
} facet_bpx_texture_options;

/* Make a texture of images. All have pixels, the same size (powers of two, 2 to
 * 65,536) and channels; gray with alpha becomes RGBA. Floats need one channel, or
 * several of the same value. how may be NULL. The document does not need the
 * images. Free with facet_bpx_free. Errors: FACET_ERROR_UNSUPPORTED with
 * BPX-T-POWER, BPX-T-CUBE, BPX-T-ALIKE, BPX-T-FORMAT, BPX-T-MIPS. */
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

/* What a component is taken for, by its shape and place (docs/reference/formats/bpx.md). */
typedef enum facet_bpx_meaning {
    FACET_BPX_POSITION,
    FACET_BPX_NORMAL,
    FACET_BPX_TEXCOORD,
    FACET_BPX_TANGENT, /* three floats, or four: w is the handedness */
    FACET_BPX_BITANGENT,
    FACET_BPX_COLOR,
    FACET_BPX_JOINTS,  /* one integer or four */
    FACET_BPX_WEIGHTS, /* as many floats */
    FACET_BPX_CUSTOM
} facet_bpx_meaning;

typedef struct facet_bpx_component {
    facet_bpx_component_type type;
    uint32_t elements;         /* 1 to 15, of 4 bytes */
    uint32_t offset;           /* in the vertex */
    facet_bpx_meaning assumed; /* by shape and place */
    facet_bpx_meaning meaning; /* the same, unless the values speak against it */
    uint32_t set;              /* of the meaning */
} facet_bpx_component;

/* Triangles of one material, in place: vertex `i` at vertices + i * vertex_size. */
typedef struct facet_bpx_vertex_array {
    uint32_t section;
    uint32_t material;     /* offset of a string */
    uint32_t vertex_count; /* a multiple of 3; an incomplete triangle is left out */
    const uint8_t *vertices;
} facet_bpx_vertex_array;

typedef struct facet_bpx_model {
    uint32_t vertex_size;
    bool swapped; /* only the other order of nibbles fits the vertex format */
    uint32_t component_count;
    facet_bpx_component components[255];
    uint32_t array_count;
    facet_bpx_vertex_array *arrays; /* in the document's arena */
    uint32_t bone_count;
    const uint8_t *bones; /* 68 bytes each: float[16] row-major, u32 name */
    /* The private profile of FrameArray, where it holds one; 0 frames otherwise. */
    uint32_t frame_count, frame_rate;
    const uint8_t *frames; /* frame_count * bone_count * 64 bytes, frame by frame */
    facet_bpx_contents strings;
} facet_bpx_model;

/* The model of a document of type M, which has an arena (BPX-DOCUMENT). Errors:
 * BPX-SECTION-MISSING, BPX-M-*. */
FACET_API facet_status facet_bpx_get_model(const facet_bpx *document, facet_bpx_model *model,
                                           facet_error *error);

/* -- Shader packages (S) ------------------------------------------------ */

enum { FACET_BPX_DIRECTX = 1, FACET_BPX_OPENGL = 2, FACET_BPX_VULKAN = 4, FACET_BPX_METAL = 8 };

/* A shader program of one API; shaders are indices into the section table, or
 * FACET_NONE. */
typedef struct facet_bpx_assembly {
    bool is_present;
    uint32_t least_version; /* 10 * major + minor */
    uint32_t vertex, geometry, pixel;
} facet_bpx_assembly;

typedef struct facet_bpx_shaders {
    uint32_t count; /* as the header says */
    uint8_t flags;  /* FACET_BPX_DIRECTX, ... */
    facet_bpx_assembly gl, dx;
    bool zero_based; /* ids were read from 0, which only fits */
} facet_bpx_shaders;

/* The programs of a document of type S. Errors: BPX-SECTION-MISSING,
 * BPX-S-ASM-SIZE, BPX-S-ASM-ID. */
FACET_EXPERIMENTAL_API facet_status facet_bpx_get_shaders(const facet_bpx *document,
                                                          facet_bpx_shaders *shaders,
                                                          facet_error *error);

/* A shader to pack. */
typedef struct facet_bpx_shader {
    const void *data; /* source or compiled; NULL: none */
    size_t size;
    const char *name; /* for messages */
} facet_bpx_shader;

typedef struct facet_bpx_program {
    uint32_t least_version; /* 0: no program for this API */
    facet_bpx_shader vertex, geometry, pixel;
} facet_bpx_program;

/* Make a shader package. OpenGL is required, DirectX may be all zero. The document
 * points to the shaders, which must outlive it. Free with facet_bpx_free. Errors:
 * FACET_ERROR_ARGUMENT with BPX-S-ASM-VERTEX. */
FACET_EXPERIMENTAL_API facet_status facet_bpx_from_programs(const facet_bpx_program *gl,
                                                            const facet_bpx_program *dx,
                                                            const facet_options *options,
                                                            facet_bpx **document,
                                                            facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
