/* formats/gltf/file/file.h - an open glTF: container, document and bytes, all range-checked. */
#ifndef FACET_GLTF_FILE_FILE_H
#define FACET_GLTF_FILE_FILE_H

#include "base/budget.h"
#include "formats/gltf/file/document.h"

#ifdef __cplusplus
extern "C" {
#endif

/* OpenGL's constants of the component types. */
enum {
    FACET_GLTF_INT8 = 5120,
    FACET_GLTF_UINT8 = 5121,
    FACET_GLTF_INT16 = 5122,
    FACET_GLTF_UINT16 = 5123,
    FACET_GLTF_UINT32 = 5125,
    FACET_GLTF_FLOAT = 5126
};

/* Maximum number of extension names that are compared pairwise. */
#define FACET_GLTF_MAX_EXTENSIONS 256

/* Tolerance of validators for the length of directions: the precision of three signed bytes. */
#define FACET_GLTF_UNIT_TOLERANCE 0.00674

static inline bool facet_gltf_is_unit(const float v[3])
{
    const double low = 1 - FACET_GLTF_UNIT_TOLERANCE, high = 1 + FACET_GLTF_UNIT_TOLERANCE;
    double square =
        (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
    return square >= low * low && square <= high * high;
}

/* Maximum number of elements of an accessor without a view, which is all zeros. */
#define FACET_GLTF_MAX_ZEROS 65536

/* An open glTF: its JSON and its bytes. The ranges of all views and accessors are checked. */
typedef struct facet_gltf_file {
    const facet_source *source;
    const facet_options *options;
    facet_arena *arena; /* owns the document and decoded bytes */
    uint32_t skip;      /* bits like FACET_SKIP_GEOMETRY */
    bool is_checked;    /* the check runs, and reports what the reader silently corrects */
    facet_gltf_document document;
    bool binary;         /* true for a GLB */
    const uint8_t *json; /* pointer into the source */
    size_t json_size;
    const uint8_t *chunk; /* the GLB's binary chunk, or NULL */
    size_t chunk_size;
    uint32_t chunk_count; /* chunks of the GLB, including the JSON */
    facet_source *files;  /* external buffers, one per buffer; all zero for buffers without a
                           * file */
    facet_budget budget;  /* of the scene's arrays */
    uint64_t fresh;       /* compressed bytes that are counted as decoded once */
} facet_gltf_file;

/* container.c: open the container, parse the JSON, find the bytes, check the ranges. */
facet_status facet_gltf_file_open(const facet_source *source, const facet_options *options,
                                  facet_gltf_file *file, facet_error *error);
void facet_gltf_file_close(facet_gltf_file *file);
/* Find the JSON in a file of either kind. False if it is truncated. */
bool facet_gltf_find_json(const facet_source *source, const uint8_t **json, size_t *size);
/* True if the bytes begin with a GLB header. */
bool facet_gltf_is_binary(const uint8_t *data, size_t size);

/* extensions.c: true if the reader supports an extension. */
bool facet_gltf_is_read(const char *name);
/* True if extensionsUsed has the name. */
bool facet_gltf_uses_extension(const facet_gltf_document *document, const char *name);
/* Unsupported extensions are an error if the file requires them, else a warning. */
facet_status facet_gltf_check_extensions(const facet_gltf_file *file, facet_error *error);
/* The image format by media type, or by file name extension if the type is "". NULL for PNG and
 * JPEG, which need no extension, and for unknown formats. */
const facet_gltf_picture *facet_gltf_picture_of(const char *media_type, const char *path);

/* maps.c: path of a map in a glTF material ("pbrMetallicRoughness/baseColorTexture"). NULL if glTF
 * does not have such a map. */
const char *facet_gltf_map_path(facet_map map);

/* buffers.c: fill `data` of every buffer and view. */
facet_status facet_gltf_load_buffers(facet_gltf_file *file, facet_error *error);
/* Bytes of a URI: a data URI decoded into `arena`, or a file next to the source. Close *opened with
 * facet_source_close; it is NULL for data URIs. */
facet_status facet_gltf_load_uri(facet_gltf_file *file, const char *uri, facet_arena *arena,
                                 const uint8_t **data, size_t *size, facet_source *opened,
                                 facet_error *error);
/* True if a URI contains its bytes: its scheme is "data", in any case of letters. */
bool facet_gltf_is_data_uri(const char *uri);
/* The path of a URI, with %XX decoded. NULL if out of memory. */
char *facet_gltf_decode_uri(facet_arena *arena, const char *uri);

/* accessors.c */
facet_status facet_gltf_check_accessors(const facet_gltf_file *file, facet_error *error);
/* Bytes of one component; 0 for an unknown type. */
size_t facet_gltf_component_size(uint32_t type);
/* Bytes of one element, without padding. */
size_t facet_gltf_element_size(const facet_gltf_accessor *accessor);
/* Read all elements, as `width` floats each. Integers are converted as they are, or scaled to 0..1
 * or -1..1 if normalized. Missing components are `fill`; components beyond `width` are ignored. */
void facet_gltf_read_floats(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                            uint32_t width, float fill, float *values);
/* Read elements of `components` integers each. Returns the largest integer. */
uint32_t facet_gltf_read_integers(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                                  uint32_t *values);
/* Copy elements unchanged, tightly packed. */
void facet_gltf_read_raw(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                         uint8_t *bytes);
/* Subtract count * size bytes of arrays from the budget: primitives and targets can share bytes,
 * but not without limit. FACET_ERROR_LIMIT (GROWTH-LIMIT) if the rest is too small. */
facet_status facet_gltf_spend(facet_gltf_file *file, uint64_t count, uint64_t size,
                              facet_error *error);
/* Count data that `compressed` bytes of a view become, before it is allocated. Data of bytes that
 * are decompressed again takes from the budget; other data adds to it. */
facet_status facet_gltf_spend_decoded(facet_gltf_file *file, uint64_t compressed, uint64_t decoded,
                                      facet_error *error);

/* draco.c: decode compressed primitives, and point their accessors to the result. Does nothing in a
 * build without libdraco. */
facet_status facet_gltf_decode_draco(facet_gltf_file *file, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
