/* formats/gltf/write.c - writer of a scene as .gltf with a separate .bin, or as .glb. */
#include "base/arena.h"
#include "base/base64.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "formats/gltf/format.h"
#include "formats/gltf/from_scene/writer.h"

#include <facet/gltf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -- Base64 ------------------------------------------------------------- */

/* Base64 text of the emitted bytes. Up to two bytes wait until their group is complete. */
typedef struct base64 {
    facet_output *output;
    uint8_t waiting[3];
    uint32_t count;
} base64;

static void flush_group(base64 *b)
{
    char text[4];
    if (b->count == 0)
        return;
    facet_base64_group(b->waiting, b->count, text);
    facet_output_write(b->output, text, sizeof text);
    b->count = 0;
}

static void emit_base64(void *user, const void *data, size_t size)
{
    base64 *b = user;
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) {
        b->waiting[b->count++] = bytes[i];
        if (b->count == 3)
            flush_group(b);
    }
}

/* -- Files -------------------------------------------------------------- */

static void emit_plain(void *user, const void *data, size_t size)
{
    facet_output_write(user, data, size);
}

/* Write the end of the list of buffers: the second buffer, which compressed views refer to. */
static int put_expanded(const facet_gltf_writer *w, char *text, size_t space)
{
    if (!w->compress)
        return snprintf(text, space, "]");
    return snprintf(text, space,
                    ",{\"byteLength\":%" PRIu64
                    ",\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}}]",
                    w->expanded_size);
}

/* JSON text without the closing brace of the root: the buffer is written after it. */
static facet_status dump(const facet_gltf_writer *w, const char **text, size_t *length,
                         facet_error *error)
{
    *text = facet_json_print_in(w->arena, w->root, NULL);
    if (!*text)
        return facet_fail_arena(w->arena, error);
    *length = strlen(*text) - 1;
    return FACET_OK;
}

static facet_status write_binary(const facet_gltf_writer *w, facet_output *output,
                                 facet_error *error)
{
    static const uint8_t padding[4] = {' ', ' ', ' ', ' '}, zeros[4] = {0};
    size_t length = 0;
    const char *text;
    TRY(dump(w, &text, &length, error));
    char tail[200];
    int tail_length = 0;
    if (w->size > 0) {
        tail_length =
            snprintf(tail, sizeof tail, ",\"buffers\":[{\"byteLength\":%" PRIu64 "}", w->size);
        tail_length += put_expanded(w, tail + tail_length, sizeof tail - (size_t)tail_length);
    }
    tail_length += snprintf(tail + tail_length, sizeof tail - (size_t)tail_length, "}");
    uint64_t json_size = (length + (size_t)tail_length + 3) & ~(uint64_t)3;
    uint64_t chunk_size = (w->size + 3) & ~(uint64_t)3;
    uint64_t total = 12 + 8 + json_size + (w->size > 0 ? 8 + chunk_size : 0);
    facet_status status = FACET_OK;
    if (total > UINT32_MAX) {
        status = facet_fail(error, FACET_ERROR_LIMIT, "GLTF-LIMIT", FACET_NO_OFFSET,
                            "the GLB would have %" PRIu64 " bytes, the format ends at 4 GiB: a "
                            ".gltf can be larger",
                            total);
    } else {
        uint8_t header[20];
        memcpy(header, "glTF", 4);
        facet_store_u32le(header + 4, 2);
        facet_store_u32le(header + 8, (uint32_t)total);
        facet_store_u32le(header + 12, (uint32_t)json_size);
        memcpy(header + 16, "JSON", 4);
        facet_output_write(output, header, sizeof header);
        facet_output_write(output, text, length);
        facet_output_write(output, tail, (size_t)tail_length);
        facet_output_write(output, padding, (size_t)(json_size - length - (size_t)tail_length));
        if (w->size > 0) {
            facet_store_u32le(header, (uint32_t)chunk_size);
            memcpy(header + 4, "BIN", 4);
            facet_output_write(output, header, 8);
            status = facet_gltf_emit_pieces(w, emit_plain, output, error);
            facet_output_write(output, zeros, (size_t)(chunk_size - w->size));
        }
    }
    return status;
}

/* Write the buffer to a file next to the text, and its name to the text. */
static facet_status write_buffer_beside(const facet_gltf_writer *w, facet_output *output,
                                        facet_output *beside, facet_error *error)
{
    const char *uri = facet_gltf_uri_of_path(w->arena, facet_output_name(beside));
    if (!uri)
        return facet_fail_arena(w->arena, error);
    facet_output_write(output, "\"", 1);
    facet_output_write(output, uri, strlen(uri));
    facet_output_write(output, "\"", 1);
    return facet_gltf_emit_pieces(w, emit_plain, beside, error);
}

/* Write the buffer into the text. */
static facet_status write_buffer_inside(const facet_gltf_writer *w, facet_output *output,
                                        facet_error *error)
{
    static const char head[] = "\"data:application/octet-stream;base64,";
    base64 encoder = {output, {0}, 0};
    facet_output_write(output, head, sizeof head - 1);
    facet_status status = facet_gltf_emit_pieces(w, emit_base64, &encoder, error);
    flush_group(&encoder);
    facet_output_write(output, "\"", 1);
    return status;
}

/* Open the second file. The file stays NULL if the output has no folder, or no name from which to
 * derive the buffer's name. */
static facet_status open_beside(const facet_gltf_writer *w, facet_output *output,
                                facet_output **beside, facet_error *error)
{
    *beside = NULL;
    if (w->size == 0 || !*facet_output_name(output))
        return FACET_OK;
    facet_status status = facet_output_open_sibling(output, ".bin", beside, error);
    return status == FACET_ERROR_UNSUPPORTED ? FACET_OK : status;
}

static facet_status write_text(const facet_gltf_writer *w, facet_output *output, facet_error *error)
{
    facet_output *beside = NULL;
    TRY(open_beside(w, output, &beside, error));
    facet_status status = FACET_OK;
    size_t length = 0;
    const char *text;
    TRY(dump(w, &text, &length, error));
    facet_output_write(output, text, length);
    if (w->size > 0) {
        char head[80];
        int used = snprintf(head, sizeof head,
                            ",\"buffers\":[{\"byteLength\":%" PRIu64 ",\"uri\":", w->size);
        facet_output_write(output, head, (size_t)used);
        status = beside ? write_buffer_beside(w, output, beside, error)
                        : write_buffer_inside(w, output, error);
        facet_output_write(output, "}", 1);
        char tail[120];
        used = put_expanded(w, tail, sizeof tail);
        facet_output_write(output, tail, (size_t)used);
    }
    facet_output_write(output, "}\n", 2);
    return status;
}

/* -- The writer --------------------------------------------------------- */

static facet_status write_scene(const facet_scene *scene, const facet_options *options, bool binary,
                                facet_output *output, facet_error *error)
{
    facet_gltf_writer w = {0};
    w.scene = scene;
    w.options = options;
    facet_options plain = {0};
    if (options) {
        plain.allocator = options->allocator;
        plain.memory_limit = options->memory_limit;
    }
    const facet_gltf_options *how = options ? options->gltf : NULL;
    facet_status status = FACET_OK;
    status = FACET_CHECK_STRUCT(how, facet_gltf_options, error);
    if (how) {
        w.quantize = how->quantize;
        w.compress = how->compress;
        if (how->external_images && !binary && *facet_output_name(output))
            w.beside = output;
    }
    if (!status)
        status = facet_arena_create(&plain, &w.arena, error);
    if (status)
        return status;
    w.root = facet_json_object_in(w.arena);
    facet_json **const arrays[] = {&w.views,    &w.accessors, &w.meshes, &w.materials,
                                   &w.textures, &w.samplers,  &w.images, &w.nodes};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = facet_json_array_in(w.arena);
    status = facet_gltf_from_scene(&w, error);
    if (!status)
        status = binary ? write_binary(&w, output, error) : write_text(&w, output, error);
    facet_arena_free(w.arena);
    return status;
}

facet_status facet_gltf_write_text(const facet_scene *scene, const facet_options *options,
                                   facet_output *output, facet_error *error)
{
    return write_scene(scene, options, false, output, error);
}

facet_status facet_gltf_write_binary(const facet_scene *scene, const facet_options *options,
                                     facet_output *output, facet_error *error)
{
    return write_scene(scene, options, true, output, error);
}
