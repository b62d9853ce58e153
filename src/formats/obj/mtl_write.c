/* formats/obj/mtl_write.c - writer of material libraries. */
#include "base/report.h"
#include "base/text.h"
#include "base/text_output.h"
#include "formats/obj/mtl.h"
#include "formats/obj/obj.h"
#include "scene/axes.h"
#include "scene/material.h"

#include <string.h>

/* Write the values of a material. True if its opacity was not within 0 to 1, and was limited. */
static bool write_values(facet_text_output *out, const facet_material *material)
{
    facet_classic classic;
    facet_material_get_classic(material, &classic);
    float opacity = classic.opacity;
    classic.opacity = opacity < 0 ? 0 : opacity > 1 ? 1 : opacity;
    for (const facet_mtl_value *statement = facet_mtl_values; statement->word; statement++) {
        float values[3];
        bool finite = true;
        if (!(classic.stated & statement->stated))
            continue;
        memcpy(values, (const char *)&classic + statement->offset,
               (size_t)statement->count * sizeof *values);
        for (int k = 0; k < statement->count; k++)
            finite &= values[k] - values[k] == 0;
        if (!finite)
            continue;
        facet_put_text(out, statement->word);
        facet_put_numbers(out, values, (uint32_t)statement->count);
        facet_put_text(out, "\n");
    }
    if (classic.stated & FACET_CLASSIC_ILLUMINATION && classic.illumination >= 0) {
        facet_put_text(out, "illum ");
        facet_put_integer(out, (uint64_t)classic.illumination);
        facet_put_text(out, "\n");
    }
    return classic.stated & FACET_CLASSIC_OPACITY && (opacity < 0 || opacity > 1);
}

/* True if readers find the end of the path at the end of the line. */
static bool is_whole_line(const char *path)
{
    size_t length = strlen(path);
    const uint8_t *at = (const uint8_t *)path, *end = at + length;
    for (size_t i = 0; i < length; i++) {
        if (at[i] < ' ' && at[i] != '\t')
            return false;
    }
    return length > 0 && !facet_text_is_blank(end[-1]) && end[-1] != '\\' &&
           facet_obj_end_of_path(at, end) == end;
}

static void put_option(facet_text_output *out, const char *option, const float *values,
                       uint32_t count)
{
    facet_put_text(out, option);
    facet_put_numbers(out, values, count);
}

/* Write the options of a texture. `texcoord_set` is the set that the OBJ stores. False if MTL has
 * no option for some setting. */
static bool write_options(facet_text_output *out, facet_map map, const facet_texture *texture,
                          bool flips_v, uint32_t texcoord_set)
{
    facet_texture t = *texture;
    bool clamps = t.wrap_u == FACET_WRAP_CLAMP && t.wrap_v == FACET_WRAP_CLAMP;
    bool repeats = t.wrap_u == FACET_WRAP_REPEAT && t.wrap_v == FACET_WRAP_REPEAT;
    bool has_strength = map == FACET_MAP_BUMP || map == FACET_MAP_NORMAL;
    if (t.has_transform && flips_v)
        facet_axes_flip_transform(t.offset, &t.rotation, t.scale);
    if (t.has_transform && (t.offset[0] != 0 || t.offset[1] != 0))
        put_option(out, " -o", t.offset, 2);
    if (t.has_transform && (t.scale[0] != 1 || t.scale[1] != 1))
        put_option(out, " -s", t.scale, 2);
    if (clamps)
        facet_put_text(out, " -clamp on");
    if (has_strength && t.strength != 1)
        put_option(out, " -bm", &t.strength, 1);
    return (clamps || repeats) && !(t.has_transform && t.rotation != 0) &&
           t.uv_set == texcoord_set && !facet_filter_is_nearest(t.magnify) &&
           !facet_filter_is_nearest(t.minify);
}

/* Losses: maps without a statement or a file name, and settings without an option. */
typedef struct map_losses {
    facet_tally maps, uses, values, opaque, sides, opacity, dark; /* `first` is the index of the
                                                                     material */
} map_losses;

/* Count the values that MTL cannot store. */
static void count_values(const facet_scene *scene, uint32_t number, map_losses *lost)
{
    const facet_material *material = scene->materials[number];
    if (material->alpha_mode == FACET_ALPHA_MASK)
        facet_tally_hit(&lost->values, number);
    if (facet_material_ignores_alpha(scene, material))
        facet_tally_hit(&lost->opaque, number);
    if (material->double_sided && !material->sides_unknown)
        facet_tally_hit(&lost->sides, number);
}

/* File name of a texture, or NULL. */
static const char *file_of(const facet_texture *texture, const char *const *pictures)
{
    if (!texture)
        return NULL;
    const char *name =
        !*texture->path && texture->has_image ? pictures[texture->image] : texture->path;
    return name && is_whole_line(name) ? name : NULL;
}

static void write_maps(facet_text_output *out, const facet_scene *scene,
                       const char *const *pictures, uint32_t number, uint32_t texcoord_set,
                       map_losses *lost)
{
    const facet_material *material = scene->materials[number];
    bool written[FACET_MAP_COUNT] = {false};
    bool all_maps = true, all_uses = true;
    for (const facet_mtl_map *statement = facet_mtl_maps; statement->word; statement++) {
        facet_map map = statement->map;
        const facet_texture *texture = material->maps[map];
        const char *file = file_of(texture, pictures);
        if (written[map] || !file)
            continue;
        written[map] = true;
        if (map == FACET_MAP_EMISSIVE && facet_material_hides_emission(material)) {
            facet_tally_hit(&lost->dark, number);
            continue;
        }
        facet_put_text(out, statement->word);
        all_uses &=
            write_options(out, map, texture, facet_axes_flips_v(&scene->axes, false), texcoord_set);
        /* An option begins with "-", and blanks are skipped before a path. */
        facet_put_text(out, *file == '-' || facet_text_is_blank((uint8_t)*file) ? " ./" : " ");
        facet_put_text(out, file);
        facet_put_text(out, "\n");
    }
    for (int map = 0; map < FACET_MAP_COUNT; map++)
        all_maps &= written[map] || !material->maps[map];
    if (!all_maps)
        facet_tally_hit(&lost->maps, number);
    if (!all_uses)
        facet_tally_hit(&lost->uses, number);
}

static void report_lost(const facet_scene *scene, const facet_options *options, const char *rule,
                        facet_severity severity, const facet_tally *lost, const char *what)
{
    facet_quoted quoted;
    const char *first = lost->count > 0 ? scene->materials[lost->first]->name : "";
    facet_report_add_tally(options ? options->report : NULL, rule, severity, FACET_NO_OFFSET, lost,
                           "MTL cannot hold %s of material '%s'", what,
                           facet_quote(&quoted, first, strlen(first)));
}

void facet_obj_write_library(const facet_scene *scene, const char *const *names,
                             const char *const *pictures, const facet_options *options,
                             facet_output *output)
{
    facet_text_output out;
    out.output = output;
    out.used = 0;
    map_losses lost = {0};
    uint32_t texcoord_set = facet_scene_texcoord_set(scene);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        facet_put_text(&out, i > 0 ? "\nnewmtl " : "newmtl ");
        facet_put_text(&out, names[i]);
        facet_put_text(&out, "\n");
        if (write_values(&out, scene->materials[i]))
            facet_tally_hit(&lost.opacity, i);
        write_maps(&out, scene, pictures, i, texcoord_set, &lost);
        count_values(scene, i, &lost);
    }
    facet_put_flush(&out);
    report_lost(scene, options, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, &lost.maps, "a map");
    report_lost(scene, options, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, &lost.uses,
                "rotation, wrap, filter or texture coordinate set of a map");
    report_lost(scene, options, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, &lost.values,
                "the alpha cut-out");
    report_lost(scene, options, "LOSS-MATERIALS", FACET_SEVERITY_NOTE, &lost.opaque,
                "the opaque mode, although its image has alpha,");
    report_lost(scene, options, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, &lost.sides,
                "the double-sided flag");
    report_lost(scene, options, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, &lost.dark,
                "an emissive map with a black factor, which shows nothing,");
    report_lost(scene, options, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, &lost.opacity,
                "an opacity that is not within 0 to 1, which is limited,");
}
