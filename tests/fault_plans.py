"""fault_plans.py: command lines for `faults.py`, from the program's own tables.

Each option of each command (`facet --options`) has a line, and so has each pair in a covering set
of formats (`facet formats --json`). An option whose line does not end with status 0 fails the test.
It needs a line or a value in this file.
"""

import json
import shutil
import subprocess
import tarfile

# The line to which an option is added. Inputs are in "in/"; outputs are in the working folder.
BASES = {
    "info": ["info", "in/b.obj"],
    "check": ["check", "in/b.bsm"],
    "convert": ["convert", "-j", "1", "in/b.obj", "out.{}"],
    "render": ["render", "-j", "1", "--size", "16x16", "in/b.obj", "out.png"],
    "compare": ["compare", "in/b.obj", "in/b.obj"],
    "extract": ["extract", "in/b.bmd", "out.d"],
    "show": ["show", "--protocol", "blocks", "--size", "16x16", "in/b.obj"],
    "view": ["view", "--once", "--screenshot", "out.png", "--size", "16x16", "in/b.obj"],
    "pack": ["pack", "out.arc", "in/sub"],
    "batch": ["batch", "-j", "1", "--progress", "none", "--results", "out.jsonl", "--out", "out/{stem}.bsm", "in/b.obj",
              "in/c.obj"],
    "batch report": ["batch", "report", "in/old.jsonl"],
    "worker": ["worker"],
    "deps": ["deps", "in/a.obj"],
    "rule": ["rule", "BSM-MAGIC"],
    "formats": ["formats"],
}
BATCH = ["batch", "-j", "1", "--progress", "none", "--results", "out.jsonl"]
STREAM = [*BATCH, "--stream", "in/b.tar", "--match", "*.obj", "--out", "{stem}.bsm", "--output-tar"]

# Values of options whose kind does not give one.
VALUES = {
    "time-limit": "1000", "memory-limit": "4000", "growth-limit": "100000", "profile": "console", "from": "obj",
    "merge": "0.01", "simplify": "0.5", "hull-vertices": "8", "hull-prefix": "UCX_", "occluder-name": "occ",
    "hulls-from": "in/b.obj", "occluder-from": "in/b.obj", "depfile": "out.dep", "material-dir": "in/sub",
    "root": "top", "texture-dir": "in", "view": "front", "background": "#102030", "line-width": "2", "light": "0,1,1",
    "camera": "in/camera.json", "picture": "out.png", "ignore": "normals", "size": "16x16", "mode": "wireframe",
    "environment": "in/t.png", "environment-rotation": "30", "exposure": "1", "shadow": "0.5", "screenshot": "out.png", "frames": "1",
    "tolerance": "0.1", "angle-tolerance": "1", "match": "*.obj", "also": "info {id}.json", "filter": "triangles<=100",
    "results": "out.jsonl", "allow-failures": "1", "shard": "0/1", "merged": "out.merged",
    "csv": "out.csv", "turntable": "2", "time": "0.5", "samples": "4", "occluder": "0.5", "fps": "30", "format-version": "1",
    "jobs": "2", "timeout": "100", "memory": "4000", "threads": "2", "gl": "330", "dx": "50", "frames-limit": "16",
    "max-vertices": "3", "simplify-error": "0.5",
}


def convert(kind, *words, source="in/b.obj"):
    return ["convert", "-j", "1", *words, source, f"out.{kind}"]


MOVES = ["--clip", "move", "--like", "in/moved.bmd"]
ANIMATED = "in/moved.gltf"

# Lines for options that need more than the base and a value.
LINES = {
    "check --strict": ["check", "--strict", "in/b.bmd"],
    "check --explain": ["check", "--explain", "in/b.bmd"],
    "show --animation": ["show", "--protocol", "blocks", "--size", "16x16", "--animation", "move", ANIMATED],
    "view --animation": ["view", "--once", "--screenshot", "out.png", "--size", "16x16", "--animation", "move", ANIMATED],
    "show --time": ["show", "--protocol", "blocks", "--size", "16x16", "--animation", "move", "--time", "1", ANIMATED],
    "view --time": ["view", "--once", "--screenshot", "out.png", "--size", "16x16", "--animation", "move", "--time", "1", ANIMATED],
    "show --variant": ["show", "--protocol", "blocks", "--size", "16x16", "--variant", "red", "in/variants.gltf"],
    "view --variant": ["view", "--once", "--screenshot", "out.png", "--size", "16x16", "--variant", "red", "in/variants.gltf"],
    "view --frames": ["view", "--frames", "1", "--size", "16x16", "in/b.obj"],
    "view --json": ["view", "--json", "--frames", "1", "--size", "16x16", "in/b.obj"],
    "view --compare": ["view", "--once", "--screenshot", "out.png", "--size", "16x16", "--compare", "in/b.obj", "in/c.obj"],
    "convert --to": convert("bin", "--to", "bsm"),
    "convert --strict": ["convert", "-j", "1", "--strict", "in/b.bsm", "out.bsm"],
    "convert --variant": convert("bsm", "--variant", "red", source="in/variants.gltf"),
    "convert --animations": convert("glb", "--animations", "in/clips", source="in/moved.bmd"),
    "convert --into": ["convert", "-j", "1", "--into", "in/b.bmd", "own.arc/sub/c.bmd"],
    "convert --hull-vertices": convert("bsm", "--hulls", "2", "--hull-vertices", "8"),
    "convert --simplify-error": convert("bsm", "--simplify", "0.5", "--simplify-error", "0.5"),
    "convert --texture-format": ["convert", "--texture-format", "RGB565", "in/t.png", "out.bti"],
    "convert --mips": ["convert", "--mips", "2", "in/t.png", "out.bti"],
    "convert --dither": ["convert", "--dither", "--texture-format", "RGB565", "in/t.png", "out.bti"],
    "convert --texture-wrap": ["convert", "--texture-wrap", "clamp", "in/t.png", "out.bti"],
    "convert --texture-filter": ["convert", "--texture-filter", "near", "in/t.png", "out.bti"],
    "convert --texture-set": convert("bmd", "--texture-set", "t:format=RGB565,wrap=CLAMP"),
    "convert --materials": convert("bdl", "--materials", "in/tables/materials.json"),
    "convert --textures": convert("bdl", "--materials", "in/tables/materials.json", "--textures",
                                  "in/tables/textures.json"),
    "convert --material-dir": convert("bdl", "--material-dir", "in/materials"),
    "convert --root": convert("bmd", "--root", "root", source=ANIMATED),
    "convert --like": convert("bmd", "--like", "in/b.bmd", source="in/b.glb"),
    "convert --repair": ["convert", "-j", "1", "--repair", "in/b.bmd", "out.bmd"],
    "convert --texture": convert("bmd", "--texture", "t=in/t.png"),
    "convert --add-texture": convert("bmd", "--add-texture", "new=in/t.png"),
    "convert --clip": convert("bck", *MOVES, source=ANIMATED),
    "convert --frame": ["convert", "-j", "1", "--frame", "1", "in/moved.bmd", "in/clips/move.bck", "out.dff"],
    "convert --camera": ["convert", "-j", "1", "--camera", "in/camera.json", "in/b.bmd", "out.dff"],
    "convert --fps": convert("bck", *MOVES, "--fps", "30", source=ANIMATED),
    "convert --tolerance": convert("bck", *MOVES, "--tolerance", "0.1", source=ANIMATED),
    "convert --angle-tolerance": convert("bck", *MOVES, "--angle-tolerance", "1", source=ANIMATED),
    "convert --loop": convert("bck", *MOVES, "--loop", "repeat", source=ANIMATED),
    "render --sheet": [*BASES["render"], "--sheet"],
    "render --animation": ["render", "--size", "16x16", "--animation", "move", ANIMATED, "out.png"],
    "render --time": ["render", "--size", "16x16", "--animation", "move", "--time", "1", ANIMATED, "out.png"],
    "render --variant": ["render", "--size", "16x16", "--variant", "red", "in/variants.gltf", "out.png"],
    "pack --vertex": ["pack", "out.bsh", "--vertex", "in/a.vert", "--pixel", "in/a.frag"],
    "pack --geometry": ["pack", "out.bsh", "--vertex", "in/a.vert", "--geometry", "in/a.vert", "--pixel", "in/a.frag"],
    "pack --pixel": ["pack", "out.bsh", "--pixel", "in/a.frag", "--vertex", "in/a.vert"],
    "pack --without": ["pack", "--without", "a.txt", "own.arc"],
    "batch --manifest": [*BATCH, "--manifest", "in/items.jsonl"],
    "batch --filelist": [*BATCH, "--out", "out/{stem}.bsm", "--filelist", "in/list"],
    "batch --null": [*BATCH, "--out", "out/{stem}.bsm", "-0", "--filelist", "in/list0"],
    "batch --match": [*BATCH, "--out", "out/{stem}.bsm", "--match", "*.obj", "in/models"],
    "batch --stream": [*STREAM, "out.tar"],
    "batch --dedup": [*BATCH, "--out", "{stem}.bsm", "--dedup", "in/b.obj", "in/c.obj"],
    "batch --claim": ["batch", "-j", "1", "--progress", "none", "--results", "out-{shard}.jsonl", "--claim", "own.shards"],
    "batch --fetch": [*BATCH, "--out", "{stem}.bsm", "--fetch", "cp {in} {file}", "in/b.obj"],
    "batch --store": [*BATCH, "--out", "{stem}.bsm", "--store", "cp {file} {out}", "in/b.obj"],
    "batch --samples": [*STREAM, "out.tar", "--samples", "folder"],
    "batch --out": BASES["batch"],
    "batch --results": BASES["batch"],
    "batch --output-tar": [*BATCH, "--out", "{stem}.bsm", "--output-tar", "out.tar", "in/b.obj"],
    "batch --part-size": [*BATCH, "--out", "{stem}.bsm", "--output-tar", "out-{part}.tar", "--part-size", "1", "in/b.obj"],
    "batch --part-items": [*BATCH, "--out", "{stem}.bsm", "--output-tar", "out-{part}.tar", "--part-items", "1",
                           "in/b.obj", "in/c.obj"],
    "batch --shard-by": [*BASES["batch"], "--shard", "0/2", "--shard-by", "bytes"],
    "batch --resume": [*BASES["batch"], "--resume"],
    "batch --retry-failed": [*BASES["batch"], "--resume", "--retry-failed"],
    "batch --trust-results": [*BASES["batch"], "--resume", "--trust-results"],
    "batch --verify": [*BASES["batch"], "--resume", "--verify"],
    "batch --quick": [*BASES["batch"], "--resume", "--quick"],
    "batch report --manifest": ["batch", "report", "--manifest", "in/old.jsonl", "in/old.jsonl"],
    "batch report --filelist": ["batch", "report", "--filelist", "in/list", "in/old.jsonl"],
    "batch report --null": ["batch", "report", "--null", "--filelist", "in/list0", "in/old.jsonl"],
}


def value_of(option):
    if option["kind"] == "flag":
        return []
    known = VALUES.get(option["name"])
    if known is None and option["kind"] == "word":
        known = option["words"][0]
    if known is None and option["kind"] == "count":
        known = str(max(option["least"] or 0, 2))
    if known is None and option["kind"] == "number":
        known = "0.5"
    return None if known is None else [known]


def line_of(option, command):
    key = f"{command} --{option['name']}"
    if key in LINES:
        return LINES[key]
    value = value_of(option)
    if value is None:
        return None
    kinds = option["formats"] or ["bsm"]
    base = [word.replace("{}", kinds[0]) if command == "convert" else word for word in BASES[command]]
    return [*base[:1], f"--{option['name']}", *value, *base[1:]] if not command.startswith("batch r") else \
        [*base[:2], f"--{option['name']}", *value, *base[2:]]


def make_inputs(facet, folder):
    """Create files that the lines above need in addition to the inputs of `faults.py`."""
    def run(*words, cwd=folder):
        done = subprocess.run([facet, *words], cwd=cwd, capture_output=True)
        assert done.returncode == 0, f"{words}: {done.stderr.decode()}"
    (folder / "c.obj").write_bytes((folder / "b.obj").read_bytes())
    (folder / "models").mkdir()
    (folder / "models" / "a.obj").write_bytes((folder / "b.obj").read_bytes())
    variants = json.loads((folder / "moved.gltf").read_text())
    variants |= {"materials": [{"name": "m"}], "extensionsUsed": ["KHR_materials_variants"],
                 "extensions": {"KHR_materials_variants": {"variants": [{"name": "red"}]}}}
    variants["meshes"][0]["primitives"][0]["extensions"] = {
        "KHR_materials_variants": {"mappings": [{"material": 0, "variants": [0]}]}}
    (folder / "variants.gltf").write_text(json.dumps(variants))
    run("convert", "moved.gltf", "moved.bmd")
    (folder / "clips").mkdir()
    run("convert", "--clip", "move", "--like", "moved.bmd", "moved.gltf", "clips/move.bck")
    run("extract", "b.bmd", "tables")
    (folder / "materials").mkdir()
    shutil.copy(folder / "tables" / "materials.json", folder / "materials")
    camera = subprocess.run([facet, "render", "--json", "--size", "16x16", "b.bmd", "camera.png"], cwd=folder, check=True,
                            capture_output=True).stdout
    (folder / "camera.json").write_bytes(camera)
    (folder / "a.vert").write_text("#version 330\nvoid main() { gl_Position = vec4(0.0); }\n")
    (folder / "a.frag").write_text("#version 330\nout vec4 c;\nvoid main() { c = vec4(1.0); }\n")
    (folder / "items.jsonl").write_text('{"id": "b", "in": "in/b.obj", "out": "out/b.bsm", "args": ["--scale", "2"]}\n')
    (folder / "list").write_text("in/b.obj\nin/c.obj\n")
    (folder / "list0").write_text("in/b.obj\0in/c.obj\0")
    (folder / "request").write_text('{"id": "b", "in": "in/b.obj", "out": "out.bsm"}\n')
    with tarfile.open(folder / "b.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
        tar.add(folder / "b.obj", "b.obj")
        tar.add(folder / "c.obj", "c.obj")
    run("batch", "in/b.obj", "in/c.obj", "--results", "in/old.jsonl", "--", "info", cwd=folder.parent)


def table(facet, *words):
    return [json.loads(line) for line in
            subprocess.run([facet, *words], check=True, capture_output=True).stdout.splitlines()]


def options(facet):
    """Return the words of each name, or None."""
    found = {}
    for option in table(facet, "--options"):
        for command in option["commands"] if len(option["commands"]) < 10 else option["commands"][:1]:
            found[f"{command} --{option['name']}"] = line_of(option, command)
    return found


# Formats that no input here can be converted to, with the reason.
UNWRITTEN = {
    "bca": "as bck", "btk": "no texture animation", "brk": "no color animation", "bpk": "no color animation",
    "bpa": "no morphs of a model", "btp": "no texture animation", "bva": "no visibility animation",
    "blk": "no cluster", "bla": "no cluster", "bxk": "no vertex colors", "bxa": "no vertex colors", "bmt": "no materials only",
}


def formats(facet):
    """Write each format from an input that it can store, and read each of the results."""
    found = {}
    for one in table(facet, "formats", "--json"):
        name, extension = one["name"], one["extensions"][0] if one["extensions"] else None
        if not one["write"] or name in UNWRITTEN or not extension:
            continue
        if name in ("rarc", "u8", "zip"):
            found[f"pack {name}"] = ["pack", f"out{extension}", "in/sub"]
        elif name in ("bti", "png", "jpeg", "tga", "bmp", "hdr", "psd"):
            found[f"to {name}"] = ["convert", "in/t.png", f"out{extension}"]
        elif name == "bck":
            found["to bck"] = convert("bck", *MOVES, source=ANIMATED)
        else:
            source = "in/b.bmd" if name in ("dff", "bdl") else "in/b.obj"
            found[f"to {name}"] = ["convert", "-j", "1", source, f"out{extension}"]
            found[f"moved to {name}"] = ["convert", "-j", "1", ANIMATED, f"out{extension}"]
    return found
