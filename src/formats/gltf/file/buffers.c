/* formats/gltf/file/buffers.c - the bytes of buffers and views: the GLB's chunk, data URIs, files
 * next to the source, and views compressed with KHR_meshopt_compression or
 * EXT_meshopt_compression. */
#include "base/arena.h"
#include "base/base64.h"
#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/size.h"
#include "formats/gltf/file/file.h"
#include "formats/gltf/file/meshopt.h"
#include "mesh/meshoptimizer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* -- URIs --------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

char *facet_gltf_decode_uri(facet_arena *arena, const char *uri)
{
    char *path = facet_arena_string(arena, uri, strlen(uri));
    if (!path)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; path[i]; i++) {
        int high = path[i] == '%' ? hex_digit(path[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(path[i + 2]) : -1;
        int value = low >= 0 ? high * 16 + low : 0;
        if (value > 0) { /* keep %00: a NUL would end the name early */
            path[used++] = (char)value;
            i += 2;
        } else {
            path[used++] = path[i];
        }
    }
    path[used] = '\0';
    return path;
}

bool facet_gltf_is_data_uri(const char *uri)
{
    return strncasecmp(uri, "data:", 5) == 0;
}

/* Bytes with every %XX decoded, including NULs; NULL if out of memory. */
static uint8_t *decode_percent(facet_arena *arena, const char *text, size_t *size)
{
    size_t length = strlen(text), used = 0;
    uint8_t *bytes = facet_arena_allocate(arena, length, 1);
    for (size_t i = 0; bytes && i < length; i++) {
        int high = text[i] == '%' ? hex_digit(text[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        bytes[used++] = low >= 0 ? (uint8_t)(high * 16 + low) : (uint8_t)text[i];
        i += low >= 0 ? 2 : 0;
    }
    *size = used;
    return bytes;
}

/* RFC 2397: data:[TYPE][;NAME=VALUE]...[;base64],DATA. Without ";base64" the data are plain bytes
 * and %XX. */
static facet_status decode_data_uri(const char *uri, facet_arena *arena, const uint8_t **data,
                                    size_t *size, facet_error *error)
{
    const char *comma = strchr(uri, ',');
    if (!comma)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-URI", FACET_NO_OFFSET,
                          "a data URI has no comma, expected data:TYPE;base64,DATA");
    bool is_base64 = comma - uri >= 12 && strncasecmp(comma - 7, ";base64", 7) == 0;
    const char *text = comma + 1;
    size_t length = strlen(text);
    if (!is_base64 || strchr(text, '%')) {
        text = (const char *)(*data = decode_percent(arena, text, &length));
        *size = length;
        if (!text)
            return facet_fail_arena(arena, error);
    }
    uint8_t *bytes;
    if (!is_base64)
        return FACET_OK;
    if (!facet_base64_decode(arena, text, length, &bytes, size)) {
        facet_status status = facet_arena_status(arena, error);
        return status ? status
                      : facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-URI", FACET_NO_OFFSET,
                                   "a data URI is not base64, although it is marked as such");
    }
    *data = bytes;
    return FACET_OK;
}

facet_status facet_gltf_load_uri(facet_gltf_file *file, const char *uri, facet_arena *arena,
                                 const uint8_t **data, size_t *size, facet_source *opened,
                                 facet_error *error)
{
    memset(opened, 0, sizeof *opened);
    if (facet_gltf_is_data_uri(uri))
        return decode_data_uri(uri, arena, data, size, error);
    facet_quoted quoted;
    if (strstr(uri, "://"))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "GLTF-URI", FACET_NO_OFFSET,
                          "'%s' is not a file next to this one, and Facet does not download files",
                          facet_quote(&quoted, uri, strlen(uri)));
    char *path = facet_gltf_decode_uri(file->arena, uri);
    if (!path)
        return facet_fail_arena(file->arena, error);
    TRY(facet_source_open_uri(file->source, path, opened, error));
    *data = opened->data;
    *size = opened->size;
    return FACET_OK;
}

/* -- Buffers ------------------------------------------------------------ */

static facet_status load_buffer(facet_gltf_file *file, uint32_t index, facet_error *error)
{
    facet_gltf_buffer *buffer = &file->document.buffers[index];
    facet_status status = FACET_OK;
    if (buffer->uri) {
        status = facet_gltf_load_uri(file, buffer->uri, file->arena, &buffer->data, &buffer->size,
                                     &file->files[index], error);
    } else if (index == 0 && file->binary && file->chunk && !buffer->fallback) {
        buffer->data = file->chunk;
        buffer->size = file->chunk_size;
    } else {
        if (file->binary && index == 0 && !buffer->fallback)
            facet_report_add(file->options ? file->options->report : NULL, "GLTF-BUFFER",
                             FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "buffer 0 is the binary chunk, which the GLB does not have");
        return FACET_OK; /* no bytes: load_view rejects a view that needs them */
    }
    if (!status && buffer->size < buffer->length)
        status = facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-BUFFER", FACET_NO_OFFSET,
                            "buffer %" PRIu32 " has %zu bytes, its byteLength is %" PRIu64, index,
                            buffer->size, buffer->length);
    if (!status)
        buffer->size = (size_t)buffer->length;
    return status;
}

/* -- Compressed views ---------------------------------------------------- */

static bool meshopt_is_sound(const facet_gltf_meshopt *m)
{
    if (strcmp(m->mode, "ATTRIBUTES") == 0) {
        if (m->stride == 0 || m->stride > 256 || m->stride % 4 != 0)
            return false;
        if (strcmp(m->filter, "NONE") == 0 || strcmp(m->filter, "EXPONENTIAL") == 0)
            return true;
        if (strcmp(m->filter, "OCTAHEDRAL") == 0 || (m->is_khr && strcmp(m->filter, "COLOR") == 0))
            return m->stride == 4 || m->stride == 8;
        return strcmp(m->filter, "QUATERNION") == 0 && m->stride == 8;
    }
    bool triangles = strcmp(m->mode, "TRIANGLES") == 0;
    return (triangles || strcmp(m->mode, "INDICES") == 0) && (m->stride == 2 || m->stride == 4) &&
           (!triangles || m->count % 3 == 0) && strcmp(m->filter, "NONE") == 0;
}

/* meshoptimizer returns -1 for an unknown first byte: a later version, if the codec is that of the
 * mode. */
enum { DECODE_UNKNOWN = -1, DECODE_DAMAGED = -2 };

/* Decode with Facet's functions if the installed meshoptimizer may be too old: vertices of version
 * 1, and colors. */
static int decode_meshopt(const facet_meshoptimizer *meshoptimizer, const facet_gltf_meshopt *m,
                          const uint8_t *from, uint8_t *to)
{
    size_t count = (size_t)m->count, stride = (size_t)m->stride, length = (size_t)m->length;
    if (strcmp(m->mode, "TRIANGLES") == 0)
        return meshoptimizer->decode_triangles(to, count, stride, from, length);
    if (strcmp(m->mode, "INDICES") == 0)
        return meshoptimizer->decode_indices(to, count, stride, from, length);
    int result = DECODE_DAMAGED;
    if (length == 0 || from[0] != 0xA1)
        result = meshoptimizer->decode_vertices(to, count, stride, from, length);
    else if (facet_meshopt_decode_vertices(to, count, stride, from, length))
        result = 0;
    if (result == 0 && strcmp(m->filter, "OCTAHEDRAL") == 0)
        meshoptimizer->decode_octahedral(to, count, stride);
    else if (result == 0 && strcmp(m->filter, "QUATERNION") == 0)
        meshoptimizer->decode_quaternions(to, count, stride);
    else if (result == 0 && strcmp(m->filter, "EXPONENTIAL") == 0)
        meshoptimizer->decode_exponential(to, count, stride);
    else if (result == 0 && strcmp(m->filter, "COLOR") == 0)
        facet_meshopt_decode_colors(to, count, stride);
    return result;
}

/* The codec and version that the first byte names, if the byte is valid. */
static const char *codec_of(const facet_gltf_meshopt *m, const uint8_t *from, unsigned *version)
{
    static const struct {
        const char *mode, *name;
        unsigned head;
    } codecs[] = {{"ATTRIBUTES", "vertices", 0xA0},
                  {"TRIANGLES", "triangles", 0xE0},
                  {"INDICES", "indices", 0xD0}};
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        if (strcmp(m->mode, codecs[i].mode) == 0 && m->length > 0 &&
            (from[0] & 0xF0u) == codecs[i].head) {
            *version = from[0] & 0x0Fu;
            return codecs[i].name;
        }
    }
    return NULL;
}

static facet_status fail_decode(const facet_gltf_meshopt *m, const uint8_t *from, int result,
                                uint32_t index, facet_error *error)
{
    unsigned version = 0;
    const char *codec = result == DECODE_UNKNOWN ? codec_of(m, from, &version) : NULL;
    if (codec)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "GLTF-MESHOPT", FACET_NO_OFFSET,
                          "buffer view %" PRIu32 " is compressed with version %u of the codec of "
                          "%s, which the meshoptimizer of this build does not decode",
                          index, version, codec);
    return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-MESHOPT", FACET_NO_OFFSET,
                      "the compressed bytes of buffer view %" PRIu32 " cannot be decoded", index);
}

/* Maximum ratio. The codecs expand one byte to at most 64; views that claim more than four times
 * that are rejected before allocation. */
#define BEST_RATIO 256

static facet_status load_meshopt(facet_gltf_file *file, uint32_t index, facet_error *error)
{
    const facet_meshoptimizer *meshoptimizer;
    TRY(facet_meshoptimizer_open(&meshoptimizer, error));
    if (!meshoptimizer->decode_vertices)
        return facet_fail_absent(error, "EXT_meshopt_compression needs", "meshoptimizer",
                                 "FACET_MESHOPT");
    facet_gltf_view *view = &file->document.views[index];
    const facet_gltf_meshopt *m = view->meshopt;
    const facet_gltf_buffer *buffer =
        m->buffer < file->document.buffer_count ? &file->document.buffers[m->buffer] : NULL;
    if (!buffer || !buffer->data || !facet_range_fits(m->offset, m->length, 1, buffer->size))
        return facet_fail(
            error, FACET_ERROR_MALFORMED, "GLTF-MESHOPT", FACET_NO_OFFSET,
            "the compressed bytes of buffer view %" PRIu32 " lie outside their buffer", index);
    if (!meshopt_is_sound(m) || m->count > view->length / m->stride ||
        m->count > (m->length + 16) * BEST_RATIO / m->stride)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-MESHOPT", FACET_NO_OFFSET,
                          "buffer view %" PRIu32
                          " has a mode, filter, stride or count that its compression cannot have",
                          index);
    TRY(facet_gltf_spend_decoded(file, m->length, m->count * m->stride, error));
    /* The view's own length can be larger, with padding that is never read. */
    uint8_t *bytes = facet_arena_allocate(file->arena, (size_t)m->count, (size_t)m->stride);
    if (!bytes)
        return facet_fail_arena(file->arena, error);
    const uint8_t *from = buffer->data + m->offset;
    int result = decode_meshopt(meshoptimizer, m, from, bytes);
    if (result != 0)
        return fail_decode(m, from, result, index, error);
    view->data = bytes;
    view->length = m->count * m->stride;
    return FACET_OK;
}

/* -- Views -------------------------------------------------------------- */

static facet_status load_view(facet_gltf_file *file, uint32_t index, facet_error *error)
{
    facet_gltf_view *view = &file->document.views[index];
    if (view->buffer >= file->document.buffer_count)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-VIEW", FACET_NO_OFFSET,
                          "buffer view %" PRIu32 " names buffer %" PRIu32 " of %" PRIu32, index,
                          view->buffer, file->document.buffer_count);
    const facet_gltf_buffer *buffer = &file->document.buffers[view->buffer];
    if (!facet_range_fits(view->offset, view->length, 1, buffer->length))
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-VIEW", FACET_NO_OFFSET,
                          "buffer view %" PRIu32 " takes %" PRIu64 " bytes at %" PRIu64
                          " of a buffer of %" PRIu64,
                          index, view->length, view->offset, buffer->length);
    if (view->stride > 252)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-VIEW", FACET_NO_OFFSET,
                          "buffer view %" PRIu32 " has a stride of %" PRIu64
                          ", expected at most 252",
                          index, view->stride);
    if (view->meshopt) {
        facet_status status = load_meshopt(file, index, error);
        if (status != FACET_ERROR_UNSUPPORTED || !buffer->data)
            return status;
        view->meshopt = NULL; /* the same elements, not compressed */
    }
    if (!buffer->data)
        return facet_fail(error, FACET_ERROR_MALFORMED,
                          file->binary ? "GLTF-BUFFER" : "GLTF-BUFFER-ABSENT", FACET_NO_OFFSET,
                          "buffer %" PRIu32 " has no bytes: no URI%s", view->buffer,
                          file->binary ? ", and it is not the binary chunk" : "");
    view->data = buffer->data + view->offset;
    return FACET_OK;
}

facet_status facet_gltf_load_buffers(facet_gltf_file *file, facet_error *error)
{
    facet_gltf_document *document = &file->document;
    file->files =
        facet_arena_allocate_zeroed(file->arena, document->buffer_count, sizeof *file->files);
    if (!file->files)
        return facet_fail_arena(file->arena, error);
    facet_status status = FACET_OK;
    uint64_t bytes = file->json_size;
    for (uint32_t i = 0; i < document->buffer_count && !status; i++) {
        /* Reading the JSON is the first half of the progress. */
        status = facet_step(file->options, "read", 0.5 + 0.5 * i / document->buffer_count, error);
        if (!status)
            status = load_buffer(file, i, error);
        bytes += document->buffers[i].size;
    }
    file->fresh = bytes - file->json_size;
    file->budget = facet_budget_of(file->options, bytes, FACET_BUDGET_WORK);
    for (uint32_t i = 0; i < document->view_count && !status; i++)
        status = load_view(file, i, error);
    return status;
}

facet_status facet_gltf_spend(facet_gltf_file *file, uint64_t count, uint64_t size,
                              facet_error *error)
{
    uint64_t bytes = count > UINT64_MAX / size ? UINT64_MAX : count * size;
    return facet_budget_spend(&file->budget, bytes, "arrays of the scene", error);
}

facet_status facet_gltf_spend_decoded(facet_gltf_file *file, uint64_t compressed, uint64_t decoded,
                                      facet_error *error)
{
    if (compressed > file->fresh)
        return facet_budget_spend(&file->budget, decoded, "compressed views", error);
    file->fresh -= compressed;
    facet_budget_add_input(&file->budget, decoded);
    return FACET_OK;
}
