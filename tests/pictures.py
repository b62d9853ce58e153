#!/usr/bin/env python3
"""pictures.py FACET SOURCE: draw the pictures of docs/how-to/render.md again and compare them with
the stored ones, which were checked manually.

No pixel may differ by more than 2 of 255; any wrong feature exceeds this."""

import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

OTHERS = {"dolphin.png"}  # drawn by the emulator, which tests/dolphin compares with Facet


def read(path):
    """Return width, height and the RGBA bytes of a PNG of 8 bits."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + size]
        at += 12 + size
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", chunk[:10])
            assert (depth, color) == (8, 6), f"{path}: not RGBA of 8 bits"
        elif kind == b"IDAT":
            packed += chunk
    raw, line, rows = zlib.decompress(packed), width * 4, []
    above = bytearray(line)
    for y in range(height):
        how = raw[y * (line + 1)]
        row = bytearray(raw[y * (line + 1) + 1:(y + 1) * (line + 1)])
        for x in range(line):
            a = row[x - 4] if x >= 4 else 0
            b, c = above[x], above[x - 4] if x >= 4 else 0
            if how == 4:
                p = a + b - c
                add = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            else:
                add = (0, a, b, (a + b) // 2)[how]
            row[x] = (row[x] + add) & 255
        rows.append(row)
        above = row
    return width, height, b"".join(rows)


def main():
    facet, source = sys.argv[1], Path(sys.argv[2])
    faults = 0
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, source / "tools/pictures", facet, work], check=True)
        made = sorted(Path(work).glob("*.png"))
        for path in made:
            known = source / "docs/pictures" / path.name
            one, other = read(path), read(known)
            most = max(abs(a - b) for a, b in zip(one[2], other[2])) if one[:2] == other[:2] else 256
            if most > 2:
                print(f"{path.name}: off by {most} from {known}")
                faults += 1
        expected = {path.name for path in (source / "docs/pictures").glob("*.png")} - OTHERS
        for name in sorted(expected ^ {path.name for path in made}):
            print(f"{name}: made, or there, but not both")
            faults += 1
    print(f"{len(made)} pictures, {faults} faults")
    return faults > 0


sys.exit(main())
