/* formats/gltf/check_json.c - the rules of glTF's JSON that relate several properties. */
#include "formats/gltf/check.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/table.h"
#include "formats/gltf/to_scene/to_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* -- Lookup ------------------------------------------------------------ */

static bool has(const facet_json *object, const char *key)
{
    return facet_json_object_get(object, key) != NULL;
}

static bool has_number(const facet_json *object, const char *key)
{
    return facet_json_is_number(facet_json_object_get(object, key));
}

static double number(const facet_json *object, const char *key)
{
    return facet_json_number_value(facet_json_object_get(object, key));
}

static const char *string(const facet_json *object, const char *key)
{
    const char *text = facet_json_string_value(facet_json_object_get(object, key));
    return text ? text : "";
}

/* True if an index is present and not below `count`. */
static bool names_nothing(const facet_json *object, const char *key, size_t count)
{
    return has_number(object, key) &&
           !(number(object, key) >= 0 && number(object, key) < (double)count);
}

static size_t count_of(const facet_json *root, const char *key)
{
    return facet_json_array_size(facet_json_object_get(root, key));
}

static void check_asset(facet_report *report, const facet_json *asset)
{
    if (has(asset, "minVersion") && !*string(asset, "minVersion"))
        facet_gltf_fault(report, "GLTF-VERSION",
                         "/asset/minVersion is not a version, expected 2.0");
}

/* -- Bytes --------------------------------------------------------------- */

/* RFC 2397: *( ";" attribute "=" value ) [ ";base64" ] "," */
static bool is_parameters(const char *text)
{
    while (*text == ';') {
        size_t length = strcspn(++text, ";,");
        bool is_last = strncasecmp(text, "base64,", 7) == 0;
        if (!is_last && (text[0] == '=' || !memchr(text, '=', length)))
            return false;
        text += length;
    }
    return *text == ',';
}

/* True for "data:TYPE,...", in any case of letters. */
static bool is_media_type(const char *uri, const char *type)
{
    size_t length = strlen(type);
    return strncasecmp(uri + 5, type, length) == 0 && is_parameters(uri + 5 + length);
}

/* True if the media type is that of an image format added by a texture extension. */
static bool is_picture_type(const char *uri)
{
    for (size_t i = 0; i < FACET_GLTF_PICTURES; i++) {
        if (is_media_type(uri, facet_gltf_pictures[i].media_type))
            return true;
    }
    return false;
}

static void check_buffers(facet_report *report, const facet_json *root)
{
    const facet_json *list, *each;
    list = facet_json_object_get(root, "buffers");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        each = facet_json_array_get(list, i);
        const char *uri = string(each, "uri");
        if (!(number(each, "byteLength") >= 1))
            facet_gltf_fault(report, "GLTF-BUFFER",
                             "buffer %zu has no bytes, expected at least one", i);
        if (facet_gltf_is_data_uri(uri) && !is_media_type(uri, "application/octet-stream") &&
            !is_media_type(uri, "application/gltf-buffer"))
            facet_gltf_fault(report, "GLTF-URI",
                             "the data URI of buffer %zu does not begin with "
                             "\"data:application/octet-stream\"",
                             i);
    }
    list = facet_json_object_get(root, "images");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        each = facet_json_array_get(list, i);
        const char *uri = string(each, "uri"), *type = string(each, "mimeType");
        if (has(each, "bufferView") && !*type)
            facet_gltf_fault(report, "GLTF-IMAGE", "image %zu has a bufferView and no mimeType", i);
        bool is_data = facet_gltf_is_data_uri(uri);
        bool png = is_data && is_media_type(uri, "image/png");
        bool jpeg = is_data && is_media_type(uri, "image/jpeg");
        if (is_data && !png && !jpeg && !is_picture_type(uri))
            facet_gltf_fault(report, "GLTF-URI",
                             "the data URI of image %zu says neither image/png nor image/jpeg", i);
        else if (*type && ((png && strcmp(type, "image/png") != 0) ||
                           (jpeg && strcmp(type, "image/jpeg") != 0)))
            facet_gltf_fault(report, "GLTF-URI", "image %zu has another mimeType than its data URI",
                             i);
    }
    list = facet_json_object_get(root, "bufferViews");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        each = facet_json_array_get(list, i);
        double stride = number(each, "byteStride");
        if (!(number(each, "byteLength") >= 1))
            facet_gltf_fault(report, "GLTF-VIEW",
                             "buffer view %zu has no bytes, expected at least one", i);
        if (!has_number(each, "byteStride"))
            continue;
        if (stride < 4 || stride > 252 || fmod(stride, 4) != 0)
            facet_gltf_fault(
                report, "GLTF-VIEW",
                "buffer view %zu has a stride of %g, expected a multiple of 4 from 4 to 252", i,
                stride);
        else if (number(each, "byteLength") < stride)
            facet_gltf_fault(report, "GLTF-VIEW",
                             "the stride of buffer view %zu is longer than the view", i);
        if (number(each, "target") == 34963)
            facet_gltf_fault(report, "GLTF-VIEW",
                             "buffer view %zu holds indices, which have no stride", i);
    }
}

/* True if bounds have one number per component. */
static bool is_bound(const facet_json *value, size_t components)
{
    bool fits = !value || facet_json_array_size(value) == components;
    for (size_t i = 0; fits && i < facet_json_array_size(value); i++)
        fits = facet_json_is_number(facet_json_array_get(value, i));
    return fits;
}

static size_t components_of(const char *type)
{
    static const char names[][7] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
    static const size_t counts[] = {1, 2, 3, 4, 4, 9, 16};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (strcmp(type, names[i]) == 0)
            return counts[i];
    }
    return 0; /* the reader reports it */
}

static void check_accessors(facet_report *report, const facet_json *root)
{
    const facet_json *list, *each;
    list = facet_json_object_get(root, "accessors");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        each = facet_json_array_get(list, i);
        double type = number(each, "componentType");
        size_t components = components_of(string(each, "type"));
        if (components > 0 && (!is_bound(facet_json_object_get(each, "min"), components) ||
                               !is_bound(facet_json_object_get(each, "max"), components)))
            facet_gltf_fault(report, "GLTF-ACCESSOR",
                             "the min or max of accessor %zu is not a number for each of its %zu "
                             "components",
                             i, components);
        if (has(each, "byteOffset") && !has(each, "bufferView"))
            facet_gltf_fault(report, "GLTF-ACCESSOR",
                             "accessor %zu has a byteOffset and no bufferView", i);
        if (facet_json_is_true(facet_json_object_get(each, "normalized")) &&
            (type == 5126 || type == 5125))
            facet_gltf_fault(report, "GLTF-ACCESSOR",
                             "accessor %zu is normalized, which only integers of 8 and 16 bits are",
                             i);
    }
}

/* -- Cameras, textures --------------------------------------------------- */

static void check_cameras(facet_report *report, const facet_json *root)
{
    const facet_json *list, *each;
    list = facet_json_object_get(root, "cameras");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        each = facet_json_array_get(list, i);
        const facet_json *flat = facet_json_object_get(each, "orthographic");
        const facet_json *deep = facet_json_object_get(each, "perspective"),
                         *view = flat ? flat : deep;
        if (flat && deep)
            facet_gltf_fault(report, "GLTF-CAMERA", "camera %zu is orthographic and perspective",
                             i);
        if (!flat && !deep)
            facet_gltf_fault(report, "GLTF-CAMERA",
                             "camera %zu is neither orthographic nor perspective", i);
        if (flat && (number(flat, "xmag") == 0 || number(flat, "ymag") == 0))
            facet_gltf_fault(report, "GLTF-CAMERA", "camera %zu has an xmag or ymag of 0", i);
        if (deep && (!(number(deep, "yfov") > 0) || !(number(deep, "znear") > 0)))
            facet_gltf_fault(report, "GLTF-CAMERA",
                             "camera %zu has a yfov or znear that is not above 0", i);
        if (deep && has(deep, "aspectRatio") && !(number(deep, "aspectRatio") > 0))
            facet_gltf_fault(report, "GLTF-CAMERA",
                             "camera %zu has an aspectRatio that is not above 0", i);
        if (view && has_number(view, "zfar") && number(view, "zfar") <= number(view, "znear"))
            facet_gltf_fault(report, "GLTF-CAMERA",
                             "camera %zu ends before it begins: zfar is not above znear", i);
    }
}

/* Values of KHR_lights_punctual. */
static void check_lights(facet_report *report, const facet_json *root)
{
    const double right_angle = 1.5707963267948966, eighth = 0.7853981633974483;
    const facet_json *extension =
        facet_json_object_get(facet_json_object_get(root, "extensions"), "KHR_lights_punctual");
    const facet_json *list = facet_json_object_get(extension, "lights");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        const facet_json *light = facet_json_array_get(list, i);
        const facet_json *color = facet_json_object_get(light, "color");
        const facet_json *spot = facet_json_object_get(light, "spot");
        bool is_wrong = false;
        for (size_t k = 0; k < facet_json_array_size(color); k++) {
            double value = facet_json_number_value(facet_json_array_get(color, k));
            is_wrong |= !(value >= 0 && value <= 1);
        }
        if (is_wrong)
            facet_gltf_fault(report, "GLTF-LIGHT", "the color of light %zu is not from 0 to 1", i);
        if (has_number(light, "intensity") && !(number(light, "intensity") >= 0))
            facet_gltf_fault(report, "GLTF-LIGHT", "light %zu has a negative intensity", i);
        if (has_number(light, "range") && !(number(light, "range") > 0))
            facet_gltf_fault(report, "GLTF-LIGHT", "light %zu has a range that is not above 0", i);
        double inner = has_number(spot, "innerConeAngle") ? number(spot, "innerConeAngle") : 0;
        double outer = has_number(spot, "outerConeAngle") ? number(spot, "outerConeAngle") : eighth;
        if (spot && !(inner >= 0 && inner < outer && outer <= right_angle + 1e-6))
            facet_gltf_fault(report, "GLTF-LIGHT",
                             "light %zu has the cone angles %g and %g, expected 0 to pi / 2, the "
                             "inner one smaller",
                             i, inner, outer);
    }
}

static void check_samplers(facet_report *report, const facet_json *root)
{
    static const char *const names[] = {"wrapS", "wrapT", "minFilter", "magFilter"};
    const facet_json *list = facet_json_object_get(root, "samplers");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        const facet_json *each = facet_json_array_get(list, i);
        for (int k = 0; k < 4; k++) {
            double value = number(each, names[k]);
            uint32_t mode = value >= 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
            if (has_number(each, names[k]) &&
                !(k < 2 ? facet_gltf_is_wrap(mode) : facet_gltf_is_filter(mode, k == 3)))
                facet_gltf_fault(report, "GLTF-TEXTURE", "sampler %zu has %s %g, which is unknown",
                                 i, names[k], value);
        }
    }
}

static void check_textures(facet_report *report, const facet_json *root)
{
    const facet_json *list, *each;
    list = facet_json_object_get(root, "textures");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        each = facet_json_array_get(list, i);
        if (names_nothing(each, "source", count_of(root, "images")))
            facet_gltf_fault(report, "GLTF-TEXTURE",
                             "texture %zu names an image that does not exist", i);
        for (size_t k = 0; k < FACET_GLTF_PICTURES; k++) {
            const char *name = facet_gltf_pictures[k].extension;
            const facet_json *extension =
                facet_json_object_get(facet_json_object_get(each, "extensions"), name);
            if (names_nothing(extension, "source", count_of(root, "images")))
                facet_gltf_fault(report, "GLTF-TEXTURE",
                                 "%s of texture %zu names an image that does not exist", name, i);
        }
        if (names_nothing(each, "sampler", count_of(root, "samplers")))
            facet_gltf_fault(report, "GLTF-TEXTURE",
                             "texture %zu names a sampler that does not exist", i);
    }
}

/* -- Nodes --------------------------------------------------------------- */

static bool is_affine(const double m[16])
{
    double determinant = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) +
                         m[8] * (m[1] * m[6] - m[2] * m[5]);
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 || determinant == 0)
        return false;
    /* A product of translation, rotation and scale keeps the axes at right angles. */
    for (int a = 0; a < 3; a++) {
        const double *one = m + a * 4, *other = m + (a + 1) % 3 * 4;
        double lengths = sqrt((one[0] * one[0] + one[1] * one[1] + one[2] * one[2]) *
                              (other[0] * other[0] + other[1] * other[1] + other[2] * other[2]));
        double dot = one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
        if (!(fabs(dot) <= 0.005 * lengths))
            return false;
    }
    return true;
}

static size_t take_numbers(const facet_json *array, double *numbers, size_t count)
{
    for (size_t i = 0; i < count && i < facet_json_array_size(array); i++)
        numbers[i] = facet_json_number_value(facet_json_array_get(array, i));
    return facet_json_array_size(array);
}

static void check_nodes(facet_report *report, const facet_json *root)
{
    const facet_json *list, *each;
    list = facet_json_object_get(root, "nodes");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        each = facet_json_array_get(list, i);
        double m[16], q[4];
        if (has(each, "skin") && !has(each, "mesh"))
            facet_gltf_fault(report, "GLTF-NODE", "node %zu has a skin and no mesh", i);
        if (has(each, "matrix") &&
            (has(each, "translation") || has(each, "rotation") || has(each, "scale")))
            facet_gltf_fault(report, "GLTF-NODE",
                             "node %zu has a matrix, and translation, rotation or scale", i);
        if (take_numbers(facet_json_object_get(each, "matrix"), m, 16) == 16 && !is_affine(m))
            facet_gltf_fault(report, "GLTF-NODE",
                             "the matrix of node %zu is not a translation, rotation and scale", i);
        if (take_numbers(facet_json_object_get(each, "rotation"), q, 4) == 4 &&
            !(fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1) <=
              FACET_GLTF_NODE_UNIT))
            facet_gltf_fault(report, "GLTF-NODE", "the rotation of node %zu is not of length 1", i);
    }
}

/* -- Skins --------------------------------------------------------------- */

/* Parent and root of each node, or `count` if it has no parent or it is not known yet. Also the
 * last skin that uses the node as a joint, counted from 1. */
typedef struct forest {
    size_t *parents, *roots, *skins;
    size_t *below; /* last skin whose skeleton is above the node, counted from 1 */
    size_t count, steps;
} forest;

static bool grow_forest(forest *f, const facet_json *nodes)
{
    f->count = facet_json_array_size(nodes);
    f->parents = malloc((f->count + 1) * sizeof *f->parents);
    f->roots = malloc((f->count + 1) * sizeof *f->roots);
    f->skins = calloc(f->count + 1, sizeof *f->skins);
    f->below = calloc(f->count + 1, sizeof *f->below);
    if (!f->parents || !f->roots || !f->skins || !f->below)
        return false;
    for (size_t i = 0; i < f->count; i++)
        f->parents[i] = f->roots[i] = f->count;
    for (size_t i = 0; i < f->count; i++) {
        const facet_json *children =
            facet_json_object_get(facet_json_array_get(nodes, i), "children");
        for (size_t k = 0; k < facet_json_array_size(children); k++) {
            int64_t child = facet_json_integer_value(facet_json_array_get(children, k));
            if (child >= 0 && (size_t)child < f->count)
                f->parents[child] = i;
        }
    }
    return true;
}

/* Find the root of a node; each node is visited once. Nodes in a cycle, which the reader rejects,
 * have no root: the search passes them at most once. */
static size_t root_of(forest *f, size_t node)
{
    size_t at = node, steps = 0;
    while (f->parents[at] < f->count && f->roots[at] == f->count && steps++ < f->count)
        at = f->parents[at];
    size_t root = f->roots[at] < f->count ? f->roots[at] : at;
    for (at = node; at < f->count && f->roots[at] == f->count; at = f->parents[at])
        f->roots[at] = root;
    return root;
}

/* The product of skins and the depth of joints can be large: the search stops after this many
 * steps. */
#define MAX_STEPS ((size_t)10000000)

static bool is_above(forest *f, size_t skeleton, size_t joint, size_t stamp)
{
    size_t at = joint;
    while (at < f->count && at != skeleton && f->below[at] != stamp && f->steps++ < MAX_STEPS) {
        f->below[at] = stamp;
        at = f->parents[at];
    }
    return at < f->count;
}

static void check_skin(facet_report *report, forest *f, const facet_json *skin, size_t index)
{
    const facet_json *joints = facet_json_object_get(skin, "joints");
    size_t root = f->count;
    for (size_t i = 0; i < facet_json_array_size(joints); i++) {
        int64_t joint = facet_json_integer_value(facet_json_array_get(joints, i));
        if (joint < 0 || (size_t)joint >= f->count)
            return; /* the reader reports it */
        if (f->skins[joint] == index + 1)
            facet_gltf_fault(report, "GLTF-SKIN", "skin %zu has node %zu for a joint twice", index,
                             (size_t)joint);
        f->skins[joint] = index + 1;
        size_t own = root_of(f, (size_t)joint);
        if (i > 0 && own != root) {
            facet_gltf_fault(report, "GLTF-SKIN", "the joints of skin %zu have no common root",
                             index);
            return;
        }
        root = own;
    }
    if (root == f->count || !has(skin, "skeleton") || names_nothing(skin, "skeleton", f->count))
        return;
    int64_t skeleton = facet_json_integer_value(facet_json_object_get(skin, "skeleton"));
    for (size_t i = 0; i < facet_json_array_size(joints); i++) {
        int64_t joint = facet_json_integer_value(facet_json_array_get(joints, i));
        if (is_above(f, (size_t)skeleton, (size_t)joint, index + 1))
            continue;
        facet_gltf_fault(report, "GLTF-SKIN", "the skeleton of skin %zu is not above its joints",
                         index);
        return;
    }
}

static bool check_skins(facet_report *report, const facet_json *root)
{
    const facet_json *skins = facet_json_object_get(root, "skins");
    forest f = {0};
    bool grown =
        facet_json_array_size(skins) == 0 || grow_forest(&f, facet_json_object_get(root, "nodes"));
    for (size_t i = 0; grown && i < facet_json_array_size(skins); i++)
        check_skin(report, &f, facet_json_array_get(skins, i), i);
    free(f.parents);
    free(f.roots);
    free(f.skins);
    free(f.below);
    return grown;
}

/* -- Extensions ---------------------------------------------------------- */

/* Collect the names of a list; false if out of memory. Repeated names are reported. */
static bool collect_list(facet_report *report, const facet_json *root, const char *key,
                         facet_names *names)
{
    const facet_json *array = facet_json_object_get(root, key);
    for (size_t i = 0; i < facet_json_array_size(array); i++) {
        const facet_json *each = facet_json_array_get(array, i);
        const char *name = facet_json_string_value(each);
        uint32_t count = names->count;
        if (!name)
            continue;
        uint32_t number = facet_names_put(names, name, facet_json_string_length(each));
        if (number == UINT32_MAX)
            return false;
        if (number < count)
            facet_gltf_fault(report, "GLTF-EXTENSION", "/%s/%zu occurs twice", key, i);
    }
    return true;
}

/* Maximum number of reported names: a file can repeat wrong names. */
#define MAX_SAID 16

/* Check that extensions are objects in an object. */
static void check_types(facet_report *report, const facet_json *extensions, size_t *said)
{
    facet_quoted quoted;
    if (!facet_json_is_object(extensions) && (*said)++ < MAX_SAID)
        facet_gltf_fault(report, "GLTF-PROPERTY", "'extensions' is not an object");
    for (size_t i = 0; i < facet_json_object_size(extensions) && *said < MAX_SAID; i++) {
        const char *name = facet_json_object_key(extensions, i);
        if (facet_json_is_object(facet_json_object_value(extensions, i)))
            continue;
        facet_gltf_fault(report, "GLTF-PROPERTY", "the extension '%s' is not an object",
                         facet_quote(&quoted, name, strlen(name)));
        ++*said;
    }
}

/* Check the list of used extensions. The depth is bounded: the reader and this check reject deeper
 * JSON. */
static void check_used(facet_report *report, const facet_names *used, const facet_json *value,
                       size_t *said)
{
    for (size_t i = 0; i < facet_json_array_size(value); i++)
        check_used(report, used, facet_json_array_get(value, i), said);
    for (size_t i = 0; i < facet_json_object_size(value); i++) {
        const char *key = facet_json_object_key(value, i);
        const facet_json *each = facet_json_object_value(value, i);
        bool extensions = strcmp(key, "extensions") == 0;
        if (extensions)
            check_types(report, each, said);
        for (size_t k = 0; extensions && k < facet_json_object_size(each) && *said < MAX_SAID;
             k++) {
            const char *name = facet_json_object_key(each, k);
            facet_quoted quoted;
            if (facet_names_find(used, name, strlen(name)) != UINT32_MAX)
                continue;
            facet_gltf_fault(report, "GLTF-EXTENSION",
                             "the extension '%s' is not in extensionsUsed",
                             facet_quote(&quoted, name, strlen(name)));
            ++*said;
        }
        if (strcmp(key, "extras") != 0)
            check_used(report, used, each, said);
    }
}

/* -- The text ------------------------------------------------------------ */

facet_status facet_gltf_check_json(const uint8_t *json, size_t size, const facet_options *options,
                                   facet_report *report, facet_error *error)
{
    facet_json_fault fault = {0};
    facet_arena *tree;
    TRY(facet_arena_create(options, &tree, error));
    facet_json *root = facet_json_read_in(tree, (const char *)json, size,
                                          FACET_JSON_NUL | FACET_JSON_LARGE, &fault);
    size_t said = 0;
    if (fault.memory)
        return facet_arena_abandon(tree, error);
    if (!facet_json_is_object(root)) { /* the reader has reported its type */
        facet_arena_free(tree);
        return FACET_OK;
    }
    facet_gltf_check_properties(root, report);
    facet_gltf_check_material_extensions(root, report);
    check_asset(report, facet_json_object_get(root, "asset"));
    check_buffers(report, root);
    check_accessors(report, root);
    check_cameras(report, root);
    check_lights(report, root);
    check_samplers(report, root);
    check_textures(report, root);
    check_nodes(report, root);
    facet_names used = facet_names_make(tree), required = facet_names_make(tree);
    bool complete = collect_list(report, root, "extensionsUsed", &used) &&
                    collect_list(report, root, "extensionsRequired", &required);
    check_used(report, &used, root, &said);
    complete = complete && check_skins(report, root) && facet_gltf_check_texcoords(root, report);
    facet_arena_free(tree);
    return complete ? FACET_OK : facet_fail_memory(error, size);
}
