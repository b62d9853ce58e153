/* gx/json/texture.c - texture headers as JSON, in both directions. */
#include "gx/json/texture.h"

#include "base/arena.h"
#include "base/error.h"
#include "gx/json/tables.h"
#include "gx/json/text.h"

#include <string.h>

/* -- To JSON ------------------------------------------------------------ */

facet_json *facet_gx_json_texture(facet_json *name, const facet_bti_header *header)
{
    static const facet_bti_header standard = {0};
    facet_gx_json_context context = {0};
    return facet_gx_json_with_name(
        name, facet_gx_json_encode(&context, &facet_gx_json_header, header, &standard));
}

const char *facet_gx_textures_file(facet_json *list, facet_arena *arena)
{
    facet_json *file = facet_gx_json_file("facet-j3d-textures");
    bool ok = facet_gx_json_put(file, "textures", list);
    return facet_gx_json_file_text(facet_gx_json_if(ok, file), arena);
}

/* -- From JSON ---------------------------------------------------------- */

static facet_status texture_state(facet_gx_json_context *context, const facet_json *object,
                                  size_t number, facet_arena *arena, facet_gx_file_texture *state)
{
    static const char *const keys[] = {"name", "index", NULL};
    facet_gx_json_path list = {NULL, "textures", 0}, place = {&list, NULL, number};
    const char *name = facet_json_string_value(facet_json_object_get(object, "name"));
    double index = facet_json_number_value(facet_json_object_get(object, "index"));
    memset(state, 0, sizeof *state);
    TRY(facet_gx_json_decode(context, &place, &facet_gx_json_header, object, keys, &state->header));
    if (!name)
        return facet_gx_json_fail(context, &place, "the name is missing");
    state->index = index >= 0 && index < 65536 ? (uint32_t)index : 0;
    state->has_header = true;
    state->name = facet_arena_string(arena, name, strlen(name));
    return state->name ? FACET_OK : facet_fail_arena(arena, context->error);
}

facet_status facet_gx_textures_from_extras(const facet_json *extras, facet_arena *arena,
                                           facet_gx_file_texture **textures, uint32_t *count,
                                           facet_error *error)
{
    const facet_json *list = facet_gx_json_in_extras(extras, "textures");
    facet_gx_json_context context = facet_gx_json_extras_context(error);
    size_t length = facet_json_array_size(list);
    facet_gx_file_texture *states =
        length < UINT16_MAX ? facet_arena_allocate(arena, length, sizeof *states) : NULL;
    facet_status status = states ? FACET_OK : facet_fail_arena(arena, error);
    for (size_t i = 0; i < length && !status; i++)
        status = texture_state(&context, facet_json_array_get(list, i), i, arena, &states[i]);
    if (!status) {
        *textures = states;
        *count = (uint32_t)length;
    }
    return status;
}
