"""Exports have what Blender shows, or report what they leave out: mirrors, poses, hulls, loose
parts. Expected numbers are those of the primitives, or of Blender's evaluated meshes."""

import bpy
import numpy as np
from mathutils import Matrix

from io_scene_facet import summary

from common import CORPUS, WORK, empty, facet, give, notes_of, warnings_of


def cube(scale=(1, 1, 1)):
    bpy.ops.mesh.primitive_cube_add(size=2)
    made = bpy.context.object
    made.scale = scale  # as an option of the operator it would be applied to the mesh
    bpy.context.view_layer.update()
    return made


def armature():
    """Three bones of length 1 above each other."""
    bpy.ops.object.armature_add(enter_editmode=True)
    made = bpy.context.object
    bones, above = made.data.edit_bones, None
    bones.remove(bones[0])
    for i in range(3):
        bone = bones.new(f"b{i}")
        bone.head, bone.tail, bone.parent = (0, 0, i), (0, 0, i + 1), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return made


def rigged(modifier=True):
    """An armature and a bar of height 3 that its bones bend: (armature, bar)."""
    empty()
    bones = armature()
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=1, y_subdivisions=6, size=3)
    bar = bpy.context.object
    bar.data.transform(Matrix.Translation((0, 0, 1.5)) @ Matrix.Rotation(np.pi / 2, 4, "X"))
    for i in range(3):
        group = bar.vertex_groups.new(name=f"b{i}")
        group.add([one.index for one in bar.data.vertices
                   if min(int(one.co.z + 1e-4), 2) == i], 1, "REPLACE")
    bar.parent = bones
    if modifier:
        bar.modifiers.new("A", "ARMATURE").object = bones
    return bones, bar


def turning(bones, name, bone, angle=1.0):
    """An action that turns a bone in the frames 1 to 10."""
    made = bpy.data.actions.new(name)
    made.use_fake_user = True
    bones.animation_data_create().action = made
    pose = bones.pose.bones[bone]
    pose.rotation_mode = "XYZ"
    for frame, at in ((1, 0), (10, angle)):
        pose.rotation_euler.x = at
        pose.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)
    return made


def moving(one, frames=((1, 0), (10, 5))):
    for frame, x in frames:
        one.location.x = x
        one.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)


def points_at(one, frame):
    """World positions of a mesh as Blender shows it."""
    bpy.context.scene.frame_set(frame)
    evaluated = one.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = np.array([one.matrix_world @ vertex.co for vertex in evaluated.to_mesh().vertices])
    evaluated.to_mesh_clear()
    return found


def distance(scene, wanted, frame, animation=0):
    """The largest distance of the file's vertices to Blender's, at a frame."""
    posed = scene.copy()
    posed.set_axes(up="z")
    posed.flatten(merge=True, animation=animation, time=(frame - 1) / 24)
    found = posed.meshes[0].positions.astype(float) * (posed.axes.unit or 1)
    apart = np.linalg.norm(found[:, None] - wanted[None], axis=2)
    return max(apart.min(0).max(), apart.min(1).max())


def follows(one, frames=(1, 10), shown=1, **options):
    """Export an IQM at the frame `shown`. It has Blender's vertices at these frames. Returns the
    warnings."""
    wanted = {frame: points_at(one, frame) for frame in frames}
    bpy.context.scene.frame_set(shown)
    path, said = warnings_of("shown.iqm", **options)
    scene = facet.load(path)
    for frame in frames:
        off = distance(scene, wanted[frame], frame)
        assert off < 1e-3, (frame, off)
    return said


def has_warning(said, *parts):
    assert any(all(part in one for part in parts) for one in said), (parts, said)


# -- Meshes --------------------------------------------------------------------

def outward(points, triangles):
    """The share of triangles around the origin that face outward."""
    a, b, c = (points[triangles[:, i]].astype(float) for i in range(3))
    return float(((np.cross(b - a, c - a) * (a + b + c)).sum(1) > 0).mean())


def mirrored():
    """A skinned cube with the object scale (-1, 1, 1): all triangles face outward."""
    for name in ("iqm", "bmd", "bpx", "bsm", "bga", "binarymesh"):
        empty()
        bones, one = armature(), cube(scale=(-1, 1, 1))
        one.vertex_groups.new(name="b0").add(range(8), 1, "REPLACE")
        one.modifiers.new("A", "ARMATURE").object = bones
        scene = facet.load(give(WORK / f"mirrored.{name}"))
        scene.prepare()
        mesh = scene.meshes[0]
        assert outward(mesh.positions, mesh.triangles) == 1, name
        assert (mesh.streams["normal"].corners * mesh.streams["position"].corners).sum(1).min() > 0


def collision():
    """Hulls and occluders have modifiers and shape keys, also mirrored and in an instance.

    A cube with 3 copies side by side is 6 wide. A key makes a cube 6 high. Subdivision once gives
    6 * 4 faces.
    """
    empty()
    cube()
    hull = cube()
    hull.name = "collision_mesh_a"
    hull.modifiers.new("A", "ARRAY").count = 3

    def size():
        hulls = facet.load(give(WORK / "hull.bsm")).hulls
        return np.ptp(hulls[0].points, axis=0).round(4).tolist()
    assert size() == [6, 2, 2]
    hull.modifiers.clear()
    hull.shape_key_add()
    key = hull.shape_key_add()
    for point in key.data:
        point.co.z *= 3
    key.value = 1
    assert size() == [2, 6, 2]
    hull.hide_set(True)
    assert size() == [2, 6, 2]

    empty()
    cube()
    one = cube(scale=(-1, 1, 1))
    one.name = "occlusion_mesh"
    one.modifiers.new("S", "SUBSURF").levels = 1
    found = facet.load(give(WORK / "occluder.bsm")).occluder
    assert len(found.triangles) == 48 and outward(found.positions, found.triangles) == 1

    empty()
    inner = bpy.data.collections.new("inner")
    for name in ("collision_mesh_1", "occlusion_mesh", "body"):
        one = cube()
        one.name = name
        inner.objects.link(one)
        bpy.context.collection.objects.unlink(one)
    shown = bpy.data.objects.new("shown", None)
    shown.instance_type, shown.instance_collection, shown.location.x = "COLLECTION", inner, 5
    bpy.context.collection.objects.link(shown)
    scene = facet.load(give(WORK / "instance.bsm"))
    assert len(scene.hulls) == 1 and scene.meshes[0].face_count == 12
    assert len(scene.occluder.triangles) == 12 and scene.hulls[0].points[:, 0].min() == 4


def loose():
    """Vertices without edges are points of a BGA, and reported by the others. Curves without
    modifiers; paths from the .blend."""
    empty()
    mesh = bpy.data.meshes.new("m")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0), (5, 5, 5)], [], [(0, 1, 2)])
    bpy.context.collection.objects.link(bpy.data.objects.new("o", mesh))
    assert facet.load(give(WORK / "loose.bga")).meshes[0].points == [3]
    for name in ("bsm", "bpx", "binarymesh", "iqm", "bmd"):
        has_warning(warnings_of(f"loose.{name}")[1], "cannot hold points")
    empty()
    bpy.ops.curve.primitive_bezier_circle_add()
    bpy.context.object.data.bevel_depth = 0.25
    single = facet.load(give(WORK / "curve.bsm")).meshes[0].face_count
    bpy.context.object.modifiers.new("A", "ARRAY").count = 2
    assert facet.load(give(WORK / "curve.bsm")).meshes[0].face_count == 2 * single
    path = give(WORK / "curve.bsm", apply_modifiers=False)
    assert facet.load(path).meshes[0].face_count == single
    assert bpy.context.object.modifiers[0].show_viewport
    bpy.ops.wm.save_as_mainfile(filepath=str(WORK / "saved.blend"))
    (WORK / "beside.bsm").unlink(missing_ok=True)
    assert bpy.ops.export_scene.facet_bsm(filepath="//beside.bsm") == {"FINISHED"}
    assert (WORK / "beside.bsm").exists()
    assert bpy.ops.import_scene.facet_bsm(filepath="//beside.bsm") == {"FINISHED"}


def from_library():
    """Objects, materials, images and armatures of a linked library keep their own colors and bones,
    although local ones have the same names."""
    def colored(color):
        one = cube()
        one.name = "one"
        one.data.materials.append(bpy.data.materials.new("paint"))
        one.data.materials[0].diffuse_color = color
        image = bpy.data.images.new("image", 2, 2)
        image.pixels.foreach_set(np.tile(np.float32(color), 4))
        image.pack()
        sheet = bpy.data.materials.new("sheet")
        sheet.use_nodes = True
        nodes = sheet.node_tree.nodes
        shown = nodes.new("ShaderNodeTexImage")
        shown.image = image
        sheet.node_tree.links.new(shown.outputs[0], nodes["Principled BSDF"].inputs[0])
        one.data.materials.append(sheet)
        one.data.polygons[0].material_index = 1
        bones = armature()
        bones.name = "bones"
        one.vertex_groups.new(name="b0").add(range(8), 1, "REPLACE")
        one.modifiers.new("A", "ARMATURE").object = bones
    empty()
    colored((1, 0, 0, 1))
    bpy.ops.wm.save_as_mainfile(filepath=str(WORK / "library.blend"))
    empty()
    colored((0, 1, 0, 1))
    with bpy.data.libraries.load(str(WORK / "library.blend"), link=True) as (there, here):
        here.objects = list(there.objects)
    for one in here.objects:
        bpy.context.collection.objects.link(one)
    scene = facet.load(give(WORK / "library.bga"))
    assert scene.meshes[0].face_count == 24
    scene = facet.load(give(WORK / "library.iqm"))
    assert [one.name for one in scene.nodes if one.mesh is None] == ["b0", "b1", "b2"] * 2
    scene = facet.load(give(WORK / "library.bmd"))
    colors = {tuple(np.round(one.base_color, 2)) for one in scene.materials
              if one.name.startswith("paint")}
    assert colors == {(1, 0, 0, 1), (0, 1, 0, 1)}, colors
    pixels = {tuple(one.pixels.reshape(-1, one.pixels.shape[-1])[0][:3]) for one in scene.images}
    assert pixels == {(255, 0, 0), (0, 255, 0)}, pixels


# -- Bones ---------------------------------------------------------------------

def root_motion():
    """The armature object moves in the same action, and alone."""
    bones, bar = rigged()
    turning(bones, "walk", "b1")
    moving(bones)
    assert follows(bar) == []
    assert follows(bar, animations="ALL") == []
    bones, bar = rigged()
    moving(bones)
    assert follows(bar) == []
    # A BCK: the first joint of the model moves 5 m, 500 units.
    model = CORPUS / "j3d/greenman_skinned.bdl"
    empty()
    bpy.ops.import_scene.facet_bmd(filepath=str(model))
    bones = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    moving(bones)
    bpy.context.scene.render.fps = 30
    give(WORK / "root.bck", like=str(model))
    scene = facet.load(model, animations=[WORK / "root.bck"])
    node = next(one for one in scene.nodes if one.mesh is not None)
    far = scene.posed_positions(node, 0, 10.0) - scene.posed_positions(node, 0, 0.0)
    assert np.allclose(far, [500, 0, 0], atol=0.01), far


def separate_actions():
    """Each action shows its own bones only, without NLA strips. The scene stays."""
    bones, bar = rigged()
    actions = [turning(bones, f"turn{i}", f"b{i}", 0.5 + i) for i in (1, 2)]
    track = bones.animation_data.nla_tracks.new()
    track.strips.new("under", 1, turning(bones, "under", "b0"))
    wanted = {}
    for action in actions:
        bones.animation_data.use_nla = False
        bones.animation_data.action = action
        for pose in bones.pose.bones:
            pose.matrix_basis.identity()
        wanted[action.name] = points_at(bar, 10)
    bones.animation_data.use_nla = True
    for active in (actions[0], None):
        bones.animation_data.action = active
        bones.pose.bones["b0"].rotation_euler = (0, 0, 0.75)
        bpy.context.scene.frame_set(3, subframe=0.5)
        bones.pose.bones["b0"].location = (0.25, 0, 0)
        scene = facet.load(give(WORK / "all.iqm", animations="ALL"))
        for i, one in enumerate(scene.animations):
            if one.name in wanted:
                assert distance(scene, wanted[one.name], 10, i) < 1e-3, one.name
        data, now = bones.animation_data, bpy.context.scene
        assert data.action == active and data.use_nla
        assert (now.frame_current, now.frame_subframe) == (3, 0.5)
        assert tuple(bones.pose.bones["b0"].location) == (0.25, 0, 0)
    bones.animation_data_clear()
    bones.pose.bones["b0"].rotation_euler = (0, 0, 0.75)
    give(WORK / "all.iqm", animations="ALL")
    assert bones.animation_data is None
    assert tuple(bones.pose.bones["b0"].rotation_euler) == (0, 0, 0.75)


def strips_only():
    """Without an action, the NLA strips are one animation, as Blender plays them."""
    bones, bar = rigged()
    tracks = bones.animation_data_create().nla_tracks
    walk, nod = turning(bones, "walk", "b1"), turning(bones, "nod", "b2", 0.5)
    for start, action in ((1, walk), (5, nod)):
        tracks.new().strips.new(action.name, start, action)
    tracks[1].strips[0].extrapolation = "NOTHING"  # nod replaces nothing before its first frame
    bones.animation_data.action = None
    assert follows(bar, frames=(1, 5, 9, 14)) == []
    scene = facet.load(WORK / "shown.iqm")
    assert [one.name for one in scene.animations] == [bones.name]
    tracks[1].mute = True
    assert follows(bar, frames=(1, 10)) == []
    scene = facet.load(WORK / "shown.iqm")
    assert [(one.name, round(one.duration * 24)) for one in scene.animations] == [("walk", 9)]
    bones.data.pose_position = "REST"  # the action is exported anyway
    again = facet.load(give(WORK / "rest.iqm"))
    for at in (0, 9 / 24):
        found, wanted = (one.posed_positions(one.nodes[-1], 0, at) for one in (again, scene))
        assert np.abs(found - wanted).max() < 1e-5
    assert bones.data.pose_position == "REST" and bones.animation_data.action is None


def deformed_by_parent():
    """An object whose parent deforms it without a modifier, also with shape keys."""
    for has_key in (False, True):
        bones, bar = rigged(modifier=False)
        bar.parent_type = "ARMATURE"
        turning(bones, "walk", "b1")
        if has_key:
            bar.shape_key_add()
            key = bar.shape_key_add()
            for point in key.data:
                point.co.y += 0.5
            key.value = 1
        for shown in (1, 10):
            assert follows(bar, shown=shown) == []
            assert bar.parent_type == "ARMATURE"


def ignored_weights():
    """Bones that do not deform have no weights. Other properties of modifiers are reported."""
    bones, bar = rigged()
    turning(bones, "walk", "b1")
    assert follows(bar) == []
    bar.vertex_groups["b0"].add(range(len(bar.data.vertices)), 0.5, "ADD")
    bones.data.bones["b1"].use_deform = False
    assert follows(bar) == []

    # A vertex group limits what moves. The first bone does not move here, so all is right.
    for is_inverted in (False, True):
        bones, bar = rigged()
        turning(bones, "walk", "b1")
        mask = bar.vertex_groups.new(name="mask")
        for i in range(len(bar.data.vertices)):
            mask.add([i], (i % 6) / 5, "REPLACE")  # n / 255 in an IQM
        bar.modifiers["A"].vertex_group = "mask"
        bar.modifiers["A"].invert_vertex_group = is_inverted
        partly = sum(i % 6 != (0 if is_inverted else 5) for i in range(len(bar.data.vertices)))
        said = follows(bar)
        assert len(said) == 1, said
        has_warning(said, "the vertex group mask", f" {partly} vertices go partly")

    for edit, part in (
            (lambda: setattr(bar.modifiers["A"], "vertex_group", "b2"), "vertex group"),
            (lambda: setattr(bar.modifiers["A"], "show_viewport", False), "disabled"),
            (lambda: setattr(bar.modifiers["A"], "use_vertex_groups", False), "ignores"),
            (lambda: setattr(bar.modifiers["A"], "use_bone_envelopes", True), "envelopes"),
            (lambda: setattr(bar.modifiers["A"], "use_deform_preserve_volume", True), "volume"),
            (lambda: setattr(bar.modifiers.new("B", "ARMATURE"), "object", armature()),
             "the armature")):
        bones, bar = rigged()
        edit()
        has_warning(warnings_of("weights.iqm")[1], bar.name, part)


def later_modifiers():
    """A mirror before or after the armature gives the same file; only after it is reported.

    The bar is 3 high, from -1.5 to 1.5 in x. Its pose is bent, the file's rest is not.
    """
    found = []
    for is_later in (False, True):
        bones, bar = rigged(modifier=is_later)
        bar.modifiers.new("Two Sides", "MIRROR").use_axis = (False, True, False)
        bar.modifiers.new("Cut", "TRIANGULATE")
        if not is_later:
            bar.modifiers.new("A", "ARMATURE").object = bones
        bones.pose.bones["b1"].rotation_mode = "XYZ"
        bones.pose.bones["b1"].rotation_euler.x = 1
        path, said = warnings_of("later.iqm")
        if is_later:
            assert len(said) == 1, said
            has_warning(said, bar.name, "applies Two Sides after the armature")
        else:
            assert said == []
        assert [one.show_viewport for one in bar.modifiers] == [True] * 3
        assert bones.data.pose_position == "POSE"
        found.append(facet.load(path).meshes[0].positions)
    assert np.array_equal(*found)


def at_rest():
    """A deformed mesh is evaluated at rest: a Shrinkwrap sees its target at rest, and a shape key
    has the value of the bone at rest. A rigid mesh is evaluated in the pose."""
    def key(one):
        one.shape_key_add()
        key = one.shape_key_add()
        for point in key.data:
            point.co.y += 5
        curve = key.driver_add("value").driver
        curve.expression = "v"
        variable = curve.variables.new()
        variable.name, variable.type = "v", "TRANSFORMS"
        target = variable.targets[0]
        target.id, target.bone_target = bones, "b0"
        target.transform_type, target.transform_space = "LOC_X", "LOCAL_SPACE"
    bones, bar = rigged()
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=1, y_subdivisions=6, size=2, location=(0, 1, 1.5),
                                    rotation=(np.pi / 2, 0, 0))
    coat = bpy.context.object
    coat.vertex_groups.new(name="b0").add(range(len(coat.data.vertices)), 1, "REPLACE")
    coat.modifiers.new("S", "SHRINKWRAP").target = bar
    coat.modifiers.new("A", "ARMATURE").object = bones
    for one in bones.pose.bones:
        one.rotation_mode = "XYZ"
    bones.pose.bones["b1"].rotation_euler.x = -1  # toward the coat
    bpy.context.view_layer.update()
    scene = facet.load(give(WORK / "rest.iqm"))
    ends = [np.ptp(one.positions[:, 1]) for one in scene.meshes]
    assert max(ends) < 1e-5, ends  # the bar and the coat are in the plane y = 0

    bones, bar = rigged()
    key(bar)
    rigid = cube()
    key(rigid)
    for each in bones.pose.bones["b0"], bones.pose.bones["b2"]:
        each.location.x = 1
    bpy.context.view_layer.update()
    scene = facet.load(give(WORK / "rest.iqm"))
    spans = {one.name: one.positions[:, 1].max() for one in scene.meshes}
    assert abs(spans[bar.data.name]) < 1e-5 and abs(spans[rigid.data.name] - 6) < 1e-5, spans
    assert abs(bar.data.shape_keys.key_blocks[1].value - 1) < 1e-6


def on_bones():
    """Children of a bone with a constraint or a delta are where Blender shows them. Shear is
    reported."""
    for edit in (lambda one, bones: None,
                 lambda one, bones: setattr(one, "delta_location", (2, 0, 0)),
                 lambda one, bones: setattr(one.constraints.new("COPY_LOCATION"), "target", bones)):
        bones, bar = rigged()
        bpy.data.objects.remove(bar)
        turning(bones, "walk", "b0", 0)
        one = cube(scale=(0.2, 0.2, 0.2))
        one.parent, one.parent_type, one.parent_bone = bones, "BONE", "b2"
        edit(one, bones)
        bpy.context.view_layer.update()
        said = follows(one, frames=(1,))
        assert len(said) == len(one.constraints) and all("constraints" in each for each in said)
    for mode, is_sheared in (("FULL", False), ("NONE", True), ("ALIGNED", True)):
        bones, bar = rigged()
        turning(bones, "walk", "b2")
        bones.pose.bones["b1"].scale = (1, 3, 1)  # along the bone, across for the turned one
        bones.data.bones["b2"].inherit_scale = mode
        said = warnings_of("shear.iqm")[1]
        assert any("shear" in one for one in said) == is_sheared, (mode, said)


def reported():
    """Motion, hair and empties that are left out are reported. Nothing is reported without
    motion."""
    bones, bar = rigged()
    turning(bones, "walk", "b1")
    moving(bar)
    has_warning(warnings_of("said.iqm")[1], bar.name, "relative to the armature")
    has_warning(warnings_of("said.iqm")[1], bar.name, "animation of the object")
    bones, bar = rigged()
    strips = bones.animation_data_create().nla_tracks.new().strips
    strips.new("one", 1, turning(bones, "walk", "b1"))
    bones.animation_data.action = None
    assert len(facet.load(give(WORK / "said.iqm", animations="ALL")).animations) == 1

    empty()
    one = cube()
    moving(one)
    data = one.animation_data
    data.nla_tracks.new().strips.new("one", 1, data.action)
    data.action = None
    has_warning(warnings_of("said.iqm")[1], one.name, "animation of the object")

    empty()
    one = cube()
    one.shape_key_add()
    key = one.shape_key_add()
    assert warnings_of("said.bpx")[1] == []
    for frame, key.value in ((1, 0), (10, 1)):
        key.keyframe_insert("value", frame=frame)
    has_warning(warnings_of("said.bpx")[1], one.name, "shape keys")
    assert warnings_of("said.bpx", animations="NONE")[1] == []
    one.keyframe_insert("hide_render", frame=1)
    has_warning(warnings_of("said.bpx")[1], one.name, "visibility")
    tree = bpy.data.materials.new("sign")
    tree.use_nodes = True
    one.data.materials.append(tree)
    tree = tree.node_tree
    tree.nodes["Principled BSDF"].inputs["Alpha"].keyframe_insert("default_value", frame=1)
    has_warning(warnings_of("said.bpx")[1], "sign", "the animation of the material")
    for name in ("said.bsm", "said.bmd"):
        path, said = notes_of(name)
        assert any("Cube, sign are left out" in one and (".bmd" in name) == ("BCK" in one)
                   for one in said), said
    one.modifiers.new("P", "PARTICLE_SYSTEM")
    one.particle_systems[0].settings.type = "HAIR"
    has_warning(warnings_of("said.bsm")[1], one.name, "hair")

    bones, bar = rigged()
    socket = bpy.data.objects.new("socket", None)
    bpy.context.collection.objects.link(socket)
    socket.parent, socket.parent_type, socket.parent_bone = bones, "BONE", "b2"
    has_warning(warnings_of("said.iqm")[1], "socket", "b2")
    inner = bpy.data.collections.new("inner")
    for one in (bones, bar):
        inner.objects.link(one)
        bpy.context.collection.objects.unlink(one)
    shown = bpy.data.objects.new("shown", None)
    shown.instance_type, shown.instance_collection = "COLLECTION", inner
    bpy.context.collection.objects.link(shown)
    has_warning(warnings_of("said.iqm")[1], bar.name, "instance")


def units_and_counts():
    """A unit scale is reported. Moving shape keys are reported for formats without animations.
    Instances are counted: a cube of 12 triangles, and two that share a mesh."""
    empty()
    one = cube()
    one.shape_key_add()
    one.shape_key_add().keyframe_insert("value", frame=1)
    for name in ("said.bsm", "said.bmd"):
        assert any("Cube are left out" in note or "Cube" in note and "no animations" in note
                   for note in notes_of(name)[1])
    assert warnings_of("said.bga")[1] == []
    bpy.context.scene.unit_settings.scale_length = 0.01
    has_warning(warnings_of("said.bga")[1], "Unit Scale 0.01", "set Scale to 0.01")
    empty()
    one = cube()
    for i in (1, 2):
        shown = bpy.data.objects.new("shown", None)
        inner = bpy.data.collections.new("inner")
        shown.instance_type, shown.location.x = "COLLECTION", 5 * i
        bpy.context.collection.objects.link(shown)
        inner.objects.link(one)
        shown.instance_collection = inner
    said, finish = [], summary.Summary.finish
    summary.Summary.finish = lambda self, sentence: said.append(sentence)
    try:
        give(WORK / "said.bmd")
    finally:
        summary.Summary.finish = finish
    assert "2 meshes with 24 faces, 3 instances with 36 faces" in said[0], said


def posed():
    """Formats without bones get the pose that Blender shows, of a modifier or of a parent. Without
    modifiers, they get the rest pose. The pose stays in Blender."""
    for modifier in (True, False):
        bones, bar = rigged(modifier)
        if not modifier:
            bar.parent_type = "ARMATURE"
        turning(bones, "turn", "b1")
        bpy.context.scene.frame_set(10)
        graph = bpy.context.evaluated_depsgraph_get()
        seen = bar.evaluated_get(graph).to_mesh()
        wanted = np.array([bar.matrix_world @ one.co for one in seen.vertices])
        assert np.ptp(wanted[:, 1]) > 0.5  # it is bent
        for kind in ("bsm", "binarymesh", "bga"):
            scene = facet.load(give(WORK / f"posed.{kind}"))
            found = scene.bounds()  # Y up: x, z, -y
            assert np.allclose(found[:, 0], [wanted[:, 0].min(), wanted[:, 0].max()], atol=1e-5), kind
            assert np.allclose(found[:, 1], [wanted[:, 2].min(), wanted[:, 2].max()], atol=1e-5), kind
            assert np.allclose(found[:, 2], [-wanted[:, 1].max(), -wanted[:, 1].min()], atol=1e-5)
        rest = facet.load(give(WORK / "posed.bsm", apply_modifiers=False)).bounds()
        assert np.allclose(np.ptp(rest, axis=0), [3, 3, 0], atol=1e-5)
        assert bones.data.pose_position == "POSE"


TESTS = [units_and_counts, posed, mirrored, collision, loose, from_library, root_motion, separate_actions,
         strips_only, deformed_by_parent, ignored_weights, later_modifiers, at_rest, on_bones, reported]
