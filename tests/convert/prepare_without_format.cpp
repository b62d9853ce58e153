/* facet::prepare without a format prepares a mesh for a GPU, like facet_prepare. */
#include <facet/facet.hpp>

#include <cstdio>
#include <cstring>

int main()
{
    static const char square[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    facet_source bytes = {};
    bytes.data = reinterpret_cast<const uint8_t *>(square);
    bytes.size = sizeof square - 1;
    bytes.name = "square.obj";
    facet::scene scene = facet::load(bytes);
    const facet_passes passes = facet::prepare(scene, nullptr);
    const facet_mesh *mesh = scene->meshes[0];
    /* A square becomes two triangles. */
    bool good = passes.count > 0 && std::strcmp(passes.names[0], "triangulate") == 0 &&
                mesh->face_count == 2 && mesh->face_offsets == nullptr;
    if (!good)
        std::fprintf(stderr, "facet::prepare(scene, nullptr) did not triangulate the square\n");
    return good ? 0 : 1;
}
