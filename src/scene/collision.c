/* scene/collision.c - removal of collision and occlusion objects from the meshes. They are
 * identified by name, and become hulls and the occluder. */
#include "base/arena.h"
#include "base/error.h"
#include "scene/scene.h"

#include <string.h>

/* -- Names -------------------------------------------------------------- */

typedef enum purpose { TO_SEE, TO_COLLIDE, TO_OCCLUDE } purpose;

typedef struct extraction {
    facet_scene *scene;
    const char *prefix, *occluder;
    bool everything; /* true: everything becomes hulls, whatever its name */
    facet_error *error;
} extraction;

static purpose purpose_of_name(const extraction *x, const char *name)
{
    if (x->everything)
        return TO_COLLIDE;
    if (strcmp(name, x->occluder) == 0)
        return TO_OCCLUDE;
    if (*x->prefix && strncmp(name, x->prefix, strlen(x->prefix)) == 0)
        return TO_COLLIDE;
    return TO_SEE;
}

/* Purpose of a part, and the name that determines it. */
static purpose purpose_of_part(const extraction *x, const facet_part *part, const char **name)
{
    *name = part->name;
    purpose found = purpose_of_name(x, part->name);
    if (found == TO_SEE) {
        *name = part->group;
        found = purpose_of_name(x, part->group);
    }
    return found;
}

/* -- Hulls and the occluder --------------------------------------------- */

/* Create a hull from the distinct points of faces first to before end. `seen` has an entry per
 * position: the last hull that used it, from 1. */
static facet_status add_hull(extraction *x, const facet_mesh *mesh, const char *name,
                             uint32_t first, uint32_t end, uint32_t *seen)
{
    const facet_stream *positions = &mesh->streams[0];
    uint32_t begin_corner = facet_face_begin(mesh, first), mark = x->scene->hull_count + 1;
    uint32_t end_corner = facet_face_end(mesh, end - 1), count = 0;
    for (uint32_t corner = begin_corner; corner < end_corner; corner++) {
        count += seen[positions->indices[corner]] != mark;
        seen[positions->indices[corner]] = mark;
    }
    facet_hull *hull;
    TRY(facet_scene_add_hull(x->scene, name, count, &hull, x->error));
    float *point = hull->points;
    for (uint32_t corner = begin_corner; corner < end_corner; corner++) {
        uint32_t position = positions->indices[corner];
        if (seen[position] != mark)
            continue;
        seen[position] = 0;
        memcpy(point, (const float *)positions->data + (size_t)position * 3, 3 * sizeof *point);
        point += 3;
    }
    return FACET_OK;
}

/* Add faces first to before end to the occluder. Its streams have space for all of them; its
 * positions are numbered by first use. */
static void add_occluder_faces(facet_mesh *occluder, const facet_mesh *mesh, uint32_t first,
                               uint32_t end, uint32_t *numbers)
{
    const facet_stream *from = &mesh->streams[0];
    facet_stream *to = &occluder->streams[0];
    for (uint32_t face = first; face < end; face++) {
        for (uint32_t c = facet_face_begin(mesh, face); c < facet_face_end(mesh, face); c++) {
            uint32_t position = from->indices[c];
            if (numbers[position] == 0) {
                memcpy((float *)to->data + (size_t)to->count * 3,
                       (const float *)from->data + (size_t)position * 3, 3 * sizeof(float));
                numbers[position] = ++to->count;
            }
            to->indices[occluder->corner_count++] = numbers[position] - 1;
        }
        occluder->face_offsets[++occluder->face_count] = occluder->corner_count;
    }
}

/* Create an empty occluder with space for this number of corners and faces. */
static facet_status make_occluder(extraction *x, const char *name, uint32_t corners, uint32_t faces,
                                  facet_mesh **occluder)
{
    facet_stream *stream;
    TRY(facet_scene_add_occluder(x->scene, occluder, x->error));
    TRY(facet_mesh_add_stream(*occluder, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, corners,
                              &stream, x->error));
    stream->count = 0;
    stream->indices = facet_scene_allocate(x->scene, corners, sizeof *stream->indices);
    (*occluder)->face_offsets = facet_scene_allocate(x->scene, (size_t)faces + 1, sizeof(uint32_t));
    (*occluder)->name = name;
    if (!stream->indices || !(*occluder)->face_offsets)
        return facet_fail_arena(x->scene->arena, x->error);
    (*occluder)->face_offsets[0] = 0;
    return FACET_OK;
}

/* -- Remaining faces ---------------------------------------------------- */

static void move_down(uint32_t *values, uint32_t to, uint32_t from, uint32_t count)
{
    if (values)
        memmove(values + to, values + from, count * sizeof *values);
}

/* Move the faces of a part down to the end of the kept ones. */
static void keep_part(facet_mesh *mesh, facet_part part, uint32_t *faces, uint32_t *corners)
{
    uint32_t first = facet_face_begin(mesh, part.first_face);
    uint32_t count = facet_face_end(mesh, part.first_face + part.face_count - 1) - first;
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        bool shared = false;
        for (uint32_t j = 0; j < i; j++)
            shared |= mesh->streams[j].indices == mesh->streams[i].indices;
        if (!shared)
            move_down(mesh->streams[i].indices, *corners, first, count);
    }
    move_down(mesh->face_materials, *faces, part.first_face, part.face_count);
    move_down(mesh->face_smoothing, *faces, part.first_face, part.face_count);
    for (uint32_t i = 0; mesh->face_offsets && i < part.face_count; i++)
        mesh->face_offsets[*faces + i] = mesh->face_offsets[part.first_face + i] - first + *corners;
    *faces += part.face_count;
    *corners += count;
}

/* Remove the faces of invisible parts; faces without part stay. */
static void drop_faces(const extraction *x, facet_mesh *mesh)
{
    uint32_t faces = 0, corners = 0, parts = 0, end = 0;
    for (uint32_t i = 0; i <= mesh->part_count; i++) {
        facet_part part = {"", "", mesh->face_count, 0};
        if (i < mesh->part_count)
            part = mesh->parts[i];
        facet_part gap = {"", "", end, part.first_face - end};
        end = part.first_face + part.face_count;
        if (gap.face_count > 0)
            keep_part(mesh, gap, &faces, &corners);
        const char *name;
        if (i == mesh->part_count || purpose_of_part(x, &part, &name) != TO_SEE)
            continue;
        mesh->parts[parts] = part;
        mesh->parts[parts++].first_face = faces;
        if (part.face_count > 0)
            keep_part(mesh, part, &faces, &corners);
    }
    mesh->part_count = parts;
    mesh->face_count = faces;
    mesh->corner_count = corners;
    if (mesh->face_offsets)
        mesh->face_offsets[faces] = corners;
}

/* Remove mesh `index`, and update the mesh indices of nodes. */
static void remove_mesh(facet_scene *scene, uint32_t index)
{
    memmove(scene->meshes + index, scene->meshes + index + 1,
            (scene->mesh_count - index - 1) * sizeof *scene->meshes);
    scene->mesh_count--;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t *mesh = &scene->nodes[i]->mesh;
        if (*mesh == index)
            *mesh = FACET_NONE;
        else if (*mesh != FACET_NONE && *mesh > index)
            --*mesh;
    }
}

/* -- Meshes ------------------------------------------------------------- */

/* Parts of a mesh. A mesh without parts is one part with the mesh's name. */
static const facet_part *parts_of(const facet_mesh *mesh, facet_part *whole, uint32_t *count)
{
    facet_part part = {mesh->name, "", 0, mesh->face_count};
    *whole = part;
    *count = mesh->part_count > 0 ? mesh->part_count : 1;
    return mesh->part_count > 0 ? mesh->parts : whole;
}

/* Number of elements that the parts of all meshes need. */
typedef struct demand {
    bool any;
    const char *occluder; /* its name; NULL: no occluder */
    uint64_t occluder_corners, occluder_faces;
} demand;

static demand demand_of(const extraction *x, const facet_mesh *mesh)
{
    demand wanted = {false, NULL, 0, 0};
    facet_part whole;
    uint32_t count;
    const facet_part *parts = parts_of(mesh, &whole, &count);
    for (uint32_t i = 0; i < count && mesh->stream_count > 0; i++) {
        const char *name;
        purpose found = purpose_of_part(x, &parts[i], &name);
        if (found == TO_SEE || parts[i].face_count == 0)
            continue;
        wanted.any = true;
        if (found == TO_COLLIDE)
            continue;
        uint32_t end = parts[i].first_face + parts[i].face_count;
        wanted.occluder = name;
        wanted.occluder_faces += parts[i].face_count;
        wanted.occluder_corners +=
            facet_face_end(mesh, end - 1) - facet_face_begin(mesh, parts[i].first_face);
    }
    return wanted;
}

/* Process the parts of one mesh: create hulls, and add to the occluder. */
static facet_status take_parts(extraction *x, const facet_mesh *mesh, facet_mesh *occluder,
                               uint32_t *seen, uint32_t *numbers)
{
    facet_part whole;
    uint32_t count;
    const facet_part *parts = parts_of(mesh, &whole, &count);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        const char *name, *next;
        purpose found = purpose_of_part(x, &parts[i], &name);
        uint32_t first = parts[i].first_face, end = first + parts[i].face_count;
        if (found == TO_SEE || first == end)
            continue;
        if (found == TO_OCCLUDE) {
            add_occluder_faces(occluder, mesh, first, end, numbers);
            continue;
        }
        for (; i + 1 < count && parts[i + 1].first_face == end; i++) {
            if (purpose_of_part(x, &parts[i + 1], &next) != TO_COLLIDE || strcmp(name, next) != 0)
                break;
            end += parts[i + 1].face_count;
        }
        status = add_hull(x, mesh, name, first, end, seen);
    }
    return status;
}

static facet_status extract_mesh(extraction *x, facet_mesh *mesh, facet_mesh *occluder)
{
    facet_arena *arena = x->scene->arena;
    uint32_t count = mesh->streams[0].count;
    uint32_t *seen = facet_arena_allocate_zeroed(arena, count, sizeof *seen);
    uint32_t *numbers = facet_arena_allocate_zeroed(arena, count, sizeof *numbers);
    facet_status status = seen && numbers ? take_parts(x, mesh, occluder, seen, numbers)
                                          : facet_fail_arena(arena, x->error);
    facet_arena_release(arena, numbers, count, sizeof *numbers);
    facet_arena_release(arena, seen, count, sizeof *seen);
    if (status)
        return status;
    if (mesh->part_count > 0)
        drop_faces(x, mesh);
    else
        mesh->face_count = 0;
    return FACET_OK;
}

static facet_status extract(extraction *x)
{
    facet_scene *scene = x->scene;
    demand total = {false, NULL, 0, 0};
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        demand wanted = demand_of(x, scene->meshes[i]);
        total.any |= wanted.any;
        total.occluder = wanted.occluder ? wanted.occluder : total.occluder;
        total.occluder_corners += wanted.occluder_corners;
        total.occluder_faces += wanted.occluder_faces;
    }
    if (!total.any)
        return FACET_OK;
    if (total.occluder_corners > UINT32_MAX - 1)
        return facet_fail(x->error, FACET_ERROR_LIMIT, "SCENE-OCCLUDER", FACET_NO_OFFSET,
                          "the occluder has too many corners for one mesh");
    facet_mesh *occluder = NULL;
    facet_status status = FACET_OK;
    if (total.occluder)
        status = make_occluder(x, total.occluder, (uint32_t)total.occluder_corners,
                               (uint32_t)total.occluder_faces, &occluder);
    for (uint32_t i = 0; i < scene->mesh_count && !status;) {
        facet_mesh *mesh = scene->meshes[i];
        bool wanted = demand_of(x, mesh).any;
        if (wanted)
            status = extract_mesh(x, mesh, occluder);
        if (wanted && !status && mesh->face_count == 0)
            remove_mesh(scene, i);
        else
            i++;
    }
    return status;
}

facet_status facet_scene_extract_collision(facet_scene *scene, const facet_load_options *load,
                                           const facet_options *options, facet_error *error)
{
    (void)options;
    extraction x = {scene, load && load->hull_prefix ? load->hull_prefix : "collision_mesh",
                    load && load->occluder_name ? load->occluder_name : "occlusion_mesh", false,
                    error};
    return extract(&x);
}

facet_status facet_scene_make_hulls(facet_scene *scene, const facet_options *options,
                                    facet_error *error)
{
    (void)options;
    extraction x = {scene, "", "", true, error};
    return extract(&x);
}
