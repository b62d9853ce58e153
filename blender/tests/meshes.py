"""Real files of formats without bones. An import is compared with the Python package's data of the
same file, and an export with the original."""

import re
import time

import bpy
import numpy as np

from io_scene_facet import summary

from common import CLOSE, CORPUS, WORK, array, diagonal, empty, facet, give, refused, take, turned


def looks_right(path, objects):
    """Compare points, texture coordinates and normals, corner by corner."""
    scene = facet.load(path)
    assert (scene.axes.up, scene.axes.left_handed) == ("y", False), "turned() is for these"
    shown = sorted((one for one in objects if one.display_type != "WIRE"),
                   key=lambda one: one["facet_index"])
    assert len(shown) == len(scene.meshes)
    for one, mesh in zip(shown, scene.meshes):
        data = one.data
        assert np.allclose(array(data.vertices, "co", 3), turned(mesh.positions), atol=1e-5)
        assert len(data.polygons) == mesh.face_count
        index = np.empty(len(data.loops), np.uint32)
        data.loops.foreach_get("vertex_index", index)
        assert (index == mesh.indices).all()
        if mesh.texcoords is not None:
            wanted = mesh.streams["texcoord"].corners
            assert np.allclose(array(data.uv_layers[0].data, "uv", 2), wanted[:, :2], atol=1e-6)
        if mesh.normals is not None:
            data.calc_normals_split()
            wanted = turned(mesh.streams["normal"].corners)
            # Blender stores each angle with 16 bits.
            close = (array(data.loops, "normal", 3) * wanted).sum(1) > 0.999
            assert close.mean() > 0.99, close.mean()


def there_and_back(path):
    """Import and export real files. The surface may differ by the rounding of two rotations."""
    looks_right(path, take(path))
    written = give(WORK / path.name)
    assert not facet.check(written).errors
    before, after = facet.load(path), facet.load(written)
    found = facet.compare(path, written)
    off = found.distance_bound / diagonal(before)
    assert off < CLOSE, (path, off)
    # Tangents are computed again. Blender stores normals with 16 bits per angle. The rest is
    # unchanged.
    differ = [one.message for one in found.findings if one.rule == "COMPARE-ATTRIBUTE"
              and "tangents" not in one.message]
    differ = [said for said in differ if not said.startswith("normals differ")
              or float(re.search(r"at ([0-9.]+) %", said)[1]) > 1]
    assert not differ, (path, differ)
    assert len(after.meshes) == len(before.meshes)
    for one, other in zip(before.meshes, after.meshes):
        assert one.face_count == other.face_count and one.name == other.name
        assert (one.face_sizes == other.face_sizes).all() or path.suffix == ".bsm"
    if path.suffix == ".bsm":  # custom normals do not split vertices, but new tangents do
        before.meshes[0].remove_stream("tangent")
        before.save(WORK / "tangents.bsm")
        wanted = facet.load(WORK / "tangents.bsm").meshes[0].positions
        assert abs(len(after.meshes[0].positions) / len(wanted) - 1) < 0.01
    assert [one.name for one in before.materials] == [one.name for one in after.materials]
    assert len(before.hulls) == len(after.hulls)
    return round(off, 9)


def real_files():
    paths = sorted(path for kind in ("bsm", "binarymesh", "bga")
                   for path in (CORPUS / kind).glob(f"*.{kind}"))
    assert len(paths) > 10
    return {path.name: there_and_back(path) for path in paths}


def hulls_and_occluder():
    source = WORK / "spider.bsm"
    facet.convert(CORPUS / "obj/spider.obj", source, hulls=6, occluder=0.1)
    objects = take(source)
    roles = [one.get("facet_role", "mesh") for one in objects]
    assert roles.count("hull") == 6 and roles.count("occluder") == 1, roles
    collision = bpy.data.collections["spider collision"]
    assert len(collision.objects) == 7 and collision.hide_render
    for one in collision.objects:  # closed: every edge has two faces
        if one["facet_role"] == "hull":
            assert len(one.data.vertices) - len(one.data.edges) + len(one.data.polygons) == 2
    assert "tangent" in objects[0].data.attributes
    written = give(WORK / "again.bsm")
    before, after = facet.load(source), facet.load(written)
    for one, other in zip(before.hulls, after.hulls):
        assert np.allclose(np.sort(one.points, axis=0), np.sort(other.points, axis=0), atol=1e-4)
    assert before.occluder.face_count == after.occluder.face_count
    assert facet.compare(source, written).distance_bound < CLOSE * diagonal(before)
    assert {m.name for m in before.materials} == {m.name for m in after.materials}
    # An object with such a name is also a hull.
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.object.name = "collision_mesh_9"
    assert len(facet.load(give(WORK / "more.bsm")).hulls) == 7


def attributes():
    """BGA: names, types and values of attributes are the same after an export."""
    x, y = np.meshgrid(np.arange(4.0), np.arange(3.0))
    corner = (np.arange(2)[:, None] * 4 + np.arange(3)).reshape(-1)
    scene = facet.Scene()
    mesh = scene.add_mesh(np.stack([x, y, x * y], -1).reshape(-1, 3),
                          np.concatenate([np.stack([corner, corner + 1, corner + 5], -1),
                                          np.stack([corner, corner + 5, corner + 4], -1)]),
                          texcoord=np.stack([x / 3, y / 2], -1).reshape(-1, 2))
    values = {"id": np.arange(12, dtype=np.int32).reshape(-1, 1) - 5,
              "mask": np.arange(36, dtype=np.uint8).reshape(12, 3),
              "heat": np.linspace(0, 1, 12, dtype=np.float32).reshape(-1, 1),
              "wind": np.linspace(-1, 1, 24, dtype=np.float32).reshape(-1, 2),
              "many": np.arange(72, dtype=np.float32).reshape(12, 6) / 8}
    for name, one in values.items():
        mesh.add_stream(name, one)
    scene.save(WORK / "attributes.bga", no_optimize=True, keep_vertices=True)
    data = take(WORK / "attributes.bga")[0].data
    assert data.attributes["id"].data_type == "INT" and data.attributes["id"].domain == "POINT"
    assert data.attributes["wind"].data_type == "FLOAT2"
    assert [one.value for one in data.attributes["id"].data] == list(range(-5, 7))
    data.attributes["heat"].data[3].value = 42
    values["heat"][3] = 42
    give(WORK / "attributes2.bga")
    before = facet.open_bga(WORK / "attributes.bga")["vertex"]
    found = facet.load(WORK / "attributes2.bga").meshes[0]
    # Compare by position: the export orders vertices for the GPU.
    places = {tuple(one): i for i, one in enumerate(before["position"].round(4).tolist())}
    order = [places[tuple(one)] for one in found.positions.round(4).tolist()]
    for name, one in values.items():
        stream = found.stream(name)
        assert stream.dtype == one.dtype and (stream == one[order]).all(), name


def broken():
    (WORK / "broken.bsm").write_bytes(b"BINARY_STATIC_MESH")
    empty()
    refused(lambda: bpy.ops.import_scene.facet_bsm(filepath=str(WORK / "broken.bsm")),
            "broken.bsm", "BSM-MAGIC")
    refused(lambda: bpy.ops.import_scene.facet_bsm(filepath=str(WORK / "missing.bsm")),
            "missing.bsm")
    assert not bpy.data.objects
    refused(lambda: bpy.ops.export_scene.facet_bmd(filepath=str(WORK / "empty.bmd")), "empty.bmd")
    assert not (WORK / "empty.bmd").exists()


def edits():
    """Modifiers, transforms, several objects: the export has what Blender shows."""
    empty()
    bpy.ops.mesh.primitive_cube_add(size=2, location=(1, 2, 3), rotation=(0, 0, np.pi / 2))
    bpy.context.object.scale = (1, 2, 3)
    bpy.context.object.modifiers.new("Subsurf", "SUBSURF").levels = 0
    array_ = bpy.context.object.modifiers.new("Array", "ARRAY")
    array_.count = 2
    array_.use_relative_offset, array_.use_constant_offset = False, True
    array_.constant_offset_displace = (2, 0, 0)
    give(WORK / "edits.bga")
    # 4 x 2 x 2 in a row along x, scaled, turned by a quarter (x to y, y to -x), and moved. Result:
    # x 1 +- 2, y 2 - 1 to 2 + 3, z 3 +- 3. +Y up is (x, z, -y).
    wanted = [[-1, 0, -5], [3, 6, -1]]
    assert np.allclose(facet.load(WORK / "edits.bga").bounds(), wanted, atol=1e-5)
    give(WORK / "plain.bga", apply_modifiers=False)
    assert np.allclose(facet.load(WORK / "plain.bga").bounds(), [[-1, 0, -3], [3, 6, -1]], atol=1e-5)


def in_edit_mode():
    """Edits of Edit Mode are exported, and the mode stays. An empty path is an error."""
    empty()
    bpy.ops.mesh.primitive_cube_add(size=2)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.translate(value=(0, 0, 5))
    written = give(WORK / "mode.bga")
    assert np.allclose(facet.load(written).bounds(), [[-1, 4, -1], [1, 6, 1]])
    assert bpy.context.mode == "EDIT_MESH"
    refused(lambda: bpy.ops.export_scene.facet_bga(filepath=""), "no file name given")
    refused(lambda: give(WORK / "no" / "folder.bga"), "folder.bga")
    assert bpy.context.mode == "EDIT_MESH"


def modes_and_selection():
    """After an export, after an import that fails, and after an animation is added to a model,
    modes and selection are as before. Two cubes are in Edit Mode; the third is only selected."""
    empty()
    cubes = []
    for i in range(3):
        bpy.ops.mesh.primitive_cube_add(size=2, location=(3 * i, 0, 0))
        cubes.append(bpy.context.object)
    for one in cubes:
        one.select_set(one is not cubes[2])
    bpy.context.view_layer.objects.active = cubes[1]
    bpy.ops.object.mode_set(mode="EDIT")
    cubes[0].select_set(False)
    cubes[2].select_set(True)

    def state():
        return [(one.mode, one.select_get()) for one in cubes], bpy.context.object.name
    before = state()
    assert [mode for mode, _ in before[0]] == ["EDIT", "EDIT", "OBJECT"]
    for options in ({}, {"use_selection": True}):
        give(WORK / "modes.bga", **options)
        assert state() == before, (options, state(), before)
    (WORK / "broken.bsm").write_bytes(b"BINARY_STATIC_MESH")
    refused(lambda: bpy.ops.import_scene.facet_bsm(filepath=str(WORK / "broken.bsm")), "BSM-MAGIC")
    assert state() == before, (state(), before)

    from bones import joint_animation
    take(CORPUS / "j3d/greenman_skinned.bdl")
    joint_animation(13, 12).write(WORK / "run.bck")
    armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="POSE")
    selected = [one.name for one in bpy.context.selected_objects]
    bpy.ops.import_scene.facet_bmd(filepath=str(WORK / "run.bck"))
    assert armature.animation_data.action.name == "run"
    assert armature.mode == "POSE" and bpy.context.object == armature
    assert [one.name for one in bpy.context.selected_objects] == selected


def counts():
    """Messages count in the singular and the plural. Only the first face below has an area."""
    assert [summary.amount(count, name) for count in (0, 1, 2) for name in ("mesh", "vertex", "face")] \
        == ["0 meshes", "0 vertices", "0 faces", "1 mesh", "1 vertex", "1 face",
            "2 meshes", "2 vertices", "2 faces"]
    from io_scene_facet import meshes
    for count, wanted in ((1, "m: 1 face without area left out"),
                          (2, "m: 2 faces without area left out")):
        scene, said = facet.Scene(), []
        scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 0, 1], [1, 1, 2]][:1 + count])
        scene.save(WORK / "flat.binarymesh")
        original = meshes.build_mesh
        meshes.build_mesh = lambda found, name, turn, materials, normals, say: original(
            found, "m", turn, materials, normals, lambda severity, sentence: said.append(sentence))
        try:
            take(WORK / "flat.binarymesh")
        finally:
            meshes.build_mesh = original
        assert said == [wanted], said


def several_files():
    """The objects of all files are selected, and the first one is active."""
    empty()
    bpy.ops.mesh.primitive_cube_add(size=2)
    folder = CORPUS / "binarymesh"
    names = ["studio_teapot.v3.binarymesh", "swatchRenderSphere.v3.binarymesh"]
    bpy.ops.import_scene.facet_binarymesh(directory=str(folder), files=[
        {"name": name} for name in names])
    sources = {one.get("facet_source") for one in bpy.context.selected_objects}
    assert sources == {str(folder / name) for name in names}, sources
    assert len(bpy.context.selected_objects) == len(bpy.data.objects) - 1
    assert bpy.context.object["facet_source"] == str(folder / names[0])


def names():
    """Names of objects, also after renaming. Blender's number suffixes are ignored."""
    take(CORPUS / "binarymesh/studio_teapot.v3.binarymesh")
    bpy.data.objects["teapot"].name = "kettle"
    bpy.ops.import_scene.facet_binarymesh(
        filepath=str(CORPUS / "binarymesh/studio_teapot.v3.binarymesh"))
    assert "right_wall.001" in bpy.data.objects
    found = [one.name for one in facet.load(give(WORK / "names.binarymesh")).meshes]
    assert sorted(found).count("right_wall") == 2 and "kettle" in found and "teapot" in found


def undone():
    """An import is one undo step."""
    empty()
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.import_scene.facet_bsm("EXEC_DEFAULT", True, filepath=str(CORPUS / "bsm/test.bsm"))
    assert len(bpy.data.objects) == 1
    bpy.ops.ed.undo()
    assert not bpy.data.objects and not bpy.data.meshes
    bpy.ops.ed.redo()
    assert len(bpy.data.objects) == 1


def hostile():
    """Real files with changed bytes are rejected or read. Meshes that are read survive Edit Mode,
    which crashes on invalid meshes."""
    random = np.random.default_rng(1)
    outcomes = {"read": 0, "refused": 0}
    for name in ("bsm/test.bsm", "bga/teapot.v2.bga", "binarymesh/swatchRenderSphere.v3.binarymesh",
                 "binarymesh/material_preview_ground.v1.binarymesh", "j3d/greenman_skinned.bmd",
                 "j3d/fish_static.bmd"):
        whole = np.frombuffer((CORPUS / name).read_bytes(), np.uint8)
        path = WORK / ("hostile" + (CORPUS / name).suffix)
        for _ in range(12):
            data = whole.copy()
            count = int(random.integers(1, 5))
            data[random.integers(0, len(data), count)] = random.integers(0, 256, count)
            path.write_bytes(data[:random.integers(len(data) // 2, 6 * len(data))].tobytes())
            empty()
            try:
                getattr(bpy.ops.import_scene, f"facet_{path.suffix[1:]}")(filepath=str(path))
            except RuntimeError as error:
                assert "Traceback" not in str(error), error
                outcomes["refused"] += 1
                continue
            outcomes["read"] += 1
            for one in bpy.data.objects:
                if one.type == "MESH":
                    bpy.context.view_layer.objects.active = one
                    bpy.ops.object.mode_set(mode="EDIT")
                    bpy.ops.object.mode_set(mode="OBJECT")
    assert min(outcomes.values()) > 5, outcomes
    return outcomes


def faces_that_are_none():
    """Triangles and polygons that use a vertex twice, which Blender cannot store."""
    (WORK / "flat.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 1 2\nf 3 4 4\nf 2 5 3\n")
    facet.convert(WORK / "flat.obj", WORK / "flat.binarymesh")
    data = take(WORK / "flat.binarymesh")[0].data
    assert len(data.polygons) == 2 and not data.validate()
    (WORK / "flat.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nf 1 2 3 4\nf 1 2 1 3\nf 2 5 3\n")
    facet.convert(WORK / "flat.obj", WORK / "flat.binarymesh")
    data = take(WORK / "flat.binarymesh")[0].data
    assert len(data.polygons) == 2 and not data.validate()
    # The other faces keep their normals, which Blender would not compute.
    scene = facet.load(WORK / "flat.binarymesh")
    scene.meshes[0].set_stream("normal", np.tile([0.6, 0, 0.8], (5, 1)))
    scene.save(WORK / "flat.binarymesh")
    data = take(WORK / "flat.binarymesh")[0].data
    data.calc_normals_split()
    assert np.allclose(array(data.loops, "normal", 3), turned([[0.6, 0, 0.8]]), atol=1e-3)


def computed_normals():
    """Normals that Blender computes are not stored as custom ones; others are. Both can be
    exported."""
    y, x = np.mgrid[0:5.0, 0:5.0]
    corner = (np.arange(4)[:, None] * 5 + np.arange(4)).reshape(-1)
    scene = facet.Scene()
    mesh = scene.add_mesh(np.stack([x, y, x * y / 8], -1).reshape(-1, 3),
                          np.stack([corner, corner + 1, corner + 6, corner + 5], -1))
    scene.prepare()
    scene.save(WORK / "computed.bsm")
    assert not take(WORK / "computed.bsm")[0].data.has_custom_normals
    mesh.set_stream("normal", np.tile([0.6, 0.0, 0.8], (len(mesh.positions), 1)))
    scene.save(WORK / "other.bsm")
    assert take(WORK / "other.bsm")[0].data.has_custom_normals
    for name in ("computed.bsm", "other.bsm"):
        take(WORK / name)
        before, after = (facet.load(path).meshes[0] for path in (
            WORK / name, give(WORK / "again.bsm")))
        found = {tuple(one.round(3)): normal for one, normal in zip(after.positions, after.normals)}
        for one, normal in zip(before.positions, before.normals):
            assert np.allclose(found[tuple(one.round(3))], normal, atol=1e-3), name


def sharp_edges():
    """Normals with creases are read as sharp edges and flat faces if Blender then computes them,
    and exported as they were. Prism of 12 sides with smooth sides: the two rims are sharp, and the
    caps flat. Box: all faces are flat. Tilted normals are custom."""
    ring = np.array([[np.cos(t), np.sin(t)] for t in np.arange(12) * np.pi / 6])
    bottom, top = np.c_[ring, np.zeros(12)], np.c_[ring, np.ones(12)]
    sides = [[i, (i + 1) % 12, 12 + (i + 1) % 12, 12 + i] for i in range(12)]
    box = [[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    shapes = {"prism": (np.r_[bottom, top], [*sides, list(range(11, -1, -1)), list(range(12, 24))]),
              "box": (box, [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2],
                            [1, 3, 7, 5]])}
    for name, (points, faces) in shapes.items():
        scene = facet.Scene()
        mesh = scene.add_mesh(points, faces, name=name)
        mesh.compute_normals(crease=40)
        path = WORK / f"{name}.binarymesh"
        scene.save(path)
        data = take(path)[0].data
        wanted = turned(facet.load(path).meshes[0].streams["normal"].corners)
        assert not data.has_custom_normals, name
        sharp = sum(one.use_edge_sharp for one in data.edges)
        flat = sum(not one.use_smooth for one in data.polygons)
        assert (sharp, flat) == {"prism": (24, 2), "box": (0, 6)}[name], (name, sharp, flat)
        data.calc_normals_split()
        assert np.allclose(array(data.loops, "normal", 3), wanted, atol=1e-4), name
        again = give(WORK / f"{name}2.binarymesh")
        found = facet.load(again).meshes[0].streams["normal"].corners
        assert np.allclose(turned(found), wanted, atol=1e-4), name
        normals = mesh.streams["normal"]
        tilted = normals.data + [0.1, 0, 0]
        tilted /= np.linalg.norm(tilted, axis=1, keepdims=True)
        indices = normals.indices
        mesh.remove_stream("normal")
        mesh.add_stream("normal", tilted, indices)
        scene.save(path)
        data = take(path)[0].data
        assert data.has_custom_normals and all(one.use_smooth for one in data.polygons), name
        data.calc_normals_split()
        found = array(data.loops, "normal", 3)
        assert np.allclose(found, turned(tilted)[indices.reshape(-1)], atol=1e-3), name


def long_normals():
    """Normals that are not unit vectors, which Blender would read as other directions. Two faces of
    a roof with shared positions have normals of length 2 and 0.5."""
    normals = np.array([[-0.6, 0.8, 0], [0.6, 0.8, 0]])
    scene = facet.Scene()
    scene.add_mesh([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 0], [2, 0, 1], [2, 0, 0]],
                   [[0, 1, 2, 3], [3, 2, 4, 5]],
                   normal=(normals * [[2], [0.5]] + [0, 0.1, 0.1], [0, 0, 0, 0, 1, 1, 1, 1]))
    scene.save(WORK / "long.bga")
    found = facet.load(WORK / "long.bga").meshes[0].streams["normal"].corners
    wanted = turned(found / np.linalg.norm(found, axis=1, keepdims=True))
    assert np.abs(np.linalg.norm(found, axis=1) - 1).max() > 0.1
    data = take(WORK / "long.bga")[0].data
    assert data.has_custom_normals
    data.calc_normals_split()
    assert np.allclose(array(data.loops, "normal", 3), wanted, atol=1e-3)


def million():
    """A million triangles with texture coordinates are imported and exported completely, also with
    normals that Blender would not compute. Returns seconds of processor time, also for Blender's
    own functions; wall time varies on a busy machine."""
    side = 708
    u, v = np.meshgrid(np.linspace(0, 1, side + 1), np.linspace(0, 1, side + 1))
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).reshape(-1)
    faces = np.concatenate([np.stack([corner, corner + 1, corner + side + 2], -1),
                            np.stack([corner, corner + side + 2, corner + side + 1], -1)])
    points = np.stack([u, v, u * v], -1).reshape(-1, 3)
    scene = facet.Scene()
    scene.add_mesh(points, faces, texcoord=np.stack([u, v], -1).reshape(-1, 2))
    path = WORK / "million.bga"
    scene.save(path)
    took = {}
    empty()
    began = time.process_time()
    bpy.data.meshes.new("arrays").from_pydata(points, (), faces)
    took["from_pydata, points and faces alone"] = time.process_time() - began
    empty()
    began = time.process_time()
    bpy.ops.import_scene.facet_bga(filepath=str(path))
    took["in"] = time.process_time() - began
    assert len(bpy.data.meshes[0].polygons) == 2 * side * side
    began = time.process_time()
    written = give(WORK / "million2.bga", normals=False)
    took["out"] = time.process_time() - began
    assert facet.info(written).triangles == 2 * side * side
    # Blender converts custom normals one by one. Its own part is half of the time or more.
    normals = np.stack([np.sin(40 * u), np.cos(31 * v), 2 + 0 * u], -1).reshape(-1, 3)
    normals = (normals / np.linalg.norm(normals, axis=1, keepdims=True)).astype(np.float32)
    scene.meshes[0].set_stream("normal", normals)
    scene.save(path, keep_vertices=True)
    empty()
    began = time.process_time()
    bpy.ops.import_scene.facet_bga(filepath=str(path))
    took["in, custom normals"] = time.process_time() - began
    data = bpy.data.meshes[0]
    assert data.has_custom_normals
    began = time.process_time()
    data.normals_split_custom_set_from_vertices(normals)
    bpy.context.view_layer.update()
    took["custom normals alone, set and evaluated by Blender"] = time.process_time() - began
    began = time.process_time()
    give(WORK / "million2.bga")
    took["out, custom normals"] = time.process_time() - began
    return {name: round(seconds, 2) for name, seconds in took.items()}


def near_normals():
    """Two triangles that only touch have normals half a degree apart, and keep them. Within one
    smooth surface, Blender itself averages them."""
    up, tilt = [0, 0, 1], [np.sin(np.radians(0.5)), 0, np.cos(np.radians(0.5))]
    scene = facet.Scene()
    scene.set_axes(up="z")
    scene.add_mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0.2], [0, 1, 0]],
                   [[0, 1, 2], [3, 4, 5]], normal=([up, tilt], [0, 0, 0, 1, 1, 1]))
    scene.save(WORK / "near.binarymesh")
    take(WORK / "near.binarymesh")
    found = facet.load(give(WORK / "near2.binarymesh")).meshes[0].streams["normal"].corners
    angles = np.degrees(np.arccos(np.clip(found @ found[0], -1, 1)))
    assert np.abs(angles - [0, 0, 0, 0.5, 0.5, 0.5]).max() < 0.05, angles


TESTS = [real_files, in_edit_mode, modes_and_selection, counts, several_files, hulls_and_occluder, attributes, broken, names, undone, hostile,
         faces_that_are_none, edits, computed_normals, sharp_edges, long_normals, near_normals, million]
