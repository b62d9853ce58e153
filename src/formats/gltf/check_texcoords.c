/* formats/gltf/check_texcoords.c - a primitive must have the texture coordinates that its
 * material's textures use (glTF 2.0, 3.9.2). */
#include "formats/gltf/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Materials ---------------------------------------------------------- */

static void raise_to_set(const facet_json *object, uint32_t *need)
{
    const facet_json *given = facet_json_object_get(object, "texCoord");
    double set = facet_json_is_number(given) ? facet_json_number_value(given) : 0;
    if (set >= 0 && set < 1e6 && set + 1 > *need)
        *need = (uint32_t)set + 1;
}

/* Find the set of a textureInfo. A texture transform can replace it. */
static void need_of_texture(const facet_json *use, uint32_t *need)
{
    const facet_json *transform =
        facet_json_object_get(facet_json_object_get(use, "extensions"), "KHR_texture_transform");
    raise_to_set(use, need);
    if (facet_json_object_get(transform, "texCoord"))
        raise_to_set(transform, need);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void need_of_object(const facet_json *object, uint32_t *need)
{
    for (size_t i = 0; i < facet_json_object_size(object); i++) {
        const facet_json *value = facet_json_object_value(object, i);
        if (ends_with(facet_json_object_key(object, i), "Texture") &&
            facet_json_object_get(value, "index"))
            need_of_texture(value, need);
    }
}

/* Number of sets that the textures of a material need. Only Khronos extensions are checked: others
 * may have other rules. */
static uint32_t need_of_material(const facet_json *material)
{
    const facet_json *extensions = facet_json_object_get(material, "extensions");
    uint32_t need = 0;
    need_of_object(material, &need);
    need_of_object(facet_json_object_get(material, "pbrMetallicRoughness"), &need);
    for (size_t i = 0; i < facet_json_object_size(extensions); i++) {
        if (strncmp(facet_json_object_key(extensions, i), "KHR_materials_", 14) == 0)
            need_of_object(facet_json_object_value(extensions, i), &need);
    }
    return need;
}

/* -- Primitives --------------------------------------------------------- */

#define MAX_SETS 64

/* Number of sets from 0 without a gap. */
static uint32_t sets_of(const facet_json *attributes)
{
    uint64_t given = 0;
    uint32_t count = 0;
    for (size_t i = 0; i < facet_json_object_size(attributes); i++) {
        const char *name = facet_json_object_key(attributes, i);
        unsigned long set =
            strncmp(name, "TEXCOORD_", 9) == 0 ? strtoul(name + 9, NULL, 10) : MAX_SETS;
        given |= set < MAX_SETS ? UINT64_C(1) << set : 0;
    }
    while (count < MAX_SETS && given >> count & 1)
        count++;
    return count;
}

static void check_primitives(facet_report *report, const facet_json *primitives, size_t mesh,
                             const uint32_t *needs, size_t material_count)
{
    facet_tally wrong = {0};
    size_t first_material = 0;
    uint32_t first_sets = 0;
    for (size_t i = 0; i < facet_json_array_size(primitives); i++) {
        const facet_json *primitive = facet_json_array_get(primitives, i);
        const facet_json *index = facet_json_object_get(primitive, "material");
        double number = facet_json_is_number(index) ? facet_json_number_value(index) : -1;
        if (!(number >= 0 && number < (double)material_count))
            continue;
        uint32_t sets = sets_of(facet_json_object_get(primitive, "attributes"));
        if (sets >= needs[(size_t)number])
            continue;
        if (wrong.count == 0) {
            first_material = (size_t)number;
            first_sets = sets;
        }
        facet_tally_hit(&wrong, i);
    }
    if (wrong.count > 0)
        facet_report_add_tally_where(
            report, "GLTF-TEXCOORD", FACET_SEVERITY_ERROR, facet_where_mesh(FACET_NO_OFFSET, mesh),
            &wrong,
            "primitive %" PRIu64 " of mesh %zu has %" PRIu32
            " sets of texture coordinates, material %zu needs TEXCOORD_%" PRIu32,
            wrong.first, mesh, first_sets, first_material, needs[first_material] - 1);
}

bool facet_gltf_check_texcoords(const facet_json *json, facet_report *report)
{
    const facet_json *meshes = facet_json_object_get(json, "meshes");
    const facet_json *materials = facet_json_object_get(json, "materials");
    size_t count = facet_json_array_size(materials);
    uint32_t *needs = malloc((count + 1) * sizeof *needs);
    for (size_t i = 0; needs && i < count; i++)
        needs[i] = need_of_material(facet_json_array_get(materials, i));
    for (size_t i = 0; needs && i < facet_json_array_size(meshes); i++)
        check_primitives(report,
                         facet_json_object_get(facet_json_array_get(meshes, i), "primitives"), i,
                         needs, count);
    bool is_complete = needs != NULL;
    free(needs);
    return is_complete;
}
