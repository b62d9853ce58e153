/* formats/gltf/check.c - the rules of glTF 2.0 that the reader does not enforce. The check runs the
 * reader for the others. */
#include "formats/gltf/check.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/gltf/format.h"
#include "formats/gltf/to_scene/to_scene.h"
#include <facet/gltf.h>
#include <facet/image.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Errors of the input become findings; errors of the system are returned. */
static facet_status report_fault(facet_report *report, const facet_error *fault, facet_error *error)
{
    if (facet_lacks_memory(fault->status) || fault->status == FACET_ERROR_CANCELED) {
        if (error)
            *error = *fault;
        return fault->status;
    }
    facet_report_add_fault(report, fault, "GLTF");
    return FACET_OK;
}

/* -- Accessors ---------------------------------------------------------- */

static uint64_t alignment_of(const facet_gltf_file *file, const facet_gltf_accessor *accessor)
{
    const facet_gltf_view *view = &file->document.views[accessor->view];
    uint64_t start = view->meshopt ? 0 : view->offset;
    return (start + accessor->offset) | accessor->offset | view->stride;
}

static bool sparse_is_aligned(const facet_gltf_file *file, const facet_gltf_sparse *sparse,
                              size_t size)
{
    const facet_gltf_view *views = file->document.views;
    uint64_t indices =
        (views[sparse->indices_view].offset + sparse->indices_offset) | sparse->indices_offset;
    uint64_t values =
        (views[sparse->values_view].offset + sparse->values_offset) | sparse->values_offset;
    return indices % facet_gltf_component_size(sparse->index_type) == 0 && values % size == 0;
}

/* Sparse indices must ascend: each element is replaced at most once. */
static facet_status check_sparse(facet_gltf_file *file, uint32_t index, facet_report *report,
                                 facet_error *error)
{
    const facet_gltf_sparse *sparse = file->document.accessors[index].sparse;
    const facet_gltf_accessor indices = {.view = sparse->indices_view,
                                         .offset = sparse->indices_offset,
                                         .count = sparse->count,
                                         .type = sparse->index_type,
                                         .components = 1};
    facet_tally wrong = {0};
    if (file->document.views[sparse->indices_view].stride > 0) /* a stride is a separate error */
        return FACET_OK;
    TRY(facet_gltf_spend(file, sparse->count, sizeof(uint32_t), error));
    uint32_t *values = facet_arena_allocate(file->arena, (size_t)sparse->count, sizeof *values);
    if (!values)
        return facet_fail_arena(file->arena, error);
    facet_gltf_read_integers(file, &indices, values);
    for (uint64_t i = 1; i < sparse->count; i++) {
        if (values[i] <= values[i - 1])
            facet_tally_hit(&wrong, i);
    }
    facet_report_add_tally(report, "GLTF-ACCESSOR", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &wrong,
                           "sparse index %" PRIu64 " of accessor %" PRIu32
                           " is not above the one before",
                           wrong.first, index);
    facet_arena_release(file->arena, values, (size_t)sparse->count, sizeof *values);
    return FACET_OK;
}

static void check_bounds(facet_report *report, uint32_t index, const facet_gltf_accessor *accessor,
                         const float *values)
{
    facet_tally wrong = {0};
    for (uint32_t c = 0; c < accessor->components && accessor->count > 0; c++) {
        float least = values[c], most = values[c];
        for (size_t i = 1; i < accessor->count; i++) {
            float value = values[i * accessor->components + c];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        /* The file stores them as decimal numbers, which must round to the floats. */
        if ((float)accessor->minimum[c] != least || (float)accessor->maximum[c] != most)
            facet_tally_hit(&wrong, c);
    }
    facet_report_add_tally(report, "GLTF-BOUNDS", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &wrong,
                           "min or max of accessor %" PRIu32
                           " is not that of its component %" PRIu64,
                           index, wrong.first);
}

static bool is_decoded(const facet_gltf_file *file, const facet_gltf_accessor *accessor)
{
    return accessor->data ||
           (accessor->view != FACET_NONE && file->document.views[accessor->view].meshopt);
}

/* Normals and tangents have unit length, and tangents a sign of 1 or -1. Codecs are not exact:
 * decoded normals only cause a warning. */
static void check_directions(const facet_gltf_file *file, uint32_t index, uint8_t uses,
                             const float *values, facet_report *report)
{
    const facet_gltf_accessor *accessor = &file->document.accessors[index];
    bool tangents = uses & FACET_GLTF_AS_TANGENTS;
    bool exact = !is_decoded(file, accessor);
    uint32_t width = accessor->components;
    facet_tally length = {0}, sign = {0};
    if (accessor->matrix || width != (tangents ? 4 : 3) || (tangents && !exact))
        return;
    for (size_t i = 0; i < accessor->count; i++) {
        const float *v = values + i * width;
        if (!facet_gltf_is_unit(v))
            facet_tally_hit(&length, i);
        if (tangents && v[3] != 1 && v[3] != -1)
            facet_tally_hit(&sign, i);
    }
    const char *name = tangents ? "tangent" : "normal";
    facet_report_add_tally(report, "GLTF-NORMAL",
                           exact ? FACET_SEVERITY_ERROR : FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &length, "%s %" PRIu64 " of accessor %" PRIu32 " is not of unit length",
                           name, length.first, index);
    facet_report_add_tally(report, "GLTF-NORMAL", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &sign,
                           "tangent %" PRIu64 " of accessor %" PRIu32
                           " has a w other than 1 and -1",
                           sign.first, index);
}

/* Check quantized directions as floats. */
static facet_status check_quantized(facet_gltf_file *file, uint32_t index, uint8_t uses,
                                    facet_report *report, facet_error *error)
{
    const facet_gltf_accessor *accessor = &file->document.accessors[index];
    size_t count = (size_t)accessor->count * accessor->components;
    if (!accessor->normalized || is_decoded(file, accessor))
        return FACET_OK;
    TRY(facet_gltf_spend(file, count, sizeof(float), error));
    float *values = facet_arena_allocate(file->arena, count, sizeof *values);
    if (!values)
        return facet_fail_arena(file->arena, error);
    facet_gltf_read_floats(file, accessor, accessor->components, 0, values);
    check_directions(file, index, uses, values, report);
    facet_arena_release(file->arena, values, count, sizeof *values);
    return FACET_OK;
}

/* Compare integers as they are stored, normalized or not. */
static facet_status check_integers(facet_gltf_file *file, uint32_t index, facet_report *report,
                                   facet_error *error)
{
    const facet_gltf_accessor *accessor = &file->document.accessors[index];
    size_t count = (size_t)accessor->count * accessor->components;
    bool has_sign = accessor->type == FACET_GLTF_INT8 || accessor->type == FACET_GLTF_INT16;
    if (!accessor->has_bounds || accessor->data || accessor->matrix || count == 0 ||
        accessor->view == FACET_NONE || file->document.views[accessor->view].meshopt)
        return FACET_OK;
    facet_status status = facet_gltf_spend(file, count, sizeof(uint32_t), error);
    uint32_t *values = status ? NULL : facet_arena_allocate(file->arena, count, sizeof *values);
    if (!values)
        return status ? status : facet_fail_arena(file->arena, error);
    facet_gltf_read_integers(file, accessor, values);
    facet_tally wrong = {0};
    for (uint32_t c = 0; c < accessor->components; c++) {
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (size_t i = 0; i < accessor->count; i++) {
            uint32_t bits = values[i * accessor->components + c];
            double value = has_sign ? (double)(int32_t)bits : (double)bits;
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        if (accessor->minimum[c] != least || accessor->maximum[c] != most)
            facet_tally_hit(&wrong, c);
    }
    facet_report_add_tally(report, "GLTF-BOUNDS", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &wrong,
                           "min or max of accessor %" PRIu32
                           " is not that of its component %" PRIu64,
                           index, wrong.first);
    facet_arena_release(file->arena, values, count, sizeof *values);
    return FACET_OK;
}

#define AS_DIRECTIONS (FACET_GLTF_AS_NORMALS | FACET_GLTF_AS_TANGENTS)

static facet_status check_values(facet_gltf_file *file, uint32_t index, uint8_t uses,
                                 facet_report *report, facet_error *error)
{
    const facet_gltf_accessor *accessor = &file->document.accessors[index];
    size_t count = (size_t)accessor->count * accessor->components;
    if (accessor->type != FACET_GLTF_FLOAT) {
        TRY(check_integers(file, index, report, error));
        return uses & AS_DIRECTIONS ? check_quantized(file, index, uses, report, error) : FACET_OK;
    }
    if (accessor->view == FACET_NONE && !accessor->data && !accessor->sparse)
        return FACET_OK;
    facet_status status = facet_gltf_spend(file, count, sizeof(float), error);
    float *values = status ? NULL : facet_arena_allocate(file->arena, count, sizeof *values);
    if (!values)
        return status ? status : facet_fail_arena(file->arena, error);
    facet_gltf_read_floats(file, accessor, accessor->components, 0, values);
    facet_tally infinite = {0};
    for (size_t i = facet_find_nonfinite_float(values, count); i < count; i++) {
        if (!isfinite(values[i]))
            facet_tally_hit(&infinite, i / accessor->components);
    }
    facet_report_add_tally(report, "GLTF-FLOAT", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &infinite,
                           "element %" PRIu64 " of accessor %" PRIu32
                           " holds a number that is not finite",
                           infinite.first, index);
    /* Quantized and compressed data keep the bounds of the original values. */
    if (accessor->has_bounds && !accessor->data && infinite.count == 0 &&
        !(accessor->view != FACET_NONE && file->document.views[accessor->view].meshopt))
        check_bounds(report, index, accessor, values);
    if (uses & AS_DIRECTIONS && infinite.count == 0)
        check_directions(file, index, uses, values, report);
    facet_arena_release(file->arena, values, count, sizeof *values);
    return FACET_OK;
}

static facet_status check_accessors(facet_gltf_file *file, facet_report *report, facet_error *error)
{
    uint8_t *uses = NULL;
    facet_status status = facet_gltf_check_uses(file, report, &uses, error);
    for (uint32_t i = 0; i < file->document.accessor_count && !status; i++) {
        const facet_gltf_accessor *accessor = &file->document.accessors[i];
        if (accessor->count == 0)
            facet_report_add(report, "GLTF-ACCESSOR", FACET_SEVERITY_ERROR, FACET_NO_OFFSET,
                             "accessor %" PRIu32 " has no elements, expected at least one", i);
        size_t size = facet_gltf_component_size(accessor->type);
        size_t step = accessor->matrix ? 4 : size; /* columns of matrices */
        if ((accessor->view != FACET_NONE &&
             (alignment_of(file, accessor) % size != 0 || accessor->offset % step != 0)) ||
            (accessor->sparse && !sparse_is_aligned(file, accessor->sparse, size)))
            facet_report_add(report, "GLTF-ALIGN", FACET_SEVERITY_ERROR, FACET_NO_OFFSET,
                             "accessor %" PRIu32
                             " does not start and step at multiples of its %zu-byte components",
                             i, size);
        if (accessor->sparse)
            status = check_sparse(file, i, report, error);
        if (!status)
            status = check_values(file, i, uses[i], report, error);
    }
    return status;
}

/* -- Meshes ------------------------------------------------------------- */

static void check_mesh(const facet_gltf_file *file, uint32_t index, facet_report *report)
{
    const facet_gltf_document *document = &file->document;
    const facet_gltf_mesh *mesh = &document->meshes[index];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
        const facet_gltf_primitive *primitive = &mesh->primitives[p];
        for (uint32_t i = 0; i < primitive->attribute_count; i++) {
            uint32_t accessor = primitive->attributes[i].accessor;
            if (strcmp(primitive->attributes[i].name, "POSITION") == 0 &&
                accessor < document->accessor_count && !document->accessors[accessor].has_bounds)
                facet_gltf_mesh_fault(report, "GLTF-BOUNDS", index,
                                      "the positions of primitive %" PRIu32 " of mesh %" PRIu32
                                      " have no min and max",
                                      p, index);
        }
    }
}

/* Check that bytes of an image type that glTF knows have the media type that the file gives. */
static void check_media_type(const facet_image *image, const char *given, uint32_t index,
                             facet_report *report)
{
    const char *found = facet_image_media_type(image->data, image->size);
    bool is_own = strcmp(found, "image/png") == 0 || strcmp(found, "image/jpeg") == 0;
    facet_quoted quoted;
    given = *given ? given : image->media_type;
    if ((is_own || facet_gltf_picture_of(found, NULL)) && strcmp(found, given) != 0)
        facet_gltf_fault(report, "GLTF-IMAGE", "image %" PRIu32 " is %s, but declared as '%s'",
                         index, found, facet_quote(&quoted, given, strlen(given)));
}

/* Check that images inside the file are complete. */
static facet_status check_images(const facet_gltf_file *file, const facet_scene *scene,
                                 const facet_options *options, facet_report *report,
                                 facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        facet_image image = *scene->images[i];
        facet_error fault = {0};
        facet_arena *scratch = NULL;
        if (!image.data)
            continue;
        check_media_type(&image, file->document.images[i].media_type, i, report);
        status = facet_arena_create(options, &scratch, error);
        if (!status && facet_image_decode(scratch, &image, options, &fault)) {
            if (facet_lacks_memory(fault.status))
                status = report_fault(report, &fault, error);
            else if (strcmp(fault.rule, "IMAGE-UNSUPPORTED") == 0)
                facet_report_add(report, fault.rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                                 "image %" PRIu32 " is not checked: %s", i, fault.message);
            else
                facet_report_add(report, "GLTF-IMAGE", FACET_SEVERITY_ERROR, FACET_NO_OFFSET,
                                 "image %" PRIu32 " cannot be decoded: %s", i, fault.message);
        }
        facet_arena_free(scratch);
    }
    return status;
}

/* -- The file ----------------------------------------------------------- */

facet_status facet_gltf_check(const facet_source *source, const facet_options *options,
                              facet_report *report, facet_error *error)
{
    facet_options inner = {0};
    if (options)
        inner = *options;
    inner.report = report; /* the reader's warnings are findings also */
    facet_gltf_file file;
    facet_error fault = {0};
    const uint8_t *json = NULL;
    size_t json_size = 0;
    facet_status status = FACET_OK;
    if (facet_gltf_find_json(source, &json, &json_size))
        status = facet_gltf_check_json(json, json_size, options, report, error);
    if (status)
        return status;
    if (facet_gltf_file_open(source, &inner, &file, &fault)) {
        /* The user of such a file provides its bytes. */
        if (strcmp(fault.rule, "GLTF-BUFFER-ABSENT") == 0) {
            facet_report_add(report, fault.rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET, "%s",
                             fault.message);
            return FACET_OK;
        }
        if (strcmp(fault.rule, "GLTF-PROPERTY") == 0 && facet_report_has(report, fault.rule))
            return FACET_OK; /* the findings include that property */
        return report_fault(report, &fault, error);
    }
    facet_scene *scene = NULL;
    file.is_checked = true;
    status = facet_gltf_to_scene(&file, &scene, &fault);
    if (status) {
        status = report_fault(report, &fault, error);
    } else {
        status = check_images(&file, scene, &inner, report, error);
        for (uint32_t i = 0; i < file.document.mesh_count; i++)
            check_mesh(&file, i, report);
        if (!status && (facet_gltf_check_document(&file, report, &fault) ||
                        facet_gltf_check_influences(&file, report, &fault)))
            status = report_fault(report, &fault, error);
    }
    facet_scene_free(scene);
    if (!status && check_accessors(&file, report, &fault))
        status = report_fault(report, &fault, error);
    if (!status && facet_gltf_check_motion(&file, report, &fault))
        status = report_fault(report, &fault, error);
    facet_gltf_file_close(&file);
    return status;
}
