/* scene/check.c - does a scene keep its promise? */
#include "base/error.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

static facet_status broken(facet_error *error, const char *format, ...) FACET_PRINTF(2, 3);

static facet_status broken(facet_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, FACET_ERROR_ARGUMENT, "SCENE", FACET_NO_OFFSET, 0, format, arguments);
    va_end(arguments);
    return FACET_ERROR_ARGUMENT;
}

/* What a semantic asks of its stream. */
static bool shape_is_right(const facet_stream *stream)
{
    switch (stream->semantic) {
    case FACET_POSITION:
    case FACET_NORMAL:
        return stream->component == FACET_FLOAT32 && stream->components == 3;
    case FACET_TANGENT:
    case FACET_WEIGHTS:
        return stream->component == FACET_FLOAT32 && stream->components == 4;
    case FACET_TEXCOORD:
        return stream->component == FACET_FLOAT32 &&
               (stream->components == 2 || stream->components == 3);
    case FACET_COLOR:
        return stream->component == FACET_FLOAT32 &&
               (stream->components == 3 || stream->components == 4);
    case FACET_JOINTS:
        return stream->component == FACET_UINT16 && stream->components == 4;
    case FACET_CUSTOM:
        return stream->name && stream->components >= 1 && stream->components <= 16;
    }
    return false;
}

static facet_status check_faces(const facet_mesh *mesh, facet_error *error)
{
    if (!mesh->face_offsets) {
        if ((uint64_t)mesh->face_count * 3 != mesh->corner_count)
            return broken(error, "%" PRIu32 " triangles with %" PRIu32 " corners", mesh->face_count,
                          mesh->corner_count);
        return FACET_OK;
    }
    if (mesh->face_offsets[0] != 0 || mesh->face_offsets[mesh->face_count] != mesh->corner_count)
        return broken(error, "face offsets do not run from 0 to the %" PRIu32 " corners",
                      mesh->corner_count);
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (mesh->face_offsets[face] > mesh->face_offsets[face + 1])
            return broken(error, "face offset %" PRIu32 " is larger than the next", face);
    }
    return FACET_OK;
}

static facet_status check_stream(const facet_mesh *mesh, const facet_stream *stream,
                                 facet_error *error)
{
    size_t index = (size_t)(stream - mesh->streams);
    if (!shape_is_right(stream))
        return broken(error, "stream %zu has the wrong type for its semantic", index);
    if ((stream->count > 0 && !stream->data) || (mesh->corner_count > 0 && !stream->indices))
        return broken(error, "stream %zu lacks data or indices", index);
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        uint32_t element = stream->indices[corner];
        bool absent = element == FACET_NONE && stream->semantic != FACET_POSITION;
        if (element >= stream->count && !absent)
            return broken(error,
                          "corner %" PRIu32 " of stream %zu uses element %" PRIu32 " of %" PRIu32,
                          corner, index, element, stream->count);
    }
    return FACET_OK;
}

static facet_status check_lines(const facet_mesh *mesh, facet_error *error)
{
    if (mesh->line_count == 0)
        return FACET_OK;
    if (!mesh->lines || mesh->stream_count == 0)
        return broken(error, "%" PRIu32 " lines without indices or positions", mesh->line_count);
    for (size_t i = 0; i < (size_t)mesh->line_count * 2; i++) {
        if (mesh->lines[i] >= mesh->streams[0].count)
            return broken(error, "line %zu uses vertex %" PRIu32 " of %" PRIu32, i / 2,
                          mesh->lines[i], mesh->streams[0].count);
    }
    return FACET_OK;
}

static facet_status check_mesh(const facet_scene *scene, const facet_mesh *mesh, facet_error *error)
{
    facet_status status = check_faces(mesh, error);
    if (status)
        return status;
    if (mesh->stream_count == 0 ? mesh->corner_count > 0
                                : mesh->streams[0].semantic != FACET_POSITION)
        return broken(error, "the first stream of a mesh is not its positions");
    for (uint32_t i = 0; i < mesh->stream_count && !status; i++)
        status = check_stream(mesh, &mesh->streams[i], error);
    for (uint32_t face = 0; mesh->face_materials && face < mesh->face_count && !status; face++) {
        uint32_t material = mesh->face_materials[face];
        if (material != FACET_NONE && material >= scene->material_count)
            status = broken(error, "face %" PRIu32 " has material %" PRIu32 " of %" PRIu32, face,
                            material, scene->material_count);
    }
    uint32_t end = 0;
    for (uint32_t i = 0; i < mesh->part_count && !status; i++) {
        const facet_part *part = &mesh->parts[i];
        if (!part->name || !part->group || part->first_face < end ||
            part->first_face > mesh->face_count ||
            part->face_count > mesh->face_count - part->first_face)
            return broken(error, "part %" PRIu32 " is not a run of faces after the one before", i);
        end = part->first_face + part->face_count;
    }
    return status ? status : check_lines(mesh, error);
}

facet_status facet_scene_check(const facet_scene *scene, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++)
        status = check_mesh(scene, scene->meshes[i], error);
    if (!status && scene->occluder)
        status = check_mesh(scene, scene->occluder, error);
    return status;
}
