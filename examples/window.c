/* A level and a character in one window: the BSM as it is mapped, the IQM as its first animation
 * has it now, or at SECONDS. For SDL2 and OpenGL.
 *
 *   window LEVEL.bsm CHARACTER.iqm [SECONDS] */
#include <SDL.h>
#include <SDL_opengl.h>
#include <facet/facet.h>
#include <stdio.h>
#include <stdlib.h>

static facet_error error;

static void stop_at(bool failed, const char *why)
{
    if (failed) {
        fprintf(stderr, "window: %s\n", why);
        exit(1);
    }
}

static void draw(const float *positions, const float *normals, const uint32_t *indices, uint32_t n)
{
    glVertexPointer(3, GL_FLOAT, 0, positions);
    glNormalPointer(GL_FLOAT, 0, normals);
    glDrawElements(GL_TRIANGLES, (GLsizei)n, GL_UNSIGNED_INT, indices);
}

static void draw_character(const facet_scene *scene, const facet_pose *pose)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh == FACET_NONE)
            continue;
        const facet_mesh *mesh = scene->meshes[scene->nodes[i]->mesh];
        float *positions = calloc((size_t)6 * mesh->streams[0].count + 1, sizeof(float));
        stop_at(!positions, "out of memory");
        float *normals = positions + (size_t)3 * mesh->streams[0].count;
        facet_pose_positions(scene, pose, i, NULL, positions, &error);
        facet_pose_normals(scene, pose, i, NULL, normals, &error);
        draw(positions, normals, mesh->streams[0].indices, mesh->corner_count);
        free(positions);
    }
}

int main(int count, char **words)
{
    const facet_load_options load = {.target_axes = &(facet_axes){.up = FACET_AXIS_Y, .unit = 1}};
    facet_file *file;
    facet_bsm_layout level;
    facet_scene *character;
    facet_pose pose = {0};
    stop_at(count < 3, "usage: window LEVEL.bsm CHARACTER.iqm [SECONDS]");
    stop_at(facet_file_open(words[1], &file, &error) ||
                facet_bsm_view(facet_file_data(file), facet_file_size(file), &level, &error) ||
                facet_bsm_verify(&level, &error) ||
                facet_load_path(words[2], &load, NULL, &character, &error) ||
                facet_prepare(character, NULL, NULL, NULL, NULL, &error) || /* one index */
                facet_scene_pose(character, 0, 0, NULL, &pose, &error),
            error.message);
    double length = facet_animation_duration(character->animations[0]);

    SDL_Init(SDL_INIT_VIDEO);
    SDL_Window *window = SDL_CreateWindow("Facet", 0, 0, 640, 480, SDL_WINDOW_OPENGL);
    stop_at(!window || !SDL_GL_CreateContext(window), SDL_GetError());
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_COLOR_MATERIAL);
    glLightfv(GL_LIGHT0, GL_POSITION, (float[]){1, 3, 2, 0});
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_NORMAL_ARRAY);
    glMatrixMode(GL_PROJECTION);
    glFrustum(-.4, .4, -.3, .3, .5, 100);
    glRotatef(20, 1, 0, 0); /* from 6 m away and 3 m up */
    glTranslatef(0, -3, -6);
    for (SDL_Event event = {0}; event.type != SDL_QUIT; SDL_WaitEventTimeout(&event, 10)) {
        double time = count > 3 ? atof(words[3]) : fmod(SDL_GetTicks() / 1000., length + 1e-9);
        facet_scene_pose(character, 0, time, NULL, &pose, &error);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glColor3f(.3f, .5f, .9f);
        draw(facet_bsm_floats(&level, FACET_BSM_POSITIONS),
             facet_bsm_floats(&level, FACET_BSM_NORMALS),
             facet_bsm_indices(&level, FACET_BSM_TRIANGLES), 3 * level.count[FACET_BSM_TRIANGLES]);
        glColor3f(.9f, .5f, .1f);
        draw_character(character, &pose);
        SDL_GL_SwapWindow(window);
    }
    facet_pose_free(&pose);
    facet_scene_free(character);
    facet_file_close(file);
    SDL_Quit();
    return 0;
}
