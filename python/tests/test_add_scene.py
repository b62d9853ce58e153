"""Addition of a scene to another one: with materials, images, nodes and axes."""

import shutil
import struct
import threading
import zlib

import numpy as np
import pytest

import facet

TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]


def png(red):
    """A PNG of one pixel (red, 0, 0)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + \
            struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(bytes([0, red, 0, 0]))) + chunk(b"IEND", b"")


def textured(folder, red):
    """An OBJ whose texture t.png has one pixel, in a separate folder."""
    folder.mkdir()
    (folder / "t.png").write_bytes(png(red))
    (folder / "a.mtl").write_text("newmtl m\nmap_Kd t.png\n")
    (folder / "a.obj").write_text("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
                                  "usemtl m\nf 1/1 2/2 3/3\n")
    return folder / "a.obj"


def test_parts_are_added(model):
    scene, other = facet.load(model), facet.load(model)
    other.materials["blue"].base_color = (0, 1, 0, 1)
    assert scene.add_scene(other) == []
    assert [one.name for one in scene.materials] == ["red", "blue", "red", "blue"]
    assert scene.meshes[1].face_materials.tolist() == \
        (scene.meshes[0].face_materials + 2).tolist()
    other.close()
    assert scene.materials[3].base_color == (0, 1, 0, 1)
    assert scene.materials[1].base_color == (0, 0, 1, 1)
    again = facet.load(scene.save_bytes("glb"))
    assert len(again.meshes) == 2 and len(again.materials) == 4


@pytest.mark.parametrize("kind", ["glb", "bmd", "obj"])
def test_textures_of_both_folders_are_written(tmp_path, kind):
    """Both scenes name a file t.png, each in its own folder."""
    scene = facet.load(textured(tmp_path / "one", 10))
    scene.add_scene(facet.load(textured(tmp_path / "two", 200)))
    (tmp_path / "out").mkdir()
    written = scene.save(tmp_path / "out" / f"x.{kind}")
    shutil.move(tmp_path / "out", tmp_path / "moved")
    if kind == "obj":  # its first texture is a path to the folder "one"
        (tmp_path / "moved").rename(tmp_path / "out")
    again = facet.load(tmp_path / ("out" if kind == "obj" else "moved") / f"x.{kind}", images=True,
                       allow_external=kind == "obj")
    found = sorted(int(one.pixels[0, 0, 0]) for one in again.images)
    assert found == [10, 200], (found, written.warnings)


def test_missing_images_stay_by_name(tmp_path):
    """t.png of the added scene is missing; the other scene's file of that name is not taken."""
    scene = facet.load(textured(tmp_path / "one", 10))
    other = facet.load(textured(tmp_path / "two", 200))
    (tmp_path / "two/t.png").unlink()
    assert [one.rule for one in scene.add_scene(other)] == ["LOSS-IMAGES"]
    assert [(one.name, one.data) for one in scene.images] == [("t.png", None)]
    assert scene.materials[1].maps["diffuse"].image == 0
    report = scene.save(tmp_path / "x.glb")
    again = facet.load(tmp_path / "x.glb")
    assert [int(one.pixels[0, 0, 0]) for one in again.images] == [10]
    assert any(one.rule == "LOSS-IMAGES" for one in report.warnings)


def test_scenes_are_added_to_each_other_in_threads():
    """Each call needs both scenes. In another order, each would wait for the other."""
    one, two = facet.Scene(), facet.Scene()
    for scene in (one, two):
        scene.add_material("m")

    def add(to, other):
        for _ in range(40):
            to.add_scene(other)
            to.remove_materials(range(1, len(to.materials)))
    threads = [threading.Thread(target=add, args=pair, daemon=True) for pair in ((one, two), (two, one))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_the_other_scene_is_copied_once(monkeypatch):
    """Only the library copies it."""
    scene, other = facet.Scene(), facet.Scene()
    other.add_mesh(*TRIANGLE)
    monkeypatch.setattr(type(other._owner), "copy", None)
    scene.add_scene(other)
    assert len(scene.meshes) == 1


def test_a_failed_addition_takes_over_no_folder(tmp_path):
    other = facet.load(textured(tmp_path / "one", 10))
    other.meshes[0].face_materials = 7
    scene = facet.Scene()
    with pytest.raises(facet.ArgumentError):
        scene.add_scene(other)
    assert scene._origin is None


def test_the_first_scene_takes_over_the_folder(tmp_path):
    scene = facet.Scene()
    scene.add_scene(facet.load(textured(tmp_path / "one", 10)))
    assert len(facet.load(scene.save_bytes("glb")).images) == 1


def test_axes_are_converted():
    scene, other = facet.Scene(), facet.Scene()
    scene.add_mesh(*TRIANGLE)
    other.add_mesh([[0, 0, 0], [100, 0, 0], [0, 0, 200]], [[0, 1, 2]])
    other.axes.up, other.axes.unit = "z", 0.01
    scene.add_scene(other)
    assert np.allclose(scene.bounds(), [[0, 0, 0], [1, 2, 0]])
    assert other.axes.up == "z" and other.meshes[0].positions.max() == 200


def test_views_stay_valid():
    scene = facet.Scene()
    mesh = scene.add_mesh(*TRIANGLE)
    positions = mesh.positions
    for _ in range(4):
        scene.add_scene(scene)
    assert len(scene.meshes) == 16 and positions.tolist() == TRIANGLE[0]
    assert mesh == scene.meshes[0]


def test_instances_and_skins_are_added(corpus):
    scene, other = facet.load(corpus / "gltf/CesiumMan.glb"), facet.load(corpus / "gltf/Fox.glb")
    nodes, animations = len(scene.nodes), len(scene.animations)
    alone = other.posed_positions(next(n.index for n in other.nodes if n.mesh is not None), 1, 0.4)
    scene.add_scene(other)
    scene.check()
    node = next(n for n in scene.nodes if n.mesh is not None and n.index >= nodes)
    assert np.array_equal(scene.posed_positions(node, animations + 1, 0.4), alone)
    assert len(facet.load(scene.save_bytes("glb")).skins) == 2


def test_lost_data_is_reported():
    scene, other = facet.Scene(), facet.Scene()
    scene.add_mesh(*TRIANGLE)
    other.extras, other.name = {"a": 1}, "town"
    assert [one.rule for one in scene.add_scene(other)] == ["LOSS-NAMES", "LOSS-EXTRAS"]
    empty = facet.Scene()
    assert empty.add_scene(other) == [] and empty.extras == {"a": 1} and empty.name == "town"


def test_only_scenes_are_added(model):
    scene = facet.Scene()
    for wrong in (None, model, facet.load(model).meshes[0]):
        with pytest.raises(TypeError, match="facet.Scene"):
            scene.add_scene(wrong)
    other = facet.load(model)
    other.meshes[0].face_materials = 7
    with pytest.raises(facet.ArgumentError):
        scene.add_scene(other)
    assert len(scene.meshes) == 0
