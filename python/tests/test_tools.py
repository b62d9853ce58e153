"""Functions that correspond to commands: they give the same results as the program."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import facet

PROGRAM = Path(facet.__file__).parent / "_lib" / "facet"


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, **options)


FILES = ["gltf/Fox.glb", "gltf/CesiumMan.glb", "j3d/fish_static.bmd", "j3d/greenman_skinned.bdl",
         "bga/teapot.v1.bga", "bga/fish.big-endian.v2.bga", "bsm/test.bsm"]


@pytest.mark.parametrize("name", FILES)
def test_conversions_are_the_programs_to_the_byte(corpus, tmp_path, name):
    for to in ("glb", "bsm", "bga", "obj", "binarymesh"):
        ours, theirs = tmp_path / f"ours.{to}", tmp_path / "theirs" / f"ours.{to}"
        theirs.parent.mkdir(exist_ok=True)
        report = facet.convert(corpus / name, ours)
        said = run("convert", "-v", corpus / name, theirs)
        assert said.returncode == 0, said.stderr
        assert ours.read_bytes() == theirs.read_bytes()
        lost = [line for line in said.stderr.splitlines() if "warning" in line]
        assert len(lost) == len(report.warnings)


@pytest.mark.parametrize("options, arguments", [
    (dict(flat=True, no_optimize=True), ["--flat", "--no-optimize"]),
    (dict(crease=30, new_normals=True, up="z", scale=2.5), [
        "--crease", "30", "--new-normals", "--up", "z", "--scale", "2.5"]),
    (dict(hulls=3, hull_vertices=16, occluder=0.1, flip_v=True), [
        "--hulls", "3", "--hull-vertices", "16", "--occluder", "0.1", "--flip-v"]),
    (dict(merge=0.01, keep_vertices=True), ["--merge", "0.01", "--keep-vertices"]),
])
def test_options_are_the_programs(corpus, tmp_path, options, arguments):
    source = corpus / "bga/teapot.v2.bga"
    facet.convert(source, tmp_path / "ours.bsm", **options)
    assert run("convert", source, tmp_path / "theirs.bsm", *arguments).returncode == 0
    assert (tmp_path / "ours.bsm").read_bytes() == (tmp_path / "theirs.bsm").read_bytes()


def test_options_of_families_are_the_programs(corpus, tmp_path):
    for name, options, arguments in (
            ("a.bga", dict(endian="big", interleave=False), ["--endian", "big", "--interleave", "no"]),
            ("a.ply", dict(ply_encoding="big-endian"), ["--ply-encoding", "big-endian"]),
            ("a.stl", dict(stl_encoding="ascii"), ["--stl-encoding", "ascii"]),
            ("a.binarymesh", dict(format_version=3), ["--format-version", "3"]),
            ("a.bmd", dict(texture_format="RGB565", mips="auto", dither=True, quantize="none"), [
                "--texture-format", "RGB565", "--mips", "auto", "--dither", "--quantize", "none"])):
        facet.convert(corpus / "gltf/Fox.glb", tmp_path / f"ours-{name}", **options)
        said = run("convert", corpus / "gltf/Fox.glb", tmp_path / f"theirs-{name}", *arguments)
        assert said.returncode == 0, said.stderr
        assert (tmp_path / f"ours-{name}").read_bytes() == (tmp_path / f"theirs-{name}").read_bytes()


@pytest.mark.parametrize("name", FILES)
def test_info_is_the_programs(corpus, name):
    theirs = json.loads(run("info", "--json", corpus / name).stdout)
    ours = facet.info(corpus / name)
    for key in ("bytes", "meshes", "vertices", "triangles", "materials", "images", "joints"):
        if key in theirs:
            assert getattr(ours, key) == theirs[key], key
    assert ours.format == theirs["format"] and ours.detail
    assert np.shape(ours.bounds) in ((2, 3), ())


def test_check_is_the_programs(corpus):
    broken = sorted((corpus / "broken").iterdir())
    assert broken
    for path in broken:
        try:
            ours = facet.check(path)
        except facet.UnsupportedError:
            continue
        said = json.loads(run("check", "--json", path).stdout or "{}")
        assert [one.rule for one in ours] == [one["rule"] for one in said["findings"]], path.name


def test_extract(corpus):
    found = facet.extract(corpus / "j3d/fish_static.bmd")
    assert "materials.json" in found and json.loads(found["materials.json"])
    assert any(data[:4] == b"\x89PNG" for data in found.values())


def test_the_same_bytes_have_a_distance_of_zero(model, tmp_path):
    alone = tmp_path / "alone.ply"  # without further files
    facet.convert(model, alone)
    found = facet.compare(alone, alone.read_bytes())
    assert found.same_bytes and found.same_triangles and found.equal
    assert found.distance == 0 and found.distance_bound == 0
    other = facet.compare(model, model.read_bytes() + b"\n")
    assert not other.same_bytes and other.same_triangles and other.distance == 0
    points = b"v 0 0 0\nv 1 0 0\np 1 2\n"
    none = facet.compare(points, points + b"\n")
    assert not none.same_bytes and none.distance is None and none.distance_bound is None


def test_compare(corpus, tmp_path):
    assert facet.compare(corpus / "bsm/test.bsm", corpus / "bsm/test.bsm").same_bytes
    facet.convert(corpus / "bsm/test.bsm", tmp_path / "moved.bsm", scale=1.5)
    found = facet.compare(corpus / "bsm/test.bsm", tmp_path / "moved.bsm")
    assert not found.equal and found.distance > 0 and found.distance_bound >= found.distance


def test_python_m_facet_is_the_program(model, tmp_path):
    def python(*arguments):
        return subprocess.run([sys.executable, "-m", "facet", *map(str, arguments)], text=True,
                              capture_output=True, env={**os.environ, "PYTHONPATH": str(
                                  Path(facet.__file__).parents[1])})
    (tmp_path / "bad.obj").write_text("v x\n")
    for arguments in (["info", model], ["--help"], ["check", tmp_path / "bad.obj"], ["nonsense"],
                      ["convert", model, tmp_path / "none" / "a.bsm"]):
        ours, theirs = python(*arguments), run(*arguments)
        assert (ours.returncode, ours.stdout, ours.stderr) == \
            (theirs.returncode, theirs.stdout, theirs.stderr)
    assert [run("--version").returncode, run("check", tmp_path / "bad.obj").returncode,
            run("nonsense").returncode] == [0, 1, 2]


# -- Untrusted files -------------------------------------------------------

@pytest.mark.parametrize("name", ["bsm/test.bsm", "bga/teapot.v1.bga", "gltf/BoxInterleaved.glb",
                                  "j3d/fish_static.bmd"])
def test_hostile_files_raise(corpus, name):
    """Truncated and randomly changed files give an exception or a result, never a crash."""
    data, random = (corpus / name).read_bytes(), np.random.default_rng(1)
    for round_ in range(60):
        changed = bytearray(data)
        for at in random.integers(0, min(len(data), 4096), 4):
            changed[at] = random.integers(0, 256)
        if round_ % 3 == 0:
            changed = changed[:random.integers(0, len(data))]
        for function in (facet.load, facet.info, facet.check, facet.read, facet.extract):
            try:
                function(bytes(changed), memory_limit=512)
            except (facet.FacetError, ValueError):
                pass


@pytest.mark.parametrize("name, options, arguments", [
    ("j3d/greenman_skinned.bdl", dict(size=(96, 64), view="front", background="#d0d8e0"),
     ["--size", "96x64", "--view", "front", "--background", "#d0d8e0"]),
    ("gltf/Fox.glb", dict(size=(80, 80), animation="Run", time=0.3, mode="shaded,wireframe"),
     ["--size", "80x80", "--animation", "Run", "--time", "0.3", "--mode", "shaded,wireframe"]),
    ("bsm/test.bsm", dict(size=(64, 64), view=(20, 10), orthographic=True, mode=["normals"]),
     ["--size", "64x64", "--view", "20,10", "--orthographic", "--mode", "normals"]),
])
def test_pictures_are_the_programs_to_the_pixel(corpus, tmp_path, name, options, arguments):
    picture = facet.render(corpus / name, **options)
    assert picture.any and picture.pixels[..., 3].any()
    assert run("render", corpus / name, tmp_path / "theirs.png", *arguments).returncode == 0
    theirs = facet.load(tmp_path / "theirs.png").images[0].pixels
    assert (theirs == picture.pixels[..., :theirs.shape[2]]).all()
    picture.save(tmp_path / "ours.png")
    assert (tmp_path / "ours.png").read_bytes() == picture.png()
    # The same picture, with the camera of the first.
    scene = facet.load(corpus / name)
    again = {key: value for key, value in options.items() if key not in ("view", "orthographic")}
    assert (facet.render(scene, camera=picture.camera, **again).pixels == picture.pixels).all()


def test_console_materials_move_as_the_program_moves_them(corpus, tmp_path):
    """A texture that moves over the model by half of its width in half a second."""
    slide = [[0, 0, 1 / 30, 1 / 30], [30, 1, 1 / 30, 1 / 30]]
    (tmp_path / "slide.json").write_text(json.dumps({
        "format": "facet-j3d-animation", "version": 1, "kind": "btk", "name": "slide", "frames": 30,
        "loop": "repeat", "rotation_shift": 0, "texture_matrices": [{
            "material": "body", "matrix": 0, "center": [0.5, 0.5, 0.5], "scale": [1, 1, 1],
            "rotation": [0, 0, 0], "translation": [slide, 0, 0]}]}))
    assert run("pack", tmp_path / "slide.btk", tmp_path / "slide.json").returncode == 0
    file = corpus / "j3d/greenman_skinned.bdl"
    scene = facet.load(file, animations=[tmp_path / "slide.btk"], images=True)
    moved = facet.render(scene, size=(64, 64), animation="slide", time=0.5).pixels
    assert (moved != facet.render(scene, size=(64, 64)).pixels).any()
    said = run("render", file, tmp_path / "slide.btk", tmp_path / "a.png", "--size", "64x64", "--time", "0.5")
    assert said.returncode == 0, said.stderr
    theirs = facet.load(tmp_path / "a.png").images[0].pixels
    assert (theirs == moved[..., :theirs.shape[2]]).all()


def test_pictures_refuse_what_there_is_not(model):
    for wrong in (dict(view="below"), dict(mode="x-ray"), dict(size=(0, 8)), dict(background="#12"),
                  dict(mode="texture")):
        with pytest.raises(ValueError):
            facet.render(model, **wrong)


def test_results_with_arrays_are_compared_by_content(model):
    assert facet.info(model) == facet.info(model) != facet.info(model, name="x.obj").to_dict()
    assert facet.info(model) != facet.info(facet.load(model).save_bytes("bsm"))
    small, again, large = (facet.render(model, size=size) for size in ((8, 4), (8, 4), (8, 8)))
    assert small == again != large
    assert repr(small) == "<Picture 8 x 4>" and np.asarray(small).shape == (4, 8, 4)
    assert np.asarray(small, float).dtype == float
    scene = facet.load(model)
    assert scene.pose() == scene.pose()
