"""Options: each function takes every option of its command, or gives the reason why not. The effect
is the same as with the program."""

import inspect
import json
import subprocess
from pathlib import Path

import pytest

import facet
from facet._facet import ffi
from facet._option_table import NOT_TAKEN, OPTIONS, BatchOptions, ConvertOptions, SaveOptions
from facet._options import python_name

PROGRAM = Path(facet.__file__).parent / "_lib" / "facet"
FUNCTIONS = ["convert", "check", "info", "extract", "compare", "render", "batch"]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def options_of(command):
    return [option for option in OPTIONS if command in option["commands"]]


def taken(command):
    return {python_name(one["name"]) for one in options_of(command)
            if one["name"] not in NOT_TAKEN[command]}


# -- The table -------------------------------------------------------------


def test_the_table_is_the_programs():
    assert OPTIONS == [json.loads(line) for line in run("--options").stdout.splitlines()]


@pytest.mark.parametrize("command", FUNCTIONS)
def test_functions_take_every_option(command):
    parameters = set(inspect.signature(getattr(facet, command)).parameters)
    if command == "batch":
        parameters |= set(BatchOptions.__annotations__)
    if command == "convert":
        parameters |= set(ConvertOptions.__annotations__)
    assert taken(command) <= parameters
    names = {one["name"] for one in options_of(command)}
    assert set(NOT_TAKEN[command]) <= names, "reasons for options that there are not"
    assert not {python_name(name) for name in NOT_TAKEN[command]} & parameters
    assert all(NOT_TAKEN[command].values())


def test_save_takes_those_that_do_not_concern_the_input():
    assert set(SaveOptions.__annotations__) < set(ConvertOptions.__annotations__)
    assert {python_name(name) for name in NOT_TAKEN["save"]}.isdisjoint(SaveOptions.__annotations__)


def test_clusters_are_those_of_the_program(tmp_path):
    """A square of 40 x 40 fields in at most 100 vertices, by load, convert and the program."""
    lines = [f"v {x} {y} 0" for y in range(41) for x in range(41)]
    lines += [f"f {a} {a + 1} {a + 42} {a + 41}" for y in range(40) for a in range(y * 41 + 1, y * 41 + 41)]
    path = tmp_path / "a.obj"
    path.write_text("\n".join(lines) + "\n")
    scene = facet.load(path, cluster=100)
    assert len(scene.meshes) == 1
    positions = scene.meshes[0].positions
    assert len(positions) <= 100 and positions[:, 2].max() == 0
    facet.convert(path, tmp_path / "b.glb", cluster=100)
    assert run("convert", "-q", path, tmp_path / "c.glb", "--cluster", 100).returncode == 0
    assert (tmp_path / "b.glb").read_bytes() == (tmp_path / "c.glb").read_bytes()
    with pytest.raises(facet.FacetError, match="gltf|glb"):
        facet.load(tmp_path / "c.glb", cluster=100)


def test_every_member_is_of_the_headers():
    fields = {field for option in OPTIONS for field in option["fields"] or ()}
    assert len(fields) > 50
    for field in fields:
        struct, member = field.split(".")
        assert member in dict(ffi.typeof(struct).fields), field


def test_help_names_every_option():
    for name in taken("convert") - {"from_", "to"}:
        assert f"\n    {name} " in facet.convert.__doc__ or f"{name}:" in facet.convert.__doc__, name


# -- Values ----------------------------------------------------------------

WRONG = [
    (dict(hulls=257), ValueError, "hulls is 1 to 256, not 257"),
    (dict(hull_vertices=7), ValueError, "hull_vertices is 8 to 65536, not 7"),
    (dict(occluder=1.5), ValueError, "occluder is a number above 0 and up to 1, not 1.5"),
    (dict(scale=float("nan")), ValueError, "scale is a number above 0, not nan"),
    (dict(scale="large"), TypeError, "scale is a number above 0, not 'large'"),
    (dict(lods=1.5), TypeError, "lods is 1 to 8, not 1.5"),
    (dict(up="w"), ValueError, "up is one of y, z, x, not 'w'"),
    (dict(hull_prefix=3), TypeError, "hull_prefix is a string, not 3"),
    (dict(new_normal=True), TypeError, "did you mean 'new_normals'?"),
    (dict(json=True), TypeError, "'json': results are objects"),
    (dict(quantize="none"), TypeError, "'quantize' is an option of bmd, bdl; bsm does not take it"),
    (dict(split=True, hulls=1), ValueError, "the whole model's"),
    (dict(split=True, lods=1), ValueError, "do not go together"),
]


@pytest.mark.parametrize("options, kind, words", WRONG)
def test_wrong_options_are_named(model, tmp_path, options, kind, words):
    with pytest.raises(kind) as raised:
        facet.convert(model, tmp_path / "a.bsm", **options)
    assert words in str(raised.value)
    assert not (tmp_path / "a.bsm").exists()


def test_several_files_need_a_path(model, tmp_path):
    scene = facet.load(model)
    with open(tmp_path / "a.bin", "wb") as file, pytest.raises(ValueError, match="several files"):
        scene.save(file, to="bsm", lods=1)
    assert sorted(scene.save_files("a.ply", lods=2)) == ["a-lod1.ply", "a-lod2.ply", "a.ply"]


# -- convert ---------------------------------------------------------------

TWO = """mtllib two.mtl
o body
v 0 0 0
v 1 0 0
v 0 2 0
v 0 0 3
vt 0 0
vt 1 0
vt 0 1
usemtl red
f 1/1 3/2 2/3
f 1/1 2/2 4/3
f 2/1 3/2 4/3
usemtl same
f 1/1 4/2 3/3
o left wheel
v 2 0 0
v 3 0 0
v 2 2 0
v 2 0 3.00001
v 3.0001 0 0
usemtl red
f 5/1 7/2 6/3
f 5/1 9/2 8/3
f 6/1 7/2 8/3
f 5/1 8/2 7/3
"""
MTL = "newmtl red\nKd 1 0 0\nnorm bumps.png\nnewmtl same\nKd 1 0 0\nnorm bumps.png\n"

VARIANTS = b"""{"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_materials_variants"], "extensions": {
"KHR_materials_variants": {"variants": [{"name": "day"}, {"name": "night"}]}}, "materials": [{"name": "a"},
{"name": "b"}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0, "extensions": {
"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [1]}]}}}]}], "accessors": [{
"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}], "nodes": [{
"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0}"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with inputs."""
    import os
    if "FACET_CORPUS" not in os.environ:
        pytest.skip("FACET_CORPUS is not set")
    corpus, folder = Path(os.environ["FACET_CORPUS"]), tmp_path_factory.mktemp("made")
    (folder / "corpus").symlink_to(corpus)
    (folder / "two.obj").write_text(TWO)
    (folder / "two.mtl").write_text(MTL)
    (folder / "variants.gltf").write_bytes(VARIANTS)
    (folder / "inner").mkdir()
    (folder / "inner/two.obj").write_text(TWO.replace("two.mtl", "../two.mtl"))
    (folder / "plain").write_text("\n".join(line for line in TWO.splitlines() if "m" not in line[:2]))
    fish = corpus / "j3d/fish_static.bmd"
    (folder / "fish.bmd").write_bytes(fish.read_bytes())
    make_pictures(folder)
    make_lists(folder)
    make_motion(folder)
    archive = facet.Archive.new("rarc", "stage")
    archive["readme"] = b"hello"
    archive.save(folder / "stage.arc")
    return folder


def make_pictures(folder):
    import numpy as np
    scene = facet.Scene()
    x, y = np.meshgrid(np.arange(60), np.arange(36))
    pixels = np.stack([x * 4, y * 7, (x * y) % 256, np.full_like(x, 255)], -1).astype(np.uint8)
    scene.add_image("bumps.png", pixels)
    (folder / "bumps.png").write_bytes(bytes(scene.images[0].encode()))
    scene.add_image("square.png", np.ascontiguousarray(pixels[:32, :32]))
    (folder / "square.png").write_bytes(bytes(scene.images[1].encode()))


def make_lists(folder):
    """Lists of materials and textures that change something."""
    assert run("extract", folder / "fish.bmd", folder / "parts").returncode == 0
    for name in ("materials", "textures"):
        found = json.loads((folder / f"parts/{name}.json").read_text())
        change(found, name)
        (folder / f"{name}.json").write_text(json.dumps(found))
    (folder / "camera.json").write_text(json.dumps({"camera": {
        "position": [9, 9, 90], "target": [0, 0, 0], "up": [0, 1, 0], "fieldOfView": 40, "height": 0}}))
    (folder / "lists").mkdir()
    (folder / "lists/one.json").write_text((folder / "materials.json").read_text())
    (folder / "pictures").mkdir()
    name = facet.read(folder / "fish.bmd").textures.names[0]
    name = name.decode() if isinstance(name, bytes) else name
    (folder / f"pictures/{name}.png").write_bytes((folder / "square.png").read_bytes())
    (folder / "texture").write_text(name)


def change(found, name):
    """The first color of a material, and the first wrap mode of a texture."""
    def visit(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                if name == "materials" and isinstance(inner, list) and "color" in key.lower():
                    for i, one in enumerate(inner):
                        if isinstance(one, list) and len(one) == 4:
                            inner[i] = [12, 34, 56, 255]
                            return True
                if name == "textures" and "wrap" in key.lower():
                    value[key] = "mirror" if inner != "mirror" else "clamp"
                    return True
                if visit(inner):
                    return True
        elif isinstance(value, list):
            return any(visit(one) for one in value)
        return False
    assert visit(found), name


def make_motion(folder):
    """Two animations of one joint that no cubic fits exactly."""
    (folder / "motions").mkdir()
    for name, sign in (("turn", 1), ("sway", -1)):
        keys = [[i, sign * (i * i % 37) * 2.0, 0, 0] for i in range(0, 41, 4)]
        moves = [[i, (i * 7 % 11) + i * 0.013, 0, 0] for i in range(0, 41, 4)]
        joint = {"scale": [1, 1, 1], "rotation": [0, keys, 0], "translation": [1, moves, 0]}
        (folder / f"motions/{name}.bck").write_bytes(facet.Animation.from_json({
            "format": "facet-j3d-animation", "version": 1, "kind": "bck", "name": name,
            "frames": 40, "loop": "once", "rotation_shift": 1, "joints": [joint]}).write_bytes())
    (folder / "motions/readme").write_text("no animation\n")
    motions = [folder / "motions/turn.bck", folder / "motions/sway.bck"]
    said = run("convert", folder / "fish.bmd", *motions, folder / "moving.glb")
    assert said.returncode == 0, said.stderr


FOX, SPIDER, BDL = "corpus/gltf/Fox.glb", "corpus/obj/spider.obj", "corpus/j3d/greenman_skinned.bdl"
BCK = {"like": "fish.bmd", "clip": "turn"}
# For each option: input, output, options of the call, and options of the call that it is compared
# with. The results must differ. None: the option does not change the bytes.
CONVERT = {
    "from_": ("plain", "a.bsm", {"from_": "obj"}, None),
    "to": ("two.obj", "a.bin", {"to": "ply"}, None),
    "strict": ("two.obj", "a.obj", {"strict": True}, None),
    "threads": (SPIDER, "a.bsm", {"threads": 2}, None),
    "memory_limit": (SPIDER, "a.bsm", {"memory_limit": 500}, None),
    "growth_limit": (SPIDER, "a.bsm", {"growth_limit": 500}, None),
    "crease": ("two.obj", "a.bsm", {"crease": 95}, {}),
    "new_normals": (SPIDER, "a.bsm", {"new_normals": True}, {}),
    "flat": (SPIDER, "a.bsm", {"new_normals": True, "flat": True}, {"new_normals": True}),
    "merge": ("two.obj", "a.bsm", {"merge": 0.01}, {}),
    "keep_vertices": (SPIDER, "a.bsm", {"keep_vertices": True}, {}),
    "tangents": ("two.obj", "a.glb", {"tangents": True}, {}),
    "split": ("two.obj", "a.bsm", {"split": True}, None),
    "up": ("two.obj", "a.bsm", {"up": "z"}, {}),
    "output_up": ("two.obj", "a.stl", {"output_up": "z"}, {}),
    "scale": ("two.obj", "a.bsm", {"scale": 2.5}, {}),
    "flip_v": ("two.obj", "a.bsm", {"flip_v": True}, {}),
    "format_version": ("two.obj", "a.binarymesh", {"format_version": 1}, {}),
    "resize": ("bumps.png", "a.bti", {"resize": True}, {}),
    "no_optimize": (FOX, "a.bsm", {"no_optimize": True}, {}),
    "allow_external": ("inner/two.obj", "a.glb", {"allow_external": True}, {}),
    "animations": ("fish.bmd", "a.glb", {"animations": "motions"}, {}),
    "compress": ("two.obj", "a.bmd", {"compress": "fast"}, {}),
    "into": ("two.obj", "stage.arc/a.bsm", {"into": True}, None),
    "cluster": (SPIDER, "a.bsm", {"cluster": 200}, {}),
    "simplify": (SPIDER, "a.bsm", {"simplify": 0.5}, {}),
    "max_vertices": (SPIDER, "a.bsm", {"max_vertices": 500}, {}),
    "simplify_error": (SPIDER, "a.bsm", {"simplify": 0.1, "simplify_error": 0.001},
                       {"simplify": 0.1}),
    "lods": (SPIDER, "a.bsm", {"lods": 2}, None),
    "hulls": ("two.obj", "a.bsm", {"hulls": 2}, {}),
    "hull_vertices": (SPIDER, "a.bsm", {"hulls": 2, "hull_vertices": 9}, {"hulls": 2}),
    "hulls_from": ("two.obj", "a.bsm", {"hulls_from": SPIDER}, {}),
    "occluder": (SPIDER, "a.bsm", {"occluder": 0.1}, {}),
    "occluder_from": ("two.obj", "a.bsm", {"occluder_from": SPIDER}, {}),
    "hull_prefix": ("two.obj", "a.bsm", {"hull_prefix": "left"}, {}),
    "occluder_name": ("two.obj", "a.bsm", {"occluder_name": "left wheel"}, {}),
    "repair": (BDL, "a.bdl", {"repair": True}, {}),
    "force": (FOX, "a.bdl", {"like": BDL, "force": True}, None),
    "variant": ("variants.gltf", "a.glb", {"variant": "night"}, {}),
    "endian": ("two.obj", "a.bga", {"endian": "big"}, {}),
    "interleave": ("two.obj", "a.bga", {"interleave": False}, {}),
    "texture_format": (FOX, "a.bmd", {"texture_format": "RGB565"}, {}),
    "mips": (FOX, "a.bmd", {"mips": "auto"}, {"mips": 2}),
    "dither": (FOX, "a.bmd", {"texture_format": "RGB565", "dither": True},
               {"texture_format": "RGB565"}),
    "texture_wrap": ("fish.bmd", "a.bmd", {"texture_wrap": "mirror"}, {"texture_wrap": "clamp"}),
    "texture_filter": ("fish.bmd", "a.bmd", {"texture_filter": "near"}, {"texture_filter": "linear"}),
    "texture_set": ("fish.bmd", "a.bmd", {"texture_set": ["*:format=RGB565", "no*:format=C8"]}, {}),
    "quantize_mesh": (FOX, "a.glb", {"quantize_mesh": True}, {}),
    "compress_mesh": (FOX, "a.glb", {"compress_mesh": True}, {}),
    "external_images": (FOX, "a.gltf", {"external_images": True}, {}),
    "png": (BDL, "a.glb", {"png": "small"}, {}),
    "materials": ("fish.bmd", "a.bmd", {"materials": "materials.json"}, {}),
    "textures": ("fish.bmd", "a.bmd", {"textures": "textures.json"}, {}),
    "material_dir": ("fish.bmd", "a.bmd", {"material_dir": "lists"}, {}),
    "one_joint": ("corpus/gltf/BoxInterleaved.glb", "a.bmd", {"one_joint": True}, {}),
    "merge_materials": ("two.obj", "a.bmd", {"merge_materials": True}, {}),
    "weights": (FOX, "a.bmd", {"weights": 1}, {}),
    "root": ("corpus/gltf/cakeBirthday.glb", "a.bmd", {"root": "slice"}, {}),
    "quantize": (SPIDER, "a.bmd", {"quantize": "none"}, {"quantize": "s16"}),
    "like": ("moving.glb", "a.bmd", {"like": "fish.bmd"}, {}),
    "texture": ("fish.bmd", "a.bmd", {"texture": ["{texture}=square.png"]}, {}),
    "add_texture": ("fish.bmd", "a.bmd", {"add_texture": {"more": "square.png"}}, {}),
    "texture_dir": ("fish.bmd", "a.bmd", {"texture_dir": "pictures"}, {}),
    "frame": ("moving.glb", "a.dff", {"frame": 12}, {}),
    "camera": ("moving.glb", "a.dff", {"camera": "camera.json"}, {}),
    "clip": ("moving.glb", "a.bck", BCK, {"like": "fish.bmd", "clip": "sway"}),
    "fps": ("moving.glb", "a.bck", {**BCK, "fps": 10}, BCK),
    "frames_limit": (FOX, "a.bpx", {"frames_limit": 100}, None),
    "tolerance": ("moving.glb", "a.bck", {**BCK, "fps": 10, "tolerance": 4}, {**BCK, "fps": 10}),
    "angle_tolerance": ("moving.glb", "a.bck", {**BCK, "fps": 10, "angle_tolerance": 30},
                        {**BCK, "fps": 10}),
    "loop": ("moving.glb", "a.bck", {**BCK, "loop": "mirror-repeat"}, BCK),
    "ply_encoding": ("two.obj", "a.ply", {"ply_encoding": "ascii"}, {}),
    "stl_encoding": ("two.obj", "a.stl", {"stl_encoding": "ascii"}, {}),
}


def words_of(options):
    """The options as words of the command line."""
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option)
        elif value is False:
            words += [option, "no"]
        elif isinstance(value, dict):
            words += [word for key, file in value.items() for word in (option, f"{key}={file}")]
        else:
            words += [word for one in (value if isinstance(value, list) else [value])
                      for word in (option, str(one))]
    return words


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def prepared(made, folder, out):
    folder.mkdir()
    if out.startswith("stage.arc/"):
        (folder / "stage.arc").write_bytes((made / "stage.arc").read_bytes())
    return folder / out


@pytest.mark.parametrize("option", sorted(CONVERT))
def test_convert_does_what_the_program_does(made, tmp_path, monkeypatch, option):
    monkeypatch.chdir(made)
    source, out, options, without = CONVERT[option]
    texture = (made / "texture").read_text()
    options = {name: [one.replace("{texture}", texture) for one in value]
               if isinstance(value, list) else value for name, value in options.items()}
    assert option in options
    facet.convert(source, prepared(made, tmp_path / "ours", out), **options)
    said = run("convert", source, prepared(made, tmp_path / "theirs", out), *words_of(options))
    assert said.returncode == 0, said.stderr
    ours = contents(tmp_path / "ours")
    assert ours == contents(tmp_path / "theirs") and ours
    if without is not None:
        facet.convert(source, prepared(made, tmp_path / "without", out), **without)
        assert ours != contents(tmp_path / "without"), "it has no effect"


def test_every_option_of_convert_is_tried():
    assert set(CONVERT) == taken("convert")


def test_limits_of_frames_and_losses_are_the_programs(made, tmp_path, monkeypatch):
    monkeypatch.chdir(made)
    with pytest.raises(facet.LimitError):
        facet.convert("moving.glb", tmp_path / "a.bpx", fps=1000000, frames_limit=1)
    said = run("convert", "moving.glb", tmp_path / "a.bpx", "--fps", "1000000", "--frames-limit", "1")
    assert said.returncode == 1
    with pytest.raises(facet.LossError):
        facet.convert(FOX, tmp_path / "a.stl", strict=True)
    assert not (tmp_path / "a.bpx").exists() and not (tmp_path / "a.stl").exists()


def test_animations_that_do_not_fit_are_named(made, tmp_path):
    report = facet.convert(made / BDL, tmp_path / "a.glb", animations=made / "lists")
    assert "ANIMATIONS-NONE" in [one.rule for one in report.warnings]


def test_lists_may_be_objects(made, tmp_path):
    listed = json.loads((made / "materials.json").read_text())
    facet.convert(made / "fish.bmd", tmp_path / "a.bmd", materials=listed)
    facet.convert(made / "fish.bmd", tmp_path / "b.bmd", materials=made / "materials.json")
    assert (tmp_path / "a.bmd").read_bytes() == (tmp_path / "b.bmd").read_bytes()


def test_lists_may_be_bytes_or_files(made, tmp_path):
    path = made / "materials.json"
    facet.convert(made / "fish.bmd", tmp_path / "a.bmd", materials=path)
    with open(path, "rb") as file:
        for i, given in enumerate((path.read_bytes(), bytearray(path.read_bytes()), file)):
            facet.convert(made / "fish.bmd", tmp_path / f"{i}.bmd", materials=given)
            assert (tmp_path / f"{i}.bmd").read_bytes() == (tmp_path / "a.bmd").read_bytes()
    for wrong in (b"[", b"{\"a\": 1"):
        with pytest.raises(facet.FacetError):
            facet.convert(made / "fish.bmd", tmp_path / "b.bmd", materials=wrong)
    with pytest.raises(TypeError, match="not int"):
        facet.convert(made / "fish.bmd", tmp_path / "b.bmd", materials=7)


# For these the command copies the document, and a scene cannot store all of it.
COPIED = {name for name, (source, out, _, _) in CONVERT.items()
          if Path(source).suffix in (".bmd", ".bdl") and out.endswith((".bmd", ".bdl"))}
READING = {"from_", "to", "animations", "threads", "memory_limit", "growth_limit", "allow_external", "hull_prefix",
           "occluder_name", "variant", "cluster"}
# Console textures become PNG when a model is read.
READ_BEFORE = {"png"}


@pytest.mark.parametrize("option", sorted(set(CONVERT) - COPIED - READING - READ_BEFORE))
def test_save_does_what_convert_does(made, tmp_path, monkeypatch, option):
    monkeypatch.chdir(made)
    source, out, options, _ = CONVERT[option]
    reading = {name: options[name] for name in ("hull_prefix", "animations") if name in options}
    writing = {name: value for name, value in options.items() if name not in READING}
    if "to" in options:
        writing["to"] = options["to"]
    facet.convert(source, prepared(made, tmp_path / "theirs", out), **options)
    facet.load(source, **reading).save(prepared(made, tmp_path / "ours", out), **writing)
    assert contents(tmp_path / "ours") == contents(tmp_path / "theirs")


# -- Other commands --------------------------------------------------------


@pytest.mark.parametrize("name, options", [
    ("profile", {"profile": "superbmd"}), ("from_", {"from_": "bmd"}),
    ("threads", {"threads": 2}), ("memory_limit", {"memory_limit": 500}),
    ("growth_limit", {"growth_limit": 500})])
def test_check(made, name, options):
    assert {"profile", "from_", "threads", "memory_limit", "growth_limit"} == taken("check")
    ours = facet.check(made / BDL, **({"from_": "bdl"} if name == "from_" else options))
    words = ["--from", "bdl"] if name == "from_" else words_of(options)
    theirs = json.loads(run("check", "--json", made / BDL, *words).stdout)
    assert [(one.rule, one.message) for one in ours] == \
        [(one["rule"], one["message"]) for one in theirs["findings"]]


def test_info_and_extract(made, tmp_path):
    assert {"from_", "threads", "memory_limit", "growth_limit"} == taken("info")
    assert facet.info(made / "plain", from_="obj", threads=2, memory_limit=500).faces == 8
    assert {"from_", "png", "threads", "memory_limit", "growth_limit"} == taken("extract")
    ours = facet.extract(made / BDL, from_="bdl", png="none", threads=2, memory_limit=500)
    assert run("extract", "--png", "none", made / BDL, tmp_path / "out").returncode == 0
    assert ours == contents(tmp_path / "out")
    assert ours != facet.extract(made / BDL)


@pytest.mark.parametrize("options", [
    {"tolerance": 0.5}, {"samples": 100}, {"ignore": "positions,counts"}, {"from_": "glb"},
    {"threads": 2}, {"memory_limit": 500}, {"growth_limit": 500}])
def test_compare(made, tmp_path, options):
    assert {"tolerance", "samples", "ignore", "picture", "from_", "threads",
            "memory_limit", "growth_limit"} == taken("compare")
    a, b = made / FOX, tmp_path / "b.glb"
    facet.convert(a, b, scale=1.01)
    ours = facet.compare(a, b, picture=tmp_path / "ours.png", **options)
    theirs = json.loads(run("compare", "--json", a, b, "--picture", tmp_path / "theirs.png",
                            *words_of(options)).stdout)
    assert [(one.rule, one.message) for one in ours.findings] == \
        [(one["rule"], one["message"]) for one in theirs["findings"]]
    assert ours.distance == pytest.approx(max(theirs[way]["greatest"] for way in (
        "firstToSecond", "secondToFirst")))
    assert (tmp_path / "ours.png").read_bytes() == (tmp_path / "theirs.png").read_bytes()


CAMERA = facet.Camera((3.0, 4.0, 300.0), (0.0, 40.0, 0.0), (0.0, 1.0, 0.0), 40.0)
RENDER = {
    "size": ({"size": (40, 30)}, ["--size", "40x30"]),
    "view": ({"view": (20, 10)}, ["--view", "20,10"]),
    "orthographic": ({"orthographic": True}, ["--orthographic"]),
    "camera": ({"camera": CAMERA}, ["--camera", "camera.json"]),
    "background": ({"background": "#102030"}, ["--background", "#102030"]),
    "animation": ({"animation": "Run"}, ["--animation", "Run"]),
    "time": ({"animation": "Run", "time": 0.3}, ["--animation", "Run", "--time", "0.3"]),
    "mode": ({"mode": "normals"}, ["--mode", "normals"]),
    "samples": ({"samples": 1}, ["--samples", "1"]),
    "light": ({"light": (1, 0, 0)}, ["--light", "1,0,0"]),
    "environment": ({"environment": "sky.png"}, ["--environment", "sky.png"]),
    "environment_rotation": ({"environment": "sky.png", "environment_rotation": 90},
                             ["--environment", "sky.png", "--environment-rotation", "90"]),
    "exposure": ({"exposure": -1}, ["--exposure", "-1"]),
    "shadow": ({"shadow": 0.5}, ["--shadow", "0.5"]),
    "scene_lights": ({"scene_lights": True, "camera": "Eye"},
                     ["--scene-lights", "--camera", "Eye"]),
    "fog": ({"fog": True}, ["--fog"]),
    "file_order": ({"file_order": True}, ["--file-order"]),
    "from_": ({"from_": "glb"}, ["--from", "glb"]),
    "up": ({"up": "x"}, ["--up", "x"]),
    "line_width": ({"line_width": 4, "mode": "wireframe"},
                   ["--line-width", "4", "--mode", "wireframe"]),
    "threads": ({"threads": 2}, ["-j", "2"]),
    "memory_limit": ({"memory_limit": 500}, ["--memory-limit", "500"]),
    "growth_limit": ({"growth_limit": 500}, ["--growth-limit", "500"]),
}


def lit(made):
    """The fox with a camera and a light, as glTF text."""
    facet.convert(made / FOX, made / "plain.gltf")
    document = json.loads((made / "plain.gltf").read_text())
    document["cameras"] = [{"type": "perspective", "name": "Eye",
                            "perspective": {"yfov": 0.7, "znear": 1}}]
    document.setdefault("extensions", {})["KHR_lights_punctual"] = {
        "lights": [{"type": "point", "intensity": 40000}]}
    document["extensionsUsed"] = [*document.get("extensionsUsed", []), "KHR_lights_punctual"]
    document["scenes"][0]["nodes"] += [len(document["nodes"]), len(document["nodes"]) + 1]
    document["nodes"] += [
        {"camera": 0, "translation": [0, 40, 250]},
        {"extensions": {"KHR_lights_punctual": {"light": 0}}, "translation": [90, 120, 90]}]
    return json.dumps(document)


@pytest.mark.parametrize("option", sorted(RENDER))
def test_render(made, tmp_path, monkeypatch, option):
    monkeypatch.chdir(made)
    assert set(RENDER) == taken("render")
    (made / "camera.json").write_text(json.dumps({
        "position": CAMERA.position, "target": CAMERA.target, "up": CAMERA.up,
        "fieldOfView": CAMERA.field_of_view}))
    facet.render(FOX, size=(32, 16), background="#4060a0").save(made / "sky.png") # a panorama
    options, words = RENDER[option]
    name = FOX
    if option == "scene_lights":
        name = "lit.gltf"
        (made / name).write_text(lit(made))
    if "size" not in options:
        options, words = {**options, "size": (48, 48)}, [*words, "--size", "48x48"]
    facet.render(name, **options).save(tmp_path / "ours.png")
    said = run("render", name, tmp_path / "theirs.png", *words)
    assert said.returncode == 0, said.stderr
    assert (tmp_path / "ours.png").read_bytes() == (tmp_path / "theirs.png").read_bytes()


def test_render_turns_stl_of_any_buffer(made):
    """z points up in pictures of STL files, for any kind of input."""
    data = facet.load(made / "two.obj").save_bytes("stl")
    pictures = [facet.render(kind(data), size=(32, 32), view="front").pixels.tobytes()
                for kind in (bytes, bytearray, memoryview)]
    assert pictures[0] == pictures[1] == pictures[2]
    upright = facet.render(data, size=(32, 32), view="front", up="y").pixels.tobytes()
    assert upright != pictures[0]


def test_verify_is_refused_with_the_way_to_do_it():
    with pytest.raises(TypeError, match="'verify': check"):
        facet.convert("a.obj", "b.bsm", verify=True)


@pytest.mark.parametrize("simplify", [1.5, 2**32])
def test_a_number_of_triangles_is_whole(made, simplify):
    with pytest.raises(ValueError, match="a whole number of triangles"):
        facet.convert(made / "two.obj", made / "never.bsm", simplify=simplify)
