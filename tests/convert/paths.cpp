/* facet::load and facet::save_path take paths, like the functions of C that they call. */
#include <facet/facet.hpp>

#include <cstdio>
#include <cstring>

int main()
{
    static const char square[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    facet::save_path(facet::load(facet::source(square, sizeof square - 1, "square.obj")),
                     "paths_cpp.stl");
    const facet::scene scene = facet::load("paths_cpp.stl");
    std::remove("paths_cpp.stl");
    bool missing = false;
    try {
        facet::load("paths_cpp.stl");
    } catch (const facet::error &error) {
        missing = error.status() == FACET_ERROR_IO;
    }
    /* An STL has triangles, so the square is two of them. */
    bool good = scene->mesh_count == 1 && scene->meshes[0]->face_count == 2 && missing;
    if (!good)
        std::fprintf(stderr, "the square did not become an STL of two triangles\n");
    return good ? 0 : 1;
}
