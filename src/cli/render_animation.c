/* cli/render_animation.c - selection of the animations of a picture: by name or number, all given
 * files, or the first of the scene. They play at the same time. */
#include "cli/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "scene/clips.h"

#include <facet/gx_material.h>
#include <facet/j3d_animation.h>
#include <stdlib.h>
#include <string.h>

typedef struct chosen {
    const char *name; /* of all selected animations; NULL: any */
    uint32_t only;    /* the only one; FACET_NONE: all of the name, starting at `first` */
    uint32_t first, count;
} chosen;

static bool plays(const cli_rendering *r, const chosen *c, uint32_t i)
{
    const char *its = r->scene->animations[i]->name;
    if (c->only != FACET_NONE)
        return i == c->only;
    return i >= c->first && (!c->name || strcmp(its, c->name) == 0);
}

/* Select by name or number. A number selects a single animation, except on consoles: there, several
 * files form a motion and share its name. In other formats, a shared name has no meaning. */
static void choose(const cli_rendering *r, chosen *c)
{
    const facet_scene *scene = r->scene;
    const char *typed = r->picture->animation;
    char *end = NULL;
    unsigned long number = typed ? strtoul(typed, &end, 10) : 0;
    bool is_number = typed && *typed && !*end && number < scene->animation_count;
    for (uint32_t i = 0; typed && i < scene->animation_count; i++)
        is_number &= strcmp(scene->animations[i]->name, typed) != 0;
    bool is_first = !typed && r->inputs == 1 && scene->animation_count > 0;
    c->only = FACET_NONE;
    if (is_number || is_first) {
        c->name = scene->animations[number]->name;
        if (!*c->name || !facet_scene_is_console(scene))
            c->only = (uint32_t)number;
    } else if (typed) {
        c->name = typed;
    }
    c->first = is_number ? (uint32_t)number : 0;
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        c->count += plays(r, c, i);
    }
}

/* Join the selected animations to one with all their channels. */
static facet_status join(cli_rendering *r, const chosen *c, facet_error *error)
{
    r->how.has_time = c->count > 0;
    r->how.animation = c->only;
    if (!r->how.has_time || c->only != FACET_NONE)
        return FACET_OK;
    return facet_scene_join_animations(r->scene, c->name, c->first, r->scene->animation_count,
                                       &r->how.animation, error);
}

/* Apply animations of console materials. *count is the number of these animations. */
static facet_status pose_console(cli_rendering *r, const chosen *c, uint32_t *count,
                                 facet_error *error)
{
    facet_scene *scene = r->scene;
    facet_gx_material *states =
        facet_arena_allocate_zeroed(scene->arena, scene->material_count, sizeof *states);
    if (!states)
        return facet_fail_arena(scene->arena, error);
    facet_status status =
        facet_j3d_pose_materials(scene, c->name, r->how.time, &r->options, states, count, error);
    r->how.console = *count > 0 ? states : NULL;
    return status;
}

/* Reject a name of several animations that are not one motion. Their numbers differ. */
static bool is_ambiguous(const cli_rendering *r, const chosen *c)
{
    uint32_t numbers[2] = {0}, found = 0;
    if (!r->picture->animation || c->only != FACET_NONE || c->count < 2 ||
        facet_scene_is_console(r->scene))
        return false;
    for (uint32_t i = 0; i < r->scene->animation_count && found < 2; i++) {
        if (plays(r, c, i))
            numbers[found++] = i;
    }
    cli_complain(r->arguments->record,
                 "%u animations are named '%s'; give a number, such as %u or %u", c->count, c->name,
                 numbers[0], numbers[1]);
    return true;
}

int cli_render_animation(cli_rendering *r)
{
    const facet_scene *scene = r->scene;
    const char *input = cli_input_name(r->arguments->words[0]);
    chosen c = {0};
    uint32_t console = 0;
    facet_error error;
    if (!r->picture->animation && !r->picture->time && r->inputs == 1)
        return EXIT_DONE;
    choose(r, &c);
    if (is_ambiguous(r, &c))
        return EXIT_USAGE;
    if (pose_console(r, &c, &console, &error) || join(r, &c, &error))
        return cli_render_complain(r, r->out, input, &error);
    bool is_asked = r->picture->animation || r->picture->time;
    if (c.count + console > 0 || (scene->animation_count == 0 && !is_asked)) /* a BMT was added */
        return EXIT_DONE;
    if (scene->animation_count == 0)
        cli_complain(r->arguments->record, "%s has no animation", input);
    else
        cli_complain(r->arguments->record, "no animation '%s'; the first of %u is '%s'",
                     c.name ? c.name : "", scene->animation_count, scene->animations[0]->name);
    return EXIT_USAGE;
}
