/* Show a level and a character in one window, with SDL2 and OpenGL. The BSM is drawn from the
 * mapped file; the IQM plays its first animation, or shows it at SECONDS.
 *
 *   window LEVEL.bsm CHARACTER.iqm [SECONDS] */
#include <SDL.h>
#include <SDL_opengl.h>
#include <facet/facet.h>
#include <stdio.h>
#include <stdlib.h>

static void draw(const float *positions, const float *normals, const uint32_t *indices, uint32_t n)
{
    glVertexPointer(3, GL_FLOAT, 0, positions), glNormalPointer(GL_FLOAT, 0, normals);
    glDrawElements(GL_TRIANGLES, (GLsizei)n, GL_UNSIGNED_INT, indices);
}

int main(int count, char **words)
{
    facet_error error = {.message = "usage: window LEVEL.bsm CHARACTER.iqm [SECONDS]"};
    const facet_model_options nodes = {.keep_nodes = true};
    facet_file *file;
    facet_bsm_layout level;
    facet_model *character;
    facet_pose pose = {0};
    if (count < 3 || facet_file_open(words[1], NULL, &file, &error) ||
        facet_bsm_view(facet_file_source(file).data, facet_file_source(file).size, &level,
                       &error) ||
        facet_bsm_verify(&level, &error) ||
        facet_load_model_path(words[2], &nodes, NULL, &character, &error))
        return fprintf(stderr, "window: %s\n", error.message), 1;
    const facet_scene *scene = character->scene;
    SDL_Window *window = SDL_CreateWindow("Facet", 0, 0, 640, 480, SDL_WINDOW_OPENGL);
    SDL_GL_CreateContext(window);
    glEnable(GL_DEPTH_TEST), glEnable(GL_LIGHTING), glEnable(GL_LIGHT0),
        glEnable(GL_COLOR_MATERIAL);
    glLightfv(GL_LIGHT0, GL_POSITION, (float[]){1, 3, 2, 0});
    glEnableClientState(GL_VERTEX_ARRAY), glEnableClientState(GL_NORMAL_ARRAY);
    glMatrixMode(GL_PROJECTION), glFrustum(-.4, .4, -.3, .3, .5, 100);
    glRotatef(20, 1, 0, 0), glTranslatef(0, -3, -6); /* the camera is 6 m away and 3 m up */
    for (SDL_Event event = {0}; event.type != SDL_QUIT; SDL_WaitEventTimeout(&event, 10)) {
        double length = scene->animation_count ? facet_animation_duration(scene->animations[0]) : 0;
        double time = count > 3 ? atof(words[3]) : fmod(SDL_GetTicks() / 1000., length + 1e-9);
        facet_scene_pose(scene, scene->animation_count ? 0 : FACET_NONE, time, NULL, &pose, &error);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT), glColor3f(.3f, .5f, .9f);
        draw(facet_bsm_floats(&level, FACET_BSM_POSITIONS),
             facet_bsm_floats(&level, FACET_BSM_NORMALS),
             facet_bsm_indices(&level, FACET_BSM_TRIANGLES), 3 * level.count[FACET_BSM_TRIANGLES]);
        glColor3f(.9f, .5f, .1f);
        for (uint32_t i = 0; i < scene->node_count; i++) {
            const uint32_t number = scene->nodes[i]->mesh;
            const facet_mesh *mesh = number == FACET_NONE ? NULL : scene->meshes[number];
            float *moved = mesh ? calloc(mesh->streams[0].count, 6 * sizeof(float)) : NULL;
            float *normals = moved ? moved + (size_t)3 * mesh->streams[0].count : NULL;
            if (moved && !facet_pose_positions(scene, &pose, i, NULL, moved, NULL) &&
                !facet_pose_normals(scene, &pose, i, NULL, normals, NULL))
                draw(moved, normals, mesh->streams[0].indices, mesh->corner_count);
            free(moved);
        }
        SDL_GL_SwapWindow(window);
    }
    facet_pose_free(&pose), facet_model_free(character), facet_file_close(file), SDL_Quit();
    return 0;
}
