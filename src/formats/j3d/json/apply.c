/* formats/j3d/json/apply.c - changes to the materials and textures of a document by JSON files, in
 * Facet's or SuperBMD's layout. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/j3d/file/sections.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/json/presets.h"
#include "formats/j3d/json/tables.h"
#include "gx/bti_texture.h"
#include "gx/json/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const own_keys[] = {"name", "index", NULL};

/* -- The file ----------------------------------------------------------- */

/* The kind of a file: its list, the name of its entries, and the rule of its errors. */
typedef struct json_file {
    const char *kind, *key, *rule;
} json_file;

static const json_file materials_file = {"material", "materials", "J3D-JSON-MATERIALS"};
static const json_file textures_file = {"texture", "textures", "J3D-JSON-TEXTURES"};

/* A list of objects with names. */
typedef struct named_list {
    facet_json *root;
    const facet_json *list;
    const char *kind;     /* "material" or "texture" */
    const char *name_key; /* "name", or "Name" for SuperBMD */
    facet_gx_json_context context;
    size_t unknown_count; /* number of entries that the document lacks */
    bool has_known;       /* valid after the first such entry: any entry is in the document */
} named_list;

/* For this many unknown names, messages list the nearest names. */
enum { MAX_NEAREST = 16 };

static facet_status open_list(const char *text, const json_file *file, facet_error *error,
                              named_list *list)
{
    facet_json_fault fault;
    const char *key = file->key;
    named_list made = {
        .kind = file->kind,
        .name_key = "name",
        .context = {
            .status = FACET_ERROR_ARGUMENT, .rule = file->rule, .what = "", .error = error}};
    made.root = facet_json_read(text, strlen(text), FACET_JSON_UNIQUE_KEYS, &fault);
    if (!made.root && fault.memory)
        return facet_fail_memory(error, strlen(text));
    if (!made.root) {
        facet_quoted quoted;
        return facet_fail_line(error, FACET_ERROR_ARGUMENT, file->rule,
                               fault.line > 0 ? (uint64_t)fault.line : 0, "not JSON: %s",
                               facet_quote(&quoted, fault.text, strlen(fault.text)));
    }
    made.list = facet_json_is_array(made.root) ? made.root : facet_json_object_get(made.root, key);
    if (facet_json_is_array(made.root)) {
        made.name_key = "Name";
        made.context.superbmd = true;
    }
    facet_status status = FACET_OK;
    if (!facet_json_is_array(made.list))
        status = facet_gx_json_fail(
            &made.context, NULL,
            "the list \"%s\" is missing, and this is not an array like SuperBMD's", key);
    for (size_t i = 0; i < facet_json_array_size(made.list) && !status; i++) {
        const facet_json *object = facet_json_array_get(made.list, i);
        facet_gx_json_path up = {NULL, key, 0},
                           place = {made.context.superbmd ? NULL : &up, NULL, i};
        if (!facet_json_is_string(facet_json_object_get(object, made.name_key)))
            status = facet_gx_json_fail(&made.context, &place, "the %s is missing", made.name_key);
    }
    if (status)
        facet_json_free(made.root);
    else
        *list = made;
    return status;
}

static const char *name_of(const named_list *list, size_t i)
{
    return facet_json_string_value(
        facet_json_object_get(facet_json_array_get(list->list, i), list->name_key));
}

static void report_dropped(const named_list *list, const facet_options *options)
{
    if (list->context.unknown_keys && options)
        facet_report_add(options->report, "J3D-JSON-KEY", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the %ss file has %zu key%s that SuperBMD does not write, dropped",
                         list->kind, list->context.unknown_keys,
                         facet_plural(list->context.unknown_keys, "", "s"));
    if (list->context.dropped_values && options)
        facet_report_add(
            options->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "the %ss file has %zu value%s that the model cannot hold, dropped; the first "
            "is under \"%s\"",
            list->kind, list->context.dropped_values,
            facet_plural(list->context.dropped_values, "", "s"), list->context.dropped_key);
}

/* True if the document has the object of any entry. */
static bool any_is_known(const named_list *list, const facet_j3d_names *known)
{
    for (size_t i = 0; i < facet_json_array_size(list->list); i++) {
        if (facet_j3d_json_find(known, name_of(list, i)) != UINT32_MAX)
            return true;
    }
    return false;
}

/* Report a name that the document lacks. It is an error only if no name of Facet's list matches the
 * model. SuperBMD's files often serve several models, and models lose unused objects. */
static facet_status unknown_name(named_list *list, size_t i, const facet_j3d_names *known,
                                 const facet_options *options)
{
    char text[600];
    facet_quoted quoted_name, quoted_text;
    facet_quote(&quoted_name, name_of(list, i), strlen(name_of(list, i)));
    if (list->unknown_count++ == 0)
        list->has_known = list->context.superbmd || any_is_known(list, known);
    if (!list->has_known) {
        facet_j3d_json_list_names(known, text, 200);
        facet_quote(&quoted_text, text, strlen(text));
        return facet_fail(list->context.error, FACET_ERROR_ARGUMENT, list->context.rule,
                          FACET_NO_OFFSET, "%s \"%s\" does not exist; the model has %s", list->kind,
                          quoted_name.text, *text ? quoted_text.text : "none");
    }
    if (!options)
        return FACET_OK;
    *text = '\0';
    if (list->unknown_count <= MAX_NEAREST)
        facet_j3d_nearest_names(known, name_of(list, i), text, sizeof text);
    facet_report_add(options->report, "J3D-JSON-NAME", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "the %ss file names the %s \"%s\", which the model does not have%s%s",
                     list->kind, list->kind, quoted_name.text, *text ? "; nearest to it: " : "",
                     text);
    return FACET_OK;
}

/* -- Materials ---------------------------------------------------------- */

/* SuperBMD does not store counts: it counts the parts, and always has two channels. */
static void count_parts(facet_j3d_material *m)
{
    m->gx.stage_count = m->gx.texgen_count = 0;
    m->gx.channel_count = 2;
    for (unsigned i = 0; i < 16; i++)
        m->gx.stage_count = (uint8_t)(m->gx.stage_count + (m->given.tev_stages >> i & 1));
    for (unsigned i = 0; i < 8; i++)
        m->gx.texgen_count = (uint8_t)(m->gx.texgen_count + (m->given.texgens >> i & 1));
    m->given.stage_count = m->given.texgen_count = m->given.channel_count = true;
}

static facet_status apply_material(named_list *list, size_t i, bool keep_textures,
                                   facet_j3d_material *material)
{
    static const char *const superbmd_keys[] = {"Name", NULL};
    bool superbmd = list->context.superbmd;
    facet_gx_json_path up = {NULL, "materials", 0}, place = {superbmd ? NULL : &up, NULL, i};
    facet_j3d_material before = *material;
    TRY(facet_gx_json_decode(
        &list->context, &place, superbmd ? &facet_j3d_superbmd_material : &facet_j3d_json_material,
        facet_json_array_get(list->list, i), superbmd ? superbmd_keys : own_keys, material));
    if (superbmd)
        count_parts(material);
    for (unsigned k = 0; k < 8 && keep_textures; k++) {
        if (material->given.textures >> k & 1)
            continue;
        material->gx.textures[k] = before.gx.textures[k];
        material->given.textures =
            (uint8_t)(material->given.textures | (before.given.textures & 1u << k));
    }
    /* Invalid numbers are allowed if the model has such numbers itself. */
    facet_error why;
    if (facet_gx_material_check(&material->gx, &why) && !facet_gx_material_check(&before.gx, NULL))
        return facet_gx_json_fail(&list->context, &place, "%s", why.message);
    return FACET_OK;
}

/* The document that lists are applied to, and its progress. */
typedef struct target {
    facet_j3d *document;
    const facet_options *options;
    facet_error *error;
    facet_arena *scratch;
    facet_j3d_material *materials;
    const uint32_t *before; /* per slot: number of earlier slots with the same name */
    bool *done;             /* per slot: a list has an entry for it */
    facet_tally renamed;
} target;

static void slot_name(const target *t, uint32_t slot, char *name, size_t size)
{
    const facet_j3d_names *names = &t->document->materials.names;
    *name = '\0';
    if (slot < names->count)
        facet_j3d_name_text(names->items[slot].bytes, name, size);
}

/* Rename a material to the name of its entry. It is the name in the original file, which animations
 * use. */
static facet_status rename_slot(target *t, uint32_t slot, const char *entry)
{
    size_t size = facet_j3d_name_bytes(entry, NULL, 0, NULL) + 1;
    char *bytes = facet_arena_allocate(t->document->arena, size, 1);
    if (!bytes)
        return facet_fail_arena(t->document->arena, t->error);
    facet_j3d_name_bytes(entry, bytes, size, NULL);
    t->materials[slot].name = (facet_j3d_name){.bytes = bytes, .hash = facet_j3d_hash(bytes)};
    facet_tally_hit(&t->renamed, slot);
    return FACET_OK;
}

/* Apply each entry to the material with its name. */
static facet_status apply_named(named_list *list, target *t)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < facet_json_array_size(list->list) && !status; i++) {
        uint32_t slot = facet_j3d_json_find(&t->document->materials.names, name_of(list, i));
        if (slot >= t->document->materials.slot_count) {
            status = unknown_name(list, i, &t->document->materials.names, t->options);
            continue;
        }
        t->done[slot] = true;
        status = apply_material(list, i, false, &t->materials[slot]);
    }
    return status;
}

/* Find the entry of each material. `quiet`: do not report unused entries. */
static facet_status apply_presets(named_list *list, target *t, bool quiet)
{
    size_t count = facet_json_array_size(list->list);
    bool *used = facet_arena_allocate_zeroed(t->scratch, count, sizeof *used);
    facet_status status = used ? FACET_OK : facet_fail_arena(t->scratch, t->error);
    for (uint32_t slot = 0; slot < t->document->materials.slot_count && !status; slot++) {
        char name[512];
        slot_name(t, slot, name, sizeof name);
        size_t entry =
            t->done[slot] ? SIZE_MAX : facet_j3d_preset_of(list->list, name, t->before[slot]);
        if (entry == SIZE_MAX)
            continue;
        t->done[slot] = used[entry] = true;
        status = apply_material(list, entry, false, &t->materials[slot]);
        if (!status && strcmp(name, name_of(list, entry)) != 0)
            status = rename_slot(t, slot, name_of(list, entry));
    }
    for (size_t i = 0; i < count && !status && !quiet; i++) {
        if (!used[i] && !facet_j3d_is_default_preset(name_of(list, i)))
            status = unknown_name(list, i, &t->document->materials.names, t->options);
    }
    return status;
}

static facet_status apply_defaults(named_list *list, target *t)
{
    facet_status status = FACET_OK;
    for (uint32_t slot = 0; slot < t->document->materials.slot_count && !status; slot++) {
        char name[512];
        slot_name(t, slot, name, sizeof name);
        size_t entry = t->done[slot] ? SIZE_MAX : facet_j3d_preset_default(list->list, name);
        if (entry == SIZE_MAX)
            continue;
        t->done[slot] = true;
        status = apply_material(list, entry, true, &t->materials[slot]);
    }
    return status;
}

static facet_status renumber_biases(named_list *list, const facet_options *options)
{
    bool fits = true;
    bool is_old = list->context.superbmd && facet_j3d_presets_renumber(list->list, &fits);
    if (is_old && options)
        facet_report_add(options->report, "J3D-JSON-BIAS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "the materials file is of a SuperBMD before November 2020, which counts "
                         "the biases of indirect stages from 0: its ITB_S means none, its ITB_T "
                         "means S, and so on");
    return fits ? FACET_OK : facet_fail_memory(list->context.error, 0);
}

/* Add the name of the file to the message if there are several files. */
static facet_status blame(const facet_source *file, facet_status status, facet_error *error)
{
    if (status != FACET_ERROR_ARGUMENT || !file || !file->name || !error)
        return status;
    facet_error copy = *error;
    return facet_fail(error, status, copy.rule, FACET_NO_OFFSET, "%s: %s", file->name,
                      copy.message);
}

static facet_status apply_lists(named_list *lists, uint32_t count, target *t)
{
    const facet_j3d_options *j3d = t->options->j3d;
    facet_status status = FACET_OK;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count && !status; i++) {
            const facet_source *file =
                j3d->materials ? i ? &j3d->material_files[i - 1] : NULL : &j3d->material_files[i];
            if (pass == 0)
                status = lists[i].context.superbmd ? apply_presets(&lists[i], t, file != NULL)
                                                   : apply_named(&lists[i], t);
            else if (lists[i].context.superbmd)
                status = apply_defaults(&lists[i], t);
            status = blame(file, status, t->error);
        }
    }
    return status;
}

/* Open the list of --materials, then those of further files. */
static facet_status open_lists(const facet_j3d_options *j3d, named_list *lists, uint32_t *count,
                               const facet_gx_json_names *textures, facet_arena *scratch,
                               facet_error *error)
{
    facet_status status = FACET_OK;
    *count = 0;
    if (j3d->materials) {
        status = open_list(j3d->materials, &materials_file, error, &lists[0]);
        *count += !status;
    }
    for (uint32_t i = 0; i < j3d->material_file_count && !status; i++) {
        const facet_source *file = &j3d->material_files[i];
        char *text = facet_arena_allocate(scratch, file->size + 1, 1);
        if (!text)
            return facet_fail_arena(scratch, error);
        memcpy(text, file->data, file->size);
        text[file->size] = '\0';
        status = blame(file, open_list(text, &materials_file, error, &lists[*count]), error);
        *count += !status;
    }
    for (uint32_t i = 0; i < *count; i++)
        lists[i].context.textures = textures;
    return status;
}

static void report_renamed(const target *t)
{
    char before[200], after[200];
    uint32_t slot = (uint32_t)t->renamed.first;
    if (t->renamed.count == 0)
        return;
    facet_quoted quoted_before, quoted_after;
    slot_name(t, slot, before, sizeof before);
    facet_j3d_name_text(t->materials[slot].name.bytes, after, sizeof after);
    facet_report_add_tally(t->options->report, "J3D-JSON-RENAMED", FACET_SEVERITY_NOTE,
                           FACET_NO_OFFSET, &t->renamed,
                           "the material \"%s\" is called \"%s\" as in the materials file",
                           facet_quote(&quoted_before, before, strlen(before)),
                           facet_quote(&quoted_after, after, strlen(after)));
}

static void report_unused(const target *t, const named_list *lists, uint32_t count)
{
    bool any = false;
    for (uint32_t slot = 0; slot < t->document->materials.slot_count; slot++)
        any |= t->done[slot];
    if (any || count == 0 || t->options->j3d->material_file_count == 0)
        return;
    facet_quoted quoted;
    facet_report_add(t->options->report, "J3D-JSON-NAME", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "none of the %" PRIu32 " materials files names a material of the model; "
                     "the first is about \"%s\"",
                     count,
                     facet_quote(&quoted, name_of(&lists[0], 0), strlen(name_of(&lists[0], 0))));
}

static facet_status apply_materials(facet_j3d *document, const facet_options *options,
                                    facet_arena *scratch, facet_error *error)
{
    const facet_j3d_options *j3d = options->j3d;
    uint32_t count = document->materials.slot_count, list_count = 0;
    target t = {.document = document, .options = options, .error = error, .scratch = scratch};
    t.materials = facet_arena_allocate(scratch, count, sizeof *t.materials);
    t.done = facet_arena_allocate_zeroed(scratch, count, sizeof *t.done);
    uint32_t *before = facet_arena_allocate_zeroed(scratch, count, sizeof *before);
    named_list *lists =
        facet_arena_allocate_zeroed(scratch, (size_t)j3d->material_file_count + 1, sizeof *lists);
    const uint32_t *known = facet_j3d_json_occurrences(&document->materials.names, scratch);
    if (!t.materials || !t.done || !before || !lists || !known)
        return facet_fail_arena(scratch, error);
    for (uint32_t i = 0; i < count && i < document->materials.names.count; i++)
        before[i] = known[i];
    t.before = before;
    facet_j3d_json_textures textures = {&document->textures.names, NULL};
    facet_gx_json_names names = facet_j3d_json_texture_names(&textures);
    facet_status status = open_lists(j3d, lists, &list_count, &names, scratch, error);
    for (uint32_t i = 0; i < list_count && !status; i++)
        status = renumber_biases(&lists[i], options);
    for (uint32_t i = 0; i < count && !status; i++)
        status = facet_j3d_get_material(document, i, &t.materials[i], error);
    if (!status)
        status = apply_lists(lists, list_count, &t);
    if (!status) {
        report_renamed(&t);
        report_unused(&t, lists, list_count);
    }
    for (uint32_t i = 0; i < list_count; i++) {
        report_dropped(&lists[i], options);
        facet_json_free(lists[i].root);
    }
    return status ? status : facet_j3d_set_materials(document, t.materials, count, error);
}

/* -- Textures ----------------------------------------------------------- */

static uint8_t levels_of(const facet_bti_header *header)
{
    return header->level_count ? header->level_count : 1;
}

/* Append a palette or image to the document's texels. */
static facet_status add_texels(facet_j3d_textures *textures, facet_arena *arena,
                               const uint8_t *bytes, size_t size, uint32_t *index,
                               facet_error *error)
{
    uint32_t count = textures->texels_count;
    facet_j3d_texels *texels = facet_arena_allocate(arena, count + 1, sizeof *texels);
    if (!texels)
        return facet_fail_arena(arena, error);
    if (count)
        memcpy(texels, textures->texels, count * sizeof *texels);
    texels[count].bytes = bytes;
    texels[count].size = size;
    textures->texels = texels;
    *index = textures->texels_count++;
    return FACET_OK;
}

/* The previous header for facet_bti_header_for. Fields that depend on format and levels are reset,
 * unless the JSON sets them. */
static facet_bti_header known_header(const facet_bti_header *before, const facet_bti_header *wanted)
{
    facet_bti_header known = *wanted;
    if (wanted->transparency == before->transparency) {
        known.format = before->format;
        known.palette_format = before->palette_format;
    }
    if (wanted->has_mipmaps == before->has_mipmaps && wanted->min_lod == before->min_lod &&
        wanted->max_lod == before->max_lod && wanted->min_filter == before->min_filter)
        known.level_count = before->level_count;
    return known;
}

/* Encode the texels again, in the format and with the levels of the header. */
static facet_status encode_again(facet_j3d *document, facet_j3d_texture *texture,
                                 const facet_bti_header *wanted, const facet_options *options,
                                 facet_error *error)
{
    char name[200] = "";
    facet_j3d_textures *textures = &document->textures;
    uint32_t index = (uint32_t)(texture - textures->items);
    facet_gx_texture before, after;
    facet_image pixels = {.name = name};
    facet_bti_header known = known_header(&texture->header, wanted);
    /* The JSON decides; only dithering comes from the options. */
    const facet_bti_options *asked = options ? options->bti : NULL;
    const facet_bti_options left = {.dither = asked && asked->dither};
    const facet_options plain = {.bti = &left};
    facet_gx_texture_options how;
    if (index < textures->names.count)
        facet_j3d_name_text(textures->names.items[index].bytes, name, sizeof name);
    facet_status status = facet_j3d_get_texture(document, index, &before, error);
    if (!status)
        status = facet_bti_encoding(&plain, name, wanted, &how, error);
    if (!status)
        status = facet_gx_decode_image(document->arena, &before, options, &pixels, error);
    if (!status)
        status = facet_gx_encode_image(document->arena, &pixels, &how, options, &after, error);
    if (!status)
        status =
            add_texels(textures, document->arena, after.data, after.size, &texture->image, error);
    texture->palette = FACET_J3D_NO_TEXELS;
    if (!status && after.palette.count)
        status = add_texels(textures, document->arena, after.palette.entries,
                            after.palette.count * (size_t)2, &texture->palette, error);
    if (!status)
        facet_bti_header_for(&after, &known, &texture->header);
    return status;
}

static facet_status apply_texture(named_list *list, size_t i, facet_j3d *document,
                                  facet_j3d_texture *texture, const facet_options *options,
                                  facet_error *error)
{
    static const char *const superbmd_keys[] = {"Name", NULL};
    const facet_json *object = facet_json_array_get(list->list, i);
    bool superbmd = list->context.superbmd, sage = facet_json_object_get(object, "MagLOD") != NULL;
    facet_gx_json_path up = {NULL, "textures", 0}, place = {superbmd ? NULL : &up, NULL, i};
    facet_bti_header wanted = texture->header;
    TRY(facet_gx_json_decode(&list->context, &place,
                             !superbmd ? &facet_gx_json_header
                             : sage    ? &facet_j3d_superbmd_texture_of_sage
                                       : &facet_j3d_superbmd_texture,
                             object, superbmd ? superbmd_keys : own_keys, &wanted));
    if (wanted.width != texture->header.width || wanted.height != texture->header.height)
        return facet_gx_json_fail(&list->context, &place,
                                  "the texture has %u by %u texels, and a file cannot change it",
                                  texture->header.width, texture->header.height);
    bool indexed = facet_gx_palette_limit((facet_gx_format)wanted.format) > 0;
    bool was_indexed = facet_gx_palette_limit((facet_gx_format)texture->header.format) > 0;
    /* The texture had no palette format to keep: the image decides. */
    if (indexed && !was_indexed &&
        !facet_json_object_get(object, superbmd ? "PaletteFormat" : "paletteFormat"))
        wanted.palette_format = 0xFF;
    bool same = wanted.format == texture->header.format &&
                levels_of(&wanted) == levels_of(&texture->header) &&
                (!indexed || wanted.palette_format == texture->header.palette_format);
    if (!same)
        return encode_again(document, texture, &wanted, options, error);
    wanted.palette_count = texture->header.palette_count;
    texture->header = wanted;
    return FACET_OK;
}

bool facet_j3d_drop_unused_texels(facet_j3d_textures *textures, facet_arena *scratch)
{
    uint32_t *moved = facet_arena_allocate(scratch, textures->texels_count, sizeof *moved);
    if (!moved)
        return false;
    for (uint32_t i = 0; i < textures->texels_count; i++)
        moved[i] = FACET_J3D_NO_TEXELS;
    for (uint32_t i = 0; i < textures->count; i++) {
        if (textures->items[i].image < textures->texels_count)
            moved[textures->items[i].image] = 0;
        if (textures->items[i].palette < textures->texels_count)
            moved[textures->items[i].palette] = 0;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < textures->texels_count; i++) {
        if (moved[i] == FACET_J3D_NO_TEXELS)
            continue;
        textures->texels[kept] = textures->texels[i];
        moved[i] = kept++;
    }
    for (uint32_t i = 0; i < textures->count; i++) {
        facet_j3d_texture *t = &textures->items[i];
        t->image = t->image < textures->texels_count ? moved[t->image] : FACET_J3D_NO_TEXELS;
        t->palette = t->palette < textures->texels_count ? moved[t->palette] : FACET_J3D_NO_TEXELS;
    }
    textures->texels_count = kept;
    return true;
}

/* The texture of an entry. SuperBMD repeats a name for each header with the same image. */
static uint32_t texture_of(const named_list *list, size_t i, const facet_j3d_textures *textures)
{
    char numbered[600];
    const char *name = name_of(list, i);
    uint32_t earlier = 0;
    for (size_t k = 0; list->context.superbmd && k < i; k++)
        earlier += strcmp(name_of(list, k), name) == 0;
    if (earlier == 0)
        return facet_j3d_json_find(&textures->names, name);
    snprintf(numbered, sizeof numbered, "%.511s:%" PRIu32, name, earlier);
    return facet_j3d_json_find(&textures->names, numbered);
}

static facet_status apply_textures(facet_j3d *document, const facet_options *options,
                                   facet_arena *scratch, facet_error *error)
{
    facet_j3d_textures *textures = &document->textures;
    named_list list;
    uint32_t texels_before = textures->texels_count;
    TRY(open_list(options->j3d->textures, &textures_file, error, &list));
    facet_status status = FACET_OK;
    for (size_t i = 0; i < facet_json_array_size(list.list) && !status; i++) {
        uint32_t index = texture_of(&list, i, textures);
        status = index < textures->count
                     ? apply_texture(&list, i, document, &textures->items[index], options, error)
                     : unknown_name(&list, i, &textures->names, options);
    }
    report_dropped(&list, options);
    facet_json_free(list.root);
    if (!status && textures->texels_count != texels_before &&
        !facet_j3d_drop_unused_texels(textures, scratch))
        status = facet_fail_arena(scratch, error);
    return status;
}

/* -- Materials and textures --------------------------------------------- */

facet_status facet_j3d_apply_json(facet_j3d *document, const facet_options *options, bool *changed,
                                  facet_error *error)
{
    facet_arena *scratch;
    *changed = false;
    facet_status status =
        FACET_CHECK_STRUCT(options ? options->j3d : NULL, facet_j3d_options, error);
    if (status)
        return status;
    if (!options || !options->j3d ||
        (!options->j3d->materials && !options->j3d->textures && !options->j3d->material_file_count))
        return FACET_OK;
    TRY(facet_arena_create(options, &scratch, error));
    if (options->j3d->textures)
        status = apply_textures(document, options, scratch, error);
    if (!status && (options->j3d->materials || options->j3d->material_file_count))
        status = apply_materials(document, options, scratch, error);
    facet_arena_free(scratch);
    *changed = !status;
    return status;
}
