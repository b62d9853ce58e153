/* formats/gltf/file/file.h - an open glTF: its container, its document and its bytes, all
 * of them range-checked. */
#ifndef FACET_GLTF_FILE_FILE_H
#define FACET_GLTF_FILE_FILE_H

#include "formats/gltf/file/document.h"

#ifdef __cplusplus
extern "C" {
#endif

/* GL's numbers of the component types. */
enum {
    FACET_GLTF_INT8 = 5120,
    FACET_GLTF_UINT8 = 5121,
    FACET_GLTF_INT16 = 5122,
    FACET_GLTF_UINT16 = 5123,
    FACET_GLTF_UINT32 = 5125,
    FACET_GLTF_FLOAT = 5126
};

/* Names of extensions that are compared with all others: they are few, whatever a file has. */
#define FACET_GLTF_MAX_EXTENSIONS 256

/* What validators allow for the length of directions: three signed bytes are no better. */
#define FACET_GLTF_UNIT_TOLERANCE 0.00674

static inline bool facet_gltf_is_unit(const float v[3])
{
    const double low = 1 - FACET_GLTF_UNIT_TOLERANCE, high = 1 + FACET_GLTF_UNIT_TOLERANCE;
    double square =
        (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
    return square >= low * low && square <= high * high;
}

/* An accessor without a view is zeros: so many are taken. */
#define FACET_GLTF_MAX_ZEROS 65536

/* An open glTF: its JSON, and the bytes that it names. Every view and every
 * accessor has been compared with the bytes that are there. */
typedef struct facet_gltf_file {
    const facet_source *source;
    const facet_options *options;
    facet_arena *arena; /* the document, and decoded bytes */
    uint32_t skip;      /* FACET_SKIP_GEOMETRY and others */
    bool is_checked;    /* the check reports what the reader would say that it corrects */
    facet_gltf_document document;
    bool binary;         /* a GLB */
    const uint8_t *json; /* in the source */
    size_t json_size;
    const uint8_t *chunk; /* the GLB's binary chunk, or NULL */
    size_t chunk_size;
    uint32_t chunk_count; /* of the GLB, the JSON's among them */
    facet_source *files;  /* external buffers, one per buffer, all zero for the others */
    uint64_t budget;      /* bytes that the scene's arrays may still take */
} facet_gltf_file;

/* container.c: open the container, parse, find the bytes, check the ranges. */
facet_status facet_gltf_file_open(const facet_source *source, const facet_options *options,
                                  facet_gltf_file *file, facet_error *error);
void facet_gltf_file_close(facet_gltf_file *file);
/* Where the JSON lies in a file of either kind; false when it is cut off. */
bool facet_gltf_find_json(const facet_source *source, const uint8_t **json, size_t *size);
/* True when the bytes begin like a GLB. */
bool facet_gltf_is_binary(const uint8_t *data, size_t size);

/* extensions.c: whether the reader knows what an extension says. */
bool facet_gltf_is_read(const char *name);
/* What is required and not read is an error, what is used and not read a
 * warning. */
facet_status facet_gltf_check_extensions(const facet_gltf_file *file, facet_error *error);
/* The kind of image by its media type, or by the end of its path where that is "". NULL: glTF
 * has it without an extension, or not at all. */
const facet_gltf_picture *facet_gltf_picture_of(const char *media_type, const char *path);

/* maps.c: where a material of glTF has a map ("pbrMetallicRoughness/baseColorTexture"), or NULL:
 * glTF has no such map. */
const char *facet_gltf_map_path(facet_map map);

/* buffers.c: fill in `data` of every buffer and view. */
facet_status facet_gltf_load_buffers(facet_gltf_file *file, facet_error *error);
/* Bytes of a URI: a data URI decoded into `arena`, or a file beside the source
 * (*opened, to be closed; NULL for data URIs). */
facet_status facet_gltf_load_uri(facet_gltf_file *file, const char *uri, facet_arena *arena,
                                 const uint8_t **data, size_t *size, facet_source *opened,
                                 facet_error *error);
/* Whether a URI holds its bytes itself: its scheme is "data" in small or capital letters. */
bool facet_gltf_is_data_uri(const char *uri);
/* A URI as a path: %XX decoded. NULL without memory. */
char *facet_gltf_decode_uri(facet_arena *arena, const char *uri);

/* accessors.c */
facet_status facet_gltf_check_accessors(const facet_gltf_file *file, facet_error *error);
/* Bytes of one component; 0 for a type that glTF does not know. */
size_t facet_gltf_component_size(uint32_t type);
/* Bytes of one element, without padding. */
size_t facet_gltf_element_size(const facet_gltf_accessor *accessor);
/* All elements, one after the other, as `width` floats each: integers as they
 * are, or from 0 or -1 to 1 when normalized. Components that an element lacks
 * are `fill`; those beyond `width` are left out. */
void facet_gltf_read_floats(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                            uint32_t width, float fill, float *values);
/* Elements of `components` integers each. Returns the largest. */
uint32_t facet_gltf_read_integers(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                                  uint32_t *values);
/* Elements as they are, tightly packed. */
void facet_gltf_read_raw(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                         uint8_t *bytes);
/* Take count * size bytes from the budget: FACET_ERROR_LIMIT when it is used
 * up, because a small file would make a scene out of all proportion. */
facet_status facet_gltf_spend(facet_gltf_file *file, uint64_t count, uint64_t size,
                              facet_error *error);

/* draco.c: decode the primitives that are compressed, and point their
 * accessors to the result. Does nothing in a build without libdraco. */
facet_status facet_gltf_decode_draco(facet_gltf_file *file, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
