/* fuzz/fuzz_j3d.c - harness for all functions that read J3D models. A copy of a copy has the same
 * bytes. A model written from a scene can be read and adds no errors. */
#include "scene/format.h"

#include <facet/convert.h>
#include <facet/j3d.h>
#include <facet/j3d_geometry.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition)
{
    if (!condition)
        abort();
}

static facet_output *new_output(void)
{
    facet_output *output;
    expect(facet_output_open_memory(NULL, &output, NULL) == FACET_OK);
    return output;
}

/* -- Document ----------------------------------------------------------- */

/* The bytes of a document. NULL if memory is exhausted, a limit is exceeded, or a BDL has no
 * packets. */
static facet_output *written(const facet_j3d *document, const facet_options *options)
{
    facet_output *output = new_output();
    facet_status status = facet_j3d_write(document, options, output, NULL);
    if (status == FACET_OK) {
        expect(facet_output_commit(output, NULL) == FACET_OK);
        return output;
    }
    expect(status == FACET_ERROR_MEMORY || status == FACET_ERROR_LIMIT ||
           (document->kind == FACET_J3D_BDL4 && !document->has_packets));
    facet_output_free(output);
    return NULL;
}

/* Read a written document and write it again. NULL as above. */
static facet_output *copied(const facet_output *from, const facet_options *options)
{
    facet_j3d *document;
    if (!from)
        return NULL;
    facet_source source =
        facet_source_from_memory(facet_output_data(from), (size_t)facet_output_size(from), NULL);
    facet_status status = facet_j3d_read(&source, options, &document, NULL);
    expect(status == FACET_OK || status == FACET_ERROR_MEMORY);
    if (status)
        return NULL;
    facet_output *output = written(document, options);
    facet_j3d_free(document);
    return output;
}

/* Compare the second copy with the third. The first copy may differ: it moves sections to their
 * usual order, which can shorten or lengthen the text that is found in the padding.
 *
 * The second copy can be larger than the first. A material's index that is out of range in the
 * original may be in range in the first copy; the second one then stores that record. */
static void write_again(const facet_j3d *document, const facet_options *options)
{
    facet_output *first = written(document, options);
    facet_output *second = copied(first, options);
    facet_output *third = copied(second, options);
    expect(!second || facet_output_size(second) >= facet_output_size(first));
    expect(!third || (facet_output_size(third) == facet_output_size(second) &&
                      memcmp(facet_output_data(third), facet_output_data(second),
                             (size_t)facet_output_size(third)) == 0));
    facet_output_free(third);
    facet_output_free(second);
    facet_output_free(first);
}

/* Decode the geometry. A document that was read passes all rules of geometry. */
static void decode(const facet_j3d *document, const facet_options *options)
{
    facet_j3d_meshes *meshes;
    facet_status status = facet_j3d_decode(document, options, &meshes, NULL);
    expect(status == FACET_OK || status == FACET_ERROR_MEMORY);
    if (status)
        return;
    for (uint32_t i = 0; i < meshes->count; i++) {
        const facet_j3d_mesh *mesh = &meshes->items[i];
        for (size_t k = 0; k < (size_t)mesh->triangle_count * 3; k++)
            expect(mesh->triangles[k] < mesh->vertex_count);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            expect(mesh->draw_matrices[v] < meshes->matrix_count);
    }
    facet_j3d_meshes_free(meshes);
}

/* Get all materials as values, and store them in tables again. */
static void take_materials(facet_j3d *document, const facet_options *options)
{
    uint32_t count = document->materials.slot_count;
    if (count == 0 || count > 256)
        return;
    facet_j3d_material *materials = calloc(count, sizeof *materials);
    expect(materials != NULL);
    for (uint32_t i = 0; i < count; i++)
        expect(facet_j3d_get_material(document, i, &materials[i], NULL) == FACET_OK);
    if (facet_j3d_set_materials(document, materials, count, NULL) == FACET_OK &&
        facet_j3d_bake_materials(document, options, NULL) == FACET_OK) {
        facet_output *output = new_output();
        facet_j3d_write(document, options, output, NULL);
        facet_output_free(output);
    }
    free(materials);
}

/* -- Through the format table ------------------------------------------- */

static facet_status drop(void *user, const char *name, const void *data, size_t size,
                         facet_error *error)
{
    (void)user, (void)name, (void)data, (void)size, (void)error;
    return FACET_OK;
}

/* Commit an output and return its bytes as a source; false if writing failed. */
static bool finished(facet_status status, facet_output *output, facet_source *source)
{
    memset(source, 0, sizeof *source);
    if (status || facet_output_commit(output, NULL))
        return false;
    source->data = facet_output_data(output);
    source->size = (size_t)facet_output_size(output);
    return true;
}

/* Copy as another kind of model; the copy can be read. */
static void copy_to(const facet_source *source, const facet_format *format,
                    const facet_options *options)
{
    facet_output *output = new_output();
    facet_source copy;
    facet_j3d *document;
    if (finished(facet_copy(source, format, options, output, NULL), output, &copy)) {
        facet_status status = facet_j3d_read(&copy, options, &document, NULL);
        expect(status == FACET_OK || status == FACET_ERROR_MEMORY);
        if (!status)
            facet_j3d_free(document);
    }
    facet_output_free(output);
}

/* False if the scene would take long to prepare; it is skipped then. */
static bool is_small(const facet_scene *scene)
{
    uint64_t corners = 0, texels = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        corners += scene->meshes[i]->corner_count;
    for (uint32_t i = 0; i < scene->image_count; i++)
        texels += (uint64_t)scene->images[i]->width * scene->images[i]->height;
    return corners <= 3000 && texels <= 4096 && scene->material_count <= 64;
}

/* Save a scene that was read. The file can be read, and has no errors if its original had none
 * (is_sound). */
static void save_as(facet_scene *scene, const facet_format *format, bool is_sound,
                    const facet_options *options)
{
    facet_output *output = new_output();
    facet_source made;
    facet_report *report;
    if (finished(facet_save(scene, format, options, output, NULL), output, &made)) {
        expect(facet_report_create(NULL, &report, NULL) == FACET_OK);
        facet_check(&made, format, options, report, NULL);
        expect(!is_sound || facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0);
        facet_report_free(report);
        facet_scene *again;
        facet_status status = facet_load(&made, format, NULL, options, &again, NULL);
        expect(status == FACET_OK || status == FACET_ERROR_MEMORY);
        if (!status)
            facet_scene_free(again);
    }
    facet_output_free(output);
}

/* Remove all data that only J3D files have, as if the scene came from another format. */
static void forget_extras(facet_scene *scene)
{
    scene->extras = NULL;
    scene->gx_file = NULL;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        scene->meshes[i]->extras = NULL, scene->meshes[i]->gx_file = NULL;
    for (uint32_t i = 0; i < scene->node_count; i++)
        scene->nodes[i]->extras = NULL, scene->nodes[i]->gx_file = NULL;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        scene->materials[i]->extras = NULL;
        scene->materials[i]->gx = NULL;
        scene->materials[i]->gx_file = NULL;
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        scene->images[i]->extras = NULL;
        scene->images[i]->gx_file = NULL;
    }
}

static void look(const facet_source *source, const facet_format *format,
                 const facet_options *options)
{
    facet_report *report;
    facet_description *description;
    facet_scene *scene;
    facet_extractor extractor = {drop, NULL};
    expect(facet_report_create(NULL, &report, NULL) == FACET_OK);
    bool is_sound = facet_check(source, format, options, report, NULL) == FACET_OK &&
                    facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0 &&
                    facet_report_severity_count(report, FACET_SEVERITY_WARNING) == 0;
    facet_report_free(report);
    if (facet_describe(source, format, options, &description, NULL) == FACET_OK)
        facet_description_free(description);
    if (facet_load(source, format, NULL, options, &scene, NULL) == FACET_OK) {
        expect(facet_scene_check(scene, NULL, NULL) == FACET_OK);
        if (is_small(scene) &&
            facet_prepare(scene, format, NULL, options, NULL, NULL) == FACET_OK) {
            save_as(scene, &facet_format_bmd, is_sound, options);
            forget_extras(scene);
            save_as(scene, &facet_format_bdl, true, options);
        }
        facet_scene_free(scene);
    }
    facet_extract(source, format, options, &extractor, NULL);
}

/* Write a FIFO log (.dff) of the model: it passes the check. The input may also be such a log. */
static void write_log(const facet_source *source, const facet_options *options)
{
    facet_output *output = new_output();
    facet_source made;
    facet_report *found, *report;
    expect(facet_report_create(NULL, &found, NULL) == FACET_OK);
    expect(facet_report_create(NULL, &report, NULL) == FACET_OK);
    facet_check(source, &facet_format_dff, options, found, NULL);
    if (finished(facet_copy(source, &facet_format_dff, options, output, NULL), output, &made) &&
        facet_format_probe(source) != &facet_format_dff) {
        facet_check(&made, &facet_format_dff, options, report, NULL);
        expect(facet_report_severity_count(report, FACET_SEVERITY_ERROR) == 0);
    }
    facet_report_free(report);
    facet_report_free(found);
    facet_output_free(output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_source source = {.data = data, .size = size};
    facet_options options = {0};
    facet_j3d *document;
    options.memory_limit = 64 << 20;
    if (facet_j3d_read(&source, &options, &document, NULL) == FACET_OK) {
        decode(document, &options);
        write_again(document, &options);
        take_materials(document, &options);
        facet_j3d_free(document);
    }
    look(&source, &facet_format_bmd, &options);
    if (size <= 16384) {
        copy_to(&source, &facet_format_bdl, &options);
        copy_to(&source, &facet_format_bmt, &options);
        write_log(&source, &options);
    }
    return 0;
}
