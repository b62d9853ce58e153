"""Convert materials of a scene to materials of Blender.

Unlit materials and materials with extras, such as those of a GameCube, use a node group "Facet
Material". Its inputs are the properties that can be edited. The whole state of a GameCube material
is in the custom property facet_extras.
"""

import bpy
import numpy as np

from . import compat, library
from . import declarations as d
from .names import text
from .shading import GROUP, WRAP

CHOICE = "Texture Choice"  # the name of the node that selects an image
MODES = {d.FACET_ALPHA_OPAQUE: "OPAQUE", d.FACET_ALPHA_MASK: "CLIP", d.FACET_ALPHA_BLEND: "BLEND"}


# -- Images ------------------------------------------------------------------

def build_image(found):
    """Create an image that is packed into the .blend."""
    name = text(found.name) or "image"
    if found.pixels:
        width, height = found.width, found.height
        dtype = np.float32 if found.is_float else np.uint8
        rows = library.array(found.pixels, width * height, found.channels, dtype)
        made = bpy.data.images.new(name, width, height, alpha=found.channels in (2, 4),
                                   float_buffer=bool(found.is_float))
        pixels = np.ones((height, width, 4), np.float32)
        values = rows.reshape(height, width, -1)[::-1].astype(np.float32)
        if not found.is_float:
            values /= 255
        colors = values.shape[2] - (values.shape[2] in (2, 4))
        pixels[..., :3] = values[..., :colors] if colors == 3 else values[..., :1]
        if values.shape[2] in (2, 4):
            pixels[..., 3] = values[..., -1]
        made.alpha_mode = "CHANNEL_PACKED"
        made.pixels.foreach_set(pixels.reshape(-1))
        made.pack()
    elif found.data:
        data = bytes(library.array(found.data, found.size, 1, np.uint8))
        made = bpy.data.images.new(name, 1, 1)
        made.pack(data=data, data_len=len(data))
        made.source = "FILE"
    else:
        return None
    made["facet_name"] = text(found.name)
    if found.extras:
        made["facet_extras"] = text(found.extras)
    return made


# -- Node groups ---------------------------------------------------------------

def _group(name):
    tree = bpy.data.node_groups.new(name, "ShaderNodeTree")
    return tree, tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")


def arithmetic(tree, operation, *inputs, kind="ShaderNodeMath"):
    """Add an arithmetic node. Inputs are sockets or numbers. Returns its output."""
    node = tree.nodes.new(kind)
    node.operation = operation
    for socket, given in zip(node.inputs, inputs):
        if isinstance(given, bpy.types.NodeSocket):
            tree.links.new(given, socket)
        else:
            socket.default_value = given
    return node.outputs[0]


def material_group():
    """The node group of materials. It multiplies color and alpha of texture, vertices and material.
    Alpha is blended, cut off or ignored. The surface is lit or unlit."""
    if GROUP in bpy.data.node_groups:
        return bpy.data.node_groups[GROUP]
    tree, inputs, outputs = _group(GROUP)
    white = (1, 1, 1, 1)
    compat.group_sockets(tree, [
        ("NodeSocketColor", "Texture", white), ("NodeSocketFloat", "Texture Alpha", 1),
        ("NodeSocketColor", "Vertex Color", white), ("NodeSocketFloat", "Vertex Alpha", 1),
        ("NodeSocketColor", "Color", white), ("NodeSocketFloat", "Alpha", 1),
        ("NodeSocketFloat", "Lit", 1), ("NodeSocketFloat", "Blend", 0),
        ("NodeSocketFloat", "Cut Out", 0), ("NodeSocketFloat", "Cut Off", 0.5)],
        [("NodeSocketShader", "Shader")])
    of = inputs.outputs
    color = arithmetic(tree, "MULTIPLY", of["Texture"], of["Vertex Color"], kind="ShaderNodeVectorMath")
    color = arithmetic(tree, "MULTIPLY", color, of["Color"], kind="ShaderNodeVectorMath")
    alpha = arithmetic(tree, "MULTIPLY", of["Texture Alpha"], of["Vertex Alpha"])
    alpha = arithmetic(tree, "MULTIPLY", alpha, of["Alpha"])
    is_below = arithmetic(tree, "LESS_THAN", alpha, of["Cut Off"])
    # Opacity: 1 if opaque, alpha if blended, 0 or 1 if cut off.
    seen = arithmetic(tree, "MULTIPLY", arithmetic(tree, "SUBTRACT", 1.0, alpha), of["Blend"])
    cut = arithmetic(tree, "MULTIPLY", is_below, of["Cut Out"])
    seen = arithmetic(tree, "SUBTRACT", arithmetic(tree, "SUBTRACT", 1.0, seen), cut)
    links, nodes = tree.links, tree.nodes
    unlit, lit = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeBsdfDiffuse")
    links.new(color, unlit.inputs["Color"])
    links.new(color, lit.inputs["Color"])
    light, whole = nodes.new("ShaderNodeMixShader"), nodes.new("ShaderNodeMixShader")
    links.new(of["Lit"], light.inputs[0])
    links.new(unlit.outputs[0], light.inputs[1])
    links.new(lit.outputs[0], light.inputs[2])
    links.new(seen, whole.inputs[0])
    links.new(nodes.new("ShaderNodeBsdfTransparent").outputs[0], whole.inputs[1])
    links.new(light.outputs[0], whole.inputs[2])
    links.new(whole.outputs[0], outputs.inputs[0])
    return tree


def wrap_group():
    """The node group that wraps texture coordinates, per axis: repeat (0), clamp (1), mirror
    (2)."""
    if WRAP in bpy.data.node_groups:
        return bpy.data.node_groups[WRAP]
    tree, inputs, outputs = _group(WRAP)
    compat.group_sockets(tree, [("NodeSocketVector", "UV", None), ("NodeSocketFloat", "Wrap U", 0),
                                ("NodeSocketFloat", "Wrap V", 0)], [("NodeSocketVector", "UV")])
    split, joined = tree.nodes.new("ShaderNodeSeparateXYZ"), tree.nodes.new("ShaderNodeCombineXYZ")
    tree.links.new(inputs.outputs["UV"], split.inputs[0])
    for axis, name in enumerate(("Wrap U", "Wrap V")):
        at = split.outputs[axis]
        stopped = arithmetic(tree, "MINIMUM", arithmetic(tree, "MAXIMUM", at, 0.0), 1.0)
        ways = (at, stopped, arithmetic(tree, "PINGPONG", at, 1.0))
        total = 0.0
        for number, way in enumerate(ways):
            is_it = arithmetic(tree, "COMPARE", inputs.outputs[name], float(number), 0.5)
            total = arithmetic(tree, "ADD", arithmetic(tree, "MULTIPLY", way, is_it), total)
        tree.links.new(total, joined.inputs[axis])
    tree.links.new(joined.outputs[0], outputs.inputs[0])
    return tree


# -- Materials -----------------------------------------------------------------

def place(offset, rotation, scale, flips_v):
    """Convert a texture transform to location, rotation and scale of a Mapping node. Its v
    increases upward. If the scene's v increases downward, convert v to 1 - v before and after."""
    sine, cosine = np.sin(rotation), np.cos(rotation)
    if flips_v:
        return (offset[0] + sine * scale[1], 1 - offset[1] - cosine * scale[1]), rotation, scale
    return offset, -rotation, scale


def add_texture(tree, found, images, turn, layer):
    """Add the nodes of a texture, and return its image node."""
    nodes, links = tree.nodes, tree.links
    texture = nodes.new("ShaderNodeTexImage")
    texture.name = texture.label = "Texture"
    texture.location = (-350, 200)
    if found.has_image and found.image < len(images):
        texture.image = images[found.image]
    texture.interpolation = "Closest" if found.magnify == d.FACET_FILTER_NEAREST else "Linear"
    coordinates = nodes.new("ShaderNodeUVMap")
    coordinates.uv_map = layer
    coordinates.location = (-1150, 0)
    at = coordinates.outputs[0]
    mapping = nodes.new("ShaderNodeMapping")
    mapping.name = "Mapping"
    mapping.location = (-900, 0)
    if found.has_transform:
        where, angle, size = place(list(found.offset), found.rotation, list(found.scale),
                                   turn.flips_v)
        mapping.inputs["Location"].default_value = (*where, 0)
        mapping.inputs["Rotation"].default_value = (0, 0, angle)
        mapping.inputs["Scale"].default_value = (*size, 1)
    links.new(at, mapping.inputs["Vector"])
    at = mapping.outputs[0]
    wraps = found.wrap_u, found.wrap_v
    if wraps == (d.FACET_WRAP_CLAMP, d.FACET_WRAP_CLAMP):
        texture.extension = "EXTEND"
    elif wraps != (d.FACET_WRAP_REPEAT, d.FACET_WRAP_REPEAT):
        group = nodes.new("ShaderNodeGroup")
        group.node_tree, group.name = wrap_group(), "Wrap"
        group.location = (-650, 0)
        group.inputs["Wrap U"].default_value, group.inputs["Wrap V"].default_value = wraps
        links.new(at, group.inputs["UV"])
        at = group.outputs[0]
    links.new(at, texture.inputs["Vector"])
    return texture


def add_choice(tree, images):
    """Let a Value node select one of several images, which are keyed by their numbers in the file.
    Adds an image node for each, except for those that the material already shows."""
    nodes, links = tree.nodes, tree.links
    group, first = nodes[GROUP], nodes["Texture"]
    choice = nodes.get(CHOICE)
    if choice is None:
        choice = nodes.new("ShaderNodeValue")
        choice.name = choice.label = CHOICE
        choice.location = (-350, 500)
        if first.image:
            choice.outputs[0].default_value = first.image.get("facet_index", 0)
    shown = {node.image for node in nodes if node.bl_idname == "ShaderNodeTexImage"}
    color, alpha = (group.inputs[name].links[0].from_socket
                    for name in ("Texture", "Texture Alpha"))
    for place, (number, image) in enumerate(sorted(images.items())):
        if image in shown:
            continue
        other = nodes.new("ShaderNodeTexImage")
        other.image, other.extension = image, first.extension
        other.label, other.location = f"{number}: {image.name}", (-350, 800 + 300 * place)
        other.interpolation = first.interpolation
        if first.inputs["Vector"].is_linked:
            links.new(first.inputs["Vector"].links[0].from_socket, other.inputs["Vector"])
        is_it = arithmetic(tree, "COMPARE", choice.outputs[0], float(number), 0.5)
        mixed = nodes.new("ShaderNodeMixRGB")
        for socket, given in zip(mixed.inputs, (is_it, color, other.outputs["Color"])):
            links.new(given, socket)
        color = mixed.outputs[0]
        step = arithmetic(tree, "SUBTRACT", other.outputs["Alpha"], alpha)
        step = arithmetic(tree, "MULTIPLY", step, is_it)
        alpha = arithmetic(tree, "ADD", alpha, step)
    links.new(color, group.inputs["Texture"])
    links.new(alpha, group.inputs["Texture Alpha"])


def is_only_a_name(found):
    """True if the file has only the name of the material."""
    return found.sides_unknown and tuple(found.base_color) == (1, 1, 1, 1) and \
        (found.metallic, found.roughness) == (0, 1) and not found.extras and \
        not found.maps[d.FACET_MAP_DIFFUSE]


def build_material(found, number, images, turn, has_color):
    """Create a material. `has_color`: its meshes have vertex colors."""
    name = text(found.name)
    made = bpy.data.materials.new(name or "Material")
    made["facet_name"], made["facet_index"] = name, number
    if found.extras:
        made["facet_extras"] = text(found.extras)
    made.diffuse_color = tuple(found.base_color)
    made.use_backface_culling = not found.double_sided
    compat.set_alpha(made, MODES[found.alpha_mode], found.alpha_cutoff)
    if is_only_a_name(found):
        return made
    made.use_nodes = True
    tree = made.node_tree
    if found.extras or found.unlit:
        build_group(tree, found, images, turn, has_color)
    else:
        node = tree.nodes.get("Principled BSDF")
        node.inputs["Base Color"].default_value = tuple(found.base_color)
        node.inputs["Alpha"].default_value = found.base_color[3]
        node.inputs["Roughness"].default_value = found.roughness
        node.inputs["Metallic"].default_value = found.metallic
        diffuse = found.maps[d.FACET_MAP_DIFFUSE]
        if diffuse:
            texture = add_texture(tree, diffuse.contents, images, turn,
                                  layer_of(diffuse.contents))
            tree.links.new(texture.outputs["Color"], node.inputs["Base Color"])
    return made


def layer_of(found):
    return f"UVMap{found.uv_set}" if found.uv_set else "UVMap"


def build_group(tree, found, images, turn, has_color):
    tree.nodes.clear()
    output, group = tree.nodes.new("ShaderNodeOutputMaterial"), tree.nodes.new("ShaderNodeGroup")
    group.node_tree, group.name, group.label = material_group(), GROUP, text(found.name)
    output.location, group.width = (300, 0), 200
    tree.links.new(group.outputs[0], output.inputs["Surface"])
    of = group.inputs
    of["Color"].default_value = (*found.base_color[:3], 1)
    of["Alpha"].default_value = found.base_color[3]
    of["Lit"].default_value = 0 if found.unlit else 1
    of["Blend"].default_value = found.alpha_mode == d.FACET_ALPHA_BLEND
    of["Cut Out"].default_value = found.alpha_mode == d.FACET_ALPHA_MASK
    of["Cut Off"].default_value = found.alpha_cutoff
    diffuse = found.maps[d.FACET_MAP_DIFFUSE]
    if diffuse:
        texture = add_texture(tree, diffuse.contents, images, turn, layer_of(diffuse.contents))
        tree.links.new(texture.outputs["Color"], of["Texture"])
        tree.links.new(texture.outputs["Alpha"], of["Texture Alpha"])
    if has_color:
        color = tree.nodes.new("ShaderNodeVertexColor")
        color.layer_name, color.location = "Color", (-350, -200)
        tree.links.new(color.outputs["Color"], of["Vertex Color"])
        tree.links.new(color.outputs["Alpha"], of["Vertex Alpha"])
