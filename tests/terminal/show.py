"""show.py FACET: run `facet show` in simulated terminals.

Each terminal is a pseudoterminal. This script answers the queries like kitty, iTerm2, foot or an
old terminal. Decoders in this script read the printed pictures and compare them with the PNG of
`facet render`. The terminal's modes must be restored, and no answer may be left for the shell.
"""

import base64
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import zlib
from pathlib import Path

OBJ = """mtllib m.mtl
v 0 0 0
v 2 0 0
v 2 1 0
v 0 1 0
v 1 2 .5
usemtl red
f 1 2 3 4
usemtl blue
f 4 3 5
"""
MTL = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n"

QUESTION = {"kitty": b"\x1b_Gi=31,", "version": b"\x1b[>0q", "cell": b"\x1b[16t",
            "background": b"\x1b]11;?", "color": b"\x1bP$qm", "attributes": b"\x1b[c"}
TERMINALS = {
    "kitty": {"kitty": b"\x1b_Gi=31;OK\x1b\\", "cell": b"\x1b[6;16;8t",
              "attributes": b"\x1b[?62;c"},
    "iterm": {"version": b"\x1bP>|iTerm2 3.5.0\x1b\\", "attributes": b"\x1b[?64;4c"},
    "sixel": {"cell": b"\x1b[6;16;8t", "background": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
              "attributes": b"\x1b[?62;4;22c"},
    "blocks": {"color": b"\x1bP1$r0;48:2:1:2:3m\x1b\\", "attributes": b"\x1b[?62;22c"},
    "old": {"attributes": b"\x1b[?1;2c"},
    "silent": {},
}


def run_in_terminal(words, answers, env):
    """Return (status, bytes printed, modes before and after, unread input)."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80)) if hasattr(termios, "tcsetwinsize") else \
        __import__("fcntl").ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    before = termios.tcgetattr(slave)

    def own_terminal():
        os.setsid()
        __import__("fcntl").ioctl(0, termios.TIOCSCTTY, 0)

    child = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=subprocess.PIPE, env=env,
                             preexec_fn=own_terminal)
    printed, asked = b"", set()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        ready = select.select([master], [], [], 0.05)[0]
        if ready:
            printed += os.read(master, 65536)
            for name, question in QUESTION.items():
                if name not in asked and question in printed:
                    asked.add(name)
                    os.write(master, answers.get(name, b""))
        elif child.poll() is not None:
            break
    complaint = child.stderr.read().decode()
    status = child.wait()
    after = termios.tcgetattr(slave)
    new = termios.tcgetattr(slave)
    new[3] &= ~(termios.ICANON | termios.ECHO)
    new[6][termios.VMIN] = 0
    termios.tcsetattr(slave, termios.TCSANOW, new)
    left = os.read(slave, 4096) if select.select([slave], [], [], 0)[0] else b""
    os.close(master)
    os.close(slave)
    return status, printed.replace(b"\r\n", b"\n"), before == after, left, complaint


def decode_png(data):
    """Return (width, height, rows of RGBA) of a PNG of 8-bit RGB or RGBA without interlacing."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, stored = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and color in (2, 6)
        if kind == b"IDAT":
            stored += body
        at += 12 + size
    n = 4 if color == 6 else 3
    raw, rows, above = zlib.decompress(stored), [], bytes(width * n)
    for y in range(height):
        line = bytearray(raw[y * (width * n + 1):(y + 1) * (width * n + 1)])
        how, line = line[0], line[1:]
        for i in range(len(line)):
            a = line[i - n] if i >= n else 0
            b, c = above[i], above[i - n] if i >= n else 0
            p = a + b - c
            paeth = min((a, b, c), key=lambda v: abs(p - v))
            line[i] = line[i] + [0, a, b, (a + b) // 2, paeth][how] & 255
        above = bytes(line)
        rows.append([tuple(above[x * n:x * n + n]) + (255,) * (4 - n) for x in range(width)])
    return width, height, rows


def kitty_png(printed):
    pieces = re.findall(rb"\x1b_G([^;]*);([^\x1b]*)\x1b\\", printed)
    pieces = [p for p in pieces if b"a=q" not in p[0]]
    assert pieces[0][0].startswith(b"a=T,f=100"), pieces[0][0]
    assert all(b"m=1" in p[0] and len(p[1]) == 4096 for p in pieces[:-1])
    assert b"m=0" in pieces[-1][0]
    return base64.b64decode(b"".join(p[1] for p in pieces))


def iterm_png(printed):
    found = re.search(rb"\x1b\]1337;File=([^:]*):([^\x07]*)\x07", printed)
    png = base64.b64decode(found[2])
    assert b"inline=1" in found[1] and b"size=%d;" % len(png) in found[1]
    return png


def decode_sixels(printed):
    body = re.search(rb"\x1bP0;1;0q([^\x1b]*)\x1b\\", printed)[1].decode()
    _, _, width, height = map(int, re.match(r'"(\d+);(\d+);(\d+);(\d+)', body).groups())
    rows = [[None] * width for _ in range(height)]
    colors, x, y, color = {}, 0, 0, None
    for token in re.findall(r'#\d+(?:;2;\d+;\d+;\d+)?|!\d+.|[?-~]|\$|-', body[body.index("#"):]):
        if token[0] == "#" and ";" in token:
            number, _, *rgb = map(int, token[1:].split(";"))
            colors[number] = tuple(round(v * 2.55) for v in rgb)
        elif token[0] == "#":
            color = colors[int(token[1:])]
        elif token == "$":
            x = 0
        elif token == "-":
            x, y = 0, y + 6
        else:
            count, sixel = (int(token[1:-1]), token[-1]) if token[0] == "!" else (1, token)
            for i in range(count):
                for bit in range(6):
                    if (ord(sixel) - 63) >> bit & 1:
                        assert rows[y + bit][x] is None, "two colors in one place"
                        rows[y + bit][x] = color
                x += 1
    return width, height, rows


def decode_blocks(printed):
    rows = []
    for line in printed.decode().split("\x1b[c")[-1].rstrip("\n").split("\n"):
        text, background, upper, lower = None, None, [], []
        for code, character in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
            numbers = [int(n) for n in code.split(";")] if code else []
            if character:
                upper.append(text if character == "\u2580" else background)
                lower.append(text if character == "\u2584" else background)
            elif numbers[0] == 38:
                text = tuple(numbers[2:])
            elif numbers[0] == 48:
                background = tuple(numbers[2:])
            elif numbers[0] == 39:
                text = None
            elif numbers[0] in (49, 0):
                background = None
        rows += [upper, lower]
    return rows


def check(condition, message):
    if not condition:
        sys.exit(f"show.py: {message}")


def main():
    facet = sys.argv[1]
    env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8",
           **{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}}
    with tempfile.TemporaryDirectory() as folder:
        obj, png = Path(folder, "m.obj"), Path(folder, "m.png")
        obj.write_text(OBJ)
        Path(folder, "m.mtl").write_text(MTL)

        def picture(size):
            subprocess.run([facet, "render", obj, png, "--size", size, "-q"], check=True, env=env)
            return png.read_bytes()

        def show(kind, *words, **more):
            result = run_in_terminal([facet, *(words or ("show", obj))], TERMINALS[kind],
                                     {**env, **more})
            check(result[2], f"{kind}: the modes of the terminal were changed")
            check(result[3] == b"", f"{kind}: answers were left: {result[3]}")
            return result

        # 22 rows of 16 pixels, 4 by 3
        status, printed, *_ = show("kitty")
        check(status == 0 and kitty_png(printed) == picture("469x352"), "kitty: another picture")
        check(printed.endswith(b"\n"), "kitty: no line feed at the end")
        # without an answer about cells, they have 10 x 20 pixels
        status, printed, *_ = show("iterm")
        check(status == 0 and iterm_png(printed) == picture("586x440"), "iterm: another picture")

        status, printed, *_ = show("sixel")
        width, height, rows = decode_sixels(printed)
        check(status == 0 and (width, height) == (469, 352), "sixel: another size")
        _, _, wanted = decode_png(picture("469x352"))
        errors, seen = [], 0
        for row, want in zip(rows, wanted):
            for pixel, rgba in zip(row, want):
                check((pixel is None) == (rgba[3] == 0), "sixel: another outline")
                if pixel and rgba[3] == 255:
                    seen += 1
                    errors += [abs(a - b) for a, b in zip(pixel, rgba)]
        # RGB565 rounds by at most 4 and 2 of 255, dithering adds as much, and registers add 1. Rare
        # colors, for example at the edge of two materials, may lack a palette entry.
        errors.sort()
        check(seen > 20000, "sixel: hardly anything is drawn")
        check(sum(errors) / len(errors) < 6 and errors[len(errors) * 99 // 100] <= 24,
              f"sixel: colors are off by {sum(errors) / len(errors)}, "
              f"one in a hundred by {errors[len(errors) * 99 // 100]} or more")

        status, printed, *_ = show("blocks")
        rows = decode_blocks(printed)
        _, _, wanted = decode_png(picture("58x44"))
        check(status == 0 and len(rows) == 44, "blocks: another height")
        for row, want in zip(rows, wanted):
            got = row + [None] * (58 - len(row))
            check(got == [p[:3] if p[3] >= 128 else None for p in want], "blocks: another picture")

        # `facet render` to "-" also shows the picture. With --force it writes a PNG.
        status, printed, *_ = show("kitty", "render", obj, "-")
        check(status == 0 and kitty_png(printed) == picture("469x352"), "render -: no picture")
        status, printed, *_ = show("kitty", "render", obj, "-", "--force", "--size", "8x8")
        check(status == 0 and b"PNG" in printed and b"a=T" not in printed, "--force: no PNG")

        # Nothing is printed if the terminal cannot show pictures.
        for kind, more in (("old", {}), ("silent", {}), ("silent", {"TERM": "dumb"}),
                           ("blocks", {"LANG": "C"}), ("silent", {"TERM": "linux"})):
            status, printed, _, _, complaint = show(kind, **more)
            check(status == 2, f"{kind} {more}: status {status}")
            check("shows no pictures" in complaint, f"{kind}: {complaint}")
            if "TERM" in more:
                check(printed == b"", f"{more}: it was asked")
            else:
                check(printed.endswith(b"\x1b[c"), f"{kind}: more than questions was printed")
        status, *_ = show("silent", COLORTERM="truecolor")
        check(status == 0, "COLORTERM: no picture")
        status, _, _, _, complaint = show("blocks", "show", obj, "--size", "100x20")
        check(status == 2 and "does not fit" in complaint, f"too wide: {complaint}")
        status, printed, *_ = show("blocks", "render", obj, "-", "--sheet")
        check(status == 0 and len(decode_blocks(printed)) == 44, "sheet: another height")

        # Into a pipe only with an explicit protocol.
        piped = subprocess.run([facet, "show", obj], capture_output=True, env=env)
        check(piped.returncode == 2 and piped.stdout == b"", "a pipe got something")
        piped = subprocess.run([facet, "show", obj, "--protocol", "kitty"], capture_output=True,
                               env=env)
        check(kitty_png(piped.stdout) == picture("586x440"), "--protocol: another picture")


main()
