"""Animations of materials and of visibility: BTK, BTP, BRK, BPK, BPA and BVA, written from what
Blender shows."""

import bpy
import numpy as np

from common import CORPUS, WORK, empty, facet, give, notes_of, refused, warnings_of

FRAMES = 20
FISH = CORPUS / "j3d/fish_static.bmd"
CUBIC = [[0, 0, 0, 0], [FRAMES, 1, 0, 0]]  # from 0 to 1 with tangents 0


def animation(kind, name="move", **more):
    """An animation file from its JSON."""
    path = WORK / f"{name}.{kind}"
    facet.Animation.from_json({"format": "facet-j3d-animation", "version": 1, "kind": kind,
                                  "name": name, "frames": FRAMES, "loop": "repeat",
                                  **more}).write(path)
    return path


def matrix(material, translation, name="move"):
    return animation("btk", name, rotation_shift=1, texture_matrices=[
        {"material": material, "matrix": 0, "center": [0.5, 0.5, 0.5], "scale": [1, 1, 1],
         "rotation": [0, 0, 0], "translation": [translation, 0.25, 0]}])


def color(material, red, kind="bpk", name="move"):
    return animation(kind, name, material_colors=[
        {"material": material, "R": red, "G": 255, "B": 0, "A": 255}])


def visibility():
    return animation("bva", shapes=[{"visible": [1] * 10 + [0] * 10}, {"visible": [1]}])


def two_images():
    """A model with a red and a blue texture."""
    (WORK / "two.obj").write_text("mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\n"
                                  "vt 0 1\nusemtl a\nf 1/1 2/2 3/3\nusemtl b\nf 1/1 3/3 2/2\n")
    (WORK / "two.mtl").write_text("newmtl a\nKd 0.5 0.5 0.5\nmap_Kd red.png\n"
                                  "newmtl b\nmap_Kd blue.png\n")
    empty()
    for name, value in (("red", (1, 0, 0, 1)), ("blue", (0, 0, 1, 1))):
        made = bpy.data.images.new(name, 8, 8)
        made.pixels.foreach_set(np.tile(np.float32(value), 64))
        made.filepath_raw, made.file_format = str(WORK / f"{name}.png"), "PNG"
        made.save()
    facet.convert(WORK / "two.obj", WORK / "two.bmd")
    return WORK / "two.bmd"


def take(model, *files):
    (WORK / "model.bmd").write_bytes(model.read_bytes())
    empty()
    bpy.ops.import_scene.facet_bmd(filepath=str(WORK / "model.bmd"), directory=str(WORK), files=[
        {"name": path.name} for path in (WORK / "model.bmd", *files)])


def written(kind, model, **options):
    return give(WORK / f"out.{kind}", like=str(model), **options)


def document(path):
    return facet.read(path).to_json()


def curve(action, path, index=0):
    return next(one for one in bpy.data.actions[action].fcurves
                if path in one.data_path and one.array_index == index)


LOCATION = "inputs[1].default_value"


def untouched():
    """The same bytes at any frame, and the scene stays at its frame."""
    take(FISH, matrix("fish_front", CUBIC), color("fish_back", [[0, 0, 0, 0], [FRAMES, 255, 0, 0]]),
         visibility())
    for frame in (0, 15):
        bpy.context.scene.frame_set(frame)
        for kind in ("btk", "bpk", "bva"):
            assert written(kind, FISH).read_bytes() == (WORK / f"move.{kind}").read_bytes(), kind
        assert bpy.context.scene.frame_current == frame
    two = two_images()
    path = animation("btp", texture_maps=[
        {"material": "a", "map": 0, "textures": [0] * 5 + [1] * 15}])
    take(two, path)
    assert written("btp", two).read_bytes() == path.read_bytes()


def still():
    """Animations of 20 frames in which nothing moves: the same bytes, and the action is as long."""
    model = with_registers()
    joint = {"scale": [1, 1, 1], "translation": [0, 10, 0]}
    color_ = {"R": 5, "G": 255, "B": 0, "A": 255}
    files = [animation("bca", joints=[{**joint, "rotation": [0, [9] * FRAMES, 0]}]),
             animation("bca", joints=[{**joint, "rotation": [0, 9, 0]}]),
             animation("bck", rotation_shift=1, joints=[{**joint, "rotation": [0, 9, 0]}]),
             animation("brk", konst_colors=[], registers=[
                 {"material": "a", "register": 0, **color_}]),
             animation("bpk", material_colors=[{"material": "a", **color_}]),
             animation("bva", shapes=[{"visible": [0] * FRAMES}, {"visible": [1]}])]
    for path in files:
        take(model, path)
        assert {one.frame_range[1] for one in bpy.data.actions} == {FRAMES}, path
        assert written(path.suffix[1:], model).read_bytes() == path.read_bytes(), path


def not_shown():
    """Animations of clusters and vertex colors create no action, and a warning names them."""
    from io_scene_facet import library
    model = with_registers()
    for kind, more in (("blk", {"cluster_keys": [{"weight": CUBIC}]}),
                       ("bxk", {"vertex_colors_1": [], "vertex_colors_0": [
                           {"indices": [0], "R": [[0, 0, 0, 0], [FRAMES, 255, 0, 0]], "G": 0, "B": 0,
                            "A": 255}]})):
        path = animation(kind, **more)
        take(model, path)
        assert not bpy.data.actions and len(bpy.data.meshes) == 2, kind
        with library.load(str(model), None, [str(path)]) as loaded:
            said = [sentence for severity, sentence in loaded.findings() if severity == "WARNING"]
        assert len(said) == 1 and f"the {kind} 'move' changes nothing" in said[0], said


def edited():
    """Values of the file after an edit of keys, by arithmetic."""
    take(FISH, matrix("fish_front", CUBIC), color("fish_back", [[0, 0, 0, 0], [FRAMES, 255, 0, 0]]),
         visibility())
    for key in curve("move fish_front", LOCATION).keyframe_points:
        key.co.y += 0.5
    made = document(written("btk", FISH))["texture_matrices"]
    assert len(made) == 1 and made[0]["material"] == "fish_front"
    keys = made[0]["translation"][0]
    assert abs(keys[0][1] - 0.5) < 1e-3 and abs(keys[-1][1] - 1.5) < 1e-3, keys
    assert keys[-1][0] == FRAMES
    # Hidden from frame 4 on instead of 10.
    for member in ("hide_viewport", "hide_render"):
        for key in curve("move shape0_fish_front", member).keyframe_points:
            key.co.y = key.co.x >= 4
    shapes = document(written("bva", FISH))["shapes"]
    assert shapes[0]["visible"] == [1] * 4 + [0] * 16, shapes
    assert shapes[1]["visible"] == 1, shapes
    # Half of the color in sRGB is 0.2140 in linear color (IEC 61966-2-1), and 128 of 255.
    red = curve("move fish_back", "inputs[4]")
    for key in red.keyframe_points:
        key.co.y = 0.2158605
    made = document(written("bpk", FISH))["material_colors"]
    assert [made[0][one] for one in "RGBA"] == [128, 255, 0, 255], made
    two = two_images()
    take(two, animation("btp", texture_maps=[
        {"material": "a", "map": 0, "textures": [0] * 5 + [1] * 15}]))
    for key in curve("move a", "Texture Choice").keyframe_points:
        key.co.y = 3 <= key.co.x < 7
    maps = document(written("btp", two))["texture_maps"]
    assert maps[0]["textures"] == [0] * 3 + [1] * 4 + [0] * 13, maps


def together():
    """Animations of the color and the texture of one material play at the same time, and each is
    exported untouched. A note names the others."""
    two = two_images()
    move, fade = matrix("a", CUBIC), color("a", [[0, 0, 0, 0], [FRAMES, 255, 0, 0]])
    take(two, move, fade)
    tree = bpy.data.materials["a"].node_tree
    bpy.context.scene.frame_set(10)
    # The middle of the curve is 0.5, so red is 127.5 of 255: 0.2140 in linear color.
    assert abs(tree.nodes["Mapping"].inputs["Location"].default_value[0] - 0.5) < 2e-3
    assert abs(tree.nodes["Facet Material"].inputs["Color"].default_value[0] - 0.2140) < 5e-3
    for kind in ("btk", "bpk"):
        assert written(kind, two).read_bytes() == (WORK / f"move.{kind}").read_bytes(), kind
    _, notes = notes_of("out.btk", like=str(two))
    assert any("BRK or BPK" in one for one in notes), notes
    assert warnings_of("out.btk", like=str(two))[1] == []


def with_registers():
    """A model whose material "a" shows TEV register 0 and "b" konst color 0, both times the material
    color."""
    scene = facet.Scene()
    used = [scene.add_material("a"), scene.add_material("b")]
    scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 2, 3]],
                   materials=used)
    scene = facet.load(scene.save_bytes("bmd"))
    for one, word in zip(scene.materials, ("C0", "KONST")):
        extras = one.extras
        state = extras["j3d"]["material"]
        state["tevStages"][0]["color"]["inputs"] = ["ZERO", word, "RASC", "ZERO"]
        state["tevRegisters"][0] = state["konstColors"][0] = [255, 128, 0, 255]
        state["konstColorSelections"] = ["K0"]
        one.extras = extras
    scene.save(WORK / "registers.bmd")
    return WORK / "registers.bmd"


def shown_red(material, frame):
    bpy.context.scene.frame_set(frame)
    node = bpy.data.materials[material].node_tree.nodes["Facet Material"]
    return node.inputs["Color"].default_value[0]


def registers():
    """BRK and BPA: the color that Blender shows, the same bytes without an edit, and the values
    after one. Red rises from 0 to 255 with tangents 0, so it is 127.5 in the middle, which is 0.2140
    in linear color (IEC 61966-2-1)."""
    model, rise = with_registers(), [[0, 0, 0, 0], [FRAMES, 255, 0, 0]]
    others = {"G": 128, "B": 0, "A": 255}
    brk = animation("brk", registers=[{"material": "a", "register": 0, "R": rise, **others}],
                    konst_colors=[{"material": "b", "register": 0, "R": rise, **others}])
    take(model, brk)
    for name in "ab":
        assert abs(shown_red(name, 10) - 0.2140) < 5e-3, (name, shown_red(name, 10))
        assert abs(shown_red(name, 20) - 1) < 1e-3, name
    assert written("brk", model).read_bytes() == brk.read_bytes()
    assert written("bmd", model).read_bytes() == model.read_bytes()
    for key in curve("move a", "inputs[4]").keyframe_points:
        key.co.y = 0.2158605  # 128 of 255
    made = document(written("brk", model))
    assert made["registers"][0]["R"] == 128, made
    assert made["konst_colors"] == document(brk)["konst_colors"], made

    samples = [255] * 10 + [0] * 10
    bpa = animation("bpa", material_colors=[
        {"material": "a", "R": samples, "G": [255] * FRAMES, "B": [0] * FRAMES, "A": [255] * FRAMES}])
    take(model, bpa)
    assert shown_red("a", 5) == 1 and shown_red("a", 15) == 0
    assert written("bpa", model).read_bytes() == bpa.read_bytes()
    for key in curve("move a", "inputs[4]").keyframe_points:
        key.co.y = key.co.x >= 4
    made = document(written("bpa", model))["material_colors"]
    assert [one["material"] for one in made] == ["a"]
    assert made[0]["R"] == [0] * 4 + [255] * 16, made
    for name, value in others.items():
        assert set(np.atleast_1d(made[0][name])) == {255 if name == "G" else value}, made
    assert document(written("bpk", model))["material_colors"][0]["material"] == "a"


def several():
    """Two files for one material: the first plays, and All Actions writes both."""
    files = [matrix("fish_front", CUBIC, "flow"), matrix("fish_front", [[0, 0, 0, 0], [FRAMES, 3, 0, 0]],
                                                         "rush")]
    take(FISH, *files)
    assert written("btk", FISH).read_bytes() == files[0].read_bytes()
    give(WORK / "all.btk", like=str(FISH), animations="ALL")
    for path in files:
        assert (WORK / f"all-{path.name}").read_bytes() == path.read_bytes(), path
    tree = bpy.data.materials["fish_front"].node_tree
    assert tree.animation_data.action.name == "flow fish_front" and tree.animation_data.use_nla
    # Two files for two materials play together and become one file, with a note.
    take(FISH, matrix("fish_front", CUBIC, "flow"), matrix("fish_back", CUBIC, "rush"))
    path, notes = notes_of("out.btk", like=str(FISH))
    if bpy.data.materials["fish_back"].node_tree.animation_data:
        assert any("flow, rush" in one for one in notes), notes
        assert len(document(path)["texture_matrices"]) == 2


def own():
    """Keys that the user sets on a model without animations. u of the file is u in Blender."""
    take(FISH)
    mapping = bpy.data.materials["fish_front"].node_tree.nodes["Mapping"]
    for frame, value in ((1, 0), (21, 2)):
        mapping.inputs["Location"].default_value[0] = value
        mapping.inputs["Location"].keyframe_insert("default_value", index=0, frame=frame)
    one = bpy.data.objects["shape1_fish_back"]
    for frame, hidden in ((1, False), (6, True)):
        one.hide_render = hidden
        one.keyframe_insert("hide_render", frame=frame)
    bpy.context.scene.render.fps = 30
    path, warnings = warnings_of("out.btk", like=str(FISH))
    made = document(path)
    assert made["frames"] == 20 and not warnings, warnings
    keys = made["texture_matrices"][0]["translation"][0]
    assert [round(key[1], 2) for key in (keys[0], keys[-1])] == [0, 2], keys
    path, warnings = warnings_of("out.bva", like=str(FISH))
    assert not warnings, warnings
    shapes = document(path)["shapes"]
    assert shapes[0]["visible"] == 1 and shapes[1]["visible"] == [1] * 5 + [0], shapes
    refused(lambda: written("btp", FISH), "no animation", "Texture Choice")
    refused(lambda: written("brk", FISH), "no animation", "color")


def onto_a_model():
    """Animation files without the model are added to the selected model, and play. The values are
    those of an import together with the model."""
    def values():
        found = []
        for frame in (0, 7, 15):
            bpy.context.scene.frame_set(frame)
            node = bpy.data.materials["fish_front"].node_tree.nodes["Mapping"]
            found += [*node.inputs["Location"].default_value,
                      bpy.data.objects["shape0_fish_front"].hide_viewport]
        return found
    move, hide = matrix("fish_front", CUBIC), visibility()
    take(FISH, move, hide)
    wanted = values()
    take(FISH, matrix("fish_front", 0.75, "still"))
    bpy.context.view_layer.objects.active = bpy.data.objects["shape1_fish_back"]
    assert bpy.ops.import_scene.facet_bmd(directory=str(WORK), files=[
        {"name": one.name} for one in (move, hide)]) == {"FINISHED"}
    assert len(bpy.data.objects) == 3 and values() == wanted
    for path in (move, hide):
        assert written(path.suffix[1:], FISH).read_bytes() == path.read_bytes(), path
    empty()
    refused(lambda: bpy.ops.import_scene.facet_bmd(filepath=str(move)), "no model")


def joints_onto_a_model():
    """A BCK on an armature that has another action and a scale: the pose is that of an import
    together with the model. A BTK leaves it."""
    from bones import joint_animation
    model = CORPUS / "j3d/greenman_skinned.bdl"
    joint_animation(13, 20).write(WORK / "walk.bck")
    joint_animation(13, 12).write(WORK / "run.bck")
    (WORK / "model.bdl").write_bytes(model.read_bytes())

    def load(*names):
        empty()
        bpy.ops.import_scene.facet_bmd(filepath=str(WORK / "model.bdl"), scale=0.01,
                                       directory=str(WORK), files=[{"name": one} for one in names])
        return next(one for one in bpy.data.objects if one.type == "ARMATURE")

    def pose(armature):
        bpy.context.scene.frame_set(18)  # after the end of the second one
        return np.array([one.matrix for one in armature.pose.bones])
    wanted = pose(load("model.bdl", "run.bck"))
    armature = load("model.bdl", "walk.bck")
    assert np.abs(pose(armature) - wanted).max() > 1e-3
    bpy.context.view_layer.objects.active = armature
    bpy.ops.import_scene.facet_bmd(filepath=str(WORK / "run.bck"))
    assert armature.animation_data.action.name == "run"
    assert np.allclose(pose(armature), wanted, atol=1e-6)
    give(WORK / "all.bck", like=str(model), animations="ALL")
    for name in ("walk", "run"):
        assert facet.read(WORK / f"all-{name}.bck").frames == (20 if name == "walk" else 12)
    name = facet.load(model).materials[0].name
    bpy.ops.import_scene.facet_bmd(filepath=str(matrix(name, CUBIC)))
    assert armature.animation_data.action.name == "run"


def along_limbs():
    """Bones that point along limbs: a bone with one bone below ends at its head. Vertices, the model
    and its animation are those of the file."""
    from bones import joint_animation, stands_right
    model = CORPUS / "j3d/greenman_skinned.bdl"
    (WORK / "model.bdl").write_bytes(model.read_bytes())
    keys = joint_animation(13, 20).to_json()
    for joint in keys["joints"]:
        joint["scale"] = [1, 1, 1]
    facet.Animation.from_json(keys).write(WORK / "walk.bck")
    empty()
    bpy.ops.import_scene.facet_bmd(filepath=str(WORK / "model.bdl"), bones="LIMBS",
                                   directory=str(WORK),
                                   files=[{"name": "model.bdl"}, {"name": "walk.bck"}])
    armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    along = [(bone.tail_local - bone.children[0].head_local).length / bone.length
             for bone in armature.data.bones if len(bone.children) == 1
             and (bone.children[0].head_local - bone.head_local).length > 1e-3]
    assert along and max(along) < 1e-3, along
    scene = facet.load(model, animations=[WORK / "walk.bck"])
    for frame in (0, 7, 18):
        bpy.context.scene.frame_set(frame)
        assert stands_right(scene, 0, frame / 30) < 1e-5, frame
    assert give(WORK / "out.bdl", like=str(model)).read_bytes() == model.read_bytes()
    assert give(WORK / "out.bck", like=str(model)).read_bytes() == (WORK / "walk.bck").read_bytes()
    assert not facet.check(give(WORK / "alone.bdl")).errors


def added_choice():
    """The button adds a choice between all images to a material without one. The first image is
    still the one that the model has."""
    two = two_images()
    take(two)
    one = next(one for one in bpy.data.objects if one.type == "MESH"
               and one.material_slots[0].material.name == "a")
    bpy.context.view_layer.objects.active = one
    assert bpy.ops.material.facet_choose_images() == {"FINISHED"}
    assert bpy.ops.material.facet_choose_images() == {"FINISHED"}  # adds nothing again
    tree = bpy.data.materials["a"].node_tree
    assert sorted(node.image.name for node in tree.nodes
                  if node.bl_idname == "ShaderNodeTexImage") == ["blue", "red"]
    output = tree.nodes["Texture Choice"].outputs[0]
    first, other = output.default_value, 1 - output.default_value
    for frame, value in ((0, first), (4, other), (9, first)):
        output.default_value = value
        output.keyframe_insert("default_value", frame=frame)
    for key in tree.animation_data.action.fcurves[0].keyframe_points:
        key.interpolation = "CONSTANT"
    bpy.context.scene.render.fps = 30
    maps = document(written("btp", two))["texture_maps"]
    assert [one["material"] for one in maps] == ["a"]
    assert maps[0]["textures"] == [0] * 4 + [1] * 5, maps
    bpy.context.scene.frame_set(5)
    assert written("bmd", two).read_bytes() == two.read_bytes()


def hidden_for_now():
    """A shape that its animation hides at the current frame stays in the model."""
    take(FISH, visibility())
    bpy.context.scene.frame_set(15)
    assert bpy.data.objects["shape0_fish_front"].hide_viewport
    assert written("bmd", FISH).read_bytes() == FISH.read_bytes()
    assert len(facet.load(give(WORK / "alone.bmd")).meshes) == 2
    # A shape that the user hid is not exported.
    bpy.context.scene.frame_set(0)
    bpy.data.objects["shape0_fish_front"].hide_set(True)
    assert len(facet.load(give(WORK / "alone.bmd")).meshes) == 1


def hidden_differently():
    """Different visibility in viewport and render: that of the viewport is written, with a
    warning."""
    take(FISH, visibility())
    action = bpy.data.actions["move shape0_fish_front"]
    for key in curve(action.name, "hide_render").keyframe_points:
        key.co.y = 0
    path, warnings = warnings_of("out.bva", like=str(FISH))
    assert document(path)["shapes"][0]["visible"] == [1] * 10 + [0] * 10
    assert any("shape0_fish_front" in one and "viewport" in one for one in warnings), warnings


TESTS = [untouched, still, not_shown, edited, together, registers, several, own, onto_a_model, joints_onto_a_model, along_limbs, added_choice, hidden_for_now, hidden_differently]
