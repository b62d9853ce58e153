/* Show any model in a window, with GLFW, OpenGL and facet/facet.hpp: viewer_cpp FILE [DEGREES] */
#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>
#include <cstdio>
#include <facet/facet.hpp>

int main(int count, char **words)
try {
    const facet::model model = facet::load_model(count > 1 ? words[1] : "");
    GLFWwindow *window = glfwInit() ? glfwCreateWindow(640, 480, "", nullptr, nullptr) : nullptr;
    glfwMakeContextCurrent(window);
    GLuint made = 0;
    for (const facet_image *i : facet::images(*model->scene)) {
        glBindTexture(GL_TEXTURE_2D, ++made), glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, int(i->width), int(i->height), 0, GL_RGBA,
                     i->is_float ? GL_FLOAT : GL_UNSIGNED_BYTE, i->pixels);
    }
    glEnableClientState(GL_VERTEX_ARRAY), glEnableClientState(GL_NORMAL_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY), glEnable(GL_TEXTURE_2D), glEnable(GL_DEPTH_TEST);
    glEnable(GL_LIGHTING), glEnable(GL_LIGHT0), glEnable(GL_COLOR_MATERIAL);
    glEnable(GL_ALPHA_TEST), glEnable(GL_FRAMEBUFFER_SRGB);
    const double *a = model->minimum, *b = model->maximum; /* distance: twice the size */
    const double size = b[0] - a[0] + b[1] - a[1] + b[2] - a[2], x = .4 * size, y = .3 * size;
    glMatrixMode(GL_PROJECTION), glFrustum(-x, x, -y, y, size, 9 * size);
    glTranslated(0, 0, -2 * size), glMatrixMode(GL_MODELVIEW);
    for (; !glfwWindowShouldClose(window); glfwSwapBuffers(window), glfwPollEvents()) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT), glLoadIdentity();
        glRotated(count > 2 ? std::stod(words[2]) : glfwGetTime() * 30, 0, 1, 0);
        glTranslated((a[0] + b[0]) / -2, (a[1] + b[1]) / -2, (a[2] + b[2]) / -2);
        for (const facet_packed *mesh : facet::meshes(model)) {
            const float *vertices = static_cast<const float *>(mesh->buffers[0].data);
            glVertexPointer(3, GL_FLOAT, 48, vertices), glNormalPointer(GL_FLOAT, 48, vertices + 3);
            glTexCoordPointer(2, GL_FLOAT, 48, vertices + 6);
            for (const facet_packed_draw &run : facet::draws(*mesh)) {
                const facet_material &m = *model->scene->materials[run.material];
                const facet_texture *map = m.maps[FACET_MAP_DIFFUSE];
                glBindTexture(GL_TEXTURE_2D, map && map->has_image ? 1 + map->image : 0);
                glAlphaFunc(GL_GEQUAL, m.alpha_mode ? m.alpha_cutoff : 0), glColor4fv(m.base_color);
                glDrawElements(GL_TRIANGLES, GLsizei(run.index_count),
                               mesh->index_size == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                               facet::indices(*mesh, run));
            }
        }
    }
} catch (const facet::error &e) {
    return std::fprintf(stderr, "viewer: %s\n", e.what()), 1;
}
