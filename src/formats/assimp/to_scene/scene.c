/* formats/assimp/to_scene/scene.c - assimp's scene to Facet's, with findings about changes and
 * losses. */
#include "scene/scene.h"
#include "formats/assimp/to_scene/to_scene.h"

#include <string.h>

static void say_tallies(const facet_assimp_reader *r)
{
    const struct {
        const facet_tally *tally;
        const char *rule;
        facet_severity severity;
        const char *sentence;
    } table[] = {
        {&r->weights_cut, "LOSS-SKIN", FACET_SEVERITY_WARNING,
         "a vertex has more than 32 weights, the smallest are left out"},
        {&r->weights_scaled, "ASSIMP-WEIGHTS", FACET_SEVERITY_NOTE,
         "the weights of a vertex do not sum to 1 and are scaled"},
        {&r->bones_lost, "LOSS-SKIN", FACET_SEVERITY_WARNING,
         "the name of a bone matches no node; its weights are left out"},
        {&r->keys_dropped, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING,
         "a key of an animation is not finite or goes back in time, and is left out"},
        {&r->keys_bent, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING,
         "the angles between two distant keys are read as a straight turn, which is another path"},
        {&r->layers_lost, "LOSS-TEXTURES", FACET_SEVERITY_WARNING,
         "a material has several textures for one purpose; the first is used"},
        {&r->maps_lost, "LOSS-TEXTURES", FACET_SEVERITY_WARNING,
         "a material has a texture for a purpose that Facet does not keep"},
        {&r->sets_guessed, "ASSIMP-UV-SET", FACET_SEVERITY_NOTE,
         "the meshes of a texture lack the texture coordinates with the number in its name; the "
         "first are used"},
        {&r->channels_lost, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING,
         "an animation moves a missing object, or is of a kind that Facet does not read"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        facet_report_add_tally(r->report, table[i].rule, table[i].severity, FACET_NO_OFFSET,
                               table[i].tally, "%s", table[i].sentence);
}

/* Remove the address from a name like "PointLight_94286500948704", which assimp gives to a light of
 * an X3D without a name. It differs in each run. */
static facet_status remove_address(const facet_assimp_reader *r, const char **name)
{
    static const char *const kinds[] = {"DirectionalLight", "PointLight", "SpotLight"};
    const size_t least = 9; /* digits of an address above the first megabytes */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i]);
        if (strncmp(*name, kinds[i], length) != 0 || (*name)[length] != '_')
            continue;
        const char *digits = *name + length + 1;
        if (strspn(digits, "0123456789") < least || digits[strspn(digits, "0123456789")])
            continue;
        *name = facet_arena_string(r->scene->arena, *name, length);
        return *name ? FACET_OK : facet_fail_arena(r->scene->arena, r->error);
    }
    return FACET_OK;
}

static facet_status name_lights(const facet_assimp_reader *r)
{
    if (r->scene->light_count == 0 || !strstr(facet_assimp_importer(r->from), "X3D"))
        return FACET_OK;
    for (uint32_t i = 0; i < r->scene->node_count; i++)
        TRY(remove_address(r, &r->scene->nodes[i]->name));
    for (uint32_t i = 0; i < r->scene->light_count; i++)
        TRY(remove_address(r, &r->scene->lights[i]->name));
    return FACET_OK;
}

static facet_status name_generator(const facet_assimp_reader *r)
{
    const char *name = facet_assimp_generator(r->from);
    if (!*name)
        return FACET_OK;
    r->scene->generator = facet_arena_utf8(r->scene->arena, name, strlen(name));
    return r->scene->generator ? FACET_OK : facet_fail_arena(r->scene->arena, r->error);
}

static facet_status build(facet_assimp_reader *r)
{
    facet_status (*const steps[])(facet_assimp_reader *) = {
        facet_assimp_find_places,     facet_assimp_find_objects,
        facet_assimp_group_meshes,    facet_assimp_mark_animated,
        facet_assimp_images_to_scene, facet_assimp_materials_to_scene,
        facet_assimp_meshes_to_scene, facet_assimp_morphs_to_scene,
        facet_assimp_nodes_to_scene,  facet_assimp_hide_nodes,
        facet_assimp_skins_to_scene,  facet_assimp_correct_binds,
        facet_assimp_release_rigid,   facet_assimp_animations_to_scene,
        facet_assimp_split_clips,     facet_assimp_curves_to_scene,
        facet_assimp_inherit_scales,
    };
    facet_status status = FACET_OK;
    r->is_fbx = strncmp(facet_assimp_importer(r->from), "Autodesk FBX", 12) == 0;
    status = name_generator(r);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++)
        status = steps[i](r);
    if (!status)
        status = name_lights(r);
    if (!status)
        status = facet_assimp_metadata_to_extras(r, r->from->mMetaData, &r->scene->extras);
    if (status)
        return status;
    facet_assimp_frame_to_scene(r);
    if (r->is_fbx) /* an FBX has doubles */
        facet_scene_report_rounding(r->scene, NULL, r->options);
    say_tallies(r);
    TRY(facet_assimp_report_objects(r));
    return facet_scene_extract_collision(r->scene, r->load, r->options, r->error);
}

facet_status facet_assimp_to_scene(const struct aiScene *from, const facet_fbx *fbx,
                                   const facet_dae_clips *clips, const facet_load_options *load,
                                   const facet_options *options, facet_arena *scratch,
                                   facet_scene **scene, facet_error *error)
{
    facet_assimp_reader r = {.load = load,
                             .options = options,
                             .error = error,
                             .scratch = scratch,
                             .from = from,
                             .fbx = fbx,
                             .clips = clips};
    r.report = options ? options->report : NULL;
    facet_status status = facet_scene_create(options, &r.scene, error);
    if (!status)
        status = build(&r);
    if (!status)
        status = facet_scene_replace_nonfinite(r.scene, options, error);
    if (status)
        facet_scene_free(r.scene);
    else
        *scene = r.scene;
    return status;
}
