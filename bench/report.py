#!/usr/bin/env python3
"""report.py [--write ROOT | --check ROOT] CSV: compare the results of `make bench` with other programs.

CSV is the file that bench/run writes. Prints a Markdown table with one job per row, and the fastest
other program. With --write, puts the table into docs/explanation/performance.md, draws
docs/pictures/performance.svg with all programs, and copies the CSV to docs/project/performance.csv.
With --check, compares these files with what --write makes of the copy; CSV is not needed.
"""
import csv
import math
import sys
from html import escape
from pathlib import Path

PAGE = "docs/explanation/performance.md"
PICTURE = "docs/pictures/performance.svg"
RUN = "docs/project/performance.csv"
BEGIN, END = "<!-- begin bench/report.py -->\n", "<!-- end bench/report.py -->\n"

# The job as a reader knows it; the title and the job in the CSV; and the other programs: their job
# with the same title, and the name to show.
ROWS = (
    ("OBJ to an indexed mesh", "OBJ to welded mesh", "facet, one thread",
     (("fast_obj and the weld of meshoptimizer", "fast_obj"),
      ("tinyobjloader and a hash map of vertices", "tinyobjloader"),
      ("assimp, triangulate and join vertices", "assimp"))),
    ("OBJ to GLB", "OBJ to finished file", "facet convert, to GLB",
     (("gltfpack (native), to GLB without tangents", "gltfpack"),)),
    ("OBJ to BSM with tangents", "OBJ to finished file", "facet convert, to BSM with tangents",
     (("assimp export -cts, to GLB with tangents", "assimp, to GLB"),)),
    ("OBJ to a tenth of the triangles, user time",
     "OBJ to GLB with a tenth of the triangles, user time", "facet convert -j 1, the same",
     (("gltfpack (native), -si 0.1", "gltfpack"),)),
    ("OBJ to a compressed GLB", "OBJ to compressed GLB",
     "facet convert --quantize-mesh --compress-mesh",
     (("gltfpack (native), -c -vp 16", "gltfpack"),)),
    ("Binary PLY to an indexed mesh", "binary PLY to indexed mesh", "facet",
     (("assimp, join vertices", "assimp"),)),
    ("ASCII PLY to an indexed mesh", "ASCII PLY to indexed mesh", "facet",
     (("assimp, join vertices", "assimp"),)),
    ("Binary STL to an indexed mesh", "binary STL to joined mesh", "facet",
     (("assimp, join vertices", "assimp"),)),
    ("GLB to BSM", "GLB to a file", "facet convert GLB to BSM",
     (("assimp export GLB to STL", "assimp, to STL"),)),
    ("IQM of 100,000 triangles and 20 clips to a scene", "IQM to a scene", "facet_load",
     (("assimp", "assimp"),)),
    ("BinaryMesh 4 to a document", "BinaryMesh 4 to document", "facet, one thread",
     (("LZ4 alone, into fresh memory", "LZ4 alone"),)),
    ("BPX, 8 sections, inflated", "Inflating 8 vertex arrays into fresh memory", "facet_bpx_read",
     (("libdeflate alone", "libdeflate alone"),)),
    ("20 textures of 512 x 512 to CMPR", "Encoding 20 textures of 512 x 512 as CMPR",
     "facet_gx_encode, one thread", (("libsquish, range fit, one thread", "libsquish"),)),
    ("20 pictures of 512 x 512 to PNG", "20 pictures of 512 x 512 to PNG, one thread", "facet",
     (("libspng, level 4", "libspng"),)),
    ("Yaz0 of 1.5 MB to bytes", "Yaz0, decoded", "facet_decompress",
     (("a byte at a time, unchecked", "a plain loop"),)),
    ("Picture of a GLB, 100,000 triangles", "picture of 100k.glb", "facet render",
     (("f3d", "f3d"),)),
    ("Picture of a GLB, 1 million triangles", "picture of 1m.glb", "facet render",
     (("f3d", "f3d"),)),
    ("A file of 2,000 triangles in a batch", "batch", "facet batch -j2",
     (("assimp export to GLB, a process per file", "assimp, to GLB"),)),
    ("Start of the program", "Starting", "facet --version", (("assimp version", "assimp"),)),
)


def read(path):
    """Milliseconds by title and job, and the machine."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    times = {(row[0], row[1]): float(row[2]) for row in rows[1:] if row[2]}
    return times, next((row[1] for row in rows if row[0] == "machine"), "unknown")


def results(times):
    """Per row that was measured: the job, our time, and name and time of each other program."""
    found = []
    for job, title, ours, peers in ROWS:
        measured = [(name, times[title, theirs]) for theirs, name in peers if (title, theirs) in times]
        if (title, ours) in times and measured:
            found.append((job, times[title, ours], measured))
    return found


def number(value):
    """Three digits, with separators above 1,000."""
    digits = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:,.{digits}f}"


def table(found):
    lines = ["| Job | Facet, ms | Other program, ms | Times faster | Fastest other program |",
             "|---|---:|---:|---:|---|"]
    for job, ours, measured in found:
        name, theirs = min(measured, key=lambda one: one[1])
        lines.append(f"| {job} | {number(ours)} | {number(theirs)} | {number(theirs / ours)} | {name} |")
    return "\n".join(lines) + "\n"


WIDTH, LEFT, RIGHT, TOP, STEP = 900, 330, 150, 40, 22


def picture(found, machine):
    """Bars on a logarithmic scale: how many times faster Facet is than each program."""
    bars = [(job if i == 0 else "", name, theirs / ours)
            for job, ours, measured in found
            for i, (name, theirs) in enumerate(sorted(measured, key=lambda one: one[1]))]
    least = min(0.5, *(ratio for _, _, ratio in bars))
    most = max(10, *(ratio for _, _, ratio in bars))
    low, high = math.log10(least), math.log10(most)
    bottom = TOP + STEP * len(bars)

    def at(ratio):
        return LEFT + (math.log10(ratio) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 30}" '
             'font-family="sans-serif" font-size="12" role="img" '
             'aria-label="How many times faster Facet is than other programs">',
             f'<rect width="{WIDTH}" height="{bottom + 30}" fill="#fff"/>',
             f'<text x="10" y="20" fill="#222" font-size="14">Times faster than other programs: '
             f'{escape(machine)}</text>']
    for power in range(math.floor(low), math.ceil(high) + 1):
        for step in (1, 2, 5):
            tick = step * 10 ** power
            if least <= tick <= most:
                x = at(tick)
                parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{bottom}" '
                             f'stroke="{"#222" if tick == 1 else "#ddd"}"/>')
                parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" '
                             f'fill="#444">{tick:g}</text>')
    for i, (job, name, ratio) in enumerate(bars):
        y, ends = TOP + STEP * i, sorted((at(1), at(ratio)))
        color = "#2f7d4f" if ratio >= 1 else "#b5542c"
        parts.append(f'<text x="{LEFT - 12}" y="{y + 13}" text-anchor="end" fill="#222">{escape(job)}</text>')
        parts.append(f'<rect x="{ends[0]:.1f}" y="{y + 2}" width="{max(ends[1] - ends[0], 1):.1f}" '
                     f'height="{STEP - 8}" fill="{color}"/>')
        parts.append(f'<text x="{ends[1] + 6:.1f}" y="{y + 13}" fill="#222">{number(ratio)} '
                     f'<tspan fill="#555">{escape(name)}</tspan></text>')
    return "\n".join(parts) + "\n</svg>\n"


def page_with(text, found, machine):
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{table(found)}\nMachine: {machine}.\n\n{END}{after}"


def files_of(root, run):
    times, machine = read(run)
    found = results(times)
    page = (root / PAGE).read_text(encoding="utf-8")
    return {PAGE: page_with(page, found, machine), PICTURE: picture(found, machine),
            RUN: Path(run).read_text(encoding="utf-8")}


def main(words):
    if words[:1] == ["--check"] and len(words) == 2:
        root = Path(words[1])
        stale = [name for name, text in files_of(root, root / RUN).items()
                 if (root / name).read_text(encoding="utf-8") != text]
        for name in stale:
            print(f"{name}: differs from what bench/report.py --write makes of {RUN}")
        return 1 if stale else 0
    if words[:1] == ["--write"] and len(words) == 3:
        root = Path(words[1])
        for name, text in files_of(root, words[2]).items():
            (root / name).write_text(text, encoding="utf-8")
    elif len(words) != 1:
        sys.exit(__doc__)
    print(table(results(read(words[-1])[0])), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
