/* formats/assimp/from_scene/meshes.c - Facet's meshes to assimp's: one per part and material, with
 * the vertices that it uses. */
#include "base/color.h"
#include "base/error.h"
#include "formats/assimp/from_scene/from_scene.h"
#include "scene/axes.h"
#include "scene/losses.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NO_MATERIAL(scene) ((scene)->material_count) /* one more than the last material */

/* -- Pieces ------------------------------------------------------------ */

typedef struct cutter {
    facet_assimp_writer *w;
    const facet_mesh *mesh;
    uint32_t number;     /* number of the mesh */
    uint32_t *number_of; /* per vertex of the mesh: its number in the piece */
    uint32_t *stamp;     /* per vertex: 1 + the piece that number_of refers to */
    uint32_t *faces;     /* faces of the segment, grouped by material */
    uint32_t *counts;    /* per material, plus one for none: number of faces, later their end */
    uint32_t *used;      /* materials of the segment */
} cutter;

static facet_status new_piece(facet_assimp_writer *w, struct aiMesh **made)
{
    uint32_t count = w->to.mNumMeshes;
    if (count == w->piece_capacity) {
        uint32_t more = count ? count * 2 : 16;
        facet_assimp_piece *pieces =
            facet_arena_resize(w->scratch, w->pieces, count, more, sizeof *pieces);
        struct aiMesh **meshes =
            pieces ? facet_arena_resize(w->scratch, w->to.mMeshes, count, more, sizeof *meshes)
                   : NULL;
        if (!meshes)
            return facet_assimp_no_memory(w->error, more, sizeof *pieces);
        w->pieces = pieces;
        w->to.mMeshes = meshes;
        w->piece_capacity = more;
    }
    struct aiMesh *mesh = facet_arena_allocate_zeroed(w->scratch, 1, sizeof *mesh);
    if (!mesh)
        return facet_assimp_no_memory(w->error, 1, sizeof *mesh);
    w->to.mMeshes[count] = mesh;
    memset(&w->pieces[count], 0, sizeof *w->pieces);
    w->to.mNumMeshes++;
    *made = mesh;
    return FACET_OK;
}

/* -- Streams ------------------------------------------------------------ */

static void *allocate(const facet_assimp_writer *w, const struct aiMesh *to, size_t size)
{
    return facet_arena_allocate_zeroed(w->scratch, to->mNumVertices, size);
}

static bool copy_vectors(const facet_assimp_writer *w, const facet_stream *stream,
                         const uint32_t *from, struct aiMesh *to, struct aiVector3D **vectors)
{
    struct aiVector3D *made = allocate(w, to, sizeof *made);
    const float *data = stream->data;
    for (size_t i = 0; made && i < to->mNumVertices; i++) {
        float v[3] = {0, 0, 0};
        memcpy(v, data + (size_t)from[i] * stream->components,
               (stream->components > 2 ? 3 : 2) * sizeof *v);
        memcpy(&made[i].x, v, sizeof v);
    }
    *vectors = made;
    return made != NULL;
}

static bool copy_texcoords(const facet_assimp_writer *w, const facet_stream *stream,
                           const uint32_t *from, struct aiMesh *to, uint32_t slot)
{
    if (!copy_vectors(w, stream, from, to, &to->mTextureCoords[slot]))
        return false;
    to->mNumUVComponents[slot] = stream->components;
    for (size_t i = 0; i < to->mNumVertices && facet_axes_flips_v(&w->scene->axes, false); i++)
        to->mTextureCoords[slot][i].y = 1 - to->mTextureCoords[slot][i].y;
    return true;
}

static bool copy_colors(const facet_assimp_writer *w, const facet_stream *stream,
                        const uint32_t *from, struct aiMesh *to, uint32_t slot)
{
    struct aiColor4D *made = allocate(w, to, sizeof *made);
    to->mColors[slot] = made;
    if (!made)
        return false;
    const float *data = stream->data;
    for (size_t i = 0; i < to->mNumVertices; i++) {
        float all[4] = {1, 1, 1, 1};
        memcpy(all, data + (size_t)from[i] * stream->components, stream->components * sizeof *all);
        facet_srgb_encode_colors(all, 1, 4);
        memcpy(&made[i].r, all, sizeof all);
    }
    return true;
}

static bool copy_tangents(const facet_assimp_writer *w, const facet_stream *stream,
                          const uint32_t *from, struct aiMesh *to)
{
    if (!copy_vectors(w, stream, from, to, &to->mTangents) ||
        !(to->mBitangents = allocate(w, to, sizeof *to->mBitangents)))
        return false;
    const float *data = stream->data;
    for (size_t i = 0; i < to->mNumVertices; i++) {
        const struct aiVector3D *n = &to->mNormals[i], *t = &to->mTangents[i];
        float hand = data[(size_t)from[i] * 4 + 3];
        to->mBitangents[i].x = hand * (n->y * t->z - n->z * t->y);
        to->mBitangents[i].y = hand * (n->z * t->x - n->x * t->z);
        to->mBitangents[i].z = hand * (n->x * t->y - n->y * t->x);
    }
    return true;
}

/* Copy streams. assimp's sets of texture coordinates and colors have no gaps: later sets move
 * up. */
static facet_status copy_streams(const cutter *c, const uint32_t *from, struct aiMesh *to)
{
    const facet_assimp_writer *w = c->w;
    uint32_t texcoords = 0, colors = 0;
    bool done = copy_vectors(w, &c->mesh->streams[0], from, to, &to->mVertices);
    const facet_stream *normals = facet_mesh_find(c->mesh, FACET_NORMAL, 0);
    if (done && normals)
        done = copy_vectors(w, normals, from, to, &to->mNormals);
    for (uint32_t i = 1; i < c->mesh->stream_count && done; i++) {
        const facet_stream *stream = &c->mesh->streams[i];
        if (stream->semantic == FACET_TEXCOORD && texcoords < AI_MAX_NUMBER_OF_TEXTURECOORDS)
            done = copy_texcoords(w, stream, from, to, texcoords++);
        else if (stream->semantic == FACET_COLOR && colors < AI_MAX_NUMBER_OF_COLOR_SETS)
            done = copy_colors(w, stream, from, to, colors++);
        else if (stream->semantic == FACET_TANGENT && normals)
            done = copy_tangents(w, stream, from, to);
    }
    return done ? FACET_OK : facet_assimp_no_memory(w->error, to->mNumVertices, 12);
}

/* -- Faces -------------------------------------------------------------- */

/* Number the vertices that the faces use, in the order of first use. */
static void number_vertices(cutter *c, const uint32_t *faces, struct aiMesh *to, uint32_t stamp)
{
    const uint32_t *indices = c->mesh->streams[0].indices;
    for (uint32_t i = 0; i < to->mNumFaces; i++) {
        uint32_t end = facet_face_end(c->mesh, faces[i]);
        for (uint32_t corner = facet_face_begin(c->mesh, faces[i]); corner < end; corner++) {
            uint32_t vertex = indices[corner];
            if (c->stamp[vertex] == stamp)
                continue;
            c->stamp[vertex] = stamp;
            c->number_of[vertex] = to->mNumVertices++;
        }
    }
}

static facet_status fill_faces(cutter *c, const uint32_t *faces, struct aiMesh *to, uint32_t *from)
{
    uint64_t corners = 0;
    for (uint32_t i = 0; i < to->mNumFaces; i++)
        corners += facet_face_end(c->mesh, faces[i]) - facet_face_begin(c->mesh, faces[i]);
    unsigned int *to_index = facet_arena_allocate(c->w->scratch, corners, sizeof *to_index);
    to->mFaces = facet_arena_allocate(c->w->scratch, to->mNumFaces, sizeof *to->mFaces);
    if (!to_index || !to->mFaces)
        return facet_assimp_no_memory(c->w->error, corners, sizeof *to_index);
    const uint32_t *indices = c->mesh->streams[0].indices;
    for (uint32_t i = 0; i < to->mNumFaces; i++) {
        uint32_t begin = facet_face_begin(c->mesh, faces[i]);
        uint32_t count = facet_face_end(c->mesh, faces[i]) - begin;
        to->mFaces[i].mNumIndices = count;
        to->mFaces[i].mIndices = to_index;
        to->mPrimitiveTypes |= count == 3 ? aiPrimitiveType_TRIANGLE : aiPrimitiveType_POLYGON;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t vertex = indices[begin + k];
            *to_index++ = c->number_of[vertex];
            from[c->number_of[vertex]] = vertex;
        }
    }
    return FACET_OK;
}

static facet_status cut_piece(cutter *c, const char *name, uint32_t material, const uint32_t *faces,
                              uint32_t face_count)
{
    struct aiMesh *to = NULL;
    TRY(new_piece(c->w, &to));
    facet_assimp_piece *piece = &c->w->pieces[c->w->to.mNumMeshes - 1];
    facet_assimp_set_text(&to->mName, *name ? name : c->mesh->name);
    to->mMaterialIndex = material;
    to->mNumFaces = face_count;
    number_vertices(c, faces, to, c->w->to.mNumMeshes);
    piece->mesh = c->number;
    piece->from = facet_arena_allocate(c->w->scratch, to->mNumVertices, sizeof *piece->from);
    if (!piece->from)
        return facet_assimp_no_memory(c->w->error, to->mNumVertices, sizeof *piece->from);
    facet_status status = fill_faces(c, faces, to, piece->from);
    return status ? status : copy_streams(c, piece->from, to);
}

/* -- Segments ----------------------------------------------------------- */

/* Material of a face; NO_MATERIAL if it has none. FACET_NONE for a face without corners, which
 * crashes assimp's exporters. */
static uint32_t material_to_cut(const cutter *c, const uint32_t *materials, uint32_t face)
{
    if (facet_face_begin(c->mesh, face) == facet_face_end(c->mesh, face))
        return FACET_NONE;
    uint32_t material = materials ? materials[face] : FACET_NONE;
    return material == FACET_NONE ? NO_MATERIAL(c->w->scene) : material;
}

/* Cut consecutive faces with one name into one piece per material. Materials and the faces of each
 * keep their order. */
static facet_status cut_segment(cutter *c, const char *name, uint32_t first, uint32_t end)
{
    const uint32_t *materials = c->mesh->face_materials;
    uint32_t used = 0;
    for (uint32_t face = first; face < end; face++) {
        uint32_t material = material_to_cut(c, materials, face);
        if (material != FACET_NONE && c->counts[material]++ == 0)
            c->used[used++] = material;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < used; i++) {
        sum += c->counts[c->used[i]];
        c->counts[c->used[i]] = sum - c->counts[c->used[i]];
    }
    for (uint32_t face = first; face < end; face++) {
        uint32_t material = material_to_cut(c, materials, face);
        if (material != FACET_NONE)
            c->faces[c->counts[material]++] = face;
    }
    facet_status status = FACET_OK;
    uint32_t begin = 0;
    for (uint32_t i = 0; i < used; i++) {
        uint32_t stop = c->counts[c->used[i]];
        if (!status)
            status = cut_piece(c, name, c->used[i], c->faces + begin, stop - begin);
        begin = stop;
        c->counts[c->used[i]] = 0;
    }
    return status;
}

static facet_status cut_mesh(cutter *c)
{
    const facet_mesh *mesh = c->mesh;
    facet_assimp_writer *w = c->w;
    uint32_t count = mesh->stream_count > 0 ? mesh->streams[0].count : 0;
    c->number_of = facet_arena_allocate(w->scratch, count, sizeof *c->number_of);
    c->stamp = facet_arena_allocate_zeroed(w->scratch, count, sizeof *c->stamp);
    c->faces = facet_arena_allocate(w->scratch, mesh->face_count, sizeof *c->faces);
    if (!c->number_of || !c->stamp || !c->faces)
        return facet_assimp_no_memory(w->error, count, 2 * sizeof *c->stamp);
    facet_status status = FACET_OK;
    uint32_t done = 0;
    for (uint32_t i = 0; i < mesh->part_count && !status; i++) {
        const facet_part *part = &mesh->parts[i];
        status = cut_segment(c, "", done, part->first_face);
        done = part->first_face + part->face_count;
        if (!status)
            status = cut_segment(c, *part->name ? part->name : part->group, part->first_face, done);
    }
    if (!status)
        status = cut_segment(c, "", done, mesh->face_count);
    facet_arena_release(w->scratch, c->faces, mesh->face_count, sizeof *c->faces);
    facet_arena_release(w->scratch, c->stamp, count, sizeof *c->stamp);
    facet_arena_release(w->scratch, c->number_of, count, sizeof *c->number_of);
    return status;
}

/* -- Losses ------------------------------------------------------------ */

static bool is_lost(const facet_stream *stream)
{
    switch (stream->semantic) {
    case FACET_POSITION:
        return false;
    case FACET_NORMAL:
    case FACET_TEXCOORD:
    case FACET_COLOR:
        return stream->set >= AI_MAX_NUMBER_OF_TEXTURECOORDS;
    case FACET_JOINTS:
    case FACET_WEIGHTS:
    case FACET_MORPH_POSITION:
    case FACET_MORPH_NORMAL:
        return false; /* skins and morph targets are reported elsewhere */
    case FACET_TANGENT:
    case FACET_MORPH_TANGENT:
    case FACET_CUSTOM:
        break;
    }
    return true;
}

static void say_losses(const facet_assimp_writer *w)
{
    facet_lost_streams lost = {0};
    for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
        const facet_mesh *mesh = w->scene->meshes[i];
        for (uint32_t k = 0; k < mesh->stream_count; k++) {
            if (is_lost(&mesh->streams[k]))
                facet_lost_streams_add(&lost, &mesh->streams[k]);
        }
    }
    facet_lost_streams_report(&lost, w->target->name, w->report);
}

/* -- All meshes --------------------------------------------------------- */

static facet_status check_mesh(const facet_assimp_writer *w, const facet_mesh *mesh,
                               uint32_t number)
{
    if (!facet_mesh_is_indexed(mesh))
        return facet_fail(w->error, FACET_ERROR_ARGUMENT, "ASSIMP-NEEDS", FACET_NO_OFFSET,
                          "mesh %" PRIu32 " is not prepared: %s needs one index for all streams",
                          number, w->target->name);
    return FACET_OK;
}

facet_status facet_assimp_meshes_from_scene(facet_assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    size_t materials = (size_t)scene->material_count + 1;
    cutter c = {.w = w};
    c.counts = facet_arena_allocate_zeroed(w->scratch, materials, sizeof *c.counts);
    c.used = facet_arena_allocate(w->scratch, materials, sizeof *c.used);
    w->first_piece =
        facet_arena_allocate(w->scratch, (size_t)scene->mesh_count + 1, sizeof *w->first_piece);
    if (!c.counts || !c.used || !w->first_piece)
        return facet_assimp_no_memory(w->error, materials, sizeof *c.counts);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++) {
        c.mesh = scene->meshes[i];
        c.number = i;
        w->first_piece[i] = w->to.mNumMeshes;
        status = check_mesh(w, c.mesh, i);
        if (!status && c.mesh->face_count > 0)
            status = cut_mesh(&c);
    }
    w->first_piece[scene->mesh_count] = w->to.mNumMeshes;
    if (status)
        return status;
    say_losses(w);
    return FACET_OK;
}
