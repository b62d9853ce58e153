/* formats/assimp/to_scene/meshes.c - a group of assimp's meshes becomes one mesh: concatenated
 * vertices, with one index for all streams. */
#include "base/color.h"
#include "base/error.h"
#include "formats/assimp/to_scene/to_scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- A mesh under construction ------------------------------------------ */

typedef struct assembly {
    facet_assimp_reader *r;
    const facet_assimp_group *group;
    facet_mesh *mesh;
    uint32_t vertex_count;
    uint32_t *indices; /* shared by all streams */
} assembly;

static const struct aiMesh *member(const facet_assimp_reader *r, const facet_assimp_group *group,
                                   uint32_t i)
{
    return r->from->mMeshes[r->members[group->first + i]];
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Name of the mesh, or of the node that shows it, if the mesh has no name or the node's name states
 * a purpose. */
static const char *name_of(const facet_assimp_reader *r, uint32_t number)
{
    const char *own = facet_assimp_text(r->scratch, &r->from->mMeshes[number]->mName);
    if (own && !r->is_fbx)
        own = facet_assimp_without_number(r->scratch, own);
    uint32_t place = r->shown_by[number];
    const char *of_node = place == FACET_NONE ? "" : r->node_names[place];
    /* assimp gives a geometry without a name that of its node. */
    if (own && place != FACET_NONE && strcmp(own, r->place_names.names[place]) == 0)
        own = of_node;
    const char *hull = r->load && r->load->hull_prefix ? r->load->hull_prefix : "collision_mesh";
    const char *occluder =
        r->load && r->load->occluder_name ? r->load->occluder_name : "occlusion_mesh";
    if (own && (!*own || begins_with(of_node, hull) || begins_with(of_node, occluder)))
        return of_node;
    return own;
}

/* -- Faces -------------------------------------------------------------- */

static facet_status count_mesh(assembly *a, const struct aiMesh *from, uint32_t number,
                               uint64_t *vertices, uint64_t *faces, uint64_t *corners,
                               uint64_t *lines, uint64_t *points)
{
    facet_assimp_reader *r = a->r;
    if ((from->mNumVertices > 0 && !from->mVertices) || (from->mNumFaces > 0 && !from->mFaces))
        return facet_fail(r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE", FACET_NO_OFFSET,
                          "mesh %u lacks its vertices or faces", number);
    for (uint32_t i = 0; i < from->mNumFaces; i++) {
        const struct aiFace *face = &from->mFaces[i];
        if (face->mNumIndices > 0 && !face->mIndices)
            return facet_fail(r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE", FACET_NO_OFFSET,
                              "face %u of mesh %u lacks its indices", i, number);
        for (uint32_t k = 0; k < face->mNumIndices; k++) {
            if (face->mIndices[k] >= from->mNumVertices)
                return facet_fail(r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE", FACET_NO_OFFSET,
                                  "face %u of mesh %u uses vertex %u of %u", i, number,
                                  face->mIndices[k], from->mNumVertices);
        }
        if (face->mNumIndices >= 3) {
            ++*faces;
            *corners += face->mNumIndices;
        } else if (face->mNumIndices == 2) {
            ++*lines;
        } else if (face->mNumIndices == 1) {
            ++*points;
        }
    }
    *vertices += from->mNumVertices;
    return FACET_OK;
}

static facet_status count(assembly *a)
{
    uint64_t vertices = 0, faces = 0, corners = 0, lines = 0, points = 0;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < a->group->count && !status; i++)
        status = count_mesh(a, member(a->r, a->group, i), a->r->members[a->group->first + i],
                            &vertices, &faces, &corners, &lines, &points);
    if (status)
        return status;
    if (vertices >= FACET_NONE || corners >= FACET_NONE || lines >= FACET_NONE / 2 ||
        points >= FACET_NONE)
        return facet_fail(a->r->error, FACET_ERROR_LIMIT, "ASSIMP-SIZE", FACET_NO_OFFSET,
                          "a mesh has %" PRIu64 " vertices and %" PRIu64
                          " corners, more than 32-bit indices reach",
                          vertices, corners);
    a->vertex_count = (uint32_t)vertices;
    a->mesh->face_count = (uint32_t)faces;
    a->mesh->corner_count = (uint32_t)corners;
    a->mesh->line_count = (uint32_t)lines;
    a->mesh->point_count = (uint32_t)points;
    return FACET_OK;
}

static facet_status allocate_faces(assembly *a, bool materials)
{
    facet_arena *arena = a->r->scene->arena;
    facet_mesh *mesh = a->mesh;
    a->indices = facet_arena_allocate(arena, mesh->corner_count, sizeof *a->indices);
    if ((uint64_t)mesh->face_count * 3 != mesh->corner_count)
        mesh->face_offsets =
            facet_arena_allocate(arena, (size_t)mesh->face_count + 1, sizeof(uint32_t));
    if (materials)
        mesh->face_materials =
            facet_arena_allocate(arena, mesh->face_count, sizeof *mesh->face_materials);
    if (mesh->line_count > 0)
        mesh->lines = facet_arena_allocate(arena, (size_t)mesh->line_count * 2, sizeof(uint32_t));
    if (mesh->point_count > 0)
        mesh->points = facet_arena_allocate(arena, mesh->point_count, sizeof(uint32_t));
    if (mesh->line_count > 0 && materials)
        mesh->line_materials = facet_arena_allocate(arena, mesh->line_count, sizeof(uint32_t));
    if (mesh->point_count > 0 && materials)
        mesh->point_materials = facet_arena_allocate(arena, mesh->point_count, sizeof(uint32_t));
    /* A group of several meshes becomes one mesh with a part per mesh name. */
    if (a->group->count > 1)
        mesh->parts = facet_arena_allocate(arena, a->group->count, sizeof *mesh->parts);
    bool failed = !a->indices || (materials && !mesh->face_materials) ||
                  (mesh->line_count > 0 && !mesh->lines) ||
                  (mesh->point_count > 0 && !mesh->points) ||
                  (mesh->line_count > 0 && materials && !mesh->line_materials) ||
                  (mesh->point_count > 0 && materials && !mesh->point_materials) ||
                  (a->group->count > 1 && !mesh->parts) ||
                  ((uint64_t)mesh->face_count * 3 != mesh->corner_count && !mesh->face_offsets);
    return failed ? facet_assimp_no_memory(a->r->error, mesh->corner_count, 2 * sizeof(uint32_t))
                  : FACET_OK;
}

static uint32_t material_of(const facet_assimp_reader *r, const struct aiMesh *from)
{
    return from->mMaterialIndex < r->from->mNumMaterials ? r->materials[from->mMaterialIndex]
                                                         : FACET_NONE;
}

static facet_status read_faces(assembly *a)
{
    facet_assimp_reader *r = a->r;
    facet_mesh *mesh = a->mesh;
    bool materials = false;
    for (uint32_t i = 0; i < a->group->count; i++)
        materials |= material_of(r, member(r, a->group, i)) != FACET_NONE;
    TRY(allocate_faces(a, materials));
    uint32_t face = 0, corner = 0, line = 0, point = 0, base = 0;
    for (uint32_t i = 0; i < a->group->count; i++) {
        const struct aiMesh *from = member(r, a->group, i);
        uint32_t first = face, material = material_of(r, from);
        for (uint32_t k = 0; k < from->mNumFaces; k++) {
            const struct aiFace *f = &from->mFaces[k];
            if (f->mNumIndices == 2) {
                if (materials)
                    mesh->line_materials[line / 2] = material;
                mesh->lines[line++] = base + f->mIndices[0];
                mesh->lines[line++] = base + f->mIndices[1];
            }
            if (f->mNumIndices == 1) {
                if (materials)
                    mesh->point_materials[point] = material;
                mesh->points[point++] = base + f->mIndices[0];
            }
            if (f->mNumIndices < 3)
                continue;
            if (mesh->face_offsets)
                mesh->face_offsets[face] = corner;
            if (materials)
                mesh->face_materials[face] = material;
            face++;
            for (uint32_t n = 0; n < f->mNumIndices; n++)
                a->indices[corner++] = base + f->mIndices[n];
        }
        if (mesh->parts) {
            const char *name = name_of(r, r->members[a->group->first + i]);
            name = name ? facet_scene_string(r->scene, name) : NULL;
            if (!name)
                return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
            facet_part part = {name, "", first, face - first};
            mesh->parts[mesh->part_count++] = part;
        }
        base += from->mNumVertices;
    }
    if (mesh->face_offsets)
        mesh->face_offsets[face] = corner;
    return FACET_OK;
}

/* -- Streams ------------------------------------------------------------ */

static const struct aiVector3D *vectors_of(const struct aiMesh *from, facet_semantic semantic,
                                           uint32_t set)
{
    switch (semantic) {
    case FACET_POSITION:
        return from->mVertices;
    case FACET_NORMAL:
        return from->mNormals;
    case FACET_TANGENT:
        return from->mTangents;
    case FACET_TEXCOORD:
        return from->mTextureCoords[set];
    case FACET_MORPH_POSITION:
        return from->mAnimMeshes[set]->mVertices;
    case FACET_MORPH_NORMAL:
        return from->mAnimMeshes[set]->mNormals;
    case FACET_MORPH_TANGENT:
        return from->mAnimMeshes[set]->mTangents;
    default:
        return NULL;
    }
}

/* Turn a target into offsets: assimp's targets are complete. */
static void subtract(float *values, const struct aiMesh *from, facet_semantic semantic)
{
    const struct aiVector3D *base = semantic == FACET_MORPH_POSITION ? from->mVertices
                                    : semantic == FACET_MORPH_NORMAL ? from->mNormals
                                                                     : from->mTangents;
    for (size_t i = 0; base && i < from->mNumVertices; i++) {
        values[i * 3] -= base[i].x;
        values[i * 3 + 1] -= base[i].y;
        values[i * 3 + 2] -= base[i].z;
    }
}

/* Handedness of the tangent space: the sign of the bitangent. */
static float hand_of(const struct aiMesh *from, uint32_t i)
{
    if (!from->mNormals || !from->mBitangents)
        return 1;
    const struct aiVector3D *n = &from->mNormals[i], *t = &from->mTangents[i];
    const struct aiVector3D *b = &from->mBitangents[i];
    float x = n->y * t->z - n->z * t->y, y = n->z * t->x - n->x * t->z;
    float z = n->x * t->y - n->y * t->x;
    return x * b->x + y * b->y + z * b->z < 0 ? -1.0F : 1.0F;
}

/* Read a stream from `width` components of each vector of all members. */
static facet_status read_vectors(assembly *a, facet_semantic semantic, uint32_t set, uint32_t width)
{
    facet_stream *stream = NULL;
    TRY(facet_mesh_add_stream(a->mesh, semantic, set, NULL, FACET_FLOAT32, width, a->vertex_count,
                              &stream, a->r->error));
    stream->indices = a->indices;
    float *to = stream->data;
    for (uint32_t i = 0; i < a->group->count; i++) {
        const struct aiMesh *from = member(a->r, a->group, i);
        const struct aiVector3D *vectors = vectors_of(from, semantic, set);
        size_t count = from->mNumVertices;
        if (width == 3 && count > 0)
            memcpy(to, vectors, count * sizeof *vectors);
        for (size_t v = 0; v < count && width != 3; v++) {
            float all[4] = {vectors[v].x, vectors[v].y, vectors[v].z, 1};
            if (width == 4)
                all[3] = hand_of(from, (uint32_t)v);
            memcpy(to + v * width, all, width * sizeof *to);
        }
        if (semantic >= FACET_MORPH_POSITION)
            subtract(to, from, semantic);
        to += count * width;
    }
    return FACET_OK;
}

/* Colors of OFF go to 1 or to 255; assimp does not scale them. A missing alpha is 1 in both. */
static void scale_colors(float *colors, size_t count)
{
    float most = 0, most_alpha = 0;
    for (size_t i = 0; i < count * 4; i++) {
        if (i % 4 == 3)
            most_alpha = colors[i] > most_alpha ? colors[i] : most_alpha;
        else
            most = colors[i] > most ? colors[i] : most;
    }
    for (size_t i = 0; i < count * 4; i++) {
        if (most_alpha > 1 || (most > 1 && i % 4 != 3))
            colors[i] /= 255;
    }
}

static facet_status read_colors(assembly *a, uint32_t set)
{
    facet_stream *stream = NULL;
    TRY(facet_mesh_add_stream(a->mesh, FACET_COLOR, set, NULL, FACET_FLOAT32, 4, a->vertex_count,
                              &stream, a->r->error));
    stream->indices = a->indices;
    float *to = stream->data;
    for (uint32_t i = 0; i < a->group->count; i++) {
        const struct aiMesh *from = member(a->r, a->group, i);
        if (from->mNumVertices > 0)
            memcpy(to, from->mColors[set], from->mNumVertices * sizeof *from->mColors[set]);
        to += (size_t)from->mNumVertices * 4;
    }
    if (a->r->is_off)
        scale_colors(stream->data, stream->count);
    facet_srgb_decode_colors(stream->data, stream->count, 4);
    return FACET_OK;
}

static facet_status read_morphs(assembly *a, const struct aiMesh *model)
{
    const facet_assimp_reader *r = a->r;
    uint32_t count = model->mNumAnimMeshes;
    if (count == 0)
        return FACET_OK;
    for (uint32_t i = 0; i < a->group->count; i++) {
        const struct aiMesh *from = member(r, a->group, i);
        for (uint32_t k = 0; k < count; k++) {
            if (from->mAnimMeshes[k]->mNumVertices != from->mNumVertices)
                return facet_fail(r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE", FACET_NO_OFFSET,
                                  "morph target %u has %u vertices, its mesh has %u", k,
                                  from->mAnimMeshes[k]->mNumVertices, from->mNumVertices);
        }
    }
    a->mesh->morphs = facet_arena_allocate(r->scene->arena, count, sizeof *a->mesh->morphs);
    if (!a->mesh->morphs)
        return facet_assimp_no_memory(r->error, count, sizeof *a->mesh->morphs);
    a->mesh->morph_count = count;
    facet_status status = FACET_OK;
    for (uint32_t k = 0; k < count && !status; k++) {
        const struct aiAnimMesh *target = model->mAnimMeshes[k];
        a->mesh->morphs[k].name = facet_assimp_text(r->scene->arena, &target->mName);
        /* In an FBX, mWeight is the weight of the target's full effect. */
        a->mesh->morphs[k].weight = isfinite(target->mWeight) && !r->is_fbx ? target->mWeight : 0;
        if (!a->mesh->morphs[k].name)
            return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
        if (target->mVertices)
            status = read_vectors(a, FACET_MORPH_POSITION, k, 3);
        if (!status && target->mNormals && model->mNormals)
            status = read_vectors(a, FACET_MORPH_NORMAL, k, 3);
        if (!status && target->mTangents && model->mTangents)
            status = read_vectors(a, FACET_MORPH_TANGENT, k, 3);
    }
    return status;
}

static facet_status read_streams(assembly *a)
{
    const struct aiMesh *model = member(a->r, a->group, 0);
    facet_status status = read_vectors(a, FACET_POSITION, 0, 3);
    if (!status && model->mNormals)
        status = read_vectors(a, FACET_NORMAL, 0, 3);
    if (!status && model->mTangents)
        status = read_vectors(a, FACET_TANGENT, 0, 4);
    for (uint32_t i = 0; i < AI_MAX_NUMBER_OF_TEXTURECOORDS && !status; i++) {
        if (model->mTextureCoords[i])
            status = read_vectors(a, FACET_TEXCOORD, i, model->mNumUVComponents[i] == 3 ? 3 : 2);
    }
    for (uint32_t i = 0; i < AI_MAX_NUMBER_OF_COLOR_SETS && !status; i++) {
        if (model->mColors[i])
            status = read_colors(a, i);
    }
    return status ? status : read_morphs(a, model);
}

/* -- All meshes -------------------------------------------------------- */

static facet_status read_group(facet_assimp_reader *r, facet_assimp_group *group)
{
    assembly a = {r, group, NULL, 0, NULL};
    TRY(facet_scene_add_mesh(r->scene, &a.mesh, r->error));
    group->mesh = r->scene->mesh_count - 1;
    const char *name = name_of(r, r->members[group->first]);
    a.mesh->name = name ? facet_scene_string(r->scene, name) : NULL;
    if (!a.mesh->name) {
        a.mesh->name = "";
        return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
    }
    facet_status status = count(&a);
    if (!status)
        status = read_faces(&a);
    return status ? status : read_streams(&a);
}

facet_status facet_assimp_meshes_to_scene(facet_assimp_reader *r)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->group_count && !status; i++)
        status = read_group(r, &r->groups[i]);
    return status;
}
