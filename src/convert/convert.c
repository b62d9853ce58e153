/* convert/convert.c - load, save, copy, check and describe: each selects the format and calls it.
 */
#include "archive/archive.h"
#include "archive/describe.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/output.h"
#include "base/report.h"
#include "base/text.h"
#include "base/tree.h"
#include "convert/choose.h"
#include "convert/decoded_source.h"
#include "convert/hint.h"
#include "convert/repair.h"
#include "convert/save.h"
#include "format_table.h"
#include "mesh/cluster/cluster.h"
#include "scene/format.h"
#include "scene/scene.h"
#include "scene/skip_parts.h"

#include <facet/convert.h>
#include <inttypes.h>
#include <string.h>

/* -- Choosing the format ------------------------------------------------ */

/* Decompress the source if necessary, and select the format. */
static facet_status open(const facet_source *source, const facet_options *options,
                         facet_plain *plain, const facet_format **format, facet_error *error)
{
    facet_status status = facet_plain_open(source, options, plain, error);
    if (!status) {
        status = facet_choose_format(&plain->source, format, error);
        if (status)
            facet_plain_close(plain);
    }
    if (status)
        facet_error_set_file(error, source->name);
    return status;
}

static facet_status close(facet_plain *plain, const facet_source *source, facet_status status,
                          facet_error *error)
{
    facet_plain_close(plain);
    if (status)
        facet_error_set_file(error, source->name);
    return status;
}

static facet_status cannot(const facet_format *format, const char *what, facet_error *error)
{
    if (format->absent)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-ABSENT", FACET_NO_OFFSET,
                          "%s files cannot be %s: this build is without %s", format->name, what,
                          format->absent);
    if (format->folder)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-DIRECTION", FACET_NO_OFFSET,
                          "%s archives are folders; files in them are %s by their paths: "
                          "a.arc/folder/name",
                          format->name, what);
    if (!format->write && format->copy && format->family && strcmp(what, "written") == 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-DIRECTION", FACET_NO_OFFSET,
                          "%s files are only made from files of their family (%s)", format->name,
                          format->family);
    if (format->add && strcmp(what, "read") == 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-DIRECTION", FACET_NO_OFFSET,
                          "%s files are added to a model, which is named before them: "
                          "MODEL.bdl FILE.%s",
                          format->name, format->name);
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-DIRECTION", FACET_NO_OFFSET,
                      "%s files cannot be %s", format->name, what);
}

/* -- Load, save, copy --------------------------------------------------- */

static facet_status set_axes(facet_scene *scene, const facet_load_options *load, facet_error *error)
{
    facet_axes axes = load->target_axes ? *load->target_axes : scene->axes;
    if (load->target_unit != 0)
        axes.unit = load->target_unit;
    return facet_scene_set_axes(scene, &axes, error);
}

/* Let each format restore its own data from the extras of the scene. */
static facet_status restore(facet_scene *scene, const facet_options *options, facet_error *error)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < facet_format_count() && !status; i++) {
        const facet_format *format = facet_format_get(i);
        if (format->restore)
            status = format->restore(scene, options, error);
    }
    return status;
}

/* Check facet_load_options.max_clusters. */
static facet_status check_clusters(const facet_format *format, const facet_load_options *load,
                                   facet_error *error)
{
    if (!load || load->max_clusters == 0)
        return FACET_OK;
    if (!format->read_clustered)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "CLUSTER-FORMAT", FACET_NO_OFFSET,
                          "%s cannot be clustered while it is read; OBJ, PLY and STL can",
                          format->name);
    if (load->max_clusters < FACET_LEAST_CLUSTERS)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "CLUSTER-LIMIT", FACET_NO_OFFSET,
                          "the limit is %" PRIu32 " clusters, expected at least %d",
                          load->max_clusters, FACET_LEAST_CLUSTERS);
    return FACET_OK;
}

static facet_status load_plain(const facet_source *source, const facet_format *format,
                               const facet_load_options *load, const facet_options *options,
                               facet_scene **scene, facet_error *error)
{
    if (!format->read)
        return cannot(format, "read", error);
    TRY(check_clusters(format, load, error));
    facet_status status = facet_step(options, "read", 0, error);
    facet_scene *made = NULL;
    if (!status)
        status = (load && load->max_clusters > 0 ? format->read_clustered : format->read)(
            source, load, options, &made, error);
    if (!status && format->is_decimal)
        facet_scene_report_rounding(made, source, options);
    if (!status)
        status = restore(made, options, error);
    if (!status && load)
        facet_scene_skip(made, load->skip);
    if (!status && load && load->variant)
        status = facet_scene_choose_variant(made, load->variant, error);
    if (!status && load && (load->target_axes || load->target_unit != 0))
        status = set_axes(made, load, error);
    if (!status && load && (load->images || load->image_files) && !(load->skip & FACET_SKIP_IMAGES))
        status = facet_scene_load_images(made, source, load, options, error);
    if (!status)
        facet_collision_hint(made, load, options);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

facet_status facet_load(const facet_source *source, const facet_format *format,
                        const facet_load_options *load, const facet_options *options,
                        facet_scene **scene, facet_error *error)
{
    facet_plain plain;
    TRY(FACET_CHECK_STRUCT(load, facet_load_options, error));
    TRY(open(source, options, &plain, &format, error));
    if (options && options->report)
        facet_archive_check_origin(source, options->report);
    facet_status status = load_plain(&plain.source, format, load, options, scene, error);
    return close(&plain, source, status, error);
}

bool facet_format_can_load_animation(const facet_format *format)
{
    return format && format->add;
}

facet_status facet_load_animation(const facet_source *source, const facet_format *format,
                                  const facet_source *model, const facet_options *options,
                                  facet_scene *scene, facet_error *error)
{
    facet_plain plain, plain_model;
    TRY(open(source, options, &plain, &format, error));
    facet_status status = FACET_OK;
    if (!format->add) {
        status = cannot(format, "added to a model", error);
    } else if (!(status = facet_plain_open(model, options, &plain_model, error))) {
        status = format->add(&plain.source, &plain_model.source, options, scene, error);
        facet_plain_close(&plain_model);
    }
    return close(&plain, source, status, error);
}

static void limit_output(facet_output *output, const facet_options *options)
{
    if (options && options->memory_limit)
        facet_output_set_limit(output, options->memory_limit);
}

static void report_renamed(const facet_output *output, const facet_options *options)
{
    facet_quoted quoted[2];
    if (!options || !options->report || !facet_output_renames_siblings(output))
        return;
    const char *name = facet_output_name(output);
    const char *sibling = facet_output_name(facet_output_next_sibling(output));
    facet_report_add(options->report, "OUTPUT-SIBLING", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "'%s' cannot refer to a file with all characters of its own name: the file "
                     "next to it is called '%s'",
                     facet_quote(&quoted[0], name, strlen(name)),
                     facet_quote(&quoted[1], sibling, strlen(sibling)));
}

facet_status facet_save_counted(const facet_scene *scene, const facet_format *format,
                                const facet_options *options, facet_output *output,
                                facet_counts *counts, facet_error *error)
{
    if (!format)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "FORMAT-UNKNOWN", FACET_NO_OFFSET,
                          "no output format given");
    TRY(facet_check_options(options, error));
    if (!format->write)
        return cannot(format, "written", error);
    limit_output(output, options);
    TRY(facet_step(options, "write", 0, error));
    TRY(format->write(scene, options, output, counts, error));
    report_renamed(output, options);
    return FACET_OK;
}

facet_status facet_save(const facet_scene *scene, const facet_format *format,
                        const facet_options *options, facet_output *output, facet_error *error)
{
    return facet_save_counted(scene, format, options, output, NULL, error);
}

bool facet_format_copies(const facet_format *from, const facet_format *to)
{
    if (!from || !to)
        return false;
    bool related = from->family && to->family && strcmp(from->family, to->family) == 0;
    return (from == to || related) && to->copy != NULL;
}

/* Report errors of a copied source. A copy keeps unused and invalid numbers without a message, so
 * the check of the source runs as well. */
static facet_status tell_faults(const facet_source *source, const facet_format *to,
                                const facet_options *options, facet_error *error)
{
    facet_report *report;
    facet_options quiet = options ? *options : (facet_options){0};
    const facet_format *from = facet_format_probe(source);
    quiet.report = NULL;
    if (!options || !options->report || !from || !from->check ||
        (to->repairs && to->repairs(options)))
        return FACET_OK;
    TRY(facet_report_create(options->allocator, &report, error));
    facet_status status = from->check(source, &quiet, report, error);
    size_t errors = facet_report_severity_count(report, FACET_SEVERITY_ERROR), first = 0;
    while (errors > 0 && facet_report_get(report, first)->severity != FACET_SEVERITY_ERROR)
        first++;
    const facet_finding *finding = errors > 0 ? facet_report_get(report, first) : NULL;
    if (finding)
        facet_report_add(
            options->report, "COPY-FAULTS", FACET_SEVERITY_WARNING, finding->offset,
            "%zu error%s that facet check finds %s copied unchanged; the first is %s: %s", errors,
            facet_plural(errors, "", "s"), facet_plural(errors, "is", "are"), finding->rule,
            finding->message);
    facet_report_free(report);
    return status;
}

facet_status facet_copy(const facet_source *source, const facet_format *format,
                        const facet_options *options, facet_output *output, facet_error *error)
{
    facet_plain plain;
    TRY(open(source, options, &plain, &format, error));
    limit_output(output, options);
    facet_status (*repair)(const facet_source *, const facet_options *, facet_output *,
                           facet_error *) = FACET_WRITER(facet_repair_archive);
    bool repairs = repair && format->folder && facet_repairs_copies(options);
    facet_status status = !format->copy ? cannot(format, "copied", error)
                          : repairs     ? repair(&plain.source, options, output, error)
                                        : format->copy(&plain.source, options, output, error);
    if (!status)
        status = tell_faults(&plain.source, format, options, error);
    return close(&plain, source, status, error);
}

/* -- Check, describe ---------------------------------------------------- */

static facet_status check_plain(const facet_source *source, const facet_format *format,
                                const facet_options *options, facet_report *report,
                                facet_error *error)
{
    TRY(facet_choose_format(source, &format, error));
    if (!format->check)
        return cannot(format, "checked", error);
    TRY(format->check(source, options, report, error));
    return facet_report_status(report, error);
}

/* Check the compression of a file by a codec, and the rules of a Yaz0 stream in it. */
static facet_status check_layers(const facet_plain *plain, const facet_source *source,
                                 const facet_options *options, facet_report *report,
                                 facet_error *error)
{
    const facet_layers *layers = &plain->layers;
    char name[32];
    if (layers->count == 0 || !layers->each[0].codec)
        return FACET_OK;
    facet_layers_name(layers, name);
    facet_report_add(report, "AR38", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                     "the file is compressed (%s): %zu bytes become %zu", name, source->size,
                     plain->source.size);
    if (layers->count == 1)
        return FACET_OK;
    const facet_source inner = {.data = layers->each[1].data, .size = layers->each[1].size};
    return facet_compression_check(&inner, options, report, error);
}

facet_status facet_check(const facet_source *source, const facet_format *format,
                         const facet_options *options, facet_report *report, facet_error *error)
{
    facet_plain plain;
    facet_error fault = {0};
    TRY(facet_compression_check(source, options, report, error));
    facet_status status = facet_plain_open(source, options, &plain, &fault);
    if (status == FACET_ERROR_MALFORMED) {
        /* Errors of Yaz0 and Yay0 are already reported. */
        if (facet_codec_of(source->data, source->size))
            facet_report_add_fault(report, &fault, "AR36");
        return facet_report_status(report, error);
    }
    if (status)
        return facet_fail(error, status, fault.rule, fault.offset, "%s", fault.message);
    status = check_layers(&plain, source, options, report, error);
    if (!status)
        status = check_plain(&plain.source, format, options, report, error);
    return close(&plain, source, status, error);
}

/* Put the compression of the file first in its description. */
static void describe_compression(const facet_plain *plain, const facet_source *source,
                                 facet_description *description)
{
    facet_tree *detail = description->detail, *first = detail->first, *last = detail->last;
    facet_tree *tree = facet_tree_object(description->arena, detail, "compression");
    if (!tree)
        return;
    char name[32];
    facet_layers_name(&plain->layers, name);
    facet_tree_text(description->arena, tree, "format", name, strlen(name));
    facet_tree_integer(description->arena, tree, "bytes", (int64_t)source->size);
    if (first) {
        tree->next = first;
        last->next = NULL;
        detail->first = tree;
        detail->last = last;
    }
}

facet_status facet_describe(const facet_source *source, const facet_format *format,
                            const facet_options *options, facet_description **description,
                            facet_error *error)
{
    facet_plain plain;
    facet_description *made = NULL;
    TRY(open(source, options, &plain, &format, error));
    facet_status status = format->describe ? facet_description_make(&plain.source, options,
                                                                    format->describe, &made, error)
                                           : cannot(format, "described", error);
    if (!status) {
        made->format = format;
        if (plain.layers.count > 0)
            describe_compression(&plain, source, made);
        status = facet_arena_status(made->arena, error);
    }
    if (status)
        facet_description_free(made);
    else
        *description = made;
    return close(&plain, source, status, error);
}
