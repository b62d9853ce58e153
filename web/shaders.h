/* shaders.h - functions that describe console materials as JSON. */
#ifndef FACET_WEB_SHADERS_H
#define FACET_WEB_SHADERS_H

#include "base/json.h"

#include <facet/gx_material.h>
#include <facet/scene.h>

/* A scene with the materials and images of {"materials": [{"name", "extras"}], "images": [...]}.
 * The extras of console materials contain their state. NULL if out of memory. */
facet_scene *facet_web_read_materials(const facet_json *root);

/* The source text of a shader. NULL if out of memory. */
facet_json *facet_web_shader(const facet_gx_material *material, bool vertex);
/* A texture map with its sampler; JSON null if the map is not used. */
facet_json *facet_web_map(const facet_gx_material *material, int map);

#endif
