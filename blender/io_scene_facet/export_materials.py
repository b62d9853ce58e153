"""From materials of Blender to materials of the library: what the node group of an import says, or
a Principled BSDF, and the first image behind its color."""

import ctypes

import numpy as np

from . import declarations as d
from .materials import GROUP
from .names import kept_name

NONE = 2**32 - 1


def source_of(socket):
    return socket.links[0].from_node if socket is not None and socket.is_linked else None


def find_image(socket):
    """The image node behind a socket, through what stands between; an import's own, when there
    are several."""
    waiting, seen, found = [source_of(socket)], set(), []
    while waiting:
        node = waiting.pop(0)
        if node is None or node.name in seen:
            continue
        seen.add(node.name)
        if node.bl_idname == "ShaderNodeTexImage":
            found += [node] if node.image is not None else []
        else:
            waiting += [source_of(one) for one in node.inputs]
    return next((one for one in found if one.name == "Texture"), found[0] if found else None)


class Materials:
    """Materials and images of a scene that is filled; each once."""

    def __init__(self, saved, say):
        self.saved, self.say = saved, say
        self.numbers, self.images = {}, {}

    def number(self, material):
        if material is None:
            return NONE
        if material.name not in self.numbers:
            self.numbers[material.name] = len(self.numbers)
            self._add(material)
        return self.numbers[material.name]

    def add_all(self, materials):
        """In the order that they had in the file, new ones behind them."""
        for one in sorted(materials, key=lambda one: (one.get("facet_index", 2**31), one.name)):
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
        nodes = material.node_tree.nodes if material.use_nodes and material.node_tree else []
        group = next((one for one in nodes if one.bl_idname == "ShaderNodeGroup"
                      and one.node_tree and one.node_tree.name.split(".")[0] == GROUP), None)
        principled = next((one for one in nodes if one.bl_idname == "ShaderNodeBsdfPrincipled"), None)
        if group:
            self._take_group(made, group)
        elif principled:
            self._take_principled(made, principled, material)
        elif material.get("facet_name") is None:
            made.base_color[:] = list(material.diffuse_color)
            made.metallic = 0
        else:  # only a name in the file
            made.metallic, made.sides_unknown = 0, True

    def _take_group(self, made, group):
        of = group.inputs
        made.base_color[:] = [*of["Color"].default_value[:3], of["Alpha"].default_value]
        made.unlit = of["Lit"].default_value < 0.5
        made.alpha_cutoff = of["Cut Off"].default_value
        made.alpha_mode = d.FACET_ALPHA_BLEND if of["Blend"].default_value > 0.5 else \
            d.FACET_ALPHA_MASK if of["Cut Out"].default_value > 0.5 else d.FACET_ALPHA_OPAQUE
        made.metallic, made.roughness = 0, 1
        self._take_texture(made, find_image(of["Texture"]))

    def _take_principled(self, made, node, material):
        of = node.inputs
        color = [1, 1, 1] if of["Base Color"].is_linked else list(of["Base Color"].default_value)[:3]
        alpha = 1 if of["Alpha"].is_linked else of["Alpha"].default_value
        made.base_color[:] = [*color, alpha]
        made.roughness, made.metallic = of["Roughness"].default_value, of["Metallic"].default_value
        mode = getattr(material, "blend_method", "OPAQUE")
        if mode == "CLIP":
            made.alpha_mode, made.alpha_cutoff = d.FACET_ALPHA_MASK, material.alpha_threshold
        elif mode in ("BLEND", "HASHED") and (of["Alpha"].is_linked or alpha < 1):
            made.alpha_mode = d.FACET_ALPHA_BLEND
        self._take_texture(made, find_image(of["Base Color"]))

    def _take_texture(self, made, node):
        if node is None:
            return
        image = self._image(node.image)
        if image is None:
            return
        texture = made.maps[d.FACET_MAP_DIFFUSE]
        texture.path, texture.has_image, texture.image = self.saved.string(""), True, image
        texture.magnify = d.FACET_FILTER_NEAREST if node.interpolation == "Closest" \
            else d.FACET_FILTER_DEFAULT
        clamped = node.extension in ("EXTEND", "CLIP")
        texture.wrap_u = texture.wrap_v = \
            d.FACET_WRAP_CLAMP if clamped else \
            d.FACET_WRAP_MIRROR if node.extension == "MIRROR" else d.FACET_WRAP_REPEAT
        behind = source_of(node.inputs["Vector"])
        if behind is not None and behind.bl_idname == "ShaderNodeGroup" and \
                "Wrap U" in behind.inputs:
            texture.wrap_u = int(round(behind.inputs["Wrap U"].default_value))
            texture.wrap_v = int(round(behind.inputs["Wrap V"].default_value))
            behind = source_of(behind.inputs["UV"])
        if behind is not None and behind.bl_idname == "ShaderNodeMapping":
            where = list(behind.inputs["Location"].default_value)
            angle = behind.inputs["Rotation"].default_value[2]
            size = list(behind.inputs["Scale"].default_value)
            if where[:2] != [0, 0] or angle or size[:2] != [1, 1]:
                texture.has_transform = True
                texture.offset[:], texture.rotation = where[:2], -angle
                texture.scale[:] = size[:2]
            behind = source_of(behind.inputs["Vector"])
        if behind is not None and behind.bl_idname == "ShaderNodeUVMap" and \
                behind.uv_map.startswith("UVMap") and behind.uv_map[5:].isdigit():
            texture.uv_set = int(behind.uv_map[5:])

    # -- Images

    def _image(self, image):
        if image.name in self.images:
            return self.images[image.name]
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
        made.width, made.height, made.channels = width, height, 4
        made.is_float = bool(image.is_float)
        if not image.is_float:
            rows = np.clip(np.rint(rows * 255), 0, 255).astype(np.uint8)
        kind = ctypes.c_float if image.is_float else ctypes.c_uint8
        made.pixels = ctypes.cast(saved.keep(rows, kind), ctypes.c_void_p)
        if image.get("facet_extras"):
            made.extras = saved.string(image["facet_extras"])
        self.images[image.name] = len(self.images)
        return self.images[image.name]
