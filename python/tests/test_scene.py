"""Scenes: lifetime of views, scenes from arrays, passes, files."""

import errno
import gc
import io
import json
import os
import pickle
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import facet
from facet._facet import ffi, lib
from facet.parts import Part


def cube():
    """8 positions, 6 squares."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return corners, np.array(faces, np.int64)


# -- Views -----------------------------------------------------------------

@pytest.fixture
def freed(monkeypatch):
    """A list with one item per freed scene."""
    count = []


    def release(scene):
        count.append(1)
        lib.facet_scene_free(scene)
    monkeypatch.setattr(facet._arrays.Memory, "release", staticmethod(release))
    return count


@pytest.mark.parametrize("order", ["scene mesh view slice", "view slice mesh scene",
                                   "slice scene view mesh", "mesh scene slice view"])
def test_memory_goes_with_the_last_that_looks_into_it(model, freed, order):
    held = {"scene": facet.load(model)}
    held["mesh"] = held["scene"].meshes[0]
    held["view"] = held["mesh"].positions
    held["slice"] = held["view"][1:, :2][::2]
    last = order.split()[-1]
    for name in order.split()[:-1]:
        del held[name]
        gc.collect()
        assert not freed
    if last == "slice":
        assert held["slice"].tolist() == [[1, 0], [0, 0]]
    del held[last]
    gc.collect()
    assert freed == [1]


def test_closed_scenes_refuse_and_their_arrays_stay(model, freed):
    with facet.load(model) as scene:
        positions, mesh = scene.meshes[0].positions, scene.meshes[0]
    with pytest.raises(ValueError, match="closed"):
        mesh.positions
    with pytest.raises(ValueError, match="closed"):
        scene.prepare()
    assert not freed and positions[1].tolist() == [1, 0, 0]
    del positions, mesh
    assert freed == [1]


def test_views_are_read_only_unless_asked(model):
    scene = facet.load(model)
    mesh = scene.meshes[0]
    with pytest.raises(ValueError, match="read-only"):
        mesh.positions[0] = 7
    with pytest.raises(ValueError, match="read-only"):
        mesh.triangles[0, 0] = 1000000
    mesh.stream("position", writable=True)[:] *= 2
    assert scene.bounds().tolist() == [[0, 0, 0], [2, 4, 6]]
    address = mesh.positions.__array_interface__["data"][0]
    assert address == mesh.positions.__array_interface__["data"][0]  # no copies


def test_arrays_keep_their_values_when_a_pass_replaces_them(model, freed):
    scene = facet.load(model)
    mesh = scene.meshes[0]
    positions, faces, texcoords = mesh.positions, mesh.triangles, mesh.texcoords
    before = positions.tolist(), faces.tolist(), texcoords.tolist()
    scene.scale(2)
    assert positions.tolist() == before[0]
    assert mesh.positions.tolist() == (2 * positions).tolist()
    assert scene.prepare().passes == ("normals", "index", "optimize")
    mesh.remove_stream("texcoord")
    assert (positions.tolist(), faces.tolist(), texcoords.tolist()) == before
    assert mesh.texcoords is None and mesh.is_welded
    del positions, faces, texcoords
    gc.collect()
    assert freed == [1]  # the old memory


def test_a_loop_over_meshes_holds_arrays_of_the_one_before():
    scene = facet.Scene()
    for name in "ab":
        scene.add_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]], name=name)
    for mesh in scene.meshes:
        mesh.triangulate()
        points = mesh.positions
        assert points.mean(0).tolist() == [0.5, 0.5, 0]
    assert [mesh.face_count for mesh in scene.meshes] == [2, 2]


def test_what_was_written_by_hand_is_in_the_scene_after_a_pass(model):
    scene = facet.load(model)
    array = scene.meshes[0].stream("position", writable=True)
    array *= 3
    scene.prepare()
    assert scene.bounds().tolist() == [[0, 0, 0], [3, 6, 9]]
    array[:] = np.nan  # a view of the old memory
    scene.save_bytes("glb")


def test_numbers_that_are_none_are_refused_when_the_library_is_to_rely_on_them(model):
    scene = facet.load(model)
    scene.meshes[0].stream("position", writable=True)[0] = np.nan
    with pytest.raises(facet.ArgumentError) as raised:
        scene.save_bytes("glb")
    assert raised.value.rule == "SCENE-NONFINITE"


def test_a_copy_shares_no_pointer_with_its_scene(corpus):
    """Check each pointer of each struct, also those of new members."""
    scene = facet.load(corpus / "gltf/CesiumMan.glb")
    copy = scene.copy()

    def compare(a, b, path):
        kind = ffi.typeof(a)
        kind = kind.item if kind.kind == "pointer" else kind
        for name, field in kind.fields:
            one, other = getattr(a, name), getattr(b, name)
            if field.type.kind == "pointer":
                assert one == ffi.NULL or one != other, f"{path}.{name}"
            elif field.type.kind == "struct":
                compare(one, other, f"{path}.{name}")
            elif field.type.kind == "array" and field.type.item.kind == "struct":
                for i in range(field.type.length):
                    compare(one[i], other[i], f"{path}.{name}[{i}]")

    compare(scene._struct(), copy._struct(), "scene")
    for name in ("materials", "images", "nodes", "skins", "animations", "meshes"):
        pairs = list(zip(getattr(scene, name), getattr(copy, name)))
        assert pairs or name == "hulls"
        for a, b in pairs:
            compare(a._struct(), b._struct(), name)
    for i in range(scene._struct().meshes[0].stream_count):
        compare(scene._struct().meshes[0].streams[i], copy._struct().meshes[0].streams[i], "stream")


# -- Scenes from arrays ----------------------------------------------------

def test_a_cube_of_arrays():
    corners, faces = cube()
    scene = facet.Scene()
    red = scene.add_material("red", base_color=(1, 0, 0, 1))
    mesh = scene.add_mesh(corners, faces, name="cube", materials=red.index,
                          color=np.full((8, 3), 255, np.uint8), heat=np.arange(8, dtype=np.int16))
    assert mesh.face_sizes.tolist() == [4] * 6 and mesh.corner_count == 24
    assert mesh.colors.dtype == np.float32 and mesh.colors.tolist() == [[1, 1, 1]] * 8
    assert mesh.stream("heat").dtype == np.int16 and mesh.stream("heat").shape == (8, 1)
    assert mesh.face_materials.tolist() == [0] * 6
    with pytest.raises(ValueError, match="polygons"):
        mesh.triangles
    back = facet.load(scene.save_bytes("binarymesh"))
    assert back.meshes[0].face_sizes.tolist() == [4] * 6
    assert back.materials[0].name == "red"
    glb = facet.load(scene.save_bytes("glb"))
    assert len(glb.meshes[0].triangles) == 12
    # The triangles have the area of six unit squares.
    a, b, c = glb.meshes[0].positions[glb.meshes[0].triangles].swapaxes(0, 1)
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == pytest.approx(6)


def test_faces_in_every_form():
    corners, faces = cube()
    for given, sizes in ((faces.tolist(), None), (faces.reshape(-1), [4] * 6), (faces, None)):
        scene = facet.Scene()
        mesh = scene.add_mesh(corners, given, face_sizes=sizes)
        assert mesh.indices.tolist() == faces.reshape(-1).tolist()
    scene = facet.Scene()
    assert scene.add_mesh(corners[:6]).triangles.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert scene.add_mesh(corners, [[0, 1, 2], [0, 1, 3, 2]]).face_sizes.tolist() == [3, 4]
    assert scene.add_mesh(corners, np.empty((0, 3), int)).face_count == 0  # points


@pytest.mark.parametrize("faces, error", [
    ([[0, 1, 8]], ValueError), ([[0, 1, -2]], ValueError), ([[0.0, 1.0, 2.0]], TypeError),
    ([[0, 1, 2**32]], ValueError), ([0, 1, 2], ValueError)])
def test_faces_that_are_none(faces, error):
    scene = facet.Scene()
    with pytest.raises(error):
        scene.add_mesh(cube()[0], np.array(faces))
    assert len(scene.meshes) == 0


def test_streams_that_do_not_fit():
    corners, faces = cube()
    scene = facet.Scene()
    with pytest.raises(ValueError, match="5 elements"):
        scene.add_mesh(corners, faces, normal=np.zeros((5, 3)))
    with pytest.raises(ValueError, match="shape"):
        scene.add_mesh(corners, faces, normal=np.zeros((8, 4)))
    with pytest.raises(ValueError, match="23 indices"):
        scene.add_mesh(corners, faces, normal=(np.zeros((5, 3)), np.zeros(23, int)))
    with pytest.raises(TypeError):
        scene.add_mesh(corners, faces, normal=np.full((8, 3), "x"))
    assert len(scene.meshes) == 0
    mesh = scene.add_mesh(corners, faces)
    with pytest.raises(ValueError, match="already"):
        mesh.add_stream("position", corners)
    mesh.face_materials = [5] * 6
    with pytest.raises(facet.ArgumentError):
        scene.save_bytes("obj")


def test_counts_and_sizes_are_not_set():
    scene = facet.Scene()
    mesh = scene.add_mesh(*cube())
    image = scene.add_image("i", np.zeros((2, 3, 4), np.uint8))
    for record, name in ((mesh, "corner_count"), (scene, "mesh_count"), (image, "width"),
                         (image, "is_float")):
        with pytest.raises(AttributeError):
            setattr(record, name, 7)


def test_nodes_skins_and_animations_of_arrays():
    scene = facet.Scene()
    corners, faces = cube()
    mesh = scene.add_mesh(corners, faces, joints=np.zeros((8, 4), int),
                          weights=np.tile([1.0, 0, 0, 0], (8, 1)))
    arm = scene.add_node("arm", translation=(0, 2, 0), rotation=(0, 0, np.sqrt(0.5), np.sqrt(0.5)))
    hand = scene.add_node("hand", parent=arm, matrix=np.diag([2, 2, 2, 1.0]))
    skin = scene.add_skin([arm, hand])
    body = scene.add_node("body", mesh=mesh, skin=skin)
    scene.add_animation("up", [(arm, "translation", [0, 1], [[0, 2, 0], [0, 4, 0]])])
    assert [node.name for node in arm.children] == ["hand"]
    assert [node.name for node in scene.roots] == ["arm", "body"]
    # A quarter turn about z takes x to y; then move up by two.
    assert np.allclose(arm.matrix @ [1, 0, 0, 1], [0, 3, 0, 1], atol=1e-6)
    at = scene.pose("up", 0.5)
    assert np.allclose(at.world[0] @ [1, 0, 0, 1], [0, 4, 0, 1], atol=1e-6)
    assert np.allclose(at.world[1] @ [1, 0, 0, 1], [0, 5, 0, 1], atol=1e-6)
    moved = scene.posed_positions(body, "up", 0.5)
    wanted = [[-y, x + 3, z] for x, y, z in corners]
    assert np.allclose(moved, wanted, atol=1e-6)
    assert scene.bake("up", 4).shape == (5, 3, 4, 4)
    back = facet.load(scene.save_bytes("glb"))
    assert back.animations[0].duration == 1
    assert back.animations["up"].channels[0].values.tolist() == [[0, 2, 0], [0, 4, 0]]
    assert back.skins[0].joints.tolist() == [0, 1]
    flat = back.copy()
    flat.flatten(animation="up", time=0.5)
    assert np.allclose(np.sort(flat.meshes[0].positions, 0), np.sort(moved, 0), atol=1e-5)


def test_images_of_arrays():
    scene = facet.Scene()
    pixels = np.random.default_rng(7).integers(0, 256, (5, 3, 4), np.uint8)
    image = scene.add_image("noise", pixels)
    assert (image.pixels == pixels).all()
    again = facet.load(image.encode("image/png"))
    assert (again.images[0].pixels == pixels).all()
    assert bytes(again.images[0].data)[:4] == b"\x89PNG"
    with pytest.raises(TypeError):
        scene.add_image("bad", np.zeros((2, 2), np.int64))


def test_materials_and_their_maps():
    scene = facet.Scene()
    material = scene.add_material("wood", base_color=(1, 0.5, 0.25, 1), roughness=0.5)
    image = scene.add_image("grain", np.zeros((2, 2, 3), np.uint8))
    material.maps.set("diffuse", image=image.index).wrap_u = "clamp"
    material.extras = {"kind": ["oak", 1]}
    scene.add_mesh(*cube(), materials=0, texcoord=np.zeros((8, 2)))
    back = facet.load(scene.save_bytes("glb")).materials["wood"]
    assert back.base_color == (1, 0.5, 0.25, 1) and back.roughness == 0.5
    assert back.extras == {"kind": ["oak", 1]}
    assert list(back.maps) == ["diffuse"] and back.maps["diffuse"].wrap_u == "clamp"
    with pytest.raises(KeyError):
        back.maps["normal"]
    with pytest.raises(TypeError):
        scene.add_material("x", rughness=1)
    with pytest.raises(ValueError):
        back.base_color = (1, 2)


def test_classic_terms_and_their_values(tmp_path):
    """Ns 250 is roughness 1 - sqrt(0.25); an assigned base color replaces an old diffuse color."""
    obj = b"mtllib m.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    library = b"newmtl red\nKa 0.5 0.5 0.5\nKd 1 0 0\nNs 250\n"
    scene = facet.load(obj, name="a.obj", siblings={"m.mtl": library})
    red = scene.materials["red"]
    assert red.base_color == (1, 0, 0, 1) and red.roughness == 0.5 and red.metallic == 0
    assert red.classic.ambient == (0.5, 0.5, 0.5) and red.classic.shininess == 250
    red.base_color = (0, 1, 0, 1)
    assert red.classic.diffuse == (0, 1, 0) and red.classic.ambient == (0.5, 0.5, 0.5)
    classic = red.classic
    classic.opacity = 0.5
    red.classic = classic
    assert red.base_color == (0, 1, 0, 0.5) and red.alpha_mode == "blend"
    scene.save(tmp_path / "a.obj")
    assert "d 0.5\n" in (tmp_path / "a.mtl").read_text()
    made = facet.Scene().add_material("m", metallic=0.25)
    assert made.classic.specular == pytest.approx((0.28, 0.28, 0.28))
    with pytest.raises(AttributeError):
        made.diffuse


def test_set_axes():
    """From +Z up to +Y up: (x, y, z) becomes (x, z, -y). From centimeters to meters: factor
    0.01."""
    scene = facet.Scene()
    scene.axes.up, scene.axes.unit = "z", 0.01
    mesh = scene.add_mesh(np.array([[100, 200, 300], [0, 0, 0], [0, 100, 0]], float))
    scene.set_axes(up="y", unit=1)
    assert mesh.positions.tolist() == pytest.approx(np.array([[1, 3, -2], [0, 0, 0], [0, 0, -1]]))
    assert scene.axes.up == "y" and scene.axes.unit == 1
    with pytest.raises(ValueError):
        scene.set_axes(up="w")


def test_cameras_and_lights():
    scene = facet.Scene()
    scene.add_mesh(*cube())
    eye = scene.add_camera("eye", field_of_view=0.5, near_distance=0.25)
    lamp = scene.add_light("lamp", kind="spot", color=(1, 0.5, 0.25), intensity=40)
    node = scene.add_node("stand")
    node.camera, node.light, node.hidden = eye.index, lamp.index, True
    back = facet.load(scene.save_bytes("glb"))
    assert back.cameras["eye"].field_of_view == 0.5 and not back.cameras[0].is_orthographic
    assert back.lights["lamp"].color == (1, 0.5, 0.25) and back.lights[0].kind == "spot"
    assert back.nodes["stand"].camera == 0 and back.nodes["stand"].hidden
    assert scene.nodes[0].light == 0 and scene.add_node("other").light is None
    with pytest.raises(TypeError, match="a light has no 'power'"):
        scene.add_light("x", power=1)


VARIANTS = """{"asset": {"version": "2.0", "copyright": "A"}, "extensionsUsed": ["KHR_materials_variants",
"KHR_materials_clearcoat", "KHR_materials_volume"], "extensions": {"KHR_materials_variants": {
"variants": [{"name": "day"}, {"name": "night"}]}}, "materials": [{"name": "white"}, {"name": "black",
"extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 0.5}, "KHR_materials_volume": {
"attenuationColor": [1, 0.5, 0.25]}}}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0},
"material": 0, "extensions": {"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [1]}]
}}}]}], "accessors": [{"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
"max": [0, 0, 0]}], "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0}""".encode()


def test_variants_and_looks():
    scene = facet.load(VARIANTS)
    assert scene.variants == ["day", "night"] and scene.asset == {"copyright": "A"}
    assert scene.materials["black"].clearcoat == 0.5 and scene.materials["white"].ior == 1.5
    assert scene.materials["black"].attenuation_color == (1, 0.5, 0.25)
    scene.materials["white"].transmission = 0.25
    scene.asset = {"copyright": "B"}
    back = facet.load(scene.save_bytes("glb"))
    assert back.materials["white"].transmission == 0.25 and back.asset == {"copyright": "B"}
    scene.choose_variant("night")
    assert scene.variants == [] and scene.meshes[0].face_materials.tolist() == [1]
    with pytest.raises(ValueError, match="no variant is named 'noon'"):
        facet.load(VARIANTS, variant="noon")
    assert facet.load(VARIANTS, variant="night").meshes[0].face_materials.tolist() == [1]


def test_records_outlive_others_of_their_kind():
    scene = facet.Scene()
    first = scene.add_node("first")
    for i in range(1000):
        scene.add_node(str(i))
    assert first.name == "first" and scene.nodes[-1].name == "999"
    assert first == scene.nodes[0] and first != scene.nodes[1]
    with pytest.raises(IndexError):
        scene.nodes[1001]
    assert isinstance(first, Part)


# -- Files -----------------------------------------------------------------

def test_load_from_everything(model, tmp_path):
    data = model.read_bytes()
    siblings = {"model.mtl": (tmp_path / "model.mtl").read_bytes()}
    for scene in (facet.load(model), facet.load(str(model)), facet.load(open(model, "rb"), siblings=siblings),
                  facet.load(data, name="x.obj", siblings=siblings),
                  facet.load(bytearray(data), from_="obj", siblings=siblings.get),
                  facet.load(memoryview(data), from_="obj", siblings=tmp_path),
                  facet.load(np.frombuffer(data, np.uint8), from_="obj", siblings=siblings)):
        assert scene.materials["red"].base_color == (1, 0, 0, 1)
    alone = facet.load(data, from_="obj")
    assert len(alone.warnings) == 1 and "model.mtl" in alone.warnings[0].message


def test_save_to_everything(model, tmp_path):
    scene = facet.load(model)
    report = scene.save(tmp_path / "a.glb")
    assert report.size == (tmp_path / "a.glb").stat().st_size
    file = io.BytesIO()
    scene.save(file, to="glb")
    assert file.getvalue() == (tmp_path / "a.glb").read_bytes() == scene.save_bytes("glb")
    files = scene.save_files("b.gltf")
    assert sorted(files) == ["b.bin", "b.gltf"]
    assert len(facet.load(files["b.gltf"], siblings=files).meshes) == 1
    with pytest.raises(ValueError, match="format"):
        scene.save(tmp_path / "a.unknown")
    with pytest.raises(TypeError, match="endian.*bga"):
        scene.save(tmp_path / "a.glb", endian="big")
    with pytest.raises(TypeError, match="no option 'endain'; did you mean 'endian'"):
        scene.save(tmp_path / "a.bga", endain="big")
    with pytest.raises(ValueError, match="little, big"):
        scene.save(tmp_path / "a.bga", endian="middle")


def test_losses(model, tmp_path):
    scene = facet.load(model)
    scene.add_node("here", mesh=0, translation=(1, 0, 0))
    scene.add_animation("go", [(0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])])
    report = scene.save(tmp_path / "a.obj")
    assert [one.rule for one in report.warnings] == ["LOSS-ANIMATIONS"]
    with pytest.raises(facet.LossError):
        scene.save(tmp_path / "strict.obj", strict=True)
    assert not (tmp_path / "strict.obj").exists()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scene.save(tmp_path / "a.obj", warn=True)
    assert [one.category for one in caught] == [facet.FacetWarning]
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(facet.FacetWarning):
            scene.save(tmp_path / "refused.obj", warn=True)
        with pytest.raises(facet.FacetWarning):
            facet.convert(tmp_path / "a.obj", tmp_path / "refused.stl", warn=True)
    assert not list(tmp_path.glob("refused*"))


def test_sizes_are_those_of_files(model, tmp_path):
    scene = facet.load(model)
    facet.Archive.new("rarc", "stage").save(tmp_path / "stage.szs")
    for name in ("a.bmd", "a.bmd.gz"):
        try:
            report = scene.save(tmp_path / name, to="bmd")
        except facet.FacetError:
            continue  # this build lacks the compression
        assert report.size == (tmp_path / name).stat().st_size
    report = scene.save(tmp_path / "stage.szs/a.bmd", into=True)
    assert report.size == len(facet.Archive(tmp_path / "stage.szs")["a.bmd"])


def test_numbers_that_json_has_not_are_refused(model):
    scene = facet.load(model)
    with pytest.raises(ValueError):
        scene.materials[0].extras = {"a": float("nan")}
    assert json.loads(json.dumps(facet.info(model).to_dict()))["bounds"][1] == [1, 2, 3]


def test_errors_tell_where(tmp_path):
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv x\n")
    with pytest.raises(facet.MalformedError) as raised:
        facet.load(tmp_path / "bad.obj")
    error = raised.value
    assert error.path == str(tmp_path / "bad.obj") and error.line == 2 and error.rule
    assert isinstance(error, ValueError) and "line 2" in str(error)
    with pytest.raises(facet.MalformedError) as raised:
        facet.load(b"BINARY_STATIC_MESH"[:4] + bytes(2), from_="bsm")
    assert raised.value.rule == "BSM-SIZE-HEADER" and raised.value.offset is not None
    with pytest.raises(FileNotFoundError):
        facet.load(tmp_path / "none.obj")
    with pytest.raises(FileNotFoundError):
        facet.Scene().save(tmp_path / "none" / "a.obj")
    with pytest.raises(IsADirectoryError) as raised:
        facet.load(tmp_path)
    assert (raised.value.errno, raised.value.filename) == (errno.EISDIR, str(tmp_path))
    with pytest.raises(FileNotFoundError) as raised:
        facet.load(tmp_path / "none.obj")
    again = pickle.loads(pickle.dumps(raised.value))
    for one in (raised.value, again):
        assert (one.errno, one.filename) == (errno.ENOENT, str(tmp_path / "none.obj"))
        assert isinstance(one, facet.FileError) and one.status and str(tmp_path) in str(one)
    with pytest.raises(IsADirectoryError):
        facet.Scene().save(tmp_path, to="obj")
    with pytest.raises(NotADirectoryError):
        facet.Scene().save(tmp_path / "bad.obj" / "a.obj")
    facet.Archive.new("rarc", "stage").save(tmp_path / "stage.arc")
    with pytest.raises(FileNotFoundError):
        facet.Scene().save(tmp_path / "stage.arc" / "a.obj")
    with pytest.raises(ValueError, match="no format"):
        facet.load(b"", from_="nonesuch")
    with pytest.raises(facet.MemoryLimitError) as raised:
        facet.load(b"v 0 0 0\n" * 100000, from_="obj", memory_limit=0.1)
    assert raised.value.rule == "MEMORY-LIMIT"
    assert isinstance(raised.value, MemoryError) and isinstance(raised.value, facet.LimitError)
    with pytest.raises(ValueError, match="NUL"):
        facet.load("a\0b")


def test_exceptions_of_callbacks_come_through(model):
    def broken(name):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        facet.load(model.read_bytes(), from_="obj", siblings=broken)

    def wrong(name):
        return 7
    with pytest.raises(TypeError):
        facet.load(model.read_bytes(), from_="obj", siblings=wrong)

    def stop(step, fraction):
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        facet.load(big_obj(), from_="obj", progress=stop)


def test_interrupts_are_keyboard_interrupts(capfd):
    """Interrupts at any time: while the library works, in callbacks, before their first line."""
    scene, seen = facet.load(big_obj(300), from_="obj"), set()
    for i in range(12):
        timer = threading.Timer(0.005 + 0.012 * i, os.kill, (os.getpid(), signal.SIGINT))
        try:
            timer.start()
            try:
                scene.save_bytes("bsm", progress=(lambda *step: True) if i % 2 else None)
            except facet.FacetError as error:
                seen.add(type(error))
            timer.join()
            time.sleep(0.05)
        except KeyboardInterrupt:
            seen.add(KeyboardInterrupt)
        timer.join()
    assert seen == {KeyboardInterrupt}
    assert "Exception ignored" not in capfd.readouterr().err
    assert scene.save_bytes("bsm")  # the library still works


def test_interrupts_end_a_picture(model):
    """A picture that takes seconds ends within half a second."""
    scene = facet.load(model)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    began = time.perf_counter()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        facet.render(scene, size=(4000, 4000), samples=16)
    assert time.perf_counter() - began < 0.3 + 0.5


def big_obj(side=400):
    lines = [f"v {x} {y} {x * y % 7}" for x in range(side) for y in range(side)]
    lines += [f"f {x * side + y + 1} {x * side + y + 2} {x * side + side + y + 1}"
              for x in range(side - 1) for y in range(side - 1)]
    return "\n".join(lines).encode()


def test_progress():
    steps = []
    facet.load(big_obj(), from_="obj", progress=lambda *step: steps.append(step))
    assert steps and all(0 <= fraction <= 1 for _, fraction in steps)
    with pytest.raises(facet.CanceledError):
        facet.load(big_obj(), from_="obj", progress=lambda step, fraction: False)


def test_threads_run_side_by_side():
    """While one thread is in the library, others run Python."""
    data, done, ticks = big_obj(700), threading.Event(), []

    def work():
        facet.load(data, from_="obj").save_bytes("bsm")
        done.set()

    def tick():
        while not done.wait(0.001):
            ticks.append(1)
    threads = [threading.Thread(target=work), threading.Thread(target=tick)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ticks) > 20  # if the interpreter were locked, there would be none during the call


def test_one_scene_in_many_threads(model):
    scene, failed = facet.load(model), []

    def work(i):
        try:
            for _ in range(20):
                scene.save_bytes("glb")
                scene.add_node(f"n{i}", mesh=0)
                scene.bounds()
        except BaseException as error:
            failed.append(error)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and len(scene.nodes) == 80


def test_threads_do_not_change_results(model):
    assert facet.load(big_obj(), from_="obj", threads=2).save_bytes("bsm") == \
        facet.load(big_obj(), from_="obj").save_bytes("bsm", threads=0)


def textured(folder):
    """An OBJ, its material library and a picture of 2 x 2 red pixels."""
    folder.mkdir()
    scene = facet.Scene()
    image = scene.add_image("red", np.full((2, 2, 3), (255, 0, 0), np.uint8))
    (folder / "red.png").write_bytes(image.encode())
    (folder / "t.mtl").write_text("newmtl m\nKd 1 1 1\nmap_Kd red.png\n")
    (folder / "t.obj").write_text("mtllib t.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\n"
                                  "vt 0 1\nusemtl m\nf 1/1 2/2 3/3\n")
    return folder / "t.obj"


@pytest.mark.parametrize("to", ["bmd", "glb", "gltf", "obj", "bpx", "bsm"])
def test_what_is_loaded_and_saved_is_what_convert_writes(tmp_path, to):
    path = textured(tmp_path / "in")
    siblings = {one.name: one.read_bytes() for one in (tmp_path / "in").iterdir()}
    folders = [tmp_path / name for name in ("converted", "saved", "copied", "bytes")]
    for folder in folders:
        folder.mkdir()
    report = facet.convert(path, folders[0] / f"a.{to}")
    for scene, folder in ((facet.load(path), folders[1]), (facet.load(path).copy(), folders[2])):
        assert [one.message for one in scene.save(folder / f"a.{to}").findings] == \
            [one.message for one in report.findings]
        for one in folders[0].iterdir():
            assert (folder / one.name).read_bytes() == one.read_bytes()
    if to in ("bmd", "glb"):
        facet.load(path.read_bytes(), name="t.obj", siblings=siblings).save(folders[3] / f"a.{to}")
        assert (folders[3] / f"a.{to}").read_bytes() == (folders[0] / f"a.{to}").read_bytes()
        path.unlink()
        path.parent.rename(tmp_path / "elsewhere")
        assert len(facet.load(folders[1] / f"a.{to}").images) == 1


@pytest.mark.parametrize("to", ["glb", "gltf", "bmd"])
def test_textures_of_another_folder(tmp_path, to):
    path = textured(tmp_path / "in")
    (tmp_path / "pictures").mkdir()
    (tmp_path / "in/red.png").rename(tmp_path / "pictures/red.png")
    without = facet.convert(path, tmp_path / f"without.{to}")
    assert "LOSS-IMAGES" in [one.rule for one in without.warnings]
    report = facet.convert(path, tmp_path / f"a.{to}", texture_dir=tmp_path / "pictures")
    assert "LOSS-IMAGES" not in [one.rule for one in report.warnings]
    facet.load(path).save(tmp_path / f"b.{to}", texture_dir=tmp_path / "pictures")
    for name in (f"a.{to}", f"b.{to}"):
        assert len(facet.load(tmp_path / name).images) == 1


def test_what_is_loaded_is_drawn_as_its_file(tmp_path):
    path = textured(tmp_path / "in")
    picture = facet.render(facet.load(path), size=(32, 32), view="front").pixels
    assert (picture == facet.render(path, size=(32, 32), view="front").pixels).all()
    seen = picture[picture[..., 3] == 255]
    assert len(seen) and (seen[:, 0] > 4 * seen[:, 1:3].max(1)).all()  # red, not white


def test_a_file_object_is_a_stream(tmp_path):
    scene = facet.load(textured(tmp_path / "in"))
    file = io.BytesIO()
    report = scene.save(file, to="obj")
    assert "LOSS-MATERIALS" in [one.rule for one in report.warnings] and b"mtllib" not in file.getvalue()
    with pytest.raises(facet.LossError):
        scene.save_bytes("obj", strict=True)
    whole = facet.load(scene.save_bytes("gltf"), from_="gltf")  # the buffer is inside
    assert whole.meshes[0].positions.shape == (3, 3)
    with pytest.raises(facet.MemoryLimitError):
        facet.load(big_obj(), from_="obj").save(io.BytesIO(), to="ply", memory_limit=1)


def test_textures_are_named_from_where_a_file_is(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "a.obj").write_text(
        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n")
    (tmp_path / "in" / "a.mtl").write_text("newmtl m\nmap_Kd t.png\nmap_Ke absent.png\n")
    (tmp_path / "in" / "t.png").write_bytes(b"")
    scene = facet.load(tmp_path / "in" / "a.obj")
    scene.save(tmp_path / "out" / "b.obj")
    facet.convert(tmp_path / "in" / "a.obj", tmp_path / "out" / "c.obj")
    for name in ("b.mtl", "c.mtl"):
        lines = (tmp_path / "out" / name).read_text().splitlines()
        assert "map_Kd ../in/t.png" in lines and "map_Ke absent.png" in lines
    # The scene itself is not changed.
    scene.save(tmp_path / "in" / "d.obj")
    assert "map_Kd t.png" in (tmp_path / "in" / "d.mtl").read_text().splitlines()


@pytest.mark.parametrize("alpha, written", [(-0.5, b"d 0\n"), (1.5, b"d 1\n"), (0.25, b"d 0.25\n")])
def test_the_opacity_of_an_obj_is_within_0_to_1(tmp_path, alpha, written):
    scene = facet.Scene()
    scene.add_mesh(*cube(), materials=0)
    scene.add_material("glass", base_color=(1, 0, 0, alpha), alpha_mode="blend")
    report = scene.save(tmp_path / "x.obj")
    assert b"\n" + written in (tmp_path / "x.mtl").read_bytes()
    found = [one.message for one in report.findings if "opacity" in one.message]
    assert found == ([] if alpha == 0.25 else [
        "MTL cannot hold an opacity that is not within 0 to 1, which is limited, of material "
        "'glass'"]), found
