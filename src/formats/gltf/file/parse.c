/* formats/gltf/file/parse.c - JSON text to facet_gltf_document. The text becomes values
 * (base/json.h); all indices, sizes and names are checked; then each part parses its objects. */
#include "formats/gltf/file/parse.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* Maximum depth of nested values. */
#define DEEPEST 100

/* True if the text is nested too deeply. Tested before parsing, so that the error is a limit even
 * if the JSON has other errors. */
static bool is_deep(const char *text, size_t size)
{
    unsigned depth = 0;
    bool inside_string = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (inside_string) {
            i += facet_text_plain_run(text + i, size - i);
            if (i == size)
                break;
            c = text[i];
            i += c == '\\';
            inside_string = c != '"';
        } else if (c == '"') {
            inside_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > DEEPEST)
                return true;
        } else if (c == '}' || c == ']') {
            depth -= depth > 0;
        }
    }
    return false;
}

/* Note keys that occur twice in an object. In glTF 2.0, 2.7, and RFC 8259, 4, names within an
 * object SHOULD be unique. The last of equal ones counts. */
static facet_status note_repeats(const facet_gltf_parser *p, const facet_json_fault *fault,
                                 uint64_t offset)
{
    facet_gltf_document *document = p->document;
    document->repeated_keys = fault->repeats;
    document->repeated_at = offset + fault->repeat_position;
    document->repeated_key = facet_arena_string(p->arena, fault->repeated, strlen(fault->repeated));
    return document->repeated_key ? FACET_OK : facet_fail_arena(p->arena, p->error);
}

static facet_json *read_text(const facet_gltf_parser *p, const char *text, size_t size,
                             uint64_t offset, facet_arena *tree, facet_status *status)
{
    facet_error *error = p->error;
    facet_json_fault fault = {0};
    *status = FACET_OK;
    if (is_deep(text, size)) {
        *status = facet_fail(error, FACET_ERROR_LIMIT, "GLTF-JSON", FACET_NO_OFFSET,
                             "the JSON is nested deeper than %d", DEEPEST);
        return NULL;
    }
    facet_json *root =
        facet_json_read_in(tree, text, size, FACET_JSON_NUL | FACET_JSON_LARGE, &fault);
    uint64_t at = offset + fault.position;
    if (!root && fault.memory)
        *status = facet_fail_arena(tree, error);
    else if (!root)
        *status = facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-JSON", at,
                             "invalid or truncated JSON at byte %" PRIu64 ": %s", at, fault.text);
    else if (!facet_json_is_object(root))
        *status = facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-JSON", FACET_NO_OFFSET,
                             "the JSON is not an object");
    else
        *status = note_repeats(p, &fault, offset);
    return root;
}

static void parse_asset(facet_gltf_parser *p)
{
    facet_gltf_document *document = p->document;
    const facet_json *asset = facet_json_object_get(p->root, "asset");
    document->version = facet_gltf_text(p, asset, "version", "");
    document->minimum_version = facet_gltf_text(p, asset, "minVersion", "");
    document->generator = facet_gltf_text(p, asset, "generator", "");
    document->copyright = facet_gltf_text(p, asset, "copyright", "");
    document->used = facet_gltf_texts(p, facet_json_object_get(p->root, "extensionsUsed"),
                                      &document->used_count);
    document->required = facet_gltf_texts(p, facet_json_object_get(p->root, "extensionsRequired"),
                                          &document->required_count);
    document->extras = facet_gltf_extras(p, p->root);
    facet_gltf_count_extensions(p);
    document->asset = facet_gltf_kept_asset(p, asset);
    document->extensions = facet_gltf_kept_extensions(p, p->root);
    if (p->status)
        return;
    const char *version = document->version, *minimum = document->minimum_version;
    facet_quoted quoted;
    if (!*version)
        p->status = facet_fail(p->error, FACET_ERROR_MALFORMED, "GLTF-VERSION", FACET_NO_OFFSET,
                               "asset.version is missing");
    else if (strncmp(version, "2.", 2) != 0 || (*minimum && strcmp(minimum, "2.0") != 0))
        p->status = facet_fail(p->error, FACET_ERROR_UNSUPPORTED, "GLTF-VERSION", FACET_NO_OFFSET,
                               "the file is of glTF version %s, expected 2.0",
                               facet_quote(&quoted, *minimum ? minimum : version,
                                           strlen(*minimum ? minimum : version)));
}

static void parse(facet_gltf_parser *p)
{
    static void (*const parts[])(facet_gltf_parser *) = {
        parse_asset,
        facet_gltf_check_members,
        facet_gltf_parse_buffers,
        facet_gltf_parse_meshes,
        facet_gltf_parse_materials,
        facet_gltf_parse_nodes,
        facet_gltf_parse_animations,
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !p->status; i++)
        parts[i](p);
}

facet_status facet_gltf_parse(const char *text, size_t size, uint64_t offset, facet_arena *arena,
                              facet_gltf_document *document, facet_error *error)
{
    facet_gltf_document made = {0};
    facet_gltf_parser p = {.arena = arena, .document = &made, .error = error};
    /* The JSON tree counts against the memory limit while it exists. */
    size_t left = facet_arena_left(arena);
    facet_options options = {.struct_size = sizeof options,
                             .allocator = facet_arena_allocator(arena),
                             .memory_limit = left < SIZE_MAX ? left + !left : 0};
    facet_arena *tree = NULL;
    TRY(facet_arena_create(&options, &tree, error));
    p.root = read_text(&p, text, size, offset, tree, &p.status);
    if (!p.status)
        parse(&p);
    facet_arena_free(tree);
    if (!p.status)
        *document = made;
    return p.status;
}
