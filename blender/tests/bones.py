"""Models with bones: import, export and animations. Blender's vertices are compared with those that
the library computes for the same file."""

import bpy
import numpy as np
from mathutils import Vector

from common import CLOSE, CORPUS, SIXTEEN_BITS, WORK, array, diagonal, empty, facet, give, notes_of, \
    refused, take, turned, warnings_of

MODELS = ["j3d/fish_static.bmd", "j3d/greenman_skinned.bmd", "j3d/greenman_skinned.bdl"]
# The corpus lacks files of BPX and IQM: convert these models.
SKINNED = ["gltf/greenman.glb", "gltf/CesiumMan.glb", "gltf/Fox.glb"]


def shown():
    """Vertices of every mesh as Blender shows them with modifiers, by facet_index."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for one in sorted((one for one in bpy.data.objects if one.type == "MESH"),
                      key=lambda one: one["facet_index"]):
        evaluated = one.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        points = array(mesh.vertices, "co", 3)
        place = np.array(evaluated.matrix_world)
        found.append(points @ place[:3, :3].T + place[:3, 3])
        evaluated.to_mesh_clear()
    return found


def to_blender(scene):
    """A function that converts points from the scene's axes to Blender's. BPX: see
    docs/reference/formats/bpx.md."""
    if scene.axes.up == "y":
        assert not scene.axes.left_handed
        return turned
    assert scene.axes.up == "z"
    if not scene.axes.left_handed:
        return np.asarray
    # Mirror from front to back.
    return lambda points: np.asarray(points) * [1, -1, 1]


def stands_right(scene, animation=None, time=0.0):
    """Check that all vertices are at the library's positions. Tolerances are shares of the
    diagonal."""
    turn, unit = to_blender(scene), scene.axes.unit or 1
    nodes = [node for node in scene.nodes if node.mesh is not None]
    points = shown()
    assert len(points) == len(nodes)
    worst = 0
    for found, node in zip(points, nodes):
        wanted = turn(scene.posed_positions(node, animation, time)) * unit
        worst = max(worst, float(np.abs(found - wanted).max()))
    return worst / (diagonal(scene) * unit)


def at(frame):
    bpy.context.scene.frame_set(frame)


# -- J3D ---------------------------------------------------------------------

def models():
    """Rest pose. An export with the original gives the same bytes, without it an equal model."""
    said = {}
    for name in MODELS:
        path = CORPUS / name
        take(path)
        scene = facet.load(path)
        assert stands_right(scene) < 1e-5, stands_right(scene)
        armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
        joints = [node for node in scene.nodes if node.mesh is None]
        assert [bone["facet_name"] for bone in sorted(
            armature.data.bones, key=lambda one: one["facet_index"])] == \
            [node.name for node in joints]
        written = give(WORK / ("like" + path.suffix), like=str(path))
        assert written.read_bytes() == path.read_bytes(), path
        alone = give(WORK / ("alone" + path.suffix))
        assert not facet.check(alone).errors
        off = facet.compare(path, alone).distance_bound / diagonal(scene)
        assert off < SIXTEEN_BITS, off
        again = facet.load(alone)
        assert [one.name for one in again.materials] == [one.name for one in scene.materials]
        kept = [{**one.extras["j3d"]["material"], "index": 0} for one in scene.materials]
        assert [{**one.extras["j3d"]["material"], "index": 0} for one in again.materials] == kept
        said[name] = off
    return said


def edited():
    """Move one vertex: one of two shapes changes, and nothing else."""
    path = CORPUS / "j3d/fish_static.bmd"
    objects = take(path)
    mesh = objects["shape1_fish_back"].data
    place = mesh.vertices[0].co.copy()
    for vertex in mesh.vertices:  # there is one vertex per normal
        if (vertex.co - place).length < 1e-6:
            vertex.co += Vector((0, 0, 0.005))  # meters: half a unit
    written = give(WORK / "edited.bmd", like=str(path))
    assert not facet.check(written).errors
    before, after = facet.load(path), facet.load(written)
    assert (before.meshes[0].positions == after.meshes[0].positions).all()
    assert (before.meshes[0].triangles == after.meshes[0].triangles).all()
    moved = np.abs(after.bounds() - before.bounds()).max()
    assert facet.compare(path, written).distance > 0.1 and moved < 0.6
    # Paint over a texture: only that texture changes.
    objects = take(path)
    image = bpy.data.images["checker"]
    image.pixels.foreach_set(np.tile(np.float32([0.5, 0.5, 0.5, 1]), 256))
    old = facet.extract(path)
    new = facet.extract(give(WORK / "painted.bmd", like=str(path)))
    for name in ("materials.json", "hierarchy.json"):
        assert old[name] == new[name]
    assert old["checker.png"] != new["checker.png"]
    assert (facet.load(WORK / "painted.bmd").images[0].pixels == 128).all()
    # Change a color in the node group: only that material changes.
    take(path)
    group = bpy.data.materials["fish_back"].node_tree.nodes["Facet Material"]
    group.inputs["Color"].default_value = (0, 0, 1, 1)
    after = facet.load(give(WORK / "blue.bmd", like=str(path)))
    assert np.allclose(after.materials["fish_back"].base_color, (0, 0, 1, 1), atol=0.01)
    assert after.materials["fish_front"].extras == facet.load(path).materials["fish_front"].extras


def materials():
    """The node group has the scene's values, the picture is packed, and the state is stored."""
    path = CORPUS / "j3d/fish_static.bmd"
    take(path)
    scene = facet.load(path)
    for one in scene.materials:
        made = bpy.data.materials[one.name]
        group = made.node_tree.nodes["Facet Material"]
        assert np.allclose(list(group.inputs["Color"].default_value)[:3], one.base_color[:3])
        assert group.inputs["Lit"].default_value == 0  # it is unlit
        assert "stageCount" in made["facet_extras"]
        texture = group.inputs["Texture"].links[0].from_node
        assert texture.image.packed_file and tuple(texture.image.size) == (16, 16)
        pixels = np.empty(16 * 16 * 4, np.float32)
        texture.image.pixels.foreach_get(pixels)
        wanted = scene.images[0].pixels[::-1].reshape(256, -1) / 255
        assert np.allclose(pixels.reshape(-1, 4)[:, 0], wanted[:, 0], atol=1e-6)
    from io_scene_facet import panel
    rows = list(panel.rows_of({"a": {"b": [1, 2]}, "c": [{"d": 3}]}))
    assert rows == [(0, "a", ""), (1, "b", "1, 2"), (0, "c", ""), (1, "0", ""), (2, "d", "3")]


def joint_animation(count, frames):
    """An animation that rotates and moves every joint, with cubic keys."""
    def keys(size, phase, base=0):
        return [[frame, round(base + size * np.sin(phase + frame / 5), 4), 0, 0]
                for frame in range(0, frames + 1, 5)]
    return facet.Animation.from_json({
        "format": "facet-j3d-animation", "version": 1, "kind": "bck", "name": "dance",
        "frames": frames, "loop": "repeat", "rotation_shift": 1, "joints": [
            {"scale": [1, keys(0.2, k, 1) if k % 3 == 0 else 1, 1],
             "rotation": [keys(40, k), 0, keys(25, k + 1)],
             "translation": [keys(0.1, k), 0.2, 0]} for k in range(count)]})


def actions():
    """A BCK with its model: at every frame, vertices are at the library's positions."""
    model = CORPUS / "j3d/greenman_skinned.bdl"
    count = len([one for one in facet.load(model).nodes if one.mesh is None])
    joint_animation(count, 20).write(WORK / "dance.bck")
    (WORK / "model.bdl").write_bytes(model.read_bytes())
    empty()
    bpy.ops.import_scene.facet_bmd(filepath=str(WORK / "model.bdl"), directory=str(WORK), files=[
        {"name": "model.bdl"}, {"name": "dance.bck"}])
    armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    assert armature.animation_data.action.name == "dance" and bpy.context.scene.render.fps == 30
    scene = facet.load(model, animations=[WORK / "dance.bck"])
    worst = 0
    for frame in range(0, 21, 3):
        at(frame)
        worst = max(worst, stands_right(scene, 0, frame / 30))
    # Blender's bones cannot shear. Joint scaling of Softimage makes shear.
    assert worst < 2e-3, worst
    # Export as a BCK for the model: the same file. Without the original in the extras, within the
    # tolerance of docs/reference/formats/j3d-animation.md.
    give(WORK / "same.bck", like=str(model))
    assert (WORK / "same.bck").read_bytes() == (WORK / "dance.bck").read_bytes()
    del armature.animation_data.action["facet_extras"]
    give(WORK / "back.bck", like=str(model))
    assert (WORK / "back.bck").read_bytes() != (WORK / "dance.bck").read_bytes()
    again = facet.load(model, animations=[WORK / "back.bck"])
    off = 0
    for frame in range(0, 21, 3):
        for node in scene.nodes:
            if node.mesh is not None:
                off = max(off, np.abs(scene.posed_positions(node, 0, frame / 30)
                                      - again.posed_positions(node.index, 0, frame / 30)).max())
    assert off / diagonal(scene) < 2e-2, off / diagonal(scene)
    return {"pose": worst, "back": float(off / diagonal(scene))}


def j3d_animation(kind, **more):
    path = WORK / f"move.{kind}"
    facet.Animation.from_json({"format": "facet-j3d-animation", "version": 1, "kind": kind,
                               "name": "move", "frames": 20, "loop": "repeat", **more}).write(path)
    return path


def moving_materials():
    """BTK, BPK, BVA: at each frame, Blender has the values of the scene's channels."""
    (WORK / "fish.bmd").write_bytes((CORPUS / "j3d/fish_static.bmd").read_bytes())
    files = [
        j3d_animation("btk", rotation_shift=1, texture_matrices=[
            {"material": "fish_front", "matrix": 0, "center": [0.5, 0.5, 0.5], "scale": [1, 1, 1],
             "rotation": [0, 0, 0], "translation": [[[0, 0, 0, 0], [20, 1, 0, 0]], 0.25, 0]}]),
        j3d_animation("bpk", material_colors=[
            {"material": "fish_back", "R": [[0, 0, 0, 0], [20, 255, 0, 0]], "G": 255, "B": 0,
             "A": 255}]),
        j3d_animation("bva", shapes=[{"visible": [1] * 10 + [0] * 10}, {"visible": [1]}])]
    empty()
    bpy.ops.import_scene.facet_bmd(filepath=str(WORK / "fish.bmd"), directory=str(WORK), files=[
        {"name": path.name} for path in [WORK / "fish.bmd", *files]])
    front = bpy.data.materials["fish_front"].node_tree.nodes["Mapping"].inputs
    back = bpy.data.materials["fish_back"].node_tree.nodes["Facet Material"].inputs
    shape = bpy.data.objects["shape0_fish_front"]
    for frame in (0, 5, 9, 10, 15):
        at(frame)
        # Cubic from 0 to 1 in 20 frames, with tangents 0.
        s = frame / 20
        height = 3 * s * s - 2 * s ** 3
        assert abs(front["Location"].default_value[0] - height) < 2e-3, frame
        red = back["Color"].default_value[0]
        # The console stores sRGB.
        linear = height / 12.92 if height <= 0.04045 else ((height + 0.055) / 1.055) ** 2.4
        assert abs(red - linear) < 0.01, (frame, red, linear)
        assert shape.hide_render == (frame >= 10), frame
    # Animated values are not written into the model: it is unchanged.
    at(0)
    original = CORPUS / "j3d/fish_static.bmd"
    written = give(WORK / "again.bmd", like=str(original))
    assert len(facet.load(written).meshes) == 2
    before = [one.extras["j3d"]["material"] for one in facet.load(original).materials]
    for frame in (0, 5):
        at(frame)
        for options in ({}, {"like": str(original)}):
            again = facet.load(give(WORK / "again.bmd", **options))
            assert [one.extras["j3d"]["material"] for one in again.materials] == before, frame


def chosen_images():
    """BTP: a choice between two textures."""
    (WORK / "two.obj").write_text("mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\n"
                                  "vt 0 1\nusemtl a\nf 1/1 2/2 3/3\nusemtl b\nf 1/1 3/3 2/2\n")
    (WORK / "two.mtl").write_text("newmtl a\nmap_Kd red.png\nnewmtl b\nmap_Kd blue.png\n")
    for name, color in (("red", (1, 0, 0, 1)), ("blue", (0, 0, 1, 1))):
        made = bpy.data.images.new(name, 8, 8)
        made.pixels.foreach_set(np.tile(np.float32(color), 64))
        made.filepath_raw, made.file_format = str(WORK / f"{name}.png"), "PNG"
        made.save()
    facet.convert(WORK / "two.obj", WORK / "two.bmd")
    path = j3d_animation("btp", texture_maps=[
        {"material": "a", "map": 0, "textures": [0] * 5 + [1] * 15}])
    take(WORK / "two.bmd", directory=str(WORK), files=[{"name": "two.bmd"}, {"name": path.name}])
    tree = bpy.data.materials["a"].node_tree
    shown = {node.image.name for node in tree.nodes if node.bl_idname == "ShaderNodeTexImage"}
    assert len(shown) == 2, shown
    for frame, number in ((0, 0), (4, 0), (5, 1), (19, 1)):
        at(frame)
        assert tree.nodes["Texture Choice"].outputs[0].default_value == number
    written = give(WORK / "two2.bmd", like=str(WORK / "two.bmd"))
    assert written.read_bytes() == (WORK / "two.bmd").read_bytes()


def all_actions():
    """Each action becomes a separate BCK."""
    for name, frames in (("walk", 20), ("run fast", 12)):
        (WORK / f"{name}.bck").write_bytes(joint_animation(13, frames).write_bytes())
    model = CORPUS / "j3d/greenman_skinned.bdl"
    (WORK / "body.bdl").write_bytes(model.read_bytes())
    take(WORK / "body.bdl", directory=str(WORK), files=[
        {"name": "body.bdl"}, {"name": "walk.bck"}, {"name": "run fast.bck"}])
    give(WORK / "all.bck", animations="ALL", like=str(model))
    assert facet.read(WORK / "all-walk.bck").frames == 20
    assert facet.read(WORK / "all-run_fast.bck").frames == 12
    assert not (WORK / "all.bck").exists()
    give(WORK / "one.bck", like=str(model))
    assert (WORK / "one.bck").exists()


def renamed_actions():
    """Names of actions that were renamed or copied after the import. A copy that was edited is
    another file: its first rotation is that of the edited keys."""
    (WORK / "walk.bck").write_bytes(joint_animation(13, 20).write_bytes())
    model = CORPUS / "j3d/greenman_skinned.bdl"
    (WORK / "body.bdl").write_bytes(model.read_bytes())
    take(WORK / "body.bdl", directory=str(WORK), files=[{"name": "body.bdl"}, {"name": "walk.bck"}])
    walk = bpy.data.actions["walk"]
    for name in ("walk.001", "sprint"):  # the first has the suffix of every copy
        copied = walk.copy()
        copied.name, copied.use_fake_user = name, True
        for curve in copied.fcurves:
            if curve.data_path.endswith("location"):
                for key in curve.keyframe_points:
                    key.co.y += 0.5
    give(WORK / "moves.bck", animations="ALL", like=str(model))
    found = {name: facet.read(WORK / f"moves-{name}.bck") for name in ("walk", "walk.001", "sprint")}
    assert found["walk"].write_bytes() == (WORK / "walk.bck").read_bytes()
    for name in ("walk.001", "sprint"):
        assert found[name].write_bytes() != found["walk"].write_bytes(), name
    walk.name = "stroll"
    give(WORK / "moves.iqm", animations="ALL")
    names = [one.name for one in facet.load(WORK / "moves.iqm").animations]
    assert sorted(names) == ["sprint", "stroll", "walk"], names
    give(WORK / "moves.iqm")  # the active one
    assert [one.name for one in facet.load(WORK / "moves.iqm").animations] == ["stroll"]


def rates():
    """Two seconds of an action at 24 frames a second are 60 frames of a BCK, and a warning names the
    property that keeps the 48."""
    model = CORPUS / "j3d/greenman_skinned.bdl"
    (WORK / "body.bdl").write_bytes(model.read_bytes())
    (WORK / "walk.bck").write_bytes(joint_animation(13, 48).write_bytes())
    take(WORK / "body.bdl", directory=str(WORK), files=[{"name": "body.bdl"}, {"name": "walk.bck"}])
    for action in bpy.data.actions:
        del action["facet_extras"]
    bpy.context.scene.render.fps = 24
    written, warnings = warnings_of("rate.bck", like=str(model))
    assert facet.read(written).frames == 60 and any("24" in one for one in warnings), warnings
    written, warnings = warnings_of("rate.bck", like=str(model), fps=24)
    assert facet.read(written).frames == 48 and not warnings
    from io_scene_facet import options
    assert options.in_blender("--fps 24 or --angle-tolerance, not --like or --to") == \
        '"Fps" 24 or "Angle Tolerance", not "Original" or --to'
    image = bpy.data.images.new("wide", 1500, 8)
    material = next(one for one in bpy.data.materials if one.node_tree.nodes.get("Texture"))
    material.node_tree.nodes["Texture"].image = image
    refused(lambda: bpy.ops.export_scene.facet_bdl(filepath=str(WORK / "wide.bdl")), '"Resize"')


def folder_of_several_models():
    """Animations of other models in the folder, and files that cannot be read, are left out."""
    folder = WORK / "folder"
    folder.mkdir(exist_ok=True)
    (folder / "body.bdl").write_bytes((CORPUS / "j3d/greenman_skinned.bdl").read_bytes())
    (folder / "walk.bck").write_bytes(joint_animation(13, 20).write_bytes())
    (folder / "other.bck").write_bytes(joint_animation(4, 20).write_bytes())
    (folder / "broken.bck").write_bytes(b"J3D1bck1")
    take(folder / "body.bdl", directory=str(folder), animations="FOLDER",
         files=[{"name": "body.bdl"}])
    assert [one.name for one in bpy.data.actions] == ["walk"]


def painted_model(path, color, name="skin"):
    """A model with one triangle and a texture of one color. Names are the same in each."""
    scene = facet.Scene()
    pixels = np.tile(np.uint8(color), (16, 16, 1))
    scene.add_material(name).maps.set("diffuse", image=scene.add_image("texture0", pixels))
    scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], name="face", materials=0,
                   normal=[[0.0, 0, 1]] * 3, texcoord=[[0.0, 0], [1, 0], [0, 1]])
    scene.save(path, texture_format="RGB565")
    return path


def shown_colors(path):
    """The color that the texture of each material has, by the material's name."""
    scene = facet.load(path)
    return {one.name: tuple(scene.images[one.maps["diffuse"].image].pixels[0, 0, :3].tolist())
            for one in scene.materials}


def two_models():
    """Two models whose textures have the same name, with and without the original of one."""
    colors = {"skin": (255, 0, 0), "fur": (0, 0, 255)}
    paths = [painted_model(WORK / f"{name}.bdl", color, name) for name, color in colors.items()]
    for order in (paths, paths[::-1]):
        empty()
        for path in order:
            assert bpy.ops.import_scene.facet_bmd(filepath=str(path)) == {"FINISHED"}
        for like in ("", *map(str, paths)):
            written = give(WORK / "two.bdl", **({"like": like} if like else {}))
            assert shown_colors(written) == colors, (like, shown_colors(written))
            assert len(facet.load(written).meshes) == 2


def beside_the_original():
    """Another model next to the one that is exported with its original: the original's shape,
    material and texture are kept, in either order of the imports."""
    colors = {"own": (255, 0, 0), "other": (0, 0, 255)}
    own, other = (painted_model(WORK / f"{name}.bdl", colors[name]) for name in ("own", "other"))
    for order in ((own, other), (other, own)):
        empty()
        for path in order:
            assert bpy.ops.import_scene.facet_bmd(filepath=str(path)) == {"FINISHED"}
        written, notes = notes_of("both.bdl", like=str(own))
        assert any("1 of 1 kept, 0 written again, 0 hidden, 1 added" in one for one in notes), notes
        scene = facet.load(written)
        found = [tuple(scene.images[one.maps["diffuse"].image].pixels[0, 0, :3].tolist())
                 for one in scene.materials]
        assert found == [colors["own"], colors["other"]], found
        assert facet.extract(written)["hierarchy.json"]


def edited_materials():
    """Materials of an import that were changed, without the original: Blender's values are written.
    A copied material is also written with the original."""
    path = painted_model(WORK / "skin.bdl", (255, 0, 0))

    def changed(change, **options):
        objects = take(path)
        material = next(one for one in objects if one.type == "MESH").data.materials[0]
        change(material, material.node_tree.nodes)
        return facet.load(give(WORK / "changed.bdl", **options)).materials[0]

    def set_input(name, value):
        return lambda _, nodes: setattr(nodes["Facet Material"].inputs[name], "default_value", value)

    def set_scale(_, nodes):
        nodes["Mapping"].inputs["Scale"].default_value = (4, 4, 1)

    def set_image(_, nodes):
        image = bpy.data.images.new("green", 8, 8)
        image.pixels.foreach_set(np.tile(np.float32([0, 1, 0, 1]), 64))
        nodes["Texture"].image = image

    before = facet.load(path).materials[0].extras["j3d"]["material"]
    assert changed(lambda *_: None).extras["j3d"]["material"] == before
    assert changed(set_input("Color", (1, 0, 0, 1))).base_color == (1, 0, 0, 1)
    assert changed(set_input("Lit", 0)).unlit
    assert changed(lambda material, _: setattr(material, "use_backface_culling", False)).double_sided
    assert changed(set_scale).maps["diffuse"].scale == (4, 4)
    changed(set_image)
    assert shown_colors(WORK / "changed.bdl") == {"skin": (0, 255, 0)}

    objects = take(path)
    data = next(one for one in objects if one.type == "MESH").data
    copied = data.materials[0].copy()
    copied.name = "blue"
    copied.node_tree.nodes["Facet Material"].inputs["Color"].default_value = (0, 0, 1, 1)
    data.materials[0] = copied
    for options in ({}, {"like": str(path)}):
        found = facet.load(give(WORK / "changed.bdl", **options)).materials
        assert [one.base_color for one in found if one.name == "blue"] == [(0, 0, 1, 1)], options


def archives():
    """Import a model and its animation from an archive, and export into it."""
    archive = facet.Archive.new("rarc", "stage")
    archive["bdl/body.bdl"] = (CORPUS / "j3d/greenman_skinned.bdl").read_bytes()
    archive["bck/dance.bck"] = joint_animation(13, 20).write_bytes()
    archive.save(WORK / "stage.szs")
    take(WORK / "stage.szs", "arc", animations="FOLDER")
    assert any(one.type == "MESH" for one in bpy.data.objects)
    assert "dance" in bpy.data.actions
    inside = WORK / "stage.szs" / "bdl/body.bdl"
    take(inside, "bmd")
    give(inside, "bdl", like=str(inside))
    assert facet.Archive(WORK / "stage.szs")["bdl/body.bdl"] == archive["bdl/body.bdl"]
    empty()
    refused(lambda: bpy.ops.import_scene.facet_arc(filepath=str(CORPUS / "bsm/test.bsm")), "test.bsm")


# -- Created in Blender --------------------------------------------------------

def made_in_blender():
    """Two bones, a box that bends, a painted material, and an action: export to all formats with
    bones."""
    empty()
    bpy.ops.object.armature_add(enter_editmode=True)
    armature = bpy.context.object
    bones = armature.data.edit_bones
    bones[0].name, bones[0].head, bones[0].tail = "lower", (0, 0, 0), (0, 0, 1)
    upper = bones.new("upper")
    upper.head, upper.tail, upper.parent = (0, 0, 1), (0, 0, 2), bones["lower"]
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 1))
    box = bpy.context.object
    box.scale = (0.5, 0.5, 2)
    bpy.ops.object.transform_apply(location=True, scale=True)
    for name, ends in (("lower", False), ("upper", True)):
        group = box.vertex_groups.new(name=name)
        group.add([one.index for one in box.data.vertices if (one.co.z > 1) == ends], 1, "ADD")
    box.parent = armature
    box.modifiers.new("Armature", "ARMATURE").object = armature
    image = bpy.data.images.new("paint", 16, 16)
    image.pixels.foreach_set(np.tile(np.float32([1, 0, 0, 1]), 256))
    material = bpy.data.materials.new("red")
    material.use_nodes = True
    texture = material.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    material.node_tree.links.new(texture.outputs[0], material.node_tree.nodes[
        "Principled BSDF"].inputs["Base Color"])
    box.data.materials.append(material)
    pose = armature.pose.bones["upper"]
    pose.rotation_mode = "XYZ"
    for frame, angle in ((0, 0), (10, np.pi / 2)):
        pose.rotation_euler = (angle, 0, 0)
        pose.keyframe_insert("rotation_euler", frame=frame)
    armature.animation_data.action.name = "bend"
    bpy.context.scene.render.fps = 10
    at(10)
    bent = shown_of(box)

    for name in ("bmd", "bdl", "bpx", "iqm"):
        path = give(WORK / f"box.{name}")
        assert not facet.check(path).errors
        scene = facet.load(path)
        # 0.5 wide and deep, 2 high.
        high = "xyz".index(scene.axes.up)
        wanted = np.array([[-0.25] * 3, [0.25] * 3])
        wanted[:, high] = 0, 2
        assert np.allclose(scene.bounds() * (scene.axes.unit or 1), wanted, atol=1e-3), name
        assert [one.name for one in scene.materials] == ["red"]
        if name != "bpx":
            assert [one.name for one in scene.nodes if one.mesh is None] == ["lower", "upper"]
        if name in ("bmd", "bdl"):  # the others cannot store images
            assert (scene.images[0].pixels[..., :3] == [255, 0, 0]).all()
    give(WORK / "bend.bck", like=str(WORK / "box.bmd"))
    for scene in (facet.load(WORK / "box.bpx"), facet.load(WORK / "box.iqm"),
                  facet.load(WORK / "box.bmd", animations=[WORK / "bend.bck"])):
        node = next(one for one in scene.nodes if one.mesh is not None)
        found = to_blender(scene)(scene.posed_positions(node, 0, 1.0)) * (scene.axes.unit or 1)
        for one in bent:
            assert np.linalg.norm(found - one, axis=1).min() < 5e-3, one


def shown_of(one):
    evaluated = one.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = array(evaluated.to_mesh().vertices, "co", 3)
    evaluated.to_mesh_clear()
    return found


# -- BPX, IQM ------------------------------------------------------------------

def moved_apart(scene, again, animation, times):
    """The largest distance of corresponding vertices at these times, as a share of the diagonal."""
    worst = 0
    for time in times:
        a, b = (one.posed_positions(next(n for n in one.nodes if n.mesh is not None), animation, time)
                for one in (scene, again))
        if a.shape == b.shape:
            worst = max(worst, float(np.abs(np.sort(a, 0) - np.sort(b, 0)).max()))
    return worst / diagonal(scene)


def frames_of(kind):
    """Baked frames become an action. After an export, the surface and every frame are the same."""
    said = {}
    for name in SKINNED:
        path = WORK / (name[5:-4] + "." + kind)
        facet.convert(CORPUS / name, path)
        scene = facet.load(path)
        take(path)
        assert len(bpy.data.actions) == len(scene.animations)
        armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
        armature.data.pose_position = "REST"
        rest = stands_right(scene)
        assert rest < 1e-5, rest
        armature.data.pose_position = "POSE"
        # Constant values have one key.
        times = max((channel.times for channel in scene.animations[0].channels),
                    key=len) if scene.animations else []
        worst = 0
        for frame in range(0, len(times), max(1, len(times) // 8)):
            at(frame)
            worst = max(worst, stands_right(scene, 0, frame / bpy.context.scene.render.fps))
        assert worst < 1e-4, worst
        written = give(WORK / f"again.{kind}", animations="ACTIVE")
        again = facet.load(written)
        off = facet.compare(path, written).distance_bound / diagonal(scene)
        assert off < 2e-6, off
        moved = moved_apart(scene, again, 0, times[::max(1, len(times) // 8)]) if len(times) else 0
        assert moved < 1e-4, moved
        said[path.name] = [rest, worst, off, moved]
    return said


def frames():
    return frames_of("bpx")


def inter_quake_models():
    """The same for IQM. Bones and actions have the file's names, and check finds no error."""
    said = frames_of("iqm")
    for name in SKINNED:
        path = WORK / (name[5:-4] + ".iqm")
        scene = facet.load(path)
        take(path)
        names = sorted(one.name or f"{path.stem} {i}" for i, one in enumerate(scene.animations))
        assert sorted(one.name for one in bpy.data.actions) == names
        for number, one in enumerate(bpy.data.actions):
            one["loop"] = number % 2
        looping = {one.name for one in bpy.data.actions if one["loop"]}
        written = give(WORK / "all.iqm", animations="ALL")
        assert not facet.check(written).errors
        again = facet.load(written)
        assert sorted(one.name for one in again.animations) == names
        assert [one.name for one in again.nodes if one.mesh is None] == [
            one.name for one in scene.nodes if one.mesh is None]
        assert {one.name: one.extras["iqm"]["loop"] for one in again.animations} == {
            one.name: one.name in looping for one in again.animations}
        assert [one.extras["iqm"]["rate"] for one in again.animations] == [
            bpy.context.scene.render.fps] * len(again.animations)
        take(written)
        assert {one.name for one in bpy.data.actions if one.get("loop")} == looping
    return said


def scaled_rig(scale, scaled_later):
    """A bar with a hip and an upper joint, both bound with a scale. The animation turns the hip, and
    scales the upper joint."""
    rig = facet.Scene()
    places = np.array([[x, y, 0] for y in (0, 1, 2) for x in (-0.1, 0.1)], np.float32)
    ones, zeros = np.ones((6, 1)), np.zeros((6, 3))
    upper = (places[:, 1:2] > 1).astype(np.uint16)
    mesh = rig.add_mesh(places, [[0, 1, 3, 2], [2, 3, 5, 4]], name="bar",
                        joints=np.hstack([upper, zeros.astype(np.uint16)]),
                        weights=np.hstack([ones, zeros]))
    hip = rig.add_node("hip", scale=scale)
    top = rig.add_node("upper", parent=hip, translation=[0, 1 / scale[1], 0], scale=scaled_later)
    world = hip.matrix @ top.matrix
    skin = rig.add_skin([hip, top], np.linalg.inv([hip.matrix, world]))
    rig.add_node("bar", mesh=mesh, skin=skin)
    half = 0.5 ** 0.5
    rig.add_animation("bend", [
        (hip, "rotation", [0, 1], [[0, 0, 0, 1], [0, half, 0, half]]),
        (top, "scale", [0, 1], [scaled_later, np.multiply(scaled_later, [1, 2, 1])])])
    return rig


def scaled_bones():
    """Joints that are bound with a scale, and one that is scaled in motion: vertices are those of the
    library, and of an export."""
    said = {}
    for name, scale, later in (("all", (2, 2, 2), (0.5, 0.5, 0.5)), ("long", (1, 3, 1), (1, 1, 1)),
                               ("both", (2, 2, 2), (1, 0.5, 1)), ("tiny", (0.01,) * 3, (1,) * 3)):
        for kind in ("iqm", "bmd"):
            path = WORK / f"scaled-{name}.{kind}"
            rig = scaled_rig(scale, later)
            rig.save(path)
            take(path)
            scene = facet.load(path)
            off = [stands_right(scene)]
            if kind == "iqm":
                rate = bpy.context.scene.render.fps
                for second in (0.5, 1):
                    at(bpy.context.scene.frame_start + round(second * rate))
                    off.append(stands_right(scene, 0, second))
            again = facet.load(give(WORK / f"scaled-{name}-again.{kind}"))
            at_rest = (None, 0.0)
            for animation, second in [at_rest] + [(0, 0.5), (0, 1)] * (kind == "iqm"):
                wanted, found = (
                    one.posed_positions(next(node for node in one.nodes if node.mesh is not None),
                                        animation, second) for one in (scene, again))
                wanted, found = (one[np.lexsort(one.round(3).T)] for one in (wanted, found))
                off.append(float(np.abs(found - wanted).max()) / diagonal(scene))
            if kind == "bmd":
                like = give(WORK / "scaled-like.bmd", like=str(path))
                assert like.read_bytes() == path.read_bytes(), name
            assert max(off) < 2e-5, (name, kind, off)
            said[f"{name}.{kind}"] = max(off)
    return said


TESTS = [models, edited, materials, actions, moving_materials, chosen_images, all_actions,
         renamed_actions, rates, folder_of_several_models, two_models, beside_the_original, edited_materials, archives, made_in_blender, frames,
         inter_quake_models, scaled_bones]
