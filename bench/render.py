#!/usr/bin/env python3
"""render.py WORK FACET GENERATE_OBJ: draw pictures of 512 x 512 pixels with four samples per pixel.

The models have up to 1,000,000 triangles, some with textures. The times are those of whole
processes, compared with f3d under xvfb-run if both are installed. The commands run in turn, seven
rounds. Prints the minimum and the median, and Facet's processor time, in milliseconds; then the
frames per second of `facet view`."""

import json
import os
import random
import shutil
import statistics
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

ROUNDS = 7


def png(side, seed):
    """A PNG of noise over a slope, as hard to decompress as a photograph."""
    source = random.Random(seed)
    rows = bytearray()
    for _ in range(side):
        row = bytes(x * 160 // (3 * side) + noise % 24 for x, noise in enumerate(source.randbytes(3 * side)))
        rows.append(1)  # filter Sub: each byte is stored as the difference to the byte of the
                        # previous pixel
        rows.extend((here - left) & 255 for here, left in zip(row, b"\0\0\0" + row))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def textured(path, out, images, side):
    """Copy a GLB, and give its materials `images` embedded images of side x side pixels."""
    data = Path(path).read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, body = json.loads(data[20:20 + length]), bytearray(data[28 + length:])
    document["images"], document["textures"] = [], []
    for i in range(images):
        body.extend(b"\0" * (-len(body) % 4))
        one = png(side, i)
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(body), "byteLength": len(one)})
        document["images"].append({"bufferView": len(document["bufferViews"]) - 1,
                                   "mimeType": "image/png", "name": f"image{i}"})
        document["textures"].append({"source": i})
        body.extend(one)
    body.extend(b"\0" * (-len(body) % 4))
    document["buffers"][0]["byteLength"] = len(body)
    model = document["materials"][0]
    document["materials"] = [dict(model, name=f"material{i}", pbrMetallicRoughness={
        "baseColorTexture": {"index": i}, "metallicFactor": 0}) for i in range(images)]
    shown, all_of_them = 0, sum(len(mesh["primitives"]) for mesh in document["meshes"])
    parts = -(-images // all_of_them)  # per primitive, so that each image is visible
    for mesh in document["meshes"]:
        wholes, mesh["primitives"] = mesh["primitives"], []
        for whole in wholes:
            indices = document["accessors"][whole["indices"]]
            size = {5123: 2, 5125: 4}[indices["componentType"]]
            step = indices["count"] // 3 // parts * 3
            for i in range(parts):
                count = step if i < parts - 1 else indices["count"] - i * step
                document["accessors"].append(dict(
                    indices, byteOffset=indices.get("byteOffset", 0) + size * i * step, count=count))
                mesh["primitives"].append(dict(
                    whole, indices=len(document["accessors"]) - 1, material=shown % images))
                shown += 1
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    Path(out).write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(body))
                          + struct.pack("<I4s", len(text), b"JSON") + text
                          + struct.pack("<I4s", len(body), b"BIN\0") + body)


def record(title, job, milliseconds):
    """Append a result to the CSV file of bench/run."""
    path = os.environ.get("FACET_BENCH_CSV")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f'"{title}","{job}",{milliseconds:.4g},\n')


def run(words):
    before = os.times()
    began = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - began
    after = os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    return 1000 * wall, 1000 * busy


def frames(facet, file):
    """Frames of `facet view` while a model turns: 1,280 x 720, one sample per pixel, with
    overlay."""
    words = [facet, "view", "--frames", "60", "--json", file]
    runs = [json.loads(subprocess.run(words, check=True, capture_output=True).stdout) for _ in range(3)]
    best = min(runs, key=lambda one: one["medianMilliseconds"])
    first = min(one["firstMilliseconds"] for one in runs)
    record(f"view of {file.name}", "facet view, a frame", best["medianMilliseconds"])
    record(f"view of {file.name}", "facet view, the first frame", first)
    print(f"frames of {file.name:20} {best['framesPerSecond']:6.1f} a second, "
          f"{best['medianMilliseconds']:6.1f} ms middle; the first after {first:6.1f} ms", flush=True)


def main():
    work, facet, generate = (Path(name).resolve() for name in sys.argv[1:4])
    peer = shutil.which("f3d") and shutil.which("xvfb-run")
    if not peer:
        print("pictures: without f3d and xvfb-run, which are not installed")
    files = []
    for triangles, name in ((10_000, "10k"), (100_000, "100k"), (1_000_000, "1m")):
        source = work / f"{name}.obj"
        subprocess.run([generate, str(triangles), source], check=True)
        if triangles > 10_000:
            files.append(source)
        for extension in ("bsm", "bga", "glb"):
            out = source.with_suffix(f".{extension}")
            subprocess.run([facet, "convert", "-q", source, out], check=True, stderr=subprocess.DEVNULL)
            if triangles > 10_000:
                files.append(out)
        if triangles == 100_000:
            files.append(work / "4-textures.glb")
            textured(source.with_suffix(".glb"), files[-1], 4, 1024)
        if triangles <= 100_000:
            twenty = work / f"{name}-20-textures.glb"
            textured(source.with_suffix(".glb"), twenty, 20, 512)
            files.append(twenty.with_suffix(".bmd"))
            subprocess.run([facet, "convert", "-q", twenty, files[-1]], check=True, stderr=subprocess.DEVNULL)
    picture, sky = work / "picture.png", work / "sky.png"
    sky.write_bytes(png(512, 0))
    for file, *more in [[file] for file in files] + [[work / "100k.glb", "--environment", sky]]:
        ours, one, theirs = [], [], []
        title = file.name + (" with an environment" if more else "")
        seen = file.suffix in (".obj", ".glb") and peer and not more
        for turn in range(ROUNDS):
            ours.append(run([facet, "render", *more, file, picture]))
            one.append(run([facet, "render", *more, file, picture, "-j1"]))
            if seen and turn < 2:
                theirs.append(run(["xvfb-run", "-a", "f3d", "--output", picture, "--resolution", "512,512", file])[0])
        wall, busy = [sorted(column) for column in zip(*ours)]
        line = (f"picture of {title:20} two threads {wall[0]:6.1f} least {statistics.median(wall):6.1f} middle, "
                f"{busy[0]:6.1f} of processors; one thread {min(one)[0]:6.1f}")
        record(f"picture of {title}", "facet render", statistics.median(wall))
        record(f"picture of {title}", "facet render -j 1", min(one)[0])
        if theirs:
            record(f"picture of {title}", "f3d", min(theirs))
        print(line + (f"; f3d {min(theirs):7.0f}" if theirs else ""), flush=True)
    for file in files:
        frames(facet, file)


if __name__ == "__main__":
    main()
