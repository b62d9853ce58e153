/* Show any model in a window, with materials and textures, with GLFW and OpenGL.
 *
 *   viewer FILE [DEGREES]     turn it by DEGREES; the default is a continuous rotation */
#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>
#include <facet/facet.h>
#include <stdio.h>
#include <stdlib.h>

static void draw(const facet_model *model, const facet_packed *mesh)
{
    const char *vertices = mesh->buffers[0].data, *indices = mesh->indices;
    glVertexPointer(3, GL_FLOAT, 48, vertices);
    glNormalPointer(GL_FLOAT, 48, vertices + 12), glTexCoordPointer(2, GL_FLOAT, 48, vertices + 24);
    for (const facet_packed_draw *run = mesh->draws; run < mesh->draws + mesh->draw_count; run++) {
        const facet_material *material = model->scene->materials[run->material];
        const facet_texture *map = material->maps[FACET_MAP_DIFFUSE];
        glBindTexture(GL_TEXTURE_2D, map && map->has_image ? 1 + map->image : 0);
        glColor4fv(material->base_color);
        glAlphaFunc(GL_GEQUAL, material->alpha_mode ? material->alpha_cutoff : 0);
        glDrawElements(GL_TRIANGLES, (GLsizei)run->index_count,
                       mesh->index_size == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT,
                       indices + (size_t)run->first_index * mesh->index_size);
    }
}

int main(int count, char **words)
{
    facet_error error = {.message = "usage: viewer FILE [DEGREES]"};
    facet_model *model = NULL;
    if (count < 2 || facet_load_model_path(words[1], NULL, NULL, &model, &error) || !glfwInit())
        return fprintf(stderr, "viewer: %s\n", error.message), 1;
    GLFWwindow *window = glfwCreateWindow(640, 480, words[1], NULL, NULL);
    glfwMakeContextCurrent(window);
    for (GLuint i = 0; i < model->scene->image_count; i++) {
        const facet_image *image = model->scene->images[i];
        glBindTexture(GL_TEXTURE_2D, 1 + i);
        glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (int)image->width, (int)image->height, 0,
                     GL_RGBA, image->is_float ? GL_FLOAT : GL_UNSIGNED_BYTE, image->pixels);
    }
    glEnableClientState(GL_VERTEX_ARRAY), glEnableClientState(GL_NORMAL_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY), glEnable(GL_TEXTURE_2D), glEnable(GL_DEPTH_TEST);
    glEnable(GL_LIGHTING), glEnable(GL_LIGHT0), glEnable(GL_COLOR_MATERIAL);
    glEnable(GL_ALPHA_TEST), glEnable(GL_FRAMEBUFFER_SRGB);
    const double *a = model->minimum, *b = model->maximum; /* distance: twice the size */
    const double size = b[0] - a[0] + b[1] - a[1] + b[2] - a[2];
    glMatrixMode(GL_PROJECTION);
    glFrustum(-.4 * size, .4 * size, -.3 * size, .3 * size, size, 9 * size);
    glTranslated(0, 0, -2 * size);
    for (glMatrixMode(GL_MODELVIEW); !glfwWindowShouldClose(window); glfwPollEvents()) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glLoadIdentity(), glRotated(count > 2 ? atof(words[2]) : glfwGetTime() * 30, 0, 1, 0);
        glTranslated((a[0] + b[0]) / -2, (a[1] + b[1]) / -2, (a[2] + b[2]) / -2);
        for (uint32_t i = 0; i < model->mesh_count; i++)
            draw(model, model->meshes[i]);
        glfwSwapBuffers(window);
    }
    facet_model_free(model);
    glfwTerminate();
}
