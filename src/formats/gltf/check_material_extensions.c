/* formats/gltf/check_material_extensions.c - the properties of material extensions: types and
 * ranges, from the table that the reader uses. */
#include "base/text.h"
#include "formats/gltf/check.h"
#include "scene/material_extensions.h"

#include <math.h>

/* Maximum number of findings for all materials. */
#define MAX_SENTENCES 100

typedef struct place {
    facet_report *report;
    size_t count, material;
    const char *extension;
} place;

static void fault(place *at, const char *key, const char *sentence)
{
    if (at->count++ < MAX_SENTENCES)
        facet_gltf_fault(at->report, "GLTF-PROPERTY", "/materials/%zu/extensions/%s/%s %s",
                         at->material, at->extension, key, sentence);
}

/* True if a number is in range. Some ranges have a valid value outside, or exclude their
 * minimum. */
static bool is_in_range(const facet_material_extension_value *value, double number)
{
    if (value->offset == offsetof(facet_material, ior))
        return number == 0 || number >= 1;
    if (value->offset == offsetof(facet_material, attenuation_distance))
        return number > 0;
    return number >= (double)value->least && number <= (double)value->most;
}

static void check_value(place *at, const facet_json *given,
                        const facet_material_extension_value *value)
{
    bool fits = value->count == 1 ? facet_json_is_number(given)
                                  : facet_json_array_size(given) == value->count;
    bool in_range = true;
    for (uint32_t i = 0; fits && i < value->count; i++) {
        const facet_json *each = value->count == 1 ? given : facet_json_array_get(given, i);
        fits = facet_json_is_number(each);
        in_range &= is_in_range(value, facet_json_number_value(each));
    }
    if (!fits)
        fault(at, value->key,
              value->count == 1   ? "is not a number"
              : value->count == 3 ? "is not 3 numbers"
                                  : "is not 4 numbers");
    else if (!in_range)
        fault(at, value->key, "is not in the range of the extension");
}

static void check_extension(place *at, const facet_json *material,
                            const facet_material_extension *extension)
{
    const facet_json *extensions = facet_json_object_get(material, "extensions");
    const facet_json *said = facet_json_object_get(extensions, extension->key);
    at->extension = extension->key;
    for (const facet_material_extension_value *value = extension->values; value->key; value++) {
        const facet_json *given = facet_json_object_get(said, value->key);
        if (given)
            check_value(at, given, value);
    }
    for (const facet_material_extension_map *map = extension->maps; map->key; map++) {
        const facet_json *given = facet_json_object_get(said, map->key);
        const facet_json *index = facet_json_object_get(given, "index");
        double number = facet_json_number_value(index);
        if (given && (!facet_json_is_number(index) || number < 0 || number != floor(number)))
            fault(at, map->key, "has no index of a texture");
    }
}

static void check_material(place *at, const facet_json *material)
{
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++)
        check_extension(at, material, &facet_material_extensions[i]);
    check_extension(at, material, &facet_gltf_glossiness);
}

void facet_gltf_check_material_extensions(const facet_json *json, facet_report *report)
{
    const facet_json *materials = facet_json_object_get(json, "materials");
    place at = {.report = report};
    for (; at.material < facet_json_array_size(materials); at.material++)
        check_material(&at, facet_json_array_get(materials, at.material));
    if (at.count > MAX_SENTENCES)
        facet_gltf_fault(report, "GLTF-PROPERTY", "%zu more %s of material extensions %s invalid",
                         at.count - MAX_SENTENCES,
                         facet_plural(at.count - MAX_SENTENCES, "property", "properties"),
                         facet_plural(at.count - MAX_SENTENCES, "is", "are"));
}
