/* Load any file in C++, prepare it for a GPU, and print the draws.
 *
 *   engine FILE */
#include <facet/facet.hpp>

#include <cstdio>

int main(int count, char **words)
try {
    if (count != 2) {
        std::fprintf(stderr, "usage: engine FILE\n");
        return 2;
    }
    facet::threads threads = facet::make_threads();
    facet::report report = facet::make_report();
    facet_options options = {};
    options.threads = threads.get();
    options.report = report.get();
    options.memory_limit = std::uint64_t(1) << 30;

    facet::file file = facet::open(words[1]);
    facet::scene scene = facet::load(facet::source(file), &options);
    facet::prepare(scene, "bsm", &options); /* triangle meshes with tangents, in GPU order */
    for (const facet_mesh *mesh : facet::meshes(scene)) {
        const facet_stream &positions = facet::streams(*mesh)[0];
        std::printf("%u vertices, %u triangles\n", positions.count, mesh->face_count);
        for (const facet_stream &stream : facet::streams(*mesh))
            std::printf("  %-10s %zu floats\n", facet_semantic_name(stream.semantic),
                        facet::floats(stream).size());
    }
    for (std::size_t i = 0; i < facet_report_count(report.get()); i++)
        std::fprintf(stderr, "%s\n", facet_report_get(report.get(), i)->message);
    return 0;
} catch (const facet::error &e) {
    std::fprintf(stderr, "%s: %s\n", words[1], e.what());
    return 1;
}
