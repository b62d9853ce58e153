"""Convert a J3D model to one frame of GX commands.

Materials come from their MDL3 packets or are built from MAT3. Display lists are unchanged. Matrices
and lights are set like in the library that ships with the console's games."""
import math
import struct

import numpy as np

from fifo import Stream, f32, copy_setup, copy_xfb, setup
from modelfile import f32s, s16, u16

DATA = 0x00200000                                  # where arrays, textures and palettes begin in emulated memory


# -- Camera: position, target, up, fieldOfView (of the smaller side) or height, as `facet render --json` prints it -----
class Camera:
    def __init__(self, c, width, height):
        toward = np.array(c['position'], float) - np.array(c['target'], float)
        toward /= np.linalg.norm(toward)
        right = np.cross(np.array(c['up'], float), toward)
        right /= np.linalg.norm(right)
        up = np.cross(toward, right)
        self.view = np.eye(4)
        for i, axis in enumerate((right, up, toward)):
            self.view[i, :3] = axis
            self.view[i, 3] = -axis @ np.array(c['position'], float)
        self.width, self.height, self.c = width, height, c

    def planes(self, points):
        """near and far plane around all points (n x 3, model space)"""
        z = -(self.view[:3, :3] @ points.T + self.view[:3, 3:])[2]
        near, far = z.min(), z.max()
        span = (far - near) or 1
        return max(near - span * 0.01, far * 1e-4), far + span * 0.01

    def load(self, s, near, far):
        least = min(self.width, self.height)
        n, f = near, far
        if self.c.get('fieldOfView', 0):
            k = 1 / math.tan(math.radians(self.c['fieldOfView']) / 2)
            p = [k * least / self.width, 0, k * least / self.height, 0, -n / (f - n), -f * n / (f - n)]
            kind = 0
        else:
            k = 2 / self.c['height']
            p = [k * least / self.width, 0, k * least / self.height, 0, -1 / (f - n), -f / (f - n)]
            kind = 1
        s.xf(0x1020, *[f32(x) for x in p], kind)


# -- Materials -------------------------------------------------------------------------------------------------------
def channel_word(c):
    lit, src, mask, diff, attn, amb = c[:6]
    if attn == 0:
        diff = 0
    return (src | lit << 1 | (mask & 15) << 2 | (amb & 1) << 6 | diff << 7 | (attn != 2) << 9 | (attn != 0) << 10 |
            (mask >> 4) << 11)


def texgen_word(t):
    kind, src = t[0], t[1]
    if kind >= 2 and kind <= 9:
        return 1 << 4 | 5 << 7 | (src - 12) << 12 | (kind - 2) << 15
    if kind == 10:
        return (2 if src == 19 else 3) << 4 | 2 << 7
    row = {0: 0, 1: 1, 2: 3, 3: 4}.get(src, src + 1 if src < 12 else 5)
    return (kind == 0) << 1 | (src < 4) << 2 | row << 7


RASTER = {0: 0, 1: 1, 2: 0, 3: 1, 4: 0, 5: 1, 6: 7, 7: 5, 8: 6, 255: 7}


def combiner_word(ins, op, bias, scale, clamp, dest, alpha):
    a, b, c, d = ins
    if op >= 8:
        bias, scale, sub = 3, (op >> 1) & 3, op & 1
    else:
        sub = op & 1
    upper = bias << 16 | sub << 18 | clamp << 19 | scale << 20 | dest << 22
    if alpha:
        return d << 4 | c << 7 | b << 10 | a << 13 | upper
    return d | c << 4 | b << 8 | a << 12 | upper


def fog_registers(f):
    if not f or f[0] == 0:
        return 0, 0, 0, 0, 0
    start, end, near, far = f32s(f, 4, 4)
    r, g, b = f[20], f[21], f[22]
    kind = f[0]
    if kind >= 8:
        A = (far - near) / (end - start)
        C = (start - near) / (end - start)
        return f32(A) >> 12, 0, 0, f32(C) >> 12 | 1 << 20 | (kind & 7) << 21, r << 16 | g << 8 | b
    if far == near or end == start:
        A, B, C = 0.0, 0.5, 0.0
    else:
        A, B, C = far * near / ((far - near) * (end - start)), far / (far - near), start / (end - start)
    e = 1
    while B > 1:
        B, e = B / 2, e + 1
    while 0 < B < 0.5:
        B, e = B * 2, e - 1
    return f32(A / 2.0 ** e) >> 12, int(8388638 * B), e, f32(C) >> 12 | kind << 21, r << 16 | g << 8 | b


MIN = [0, 4, 1, 5, 2, 6]


def map_register(base, i):                          # registers of maps 4 to 7 are 0x20 later
    return base + (i & 3) + (0x20 if i > 3 else 0)


class Writer:
    def __init__(self, model, s, textures, palettes, fog=False):
        self.m, self.s, self.textures, self.palettes, self.fog = model, s, textures, palettes, fog

    def texture(self, i, number):
        s, t = self.s, self.m.textures[number]
        s.bp(map_register(0x94, i), self.textures[number] >> 5)
        s.bp(map_register(0x88, i), (t['width'] - 1) | (t['height'] - 1) << 10 | (t['format'] & 15) << 20)
        s.bp(map_register(0x80, i), t['wrap'][0] | t['wrap'][1] << 2 | (t['mag'] == 1) << 4 | MIN[t['min']] << 5 |
             (0 if t['edge'] else 1) << 8 | (int(t['bias'] / 100 * 32) & 0xFF) << 9 | t['aniso'] << 19 |
             t['clamp'] << 21)
        s.bp(map_register(0x84, i), (t['minlod'] * 2 & 0xFF) | (t['maxlod'] * 2 & 0xFF) << 8)
        if t['palette']:
            s.bp(0x64, self.palettes[number] >> 5)
            s.bp(0x65, 0x380 + 16 * i | -(-t['palcount'] * 2 // 32) << 10)
            s.bp(map_register(0x98, i), 0x380 + 16 * i | t['palfmt'] << 10)

    def from_mat3(self, m):
        s, n = self.s, m['nst']
        ind = m['ind'] if m['ind'] and m['ind'][0] and m['ind'][1] else None
        nind = ind[1] if ind else 0
        iorder = [(ind[4 + 4 * k], ind[5 + 4 * k]) for k in range(nind)]
        used = {m['order'][k][1] for k in range(n)} | {o[1] for o in iorder}
        for i in sorted(x for x in used if x < 8):
            if m['tex'][i] is not None and m['tex'][i] < len(self.m.textures):
                self.texture(i, m['tex'][i])

        def size(coord, map_):
            if coord < 8 and map_ < 8 and m['tex'][map_] is not None and m['tex'][map_] < len(self.m.textures):
                t = self.m.textures[m['tex'][map_]]
                s.bp_masked(0x30 + 2 * coord, t['width'] - 1, 0x03FFFF)
                s.bp_masked(0x31 + 2 * coord, t['height'] - 1, 0x03FFFF)
        for p in range((n + 1) // 2):
            v = 0
            for h in range(2):
                coord, map_, ch = m['order'][2 * p + h][:3] if 2 * p + h < n else (255, 255, 255)
                half = (map_ & 7) | (0 if coord == 255 else coord) << 3 | (map_ != 255) << 6 | RASTER[ch] << 7
                v |= half << 12 * h
            s.bp(0x28 + p, v)
            for h in range(2):
                if 2 * p + h < n:
                    size(*m['order'][2 * p + h][:2])
        for i in range(3):
            r, g, b, a = m['treg'][i]
            s.bp(0xE2 + 2 * i, (r & 0x7FF) | (a & 0x7FF) << 12)
            s.bp(0xE3 + 2 * i, (b & 0x7FF) | (g & 0x7FF) << 12)
        for i in range(4):
            r, g, b, a = m['konst'][i]
            s.bp(0xE0 + 2 * i, 1 << 23 | r | a << 12)
            s.bp(0xE1 + 2 * i, 1 << 23 | b | g << 12)
        for k in range(n):
            st, sw = m['stage'][k], m['smode'][k]
            s.bp(0xC0 + 2 * k, combiner_word(st[1:5], *st[5:10], False))
            s.bp(0xC1 + 2 * k, sw[0] | sw[1] << 2 | combiner_word(st[10:14], *st[14:19], True))
            v = 0
            if ind:
                q = ind[0x78 + 12 * k:]
                v = (q[0] | q[1] << 2 | q[2] << 4 | q[8] << 7 | q[3] << 9 | q[4] << 13 | q[5] << 16 | q[7] << 19 |
                     q[6] << 20)
            s.bp(0x10 + k, v)
        for i in range(8):
            t = m['stab'][i // 2]
            s.bp(0xF6 + i, (t[0] | t[1] << 2 if i % 2 == 0 else t[2] | t[3] << 2) | m['kc'][2 * i] << 4 |
                 m['ka'][2 * i] << 9 | m['kc'][2 * i + 1] << 14 | m['ka'][2 * i + 1] << 19)
        if ind:
            for k in range(3):
                o = 0x14 + 0x1C * k
                v = [int(x * 1024) & 0x7FF for x in f32s(ind, o, 6)]
                e = (struct.unpack_from('>b', ind, o + 24)[0] + 17) & 63
                for c in range(3):
                    s.bp(6 + 3 * k + c, v[c] | v[3 + c] << 11 | (e >> 2 * c & 3) << 22)
            for p in range(2):
                q = ind[0x68 + 8 * p:]
                s.bp(0x25 + p, q[0] | q[1] << 4 | q[4] << 8 | q[5] << 12)
            v = 0
            for k in range(4):
                coord, map_ = iorder[k] if k < nind else (7, 7)
                v |= ((map_ & 7) | (coord & 7) << 3) << 6 * k
            for coord, map_ in iorder:
                size(coord, map_)
            s.bp(0x27, v)
            s.bp(0x0F, sum(1 << o[1] for o in iorder if o[1] < 8))
        else:
            s.bp(0x27, 0xFFFFFF)
        fr = fog_registers(m['fog'])
        for k in range(5):
            s.bp(0xEE + k, fr[k])
        a = m['alpha']
        s.bp(0xF3, a[1] | a[4] << 8 | a[0] << 16 | a[3] << 19 | a[2] << 22)
        t, src, dst, logic = m['blend']
        s.bp_masked(0x41, (t in (1, 3)) | (t == 2) << 1 | m['dither'] << 2 | dst << 5 | src << 8 | (t == 3) << 11 |
                    logic << 12, 0x00FFE7)
        s.bp(0x40, m['z'][0] | m['z'][1] << 1 | m['z'][2] << 4)
        s.bp_masked(0x43, m['early'] << 6, 0x000040)
        s.bp_masked(0x00, m['ntg'] | m['nchan'] << 4 | (n - 1) << 10 | [0, 2, 1, 3][m['cull']] << 14 | nind << 16,
                    0x07FC3F)
        if m['ntg']:
            s.xf(0x1040, *[texgen_word(t) for t in m['tg'][:m['ntg']]])
            s.xf(0x1050, *[61] * m['ntg'])
        s.xf(0x100C, *[struct.unpack('>I', c)[0] for c in m['matc']])
        s.xf(0x100A, *[struct.unpack('>I', c)[0] for c in m['amb']])
        c = m['chan']
        s.xf(0x100E, *[channel_word(c[k]) for k in (0, 2, 1, 3)])
        s.xf(0x1009, m['nchan'])
        s.xf(0x103F, m['ntg'])

    def from_mdl3(self, slot):
        """the unchanged packet; only the addresses of textures and palettes are set"""
        b, at = self.m.packets[slot], 0
        numbers = {}
        out = bytearray(b)
        while at < len(b):
            c = b[at]
            if c == 0:
                at += 1
            elif c == 0x61:
                reg, v = b[at + 1], int.from_bytes(b[at + 2:at + 5], 'big')
                if reg in (0x94, 0x95, 0x96, 0x97, 0xB4, 0xB5, 0xB6, 0xB7):
                    numbers['last'] = v
                    out[at + 2:at + 5] = (self.textures[v] >> 5).to_bytes(3, 'big')
                elif reg == 0x64:
                    out[at + 2:at + 5] = (self.palettes[numbers['last']] >> 5).to_bytes(3, 'big')
                elif not self.fog and reg == 0xF1:
                    out[at + 2:at + 5] = bytes(3)
                at += 5
            elif c == 0x10:
                at += 5 + 4 * (int.from_bytes(b[at + 1:at + 3], 'big') + 1)
            elif c == 0x08:
                at += 6
            else:
                raise ValueError('MDL3 packet %d: byte %02X at %d' % (slot, c, at))
        self.s.raw(out)


# -- Texture matrices ------------------------------------------------------------------------------------------------
Q = np.array([[.5, 0, .5, 0], [0, -.5, .5, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
Q2 = np.array([[.5, 0, 0, .5], [0, -.5, 0, .5], [0, 0, 1, 0], [0, 0, 0, 1]])


def texture_matrix(r, world, view):
    mode, maya = r[1] & 63, r[1] >> 7
    cs, ct = f32s(r, 4, 2)
    sx, sy = f32s(r, 0x10, 2)
    angle = s16(r, 0x18) * math.pi / 32768
    tx, ty = f32s(r, 0x1C, 2)
    effect = np.array(f32s(r, 0x24, 16)).reshape(4, 4)
    c, s = math.cos(angle), math.sin(angle)
    if maya:
        p, q = tx - .5, ty - .5
        a, b, X = sx * c, sy * s, p * c - s * (q + sy) + .5
        d, e, Y = -sx * s, sy * c, -p * s - c * (q + sy) + .5
    else:
        a, b, d, e = sx * c, -sx * s, sy * s, sy * c
        X, Y = -a * cs - b * ct + cs + tx, -d * cs - e * ct + ct + ty
    new = mode in (7, 8, 9, 11)
    m = np.eye(4)
    m[0] = [a, b, X, 0] if new else [a, b, 0, X]
    m[1] = [d, e, Y, 0] if new else [d, e, 0, Y]

    def turn(x):
        x = x.copy()
        x[:3, 3] = 0
        return x
    vw = view @ world
    if mode in (6, 10):
        m = m @ Q2
    elif new:
        m = m @ Q
    if mode in (2, 3, 4, 5, 8, 9, 10, 11):
        m = m @ effect
    place = {1: turn(vw), 2: world, 3: vw, 5: turn(world), 6: turn(vw), 7: turn(vw), 8: world, 9: vw,
             10: turn(world), 11: turn(world)}.get(mode)
    if place is not None:
        m = m @ place
    return m[:3]


# -- Lights: those that `facet render` documents: one far away, in the camera's axes -------------------------------------
def standard_lights(model, material, direction=(-0.4, 0.6, 0.69)):
    d = np.array(direction, float)
    d /= np.linalg.norm(d)
    half = d + [0, 0, 1]
    half /= np.linalg.norm(half)
    lights = [dict(color=(0, 0, 0, 0), a=(1, 0, 0), k=(1, 0, 0), spec=False) for _ in range(8)]
    ramps = any(t and t[0] == 10 for m in model.materials for t in m['tg'][:m['ntg']]) or any(
        t['name'].startswith(('ZA', 'ZB', 'toon', 'V_toon')) for t in model.textures)
    if ramps:
        lights[0]['color'] = (255, 0, 0, 255)
    else:
        for c in material['chan']:
            if c[0] and c[2]:
                low = (c[2] & -c[2]).bit_length() - 1
                if c[4] == 0:
                    lights[low].update(color=(128,) * 4, a=(0, 0, 1), k=(8, 0, -7), spec=True)
                else:
                    lights[low]['color'] = (255,) * 4
    for l in lights:
        l['pos'], l['dir'] = d * 1e6, half if l['spec'] else d
    return lights


def load_lights(s, lights):
    for i, l in enumerate(lights):
        r, g, b, a = l['color']
        s.xf(0x600 + 16 * i, 0, 0, 0, r << 24 | g << 16 | b << 8 | a, *[f32(x) for x in l['a']],
             *[f32(x) for x in l['k']], *[f32(x) for x in l['pos']], *[f32(x) for x in l['dir']])


# -- Geometry --------------------------------------------------------------------------------------------------------
def vertex_formats(model, attrs):
    F = model.formats
    lo = hi = colors = texes = normals = 0
    for attr, kind in attrs:
        if attr < 9:
            lo |= 1 << attr
        elif attr < 13:
            lo |= kind << 9 + 2 * (attr - 9)
        elif attr == 25:
            lo |= kind << 11
        else:
            hi |= kind << 2 * (attr - 13)
        colors += attr in (11, 12)
        texes += 13 <= attr <= 20
        if attr in (10, 25):
            normals = 2 if attr == 25 or F[10][0] else 1

    def f(attr):
        return F.get(attr, (1, 4, 0) if attr not in (10, 11, 12) else (0, 4, 0) if attr == 10 else (1, 5, 0))
    p, n, c0, c1 = f(9), f(10), f(11), f(12)
    t = [f(13 + i) for i in range(8)]
    a = (p[0] | p[1] << 1 | p[2] << 4 | (n[0] > 0) << 9 | n[1] << 10 | c0[0] << 13 | c0[1] << 14 | c1[0] << 17 |
         c1[1] << 18 | t[0][0] << 21 | t[0][1] << 22 | t[0][2] << 25 | 1 << 30 | (n[0] == 2) << 31)
    b = (t[1][0] | t[1][1] << 1 | t[1][2] << 4 | t[2][0] << 9 | t[2][1] << 10 | t[2][2] << 13 | t[3][0] << 18 |
         t[3][1] << 19 | t[3][2] << 22 | t[4][0] << 27 | t[4][1] << 28 | 1 << 31)
    c = (t[4][2] | t[5][0] << 5 | t[5][1] << 6 | t[5][2] << 9 | t[6][0] << 14 | t[6][1] << 15 | t[6][2] << 18 |
         t[7][0] << 23 | t[7][1] << 24 | t[7][2] << 27)
    return lo, hi, a, b, c, colors | normals << 2 | texes << 4


def positions(model):
    """vertices in model space, for the planes of the projection"""
    count, kind, frac = model.formats[9]
    dt = {0: 'u1', 1: 'i1', 2: '>u2', 3: '>i2', 4: '>f4'}[kind]
    raw = model.arrays[9]
    n = 2 + count
    v = np.frombuffer(raw[:len(raw) // model.stride(9) * model.stride(9)], dt).reshape(-1, n).astype(float)
    v = np.pad(v, ((0, 0), (0, 3 - n))) / (1 if kind == 4 else 2.0 ** frac)
    draw, out = model.draw_matrices(), []
    for shape in model.shapes:
        size = sum(1 if k in (1, 2) else 2 for _, k in shape['attributes'])
        off, width, pn = 0, 0, None
        for attr, k in shape['attributes']:
            if attr == 0:
                pn = off
            if attr == 9:
                at, width = off, 1 if k == 2 else 2
            off += 1 if k in (1, 2) else 2
        slots = {}
        for use, table, dl in shape['packets']:
            for i, d in enumerate(table):
                if d != 0xFFFF:
                    slots[i] = d
            o = 0
            while o < len(dl):
                if dl[o] == 0:
                    o += 1
                    continue
                count = u16(dl, o + 1)
                for k in range(count):
                    q = o + 3 + k * size
                    index = dl[q + at] if width == 1 else u16(dl, q + at)
                    d = slots[dl[q + pn] // 3] if pn is not None else slots[0]
                    if index < len(v):
                        out.append(draw[d] @ [*v[index], 1])
                o += 3 + count * size
    return np.array(out)[:, :3]


def draw_order(model, view, file_order=False):
    """opaque materials in the order of the file, then translucent ones; joints far from the camera
    first"""
    G = model.globals()
    opaque, late = [], []
    for k, (shape, mat, joint) in enumerate(model.shape_order):
        if not file_order and model.materials[mat]['mode'] & 4:
            at = G[joint][:, 3] if joint is not None and not is_skinned(model, shape) else np.array([0, 0, 0, 1.])
            late.append((float((view @ at)[2]), k))
        else:
            opaque.append(k)
    return [model.shape_order[k] for k in opaque + [k for _, k in sorted(late)]]


def is_skinned(model, shape):
    return any(model.draw[d][0] for _, table, _ in model.shapes[shape]['packets'] for d in table if d != 0xFFFF)


def frame(model, camera, baked=True, background=(0, 0, 0), fog=False, planes=None, light=(-0.4, 0.6, 0.69),
          shift=0.0, next_background=None, file_order=False, lights=None):
    """Return (FIFO bytes, memory updates) of a picture. `shift`: pixels by which the picture moves
    right and down, so that the emulator's sample is in the middle of a pixel."""
    s, memory, at = Stream(), [], DATA

    def place(data):
        nonlocal at
        here = at
        data = bytes(data) + bytes(-len(data) % 32)
        memory.append((here, data))
        at = (here + len(data) + 63) & ~31
        return here
    w, h = camera.width, camera.height
    setup(s, w, h, clear=(*(next_background or background), 255))
    s.xf_floats(0x101A, [w / 2, -h / 2, 16777215.0, 342 + w / 2 + shift, 342 + h / 2 + shift, 16777215.0])
    s.bp(0x66, 0)
    for i in range(8):                              # addresses of the texture cache: any will do
        s.bp(map_register(0x8C, i), i * 0x800 | 3 << 15 | 3 << 18)
        s.bp(map_register(0x90, i), 0x4000 | i * 0x800 | 3 << 15 | 3 << 18)
    s.bp(0xE0, 255 | 255 << 12), s.bp(0xE1, 255 | 255 << 12)
    arrays = {a: place(d) for a, d in model.arrays.items()}
    blocks = {}

    def shared(data):
        key = bytes(data)
        if key not in blocks:
            blocks[key] = place(key)
        return blocks[key]
    textures = [shared(t['data']) for t in model.textures]
    palettes = [shared(t['pal']) if t['palette'] else 0 for t in model.textures]
    near, far = planes or camera.planes(positions(model))
    camera.load(s, near, far)
    draw = [camera.view @ m for m in model.draw_matrices()]
    G = model.globals()
    writer = Writer(model, s, textures, palettes, fog)
    for number, slot, joint in draw_order(model, camera.view, file_order):
        shape, mat = model.shapes[number], model.materials[slot]
        if baked:
            writer.from_mdl3(slot)
        else:
            writer.from_mat3(mat)
        if not fog:
            s.bp(0xF1, 0)
        load_lights(s, lights(model, mat) if lights else standard_lights(model, mat, light))
        world = np.eye(4) if joint is None or is_skinned(model, number) else G[joint]
        index = [0] + [60] * 8
        for k, t in enumerate(mat['tg'][:mat['ntg']]):
            index[1 + k] = t[2] if t[0] < 2 else 60
            if t[0] < 2 and 30 <= t[2] < 60:
                r = mat['tm'][(t[2] - 30) // 3]
                if r is not None and not (baked and r[1] & 63 in (0, 4)):
                    s.xf_floats(4 * t[2], texture_matrix(r, world, camera.view).ravel())
        if baked:
            a, b = model.matrix_index[slot]
        else:
            a = sum(index[k] << 6 * k for k in range(5))
            b = sum(index[5 + k] << 6 * k for k in range(4))
        for reg, v in ((0x30, a), (0x40, b)):
            s.cp(reg, v)
        s.xf(0x1018, a, b)
        lo, hi, va, vb, vc, spec = vertex_formats(model, shape['attributes'])
        s.cp(0x50, lo), s.cp(0x60, hi), s.cp(0x70, va), s.cp(0x80, vb), s.cp(0x90, vc)
        s.xf(0x1008, spec)
        for attr, kind in shape['attributes']:
            if attr >= 9:
                k = {25: 1}.get(attr, attr - 9)
                s.cp(0xA0 + k, arrays[attr]), s.cp(0xB0 + k, model.stride(attr))
        for use, table, dl in shape['packets']:
            for i, d in enumerate(table):
                if d == 0xFFFF:
                    continue
                mv = draw[d] if shape['type'] not in (1, 2) else billboard(draw[d], shape['type'])
                s.xf_floats(12 * i, mv[:3].ravel())
                n = mv[:3, :3]
                n = np.linalg.inv(n).T if abs(np.linalg.det(n)) > 1e-30 else n
                s.xf_floats(0x400 + 9 * i, n.ravel())
            s.raw(dl)
    copy_setup(s, w, h, (*(next_background or background), 255))
    copy_xfb(s)
    return s.b, memory


def billboard(mv, kind):
    c = [mv[:3, k] for k in range(3)]
    l = [np.linalg.norm(x) for x in c]
    out = np.eye(4)
    out[:3, 3] = mv[:3, 3]
    if kind == 1:
        for k in range(3):
            out[k, k] = l[k]
    else:
        z = np.array([0, -c[1][2], c[1][1]])
        out[:3, 0] = [l[0], 0, 0]
        out[:3, 1] = c[1]
        out[:3, 2] = z / np.linalg.norm(z) * l[2]
    return out
