/* formats/j3d/patch/project.c - textures of SuperBMD's lists, from the images next to them. Errors
 * in a list itself are reported when it is applied to the document (json/apply.c). */
#include "formats/j3d/patch/project.h"
#include "base/file.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/json/presets.h"
#include "formats/j3d/json/tables.h"
#include "formats/j3d/patch/replace.h"
#include "gx/json/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LEVELS = 10, LINEAR = 1, FIRST_MIP_FILTER = 2, NO_FORMAT = 0xFF };

/* -- Images ------------------------------------------------------------- */

typedef struct project {
    facet_j3d *document;
    const facet_options *options;
    facet_arena *scratch;
    facet_error *error;
    facet_json *list;
} project;

/* Find the image NAME + ending, in the folder or next to a list; its name is NULL if missing. */
static facet_status find_picture(const project *p, const char *name, const char *ending,
                                 facet_source *found)
{
    static const char *const kinds[] = {".png", ".jpg", ".tga", ".bmp"};
    const facet_j3d_options *j3d = p->options->j3d;
    const facet_source *const places[] = {j3d->texture_folder, j3d->textures_file,
                                          j3d->materials_file};
    memset(found, 0, sizeof *found);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (size_t k = 0; places[i] && k < sizeof kinds / sizeof *kinds; k++) {
            facet_error why;
            const char *file = facet_arena_format(p->scratch, "%s%s%s", name, ending, kinds[k]);
            if (!file)
                return facet_fail_arena(p->scratch, p->error);
            if (!facet_source_open_sibling(places[i], file, found, &why)) {
                found->name = file;
                return FACET_OK;
            }
            memset(found, 0, sizeof *found);
        }
    }
    return FACET_OK;
}

static facet_status blame(const project *p, const char *file, facet_status status)
{
    if (!status || !p->error)
        return status;
    facet_error copy = *p->error;
    return facet_fail(p->error, copy.status, copy.rule, FACET_NO_OFFSET, "%s: %s", file,
                      copy.message);
}

/* -- tex_headers.json --------------------------------------------------- */

static facet_status read_header(const project *p, size_t entry, facet_bti_header *header)
{
    static const char *const keys[] = {"Name", NULL};
    const facet_json *object = facet_json_array_get(p->list, entry);
    bool is_of_sage = facet_json_object_get(object, "MagLOD") != NULL;
    facet_gx_json_context context = {.superbmd = true,
                                     .status = FACET_ERROR_ARGUMENT,
                                     .rule = "J3D-JSON-TEXTURES",
                                     .what = "",
                                     .error = p->error};
    facet_gx_json_path place = {NULL, NULL, entry};
    *header = (facet_bti_header){.format = NO_FORMAT,
                                 .palette_format = NO_FORMAT,
                                 .min_filter = LINEAR,
                                 .mag_filter = LINEAR,
                                 .level_count = 1};
    return facet_gx_json_decode(&context, &place,
                                is_of_sage ? &facet_j3d_superbmd_texture_of_sage
                                           : &facet_j3d_superbmd_texture,
                                object, keys, header);
}

/* Make a texture from an entry and its image, with the mip levels stored next to it. Without these,
 * compute the levels that the sampler requires. */
static facet_status make(project *p, const char *name, const facet_source *picture,
                         facet_bti_header *header, uint32_t *index)
{
    facet_source levels[MAX_LEVELS];
    facet_j3d_made_texture how = {
        .name = name, .picture = *picture, .header = header, .levels = levels};
    facet_status status = FACET_OK;
    while (how.level_count < MAX_LEVELS && !status) {
        char ending[16];
        snprintf(ending, sizeof ending, "_mip%" PRIu32, how.level_count + 1);
        status = find_picture(p, name, ending, &levels[how.level_count]);
        if (status || !levels[how.level_count].name)
            break;
        how.level_count++;
    }
    if (how.level_count == 0 && header->min_filter >= FIRST_MIP_FILTER && header->max_lod > 0)
        header->level_count = (uint8_t)((header->max_lod + 7) / 8 + 1);
    if (!status)
        status = blame(p, picture->name,
                       facet_j3d_make_texture(p->document, &how, p->options, index, p->error));
    for (uint32_t i = 0; i < how.level_count; i++)
        facet_source_close(&levels[i]);
    return status;
}

/* Add a texture with a new header for an earlier one's texels. */
static facet_status share(const project *p, const char *name, uint32_t from,
                          const facet_bti_header *header, uint32_t *index)
{
    const facet_j3d_made_texture place = {.name = name};
    TRY(facet_j3d_make_texture(p->document, &place, p->options, index, p->error));
    const facet_j3d_texture *known = &p->document->textures.items[from];
    facet_bti_header h = *header;
    h.width = known->header.width;
    h.height = known->header.height;
    h.has_palette = known->header.has_palette;
    h.palette_format = known->header.palette_format;
    h.palette_count = known->header.palette_count;
    h.level_count = known->header.level_count;
    p->document->textures.items[*index] =
        (facet_j3d_texture){.header = h, .image = known->image, .palette = known->palette};
    return FACET_OK;
}

static bool has_texels_of(const project *p, uint32_t texture, const facet_bti_header *header)
{
    const facet_bti_header *known = &p->document->textures.items[texture].header;
    return header->format == known->format &&
           (!known->has_palette || header->palette_format == NO_FORMAT ||
            header->palette_format == known->palette_format);
}

/* Set *index to the texture of an entry, which can be new. `made` lists the earlier ones. */
static facet_status make_entry(project *p, size_t entry, const uint32_t *made, bool keep,
                               uint32_t *index)
{
    const char *name = facet_j3d_preset_name(p->list, entry);
    uint32_t before = 0, first = FACET_NONE;
    facet_bti_header header;
    facet_source picture;
    for (size_t k = 0; k < entry; k++) {
        if (strcmp(facet_j3d_preset_name(p->list, k), name) != 0)
            continue;
        first = before++ == 0 ? made[k] : first;
    }
    const char *numbered = facet_arena_format(p->scratch, "%s:%" PRIu32, name, before);
    if (!numbered)
        return facet_fail_arena(p->scratch, p->error);
    *index = facet_j3d_json_find(&p->document->textures.names, before ? numbered : name);
    if (keep && *index < p->document->textures.count)
        return FACET_OK;
    facet_status status = read_header(p, entry, &header);
    if (!status)
        status = find_picture(p, name, "", &picture);
    if (status)
        return status;
    if (picture.name && first < p->document->textures.count && has_texels_of(p, first, &header))
        status = share(p, name, first, &header, index);
    else if (picture.name)
        status = make(p, name, &picture, &header, index);
    facet_source_close(&picture);
    return status;
}

static facet_status order(const project *p, const uint32_t *made, uint32_t **moved)
{
    facet_j3d_textures *t = &p->document->textures;
    facet_j3d_texture *items = facet_arena_allocate(p->document->arena, t->count, sizeof *items);
    facet_j3d_name *names = facet_arena_allocate(p->document->arena, t->count, sizeof *names);
    uint32_t *place = facet_arena_allocate(p->scratch, t->count, sizeof *place), count = 0;
    if (!items || !names || !place)
        return facet_fail_arena(p->scratch, p->error);
    for (uint32_t i = 0; i < t->count; i++)
        place[i] = FACET_NONE;
    for (size_t k = 0; k < facet_json_array_size(p->list); k++) {
        if (made[k] < t->count && place[made[k]] == FACET_NONE)
            place[made[k]] = count++;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        if (place[i] == FACET_NONE)
            place[i] = count++;
        items[place[i]] = t->items[i];
        names[place[i]] = t->names.items[i];
    }
    t->items = items;
    t->names.items = names;
    *moved = place;
    return FACET_OK;
}

/* -- textures.json ------------------------------------------------------ */

/* Find the file that 'extract' wrote for a texture: "eye.bti", or "eye-1.bti" for "eye:1". *bare is
 * the texture's own name. */
static facet_status find_extracted(const project *p, const char *name, const char **bare,
                                   facet_source *found)
{
    const facet_j3d_options *j3d = p->options->j3d;
    const facet_source *const places[] = {j3d->texture_folder, j3d->textures_file};
    const char *colon = strrchr(name, ':');
    bool numbered = colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
    memset(found, 0, sizeof *found);
    *bare = facet_arena_string(p->scratch, name, numbered ? (size_t)(colon - name) : strlen(name));
    const char *file = !*bare ? NULL
                              : facet_arena_format(p->scratch, "%s%s%s.bti", *bare,
                                                   numbered ? "-" : "", numbered ? colon + 1 : "");
    if (!file)
        return facet_fail_arena(p->scratch, p->error);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        facet_error why;
        if (places[i] && !facet_source_open_sibling(places[i], file, found, &why)) {
            found->name = file;
            return FACET_OK;
        }
        memset(found, 0, sizeof *found);
    }
    return FACET_OK;
}

/* Restore a texture that other programs dropped because no material shows it. */
static facet_status make_extracted(const project *p, const char *name, uint32_t *index)
{
    const facet_j3d_names *names = &p->document->textures.names;
    const char *bare;
    facet_source file;
    *index = facet_j3d_json_find(names, name);
    if (*index != FACET_NONE)
        return FACET_OK;
    facet_status status = find_extracted(p, name, &bare, &file);
    if (status || !file.name)
        return status;
    const facet_j3d_made_texture how = {.name = bare, .picture = file};
    status =
        blame(p, file.name, facet_j3d_make_texture(p->document, &how, p->options, index, p->error));
    facet_source_close(&file);
    return status;
}

static facet_status make_own(project *p, uint32_t *made)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < facet_json_array_size(p->list) && !status; i++) {
        const facet_json *name = facet_json_object_get(facet_json_array_get(p->list, i), "name");
        made[i] = FACET_NONE;
        if (facet_json_is_string(name))
            status = make_extracted(p, facet_json_string_value(name), &made[i]);
    }
    return status;
}

facet_status facet_j3d_make_listed_textures(facet_j3d *document, const facet_options *options,
                                            facet_arena *scratch, uint32_t **moved,
                                            facet_error *error)
{
    const facet_j3d_options *j3d = options ? options->j3d : NULL;
    facet_json_fault fault;
    project p = {.document = document, .options = options, .scratch = scratch, .error = error};
    if (moved)
        *moved = NULL;
    if (!j3d || !j3d->textures || (!j3d->texture_folder && !j3d->textures_file))
        return FACET_OK;
    facet_json *root =
        facet_json_read(j3d->textures, strlen(j3d->textures), FACET_JSON_UNIQUE_KEYS, &fault);
    if (!root && fault.memory)
        return facet_fail_memory(error, strlen(j3d->textures));
    bool is_superbmd = facet_json_is_array(root);
    p.list = is_superbmd ? root : facet_json_object_get(root, "textures");
    size_t count = facet_json_array_size(p.list);
    uint32_t before = document->textures.count;
    uint32_t *made = facet_arena_allocate(scratch, count, sizeof *made);
    facet_status status = made ? FACET_OK : facet_fail_arena(scratch, error);
    if (!status && !is_superbmd)
        status = make_own(&p, made);
    for (size_t i = 0; i < count && !status && is_superbmd; i++)
        status = make_entry(&p, i, made, !moved, &made[i]);
    bool any = is_superbmd || document->textures.count > before;
    if (!status && moved && any && count > 0 &&
        document->textures.names.count == document->textures.count)
        status = order(&p, made, moved);
    facet_json_free(root);
    return status;
}

/* -- materials.json ----------------------------------------------------- */

/* "tex:0" is "tex"; only the list of textures makes "tex:1". */
static const char *bare_name(const project *p, const char *name)
{
    size_t length = strlen(name);
    if (length > 2 && strcmp(name + length - 2, ":0") == 0)
        return facet_arena_string(p->scratch, name, length - 2);
    return name;
}

static facet_status make_textures_of(project *p, size_t entry)
{
    const facet_json *names =
        facet_json_object_get(facet_json_array_get(p->list, entry), "TextureNames");
    facet_status status = FACET_OK;
    for (size_t i = 0; i < facet_json_array_size(names) && !status; i++) {
        const facet_json *json = facet_json_array_get(names, i);
        const char *name = facet_json_is_string(json) ? facet_json_string_value(json) : "";
        facet_source picture;
        uint32_t index = FACET_NONE;
        if (!*name || facet_j3d_json_find(&p->document->textures.names, name) != FACET_NONE)
            continue;
        name = bare_name(p, name);
        if (!name)
            return facet_fail_arena(p->scratch, p->error);
        status = find_picture(p, name, "", &picture);
        if (!status && picture.name) {
            const facet_j3d_made_texture how = {.name = name, .picture = picture};
            status = blame(p, picture.name,
                           facet_j3d_make_texture(p->document, &how, p->options, &index, p->error));
            facet_source_close(&picture);
        }
    }
    return status;
}

static facet_status make_textures_of_list(project *p, const char *text, size_t size)
{
    const facet_j3d_names *names = &p->document->materials.names;
    const uint32_t *before = facet_j3d_json_occurrences(names, p->scratch);
    facet_json_fault fault;
    p->list = facet_json_read(text, size, FACET_JSON_UNIQUE_KEYS, &fault);
    facet_status status = before ? FACET_OK : facet_fail_arena(p->scratch, p->error);
    if (!p->list && fault.memory)
        status = facet_fail_memory(p->error, size);
    size_t count = facet_json_is_array(p->list) ? facet_json_array_size(p->list) : 0;
    bool *done = facet_arena_allocate_zeroed(p->scratch, count, sizeof *done);
    if (!done)
        status = facet_fail_arena(p->scratch, p->error);
    for (uint32_t i = 0; i < names->count && !status && count > 0; i++) {
        char name[512];
        facet_j3d_name_text(names->items[i].bytes, name, sizeof name);
        size_t entry = facet_j3d_preset_of(p->list, name, before[i]);
        if (entry == SIZE_MAX)
            entry = facet_j3d_preset_default(p->list, name);
        if (entry != SIZE_MAX && !done[entry])
            status = make_textures_of(p, entry);
        if (entry != SIZE_MAX)
            done[entry] = true;
    }
    facet_json_free(p->list);
    return status;
}

facet_status facet_j3d_make_preset_textures(facet_j3d *document, const facet_options *options,
                                            facet_error *error)
{
    const facet_j3d_options *j3d = options ? options->j3d : NULL;
    project p = {.document = document, .options = options, .error = error};
    if (!j3d || (!j3d->texture_folder && !j3d->textures_file && !j3d->materials_file) ||
        (!facet_j3d_is_superbmd_list(j3d->materials) && j3d->material_file_count == 0))
        return FACET_OK;
    facet_status status = facet_arena_create(options, &p.scratch, error);
    if (!status && facet_j3d_is_superbmd_list(j3d->materials))
        status = make_textures_of_list(&p, j3d->materials, strlen(j3d->materials));
    for (uint32_t i = 0; i < j3d->material_file_count && !status; i++)
        status = make_textures_of_list(&p, (const char *)j3d->material_files[i].data,
                                       j3d->material_files[i].size);
    facet_arena_free(p.scratch);
    return status;
}
