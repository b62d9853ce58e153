/* formats/gltf/file/container.c - the container: a JSON text, or a GLB with its chunks. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/gltf/file/file.h"

#include <inttypes.h>
#include <string.h>

#define GLB_MAGIC 0x46546C67u  /* "glTF" */
#define CHUNK_JSON 0x4E4F534Au /* "JSON" */
#define CHUNK_BIN 0x004E4942u  /* "BIN\0" */

bool facet_gltf_is_binary(const uint8_t *data, size_t size)
{
    return size >= 4 && facet_load_u32le(data) == GLB_MAGIC;
}

/* -- GLB ---------------------------------------------------------------- */

static void report_chunk(const facet_gltf_file *file, size_t at, const char *sentence)
{
    facet_report_add(file->options ? file->options->report : NULL, "GLTF-GLB-CHUNK",
                     FACET_SEVERITY_WARNING, at, "%s", sentence);
}

static facet_status read_chunk(facet_gltf_file *file, facet_cursor *cursor, bool first,
                               facet_error *error)
{
    size_t at = cursor->position;
    uint32_t length = facet_cursor_u32le(cursor);
    uint32_t type = facet_cursor_u32le(cursor);
    size_t left = facet_cursor_left(cursor);
    const uint8_t *data = facet_cursor_take(cursor, length);
    if (!data)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-GLB-CHUNK", at,
                          "the chunk at byte %zu has a length of %" PRIu32
                          " bytes, but only %zu follow its header",
                          at, length, left);
    if (first) {
        if (type != CHUNK_JSON)
            return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-GLB-CHUNK", at,
                              "the first chunk is of type 0x%08" PRIX32 ", expected JSON", type);
        file->json = data;
        file->json_size = length;
    } else if (type == CHUNK_BIN && !file->chunk) {
        if (file->chunk_count > 1)
            report_chunk(file, at, "the binary chunk is not the second one");
        file->chunk = data;
        file->chunk_size = length;
    } else if (type == CHUNK_BIN || type == CHUNK_JSON) {
        report_chunk(file, at, "this is a second chunk of one type");
    }
    if (length % 4 != 0)
        report_chunk(file, at, "the length of the chunk is not a multiple of 4");
    file->chunk_count++;
    return FACET_OK;
}

static facet_status open_binary(facet_gltf_file *file, facet_error *error)
{
    const facet_source *source = file->source;
    if (source->size < 20)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-GLB-LENGTH", source->size,
                          "the file has %zu bytes, a GLB has at least 20", source->size);
    uint32_t version = facet_load_u32le(source->data + 4);
    uint32_t length = facet_load_u32le(source->data + 8);
    if (version != 2)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "GLTF-GLB-VERSION", 4,
                          "the GLB is of version %" PRIu32 ", expected 2", version);
    if (length > source->size || length < 20)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-GLB-LENGTH", 8,
                          "the header gives a length of %" PRIu32 " bytes, the file has %zu",
                          length, source->size);
    if (length < source->size)
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-GLB-LENGTH",
                         FACET_SEVERITY_WARNING, length, "%zu byte%s the end of the GLB",
                         source->size - length,
                         facet_plural(source->size - length, " follows", "s follow"));
    facet_cursor cursor = facet_cursor_make(source->data, length);
    facet_cursor_take(&cursor, 12);
    facet_status status = read_chunk(file, &cursor, true, error);
    while (!status && facet_cursor_left(&cursor) > 0)
        status = read_chunk(file, &cursor, false, error);
    return status;
}

/* -- The text ----------------------------------------------------------- */

/* Size without padding. Some exporters pad the chunk with NUL instead of blanks, which the
 * specification requires. */
static size_t without_padding(const uint8_t *json, size_t size)
{
    while (size > 0 && json[size - 1] == 0)
        size--;
    return size;
}

bool facet_gltf_find_json(const facet_source *source, const uint8_t **json, size_t *size)
{
    *json = source->data;
    *size = source->size;
    if (facet_gltf_is_binary(source->data, source->size)) {
        uint32_t length = source->size < 20 ? 0 : facet_load_u32le(source->data + 12);
        if (source->size < 20 || length > source->size - 20)
            return false;
        *json = source->data + 20;
        *size = without_padding(*json, length);
    }
    if (*size >= 3 && memcmp(*json, "\xEF\xBB\xBF", 3) == 0) {
        *json += 3;
        *size -= 3;
    }
    return true;
}

/* -- Opening ------------------------------------------------------------ */

static void trim_padding(facet_gltf_file *file)
{
    size_t size = without_padding(file->json, file->json_size);
    if (size < file->json_size)
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-GLB-CHUNK",
                         FACET_SEVERITY_WARNING, (uint64_t)(file->json - file->source->data) + size,
                         "the JSON chunk ends with %zu bytes of 0, expected blanks (0x20)",
                         file->json_size - size);
    file->json_size = size;
}

static facet_status open_file(facet_gltf_file *file, facet_error *error)
{
    const facet_source *source = file->source;
    file->binary = facet_gltf_is_binary(source->data, source->size);
    file->json = source->data;
    file->json_size = source->size;
    facet_status status = file->binary ? open_binary(file, error) : FACET_OK;
    if (status)
        return status;
    if (file->binary)
        trim_padding(file);
    if (file->json_size >= 3 && memcmp(file->json, "\xEF\xBB\xBF", 3) == 0) {
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-JSON",
                         FACET_SEVERITY_WARNING, (uint64_t)(file->json - source->data),
                         "the JSON begins with a byte order mark, which glTF does not have");
        file->json += 3;
        file->json_size -= 3;
    }
    status = facet_gltf_parse((const char *)file->json, file->json_size,
                              (uint64_t)(file->json - source->data), file->arena, &file->document,
                              error);
    const facet_gltf_document *document = &file->document;
    facet_tally repeats = {status ? 0 : document->repeated_keys, document->repeated_at};
    facet_report_add_tally(file->options ? file->options->report : NULL, "GLTF-JSON",
                           FACET_SEVERITY_WARNING, document->repeated_at, &repeats,
                           "the key '%s' occurs twice in an object: the last value is used",
                           document->repeated_key);
    if (!status)
        status = facet_gltf_check_extensions(file, error);
    if (!status)
        status = facet_gltf_load_buffers(file, error);
    if (!status)
        status = facet_gltf_check_accessors(file, error);
    return status ? status : facet_gltf_decode_draco(file, error);
}

facet_status facet_gltf_file_open(const facet_source *source, const facet_options *options,
                                  facet_gltf_file *file, facet_error *error)
{
    facet_gltf_file made = {0};
    made.source = source;
    made.options = options;
    TRY(facet_arena_create(options, &made.arena, error));
    facet_status status = open_file(&made, error);
    if (status)
        facet_gltf_file_close(&made);
    else
        *file = made;
    return status;
}

void facet_gltf_file_close(facet_gltf_file *file)
{
    for (uint32_t i = 0; file->files && i < file->document.buffer_count; i++)
        facet_source_close(&file->files[i]);
    facet_arena_free(file->arena);
}
