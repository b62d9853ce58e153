"""Arguments that are wrong raise an exception that names the argument, the value and what is
expected. Values are never rounded, cut or guessed."""

import errno
import io
import pickle
import pydoc

import numpy as np
import pytest

import facet

CORNERS = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


def triangle(**streams):
    scene = facet.Scene()
    return scene, scene.add_mesh(CORNERS[:3], [[0, 1, 2]], **streams)


def refused(kind, words, call, *arguments, **options):
    with pytest.raises(kind) as raised:
        call(*arguments, **options)
    assert words in str(raised.value), str(raised.value)


# -- Meshes ----------------------------------------------------------------

def test_flat_faces_need_their_sizes():
    scene = facet.Scene()
    refused(ValueError, "shape (3,), not (m, k); a flat array needs face_sizes", scene.add_mesh, CORNERS,
            [0, 1, 2])
    refused(ValueError, "a flat array needs face_sizes", scene.add_mesh, CORNERS, np.arange(3))
    assert scene.add_mesh(CORNERS, [0, 1, 2, 3], face_sizes=[4]).faces.tolist() == [[0, 1, 2, 3]]


def test_a_mesh_has_one_set_of_normals():
    names = "position, normal, tangent, texcoord, color, joints, weights, morph_position, " \
        "morph_normal, morph_tangent, the latter with a number"
    for name in ("normal1", "normals1", "position2", "tangent1"):
        refused(ValueError, f"so '{name}' is not a stream; streams are {names}", triangle,
                **{name: [[0, 0, 1]] * 3})
    scene, mesh = triangle(normal0=[[0, 0, 1]] * 3, texcoord1=[[0, 0]] * 3, normal_1=[[0, 0, 1]] * 3)
    assert list(mesh.streams) == ["position", "normal", "texcoord1", "normal_1"]
    for change in (mesh.add_stream, mesh.set_stream):
        refused(ValueError, "one set of normals", change, "normal1", [[0, 0, 1]] * 3)


def test_a_face_names_the_position_that_does_not_exist():
    scene, mesh = triangle()
    refused(ValueError, "faces use position -1, and there are 4", scene.add_mesh, CORNERS, [[0, 1, -1]])
    refused(ValueError, "faces use position 4, and there are 4", scene.add_mesh, CORNERS, [[0, 1, 4]])
    refused(ValueError, "points use position -1, and there are 3", setattr, mesh, "points", [-1])
    refused(ValueError, "lines use position 3, and there are 3", setattr, mesh, "lines", [[0, 3]])


def test_streams_have_two_dimensions():
    tensor = np.arange(27.0).reshape(3, 3, 3)
    refused(ValueError, "tensor has the shape (3, 3, 3), not (n, k)", triangle, tensor=tensor)
    scene, mesh = triangle(tensor=tensor.reshape(3, 9))
    refused(ValueError, "(3, 3, 3)", mesh.set_stream, "tensor", tensor)
    assert mesh.stream("tensor").tolist() == tensor.reshape(3, 9).tolist()


def test_integers_as_colors():
    for dtype in (np.int64, np.int32, np.int8, np.int16, np.uint32, np.uint64):
        refused(TypeError, f"color is of {np.dtype(dtype)}: give floats from 0 to 1, or uint8 or uint16",
                triangle, color=np.array([[1, 0, 0]] * 3, dtype))
    for dtype, most in ((np.uint8, 255), (np.uint16, 65535)):
        _, mesh = triangle(color=np.array([[most, most // 5, 0]] * 3, dtype))
        assert mesh.colors[0].tolist() == [1, np.float32(0.2), 0]
    _, mesh = triangle(color=np.array([[True, False, True]] * 3))
    assert mesh.colors[0].tolist() == [1, 0, 1]


def test_joints_are_whole_numbers():
    weights = [[1, 0, 0, 0]] * 3
    for wrong in (1.5, np.nan, -1, 65536):
        refused(ValueError, "joints has a value that is not a whole number from 0 to 65535", triangle,
                joints=[[wrong, 0, 0, 0]] * 3, weights=weights)
    refused(TypeError, "not of whole numbers", triangle, joints=[["1", "0", "0", "0"]] * 3)
    assert triangle(joints=np.full((3, 4), 7.0), weights=weights)[1].joints[0].tolist() == [7] * 4


def test_two_names_of_one_stream_are_one_stream():
    coordinates = [[0, 0], [1, 0], [1, 1]]
    scene = facet.Scene()
    for second in ("texcoord0", "texcoords", "texcoords0"):
        refused(ValueError, "has a stream 'texcoord' already", scene.add_mesh, CORNERS[:3], [[0, 1, 2]],
                texcoord=coordinates, **{second: coordinates})
    assert len(scene.meshes) == 0
    _, mesh = triangle(texcoord=coordinates, texcoord1=coordinates)
    assert "texcoord0" in mesh and "texcoords1" in mesh and "texcoord2" not in mesh
    mesh.set_stream("texcoord0", [[5, 5]] * 3)
    assert list(mesh.streams) == ["position", "texcoord", "texcoord1"]
    assert mesh.texcoords.tolist() == [[5, 5]] * 3


def test_a_scene_is_scaled_by_a_number_above_0():
    scene, mesh = triangle()
    for wrong in (0, -1, np.nan, np.inf):
        refused(ValueError, "factor is a number above 0", scene.scale, wrong)
    scene.scale(2)
    assert mesh.bounds()[1].tolist() == [2, 2, 0]


# -- Functions -------------------------------------------------------------

def test_flags_are_true_or_false():
    scene, _ = triangle()
    for wrong in ("no", "yes", 2, 0.5, []):
        refused(TypeError, f"flat is True or False, not {wrong!r}", scene.save_bytes, "glb", flat=wrong)
    for same in (False, 0, None, np.False_):
        assert facet._options.take("save", {"flat": same}) == {}
    for same in (True, 1, np.True_):
        assert facet._options.take("save", {"flat": same}) == {"flat": True}


def test_pictures_name_what_is_wrong():
    scene, _ = triangle()
    refused(TypeError, "size is a pair of whole numbers, width and height, not '64x64'", facet.render, scene,
            size="64x64")
    refused(TypeError, "size is a pair", facet.render, scene, size=64)
    refused(ValueError, "sides of 1 to 8192", facet.render, scene, size=(0, 64))
    for wrong in ("red", "#12345", 7, (1, 2), (0, 0, 256), None):
        refused(ValueError, f"background is '#RRGGBB', '#RRGGBBAA', 'transparent', or 3 or 4 numbers from 0 "
                f"to 255, not {wrong!r}", facet.render, scene, background=wrong, size=(8, 8))
    refused(facet.ArgumentError, "no camera 'f.json': the scene has none", facet.render, scene,
            camera="f.json")


def test_outputs_name_what_is_wrong(tmp_path):
    scene, _ = triangle()
    refused(TypeError, "to write to, give a path or a binary file, not bytes", scene.save, b"x.obj")
    refused(TypeError, "not bytes", facet.convert, scene.save_bytes("glb"), b"x.obj")
    refused(ValueError, "no output format given; name one with to=", scene.save, io.BytesIO())
    refused(ValueError, "no format is named like 'x.unknown'", scene.save, "x.unknown")
    refused(ValueError, 'extras has a number that is infinite or NaN', setattr, scene, 'extras', {'a': float('nan')})
    refused(ValueError, '10 positions are not a multiple of 3: give faces, or [] for points',
            scene.add_mesh, np.zeros((10, 3)))
    refused(ValueError, "'bsm' is a format, not a file: give a name such as 'scene.bsm', or to='bsm'",
            scene.save_files, "bsm")
    refused(KeyError, "'x': no element has a name; use an index", facet.load(
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", from_="obj").meshes.__getitem__, "x")
    refused(TypeError, "progress= ends a call", facet.convert, b"", "x.obj", time_limit=3)


def test_animations_of_another_family_name_the_model(model, bck, tmp_path):
    (tmp_path / "turn.bck").write_bytes(bck)
    for animations in ([tmp_path / "turn.bck"], [bck], tmp_path):
        with pytest.raises(facet.UnsupportedError) as raised:
            facet.load(model, animations=animations)
        assert "bmd" in raised.value.message and "the model is of format obj" in raised.value.message
        assert raised.value.path == str(model)
        assert raised.value.status == "not supported"


def test_a_full_disk_has_its_errno():
    scene, _ = triangle()
    with pytest.raises(facet.FileError) as raised:
        scene.save("/dev/full", to="glb")
    assert raised.value.errno == errno.ENOSPC and raised.value.filename == "/dev/full"


# -- Files that write a part -----------------------------------------------

class Slow(io.RawIOBase):
    """A raw file that writes up to `most` bytes at a time."""

    def __init__(self, most):
        self.most, self.got = most, b""

    def writable(self):
        return True

    def write(self, data):
        part = bytes(data[:self.most])
        self.got += part
        return len(part) if self.most is not None else None


def test_everything_is_written_to_a_file_that_writes_a_part():
    scene, _ = triangle()
    whole, slow = scene.save_bytes("glb"), Slow(10)
    assert scene.save(slow, to="glb").size == len(whole) and slow.got == whole


class Returning:
    def __init__(self, count):
        self.count = count

    def write(self, data):
        return self.count


def test_a_write_that_ends_early_is_an_error():
    scene, _ = triangle()
    for count in (0, -1, 10**9, "all"):
        with pytest.raises(OSError, match=r"write\(\) returned .* after 0 of \d+ bytes were written") as raised:
            scene.save(Returning(count), to="glb")
        assert raised.value.errno == errno.EIO
    with pytest.raises(OSError, match="returned None"):
        scene.save(Slow(None), to="glb")  # it would block
    scene.save(Returning(None), to="glb")  # not a raw file: it returns nothing


# -- Names and reasons -------------------------------------------------------

def message_of(call, kind):
    with pytest.raises(kind) as raised:
        call()
    return str(raised.value)


def test_unknown_keywords_name_the_nearest_one(model):
    """Also functions without **options."""
    scene = facet.load(model)
    for call, part in ((lambda: facet.load(model, fmt="obj"), "did you mean 'from_'?"),
                       (lambda: facet.load(model, sibling=None), "did you mean 'siblings'?"),
                       (lambda: facet.check(model, strict=True), "number of warnings"),
                       (lambda: facet.render(model, sizes=(8, 8)), "did you mean 'size'?"),
                       (lambda: facet.compare(model, model, tolerence=1), "did you mean 'tolerance'?"),
                       (lambda: scene.prepare(simplfy=1), "prepare() has no option 'simplfy'")):
        assert part in message_of(call, TypeError)


def test_missing_names_are_listed(model):
    scene = facet.load(model)
    assert message_of(lambda: scene.materials["rde"], KeyError) == \
        '"\'rde\' is not one of \'red\', \'blue\'"'
    assert "not one of none" in message_of(lambda: scene.animations["Jump"], KeyError)
    maps = scene.materials[0].maps
    assert "did you mean 'diffuse'?" in message_of(lambda: maps["base_color"], KeyError)
    assert "maps.set('normal', image=...)" in message_of(lambda: maps["normal"], KeyError)
    assert facet.Maps is type(maps)


def test_losses_are_in_the_error(model):
    scene = facet.load(model)
    with pytest.raises(facet.LossError) as raised:
        scene.save_bytes("stl", strict=True)
    assert len(raised.value.losses) >= 1 and raised.value.losses[0].rule == raised.value.rule
    assert pickle.loads(pickle.dumps(raised.value)).rule == raised.value.rule


def test_passes_name_the_pass_to_run_before():
    scene = facet.Scene()
    mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]],
                          normal=([[0, 0, 1]], [0, 0, 0, 0]))
    assert "call index() before" in message_of(mesh.weld, facet.ArgumentError)
    assert "call triangulate() and index() before" in message_of(mesh.optimize, facet.ArgumentError)
    assert "scene.prepare()" in message_of(lambda: mesh.simplify(0.5), facet.ArgumentError)
    mesh.triangulate(), mesh.index()
    mesh.weld(), mesh.optimize(), mesh.simplify(1)


def test_parts_that_do_not_exist():
    scene = facet.Scene()
    node = scene.add_node("root")
    assert "node 99 does not exist; the scene has 1" in message_of(
        lambda: scene.add_node(parent=99), ValueError)
    assert "mesh 0 does not exist" in message_of(lambda: scene.add_node(mesh=0), ValueError)
    for times in ([0, 0], [1, 0], [0, float("nan")]):
        assert "increase" in message_of(lambda: scene.add_animation("a", [
            (node, "translation", times, np.zeros((2, 3)))]), ValueError)
    assert len(scene.nodes) == 1 and len(scene.animations) == 0


def test_almost_names_of_streams():
    scene = facet.Scene()
    for name, meant in (("joint", "joints"), ("weight", "weights"), ("colo" + "ur", "color")):
        assert f"did you mean '{meant}'?" in message_of(
            lambda: scene.add_mesh(CORNERS[:3], [[0, 1, 2]], **{name: [[1.0]] * 3}), ValueError)


def test_parts_are_not_pickled_alone(model):
    scene = facet.load(model)
    assert "pickle the scene" in message_of(lambda: pickle.dumps(scene.meshes[0]), TypeError)
    assert "pickle the scene" in message_of(lambda: pickle.dumps(scene.materials[0]), TypeError)


def test_empty_scenes_are_not_drawn(model):
    error = message_of(lambda: facet.render(facet.Scene(), size=(8, 8)), facet.MalformedError)
    assert "RENDER-EMPTY" in error
    assert facet.Scene()._repr_png_() is None


def test_text_files_are_refused():
    refused(TypeError, "open it with mode 'rb'", facet.load, io.StringIO("v 0 0 0"), from_="obj")


def test_unknown_members_name_the_help():
    material = facet.Scene().add_material("a")
    refused(AttributeError, "did you mean 'roughness'?", setattr, material, "rougness", 0)
    refused(AttributeError, "help(facet.parts.Material) lists them", setattr, material, "diffuse", 0)


def test_help_is_of_python():
    """No C words and no private names."""
    said = pydoc.render_doc(facet.Scene) + pydoc.render_doc(facet.Material)
    assert "NULL" not in said and "FACET_" not in said and "_struct" not in said
    assert facet.Scene.image_count.__doc__ == "number of images"
    assert "0: one per processor" in facet.convert.__doc__


def test_lost_streams_are_named(tmp_path):
    scene, _ = triangle(heat=np.float32([[1], [2], [3]]))
    for kind in ("obj", "stl", "bmd", "bsm", "binarymesh"):
        report = scene.save(tmp_path / f"lost.{kind}")
        said = [one.message for one in report.findings if one.rule == "LOSS-CUSTOM"]
        assert len(said) == 1 and "'heat'" in said[0], (kind, said)


def test_originals_must_be_models(bck, tmp_path):
    scene, _ = triangle()
    assert "the original is not a BMD or BDL model" in message_of(
        lambda: scene.save(tmp_path / "a.bdl", like=bck), facet.ArgumentError)


def test_findings_of_several_outputs_name_the_file(tmp_path):
    grid = np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0)), -1).reshape(-1, 2)
    corner = (np.arange(19)[:, None] * 20 + np.arange(19)).reshape(-1)
    scene = facet.Scene()
    scene.add_mesh(np.pad(grid, ((0, 0), (0, 1))),
                   np.stack([corner, corner + 1, corner + 21, corner + 20], -1),
                   heat=grid[:, :1].astype(np.float32))
    report = scene.save(tmp_path / "a.bsm", lods=2)
    files = [one.file for one in report.findings if one.rule == "LOSS-CUSTOM"]
    assert files == ["a.bsm", "a-lod1.bsm", "a-lod2.bsm"]
    report = scene.save(tmp_path / "a.bsm")
    assert [one.file for one in report.findings if one.rule == "LOSS-CUSTOM"] == [None]
