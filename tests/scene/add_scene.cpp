/* facet::add_scene appends a copy, and throws the error of the C function that it calls. */
#include <facet/facet.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

int main()
{
    static const char square[] = "o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    static const char triangle[] = "o b\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";
    const facet::scene scene = facet::load(facet::source(square, sizeof square - 1, "square.obj"));
    {
        const facet::scene other =
            facet::load(facet::source(triangle, sizeof triangle - 1, "triangle.obj"));
        facet::add_scene(scene, other);
    }
    bool refused = false;
    scene->axes.unit = INFINITY;
    try {
        facet::add_scene(scene, scene);
    } catch (const facet::error &error) {
        refused = error.status() == FACET_ERROR_ARGUMENT;
    }
    bool good = refused && scene->mesh_count == 2 && scene->meshes[0]->face_count == 1 &&
                scene->meshes[0]->corner_count == 4 && scene->meshes[1]->corner_count == 3 &&
                std::strcmp(scene->meshes[1]->name, "b") == 0;
    if (!good)
        std::fprintf(
            stderr, "the scene is not a square and a triangle, or an infinite unit was accepted\n");
    return good ? 0 : 1;
}
