// bench/bench_obj.cpp - benchmark of OBJ.
//
// - OBJ to a welded, indexed mesh: Facet, fast_obj, tinyobjloader and assimp.
// - OBJ to a finished file: facet convert, gltfpack and assimp.
//
//   bench_obj FILE.obj HALF.obj FACET-PROGRAM [GLTFPACK]
//
// GLTFPACK is the native program, or the cli.js of the npm package, which is WebAssembly.
// HALF.obj has half as many triangles. Two processes that read one half each show the maximum gain
// of two threads.
#include "support/bench.h"

#include <facet/facet.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#ifdef HAVE_FAST_OBJ
#define FAST_OBJ_IMPLEMENTATION
#include <fast_obj.h>
#include <meshoptimizer.h>
#endif
#ifdef HAVE_TINYOBJLOADER
#include <tiny_obj_loader.h>
#endif
#ifdef HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#endif

// -- Facet --------------------------------------------------------------------

static long load_and_weld(void *user, const facet_threads *threads)
{
    facet_error error;
    facet_file *file;
    if (facet_file_open(static_cast<const char *>(user), NULL, &file, &error))
        return -1;
    facet_source source = facet_file_source(file);
    facet_scene *scene;
    facet_options options = {};
    options.threads = threads;
    if (facet_load(&source, nullptr, nullptr, &options, &scene, &error))
        return -1;
    facet_file_close(file);
    if (facet_mesh_triangulate(scene->meshes[0], &options, nullptr, &error) ||
        facet_mesh_index(scene->meshes[0], &options, nullptr, &error))
        return -1;
    long vertices = static_cast<long>(scene->meshes[0]->streams[0].count);
    facet_scene_free(scene);
    return vertices;
}

static long with_facet(void *user)
{
    return load_and_weld(user, nullptr);
}

static long with_two_threads(void *user)
{
    const facet_threads *threads = nullptr;
    facet_error error;
    if (facet_threads_create(2, &threads, &error))
        return -1;
    long vertices = load_and_weld(user, threads);
    facet_threads_free(threads);
    return vertices;
}

// -- fast_obj, and the weld of meshoptimizer --------------------------------------

struct Vertex {
    float values[8]; // position, normal, texture coordinates
    bool operator==(const Vertex &other) const
    {
        return std::memcmp(values, other.values, sizeof values) == 0;
    }
};

#ifdef HAVE_FAST_OBJ
static long with_fast_obj(void *user)
{
    fastObjMesh *mesh = fast_obj_read(static_cast<const char *>(user));
    if (!mesh)
        return -1;
    std::vector<Vertex> corners(mesh->index_count);
    for (size_t i = 0; i < corners.size(); i++) {
        const fastObjIndex &index = mesh->indices[i]; // every face is a triangle
        std::memcpy(corners[i].values, mesh->positions + 3 * size_t(index.p), 3 * sizeof(float));
        std::memcpy(corners[i].values + 3, mesh->normals + 3 * size_t(index.n), 3 * sizeof(float));
        std::memcpy(corners[i].values + 6, mesh->texcoords + 2 * size_t(index.t),
                    2 * sizeof(float));
    }
    fast_obj_destroy(mesh);
    std::vector<unsigned> remap(corners.size()), indices(corners.size());
    size_t count = meshopt_generateVertexRemap(remap.data(), nullptr, corners.size(),
                                               corners.data(), corners.size(), sizeof(Vertex));
    std::vector<Vertex> vertices(count);
    meshopt_remapIndexBuffer(indices.data(), nullptr, corners.size(), remap.data());
    meshopt_remapVertexBuffer(vertices.data(), corners.data(), corners.size(), sizeof(Vertex),
                              remap.data());
    return static_cast<long>(vertices.size());
}
#endif

// -- tinyobjloader, and a weld as its users write it ------------------------------

#ifdef HAVE_TINYOBJLOADER
struct VertexHash {
    size_t operator()(const Vertex &vertex) const
    {
        uint64_t words[4], hash = 0;
        std::memcpy(words, vertex.values, sizeof words);
        for (uint64_t word : words)
            hash = (hash ^ word) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
        return hash;
    }
};

static long with_tinyobjloader(void *user)
{
    tinyobj::ObjReaderConfig config;
    config.triangulate = true;
    config.vertex_color = false;
    tinyobj::ObjReader reader;
    if (!reader.ParseFromFile(static_cast<const char *>(user), config))
        return -1;
    const tinyobj::attrib_t &attributes = reader.GetAttrib();
    std::vector<Vertex> vertices;
    std::vector<uint32_t> indices;
    std::unordered_map<Vertex, uint32_t, VertexHash> known;
    for (const tinyobj::shape_t &shape : reader.GetShapes()) {
        for (const tinyobj::index_t &index : shape.mesh.indices) {
            Vertex vertex = {};
            for (int i = 0; i < 3; i++)
                vertex.values[i] = attributes.vertices[3 * size_t(index.vertex_index) + i];
            for (int i = 0; i < 3 && index.normal_index >= 0; i++)
                vertex.values[3 + i] = attributes.normals[3 * size_t(index.normal_index) + i];
            for (int i = 0; i < 2 && index.texcoord_index >= 0; i++)
                vertex.values[6 + i] = attributes.texcoords[2 * size_t(index.texcoord_index) + i];
            auto found = known.emplace(vertex, uint32_t(vertices.size()));
            if (found.second)
                vertices.push_back(vertex);
            indices.push_back(found.first->second);
        }
    }
    return static_cast<long>(vertices.size());
}
#endif

// -- assimp ---------------------------------------------------------------------

#ifdef HAVE_ASSIMP
static long with_assimp(void *user)
{
    const aiScene *scene = aiImportFile(static_cast<const char *>(user),
                                        aiProcess_Triangulate | aiProcess_JoinIdenticalVertices);
    if (!scene)
        return -1;
    long vertices = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++)
        vertices += scene->mMeshes[i]->mNumVertices;
    aiReleaseImport(scene);
    return vertices;
}
#endif

// -- The two tables -------------------------------------------------------------

static long file_size(const char *path)
{
    FILE *file = std::fopen(path, "rb");
    if (!file)
        return -1;
    std::fseek(file, 0, SEEK_END);
    long size = std::ftell(file);
    std::fclose(file);
    return size;
}

static void add_function(std::vector<bench_job> &jobs, const char *name, long (*run)(void *),
                         const char *path)
{
    bench_job job = {};
    job.name = name;
    job.run = run;
    job.user = const_cast<char *>(path);
    jobs.push_back(job);
}

static void add_command(std::vector<bench_job> &jobs, const char *name, const char *const *command)
{
    bench_job job = {};
    job.name = name;
    job.command = command;
    jobs.push_back(job);
}

// gltfpack: the native program, or that of the npm package.
class Peer
{
  public:
    explicit Peer(const char *program)
    {
        const size_t length = program ? std::strlen(program) : 0;
        const bool script = length > 3 && std::strcmp(program + length - 3, ".js") == 0;
        if (script)
            prefix = {"node", program};
        else if (program)
            prefix = {program};
        name = script ? "gltfpack (npm), " : "gltfpack (native), ";
    }

    // Add a job, or nothing without gltfpack. Names and words live as long as the peer.
    void add(std::vector<bench_job> &jobs, const char *what,
             std::initializer_list<const char *> options) const
    {
        if (prefix.empty())
            return;
        names.push_back(name + what);
        commands.push_back(prefix);
        commands.back().insert(commands.back().end(), options);
        commands.back().push_back(nullptr);
        add_command(jobs, names.back().c_str(), commands.back().data());
    }

  private:
    std::vector<const char *> prefix;
    std::string name;
    mutable std::list<std::string> names;
    mutable std::list<std::vector<const char *>> commands;
};

int main(int count, char **words)
{
    if (count < 4) {
        std::fprintf(stderr, "usage: bench_obj FILE.obj HALF.obj FACET [GLTFPACK]\n");
        return 2;
    }
    const char *path = words[1], *half = words[2], *facet = words[3];
    const Peer gltfpack(count > 4 ? words[4] : nullptr);
    double bytes = static_cast<double>(file_size(path));
    if (bytes <= 0) {
        std::fprintf(stderr, "bench_obj: cannot read '%s'\n", path);
        return 1;
    }

    std::vector<bench_job> loads;
    add_function(loads, "facet, one thread", with_facet, path);
#ifdef HAVE_FAST_OBJ
    add_function(loads, "fast_obj and the weld of meshoptimizer", with_fast_obj, path);
#endif
#ifdef HAVE_TINYOBJLOADER
    add_function(loads, "tinyobjloader and a hash map of vertices", with_tinyobjloader, path);
#endif
#ifdef HAVE_ASSIMP
    add_function(loads, "assimp, triangulate and join vertices", with_assimp, path);
#endif
    bench_compare("OBJ to welded mesh", loads.data(), loads.size(), 5, bytes);

    /* These jobs have a separate table: after a program that needs much memory and time, the
     * machine is slower, which would affect only some of them. */
    std::vector<bench_job> threads;
    add_function(threads, "facet, one thread", with_facet, path);
    add_function(threads, "facet, two threads", with_two_threads, path);
    add_function(threads, "facet, a half in each of two processes", with_facet, half);
    threads.back().copies = 2;
    bench_compare("The same with more threads", threads.data(), threads.size(), 11, bytes);

    std::string stem = std::string(path) + ".bench";
    std::string bsm = stem + ".bsm", glb = stem + ".glb", pack = stem + ".pack.glb";
    const char *facet_one[] = {facet, "convert", "-q", "-j", "1", path, bsm.c_str(), nullptr};
    const std::string half_bsm = std::string(half) + ".bench.bsm";
    const char *facet_half[] = {facet, "convert", "-q", "-j", "1", half, half_bsm.c_str(), nullptr};
    const char *facet_apart[] = {facet, "convert",   "-q",   "-j", "1", "--keep-vertices",
                                 path,  bsm.c_str(), nullptr};
    const char *facet_all[] = {facet, "convert", "-q", path, bsm.c_str(), nullptr};
    const char *facet_glb[] = {facet, "convert", "-q", path, glb.c_str(), nullptr};
    const char *assimp[] = {"assimp", "export", path, glb.c_str(), "-cts", "-jiv", "-tri", nullptr};
    std::vector<bench_job> files, ways;
    add_command(files, "facet convert, to BSM with tangents", facet_all);
    add_command(files, "facet convert, to GLB", facet_glb);
    gltfpack.add(files, "to GLB without tangents", {"-noq", "-i", path, "-o", pack.c_str()});
#ifdef HAVE_ASSIMP
    add_command(files, "assimp export -cts, to GLB with tangents", assimp);
#endif
    bench_compare("OBJ to finished file", files.data(), files.size(), 3, bytes);
    add_command(ways, "facet convert -j 1, to BSM with tangents", facet_one);
    add_command(ways, "facet convert, two threads", facet_all);
    add_command(ways, "facet convert -j 1, halves, two at once", facet_half);
    ways.back().copies = 2;
    add_command(ways, "facet convert -j 1 --keep-vertices", facet_apart);
    bench_compare("The same in several ways", ways.data(), ways.size(), 7, bytes);
    std::printf("  peak memory: 2 x welded output + mapped input would be %.1f MB\n",
                2 * static_cast<double>(file_size(bsm.c_str())) / 1e6 + bytes / 1e6);

    const char *facet_less[] = {facet, "convert", "-q",        "--simplify",
                                "0.1", path,      glb.c_str(), nullptr};
    const char *facet_less_one[] = {facet,        "convert", "-q", "-j",        "1",
                                    "--simplify", "0.1",     path, glb.c_str(), nullptr};
    std::vector<bench_job> reductions, reductions_user;
    add_command(reductions, "facet convert --simplify 0.1", facet_less);
    add_command(reductions, "facet convert -j 1, the same", facet_less_one);
    gltfpack.add(reductions, "-si 0.1", {"-noq", "-si", "0.1", "-i", path, "-o", pack.c_str()});
    bench_compare("OBJ to GLB with a tenth of the triangles", reductions.data(), reductions.size(),
                  5, bytes);
    reductions_user = reductions;
    for (bench_job &job : reductions_user)
        job.user_time = 1;
    bench_compare("OBJ to GLB with a tenth of the triangles, user time", reductions_user.data(),
                  reductions_user.size(), 5, bytes);

    const char *facet_small[] = {facet, "convert",   "-q",   "--quantize-mesh", "--compress-mesh",
                                 path,  glb.c_str(), nullptr};
    std::vector<bench_job> compressions;
    add_command(compressions, "facet convert --quantize-mesh --compress-mesh", facet_small);
    gltfpack.add(compressions, "-c -vp 16", {"-c", "-vp", "16", "-i", path, "-o", pack.c_str()});
    bench_compare("OBJ to compressed GLB", compressions.data(), compressions.size(), 5, bytes);
    std::printf("  sizes: %ld and %ld bytes\n", file_size(glb.c_str()), file_size(pack.c_str()));

    for (const std::string &each : {bsm, half_bsm, glb, pack})
        std::remove(each.c_str());
    return 0;
}
