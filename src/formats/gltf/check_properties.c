/* formats/gltf/check_properties.c - the rules of glTF 2.0 for single properties: type, range,
 * number of entries, and whether the property is required. There is one table per kind of object,
 * with the names of the specification. Extensions define their own properties. */
#include "base/text.h"
#include "formats/gltf/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum property_kind {
    TEXT,
    BOOLEAN,
    NUMBER,
    INTEGER, /* also as 1.0 */
    INDEX,   /* an integer of 0 or more */
    OBJECT,  /* object with the properties of `of` */
    INDICES  /* an object with any names, each an INDEX: the attributes of a primitive */
} property_kind;

typedef struct property {
    const char *name;
    property_kind kind;
    bool is_list;   /* list of values of this kind; not empty */
    bool is_needed; /* required */
    size_t count;   /* number of entries of a list; 0: any */
    bool is_bounded;
    double least, most;
    const struct property *of;
} property;

#define IS(its_name, its_kind) .name = its_name, .kind = its_kind
#define NEEDED .is_needed = true
#define LIST .is_list = true
#define FROM_TO(low, high) .is_bounded = true, .least = low, .most = high
#define AT_LEAST(low) FROM_TO(low, HUGE_VAL)

/* -- Tables ---------------------------------------------------------------- */

static const property asset[] = {{IS("version", TEXT), NEEDED},
                                 {IS("minVersion", TEXT)},
                                 {IS("generator", TEXT)},
                                 {IS("copyright", TEXT)},
                                 {.name = NULL}};

static const property sparse_indices[] = {{IS("bufferView", INDEX), NEEDED},
                                          {IS("byteOffset", INDEX)},
                                          {IS("componentType", INTEGER), NEEDED},
                                          {.name = NULL}};
static const property sparse_values[] = {
    {IS("bufferView", INDEX), NEEDED}, {IS("byteOffset", INDEX)}, {.name = NULL}};
static const property sparse[] = {{IS("count", INTEGER), NEEDED, AT_LEAST(1)},
                                  {IS("indices", OBJECT), NEEDED, .of = sparse_indices},
                                  {IS("values", OBJECT), NEEDED, .of = sparse_values},
                                  {.name = NULL}};
static const property accessor[] = {{IS("bufferView", INDEX)},
                                    {IS("byteOffset", INDEX)},
                                    {IS("componentType", INTEGER), NEEDED},
                                    {IS("normalized", BOOLEAN)},
                                    {IS("count", INDEX), NEEDED},
                                    {IS("type", TEXT), NEEDED},
                                    {IS("min", NUMBER), LIST},
                                    {IS("max", NUMBER), LIST},
                                    {IS("sparse", OBJECT), .of = sparse},
                                    {IS("name", TEXT)},
                                    {.name = NULL}};

static const property target[] = {{IS("node", INDEX)}, {IS("path", TEXT), NEEDED}, {.name = NULL}};
static const property channel[] = {
    {IS("sampler", INDEX), NEEDED}, {IS("target", OBJECT), NEEDED, .of = target}, {.name = NULL}};
static const property motion[] = {{IS("input", INDEX), NEEDED},
                                  {IS("interpolation", TEXT)},
                                  {IS("output", INDEX), NEEDED},
                                  {.name = NULL}};
static const property animation[] = {{IS("channels", OBJECT), NEEDED, LIST, .of = channel},
                                     {IS("samplers", OBJECT), NEEDED, LIST, .of = motion},
                                     {IS("name", TEXT)},
                                     {.name = NULL}};

static const property buffer[] = {
    {IS("uri", TEXT)}, {IS("byteLength", INDEX), NEEDED}, {IS("name", TEXT)}, {.name = NULL}};
static const property view[] = {{IS("buffer", INDEX), NEEDED},
                                {IS("byteOffset", INDEX)},
                                {IS("byteLength", INDEX), NEEDED},
                                {IS("byteStride", INTEGER)},
                                {IS("target", INTEGER)},
                                {IS("name", TEXT)},
                                {.name = NULL}};

static const property orthographic[] = {{IS("xmag", NUMBER), NEEDED},
                                        {IS("ymag", NUMBER), NEEDED},
                                        {IS("zfar", NUMBER), NEEDED, AT_LEAST(0)},
                                        {IS("znear", NUMBER), NEEDED, AT_LEAST(0)},
                                        {.name = NULL}};
static const property perspective[] = {{IS("aspectRatio", NUMBER), AT_LEAST(0)},
                                       {IS("yfov", NUMBER), NEEDED, AT_LEAST(0)},
                                       {IS("zfar", NUMBER), AT_LEAST(0)},
                                       {IS("znear", NUMBER), NEEDED, AT_LEAST(0)},
                                       {.name = NULL}};
static const property camera[] = {{IS("type", TEXT), NEEDED},
                                  {IS("orthographic", OBJECT), .of = orthographic},
                                  {IS("perspective", OBJECT), .of = perspective},
                                  {IS("name", TEXT)},
                                  {.name = NULL}};

static const property image[] = {{IS("uri", TEXT)},
                                 {IS("mimeType", TEXT)},
                                 {IS("bufferView", INDEX)},
                                 {IS("name", TEXT)},
                                 {.name = NULL}};
static const property sampler[] = {{IS("magFilter", INTEGER)}, {IS("minFilter", INTEGER)},
                                   {IS("wrapS", INTEGER)},     {IS("wrapT", INTEGER)},
                                   {IS("name", TEXT)},         {.name = NULL}};
static const property texture[] = {
    {IS("sampler", INDEX)}, {IS("source", INDEX)}, {IS("name", TEXT)}, {.name = NULL}};

static const property use[] = {
    {IS("index", INDEX), NEEDED}, {IS("texCoord", INDEX)}, {.name = NULL}};
static const property use_of_normals[] = {
    {IS("index", INDEX), NEEDED}, {IS("texCoord", INDEX)}, {IS("scale", NUMBER)}, {.name = NULL}};
static const property use_of_occlusion[] = {{IS("index", INDEX), NEEDED},
                                            {IS("texCoord", INDEX)},
                                            {IS("strength", NUMBER), FROM_TO(0, 1)},
                                            {.name = NULL}};
static const property metallic_roughness[] = {
    {IS("baseColorFactor", NUMBER), LIST, .count = 4, FROM_TO(0, 1)},
    {IS("baseColorTexture", OBJECT), .of = use},
    {IS("metallicFactor", NUMBER), FROM_TO(0, 1)},
    {IS("roughnessFactor", NUMBER), FROM_TO(0, 1)},
    {IS("metallicRoughnessTexture", OBJECT), .of = use},
    {.name = NULL}};
static const property material[] = {{IS("pbrMetallicRoughness", OBJECT), .of = metallic_roughness},
                                    {IS("normalTexture", OBJECT), .of = use_of_normals},
                                    {IS("occlusionTexture", OBJECT), .of = use_of_occlusion},
                                    {IS("emissiveTexture", OBJECT), .of = use},
                                    {IS("emissiveFactor", NUMBER), LIST, .count = 3, FROM_TO(0, 1)},
                                    {IS("alphaMode", TEXT)},
                                    {IS("alphaCutoff", NUMBER), AT_LEAST(0)},
                                    {IS("doubleSided", BOOLEAN)},
                                    {IS("name", TEXT)},
                                    {.name = NULL}};

static const property primitive[] = {
    {IS("attributes", INDICES), NEEDED},  {IS("indices", INDEX)},         {IS("material", INDEX)},
    {IS("mode", INTEGER), FROM_TO(0, 6)}, {IS("targets", INDICES), LIST}, {.name = NULL}};
static const property mesh[] = {{IS("primitives", OBJECT), NEEDED, LIST, .of = primitive},
                                {IS("weights", NUMBER), LIST},
                                {IS("name", TEXT)},
                                {.name = NULL}};

static const property node[] = {{IS("camera", INDEX)},
                                {IS("children", INDEX), LIST},
                                {IS("skin", INDEX)},
                                {IS("matrix", NUMBER), LIST, .count = 16},
                                {IS("mesh", INDEX)},
                                {IS("rotation", NUMBER), LIST, .count = 4, FROM_TO(-1, 1)},
                                {IS("scale", NUMBER), LIST, .count = 3},
                                {IS("translation", NUMBER), LIST, .count = 3},
                                {IS("weights", NUMBER), LIST},
                                {IS("name", TEXT)},
                                {.name = NULL}};
static const property scene[] = {{IS("nodes", INDEX), LIST}, {IS("name", TEXT)}, {.name = NULL}};
static const property skin[] = {{IS("inverseBindMatrices", INDEX)},
                                {IS("skeleton", INDEX)},
                                {IS("joints", INDEX), NEEDED, LIST},
                                {IS("name", TEXT)},
                                {.name = NULL}};

static const property root[] = {{IS("asset", OBJECT), NEEDED, .of = asset},
                                {IS("scene", INDEX)},
                                {IS("extensionsUsed", TEXT), LIST},
                                {IS("extensionsRequired", TEXT), LIST},
                                {IS("accessors", OBJECT), LIST, .of = accessor},
                                {IS("animations", OBJECT), LIST, .of = animation},
                                {IS("buffers", OBJECT), LIST, .of = buffer},
                                {IS("bufferViews", OBJECT), LIST, .of = view},
                                {IS("cameras", OBJECT), LIST, .of = camera},
                                {IS("images", OBJECT), LIST, .of = image},
                                {IS("materials", OBJECT), LIST, .of = material},
                                {IS("meshes", OBJECT), LIST, .of = mesh},
                                {IS("nodes", OBJECT), LIST, .of = node},
                                {IS("samplers", OBJECT), LIST, .of = sampler},
                                {IS("scenes", OBJECT), LIST, .of = scene},
                                {IS("skins", OBJECT), LIST, .of = skin},
                                {IS("textures", OBJECT), LIST, .of = texture},
                                {.name = NULL}};

/* -- Paths ------------------------------------------------------------- */

/* The path from the root to a value. Each step is a name, or an index of a list. The tables have at
 * most eight levels. */
typedef struct step {
    const struct step *above;
    const char *name;
    size_t index;
} step;

static size_t put_path(const step *at, char *text, size_t size)
{
    if (!at)
        return 0;
    size_t used = put_path(at->above, text, size);
    int more = at->name ? snprintf(text + used, size - used, "/%s", at->name)
                        : snprintf(text + used, size - used, "/%zu", at->index);
    return more < 0 || (size_t)more >= size - used ? size - 1 : used + (size_t)more;
}

/* Maximum number of findings: an entry can be two bytes long, and the report would outgrow the
 * file. */
#define MAX_SENTENCES 100

typedef struct findings {
    facet_report *report;
    size_t count, unexpected;
} findings;

static void fault(findings *found, const char *rule, const step *at, const char *sentence)
{
    char path[256] = "";
    if (found->count++ >= MAX_SENTENCES)
        return;
    put_path(at, path, sizeof path);
    facet_gltf_fault(found->report, rule, "%s %s", path, sentence);
}

/* -- Values ---------------------------------------------------------------- */

static void check_object(findings *found, const facet_json *object, const property *table,
                         const step *at);

static bool is_whole(const facet_json *value)
{
    double number = facet_json_number_value(value);
    return facet_json_is_number(value) && floor(number) == number;
}

/* The expected type or range, or NULL if the value is valid. */
static const char *expected(const facet_json *value, property_kind kind)
{
    switch (kind) {
    case TEXT:
        return facet_json_is_string(value) ? NULL : "a string";
    case BOOLEAN:
        return facet_json_is_boolean(value) ? NULL : "true or false";
    case NUMBER:
        return facet_json_is_number(value) ? NULL : "a number";
    case INTEGER:
        return is_whole(value) ? NULL : "an integer";
    case INDEX:
        return is_whole(value) && facet_json_number_value(value) >= 0 ? NULL
                                                                      : "an integer of 0 or more";
    case OBJECT:
    case INDICES:
        break;
    }
    return facet_json_is_object(value) ? NULL : "an object";
}

static void check_value(findings *found, const facet_json *value, const property *p, const step *at)
{
    char sentence[96];
    const char *type = expected(value, p->kind);
    double number = facet_json_number_value(value);
    if (type) {
        snprintf(sentence, sizeof sentence, "is not %s", type);
        fault(found, "GLTF-PROPERTY", at, sentence);
    } else if (p->is_bounded && !(number >= p->least && number <= p->most)) {
        if (p->most < HUGE_VAL)
            snprintf(sentence, sizeof sentence, "is %g, expected %g to %g", number, p->least,
                     p->most);
        else
            snprintf(sentence, sizeof sentence, "is %g, expected %g or more", number, p->least);
        fault(found, "GLTF-PROPERTY", at, sentence);
    } else if (p->kind == OBJECT) {
        check_object(found, value, p->of, at);
    } else if (p->kind == INDICES) {
        static const property any = {.kind = INDEX};
        if (facet_json_object_size(value) == 0)
            fault(found, "GLTF-EMPTY", at, "is empty, expected an entry");
        for (size_t i = 0; i < facet_json_object_size(value); i++)
            check_value(found, facet_json_object_value(value, i), &any,
                        &(step){at, facet_json_object_key(value, i), 0});
    }
}

static void check_list(findings *found, const facet_json *list, const property *p, const step *at)
{
    size_t count = facet_json_array_size(list);
    char sentence[96];
    if (!facet_json_is_array(list)) {
        fault(found, "GLTF-PROPERTY", at, "is not an array");
    } else if (count == 0) {
        fault(found, "GLTF-EMPTY", at, "is empty, expected an entry or none of that name");
    } else if (p->count > 0 && count != p->count) {
        snprintf(sentence, sizeof sentence, "has %zu %s, expected %zu", count,
                 facet_plural(count, "entry", "entries"), p->count);
        fault(found, "GLTF-PROPERTY", at, sentence);
    }
    for (size_t i = 0; i < count; i++)
        check_value(found, facet_json_array_get(list, i), p, &(step){at, NULL, i});
}

/* Report names that glTF does not define: programs must put their own data into "extras". */
static void check_names(findings *found, const facet_json *object, const property *table,
                        const step *at)
{
    for (size_t i = 0; i < facet_json_object_size(object); i++) {
        const char *name = facet_json_object_key(object, i);
        char path[256] = "";
        const property *p = table;
        while (p->name && strcmp(p->name, name) != 0)
            p++;
        if (p->name || strcmp(name, "extras") == 0 || strcmp(name, "extensions") == 0 ||
            found->unexpected++ >= MAX_SENTENCES)
            continue;
        put_path(&(step){at, name, 0}, path, sizeof path);
        facet_report_add(found->report, "GLTF-UNEXPECTED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%s is not a property of glTF 2.0: it is left out", path);
    }
}

static void check_object(findings *found, const facet_json *object, const property *table,
                         const step *at)
{
    check_names(found, object, table, at);
    for (const property *p = table; p->name; p++) {
        const facet_json *value = facet_json_object_get(object, p->name);
        const step here = {at, p->name, 0};
        if (!value && p->is_needed)
            fault(found, "GLTF-PROPERTY", &here, "does not exist");
        else if (value && p->is_list)
            check_list(found, value, p, &here);
        else if (value)
            check_value(found, value, p, &here);
    }
}

void facet_gltf_check_properties(const facet_json *json, facet_report *report)
{
    findings found = {report, 0, 0};
    check_object(&found, json, root, NULL);
    if (found.count > MAX_SENTENCES)
        facet_gltf_fault(
            report, "GLTF-PROPERTY", "%zu more %s invalid", found.count - MAX_SENTENCES,
            facet_plural(found.count - MAX_SENTENCES, "property is", "properties are"));
    if (found.unexpected > MAX_SENTENCES)
        facet_report_add(report, "GLTF-UNEXPECTED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%zu more name%s left out: not defined by glTF 2.0",
                         found.unexpected - MAX_SENTENCES,
                         facet_plural(found.unexpected - MAX_SENTENCES, " is", "s are"));
}
