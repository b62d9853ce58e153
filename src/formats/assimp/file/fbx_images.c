/* formats/assimp/file/fbx_images.c - embedded images of an FBX. In a text, assimp frees a damaged
 * one twice, and reads before the start of one without quotes. It finds images by their file names.
 */
#include "base/arena.h"
#include "base/report.h"
#include "formats/assimp/file/fbx_edits.h"

#include <string.h>

/* Number of '=' at the end, at most 2. */
static size_t padding_of(facet_fbx_span text)
{
    size_t size = facet_fbx_size(text);
    return size < 2 ? 0 : (size_t)(text.end[-1] == '=') + (size_t)(text.end[-2] == '=');
}

/* True if assimp decodes the text to the size that it computes before. */
static bool is_good(facet_fbx_span text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t size = facet_fbx_size(text), padding = padding_of(text);
    bool is_digit[256] = {false};
    for (size_t i = 0; i < sizeof digits - 1; i++)
        is_digit[(uint8_t)digits[i]] = true;
    if (size < 2 || size / 4 * 3 + size % 4 * 3 / 4 - padding !=
                        (size - padding) / 4 * 3 + (size - padding) % 4 * 3 / 4)
        return false;
    for (const uint8_t *at = text.at; at < text.end - padding; at++) {
        if (!is_digit[*at])
            return false;
    }
    return true;
}

/* True if all texts of the content are quoted and decodable. */
static bool has_good_content(const facet_fbx *fbx, facet_fbx_span values)
{
    facet_fbx_value value;
    while (facet_fbx_next_value(fbx, &values, &value)) {
        if (!value.is_text || value.text.at == fbx->data || value.text.at[-1] != '"' ||
            !is_good(value.text))
            return false;
    }
    return true;
}

bool facet_fbx_drop_images(facet_fbx_edits *edits, facet_report *report)
{
    const facet_fbx *fbx = edits->fbx;
    facet_tally lost = {0, 0};
    for (uint32_t i = 0; i < fbx->object_count && !fbx->is_binary; i++) {
        facet_fbx_record content;
        size_t size;
        if (!facet_fbx_is(fbx->objects[i].kind, "Video") ||
            !facet_fbx_find(fbx, fbx->objects[i].list, "Content", &content) ||
            has_good_content(fbx, content.values))
            continue;
        uint8_t *bytes = facet_fbx_make_text(fbx, "NoContent", "", &size);
        if (!bytes || !facet_fbx_replace(edits, &content, bytes, size))
            return false;
        facet_tally_hit(&lost, lost.count ? lost.first : facet_fbx_line(fbx, content.begin));
    }
    facet_report_add_tally_line(report, "LOSS-IMAGES", FACET_SEVERITY_WARNING, lost.first, &lost,
                                "an embedded image is damaged, and is left out");
    return true;
}

/* -- File names --------------------------------------------------------- */

/* True for the name of the folder of an FBX's images. */
static bool is_folder(facet_fbx_span name)
{
    size_t size = facet_fbx_size(name);
    return size == 0 || (size >= 4 && memcmp(name.end - 4, ".fbm", 4) == 0);
}

/* The name of an image, or of the image of a texture; empty if it has none. */
static facet_fbx_span name_of(const facet_fbx *fbx, const facet_fbx_object *object)
{
    if (facet_fbx_is(object->kind, "Video"))
        return object->label;
    for (uint32_t i = 0; facet_fbx_is(object->kind, "Texture") && i < object->link_count; i++) {
        const facet_fbx_object *from = &fbx->objects[fbx->links[object->first_link + i].from];
        if (facet_fbx_is(from->kind, "Video"))
            return from->label;
    }
    return (facet_fbx_span){0};
}

bool facet_fbx_name_images(facet_fbx_edits *edits)
{
    const facet_fbx *fbx = edits->fbx;
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        const facet_fbx_object *object = &fbx->objects[i];
        facet_fbx_record path;
        facet_fbx_value value;
        facet_fbx_span label = name_of(fbx, object);
        if (facet_fbx_size(label) == 0 ||
            !facet_fbx_find(fbx, object->list, "RelativeFilename", &path))
            continue;
        facet_fbx_span values = path.values;
        if (!facet_fbx_next_value(fbx, &values, &value) || !value.is_text || !is_folder(value.text))
            continue;
        size_t size;
        char *name = facet_arena_format(fbx->arena, "%.*s", (int)facet_fbx_size(label),
                                        (const char *)label.at);
        uint8_t *bytes = name ? facet_fbx_make_text(fbx, "RelativeFilename", name, &size) : NULL;
        if (!bytes || !facet_fbx_replace(edits, &path, bytes, size))
            return false;
    }
    return true;
}
