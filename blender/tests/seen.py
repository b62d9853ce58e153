"""Exports have what Blender shows: shape keys, curves, instances, and the material that is linked
to the output. Expected numbers are those of the primitives."""

import re
from pathlib import Path

import bpy
import numpy as np

from common import CORPUS, WORK, array, empty, facet, give, refused, take


def cube(**options):
    bpy.ops.mesh.primitive_cube_add(size=2, **options)
    return bpy.context.object


def written(name="seen.bga", **options):
    return facet.load(give(WORK / name, **options))


def height(scene):
    return float(np.ptp(scene.bounds()[:, 1]))


# -- Shapes --------------------------------------------------------------------

def shape_keys():
    """A cube of height 2 with a shape key that makes it three times as high."""
    empty()
    one = cube()
    one.shape_key_add()
    key = one.shape_key_add()
    for point in key.data:
        point.co.z *= 3
    assert height(written()) == 2
    key.value = 0.5
    for options in ({}, {"apply_modifiers": False}):
        assert abs(height(written(**options)) - 4) < 1e-5
    one.modifiers.new("T", "TRIANGULATE")
    assert abs(height(written()) - 4) < 1e-5
    key.mute = True
    assert height(written()) == 2
    one.show_only_shape_key, one.active_shape_key_index = True, 1
    key.mute = False
    assert abs(height(written()) - 6) < 1e-5
    assert all(modifier.show_viewport for modifier in one.modifiers)


def triangles_of(one):
    evaluated = one.evaluated_get(bpy.context.evaluated_depsgraph_get())
    count = sum(len(face.vertices) - 2 for face in evaluated.to_mesh().polygons)
    evaluated.to_mesh_clear()
    return count


def surfaces():
    """A circle, a text and metaballs: each is exported once, with Blender's triangles.

    The circle has radius 1 and a round bevel of 0.25: radius 1.25, height 0.5. The two metaballs
    have one surface.
    """
    empty()
    bpy.ops.curve.primitive_bezier_circle_add(location=(10, 0, 0))
    bpy.context.object.data.bevel_depth = 0.25
    scene = written()
    assert np.allclose(scene.bounds(), [[8.75, -0.25, -1.25], [11.25, 0.25, 1.25]], atol=0.01)
    assert scene.meshes[0].face_count == triangles_of(bpy.context.object) > 100
    assert scene.meshes[0].normals is not None
    for add in (bpy.ops.object.text_add, bpy.ops.surface.primitive_nurbs_surface_sphere_add):
        empty()
        add()
        assert written().meshes[0].face_count == triangles_of(bpy.context.object) > 10
    empty()
    bpy.ops.object.metaball_add(radius=1)
    ball = bpy.context.object
    bpy.ops.object.metaball_add(radius=1, location=(1, 0, 0))
    scene = written()
    assert scene.meshes[0].face_count == triangles_of(ball)
    wide, high, _ = np.ptp(scene.bounds(), axis=0)
    assert wide > high + 0.5
    ball.select_set(False)
    assert len(written("seen.binarymesh").meshes) == 1


def instances():
    """A collection with two instances: one mesh at two nodes."""
    empty()
    one = cube()
    inner = bpy.data.collections.new("inner")
    inner.objects.link(one)
    bpy.context.collection.objects.unlink(one)
    for i in (1, 2):
        shown = bpy.data.objects.new(f"shown{i}", None)
        shown.instance_type, shown.instance_collection = "COLLECTION", inner
        shown.location.x, shown.scale = 10 * i, (i, i, i)
        bpy.context.collection.objects.link(shown)
    scene = written("seen.bsm")
    assert scene.meshes[0].face_count == 24
    assert np.allclose(scene.bounds(), [[9, -2, -2], [22, 2, 2]], atol=1e-5)
    bpy.data.objects["shown1"].hide_set(True)
    assert written("seen.bsm").meshes[0].face_count == 12
    bpy.data.objects["shown1"].hide_set(False)
    bpy.data.objects["shown1"].select_set(True)
    bpy.data.objects["shown2"].select_set(False)
    assert written("seen.bsm", use_selection=True).meshes[0].face_count == 12


def geometry_nodes():
    """Cubes at the four corners of a square, by geometry nodes, and the square itself."""
    empty()
    bpy.ops.mesh.primitive_plane_add(size=10)
    plane = bpy.context.object
    tree = bpy.data.node_groups.new("G", "GeometryNodeTree")
    tree.inputs.new("NodeSocketGeometry", "Geometry")
    tree.outputs.new("NodeSocketGeometry", "Geometry")
    nodes, links = tree.nodes, tree.links
    given, output = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    on_points, box = nodes.new("GeometryNodeInstanceOnPoints"), nodes.new("GeometryNodeMeshCube")
    box.inputs["Size"].default_value = (2, 2, 2)
    joined = nodes.new("GeometryNodeJoinGeometry")
    material = nodes.new("GeometryNodeSetMaterial")
    material.inputs["Material"].default_value = bpy.data.materials.new("set")
    links.new(given.outputs[0], on_points.inputs["Points"])
    links.new(box.outputs[0], material.inputs[0])
    links.new(material.outputs[0], on_points.inputs["Instance"])
    links.new(on_points.outputs[0], joined.inputs[0])
    links.new(given.outputs[0], joined.inputs[0])
    links.new(joined.outputs[0], output.inputs[0])
    plane.modifiers.new("N", "NODES").node_group = tree
    scene = written("seen.bsm")
    assert scene.meshes[0].face_count == 2 + 4 * 12
    assert np.allclose(scene.bounds(), [[-6, -1, -6], [6, 1, 6]], atol=1e-5)
    assert "set" in [one.name for one in scene.materials]


def hidden_hulls():
    empty()
    cube()
    cube(location=(5, 0, 0)).name = "collision_mesh_a"
    bpy.context.object.hide_set(True)
    cube(location=(9, 0, 0)).hide_set(True)
    scene = written("seen.bsm")
    assert len(scene.hulls) == 1 and scene.meshes[0].face_count == 12


def nothing():
    empty()
    refused(lambda: bpy.ops.export_scene.facet_bsm(filepath=str(WORK / "none.bsm")), "nothing to write")
    cube().select_set(False)
    refused(lambda: bpy.ops.export_scene.facet_bsm(filepath=str(WORK / "none.bsm"), use_selection=True),
            "selected")
    empty()
    mesh = bpy.data.meshes.new("no vertices")
    bpy.context.collection.objects.link(bpy.data.objects.new("one", mesh))
    refused(lambda: bpy.ops.export_scene.facet_bsm(filepath=str(WORK / "none.bsm")), "nothing to write")
    assert not (WORK / "none.bsm").exists()
    cube()
    assert len(written("some.binarymesh").meshes) == 1


def failed_file():
    """The second of two files is broken. The first is imported, and one undo removes only it."""
    empty()
    cube()
    bpy.ops.ed.undo_push(message="cube")
    (WORK / "broken.bsm").write_bytes(b"BINARY_STATIC_MESH")
    (WORK / "good.bsm").write_bytes((CORPUS / "bsm/test.bsm").read_bytes())
    files = [{"name": "good.bsm"}, {"name": "broken.bsm"}, {"name": "good.bsm"}]
    refused(lambda: bpy.ops.import_scene.facet_bsm(
        "EXEC_DEFAULT", True, filepath="", directory=str(WORK), files=files), "BSM-MAGIC")
    assert len(bpy.data.objects) == 3
    bpy.ops.ed.undo()
    assert [one.name for one in bpy.data.objects] == ["Cube"]


# Triangle 2 5 7 has no area: 2 and 7 have the same position.
FLAT = """v 0 0 0
v 1 0.2 0
v 2 0 0
v 0 0.3 1
v 1 0.6 1
v 2 0.3 1
v 1 0.2 0
vn -0.2 0.95 -0.2
vn 0 0.95 -0.3
vn 0.2 0.95 -0.2
vn -0.2 0.95 -0.25
vn 0 0.95 -0.25
vn 0.2 0.95 -0.25
vn -0.9 0.3 -0.25
f 1//1 4//4 5//5
f 1//1 5//5 2//2
f 7//7 5//5 6//6
f 7//7 6//6 3//3
f 2//2 5//5 7//7
"""


def flat_triangles():
    """Models with triangles without area are copied from the original, because nothing was
    changed."""
    (WORK / "flat.obj").write_text(FLAT)
    for source in (WORK / "flat.obj", CORPUS / "obj/spider.obj"):
        facet.convert(source, WORK / "flat.bmd")
        empty()
        bpy.ops.import_scene.facet_bmd(filepath=str(WORK / "flat.bmd"))
        give(WORK / "flat2.bmd", like=str(WORK / "flat.bmd"))
        assert (WORK / "flat.bmd").read_bytes() == (WORK / "flat2.bmd").read_bytes(), source


def differences_to(like):
    """Warnings about differences between the scene's bones and an original."""
    from io_scene_facet import export, library
    with library.Saved(str(WORK / "like.bdl")) as saved:
        export.build_scene(bpy.context, saved, list(bpy.data.objects), {}, print)
        saved.write("bdl", str(like))
        return [sentence for severity, sentence in saved.findings()
                if severity == "WARNING" and ("bone" in sentence or "joint '" in sentence)]


def with_bones(edit):
    """Import a skinned model and edit its bones."""
    empty()
    bpy.ops.import_scene.facet_bmd(filepath=str(CORPUS / "j3d/greenman_skinned.bdl"))
    armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edit(armature.data.edit_bones)
    bpy.ops.object.mode_set(mode="OBJECT")


def wrong_original():
    """Bones that differ from the original give warnings. An original with other joints is an
    error."""
    from io_scene_facet import library
    skinned = CORPUS / "j3d/greenman_skinned.bmd"
    with_bones(lambda bones: None)
    assert differences_to(skinned) == []
    try:
        differences_to(CORPUS / "j3d/fish_static.bmd")
        assert False, "another model"
    except library.FacetError as error:
        assert "another model" in str(error)
    give(WORK / "like.bdl", like=str(CORPUS / "j3d/fish_static.bmd"), force=True)

    def moved(bones):
        bones[-1].head.x += 0.1
        bones[-1].tail.x += 0.1

    def added(bones):
        made = bones.new("extra")
        made.head, made.tail, made.parent = (0, 0, 0), (0, 0.01, 0), bones[0]

    def deleted(bones):
        bones.remove(bones[-1])

    def hung(bones):
        bones[-1].parent = bones[0] if bones[-1].parent != bones[0] else bones[1]

    for edit, word in ((moved, "has another position"), (deleted, "is not in the scene"),
                       (hung, "has another parent")):
        with_bones(edit)
        said = differences_to(skinned)
        assert len(said) == 1 and word in said[0], (edit.__name__, said)
    with_bones(added)
    joints = joints_of(WORK / "like.bdl", skinned)
    assert joints[-1] == "extra" and len(joints) == 14, joints
    with_bones(lambda bones: setattr(bones[-1], "name", "renamed"))
    joints = joints_of(WORK / "like.bdl", skinned)
    assert "renamed" in joints and len(joints) == 13, joints


def joints_of(path, like):
    """Names of the joints in the exported file."""
    from io_scene_facet import library
    from io_scene_facet.names import text
    assert differences_to(like) == []
    with library.load(path) as loaded:
        nodes = [loaded.scene.nodes[i].contents for i in range(loaded.scene.node_count)]
        return [text(node.name) for node in nodes if node.mesh == 2**32 - 1]


def reviewed():
    """From the user interface, an export with the original first shows what changes, in a dialog.
    The file appears when the dialog is confirmed. Scripts are not asked."""
    from io_scene_facet import operators, summary
    path, to = CORPUS / "j3d/fish_static.bmd", WORK / "reviewed.bmd"
    shown, review = [], summary.review
    summary.review = lambda *given: shown.append(given)
    take(path)
    bpy.data.objects["shape1_fish_back"].data.vertices[0].co.z += 0.01
    to.unlink(missing_ok=True)
    operators.FacetExport.is_invoked = True
    try:
        give(to, like=str(path))
        assert not to.exists()
        (title, sentences, _), = shown
        assert title == "Export GameCube and Wii Model"
        assert any("shape 1 ('fish_back') has changed" in one for one in sentences), sentences
        assert any("1 of 2 kept, 1 written again" in one for one in sentences), sentences
        give(to, like=str(path), review=False)
        assert to.exists() and len(shown) == 1
    finally:
        operators.FacetExport.is_invoked = False
        summary.review = review
    wanted = to.read_bytes()
    to.unlink()
    shown[0][2]()  # the button of the dialog
    assert to.read_bytes() == wanted and len(shown) == 1
    to.unlink()
    give(to, like=str(path))
    assert to.read_bytes() == wanted and len(shown) == 1
    rows = summary.rows_of(["title"], ["a" * 90] * 30, "more line")
    assert len(rows) == summary.MAX_ROWS + 1 and rows[-1] == "15 more lines in the Info editor", rows


def summaries():
    """The popup of a run from the user interface lists the files and what was lost. Scripts get
    none, and neither do runs without a loss. The info has the counts of the file."""
    from io_scene_facet import operators, summary
    shown, popup = [], summary.popup
    summary.popup = lambda context, title, rows: shown.append((title, rows))

    def invoked(kind, run):
        kind.is_invoked = True
        shown.clear()
        try:
            run()
        finally:
            kind.is_invoked = False
        return list(shown)
    try:
        empty()
        cube()
        path = WORK / "sum.bsm"
        assert invoked(operators.FacetExport, lambda: give(path)) == []
        assert invoked(operators.FacetImport, lambda: bpy.ops.import_scene.facet_bsm(
            filepath=str(path))) == []
        empty()
        for i in range(30):
            mesh = bpy.data.meshes.new(f"m{i}")
            mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0), (5, 5, 5)], [], [(0, 1, 2)])
            one = bpy.data.objects.new(f"o{i:02}", mesh)
            bpy.context.collection.objects.link(one)
            one.location.z = i
            one.modifiers.new("P", "PARTICLE_SYSTEM")
            one.particle_systems[0].settings.type = "HAIR"
        give(path)
        assert shown == []
        (title, rows), = invoked(operators.FacetExport, lambda: give(path))
        assert title.startswith("Export Binary Static Mesh: ") and title.endswith(" warnings")
        count = int(title.split()[-2])
        assert rows[0] == f"{path} is written: 1 mesh with 30 faces", rows
        assert rows[1].startswith("- o00: the hair ") and count > 30
        listed = sum(row.startswith("- ") for row in rows)
        assert rows[-1] == f"{count - listed} more warnings in the Info editor", rows
        assert len(rows) <= summary.MAX_ROWS + 1 and all(len(row) <= 100 for row in rows)

        path = WORK / "twice.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\n")
        facet.convert(path, WORK / "twice.bga", keep_vertices=True)
        (title, rows), = invoked(operators.FacetImport, lambda: bpy.ops.import_scene.facet_bga(
            filepath=str(WORK / "twice.bga")))
        assert title == "Import Binary GPU Attributes: 1 warning", title
        assert rows[0].startswith("twice.bga is read: 1 mesh with "), rows
        assert rows[0].endswith(": 1 object")
    finally:
        summary.popup = popup


# -- Materials -----------------------------------------------------------------

class Nodes:
    """A cube with a material, exported as a BMD."""

    def __init__(self):
        empty()
        self.object = cube()
        self.material = bpy.data.materials.new("m")
        self.material.use_nodes = True
        self.object.data.materials.append(self.material)
        self.tree = self.material.node_tree
        self.principled, self.output = (self.tree.nodes[name] for name in (
            "Principled BSDF", "Material Output"))
        self.image = bpy.data.images.new("picture", 16, 16)
        self.image.pixels = [1, 1, 1, 0.5] * 256
        self.image.pack()
        self.texture = self.new("TexImage")
        self.texture.image = self.image

    def new(self, kind):
        return self.tree.nodes.new(f"ShaderNode{kind}")

    def link(self, output, socket):
        self.tree.links.new(output, socket)

    def surface(self, node):
        self.link(node.outputs[0], self.output.inputs["Surface"])

    def material_of_bmd(self):
        self.scene = facet.load(give(WORK / "seen.bmd"))
        return self.scene.materials[0]

    def has_texture(self):
        found = self.material_of_bmd()
        return "diffuse" in found.maps and len(self.scene.images) == 1


def connected_shaders():
    """The linked shader is used, through reroutes and groups; other shaders are ignored."""
    nodes = Nodes()
    second = nodes.new("BsdfPrincipled")
    nodes.link(nodes.texture.outputs[0], second.inputs["Base Color"])
    nodes.principled.inputs["Base Color"].default_value = (1, 0, 0, 1)
    assert not nodes.has_texture()
    assert np.allclose(nodes.material_of_bmd().base_color, (1, 0, 0, 1))
    nodes.surface(second)
    assert nodes.has_texture()
    reroute = nodes.tree.nodes.new("NodeReroute")
    nodes.link(second.outputs[0], reroute.inputs[0])
    nodes.link(reroute.outputs[0], nodes.output.inputs["Surface"])
    assert nodes.has_texture()

    nodes = Nodes()
    inner = bpy.data.node_groups.new("Inner", "ShaderNodeTree")
    inner.inputs.new("NodeSocketColor", "Paint")
    inner.outputs.new("NodeSocketShader", "Shader")
    given, output = inner.nodes.new("NodeGroupInput"), inner.nodes.new("NodeGroupOutput")
    diffuse = inner.nodes.new("ShaderNodeBsdfDiffuse")
    inner.links.new(given.outputs[0], diffuse.inputs["Color"])
    inner.links.new(diffuse.outputs[0], output.inputs[0])
    group = nodes.tree.nodes.new("ShaderNodeGroup")
    group.node_tree = inner
    nodes.surface(group)
    group.inputs[0].default_value = (0, 0.5, 0, 1)
    assert np.allclose(nodes.material_of_bmd().base_color, (0, 0.5, 0, 1), atol=0.01)
    nodes.link(nodes.texture.outputs[0], group.inputs[0])
    assert nodes.has_texture()


def shaders():
    """Emission is unlit; Diffuse is lit; Glossy is a color with a warning."""
    for kind, is_unlit in (("Emission", True), ("BsdfDiffuse", False), ("BsdfGlossy", False)):
        nodes = Nodes()
        node = nodes.new(kind)
        nodes.link(nodes.texture.outputs[0], node.inputs["Color"])
        nodes.surface(node)
        assert nodes.has_texture(), kind
        # J3D: channel control 0 has lighting on or off.
        assert bool(nodes.material_of_bmd().unlit) == is_unlit, kind


def tints():
    """A texture times a color, with Mix, math and RGB nodes: the color is the material's."""
    tint = (0.5, 0.25, 1.0)
    for kind in ("MixRGB", "Mix", "VectorMath"):
        nodes = Nodes()
        mix, rgb = nodes.new(kind), nodes.new("RGB")
        rgb.outputs[0].default_value = (*tint, 1)
        if kind == "Mix":
            mix.data_type = "RGBA"
        if kind == "VectorMath":
            mix.operation = "MULTIPLY"
            sockets = mix.inputs[:2]
        else:
            mix.blend_type = "MULTIPLY"
            share, *sockets = [one for one in mix.inputs if one.enabled]
            share.default_value = 1
        nodes.link(nodes.texture.outputs[0], sockets[1])
        nodes.link(rgb.outputs[0], sockets[0])
        output = next(one for one in mix.outputs if one.enabled)
        nodes.link(output, nodes.principled.inputs["Base Color"])
        assert nodes.has_texture(), kind
        assert np.allclose(nodes.material_of_bmd().base_color[:3], tint, atol=0.01), kind
    # Multiplication with factor 0.5: 1 - 0.5 + 0.5 * tint.
    nodes = Nodes()
    mix = nodes.new("MixRGB")
    mix.blend_type, mix.inputs[0].default_value = "MULTIPLY", 0.5
    mix.inputs[2].default_value = (*tint, 1)
    nodes.link(nodes.texture.outputs[0], mix.inputs[1])
    nodes.link(mix.outputs[0], nodes.principled.inputs["Base Color"])
    assert np.allclose(nodes.material_of_bmd().base_color[:3], (0.75, 0.625, 1), atol=0.01)


def transparency():
    """Alpha of a Principled, and a Mix Shader with a Transparent at either input."""
    def mode(nodes, method):
        nodes.material.blend_method, nodes.material.alpha_threshold = method, 0.25
        return nodes.material_of_bmd().alpha_mode
    nodes = Nodes()
    nodes.link(nodes.texture.outputs["Color"], nodes.principled.inputs["Base Color"])
    nodes.link(nodes.texture.outputs["Alpha"], nodes.principled.inputs["Alpha"])
    assert [mode(nodes, one) for one in ("OPAQUE", "CLIP", "BLEND")] == ["opaque", "mask", "blend"]
    for way in (0, 1):
        nodes = Nodes()
        mix, clear, diffuse = (nodes.new(kind) for kind in (
            "MixShader", "BsdfTransparent", "BsdfDiffuse"))
        nodes.link(nodes.texture.outputs["Color"], diffuse.inputs["Color"])
        mix.inputs[0].default_value = 0.25
        nodes.link(clear.outputs[0], mix.inputs[1 + way])
        nodes.link(diffuse.outputs[0], mix.inputs[2 - way])
        nodes.surface(mix)
        assert mode(nodes, "BLEND") == "blend" and nodes.has_texture()
        seen = nodes.material_of_bmd().base_color[3]
        assert abs(seen - (0.75 if way else 0.25)) < 0.01, (way, seen)


def mappings():
    """UV layer by name, the rendered layer without a name, and a Mapping node."""
    nodes = Nodes()
    layers = nodes.object.data.uv_layers
    for name in ("Lightmap", "Detail"):
        layers.new(name=name)
    by_name = nodes.new("UVMap")
    nodes.link(nodes.texture.outputs[0], nodes.principled.inputs["Base Color"])
    assert nodes.material_of_bmd().maps["diffuse"].uv_set == 0
    layers["Lightmap"].active_render = True
    # J3D writes the existing sets. The texture uses the second of the mesh.
    assert nodes.material_of_bmd().maps["diffuse"].uv_set == 1
    nodes.link(by_name.outputs[0], nodes.texture.inputs["Vector"])
    for i, name in enumerate(("UVMap", "Lightmap", "Detail")):
        by_name.uv_map = name
        assert nodes.material_of_bmd().maps["diffuse"].uv_set == i, name
    mapping = nodes.new("Mapping")
    nodes.link(by_name.outputs[0], mapping.inputs["Vector"])
    nodes.link(mapping.outputs[0], nodes.texture.inputs["Vector"])
    mapping.inputs["Location"].default_value = (0.25, 0, 0)
    mapping.inputs["Scale"].default_value = (2, 3, 1)
    found = nodes.material_of_bmd().maps["diffuse"]
    assert found.uv_set == 2 and np.allclose(found.scale, (2, 3)) and abs(found.offset[0] - 0.25) < 1e-4


def left_out():
    """Properties that stages cannot express are reported once for each material."""
    nodes = Nodes()
    noise = nodes.new("TexNoise")
    nodes.link(noise.outputs["Color"], nodes.principled.inputs["Base Color"])
    nodes.link(noise.outputs["Fac"], nodes.principled.inputs["Roughness"])
    from io_scene_facet.shading import Shading
    shading = Shading(nodes.material)
    shading.look(*shading.surface())
    assert shading.left_out == [f"the node {noise.name}"], shading.left_out
    nodes.material_of_bmd()


# -- Options -------------------------------------------------------------------

def options_of_formats():
    """Each option has the same effect as in the command."""
    empty()
    cube()
    assert facet.read(give(WORK / "o.bga", endian="big")).big_endian
    assert not facet.read(give(WORK / "o.bga")).big_endian
    for version in (3, 4):
        found = facet.info(give(WORK / "o.binarymesh", format_version=version))
        assert found.version.startswith(str(version)), found.version
    assert height(written("o.bsm", scale=2.5)) == 5
    assert len(written("o.bsm", hulls=1).hulls) == 1 and not written("o.bsm").hulls
    refused(lambda: bpy.ops.export_scene.facet_bsm(
        filepath=str(WORK / "x.bsm"), hulls=1, hull_vertices=3), "Hull Vertices")
    assert not (WORK / "x.bsm").exists()
    empty()
    bpy.ops.mesh.primitive_uv_sphere_add()
    bpy.ops.object.shade_smooth()
    whole = written("o.bsm").meshes[0].face_count
    assert written("o.bsm", simplify=0.25).meshes[0].face_count <= 0.3 * whole
    few = written("o.bga", max_vertices=100).meshes[0]  # without tangents, which split vertices
    assert len(few.positions) <= 100, few
    assert written("o.bsm", occluder=0.5).occluder is not None


def options_on_the_page():
    """The reference page lists the options of each format."""
    page = Path(__file__).parents[2] / "docs/reference/blender-addon.md"
    if not page.exists():
        return
    from io_scene_facet import operators, options
    table = page.read_text().split("| format | options |")[1].split("\n\n")[0]
    rows = {row.split("|")[1].strip(): set(re.findall(r"`(\w+)`", row.split("|")[2]))
            for row in table.splitlines()[2:]}
    listed = {one.lower(): names for cell, names in rows.items() for one in cell.split(", ")}
    for name, _, _ in operators.EXPORTS:
        has_meshes = name not in operators.CLIPS
        found = {options.python_name(one) for one in options.options_of(name, has_meshes)}
        assert found == (listed["all meshes"] if has_meshes else set()) | listed.get(name, set()), name


def options_of_models():
    """A texture of 1500 x 30 becomes one of 1024 x 32. Formats, joints and materials follow the
    options."""
    nodes = Nodes()
    nodes.image.scale(1500, 30)
    nodes.link(nodes.texture.outputs[0], nodes.principled.inputs["Base Color"])
    refused(lambda: bpy.ops.export_scene.facet_bmd(filepath=str(WORK / "o.bmd")))
    scene = written("o.bmd", resize=True, texture_format="RGB565", mips=3)
    assert (scene.images[0].width, scene.images[0].height) == (1024, 32)
    texture = facet.info(WORK / "o.bmd").detail["textures"][0]
    assert texture["format"] == "RGB565" and str(3) in map(str, texture.values()), texture
    empty()
    for i, name in enumerate("ab"):
        cube(location=(5 * i, 0, 0))
        material = bpy.data.materials.new(name)
        material.diffuse_color = (1, 0, 0, 1)
        bpy.context.object.data.materials.append(material)
    assert [one.name for one in written("o.bmd").materials] == ["a", "b"]
    merged = written("o.bmd", merge_materials=True, one_joint=True)
    assert [one.name for one in merged.materials] == ["a"]
    before = facet.info(give(WORK / "o.bmd")).joints
    assert facet.info(give(WORK / "o.bmd", one_joint=True)).joints == 1 < before


TESTS = [shape_keys, surfaces, instances, geometry_nodes, hidden_hulls, nothing, failed_file, reviewed,
         summaries, flat_triangles, wrong_original, connected_shaders, shaders, tints,
         transparency, mappings, left_out, options_of_formats, options_on_the_page, options_of_models]
