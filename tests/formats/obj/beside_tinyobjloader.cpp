// Compares the OBJ reader with tinyobjloader. Valid files are changed a little, by words and lines,
// and both read them; every run makes the same changes. The page docs/project/fuzzing-log.md
// explains all differences that are allowed: files that only one reads, and files that both read
// differently.
//
//   beside_tinyobjloader COUNT FILE.obj...
#include <facet/facet.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <tiny_obj_loader.h>
#include <vector>

// -- Changes --------------------------------------------------------------------

static uint32_t state = 1;

static uint32_t next(uint32_t limit)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
}

static std::string word()
{
    static const char *const words[] = {"0",    "1",     "2",     "-1",   "-2", "3",     "7",
                                        "1e3",  "-0.5",  ".25",   "1.",   "+2", "1e-40", "1e39",
                                        "nan",  "1/1/1", "2//1",  "3/1",  "1/", "/1",    "1//",
                                        "x",    "#",     "1.5.5", "0x10", "-",  "+",     "1e",
                                        "9999", "-9999", "inf",   "1,5",  "s",  "f",     "v"};
    return words[next(sizeof words / sizeof *words)];
}

using Lines = std::vector<std::vector<std::string>>;

static Lines split(const std::string &text)
{
    Lines lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        for (std::string more; line.size() > 1 && line[line.find_last_not_of('\r')] == '\\' &&
                               std::getline(stream, more);) // tinyobjloader knows no such lines
            line = line.substr(0, line.rfind('\\')) + more;
        std::istringstream words(line);
        lines.emplace_back(std::istream_iterator<std::string>(words),
                           std::istream_iterator<std::string>());
    }
    return lines;
}

static std::string join(const Lines &lines)
{
    std::string text;
    for (const auto &line : lines) {
        for (size_t i = 0; i < line.size(); i++)
            text += (i ? " " : "") + line[i];
        text += '\n';
    }
    return text;
}

static void change(Lines &lines)
{
    size_t at = next(uint32_t(lines.size()));
    std::vector<std::string> &line = lines[at];
    switch (next(6)) {
    case 0:
        if (lines.size() > 1)
            lines.erase(lines.begin() + long(at));
        break;
    case 1:
        lines.insert(lines.begin() + long(next(uint32_t(lines.size()))),
                     std::vector<std::string>(line));
        break;
    case 2:
        std::swap(line, lines[next(uint32_t(lines.size()))]);
        break;
    case 3:
        if (line.size() > 1)
            line.erase(line.begin() + 1 + long(next(uint32_t(line.size() - 1))));
        break;
    case 4:
        line.insert(line.begin() + (line.empty() ? 0 : 1), word());
        break;
    default:
        if (line.size() > 1)
            line[1 + next(uint32_t(line.size() - 1))] = word();
    }
}

// -- What is read -----------------------------------------------------------------

struct Corner {
    float values[8]; // position, normal, texture coordinate
    bool normal, texcoord;
};

struct Model {
    bool read = false;
    std::string why;
    std::vector<std::vector<Corner>> faces;
    std::vector<unsigned> smoothing;
};

static bool take(const facet_mesh *mesh, facet_semantic semantic, uint32_t corner, float *to,
                 uint32_t most)
{
    const facet_stream *stream = facet_mesh_find(mesh, semantic, 0);
    if (!stream || stream->indices[corner] == FACET_NONE)
        return false;
    const float *from = static_cast<const float *>(stream->data) +
                        size_t(stream->indices[corner]) * stream->components;
    std::memcpy(to, from, most * sizeof *to);
    return true;
}

static Model with_facet(const std::string &text)
{
    Model model;
    facet_source source = facet_source_from_memory(text.data(), text.size(), nullptr);
    facet_scene *scene = nullptr;
    facet_error error = {};
    if (facet_load(&source, facet_format_named("obj"), nullptr, nullptr, &scene, &error)) {
        model.why = error.rule;
        return model;
    }
    model.read = true;
    const facet_mesh *mesh = scene->mesh_count ? scene->meshes[0] : nullptr;
    for (uint32_t face = 0; mesh && face < mesh->face_count; face++) {
        std::vector<Corner> corners;
        for (uint32_t c = facet_face_begin(mesh, face); c < facet_face_end(mesh, face); c++) {
            Corner corner = {};
            take(mesh, FACET_POSITION, c, corner.values, 3);
            corner.normal = take(mesh, FACET_NORMAL, c, corner.values + 3, 3);
            corner.texcoord = take(mesh, FACET_TEXCOORD, c, corner.values + 6, 2);
            corners.push_back(corner);
        }
        model.faces.push_back(corners);
        model.smoothing.push_back(mesh->face_smoothing ? mesh->face_smoothing[face] : 0);
    }
    facet_scene_free(scene);
    return model;
}

// False when the index leads out of the values.
static bool take(const std::vector<tinyobj::real_t> &values, int index, int components, float *to)
{
    if (index < 0 || size_t(index + 1) * size_t(components) > values.size())
        return false;
    for (int i = 0; i < components; i++)
        to[i] = float(values[size_t(index) * size_t(components) + size_t(i)]);
    return true;
}

static Model with_tinyobjloader(const std::string &text)
{
    Model model;
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
    std::string warning, error;
    std::istringstream stream(text);
    model.read = tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, &error, &stream,
                                  nullptr, false, false);
    model.why = error;
    for (const tinyobj::shape_t &shape : shapes) {
        size_t at = 0;
        for (size_t face = 0; face < shape.mesh.num_face_vertices.size() && model.read; face++) {
            std::vector<Corner> corners;
            for (size_t end = at + shape.mesh.num_face_vertices[face]; at < end; at++) {
                const tinyobj::index_t &index = shape.mesh.indices[at];
                Corner corner = {};
                corner.normal = index.normal_index != -1 && !attributes.normals.empty();
                corner.texcoord = index.texcoord_index != -1 && !attributes.texcoords.empty();
                bool there = take(attributes.vertices, index.vertex_index, 3, corner.values) &&
                             (!corner.normal ||
                              take(attributes.normals, index.normal_index, 3, corner.values + 3)) &&
                             (!corner.texcoord || take(attributes.texcoords, index.texcoord_index,
                                                       2, corner.values + 6));
                if (!there)
                    model.why = "an index beyond the values";
                corners.push_back(corner);
            }
            model.faces.push_back(corners);
            model.smoothing.push_back(shape.mesh.smoothing_group_ids[face]);
        }
    }
    return model;
}

// -- The comparison ---------------------------------------------------------------

// tinyobjloader multiplies by powers of ten, and is off by a few units of a float.
static bool is_near(float a, float b)
{
    return std::fabs(double(a) - double(b)) <= 1e-6 * std::fabs(double(a)) + 1e-37;
}

static const char *differs(const Model &a, const Model &b)
{
    if (a.faces.size() != b.faces.size())
        return "number of faces";
    for (size_t i = 0; i < a.faces.size(); i++) {
        if (a.faces[i].size() != b.faces[i].size())
            return "corners of a face";
        if (a.smoothing[i] != b.smoothing[i])
            return "smoothing group";
        for (size_t c = 0; c < a.faces[i].size(); c++) {
            const Corner &x = a.faces[i][c], &y = b.faces[i][c];
            if (x.normal != y.normal || x.texcoord != y.texcoord)
                return "presence of a normal or texture coordinate";
            for (int k = 0; k < 8; k++) {
                if (!is_near(x.values[k], y.values[k]))
                    return k < 3 ? "position" : k < 6 ? "normal" : "texture coordinate";
            }
        }
    }
    return nullptr;
}

// Rules by which Facet rejects what tinyobjloader misreads. There, invalid numbers are 0 or end at
// the first invalid character, and indices may be out of range.
static bool is_stricter(const std::string &rule)
{
    return rule == "OBJ-NUMBER" || rule == "OBJ-FACE" || rule == "OBJ-INDEX";
}

// True if tinyobjloader misreads lines that Facet reads correctly. In a face, it replaces a missing
// index by the number after the blank, and reads a comment as a corner. It reads an invalid
// smoothing group up to the first invalid character. A missing one is the previous one.
static bool has_quirk(const Lines &lines)
{
    for (const auto &line : lines) {
        bool face = !line.empty() && line[0] == "f";
        if (line.size() == 1 && line[0] == "s")
            return true;
        for (size_t i = 1; i < line.size(); i++) {
            if (face && (line[i] == "#" || line[i].back() == '/'))
                return true;
            if (line[0] == "s" && line[i].find_first_not_of("0123456789") != std::string::npos)
                return true;
        }
    }
    return false;
}

int main(int count, char **arguments)
{
    std::vector<Lines> seeds;
    std::map<std::string, long> found;
    long faults = 0, total = count > 1 ? std::atol(arguments[1]) : 0;
    for (int i = 2; i < count; i++) {
        std::ifstream file(arguments[i], std::ios::binary);
        seeds.push_back(split({std::istreambuf_iterator<char>(file), {}}));
    }
    for (long i = 0; i < total && !seeds.empty(); i++) {
        Lines lines = seeds[next(uint32_t(seeds.size()))];
        for (uint32_t changes = next(4); changes > 0; changes--)
            change(lines);
        std::string text = join(lines), what;
        long before = faults;
        Model ours = with_facet(text), theirs = with_tinyobjloader(text);
        if (ours.read && theirs.read) {
            const char *difference = differs(ours, theirs);
            what = difference ? std::string("read otherwise: ") + difference : "read alike";
            faults += difference && !has_quirk(lines);
        } else if (ours.read || theirs.read) {
            what = ours.read ? "refused there alone" : "refused here alone: " + ours.why;
            faults += ours.read ? !has_quirk(lines) : !is_stricter(ours.why);
        } else {
            what = "refused by both";
        }
        found[what]++;
        if (faults > before && std::getenv("FACET_SHOW"))
            std::printf("--- %s (there: %s)\n%s", what.c_str(), theirs.why.c_str(), text.c_str());
    }
    for (const auto &each : found)
        std::printf("%8ld %s\n", each.second, each.first.c_str());
    std::printf("%ld of %ld differ without a reason\n", faults, total);
    return faults > 0 || total == 0;
}
