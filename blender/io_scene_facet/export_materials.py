"""Convert materials of Blender to materials of the library: from the node group of an import, or
from the nodes of the output (shading.py)."""

import ctypes
import json

import bpy
import numpy as np

from . import compat, library
from . import declarations as d
from .export_losses import paths_of
from .materials import place
from .names import is_foreign, kept_name, order_of
from .shading import GROUP, WRAP, Shading, feeder, of_facet

NONE = 2**32 - 1
ALPHA_MODES = "OPAQUE", "MASK", "BLEND"  # in the order of facet_alpha_mode


def find_image(socket):
    """The image node that feeds an input of the add-on's node group, directly or through other
    nodes. If there are several, prefer the node that the import created."""
    waiting, seen, found = [socket], set(), []
    while waiting:
        fed = feeder(waiting.pop(0))
        if fed is None or fed[0] is None or fed[0].node.name in seen:
            continue
        node = fed[0].node
        seen.add(node.name)
        if node.bl_idname == "ShaderNodeTexImage":
            found += [node] if node.image is not None else []
        else:
            waiting += list(node.inputs)
    return next((one for one in found if one.name == "Texture"), found[0] if found else None)


def coordinates_of(node, scope):
    """The nodes before an image node: (Facet Wrap or None, Mapping or None, source of the
    coordinates)."""
    wrap = mapping = None
    fed = feeder(node.inputs["Vector"], scope)
    if fed and fed[0] is not None and of_facet(fed[0].node) == WRAP:
        wrap = fed[0].node
        fed = feeder(wrap.inputs["UV"], fed[2])
    if fed and fed[0] is not None and fed[0].node.bl_idname == "ShaderNodeMapping":
        mapping = fed[0].node
        fed = feeder(mapping.inputs["Vector"], fed[2])
    return wrap, mapping, fed


def to_srgb(values):
    """The sRGB transfer function of IEC 61966-2-1."""
    return np.where(values <= 0.0031308, 12.92 * values,
                    1.055 * np.maximum(values, 0.0031308) ** (1 / 2.4) - 0.055)


def to_linear(values):
    return np.where(values <= 0.04045, values / 12.92,
                    ((np.maximum(values, 0.04045) + 0.055) / 1.055) ** 2.4)


def layers_of(mesh):
    """The names of a mesh's UV layers, and the name of the layer that Blender renders."""
    names = tuple(one.name for one in mesh.uv_layers)
    return names, next((one.name for one in mesh.uv_layers if one.active_render), "")


class Materials:
    """Materials and images of the scene that is written. Each is added once. Keys are datablocks:
    those of a linked library may have the same names."""

    def __init__(self, saved, say, has_looks, own=""):
        self.saved, self.say, self.has_looks, self.own = saved, say, has_looks, own
        self.numbers, self.images, self.users = {}, {}, {}
        self.added = []
        self.attributes = {}  # by material: names of the attributes of color and alpha, or None

    def number(self, material):
        if material is None:
            return NONE
        if material not in self.numbers:
            self.numbers[material] = len(self.numbers)
            self.added.append(material)
            self._add(material)
        return self.numbers[material]

    def add_all(self, uses):
        """Add materials in the order of the file, then new ones. `uses` are pairs (material,
        mesh)."""
        for material, mesh in uses:
            self.users.setdefault(material, set()).add(layers_of(mesh))
        materials = {material for material, _ in uses}
        for one in sorted(materials, key=lambda one: (order_of(one, self.own), one.name_full)):
            self.number(one)

    # -- One material

    def _add(self, material):
        saved, made = self.saved, ctypes.POINTER(d.facet_material)()
        saved.check(saved.library.facet_scene_add_material(
            saved.scene, kept_name(material).encode(), made, saved.error))
        made = made.contents
        made.double_sided = not material.use_backface_culling
        if material.get("facet_extras"):
            made.extras = saved.string(material["facet_extras"])
        shading, self.attributes[material] = Shading(material), None
        node, scope = shading.surface() if material.use_nodes and material.node_tree else (None, None)
        if node is not None and of_facet(node) == GROUP:
            self._take_group(made, node, shading)
            if not material.get("facet_extras"):  # otherwise these state the use of colors
                self.attributes[material] = tuple(
                    shading.color(node.inputs[name], scope).attribute
                    for name in ("Vertex Color", "Vertex Alpha"))
        elif node is not None:
            look = shading.look(node, scope)
            self._take_look(made, look, material, shading)
            self.attributes[material] = look.color.attribute, look.alpha.attribute
        elif material.use_nodes or material.get("facet_name") is None:
            made.base_color[:] = list(material.diffuse_color)
            made.metallic = 0
        else:  # the file contains only a name
            made.metallic, made.sides_unknown = 0, True
        for what in shading.left_out if self.has_looks else ():
            self.say("WARNING", f"{material.name}: {what} is left out")

    def _take_group(self, made, group, shading):
        of = group.inputs
        made.base_color[:] = [*of["Color"].default_value[:3], of["Alpha"].default_value]
        made.unlit = of["Lit"].default_value < 0.5
        made.alpha_cutoff = of["Cut Off"].default_value
        made.alpha_mode = d.FACET_ALPHA_BLEND if of["Blend"].default_value > 0.5 else \
            d.FACET_ALPHA_MASK if of["Cut Out"].default_value > 0.5 else d.FACET_ALPHA_OPAQUE
        made.metallic, made.roughness = 0, 1
        shown = self._at_rest(shading.material, group)
        if shown:
            made.base_color[:] = shown["baseColor"]
            made.alpha_mode = ALPHA_MODES.index(shown["alpha"])
        node = find_image(of["Texture"])
        self._take_texture(made, d.FACET_MAP_DIFFUSE, node and (node, None), shading)

    @staticmethod
    def _at_rest(material, node):
        """The values of the file, if an action moves an input of a node; else {}. A model stores the
        values at rest, and not those of the current frame."""
        moved = paths_of(material.node_tree.animation_data)
        if not any(path.startswith(f'nodes["{node.name}"]') for path in moved):
            return {}
        try:
            return json.loads(material.get("facet_extras", "{}"))["j3d"]["shown"]
        except (ValueError, KeyError, TypeError):
            return {}

    def _take_look(self, made, look, material, shading):
        made.base_color[:] = [*look.color.factor, look.alpha.number]
        made.metallic, made.roughness, made.unlit = look.metallic, look.roughness, look.unlit
        if any(look.emission.factor):
            made.emissive[:] = look.emission.factor
            self._take_texture(made, d.FACET_MAP_EMISSIVE, look.emission.image, shading)
        self._take_texture(made, d.FACET_MAP_DIFFUSE, look.color.image, shading)
        mode, cutoff = compat.alpha_of(material)
        is_seen_through = look.alpha.varies or look.alpha.number < 1
        for value, name, is_alpha in ((look.color, "color", False), (look.alpha, "alpha", True)):
            if value.attribute is not None and value.is_alpha != is_alpha and not value.image:
                shading.note(f"that the {name} is from the other part of a color attribute")
        if mode == "CLIP":
            made.alpha_mode, made.alpha_cutoff = d.FACET_ALPHA_MASK, cutoff
        elif mode == "BLEND" and is_seen_through:
            made.alpha_mode = d.FACET_ALPHA_BLEND
        if look.alpha.image is None or made.alpha_mode == d.FACET_ALPHA_OPAQUE:
            return
        mask, color = look.alpha.image[0], look.color.image
        if not look.alpha.is_alpha or color is None or color[0].image != mask.image:
            self._take_texture(made, d.FACET_MAP_OPACITY, look.alpha.image, shading,
                               look.alpha.is_alpha)

    # -- Textures

    def _take_texture(self, made, which, found, shading, is_alpha=False):
        """Set a map of a material from an image node and its scope."""
        if found is None:
            return
        node, scope = found
        is_number = which == d.FACET_MAP_OPACITY and not is_alpha
        image = self._image(node.image, is_number, shading)
        if image is None:
            return
        if node.projection != "FLAT":
            shading.note(f"the projection {node.projection.title()} of the node {node.name}")
        if node.extension == "CLIP":
            shading.note(f"that the node {node.name} shows nothing outside of the image")
        saved, added = self.saved, ctypes.POINTER(d.facet_texture)()
        saved.check(saved.library.facet_scene_add_map(saved.scene, made, which, added,
                                                      saved.error))
        texture = added.contents
        texture.has_image, texture.image = True, image
        texture.magnify = d.FACET_FILTER_NEAREST if node.interpolation == "Closest" \
            else d.FACET_FILTER_DEFAULT
        clamped = node.extension in ("EXTEND", "CLIP")
        texture.wrap_u = texture.wrap_v = \
            d.FACET_WRAP_CLAMP if clamped else \
            d.FACET_WRAP_MIRROR if node.extension == "MIRROR" else d.FACET_WRAP_REPEAT
        wrap, mapping, fed = coordinates_of(node, scope)
        if wrap:
            texture.wrap_u = int(round(wrap.inputs["Wrap U"].default_value))
            texture.wrap_v = int(round(wrap.inputs["Wrap V"].default_value))
        if mapping:
            self._take_mapping(texture, mapping, shading)
        texture.uv_set = self._uv_set(fed, shading)

    def _take_mapping(self, texture, node, shading):
        where, turned, size = (list(node.inputs[name].default_value) if name in node.inputs
                               else [0, 0, 0] for name in ("Location", "Rotation", "Scale"))
        if any(abs(one) > 1e-6 for one in turned[:2]) or node.vector_type != "POINT" or \
                any(node.inputs[name].is_linked for name in ("Location", "Rotation", "Scale")
                    if name in node.inputs):
            shading.note(f"a part of the node {node.name}")
        if node.vector_type != "POINT":
            return
        shown = self._at_rest(shading.material, node)
        if shown:
            where, turned[2], size = place(shown.get("offset", (0, 0)), shown.get("rotation", 0),
                                           shown.get("scale", (1, 1)), True)
            where, size = list(where), list(size)
        if where[:2] != [0, 0] or turned[2] or size[:2] != [1, 1]:
            texture.has_transform = True
            texture.offset[:], texture.rotation = where[:2], -turned[2]
            texture.scale[:] = size[:2]

    def _uv_set(self, fed, shading):
        """Index of the UV layer that a node names, or of the layer that Blender renders."""
        name = ""
        if fed and fed[0] is not None:
            node = fed[0].node
            if node.bl_idname in ("ShaderNodeUVMap", "ShaderNodeAttribute"):
                name = node.uv_map if node.bl_idname == "ShaderNodeUVMap" else node.attribute_name
            elif node.bl_idname != "ShaderNodeTexCoord" or fed[0].name != "UV":
                shading.note(f"the node {node.name}, which is no layer of texture coordinates")
        found = {names.index(name or rendered) for names, rendered
                 in self.users.get(shading.material, ()) if (name or rendered) in names}
        if len(found) > 1:
            shading.note(f"that '{name}' is another layer of some meshes")
        if found:
            return min(found)
        return int(name[5:]) if name.startswith("UVMap") and name[5:].isdigit() else 0

    # -- Images

    def add_images_of_file(self):
        """Add all images of the imported file in its order, because images of one name are matched
        in their order."""
        found = [one for one in bpy.data.images if one.get("facet_index") is not None
                 and not is_foreign(one, self.own)]
        self.of_file = {}
        for one in sorted(found, key=lambda one: one["facet_index"]):
            self.of_file.setdefault(one["facet_index"], self._image(one, False, Shading(None)))

    def image_of_file(self, number):
        """The index, in the scene that is written, of the image with a number of the imported
        file."""
        found = self.of_file.get(number)
        if found is None:
            raise library.FacetError(f"{self.saved.path}: Texture Choice {number} is the number of no "
                                     f"image of the model (valid: 0-{max(self.of_file, default=0)})")
        return found

    def _image(self, image, is_number, shading):
        """Index of an image in the scene. `is_number`: its colors are values, not sRGB."""
        if image.source == "TILED" and len(image.tiles) > 1:
            shading.note(f"every tile of the image {image.name} except the first")
        space = image.colorspace_settings
        is_linear = space.is_data or space.name.startswith("Linear")
        if not is_linear and space.name != "sRGB":
            shading.note(f"the color space {space.name} of the image {image.name}")
            is_linear = is_number
        change = None if image.is_float or is_linear == is_number else \
            to_srgb if is_linear else to_linear
        if (image, change) in self.images:
            return self.images[image, change]
        width, height = image.size
        if not width or not height:
            self.say("WARNING", f"the image {image.name} has no pixels and is left out")
            return None
        saved, made = self.saved, ctypes.POINTER(d.facet_image)()
        saved.check(saved.library.facet_scene_add_image(saved.scene, kept_name(image).encode(),
                                                        made, saved.error))
        made = made.contents
        flat = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(flat)
        rows = flat.reshape(height, width, 4)[::-1]
        if change:
            rows[..., :3] = change(rows[..., :3])
        if image.alpha_mode == "NONE":
            rows[..., 3] = 1
        made.width, made.height, made.channels = width, height, 4
        made.is_float = bool(image.is_float)
        if not image.is_float:
            rows = np.clip(np.rint(rows * 255), 0, 255).astype(np.uint8)
        kind = ctypes.c_float if image.is_float else ctypes.c_uint8
        made.pixels = ctypes.cast(saved.keep(rows, kind), ctypes.c_void_p)
        if image.get("facet_extras"):
            made.extras = saved.string(image["facet_extras"])
        self.images[image, change] = len(self.images)
        return self.images[image, change]
