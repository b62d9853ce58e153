/* scene/losses.c - data of a scene that a format cannot store. */
#include "scene/losses.h"

#include "base/report.h"
#include "base/text.h"
#include "scene/material.h"
#include "scene/material_extensions.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- Counting ----------------------------------------------------------- */

/* In the order of the reports and of the bits of FACET_LACKS. Sets are numbers instead of bits. */
typedef enum kind {
    TANGENTS,
    SKINS,
    CUSTOM,
    SMOOTHING,
    LINES,
    MORPHS,
    PART_NAMES,
    MESH_NAMES,
    HULL_NAMES,
    FACE_MATERIALS,
    MATERIAL_VALUES,
    NODES,
    CAMERAS,
    HULLS,
    OCCLUDER,
    ANIMATIONS,
    IMAGES,
    EXTRAS,
    JOINTS,
    POINTS,
    MORPH_WEIGHTS,
    NORMALS,
    LOOKS,
    ASSET,
    LODS,
    BILLBOARDS,
    MIP_LEVELS,
    FACTORS,
    OTHER_LOOKS,
    COLOR_ALPHA,
    GROUP_NAMES,
    BITS,
    COLORS = BITS,
    TEXCOORDS,
    KINDS
} kind;

static const struct {
    const char *rule, *what;
    bool is_note; /* reported as a note, not a warning, because few users need it */
} kinds[KINDS] = {
    [TANGENTS] = {"LOSS-TANGENTS", "tangents"},
    [SKINS] = {"LOSS-SKIN", "skins"},
    [CUSTOM] = {"LOSS-CUSTOM", NULL},
    [SMOOTHING] = {"LOSS-SMOOTHING", "smoothing groups; only their normals are written"},
    [LINES] = {"LOSS-LINES", "lines"},
    [MORPHS] = {"LOSS-MORPHS", "morph targets"},
    [PART_NAMES] = {"LOSS-NAMES", "names of parts"},
    [MESH_NAMES] = {"LOSS-NAMES", "names of meshes", true},
    [HULL_NAMES] = {"LOSS-NAMES", "names of hulls"},
    [FACE_MATERIALS] = {"LOSS-MATERIALS", "materials"},
    [MATERIAL_VALUES] = {"LOSS-MATERIALS",
                         "colors and maps of materials; only their names are written"},
    [NODES] = {"LOSS-NODES", "nodes"},
    [CAMERAS] = {"LOSS-CAMERA", "cameras and lights"},
    [HULLS] = {"LOSS-HULLS", "collision hulls"},
    [OCCLUDER] = {"LOSS-OCCLUDER", "an occluder"},
    [ANIMATIONS] = {"LOSS-ANIMATIONS", "animations"},
    [IMAGES] = {"LOSS-IMAGES", "images"},
    [EXTRAS] = {"LOSS-EXTRAS", "extras"},
    [JOINTS] = {"LOSS-SKIN", "joints and weights of vertices"},
    [POINTS] = {"LOSS-POINTS", "points"},
    [MORPH_WEIGHTS] = {"LOSS-MORPHS", "weights of morph targets at rest"},
    [NORMALS] = {"LOSS-NORMALS", "normals of vertices", true},
    [LOOKS] = {"LOSS-LOOKS", NULL},
    [ASSET] = {"LOSS-ASSET", "copyright, metadata and extensions that are only kept"},
    [LODS] = {"LOSS-LODS", "levels of detail"},
    [BILLBOARDS] = {"LOSS-BILLBOARDS", "meshes that turn to the camera"},
    [MIP_LEVELS] = {"LOSS-MIP-LEVELS", "smaller levels of images, which are computed again", true},
    [FACTORS] = {"LOSS-MATERIALS",
                 "values of materials outside the ranges of glTF; others are written"},
    [OTHER_LOOKS] = {"LOSS-LOOKS", NULL},
    [COLOR_ALPHA] = {"LOSS-COLORS", "the alpha of vertex colors"},
    [GROUP_NAMES] = {"LOSS-NAMES", "names of groups, only those of their objects"},
    [COLORS] = {"LOSS-COLORS", "vertex colors"},
    [TEXCOORDS] = {"LOSS-TEXCOORDS", "texture coordinates"}};

_Static_assert(FACET_LACKS_TANGENTS == 1 << TANGENTS && FACET_LACKS_HULLS == 1 << HULLS &&
                   FACET_LACKS_NORMALS == 1 << NORMALS &&
                   FACET_LACKS_MIP_LEVELS == 1 << MIP_LEVELS &&
                   FACET_LACKS_OTHER_LOOKS == 1 << OTHER_LOOKS &&
                   FACET_LACKS_COLOR_ALPHA == 1 << COLOR_ALPHA &&
                   FACET_LACKS_GROUP_NAMES == 1 << GROUP_NAMES,
               "the bits are in the order of the kinds");

typedef struct counts {
    const facet_capacity *capacity;
    uint64_t of[KINDS];
    uint64_t end_materials; /* lines and points with a material */
    facet_lost_streams custom;
} counts;

/* -- Names of streams ----------------------------------------------------- */

/* True if the list has this name, between commas or at its ends. */
static bool is_listed(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(names, name); at; at = strstr(at + 1, name)) {
        if ((at == names || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

void facet_lost_streams_add(facet_lost_streams *lost, const facet_stream *stream)
{
    enum { SPACE = sizeof lost->names - sizeof ", ..." + 1 };
    char name[60];
    facet_quoted quoted;
    const char *semantic = facet_semantic_name(stream->semantic);
    if (stream->semantic == FACET_CUSTOM)
        snprintf(name, sizeof name, "'%.50s'",
                 facet_quote(&quoted, stream->name, strlen(stream->name)));
    else if (stream->set > 0)
        snprintf(name, sizeof name, "%s %" PRIu32, semantic, stream->set);
    else
        snprintf(name, sizeof name, "%s", semantic);
    size_t used = strlen(lost->names);
    lost->count++;
    bool is_full = used > 3 && strcmp(lost->names + used - 3, "...") == 0;
    if (is_full || is_listed(lost->names, name))
        return;
    const char *comma = used > 0 ? ", " : "";
    snprintf(lost->names + used, sizeof lost->names - used, "%s%s", comma,
             used + strlen(comma) + strlen(name) < SPACE ? name : "...");
}

void facet_lost_streams_report(const facet_lost_streams *lost, const char *target,
                               facet_report *report)
{
    facet_tally tally = {lost->count, 0};
    facet_report_add_tally(report, "LOSS-CUSTOM", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &tally,
                           "%s cannot hold these streams: %s", target, lost->names);
}

/* -- Counting the elements of a scene ------------------------------------- */

static bool has_alpha(const facet_stream *colors)
{
    const float *values = colors->data;
    for (size_t i = 0; colors->components == 4 && i < colors->count; i++) {
        if (values[4 * i + 3] != 1)
            return true;
    }
    return false;
}

static void count_streams(const facet_mesh *mesh, counts *c)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *s = &mesh->streams[i];
        c->of[TANGENTS] += s->semantic == FACET_TANGENT;
        c->of[NORMALS] += s->semantic == FACET_NORMAL;
        if (s->semantic == FACET_CUSTOM)
            facet_lost_streams_add(&c->custom, s);
        c->of[COLORS] += s->semantic == FACET_COLOR && s->set >= c->capacity->color_sets;
        if (c->capacity->lacks & FACET_LACKS_COLOR_ALPHA)
            c->of[COLOR_ALPHA] +=
                s->semantic == FACET_COLOR && s->set < c->capacity->color_sets && has_alpha(s);
        c->of[TEXCOORDS] +=
            s->semantic == FACET_TEXCOORD && (s->set >= c->capacity->texcoord_sets ||
                                              s->components > c->capacity->texcoord_components);
        c->of[JOINTS] += s->semantic == FACET_JOINTS;
    }
}

/* Number of lines and points that are stored without their material. */
static uint64_t count_end_materials(const facet_mesh *mesh, const facet_capacity *capacity)
{
    static const uint32_t lacks[FACET_USE_KINDS] = {0, FACET_LACKS_LINES, FACET_LACKS_POINTS};
    uint64_t count = 0;
    for (int k = 1; k < FACET_USE_KINDS && capacity->lacks_end_materials; k++) {
        facet_material_uses uses = facet_mesh_material_uses(mesh, k);
        bool is_stored = !(capacity->lacks & lacks[k]);
        for (uint32_t i = 0; uses.indices && is_stored && i < uses.count; i++)
            count += uses.indices[i] != FACET_NONE;
    }
    return count;
}

static void count_meshes(const facet_scene *scene, counts *c)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        count_streams(mesh, c);
        c->of[SMOOTHING] += facet_mesh_has_smoothing(mesh);
        c->of[LINES] += mesh->line_count;
        c->of[POINTS] += mesh->point_count;
        c->of[BILLBOARDS] += mesh->billboard != FACET_BILLBOARD_NONE;
        c->of[MORPHS] += mesh->morph_count;
        for (uint32_t k = 0; k < mesh->morph_count; k++)
            c->of[MORPH_WEIGHTS] += mesh->morphs[k].weight != 0;
        c->of[MESH_NAMES] += mesh->name && *mesh->name;
        c->of[EXTRAS] += facet_has_extras(mesh->extras, mesh->gx_file);
        c->of[ASSET] += mesh->extensions != NULL;
        c->of[FACE_MATERIALS] += mesh->face_materials != NULL;
        c->end_materials += count_end_materials(mesh, c->capacity);
        for (uint32_t k = 0; k < mesh->part_count; k++) {
            const facet_part *part = &mesh->parts[k];
            c->of[PART_NAMES] += *part->name || *part->group;
            c->of[GROUP_NAMES] += *part->name && *part->group;
        }
    }
}

static void count_others(const facet_scene *scene, counts *c)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        c->of[MATERIAL_VALUES] += !facet_material_is_plain(scene->materials[i]);
        c->of[EXTRAS] += facet_material_has_extras(scene->materials[i]);
        c->of[ASSET] += scene->materials[i]->extensions != NULL;
        c->of[FACTORS] += !facet_material_is_in_range(scene->materials[i],
                                                      !(c->capacity->lacks & FACET_LACKS_LOOKS));
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        c->of[CAMERAS] += node->camera != FACET_NONE || node->light != FACET_NONE;
        c->of[EXTRAS] += facet_has_extras(node->extras, node->gx_file);
        c->of[LODS] += node->lod_count;
        c->of[ASSET] += node->extensions != NULL;
        for (uint32_t k = 0; node->weights && k < scene->meshes[node->mesh]->morph_count; k++)
            c->of[MORPH_WEIGHTS] += node->weights[k] != 0;
    }
    for (uint32_t i = 0; i < scene->image_count; i++)
        c->of[EXTRAS] += facet_image_has_extras(scene->images[i]);
    if (!(c->capacity->lacks & FACET_LACKS_CAMERAS)) {
        for (uint32_t i = 0; i < scene->camera_count; i++)
            c->of[EXTRAS] += scene->cameras[i]->extras != NULL;
        for (uint32_t i = 0; i < scene->light_count; i++)
            c->of[EXTRAS] += scene->lights[i]->extras != NULL;
    }
    for (uint32_t i = 0; i < scene->image_count; i++)
        c->of[MIP_LEVELS] += scene->images[i]->smaller_count > 0;
    for (uint32_t i = 0; i < scene->hull_count; i++)
        c->of[HULL_NAMES] += scene->hulls[i]->name && *scene->hulls[i]->name;
    c->of[ASSET] += (scene->asset != NULL) + (scene->extensions != NULL);
    c->of[SKINS] = scene->skin_count;
    c->of[EXTRAS] += facet_has_extras(scene->extras, scene->gx_file);
    c->of[NODES] = scene->node_count;
    c->of[HULLS] = scene->hull_count;
    c->of[OCCLUDER] = scene->occluder != NULL;
    c->of[ANIMATIONS] = scene->animation_count;
    c->of[IMAGES] = scene->image_count;
}

/* -- Reporting ---------------------------------------------------------- */

/* If a format has no sets, it cannot store any of them. */
static void report_sets(const counts *c, kind which, unsigned sets, unsigned components,
                        facet_report *report)
{
    const char *name = c->capacity->name, *what = kinds[which].what;
    facet_tally tally = {c->of[which], 0};
    if (sets == 0)
        facet_report_add_tally(report, kinds[which].rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               &tally, "%s cannot hold %s", name, what);
    else if (components == 2)
        facet_report_add_tally(report, kinds[which].rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               &tally, "%s cannot hold more than %u set%s of 2 %s", name, sets,
                               facet_plural(sets, "", "s"), what);
    else
        facet_report_add_tally(report, kinds[which].rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               &tally, "%s cannot hold more than %u set%s of %s", name, sets,
                               facet_plural(sets, "", "s"), what);
}

/* True if a format loses an extension of a material, or approximates it if `similar` is true. */
static bool look_is_lost(const facet_capacity *capacity, const facet_material *material,
                         const facet_material_extension *extension, bool similar)
{
    facet_classic_look look = FACET_CLASSIC_LOOK_NONE;
    if (!facet_material_extension_is_used(extension, material))
        return false;
    bool is_refraction = extension->values[0].offset == offsetof(facet_material, ior);
    if (capacity->lacks & FACET_LACKS_OTHER_LOOKS ||
        (capacity->lacks & FACET_HOLDS_REFRACTION && is_refraction))
        look = facet_material_classic_look(material, extension);
    return look == (similar ? FACET_CLASSIC_LOOK_SIMILAR : FACET_CLASSIC_LOOK_NONE);
}

/* Report the names of all extensions that are lost or approximated, in one sentence. */
static void report_looks(const facet_scene *scene, const facet_capacity *capacity, bool similar,
                         facet_report *report)
{
    char names[256] = "";
    facet_tally tally = {0};
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        uint64_t before = tally.count;
        for (uint32_t m = 0; m < scene->material_count; m++) {
            if (look_is_lost(capacity, scene->materials[m], &facet_material_extensions[i], similar))
                facet_tally_hit(&tally, m);
        }
        size_t length = strlen(names);
        if (tally.count > before)
            snprintf(names + length, sizeof names - length, "%s%s", before > 0 ? ", " : "",
                     facet_material_extension_name(&facet_material_extensions[i]));
    }
    facet_report_add_tally(report, kinds[LOOKS].rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &tally,
                           similar ? "%s approximates these material extensions: %s"
                                   : "%s cannot hold these material extensions: %s",
                           capacity->name, names);
}

/* -- Classic values ------------------------------------------------------- */

static bool is_gray(const float color[3])
{
    return color[0] == color[1] && color[0] == color[2];
}

/* True for an ambient color that programs write without a purpose: black, white, MTL's default, or
 * the diffuse color. */
static bool is_usual_ambient(const facet_classic *c)
{
    const float standard = 0.2F;
    float gray = c->ambient[0];
    return (is_gray(c->ambient) && (gray == 0 || gray == 1 || gray == standard)) ||
           memcmp(c->ambient, c->diffuse, sizeof c->ambient) == 0;
}

/* True for a specular color that the physical values imply, or that is a default of programs. Black
 * only where roughness hides the reflections. */
static bool is_usual_specular(const facet_material *m)
{
    const float rough = 0.9F, rounding = 1e-3F;
    const float *color = m->classic->specular;
    bool is_implied = true;
    for (int i = 0; i < 3; i++) {
        float implied = 0.04F + (m->base_color[i] - 0.04F) * m->metallic;
        is_implied &= fabsf(color[i] - implied) <= rounding;
    }
    return is_implied || (is_gray(color) && (color[0] == 0.5F || color[0] == 1 ||
                                             (color[0] == 0 && m->roughness >= rough)));
}

/* The values in `lacks` that a material has and that are not usual ones. */
static uint32_t unusual_values(const facet_material *material, uint32_t lacks)
{
    const facet_classic *c = material->classic;
    if (!c)
        return 0;
    uint32_t values = c->stated & lacks;
    if (is_usual_ambient(c))
        values &= ~(uint32_t)FACET_CLASSIC_AMBIENT;
    if (is_usual_specular(material))
        values &= ~(uint32_t)FACET_CLASSIC_SPECULAR;
    if (is_gray(c->transmission) && (c->transmission[0] == 0 || c->transmission[0] == 1))
        values &= ~(uint32_t)FACET_CLASSIC_TRANSMISSION;
    if (c->refraction_index >= 1 || c->refraction_index <= 0) /* see facet_material.ior */
        values &= ~(uint32_t)FACET_CLASSIC_REFRACTION;
    if (c->illumination <= 2) /* 0 is unlit */
        values &= ~(uint32_t)FACET_CLASSIC_ILLUMINATION;
    return values;
}

/* Report the names of classic values that are lost, in one sentence for colors of light and one for
 * the values that few programs draw. */
static void report_classic(const facet_scene *scene, const facet_capacity *capacity,
                           facet_report *report)
{
    static const struct {
        uint32_t value;
        const char *name;
    } names[] = {{FACET_CLASSIC_AMBIENT, "ambient color"},
                 {FACET_CLASSIC_SPECULAR, "specular color"},
                 {FACET_CLASSIC_TRANSMISSION, "transmission filter"},
                 {FACET_CLASSIC_REFRACTION, "index of refraction below 1"},
                 {FACET_CLASSIC_ILLUMINATION, "illumination model"}};
    facet_tally tallies[2] = {{0}};
    uint32_t all[2] = {0};
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const facet_material *material = scene->materials[i];
        uint32_t values = unusual_values(material, capacity->lacks_classic);
        uint32_t colors = values & (FACET_CLASSIC_SPECULAR | FACET_CLASSIC_TRANSMISSION);
        if (colors & FACET_CLASSIC_SPECULAR && is_gray(material->classic->specular))
            colors &= ~(uint32_t)FACET_CLASSIC_SPECULAR;
        const uint32_t parts[2] = {colors, values & ~colors};
        for (int k = 0; k < 2; k++) {
            all[k] |= parts[k];
            if (parts[k])
                facet_tally_hit(&tallies[k], i);
        }
    }
    for (int k = 0; k < 2; k++) {
        char list[128] = "";
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            size_t length = strlen(list);
            if (all[k] & names[i].value)
                snprintf(list + length, sizeof list - length, "%s%s", length > 0 ? ", " : "",
                         names[i].name);
        }
        facet_quoted quoted;
        const char *first = tallies[k].count > 0 ? scene->materials[tallies[k].first]->name : "";
        facet_report_add_tally(
            report, "LOSS-MATERIALS", k == 0 ? FACET_SEVERITY_WARNING : FACET_SEVERITY_NOTE,
            FACET_NO_OFFSET, &tallies[k], "%s cannot hold these values of material '%s': %s",
            capacity->name, facet_quote(&quoted, first, strlen(first)), list);
    }
}

/* -- Unused parts --------------------------------------------------------- */

static void mark(bool *used, uint32_t count, uint32_t number)
{
    if (number < count)
        used[number] = true;
}

static void report_unused(const facet_scene *scene, const facet_capacity *capacity,
                          facet_report *report)
{
    bool has_meshes = capacity->lacks_unused & FACET_UNUSED_MESHES && scene->node_count > 0;
    bool has_materials = capacity->lacks_unused & FACET_UNUSED_MATERIALS;
    uint32_t meshes = has_meshes ? scene->mesh_count : 0;
    uint32_t materials = has_materials ? scene->material_count : 0;
    facet_tally lost[2] = {{0}};
    /* Several threads may write a scene at once, so its own arena stays as it is. */
    bool *shown = facet_report_allocate(report, meshes, sizeof *shown);
    bool *used = facet_report_allocate(report, materials, sizeof *used);
    for (uint32_t i = 0; shown && i < scene->node_count; i++)
        mark(shown, meshes, scene->nodes[i]->mesh);
    for (uint32_t i = 0; used && materials > 0 && i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        for (uint32_t face = 0; mesh->face_materials && face < mesh->face_count;
             face = facet_mesh_end_of_material(mesh, face))
            mark(used, materials, mesh->face_materials[face]);
    }
    for (uint32_t i = 0; shown && i < meshes; i++) {
        if (!shown[i])
            facet_tally_hit(&lost[0], i);
    }
    for (uint32_t i = 0; used && i < materials; i++) {
        if (!used[i])
            facet_tally_hit(&lost[1], i);
    }
    facet_report_release(report, used, materials, sizeof *used);
    facet_report_release(report, shown, meshes, sizeof *shown);
    facet_report_add_tally(report, "LOSS-MESHES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost[0],
                           "%s cannot hold meshes that no node shows", capacity->name);
    facet_report_add_tally(report, "LOSS-MATERIALS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &lost[1],
                           "%s cannot hold materials that no face has", capacity->name);
}

/* -- All losses ----------------------------------------------------------- */

void facet_scene_report_losses(const facet_scene *scene, const facet_capacity *capacity,
                               facet_report *report)
{
    counts c = {.capacity = capacity};
    uint32_t lacks = capacity->lacks;
    count_meshes(scene, &c);
    count_others(scene, &c);
    /* Without morph targets, default weights are also lost: the shape at rest changes. */
    if (lacks & FACET_LACKS_MORPHS)
        lacks |= FACET_LACKS_MORPH_WEIGHTS;
    for (int i = 0; i < BITS; i++) {
        facet_tally tally = {lacks >> i & 1 ? c.of[i] : 0, 0};
        facet_report_add_tally(
            report, kinds[i].rule, kinds[i].is_note ? FACET_SEVERITY_NOTE : FACET_SEVERITY_WARNING,
            FACET_NO_OFFSET, &tally, "%s cannot hold %s", capacity->name, kinds[i].what);
    }
    facet_tally ends = {c.end_materials, 0};
    facet_report_add_tally(report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &ends,
                           "%s cannot hold materials of lines and points", capacity->name);
    if (capacity->lacks & FACET_LACKS_CUSTOM)
        facet_lost_streams_report(&c.custom, capacity->name, report);
    if (capacity->lacks & (FACET_LACKS_LOOKS | FACET_LACKS_OTHER_LOOKS))
        report_looks(scene, capacity, false, report);
    if (capacity->lacks & FACET_LACKS_OTHER_LOOKS)
        report_looks(scene, capacity, true, report);
    report_classic(scene, capacity, report);
    if (capacity->lacks_unit && scene->axes.unit > 0 && scene->axes.unit != 1)
        facet_report_add(report, "LOSS-UNIT", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "%s cannot store that a unit is %g m", capacity->name, scene->axes.unit);
    if (capacity->lacks_unused && report)
        report_unused(scene, capacity, report);
    report_sets(&c, COLORS, capacity->color_sets, 0, report);
    report_sets(&c, TEXCOORDS, capacity->texcoord_sets, capacity->texcoord_components, report);
}
