/* convert/prepare.c - running of the passes that a format needs: exactly the missing ones, in a
 * fixed order. docs/explanation/architecture.md lists it. */
#include "base/error.h"
#include "base/report.h"
#include "convert/maps.h"
#include "mesh/passes.h"
#include "mesh/tangents/tangents.h"
#include "scene/format.h"
#include "scene/scene.h"

#include <facet/convert.h>
#include <facet/pose.h>

#include <math.h>
#include <string.h>

/* -- Missing properties ------------------------------------------------- */

/* True if some corner has no element of this semantic. */
static bool lacks(const facet_mesh *mesh, facet_semantic semantic)
{
    const facet_stream *stream = facet_mesh_find(mesh, semantic, 0);
    if (!stream)
        return mesh->corner_count > 0;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        if (stream->indices[corner] == FACET_NONE)
            return true;
    }
    return false;
}

/* -- Running ------------------------------------------------------------ */

typedef struct preparation {
    const facet_scene *scene;
    unsigned needs;
    const facet_format *format;
    const facet_prepare_options *prepare;
    const facet_options *options;
    facet_passes *passes;
    facet_error *error;
} preparation;

/* The core module of the web writes only glTF. The linker drops the passes for other formats. */
#ifdef FACET_CORE_MODULE
#define POSSIBLE_NEEDS                                                                        \
    (FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX | FACET_NEED_IMAGES | FACET_NEED_METERS | \
     FACET_NEED_ALPHA | FACET_NEED_PHYSICAL_MAPS)
#else
#define POSSIBLE_NEEDS ~0U
#endif

static bool needs(const preparation *p, unsigned bit)
{
    return (p->needs & POSSIBLE_NEEDS & bit) != 0;
}

/* Record that a pass ran; the same pass on several meshes is recorded once. */
static void record(facet_passes *passes, const char *name)
{
    if (!passes)
        return;
    for (size_t i = 0; i < passes->count; i++) {
        if (strcmp(passes->names[i], name) == 0)
            return;
    }
    passes->names[passes->count++] = name;
}

typedef facet_status (*mesh_pass)(facet_mesh *mesh, const facet_options *options, bool *changed,
                                  facet_error *error);

/* Run a pass; record it if it changed the mesh. */
static facet_status run(const preparation *p, const char *name, mesh_pass pass, facet_mesh *mesh)
{
    bool changed = false;
    facet_status status = facet_step(p->options, name, 0, p->error);
    if (!status)
        status = pass(mesh, p->options, &changed, p->error);
    if (changed)
        record(p->passes, name);
    return status;
}

/* Merge positions that are near one another. */
static facet_status weld_positions(const preparation *p, facet_mesh *mesh)
{
    bool changed = false;
    if (!p->prepare || !(p->prepare->weld_distance > 0))
        return FACET_OK;
    facet_status status =
        facet_mesh_weld_distance(mesh, p->prepare->weld_distance, p->options, &changed, p->error);
    if (changed)
        record(p->passes, "weld positions");
    return status;
}

/* True for appearances that depend on the direction of the surface. */
static bool has_directions(const facet_material *material)
{
    return material->maps[FACET_MAP_NORMAL] || material->maps[FACET_MAP_CLEARCOAT_NORMAL] ||
           material->anisotropy != 0;
}

/* True if a material of the mesh needs tangents, and they are requested for it. */
static bool wants_tangents(const preparation *p, const facet_mesh *mesh)
{
    if (!p->prepare || !p->prepare->tangents || !mesh->face_materials ||
        !facet_mesh_find(mesh, FACET_TEXCOORD, 0))
        return false;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t material = mesh->face_materials[face];
        if (material != FACET_NONE && has_directions(p->scene->materials[material]))
            return true;
    }
    return false;
}

/* True if a mesh needs more normals, although the format does not require normals. Some corners
 * have normals, or smoothing groups define them, and the format stores neither smoothing groups nor
 * corners without normals. */
static bool completes_normals(const preparation *p, const facet_mesh *mesh)
{
    bool single = needs(p, FACET_NEED_SINGLE_INDEX);
    bool polygons = needs(p, FACET_NEED_FACES) && !needs(p, FACET_NEED_TRIANGLES);
    return (single || polygons) &&
           (facet_mesh_has_smoothing(mesh) || facet_mesh_find(mesh, FACET_NORMAL, 0)) &&
           lacks(mesh, FACET_NORMAL);
}

static bool is_of_the_console(const facet_scene *scene, const facet_mesh *mesh)
{
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t material = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
        if (material >= scene->material_count || !scene->materials[material]->gx)
            return false;
    }
    return true;
}

static bool needs_normals(const preparation *p, const facet_mesh *mesh)
{
    bool skips = p->prepare && (p->prepare->skip & (unsigned)FACET_NEED_NORMALS);
    return needs(p, FACET_NEED_NORMALS) &&
           !(skips && !facet_mesh_find(mesh, FACET_NORMAL, 0) && is_of_the_console(p->scene, mesh));
}

static bool replaces_normals(const preparation *p)
{
    return p->prepare && p->prepare->normals && p->prepare->normals->replace;
}

/* Remove the differences of morph targets to the former normals and tangents. Programs then use the
 * new normals for each shape. */
static void drop_morph_normals(const preparation *p, facet_mesh *mesh)
{
    facet_tally lost = {0, 0};
    for (uint32_t i = mesh->stream_count; i-- > 0;) {
        facet_stream *stream = &mesh->streams[i];
        if (stream->semantic != FACET_MORPH_NORMAL && stream->semantic != FACET_MORPH_TANGENT)
            continue;
        facet_tally_hit(&lost, stream->set);
        facet_mesh_remove_stream(mesh, stream);
    }
    facet_report_add_tally(p->options ? p->options->report : NULL, "LOSS-MORPHS",
                           FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost,
                           "the normals of a morph target fit only the replaced normals, and are "
                           "dropped");
}

static facet_status run_normals(const preparation *p, facet_mesh *mesh)
{
    const facet_normals_options *normals = p->prepare ? p->prepare->normals : NULL;
    bool asked = normals && normals->crease_degrees > 0 && lacks(mesh, FACET_NORMAL);
    bool needed = mesh->corner_count > 0 && (needs_normals(p, mesh) || wants_tangents(p, mesh) ||
                                             asked || completes_normals(p, mesh));
    bool changed = false;
    if (!needed && !(normals && normals->replace))
        return FACET_OK;
    facet_status status = facet_mesh_normals(mesh, normals, p->options, &changed, p->error);
    if (changed)
        record(p->passes, "normals");
    if (changed && replaces_normals(p))
        drop_morph_normals(p, mesh);
    if (!status && needed && needs(p, FACET_NEED_FACING))
        status = run(p, "facing", facet_mesh_facing, mesh);
    return status;
}

/* -- Reducing ------------------------------------------------------------ */

/* Totals of all meshes, before any is reduced. */
typedef struct totals {
    double triangles, vertices;
} totals;

static totals count_all(const facet_scene *scene)
{
    totals all = {0};
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        all.triangles += mesh->face_count;
        all.vertices += mesh->stream_count > 0 ? mesh->streams[0].count : 0;
    }
    return all;
}

/* Share of a mesh in a total limit; at least 1, because 0 means no limit. */
static uint32_t share_of(uint32_t most, uint32_t own, double all)
{
    double share = all > 0 ? floor((double)most * ((double)own / all)) : 0;
    return most == 0 ? 0 : share < 1 ? 1 : (uint32_t)share;
}

/* Triangles that turned over by the reduction get separate normals. */
static facet_status run_reduce(const preparation *p, const totals *all, facet_mesh *mesh)
{
    if (!p->prepare || !p->prepare->reduce || mesh->stream_count == 0)
        return FACET_OK;
    facet_reduce_options how = *p->prepare->reduce;
    facet_reduce_summary summary = {0}, *sum = p->prepare->reduced;
    bool changed = false;
    how.max_triangles = share_of(how.max_triangles, mesh->face_count, all->triangles);
    how.max_vertices = share_of(how.max_vertices, mesh->streams[0].count, all->vertices);
    facet_status status = facet_mesh_reduce(mesh, &how, p->options, &changed, &summary, p->error);
    if (changed)
        record(p->passes, "reduce");
    if (!status && sum) {
        sum->triangles += summary.triangles;
        sum->vertices += summary.vertices;
        sum->error = fmax(sum->error, summary.error);
    }
    if (!status && changed && needs(p, FACET_NEED_FACING) && facet_mesh_find(mesh, FACET_NORMAL, 0))
        status = run(p, "facing", facet_mesh_facing, mesh);
    return status;
}

/* -- Meshes ------------------------------------------------------------- */

/* True for a mesh without normals that will be reduced. It gets normals afterwards: flat normals
 * would prevent every edge collapse. */
static bool normals_come_later(const preparation *p, const facet_mesh *mesh)
{
    return p->prepare && p->prepare->reduce && !facet_mesh_find(mesh, FACET_NORMAL, 0);
}

static facet_status index_vertices(const preparation *p, facet_mesh *mesh)
{
    bool wanted = needs(p, FACET_NEED_SINGLE_INDEX) && !facet_mesh_is_indexed(mesh);
    return wanted ? run(p, "index", facet_mesh_index, mesh) : FACET_OK;
}

/* Remove lines and points that the format cannot store, before their vertices are created. */
static void drop_ends(const preparation *p, facet_mesh *mesh)
{
    facet_report *report = p->options ? p->options->report : NULL;
    if (!needs(p, FACET_NEED_FACES) || (mesh->line_count == 0 && mesh->point_count == 0))
        return;
    record(p->passes, "faces");
    char name[16] = "a mesh of faces"; /* "BSM" for bsm */
    for (size_t i = 0; p->format && i < sizeof name - 1; i++) {
        char c = p->format->name[i];
        name[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        if (c == '\0')
            break;
    }
    facet_tally lines = {mesh->line_count, 0}, points = {mesh->point_count, 0};
    facet_report_add_tally(report, "LOSS-LINES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lines,
                           "%s cannot hold lines", name);
    facet_report_add_tally(report, "LOSS-POINTS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &points,
                           "%s cannot hold points", name);
    mesh->lines = mesh->points = mesh->line_materials = mesh->point_materials = NULL;
    mesh->line_count = mesh->point_count = 0;
}

/* Convert a mesh to triangles and vertices, as far as the format needs it. */
static facet_status make_vertices(const preparation *p, facet_mesh *mesh)
{
    facet_status status = FACET_OK;
    drop_ends(p, mesh);
    if (needs(p, FACET_NEED_TRIANGLES) && !facet_mesh_is_triangles(mesh))
        status = run(p, "triangulate", facet_mesh_triangulate, mesh);
    if (!status)
        status = weld_positions(p, mesh);
    if (!status && !normals_come_later(p, mesh))
        status = run_normals(p, mesh);
    return status ? status : index_vertices(p, mesh);
}

static bool welds(const preparation *p)
{
    return needs(p, FACET_NEED_SINGLE_INDEX) && !(p->prepare && p->prepare->keep_vertices);
}

static facet_status weld(const preparation *p, facet_mesh *mesh)
{
    return welds(p) ? run(p, "weld", facet_mesh_weld, mesh) : FACET_OK;
}

/* True if a mesh has only positions, normals and 2D texture coordinates, which are the inputs of
 * tangents. Its vertices then differ only in these. */
static bool is_plain(const facet_mesh *mesh)
{
    const facet_stream *texcoords = facet_mesh_find(mesh, FACET_TEXCOORD, 0);
    return mesh->stream_count == 3 && facet_mesh_find(mesh, FACET_NORMAL, 0) && texcoords &&
           texcoords->components == 2;
}

/* Create tangents. If vertices are welded and reordered at the end anyway, a plain mesh is welded
 * first. Then tangents need not search for equal vertices, and without a split none are created.
 * *welded: nothing is left to weld. */
static facet_status make_tangents(const preparation *p, facet_mesh *mesh, bool *welded)
{
    facet_status status = FACET_OK;
    bool early = needs(p, FACET_NEED_OPTIMIZED | FACET_NEED_STRIPS) && welds(p) && is_plain(mesh);
    if (early)
        status = weld(p, mesh);
    if (!status)
        status =
            run(p, "tangents", early ? facet_mesh_tangents_distinct : facet_mesh_tangents, mesh);
    *welded = early && facet_mesh_is_indexed(mesh);
    if (!status && needs(p, FACET_NEED_SINGLE_INDEX) && !facet_mesh_is_indexed(mesh))
        status = run(p, "split", facet_mesh_split, mesh);
    return status;
}

/* Run the passes after vertices exist. */
static facet_status finish_mesh(const preparation *p, const totals *all, facet_mesh *mesh)
{
    facet_status status = run_reduce(p, all, mesh);
    if (!status && normals_come_later(p, mesh))
        status = run_normals(p, mesh);
    if (!status)
        status = index_vertices(p, mesh);
    bool tangents = needs(p, FACET_NEED_TANGENTS) || wants_tangents(p, mesh);
    bool welded = false;
    facet_stream *former = facet_mesh_find(mesh, FACET_TANGENT, 0);
    if (!status && former && replaces_normals(p)) { /* they are not orthogonal to the new normals */
        facet_mesh_remove_stream(mesh, former);
        tangents |= facet_mesh_find(mesh, FACET_TEXCOORD, 0) != NULL;
    }
    if (!status && tangents && lacks(mesh, FACET_TANGENT))
        status = make_tangents(p, mesh, &welded);
    if (!status && !welded)
        status = weld(p, mesh);
    if (!status && needs(p, FACET_NEED_SORTED))
        status = run(p, "sort", facet_mesh_sort, mesh);
    if (!status && needs(p, FACET_NEED_OPTIMIZED))
        status = run(p, "optimize", facet_mesh_optimize, mesh);
    else if (!status && needs(p, FACET_NEED_STRIPS))
        status = run(p, "optimize", facet_mesh_optimize_size, mesh);
    return status;
}

static facet_status prepare_meshes(const preparation *p, facet_mesh **meshes, uint32_t count,
                                   const facet_scene *scene)
{
    facet_status status = FACET_OK;
    bool reduces = p->prepare && p->prepare->reduce;
    for (uint32_t i = 0; i < count && !status; i++) {
        status = make_vertices(p, meshes[i]);
        /* Weld equal vertices first: otherwise they would be treated as seams. */
        if (!status && reduces)
            status = weld(p, meshes[i]);
    }
    totals all = {0};
    if (!status && reduces)
        all = count_all(scene);
    for (uint32_t i = 0; i < count && !status; i++)
        status = finish_mesh(p, &all, meshes[i]);
    return status;
}

/* Convert the unit of the scene. A node above all others could also express it, as in scenes
 * written without preparation. But some programs handle that wrongly: with bones below a scale,
 * Blender 3.4 loses the objects attached to them. */
static facet_status prepare_unit(const preparation *p, facet_scene *scene)
{
    double unit = scene->axes.unit;
    if (!needs(p, FACET_NEED_METERS) || !(unit > 0) || unit == 1)
        return FACET_OK;
    TRY(facet_step(p->options, "meters", 0, p->error));
    record(p->passes, "meters");
    facet_scene_scale(scene, unit);
    scene->axes.unit = 1;
    return facet_scene_expect_finite(scene, FACET_ERROR_MALFORMED, p->error);
}

/* Flatten the nodes or merge the meshes, if the format needs it. */
static facet_status prepare_places(const preparation *p, facet_scene *scene)
{
    bool flatten = needs(p, FACET_NEED_FLAT) && scene->node_count > 0;
    facet_flatten_options how = {0};
    how.merge = needs(p, FACET_NEED_ONE_MESH);
    if (!flatten && !(how.merge && scene->mesh_count > 1))
        return FACET_OK;
    const char *name = flatten ? "flatten" : "merge";
    TRY(facet_step(p->options, name, 0, p->error));
    record(p->passes, name);
    return facet_scene_flatten(scene, &how, p->options, p->error);
}

static facet_status prepare_maps(const preparation *p, facet_scene *scene)
{
    bool changed = false;
    TRY(facet_scene_combine_maps(scene, p->needs, p->options, &changed, p->error));
    if (changed)
        record(p->passes, "maps");
    return FACET_OK;
}

/* Encode images: those of a scene created by a program may only have pixels. */
static facet_status prepare_images(const preparation *p, facet_scene *scene)
{
    bool changed = false;
    if (!needs(p, FACET_NEED_IMAGES))
        return FACET_OK;
    TRY(facet_scene_encode_pixels(scene, p->options, &changed, p->error));
    if (changed)
        record(p->passes, "images");
    return FACET_OK;
}

static facet_status check_call(const facet_prepare_options *prepare, const facet_options *options,
                               facet_error *error)
{
    TRY(facet_check_options(options, error));
    return FACET_CHECK_STRUCT(prepare, facet_prepare_options, error);
}

facet_status facet_prepare(facet_scene *scene, const facet_format *format,
                           const facet_prepare_options *prepare, const facet_options *options,
                           facet_passes *passes, facet_error *error)
{
    preparation p = {scene, facet_format_needs(format), format, prepare, options, passes, error};
    TRY(check_call(prepare, options, error));
    if (passes)
        memset(passes, 0, sizeof *passes);
    if (prepare)
        p.needs = (p.needs | prepare->extra) & ~(prepare->skip & (unsigned)FACET_NEED_OPTIMIZED);
    if (prepare && prepare->reduce)
        p.needs |= FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX;
    if (prepare && prepare->reduced)
        memset(prepare->reduced, 0, sizeof *prepare->reduced);
    if (format && (p.needs & FACET_NEED_FLAT) && scene->mesh_count == 0 && scene->image_count > 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "CONVERT-NO-MESH", FACET_NO_OFFSET,
                          "%s holds meshes, but the input is an image", format->name);
    TRY(prepare_maps(&p, scene));
    TRY(prepare_images(&p, scene));
    facet_status status = prepare_unit(&p, scene);
    if (!status)
        status = prepare_places(&p, scene);
    if (!status)
        status = prepare_meshes(&p, scene->meshes, scene->mesh_count, scene);
    if (!status && scene->occluder) {
        /* An occluder has only positions and triangles, whatever the format needs of other meshes.
         */
        p.needs &= FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX;
        p.prepare = NULL;
        status = prepare_meshes(&p, &scene->occluder, 1, scene);
    }
    return status;
}
