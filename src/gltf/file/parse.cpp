/* gltf/file/parse.cpp - tinygltf behind a C face: JSON text in, facet_gltf_document out.
 *
 * tinygltf walks the schema; it is kept from what it does not do safely. Before
 * it sees the text, the tree of the JSON is parsed once and
 *  - nesting beyond a limit is refused (it recurses),
 *  - indices and sizes must be integers in range (it truncates them, and takes
 *    the default where the type is wrong),
 *  - buffers and images are taken out: it would copy their bytes, and rejects
 *    the buffers without bytes that EXT_meshopt_compression allows,
 *  - the indices of Draco primitives are taken out: it rejects accessors
 *    without a view there,
 *  - extras of animations are taken out: it copies them once per sampler.
 * Primitives and channels that it drops in silence are found by counting.
 * No exception leaves this file. */
#include "gltf/file/document.h"

/* The names of the library are ours alone: a program that links tinygltf
 * itself must not meet a second definition. */
#define tinygltf facet_tinygltf
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_FS
#define TINYGLTF_NO_EXTERNAL_IMAGE
#include <fstream>
#include <tiny_gltf.h>

extern "C" {
#include "base/arena.h"
#include "base/error.h"
}

#include <climits>
#include <cmath>
#include <new>
#include <set>
#include <string>
#include <vector>

namespace
{

using json = nlohmann::json;

/* -- Failing ------------------------------------------------------------ */

struct failure {
    facet_status status;
    const char *rule;
    std::string message;
};

/* A message in one line; it may hold text from the file. */
std::string tidy(std::string message)
{
    size_t line = message.find('\n');
    if (line != std::string::npos)
        message.resize(line);
    for (char &c : message) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            c = '?';
    }
    return message;
}

[[noreturn]] void property_fault(const std::string &message)
{
    throw failure{FACET_ERROR_MALFORMED, "GLTF-PROPERTY", message};
}

/* -- Into the arena ----------------------------------------------------- */

class filler
{
  public:
    explicit filler(facet_arena *arena) : arena_(arena)
    {
    }

    template <typename T> T *array(size_t count)
    {
        if (count == 0)
            return nullptr;
        void *made = facet_arena_allocate_zeroed(arena_, count, sizeof(T));
        if (!made)
            throw std::bad_alloc();
        return static_cast<T *>(made);
    }

    const char *text(const std::string &from)
    {
        const char *made = facet_arena_string(arena_, from.data(), from.size());
        if (!made)
            throw std::bad_alloc();
        return made;
    }

    /* of a file: a NUL would make it that of another one */
    const char *name(const std::string &from)
    {
        if (from.find('\0') != std::string::npos)
            property_fault("a uri has a NUL in it");
        return text(from);
    }

    /* extras as text; NULL when there are none */
    const char *extras(const std::string &from)
    {
        return from.empty() || from == "null" ? nullptr : text(from);
    }

    float *floats(const std::vector<double> &from, uint32_t *count)
    {
        float *made = array<float>(from.size());
        for (size_t i = 0; i < from.size(); i++)
            made[i] = static_cast<float>(from[i]);
        *count = static_cast<uint32_t>(from.size());
        return made;
    }

    uint32_t *indices(const std::vector<int> &from, uint32_t *count)
    {
        uint32_t *made = array<uint32_t>(from.size());
        for (size_t i = 0; i < from.size(); i++)
            made[i] = static_cast<uint32_t>(from[i]);
        *count = static_cast<uint32_t>(from.size());
        return made;
    }

    const char **texts(const std::vector<std::string> &from, uint32_t *count)
    {
        const char **made = array<const char *>(from.size());
        for (size_t i = 0; i < from.size(); i++)
            made[i] = text(from[i]);
        *count = static_cast<uint32_t>(from.size());
        return made;
    }

  private:
    facet_arena *arena_;
};

uint32_t index_of(int from)
{
    return from < 0 ? FACET_NONE : static_cast<uint32_t>(from);
}

/* -- Before tinygltf: the shape of the tree ----------------------------- */

const unsigned deepest = 100;

void check_depth(const char *text, size_t size)
{
    unsigned depth = 0;
    bool inside_string = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (inside_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                inside_string = false;
        } else if (c == '"') {
            inside_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > deepest)
                throw failure{FACET_ERROR_LIMIT, "GLTF-JSON",
                              "the JSON is nested deeper than " + std::to_string(deepest)};
        } else if (c == '}' || c == ']') {
            depth -= depth > 0;
        }
    }
}

bool is_number_of_object(const std::string &key)
{
    static const std::set<std::string> keys = {
        "bufferView", "buffer",  "mesh",   "skin",         "node",     "sampler",
        "source",     "index",   "camera", "input",        "output",   "skeleton",
        "material",   "indices", "scene",  "light",        "texCoord", "inverseBindMatrices",
        "mode",       "count",   "target", "componentType"};
    return keys.count(key) != 0;
}

bool is_size(const std::string &key)
{
    return key == "byteOffset" || key == "byteLength" || key == "byteStride";
}

bool is_text(const std::string &key)
{
    return key == "name" || key == "uri" || key == "type" || key == "path" || key == "mimeType";
}

bool is_list_of_indices(const std::string &key)
{
    return key == "children" || key == "nodes" || key == "joints";
}

bool is_index(const json &value)
{
    return value.is_number_unsigned() && value.get<uint64_t>() <= INT_MAX;
}

/* One member of an object: an index, a size or a string must be one. */
void check_member(const std::string &key, const json &value, const std::string &where)
{
    if (is_number_of_object(key)) {
        if (!is_index(value))
            property_fault(where + "/" + key + " is not an integer from 0 to 2147483647");
    } else if (is_size(key)) {
        if (!value.is_number_unsigned() || value.get<uint64_t>() > (uint64_t(1) << 53))
            property_fault(where + "/" + key + " is not an integer from 0 to 2^53");
    } else if (is_text(key)) {
        if (!value.is_string())
            property_fault(where + "/" + key + " is not a string");
    } else if (is_list_of_indices(key)) {
        /* The document's own list of nodes is one of objects. */
        for (const json &each : value) {
            if (!each.is_object() && !is_index(each))
                property_fault(where + "/" + key + " holds something that is not an index");
        }
    }
}

/* Every index and size below `tree`, but for extras and what extensions say
 * in words of their own. Depth is limited already. */
void check_numbers(const json &tree, const std::string &where)
{
    if (tree.is_array()) {
        for (size_t i = 0; i < tree.size(); i++) {
            if (tree[i].is_structured())
                check_numbers(tree[i], where + "/" + std::to_string(i));
        }
        return;
    }
    for (auto it = tree.begin(); it != tree.end(); ++it) {
        if (it.key() == "extras" || it.key() == "extensions")
            continue;
        if (!it->is_object())
            check_member(it.key(), *it, where);
        if (it->is_structured())
            check_numbers(*it, where + "/" + it.key());
    }
}

/* JSON has one kind of number: 16.0 is an integer. As deep as check_depth allows. */
void settle_integers(json &tree)
{
    for (auto it = tree.begin(); it != tree.end(); ++it) {
        json &each = *it;
        if (tree.is_object() && it.key() == "extras")
            continue;
        if (each.is_structured()) {
            settle_integers(each);
        } else if (each.is_number_float()) {
            double value = each.get<double>();
            if (value == std::floor(value) && std::fabs(value) <= 9007199254740992.0 &&
                !std::signbit(value))
                each = static_cast<uint64_t>(value);
        }
    }
}

/* A member that must be an array of objects if it is there. */
const json &objects(const json &root, const char *name)
{
    static const json none = json::array();
    auto it = root.find(name);
    if (it == root.end())
        return none;
    if (!it->is_array())
        property_fault(std::string("/") + name + " is not an array");
    for (const json &each : *it) {
        if (!each.is_object())
            property_fault(std::string("/") + name + " holds something that is not an object");
    }
    return *it;
}

std::string string_of(const json &object, const char *key)
{
    auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

uint64_t number_of(const json &object, const char *key, uint64_t otherwise)
{
    auto it = object.find(key);
    return it != object.end() && it->is_number_unsigned() ? it->get<uint64_t>() : otherwise;
}

const json *extension_of(const json &object, const char *name)
{
    auto all = object.find("extensions");
    if (all == object.end() || !all->is_object())
        return nullptr;
    auto it = all->find(name);
    return it != all->end() && it->is_object() ? &*it : nullptr;
}

std::string extras_of(const json &object)
{
    auto it = object.find("extras");
    return it == object.end() ? std::string() : it->dump();
}

/* -- What is taken out -------------------------------------------------- */

void take_buffers(filler &fill, const json &root, facet_gltf_document *document)
{
    const json &buffers = objects(root, "buffers");
    document->buffers = fill.array<facet_gltf_buffer>(buffers.size());
    document->buffer_count = static_cast<uint32_t>(buffers.size());
    for (size_t i = 0; i < buffers.size(); i++) {
        facet_gltf_buffer *buffer = &document->buffers[i];
        auto length = buffers[i].find("byteLength");
        if (length == buffers[i].end())
            property_fault("/buffers/" + std::to_string(i) + " has no byteLength");
        buffer->length = length->get<uint64_t>();
        auto uri = buffers[i].find("uri");
        if (uri != buffers[i].end())
            buffer->uri = fill.name(uri->get_ref<const std::string &>());
        const json *meshopt = extension_of(buffers[i], "EXT_meshopt_compression");
        if (meshopt) {
            auto fallback = meshopt->find("fallback");
            buffer->fallback =
                fallback != meshopt->end() && fallback->is_boolean() && fallback->get<bool>();
        }
    }
}

void take_images(filler &fill, const json &root, facet_gltf_document *document)
{
    const json &images = objects(root, "images");
    document->images = fill.array<facet_gltf_image>(images.size());
    document->image_count = static_cast<uint32_t>(images.size());
    for (size_t i = 0; i < images.size(); i++) {
        facet_gltf_image *image = &document->images[i];
        image->name = fill.text(string_of(images[i], "name"));
        image->extras = fill.extras(extras_of(images[i]));
        image->media_type = fill.text(string_of(images[i], "mimeType"));
        image->view = static_cast<uint32_t>(number_of(images[i], "bufferView", FACET_NONE));
        auto uri = images[i].find("uri");
        if (uri != images[i].end())
            image->uri = fill.name(uri->get_ref<const std::string &>());
        if ((image->uri != nullptr) == (image->view != FACET_NONE))
            property_fault("/images/" + std::to_string(i) +
                           " must have either a uri or a bufferView");
    }
}

void take_views(filler &fill, const json &root, facet_gltf_document *document)
{
    const json &views = objects(root, "bufferViews");
    document->views = fill.array<facet_gltf_view>(views.size());
    document->view_count = static_cast<uint32_t>(views.size());
    for (size_t i = 0; i < views.size(); i++) {
        facet_gltf_view *view = &document->views[i];
        view->buffer = static_cast<uint32_t>(number_of(views[i], "buffer", FACET_NONE));
        view->offset = number_of(views[i], "byteOffset", 0);
        view->length = number_of(views[i], "byteLength", 0);
        view->stride = number_of(views[i], "byteStride", 0);
        const json *from = extension_of(views[i], "EXT_meshopt_compression");
        if (!from)
            continue;
        std::string where = "/bufferViews/" + std::to_string(i) + "/EXT_meshopt_compression";
        for (const char *key : {"buffer", "byteOffset", "byteLength", "byteStride", "count"}) {
            if (from->find(key) != from->end())
                check_member(key, (*from)[key], where);
        }
        facet_gltf_meshopt *meshopt = fill.array<facet_gltf_meshopt>(1);
        meshopt->buffer = static_cast<uint32_t>(number_of(*from, "buffer", FACET_NONE));
        meshopt->offset = number_of(*from, "byteOffset", 0);
        meshopt->length = number_of(*from, "byteLength", 0);
        meshopt->stride = number_of(*from, "byteStride", 0);
        meshopt->count = number_of(*from, "count", 0);
        meshopt->mode = fill.text(string_of(*from, "mode"));
        std::string filter = string_of(*from, "filter");
        meshopt->filter = fill.text(filter.empty() ? "NONE" : filter);
        view->meshopt = meshopt;
    }
}

/* Where the indices of a primitive were that tinygltf does not understand, in the order
 * of the file: those that Draco decodes, and those without a view, which are zeros. */
struct taken_indices {
    size_t mesh, primitive;
    uint32_t accessor;
};

bool has_view(const json &accessors, uint64_t index)
{
    return index >= accessors.size() || accessors[index].contains("bufferView");
}

std::vector<taken_indices> take_indices(json &root)
{
    std::vector<taken_indices> taken;
    auto meshes = root.find("meshes");
    const json &accessors = objects(root, "accessors");
    for (size_t m = 0; meshes != root.end() && m < meshes->size(); m++) {
        auto primitives = (*meshes)[m].find("primitives");
        if (primitives == (*meshes)[m].end() || !primitives->is_array())
            continue;
        for (size_t p = 0; p < primitives->size(); p++) {
            json &primitive = (*primitives)[p];
            if (!primitive.is_object())
                continue;
            if (!extension_of(primitive, "KHR_draco_mesh_compression") &&
                has_view(accessors, number_of(primitive, "indices", FACET_NONE)))
                continue;
            taken.push_back(
                {m, p, static_cast<uint32_t>(number_of(primitive, "indices", FACET_NONE))});
            primitive.erase("indices");
        }
    }
    return taken;
}

/* -- From tinygltf's model ---------------------------------------------- */

void fill_accessors(filler &fill, const tinygltf::Model &model, facet_gltf_document *document)
{
    document->accessors = fill.array<facet_gltf_accessor>(model.accessors.size());
    document->accessor_count = static_cast<uint32_t>(model.accessors.size());
    for (size_t i = 0; i < model.accessors.size(); i++) {
        const tinygltf::Accessor &from = model.accessors[i];
        facet_gltf_accessor *accessor = &document->accessors[i];
        accessor->view = index_of(from.bufferView);
        accessor->offset = from.byteOffset;
        accessor->count = from.count;
        accessor->type = static_cast<uint32_t>(from.componentType);
        accessor->matrix = from.type > 32 && from.type < 64;
        accessor->components = static_cast<uint32_t>(
            tinygltf::GetNumComponentsInType(static_cast<uint32_t>(from.type)));
        accessor->normalized = from.normalized;
        size_t components = accessor->components;
        accessor->has_bounds =
            from.minValues.size() == components && from.maxValues.size() == components;
        for (size_t c = 0; accessor->has_bounds && c < components; c++) {
            accessor->minimum[c] = from.minValues[c];
            accessor->maximum[c] = from.maxValues[c];
        }
        if (!from.sparse.isSparse)
            continue;
        facet_gltf_sparse *sparse = fill.array<facet_gltf_sparse>(1);
        sparse->count = static_cast<uint64_t>(from.sparse.count);
        sparse->indices_view = index_of(from.sparse.indices.bufferView);
        sparse->values_view = index_of(from.sparse.values.bufferView);
        sparse->indices_offset = static_cast<uint32_t>(from.sparse.indices.byteOffset);
        sparse->values_offset = static_cast<uint32_t>(from.sparse.values.byteOffset);
        sparse->index_type = static_cast<uint32_t>(from.sparse.indices.componentType);
        accessor->sparse = sparse;
    }
}

facet_gltf_attribute *fill_attributes(filler &fill, const std::map<std::string, int> &from,
                                      uint32_t *count)
{
    facet_gltf_attribute *attributes = fill.array<facet_gltf_attribute>(from.size());
    uint32_t at = 0;
    for (const auto &each : from) {
        attributes[at].name = fill.text(each.first);
        attributes[at].accessor = index_of(each.second);
        at++;
    }
    *count = at;
    return attributes;
}

const facet_gltf_draco *fill_draco(filler &fill, const tinygltf::Value &from)
{
    if (!from.IsObject() || !from.Get("attributes").IsObject() || !from.Get("bufferView").IsInt())
        property_fault("KHR_draco_mesh_compression lacks its attributes or its bufferView");
    facet_gltf_draco *draco = fill.array<facet_gltf_draco>(1);
    draco->view = index_of(from.Get("bufferView").GetNumberAsInt());
    std::map<std::string, int> attributes;
    for (const std::string &key : from.Get("attributes").Keys())
        attributes[key] = from.Get("attributes").Get(key).GetNumberAsInt();
    draco->attributes = fill_attributes(fill, attributes, &draco->attribute_count);
    return draco;
}

void fill_primitive(filler &fill, const tinygltf::Primitive &from, facet_gltf_primitive *primitive)
{
    primitive->attributes = fill_attributes(fill, from.attributes, &primitive->attribute_count);
    primitive->indices = index_of(from.indices);
    primitive->material = index_of(from.material);
    primitive->mode = static_cast<uint32_t>(from.mode);
    primitive->targets = fill.array<facet_gltf_target>(from.targets.size());
    primitive->target_count = static_cast<uint32_t>(from.targets.size());
    for (size_t t = 0; t < from.targets.size(); t++)
        primitive->targets[t].attributes =
            fill_attributes(fill, from.targets[t], &primitive->targets[t].attribute_count);
    primitive->has_extras = !from.extras_json_string.empty();
    auto draco = from.extensions.find("KHR_draco_mesh_compression");
    if (draco != from.extensions.end())
        primitive->draco = fill_draco(fill, draco->second);
}

void fill_meshes(filler &fill, const tinygltf::Model &model, const json &root,
                 const std::vector<taken_indices> &taken, facet_gltf_document *document)
{
    const json &meshes = objects(root, "meshes");
    document->meshes = fill.array<facet_gltf_mesh>(model.meshes.size());
    document->mesh_count = static_cast<uint32_t>(model.meshes.size());
    for (size_t i = 0; i < model.meshes.size(); i++) {
        const tinygltf::Mesh &from = model.meshes[i];
        facet_gltf_mesh *mesh = &document->meshes[i];
        auto listed = meshes[i].find("primitives");
        size_t expected = listed != meshes[i].end() && listed->is_array() ? listed->size() : 0;
        if (from.primitives.size() != expected)
            property_fault("/meshes/" + std::to_string(i) + " has a primitive without attributes");
        mesh->name = fill.text(from.name);
        mesh->extras = fill.extras(from.extras_json_string);
        mesh->weights = fill.floats(from.weights, &mesh->weight_count);
        mesh->primitives = fill.array<facet_gltf_primitive>(from.primitives.size());
        mesh->primitive_count = static_cast<uint32_t>(from.primitives.size());
        for (size_t p = 0; p < from.primitives.size(); p++)
            fill_primitive(fill, from.primitives[p], &mesh->primitives[p]);
        if (!from.extras.IsObject() || !from.extras.Get("targetNames").IsArray())
            continue;
        std::vector<std::string> names;
        const tinygltf::Value &list = from.extras.Get("targetNames");
        for (size_t n = 0; n < list.ArrayLen(); n++) {
            const tinygltf::Value &name = list.Get(static_cast<int>(n));
            names.push_back(name.IsString() ? name.Get<std::string>() : std::string());
        }
        mesh->target_names = fill.texts(names, &mesh->target_name_count);
    }
    for (const taken_indices &each : taken)
        document->meshes[each.mesh].primitives[each.primitive].indices = each.accessor;
}

void fill_pair(const tinygltf::Value &from, float values[2])
{
    for (int i = 0; from.IsArray() && i < 2; i++) {
        if (from.Get(i).IsNumber())
            values[i] = static_cast<float>(from.Get(i).GetNumberAsDouble());
    }
}

template <typename T> facet_gltf_texture_use texture_use(const T &from)
{
    facet_gltf_texture_use use = {};
    use.texture = index_of(from.index);
    use.uv_set = from.texCoord < 0 ? 0 : static_cast<uint32_t>(from.texCoord);
    use.scale[0] = use.scale[1] = 1;
    auto transform = from.extensions.find("KHR_texture_transform");
    if (transform == from.extensions.end() || !transform->second.IsObject())
        return use;
    const tinygltf::Value &value = transform->second;
    use.has_transform = true;
    fill_pair(value.Get("offset"), use.offset);
    fill_pair(value.Get("scale"), use.scale);
    if (value.Get("rotation").IsNumber())
        use.rotation = static_cast<float>(value.Get("rotation").GetNumberAsDouble());
    if (value.Get("texCoord").IsInt() && value.Get("texCoord").GetNumberAsInt() >= 0)
        use.uv_set = static_cast<uint32_t>(value.Get("texCoord").GetNumberAsInt());
    return use;
}

void fill_material(filler &fill, const tinygltf::Material &from, facet_gltf_material *material)
{
    const tinygltf::PbrMetallicRoughness &pbr = from.pbrMetallicRoughness;
    material->name = fill.text(from.name);
    material->extras = fill.extras(from.extras_json_string);
    for (size_t i = 0; i < 4; i++)
        material->base_color[i] = static_cast<float>(pbr.baseColorFactor[i]);
    for (size_t i = 0; i < 3; i++)
        material->emissive[i] = static_cast<float>(from.emissiveFactor[i]);
    material->metallic = static_cast<float>(pbr.metallicFactor);
    material->roughness = static_cast<float>(pbr.roughnessFactor);
    material->normal_scale = static_cast<float>(from.normalTexture.scale);
    material->occlusion_strength = static_cast<float>(from.occlusionTexture.strength);
    material->alpha_cutoff = static_cast<float>(from.alphaCutoff);
    material->alpha_mode = fill.text(from.alphaMode);
    material->double_sided = from.doubleSided;
    material->unlit = from.extensions.count("KHR_materials_unlit") != 0;
    material->emissive_strength = 1;
    auto strength = from.extensions.find("KHR_materials_emissive_strength");
    if (strength != from.extensions.end() && strength->second.Has("emissiveStrength"))
        material->emissive_strength =
            static_cast<float>(strength->second.Get("emissiveStrength").GetNumberAsDouble());
    material->base = texture_use(pbr.baseColorTexture);
    material->metallic_roughness = texture_use(pbr.metallicRoughnessTexture);
    material->normal = texture_use(from.normalTexture);
    material->occlusion = texture_use(from.occlusionTexture);
    material->emissive_map = texture_use(from.emissiveTexture);
}

void fill_materials(filler &fill, const tinygltf::Model &model, facet_gltf_document *document)
{
    document->materials = fill.array<facet_gltf_material>(model.materials.size());
    document->material_count = static_cast<uint32_t>(model.materials.size());
    for (size_t i = 0; i < model.materials.size(); i++)
        fill_material(fill, model.materials[i], &document->materials[i]);

    document->textures = fill.array<facet_gltf_texture>(model.textures.size());
    document->texture_count = static_cast<uint32_t>(model.textures.size());
    for (size_t i = 0; i < model.textures.size(); i++) {
        document->textures[i].image = index_of(model.textures[i].source);
        document->textures[i].sampler = index_of(model.textures[i].sampler);
    }

    document->samplers = fill.array<facet_gltf_sampler>(model.samplers.size());
    document->sampler_count = static_cast<uint32_t>(model.samplers.size());
    for (size_t i = 0; i < model.samplers.size(); i++) {
        const tinygltf::Sampler &from = model.samplers[i];
        facet_gltf_sampler *sampler = &document->samplers[i];
        sampler->minify = from.minFilter < 0 ? 0 : static_cast<uint32_t>(from.minFilter);
        sampler->magnify = from.magFilter < 0 ? 0 : static_cast<uint32_t>(from.magFilter);
        sampler->wrap_s = static_cast<uint32_t>(from.wrapS);
        sampler->wrap_t = static_cast<uint32_t>(from.wrapT);
    }
}

void fill_numbers(const std::vector<double> &from, size_t count, float *values, size_t node,
                  const char *what)
{
    if (from.empty())
        return;
    if (from.size() != count)
        property_fault("/nodes/" + std::to_string(node) + "/" + what + " has " +
                       std::to_string(from.size()) + " numbers, expected " + std::to_string(count));
    for (size_t i = 0; i < count; i++)
        values[i] = static_cast<float>(from[i]);
}

void fill_nodes(filler &fill, const tinygltf::Model &model, facet_gltf_document *document)
{
    document->nodes = fill.array<facet_gltf_node>(model.nodes.size());
    document->node_count = static_cast<uint32_t>(model.nodes.size());
    for (size_t i = 0; i < model.nodes.size(); i++) {
        const tinygltf::Node &from = model.nodes[i];
        facet_gltf_node *node = &document->nodes[i];
        node->name = fill.text(from.name);
        node->extras = fill.extras(from.extras_json_string);
        node->mesh = index_of(from.mesh);
        node->skin = index_of(from.skin);
        node->camera = index_of(from.camera);
        node->light = FACET_NONE;
        auto light = from.extensions.find("KHR_lights_punctual");
        if (light != from.extensions.end() && light->second.Has("light"))
            node->light = index_of(light->second.Get("light").GetNumberAsInt());
        node->children = fill.indices(from.children, &node->child_count);
        auto lods = from.extensions.find("MSFT_lod");
        if (lods != from.extensions.end() && lods->second.Has("ids")) {
            const tinygltf::Value &ids = lods->second.Get("ids");
            std::vector<int> levels;
            for (size_t level = 0; ids.IsArray() && level < ids.ArrayLen(); level++)
                levels.push_back(ids.Get(level).GetNumberAsInt());
            node->lods = fill.indices(levels, &node->lod_count);
        }
        node->transform = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        node->has_matrix = !from.matrix.empty();
        fill_numbers(from.matrix, 16, node->matrix, i, "matrix");
        fill_numbers(from.translation, 3, node->transform.translation, i, "translation");
        fill_numbers(from.rotation, 4, node->transform.rotation, i, "rotation");
        fill_numbers(from.scale, 3, node->transform.scale, i, "scale");
        node->weights = fill.floats(from.weights, &node->weight_count);
    }

    document->skins = fill.array<facet_gltf_skin>(model.skins.size());
    document->skin_count = static_cast<uint32_t>(model.skins.size());
    for (size_t i = 0; i < model.skins.size(); i++) {
        const tinygltf::Skin &from = model.skins[i];
        facet_gltf_skin *skin = &document->skins[i];
        skin->name = fill.text(from.name);
        skin->extras = fill.extras(from.extras_json_string);
        skin->joints = fill.indices(from.joints, &skin->joint_count);
        skin->inverse_bind = index_of(from.inverseBindMatrices);
        skin->skeleton = index_of(from.skeleton);
    }
}

/* From the JSON: tinygltf leaves out those that aim at no node. */
void fill_channels(filler &fill, const json &from, facet_gltf_animation *animation)
{
    const json &channels = objects(from, "channels");
    animation->channels = fill.array<facet_gltf_channel>(channels.size());
    animation->channel_count = static_cast<uint32_t>(channels.size());
    for (size_t i = 0; i < channels.size(); i++) {
        facet_gltf_channel *channel = &animation->channels[i];
        auto target = channels[i].find("target");
        bool aims = target != channels[i].end() && target->is_object();
        const json *pointer = aims ? extension_of(*target, "KHR_animation_pointer") : nullptr;
        channel->sampler = static_cast<uint32_t>(number_of(channels[i], "sampler", FACET_NONE));
        channel->node =
            aims ? static_cast<uint32_t>(number_of(*target, "node", FACET_NONE)) : FACET_NONE;
        channel->path = fill.text(aims ? string_of(*target, "path") : "");
        channel->pointer = fill.text(pointer ? string_of(*pointer, "pointer") : "");
    }
}

void fill_animations(filler &fill, const tinygltf::Model &model, const json &root,
                     const std::vector<std::string> &extras, facet_gltf_document *document)
{
    const json &animations = objects(root, "animations");
    document->animations = fill.array<facet_gltf_animation>(model.animations.size());
    document->animation_count = static_cast<uint32_t>(model.animations.size());
    for (size_t i = 0; i < model.animations.size(); i++) {
        const tinygltf::Animation &from = model.animations[i];
        facet_gltf_animation *animation = &document->animations[i];
        animation->name = fill.text(from.name);
        animation->extras = fill.extras(extras[i]);
        fill_channels(fill, animations[i], animation);
        animation->samplers = fill.array<facet_gltf_animation_sampler>(from.samplers.size());
        animation->sampler_count = static_cast<uint32_t>(from.samplers.size());
        for (size_t s = 0; s < from.samplers.size(); s++) {
            animation->samplers[s].input = index_of(from.samplers[s].input);
            animation->samplers[s].output = index_of(from.samplers[s].output);
            animation->samplers[s].interpolation = fill.text(from.samplers[s].interpolation);
        }
    }
}

void fill_scenes(filler &fill, const tinygltf::Model &model, facet_gltf_document *document)
{
    document->scenes = fill.array<facet_gltf_scene>(model.scenes.size());
    document->scene_count = static_cast<uint32_t>(model.scenes.size());
    for (size_t i = 0; i < model.scenes.size(); i++) {
        document->scenes[i].name = fill.text(model.scenes[i].name);
        document->scenes[i].extras = fill.extras(model.scenes[i].extras_json_string);
        document->scenes[i].roots =
            fill.indices(model.scenes[i].nodes, &document->scenes[i].root_count);
    }
    document->scene = index_of(model.defaultScene);
    std::vector<std::string> names;
    for (const tinygltf::Camera &camera : model.cameras)
        names.push_back(camera.name);
    document->camera_names = fill.texts(names, &document->camera_count);
    names.clear();
    for (const tinygltf::Light &light : model.lights)
        names.push_back(light.name);
    document->light_names = fill.texts(names, &document->light_count);
    document->extras = fill.extras(model.extras_json_string);
}

void check_version(const json &root)
{
    auto asset = root.find("asset");
    std::string version =
        asset != root.end() && asset->is_object() ? string_of(*asset, "version") : "";
    if (version.empty())
        throw failure{FACET_ERROR_MALFORMED, "GLTF-VERSION", "there is no asset.version"};
    std::string minimum = string_of(*asset, "minVersion");
    if (version.compare(0, 2, "2.") != 0 || (!minimum.empty() && minimum != "2.0"))
        throw failure{FACET_ERROR_UNSUPPORTED, "GLTF-VERSION",
                      "the file is of glTF version " + (minimum.empty() ? version : minimum) +
                          ", expected 2.0"};
}

void parse(const char *text, size_t size, filler &fill, facet_gltf_document *document)
{
    check_depth(text, size);
    json root = json::parse(text, text + size);
    if (!root.is_object())
        throw failure{FACET_ERROR_MALFORMED, "GLTF-JSON", "the JSON is not an object"};
    settle_integers(root);
    check_version(root);
    check_numbers(root, "");
    for (const char *name : {"accessors", "bufferViews", "cameras", "materials", "meshes", "nodes",
                             "samplers", "scenes", "skins", "textures", "animations"})
        objects(root, name);

    take_buffers(fill, root, document);
    take_images(fill, root, document);
    take_views(fill, root, document);
    std::vector<taken_indices> taken = take_indices(root);
    std::vector<std::string> animation_extras;
    root.erase("buffers");
    root.erase("images");
    auto animations = root.find("animations");
    for (size_t i = 0; animations != root.end() && i < animations->size(); i++) {
        animation_extras.push_back(extras_of((*animations)[i]));
        (*animations)[i].erase("extras");
        (*animations)[i].erase("extensions");
    }

    tinygltf::Model model;
    {
        std::string rest = root.dump();
        if (rest.size() > UINT_MAX)
            throw failure{FACET_ERROR_LIMIT, "GLTF-JSON", "the JSON is larger than 4 GiB"};
        std::string errors, warnings;
        tinygltf::TinyGLTF loader;
        loader.SetStoreOriginalJSONForExtrasAndExtensions(true);
        if (!loader.LoadASCIIFromString(&model, &errors, &warnings, rest.data(),
                                        static_cast<unsigned>(rest.size()), "")) {
            /* What it catches, it makes a sentence of. */
            if (errors.find("std::bad_alloc") != std::string::npos)
                throw std::bad_alloc();
            property_fault(errors.empty() ? "the JSON does not follow the schema" : errors);
        }
    }
    document->version = fill.text(model.asset.version);
    document->minimum_version = fill.text(model.asset.minVersion);
    document->generator = fill.text(model.asset.generator);
    document->copyright = fill.text(model.asset.copyright);
    document->used = fill.texts(model.extensionsUsed, &document->used_count);
    document->required = fill.texts(model.extensionsRequired, &document->required_count);
    fill_accessors(fill, model, document);
    fill_meshes(fill, model, root, taken, document);
    fill_materials(fill, model, document);
    fill_nodes(fill, model, document);
    fill_animations(fill, model, root, animation_extras, document);
    fill_scenes(fill, model, document);
}

} // namespace

/* -- The C face --------------------------------------------------------- */

facet_status facet_gltf_parse(const char *text, size_t size, uint64_t offset, facet_arena *arena,
                              facet_gltf_document *document, facet_error *error)
{
    try {
        facet_gltf_document made = {};
        filler fill(arena);
        parse(text, size, fill, &made);
        *document = made;
        return FACET_OK;
    } catch (const failure &fault) {
        return facet_fail(error, fault.status, fault.rule, FACET_NO_OFFSET, "%s",
                          tidy(fault.message).c_str());
    } catch (const json::parse_error &fault) {
        /* `byte` counts from 1 and names the last byte read. */
        uint64_t at = offset + (fault.byte > 0 ? fault.byte - 1 : 0);
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-JSON", at,
                          "the JSON breaks off or is not JSON at byte %llu",
                          static_cast<unsigned long long>(at));
    } catch (const std::bad_alloc &) {
        return facet_fail_memory(error, size);
    } catch (const std::exception &fault) {
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-JSON", FACET_NO_OFFSET, "%s",
                          fault.what());
    } catch (...) {
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-JSON", FACET_NO_OFFSET,
                          "the JSON could not be read");
    }
}
