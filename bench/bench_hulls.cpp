/* bench/bench_hulls.cpp - benchmark of collision hulls and occluders: quality and time on meshes of
 * known volume, compared with HACD of Bullet's extras.
 *
 * FACET_CORPUS is a folder with obj/skull.obj, which is also measured. */
#include "support/bench.h"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <facet/facet.h>
using std::atomic_bool; // base/atomic.h has none in C++17
extern "C" {            // internal functions that measure volumes
#include "mesh/hulls/convex.h"
#include "mesh/occluder.h"
#include "mesh/simplify.h"
}
#include <string>
#include <vector>
#ifdef HAVE_HACD
#include <HACD/hacdHACD.h>
#endif

namespace
{

struct model {
    std::string name;
    std::vector<float> points;
    std::vector<uint32_t> triangles;
};

model make_torus(unsigned segments, unsigned sides)
{
    const double pi = 3.14159265358979323846;
    model m;
    m.name = "torus";
    for (unsigned s = 0; s < segments; s++) {
        for (unsigned i = 0; i < sides; i++) {
            double a = 2 * pi * s / segments, b = 2 * pi * i / sides, r = 1 + 0.35 * std::cos(b);
            m.points.push_back(static_cast<float>(r * std::cos(a)));
            m.points.push_back(static_cast<float>(0.35 * std::sin(b)));
            m.points.push_back(static_cast<float>(r * std::sin(a)));
            unsigned next = (s + 1) % segments * sides, here = s * sides, j = (i + 1) % sides;
            for (unsigned c : {here + i, here + j, next + j, here + i, next + j, next + i})
                m.triangles.push_back(c);
        }
    }
    return m;
}

bool read_model(const char *path, model &m)
{
    facet_error error;
    facet_file *file = nullptr;
    facet_scene *scene = nullptr;
    if (facet_file_open(path, NULL, &file, &error))
        return false;
    facet_source source = facet_file_source(file);
    facet_status status = facet_load(&source, nullptr, nullptr, nullptr, &scene, &error);
    facet_file_close(file);
    if (status)
        return false;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        facet_mesh *mesh = scene->meshes[i];
        if (facet_mesh_triangulate(mesh, nullptr, nullptr, &error))
            continue;
        const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
        uint32_t first = static_cast<uint32_t>(m.points.size() / 3);
        const float *values = static_cast<const float *>(positions->data);
        m.points.insert(m.points.end(), values, values + 3 * static_cast<size_t>(positions->count));
        for (uint32_t c = 0; c < mesh->corner_count; c++)
            m.triangles.push_back(first + positions->indices[c]);
    }
    facet_scene_free(scene);
    return !m.triangles.empty();
}

double volume_of(const model &m)
{
    double volume = 0;
    for (size_t t = 0; t + 2 < m.triangles.size(); t += 3) {
        const float *a = &m.points[3 * m.triangles[t]], *b = &m.points[3 * m.triangles[t + 1]],
                    *c = &m.points[3 * m.triangles[t + 2]];
        for (int k = 0; k < 3; k++)
            volume += static_cast<double>(a[k]) *
                      (static_cast<double>(b[(k + 1) % 3]) * c[(k + 2) % 3] -
                       static_cast<double>(b[(k + 2) % 3]) * c[(k + 1) % 3]) /
                      6;
    }
    return std::fabs(volume);
}

facet_scene *scene_of(const model &m)
{
    facet_error error;
    facet_scene *scene;
    facet_mesh *mesh;
    facet_stream *stream;
    if (facet_scene_create(nullptr, &scene, &error) || facet_scene_add_mesh(scene, &mesh, &error) ||
        facet_mesh_add_stream(mesh, FACET_POSITION, 0, nullptr, FACET_FLOAT32, 3,
                              static_cast<uint32_t>(m.points.size() / 3), &stream, &error))
        std::exit(1);
    std::memcpy(stream->data, m.points.data(), m.points.size() * sizeof(float));
    stream->indices =
        static_cast<uint32_t *>(facet_scene_allocate(scene, m.triangles.size(), sizeof(uint32_t)));
    if (!stream->indices)
        std::exit(1);
    std::memcpy(stream->indices, m.triangles.data(), m.triangles.size() * sizeof(uint32_t));
    mesh->corner_count = static_cast<uint32_t>(m.triangles.size());
    mesh->face_count = mesh->corner_count / 3;
    return scene;
}

double measure_hulls(const model &m, uint32_t most, const facet_threads *threads)
{
    facet_error error;
    facet_options options{};
    facet_hulls_options hulls{};
    facet_hulls_summary summary;
    options.threads = threads;
    hulls.max_hulls = most;
    facet_scene *scene = scene_of(m);
    double start = bench_now();
    facet_status status =
        facet_mesh_hulls(scene->meshes[0], &hulls, &options, scene, &summary, &error);
    double seconds = bench_now() - start;
    if (status)
        std::printf("  %s\n", error.message);
    else
        std::printf("  facet, %u thread(s): %3u of %3u hulls, volume %.3f of the mesh's, farthest "
                    "vertex %.4f of the diagonal outside, %.2f s\n",
                    threads ? threads->count : 1, summary.hulls, most,
                    summary.volume / volume_of(m), summary.distance, seconds);
    facet_scene_free(scene);
    return seconds;
}

void measure_occluder(const model &m)
{
    facet_error error;
    facet_occluder_fit before, after;
    facet_mesh *simplified;
    facet_scene *scene = scene_of(m);
    double start = bench_now();
    if (facet_mesh_occluder(scene->meshes[0], nullptr, nullptr, scene, &after, &error) == 0) {
        double seconds = bench_now() - start;
        if (facet_scene_add_mesh(scene, &simplified, &error) == 0 &&
            facet_mesh_simplify(scene->meshes[0], nullptr, nullptr, simplified, &error) == 0 &&
            facet_occluder_measure(scene->meshes[0], simplified, 0, nullptr, &before, &error) == 0)
            std::printf("  occluder: %u triangles, %.4f of its area sticks out (simplified alone: "
                        "%.4f), %.2f s\n",
                        after.triangles, after.outside, before.outside, seconds);
    }
    facet_scene_free(scene);
}

#ifdef HAVE_HACD
void measure_hacd(const model &m, uint32_t most, double seconds_of_facet)
{
    std::vector<HACD::Vec3<HACD::Real>> points;
    std::vector<HACD::Vec3<long>> triangles;
    for (size_t i = 0; i + 2 < m.points.size(); i += 3)
        points.emplace_back(m.points[i], m.points[i + 1], m.points[i + 2]);
    for (size_t i = 0; i + 2 < m.triangles.size(); i += 3)
        triangles.emplace_back(m.triangles[i], m.triangles[i + 1], m.triangles[i + 2]);
    double start = bench_now(), volume = 0;
    HACD::HACD hacd;
    hacd.SetPoints(points.data());
    hacd.SetNPoints(points.size());
    hacd.SetTriangles(triangles.data());
    hacd.SetNTriangles(triangles.size());
    hacd.SetNClusters(most);
    hacd.SetNVerticesPerCH(64);
    hacd.SetConcavity(1e9); /* at most that many clusters, whatever the concavity */
    hacd.Compute();
    double seconds = bench_now() - start;
    for (size_t c = 0; c < hacd.GetNClusters(); c++) {
        std::vector<HACD::Vec3<HACD::Real>> corners(hacd.GetNPointsCH(c));
        std::vector<HACD::Vec3<long>> faces(hacd.GetNTrianglesCH(c));
        std::vector<float> flat;
        double one = 0;
        hacd.GetCH(c, corners.data(), faces.data());
        for (const auto &p : corners) {
            for (float x :
                 {static_cast<float>(p.X()), static_cast<float>(p.Y()), static_cast<float>(p.Z())})
                flat.push_back(x);
        }
        if (facet_convex_hull_volume(flat.data(), static_cast<uint32_t>(corners.size()), &one,
                                     nullptr) == 0)
            volume += one;
    }
    std::printf(
        "  HACD: %3zu of %3u hulls, volume %.3f of the mesh's, %.2f s, %.1f times as long\n",
        hacd.GetNClusters(), most, volume / volume_of(m), seconds, seconds / seconds_of_facet);
}
#endif

void measure(const model &m, const facet_threads *threads, bool with_hacd)
{
    std::printf("%s, %zu triangles\n", m.name.c_str(), m.triangles.size() / 3);
    for (uint32_t most : {1U, 16U, 32U})
        measure_hulls(m, most, threads);
    double alone = measure_hulls(m, 32, nullptr);
#ifdef HAVE_HACD
    if (with_hacd)
        measure_hacd(m, 32, alone);
#else
    (void)alone;
    (void)with_hacd;
#endif
    measure_occluder(m);
}

} // namespace

int main()
{
    facet_error error;
    const facet_threads *threads = nullptr;
    if (facet_threads_create(0, &threads, &error))
        return 1;
    std::printf("\nhulls and occluders\n");
    measure(make_torus(48, 24), threads, true);
    measure(make_torus(320, 160), threads, false);
    model skull;
    const char *corpus = std::getenv("FACET_CORPUS");
    skull.name = "skull.obj";
    if (corpus && read_model((std::string(corpus) + "/obj/skull.obj").c_str(), skull))
        measure(skull, threads, false);
    facet_threads_free(threads);
    return 0;
}
