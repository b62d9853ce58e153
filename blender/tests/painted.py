"""Colors, images and shaders: an export has what Blender shows, or reports what it leaves out."""

import bpy
import numpy as np

from common import CORPUS, WORK, facet, give, take, warnings_of
from seen import Nodes

RED, GREEN, BLACK = (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 0, 1)


def paint(nodes, name, color):
    made = nodes.object.data.color_attributes.new(name, "FLOAT_COLOR", "CORNER")
    made.data.foreach_set("color", np.tile(np.float32(color), len(made.data)))


def show(nodes, name, alpha=False):
    """Link a color attribute to the base color, and its alpha to the shader's alpha."""
    node = nodes.new("VertexColor")
    node.layer_name = name
    nodes.link(node.outputs["Color"], nodes.principled.inputs["Base Color"])
    if alpha:
        nodes.link(node.outputs["Alpha"], nodes.principled.inputs["Alpha"])
    return node


def colors_of(path):
    """The distinct colors of the first mesh; None without colors."""
    stream = facet.load(path).meshes[0].streams.get("color")
    return None if stream is None else sorted(set(map(tuple, stream.corners.round(2).tolist())))


def has(said, *parts):
    assert any(all(part in one for part in parts) for one in said), (parts, said)


# -- Color attributes ----------------------------------------------------------

def unused_colors():
    """Colors that no material shows are left out of models that multiply them. Without nodes, or
    as data of a BGA, they are kept."""
    nodes = Nodes()
    paint(nodes, "Mask", BLACK)
    path, said = warnings_of("painted.bmd")
    assert colors_of(path) is None
    has(said, "Mask")
    assert colors_of(give(WORK / "painted.bga")) == [BLACK]
    nodes.material.use_nodes = False
    path, said = warnings_of("painted.bmd")
    assert colors_of(path) == [BLACK] and not said, said


def named_colors():
    """The named attribute is written, as the first one. "" is the rendered one."""
    for name in ("B", ""):
        nodes = Nodes()
        paint(nodes, "A", RED)
        paint(nodes, "B", GREEN)
        nodes.object.data.color_attributes.render_color_index = 1
        show(nodes, name)
        path, said = warnings_of("painted.bmd")
        assert colors_of(path) == [GREEN]
        has(said, "attribute A")
        assert colors_of(give(WORK / "painted.bga")) == [GREEN]
        assert np.allclose(facet.load(WORK / "painted.bga").meshes[0].streams["color1"].corners, RED)
    node = show(nodes, "missing")
    has(warnings_of("painted.bmd")[1], "no color attribute missing")
    node.layer_name = "B"
    nodes.principled.inputs["Alpha"].default_value = 1
    nodes.link(node.outputs["Color"], nodes.principled.inputs["Alpha"])
    has(warnings_of("painted.bmd")[1], "alpha is from the other part")


def colors_of_slots():
    """Each material shows its own attribute; one without attribute gets white. Alpha is written
    only if it is shown."""
    nodes = Nodes()
    paint(nodes, "A", (1, 0, 0, 0.5))
    show(nodes, "A")
    plain = bpy.data.materials.new("plain")
    plain.use_nodes = True
    nodes.object.data.materials.append(plain)
    nodes.object.data.polygons[0].material_index = 1
    scene = facet.load(give(WORK / "slots.bmd"))
    found = {tuple(one) for mesh in scene.meshes if "color" in mesh.streams
             for one in mesh.streams["color"].corners.round(2).tolist()}
    assert found - {(1, 1, 1, 1)} == {RED}, found
    for mesh in scene.meshes:
        is_plain = len(mesh.positions) == 4
        if is_plain and "color" in mesh.streams:
            assert (mesh.streams["color"].corners == 1).all()
    show(nodes, "A", alpha=True)
    nodes.material.blend_method = "BLEND"
    scene = facet.load(give(WORK / "slots.bmd"))
    alphas = {round(one, 2) for mesh in scene.meshes if "color" in mesh.streams
              for one in mesh.streams["color"].corners[:, 3].tolist()}
    assert 0.5 in alphas and scene.materials["m"].alpha_mode == "blend", alphas


# -- Images --------------------------------------------------------------------

def textured(color=(0.5, 0.5, 0.5, 1)):
    nodes = Nodes()
    nodes.image = nodes.texture.image = bpy.data.images.new("paint", 16, 16, alpha=True)
    nodes.image.pixels = list(color) * 256
    nodes.image.pack()  # Blender reads the packed image again when its settings change
    nodes.link(nodes.texture.outputs["Color"], nodes.principled.inputs["Base Color"])
    return nodes


def color_spaces():
    """0.5 in an image with numbers is 0.5 in linear light: sRGB 1.055 * 0.5^(1/2.4) - 0.055 = 0.735,
    which is 188 of 255."""
    nodes = textured()
    for space, wanted in (("sRGB", 128), ("Non-Color", 188), ("Linear", 188)):
        nodes.image.colorspace_settings.name = space
        path, said = warnings_of("space.bmd", texture_format="RGBA8")
        assert not said and (facet.load(path).images[0].pixels[0, 0, :3] == wanted).all(), space
    nodes.image.colorspace_settings.name = "XYZ"
    has(warnings_of("space.bmd")[1], "XYZ", nodes.image.name)


def images():
    """Alpha that the image ignores, tiles, projections and clipping."""
    nodes = textured((1, 0, 0, 0.5))
    nodes.link(nodes.texture.outputs["Alpha"], nodes.principled.inputs["Alpha"])
    nodes.material.blend_method = "BLEND"
    for mode, alpha, wanted in (("STRAIGHT", [128], "blend"), ("NONE", [], "opaque")):
        nodes.image.alpha_mode = mode
        nodes.image.pixels = [1, 0, 0, 0.5] * 256  # Blender itself removes alpha when it reads
        scene = facet.load(give(WORK / "alpha.bmd", texture_format="RGBA8"))
        assert scene.materials[0].alpha_mode == wanted
        assert scene.images[0].pixels[0, 0].tolist() == [255, 0, 0, *alpha], mode
    from io_scene_facet.shading import Shading
    shading = Shading(nodes.material)
    assert shading.look(*shading.surface()).alpha.image is None
    nodes.image.alpha_mode = "STRAIGHT"
    assert shading.look(*shading.surface()).alpha.image is not None
    nodes = textured()
    assert warnings_of("images.bmd")[1] == []
    nodes.texture.projection = "BOX"
    has(warnings_of("images.bmd")[1], "projection", nodes.texture.name)
    nodes.texture.projection, nodes.texture.extension = "FLAT", "CLIP"
    has(warnings_of("images.bmd")[1], "outside", nodes.texture.name)
    nodes.texture.extension = "REPEAT"
    nodes.image.source = "TILED"
    nodes.image.tiles.new(1002)
    has(warnings_of("images.bmd")[1], "tile", nodes.image.name)


# -- Shaders -------------------------------------------------------------------

def inputs():
    """Inputs that a console material cannot store, by value and by link."""
    for name in ("Transmission", "Clearcoat", "Subsurface", "Sheen", "Anisotropic"):
        nodes = Nodes()
        assert warnings_of("inputs.bmd")[1] == []
        nodes.principled.inputs[name].default_value = 0.5
        has(warnings_of("inputs.bmd")[1], name, nodes.principled.name)
    nodes = Nodes()
    nodes.link(nodes.texture.outputs[0], nodes.principled.inputs["Specular"])
    has(warnings_of("inputs.bmd")[1], "Specular", nodes.principled.name)
    for name in ("Displacement", "Volume"):
        nodes = Nodes()
        nodes.link(nodes.texture.outputs[0], nodes.output.inputs[name])
        has(warnings_of("inputs.bmd")[1], name, nodes.output.name)


# -- The imported file -----------------------------------------------------------

def kept_by_original():
    """Added layers and names of images that an export with the original ignores."""
    path = CORPUS / "j3d/fish_static.bmd"

    def said(edit):
        mesh = take(path)["shape1_fish_back"].data
        edit(mesh)
        return warnings_of("kept.bmd", like=str(path))[1]
    assert said(lambda mesh: None) == []
    # Both shapes have texture coordinates: deleted, those of the original stay.
    has(said(lambda mesh: mesh.uv_layers.remove(mesh.uv_layers[0])), "texture coordinates", "kept")
    assert (WORK / "kept.bmd").read_bytes() == path.read_bytes()
    has(said(lambda mesh: mesh.uv_layers.new(name="second")), "shape1_fish_back",
        "number of layers of texture coordinates", ": 1, not 2")
    has(said(lambda mesh: mesh.color_attributes.new("Added", "FLOAT_COLOR", "CORNER")),
        "shape1_fish_back", "number of layers of colors", ": 0, not 1")
    has(said(lambda mesh: setattr(bpy.data.images["checker"], "name", "renamed")),
        "renamed", "checker")


def byte_order():
    """A big-endian BGA is written little-endian with a warning, unless the order is given."""
    facet.convert(CORPUS / "bga/teapot.v2.bga", WORK / "big.bga", endian="big")
    for options in ({}, {"endian": "big"}):
        take(WORK / "big.bga")
        path, said = warnings_of("again.bga", **options)
        assert len(said) == (not options) and all("big-endian" in one for one in said), said
        assert facet.read(path).big_endian == bool(options)
    take(CORPUS / "bga/teapot.v2.bga")
    assert warnings_of("again.bga")[1] == []


TESTS = [unused_colors, named_colors, colors_of_slots, color_spaces, images, inputs, kept_by_original,
         byte_order]
