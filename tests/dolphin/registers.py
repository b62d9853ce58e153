#!/usr/bin/env python3
"""registers.py FACET: check that each material packet of a BDL that Facet writes sets the chip's
registers as its MAT3 material requires.

Both command lists, the packet and one built here from MAT3, are played on a table of registers with
write masks. A difference in a register that the chip uses is an error. Unused halves, disabled
coordinates and disabled fog are ignored. No emulator is needed; without NumPy the test is skipped.
"""
import os
import struct
import sys

try:
    import numpy as np
except ImportError:
    # The first python3 of the path may be another one than the one for packages of the system.
    if sys.executable != '/usr/bin/python3':
        try:
            os.execv('/usr/bin/python3', ['/usr/bin/python3', *sys.argv])
        except OSError:
            pass
    print('skipped: NumPy is not installed (python3-numpy)')
    sys.exit(77)

import random
import tempfile

import commands
import features
import fifo
import modelfile
import scene


def play(b):
    at, bp, xf, mask = 0, {}, {}, 0xFFFFFF
    while at < len(b):
        c = b[at]
        if c == 0:
            at += 1
        elif c == 0x61:
            r, v = b[at + 1], int.from_bytes(b[at + 2:at + 5], 'big')
            at += 5
            if r == 0xFE:
                mask = v
                continue
            if 0xE0 <= r < 0xE8:
                r |= (v >> 23) << 8                 # konst colors and registers share numbers
            bp[r] = bp.get(r, 0) & ~mask | v & mask
            mask = 0xFFFFFF
        elif c == 0x10:
            n, a = int.from_bytes(b[at + 1:at + 3], 'big') + 1, int.from_bytes(b[at + 3:at + 5], 'big')
            for k in range(n):
                xf[a + k] = int.from_bytes(b[at + 5 + 4 * k:at + 9 + 4 * k], 'big')
            at += 5 + 4 * n
        elif c == 8:
            at += 6
        else:
            raise ValueError('byte %02X at %d' % (c, at))
    return bp, xf


def float_of(w):
    return struct.unpack('>f', struct.pack('>I', w))[0]


def differences(model, slot):
    s1, s2 = fifo.Stream(), fifo.Stream()
    places = [0x200000 + 0x20 * i for i in range(len(model.textures))]
    pals = [0x300000 + 0x20 * i for i in range(len(model.textures))]
    commands.Writer(model, s1, places, pals, True).from_mdl3(slot)
    commands.Writer(model, s2, places, pals, True).from_mat3(model.materials[slot])
    m = model.materials[slot]
    (a, ax), (b, bx) = play(s1.b), play(s2.b)
    n = m['nst']
    out = []
    coords = {m['order'][k][0] for k in range(n)}
    ind = m['ind'] if m['ind'] and m['ind'][0] and m['ind'][1] else None
    if ind:
        coords |= {ind[4 + 4 * k] for k in range(ind[1])}
    for r in sorted(b):
        x, y = a.get(r), b[r]
        keep = 0xFFFFFF
        if r == 0x28 + (n - 1) // 2 and n % 2:
            keep = 0xFFF
        if r in (0xE8, 0x0F) or 0xEE <= r <= 0xF2 and not (m['fog'] and m['fog'][0]):
            continue
        if 0x30 <= r < 0x40 and (r - 0x30) // 2 not in coords:
            continue
        if r == 0x27 and not ind:
            continue
        if 0x06 <= r <= 0x0E and ind:
            used = {ind[0x78 + 12 * k + 3] & 3 for k in range(n)} - {0}
            if (r - 6) // 3 + 1 not in used:
                continue
        if r in (0x25, 0x26) and (not ind or (r - 0x25) * 2 >= ind[1]):
            continue
        if r == 0x65 and x is not None and x & 0x3FF == y & 0x3FF and x >> 10 >= y >> 10:
            continue                                # the runtime loads 16 or 256 colors, whatever
                                                    # the number of used ones
        if r == 0xEF and x is not None and abs(x - y) <= 1:
            continue                                # a mantissa of the fog, computed in single precision
        if x is None or (x & keep) != (y & keep):
            out.append('BP %02X: MDL3 %s, MAT3 %06X' % (r, 'none' if x is None else '%06X' % x, y))
    for r in sorted(bx):
        x, y = ax.get(r), bx[r]
        keep = 0xFFFFFFFF
        if 0x1040 <= r < 0x1048 and (y >> 4 & 7) != 1:
            keep = 0x00000FFF                       # emboss fields of a coordinate without emboss
        if x is None or x & keep != y & keep:
            out.append('XF %04X: MDL3 %s, MAT3 %08X' % (r, 'none' if x is None else '%08X' % x, y))
    for k, t in enumerate(m['tg'][:m['ntg']]):
        if t[0] < 2 and 30 <= t[2] < 60:
            r = m['tm'][(t[2] - 30) // 3]
            if r is not None and r[1] & 63 in (0, 4):
                # Packets have angles from a table with 2,048 entries per turn.
                angle = struct.unpack_from('>H', r, 0x18)[0] & ~31
                r = r[:0x18] + struct.pack('>H', angle) + r[0x1A:]
                want = commands.texture_matrix(r, np.eye(4), np.eye(4))
                for i, w in enumerate(want.ravel()[:8 if r[0] else 12]):
                    got = ax.get(4 * t[2] + i)
                    if got is None or abs(float_of(got) - w) > 1e-4 * max(1, abs(w)):
                        out.append('XF %04X: texture matrix %s, wanted %.6f' % (4 * t[2] + i, 'none' if got is None else
                                                                              '%.6f' % float_of(got), w))
    return out


# Stages that read a coordinate without a generator: the result of either list is undefined.
UNDEFINED = {'tev-texcoord-too-high'}


def models(folder):
    """Return (name, path) of every feature and of 40 random materials of up to 16 stages, half of
    them with indirect stages."""
    specs = {k: v for k, v in features.cases().items() if k not in UNDEFINED}
    rng = random.Random(1)
    for k in range(40):
        specs['random-%02d' % k] = {'ball': features.random_material(rng, 16, k % 2 == 1)}
    gltf = os.path.join(folder, 'scene.gltf')
    scene.write(gltf)
    for name, spec in specs.items():
        yield name, features.make(name, spec, folder, gltf)


def main():
    bad = count = 0
    features.FACET = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for name, path in models(folder):
            model = modelfile.Model(open(path, 'rb').read())
            for slot, m in enumerate(model.materials):
                count += 1
                for d in differences(model, slot):
                    print('%s: material %d %s: %s' % (name, slot, m['name'], d))
                    bad += 1
    print('%d packets, %d differences' % (count, bad))
    return 1 if bad or not count else 0


if __name__ == '__main__':
    sys.exit(main())
