"""Models with properties that converters do not write but files of games have: other component
types, primitives, matrix types, billboards and scaling rules. Sections of the models of features.py
are written again."""
import json
import math
import os
import struct
import subprocess

import numpy as np

import scene

import modelfile
from features import (IDENT, LIT, TEX, MUL, UNLIT_REG, UNLIT_VTX, RAS, PASS_A, channels, comb, matrix, order, orders,
                      stages, tex_material)

FACET = 'facet'
PAD = b'This is padding data to alignme'


def pad(b, n=32):
    k = -len(b) % n
    return bytes(b) + PAD[:k]


def sections(data):
    at, out = 0x20, []
    while at < len(data):
        size = modelfile.u32(data, at + 4)
        out.append([data[at:at + 4].decode(), bytearray(data[at:at + size])])
        at += size
    return out


def join(head, secs):
    body = b''
    for magic, b in secs:
        b = bytearray(pad(b))
        struct.pack_into('>I', b, 4, len(b))
        body += bytes(b)
    head = bytearray(head[:32])
    struct.pack_into('>II', head, 8, 32 + len(body), len(secs))
    return bytes(head) + body


def get(secs, magic):
    return next(s for s in secs if s[0] == magic)


def vtx1(model, change):
    """a new VTX1; change: attr -> (count, kind, frac, bytes)"""
    formats = {a: (*model.formats[a], model.arrays[a]) for a in model.formats if a in model.arrays}
    formats.update(change)
    formats = {a: f for a, f in formats.items() if f}
    out = bytearray(0x40)
    out[:4] = b'VTX1'
    struct.pack_into('>I', out, 8, 0x40)
    for a in sorted(formats):
        c, k, f, _ = formats[a]
        out += struct.pack('>IIIB3s', a, c, k, f, b'\xff\xff\xff')
    out += struct.pack('>IIIB3s', 0xFF, 1, 0, 0, b'\xff\xff\xff')
    slots = {9: 0xC, 10: 0x10, 25: 0x14, 11: 0x18, 12: 0x1C, **{13 + i: 0x20 + 4 * i for i in range(8)}}
    for a in sorted(formats, key=lambda a: slots[a]):
        out = bytearray(pad(out))
        struct.pack_into('>I', out, slots[a], len(out))
        out += formats[a][3]
    return out


def numbers(model, attr):
    c, k, f = model.formats[attr]
    raw, n = model.arrays[attr], model.stride(attr)
    raw = raw[:len(raw) // n * n]
    if attr in (11, 12):
        return np.frombuffer(raw, 'u1').reshape(-1, 4).astype(int)
    dt = {0: 'u1', 1: 'i1', 2: '>u2', 3: '>i2', 4: '>f4'}[k]
    frac = 14 if attr == 10 else f
    return np.frombuffer(raw, dt).reshape(len(raw) // n, -1).astype(float) / (1 if k == 4 else 2.0 ** frac)


def packed(v, kind, frac):
    dt = {0: 'u1', 1: 'i1', 2: '>u2', 3: '>i2', 4: '>f4'}[kind]
    if kind == 4:
        return v.astype(dt).tobytes()
    lo, hi = {0: (0, 255), 1: (-128, 127), 2: (0, 65535), 3: (-32768, 32767)}[kind]
    return np.clip(np.round(v * 2.0 ** frac), lo, hi).astype(dt).tobytes()


def colors(v, kind):
    out = bytearray()
    for r, g, b, a in v:
        if kind == 0:
            out += struct.pack('>H', (r >> 3) << 11 | (g >> 2) << 5 | b >> 3)
        elif kind == 1:
            out += bytes([r, g, b])
        elif kind == 2:
            out += bytes([r, g, b, 77])
        elif kind == 3:
            out += struct.pack('>H', (r >> 4) << 12 | (g >> 4) << 8 | (b >> 4) << 4 | a >> 4)
        elif kind == 4:
            out += struct.pack('>I', (r >> 2) << 18 | (g >> 2) << 12 | (b >> 2) << 6 | a >> 2)[1:]
        else:
            out += bytes([r, g, b, a])
    return bytes(out)


def with_lists(shp1, model, lists, attrs=None, types=None):
    """new display lists (shape -> [bytes of each packet]) at the end of the section, new
    attributes, new types"""
    b = bytearray(shp1)
    infos, dl, att = modelfile.u32(b, 0x28), modelfile.u32(b, 0x20), modelfile.u32(b, 0x18)
    entries = modelfile.u32(b, 0xC)
    for shape, packets in (lists or {}).items():
        e = entries + 0x28 * shape
        for k, data in enumerate(packets):
            b = bytearray(pad(b))
            data = data + bytes(-len(data) % 32)
            struct.pack_into('>II', b, infos + 8 * (modelfile.u16(b, e + 8) + k), len(data), len(b) - dl)
            b += data
    for shape, new in (attrs or {}).items():
        b = bytearray(pad(b))
        struct.pack_into('>H', b, entries + 0x28 * shape + 4, len(b) - att)
        for a, k in new + [(0xFF, 0)]:
            b += struct.pack('>II', a, k)
    for shape, t in (types or {}).items():
        b[entries + 0x28 * shape] = t
    return b


def vertices(model, shape, dl):
    """[(opcode, [vertex: {attr: index}])]"""
    attrs = model.shapes[shape]['attributes']
    size = sum(1 if k in (1, 2) else 2 for _, k in attrs)
    out, o = [], 0
    while o < len(dl):
        if dl[o] == 0:
            o += 1
            continue
        n, vs = modelfile.u16(dl, o + 1), []
        for i in range(n):
            q, v = o + 3 + i * size, {}
            for a, k in attrs:
                v[a] = dl[q] if k in (1, 2) else modelfile.u16(dl, q)
                q += 1 if k in (1, 2) else 2
            vs.append(v)
        out.append((dl[o] & 0xF8, vs))
        o += 3 + n * size
    return out


def triangles(prims):
    out = []
    for op, v in prims:
        if op == 0x98:
            out += [(v[k], v[k + 1], v[k + 2]) if k % 2 == 0 else (v[k + 1], v[k], v[k + 2]) for k in range(len(v) - 2)]
        elif op == 0x90:
            out += [tuple(v[k:k + 3]) for k in range(0, len(v), 3)]
        elif op == 0xA0:
            out += [(v[0], v[k], v[k + 1]) for k in range(1, len(v) - 1)]
    return [t for t in out if len({x[9] for x in t}) == 3]


def encode(prims, attrs):
    out = bytearray()
    for op, vs in prims:
        out += struct.pack('>BH', op, len(vs))
        for v in vs:
            for a, k in attrs:
                out += bytes([v[a]]) if k in (1, 2) else struct.pack('>H', v[a])
    return bytes(out)


def build(folder, name, materials, gltf, change, bmd=True):
    ext = '.bmd' if bmd else '.bdl'
    j, p = os.path.join(folder, name + '.json'), os.path.join(folder, name + '-plain' + ext)
    json.dump({"format": "facet-j3d-materials", "version": 1, "materials": materials}, open(j, 'w'))
    done = subprocess.run([FACET, 'convert', gltf, p, '-q', '--materials', j], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    data = open(p, 'rb').read()
    model, secs = modelfile.Model(data), sections(data)
    change(model, secs)
    out = os.path.join(folder, name + ext)
    open(out, 'wb').write(join(data, secs))
    return out


def all_cases(folder, gltf):
    plain = [dict(channels=channels(UNLIT_VTX, UNLIT_VTX), name=n) for n in ('ball', 'pane')]
    lit = [dict(tex_material({"type": "MTX2X4", "source": "NRM", "matrix": "TEXMTX0"}, matrix("ENV_OLD"), textures=["shine"]),
                name='ball')]
    C = []

    def add(name, materials, change, note='', **more):
        C.append((name, materials, change, note, more))

    def set_vtx(**by):
        def change(model, secs):
            new = {}
            for key, f in by.items():
                a = {'pos': 9, 'nrm': 10, 'clr0': 11, 'clr1': 12, 'tex0': 13, 'tex1': 14}[key]
                new[a] = f(numbers(model, a)) if callable(f) else f
            get(secs, 'VTX1')[1] = vtx1(model, new)
        return change
    for kind, name in enumerate(('rgb565', 'rgb8', 'rgbx8', 'rgba4', 'rgba6', 'rgba8')):
        add('color-' + name, plain, set_vtx(clr0=lambda v, k=kind: (1 if k > 2 else 0, k, 0, colors(v, k))))
    add('color-rgba8-count-rgb', plain, set_vtx(clr0=lambda v: (0, 5, 0, colors(v, 5))), 'alpha reads 255')
    alpha_plain = [dict(p, tevStages=stages((comb("ZERO", "ZERO", "ZERO", "RASA"), RAS[1]))) for p in plain]
    add('color-rgba8-count-rgb-alpha', alpha_plain, set_vtx(clr0=lambda v: (0, 5, 0, colors(v, 5))), 'alpha reads 255')
    add('color-rgba4-count-rgb-alpha', alpha_plain, set_vtx(clr0=lambda v: (0, 3, 0, colors(v, 3))), 'alpha reads 255')
    add('color-rgb565-count-rgba-alpha', alpha_plain, set_vtx(clr0=lambda v: (1, 0, 0, colors(v, 0))), 'alpha reads 255')
    add('pos-f32', plain, set_vtx(pos=lambda v: (1, 4, 0, packed(v, 4, 0))))
    add('pos-s16-frac3', plain, set_vtx(pos=lambda v: (1, 3, 3, packed(v, 3, 3))))
    add('pos-s8', plain, set_vtx(pos=lambda v: (1, 1, 0, packed(v / 2, 1, 0))))
    # Without z all faces are in one plane. The last one drawn must be visible, not the one that
    # wins by the last bit of its depth.
    add('pos-xy', [dict(p, depth={"test": False, "comparison": "LEQUAL", "write": True}) for p in plain], set_vtx(pos=lambda v: (0, 4, 0, packed(v[:, :2], 4, 0))), 'z = 0')
    add('nrm-s8', lit, set_vtx(nrm=lambda v: (0, 1, 6, packed(v, 1, 6))))
    add('nrm-s16-frac14', lit, set_vtx(nrm=lambda v: (0, 3, 14, packed(v, 3, 14))))
    add('nrm-f32', lit, set_vtx(nrm=lambda v: (0, 4, 0, packed(v, 4, 0))))
    add('nrm-s16-frac15', lit, set_vtx(nrm=lambda v: (0, 3, 15, packed(np.clip(v, -.99996, .99996), 3, 15))),
        'the chip divides by 2^14 whatever the file says: normals twice as long in texgens')
    add('nrm-f32-long', lit, set_vtx(nrm=lambda v: (0, 4, 0, packed(v * 1.5, 4, 0))), 'length 1.5: texgens see it')
    add('tex-s16-frac10', plain, set_vtx(tex0=lambda v: (1, 3, 10, packed(v, 3, 10))))
    add('tex-u16', plain, set_vtx(tex0=lambda v: (1, 2, 8, packed(v, 2, 8))))
    add('tex-u8', plain, set_vtx(tex0=lambda v: (1, 0, 5, packed(v, 0, 5))))
    add('tex-s8', plain, set_vtx(tex0=lambda v: (1, 1, 4, packed(v, 1, 4))))
    add('tex-s-only', plain, set_vtx(tex0=lambda v: (0, 4, 0, packed(v[:, :1], 4, 0))), 't = 0')

    def primitives(how):
        def change(model, secs):
            lists = {}
            for shape in (0, 1):
                attrs = model.shapes[shape]['attributes']
                new = []
                for use, table, dl in model.shapes[shape]['packets']:
                    t = triangles(vertices(model, shape, dl))
                    if how == 'triangles':
                        p = [(0x90, [v for x in t for v in x])]
                    elif how == 'fans':
                        p = [(0xA0, list(x)) for x in t]
                    elif how == 'quads':             # pairs that share an edge, otherwise a quad
                                                     # with a corner twice
                        p = [(0x80, [x[0], x[1], x[2], x[2]]) for x in t]
                    else:
                        p = [(0x88, [x[0], x[1], x[2], x[2]]) for x in t]
                    new.append(encode(p, attrs))
                lists[shape] = new
            get(secs, 'SHP1')[1] = with_lists(get(secs, 'SHP1')[1], model, lists)
        return change
    for how in ('triangles', 'fans', 'quads', 'quads-88'):
        add('prim-' + how, plain, primitives(how))

    def index8(model, secs):
        attrs = [(a, 2 if k == 3 and a in (11, 13, 14, 10) and 0 else k) for a, k in model.shapes[1]['attributes']]
        prims = vertices(model, 1, model.shapes[1]['packets'][0][2])
        small = {a: all(v[a] < 255 for _, vs in prims for v in vs) for a, _ in attrs}
        attrs = [(a, 2 if k == 3 and small[a] else k) for a, k in attrs]
        get(secs, 'SHP1')[1] = with_lists(get(secs, 'SHP1')[1], model, {1: [encode(prims, attrs)]}, {1: attrs})
    add('index8', plain, index8)

    def types(t, which=(0, 1)):
        def change(model, secs):
            get(secs, 'SHP1')[1] = with_lists(get(secs, 'SHP1')[1], model, None, None, {s: t for s in which})
        return change
    add('billboard', lit, types(1))
    add('billboard-y', lit, types(2))

    def no_attr(attr):
        def change(model, secs):
            lists, attrs = {}, {}
            for shape in (0, 1):
                attrs[shape] = [(a, k) for a, k in model.shapes[shape]['attributes'] if a != attr]
                lists[shape] = [encode(vertices(model, shape, dl), attrs[shape]) for _, _, dl in model.shapes[shape]['packets']]
            get(secs, 'SHP1')[1] = with_lists(get(secs, 'SHP1')[1], model, lists, attrs)
        return change
    add('no-vertex-color', plain, no_attr(11), 'asked for, but not there: white')
    add('no-normals-lit', lit, no_attr(10), 'lit by nothing; texgen of a normal that is not there')
    lit_only = [dict(channels=channels(LIT, UNLIT_REG), name='ball')]
    add('no-normals-channel', lit_only, no_attr(10), 'ambient only')
    add('no-texcoord', plain, no_attr(13), 'TEX0 asked for, but not there')

    def clr1_only(model, secs):
        attrs = {}
        for shape in range(len(model.shapes)):
            attrs[shape] = [(12 if a == 11 else a, k) for a, k in model.shapes[shape]['attributes']]
        get(secs, 'SHP1')[1] = with_lists(get(secs, 'SHP1')[1], model, None, attrs)
        c, k, f = model.formats[11]
        get(secs, 'VTX1')[1] = vtx1(model, {11: None, 12: (c, k, f, model.arrays[11])})
    add('clr1-only', plain, clr1_only, 'the only color is color 0')

    def clr1_too(model, secs):
        lists, attrs = {}, {}
        for shape in (0, 1):
            old = model.shapes[shape]['attributes']
            attrs[shape] = sorted(old + [(12, 3)])
            p = [(op, [{**v, 12: v[11]} for v in vs]) for _, _, dl in model.shapes[shape]['packets']
                 for op, vs in vertices(model, shape, dl)]
            lists[shape] = [encode(p, attrs[shape])]
        get(secs, 'SHP1')[1] = with_lists(get(secs, 'SHP1')[1], model, lists, attrs)
        v = numbers(model, 11)
        get(secs, 'VTX1')[1] = vtx1(model, {12: (1, 5, 0, colors(255 - v // 2, 5))})
    two = [dict(name=n, channelCount=2, stageCount=2, swapModes=[{}, {}],
                channels=channels(UNLIT_VTX, UNLIT_VTX, UNLIT_VTX, UNLIT_VTX), textures=[], texgens=[], texgenCount=0,
                tevOrders=orders((None, None, "COLOR0A0"), (None, None, "COLOR1A1")),
                tevStages=stages(RAS, (comb("CPREV", "RASC", "RASA", "ZERO"), PASS_A))) for n in ('ball', 'pane')]
    add('clr0-and-clr1', two, clr1_too)

    def texmtxidx(model, secs):
        lists, attrs = {}, {}
        old = model.shapes[0]['attributes']
        attrs[0] = sorted(old + [(1, 1)])
        p = [(op, [{**v, 1: 30 if v[9] % 2 else 33} for v in vs]) for _, _, dl in model.shapes[0]['packets']
             for op, vs in vertices(model, 0, dl)]
        lists[0] = [encode(p, attrs[0])]
        get(secs, 'SHP1')[1] = with_lists(get(secs, 'SHP1')[1], model, lists, attrs)
    tm = [dict(tex_material(dict(IDENT, matrix="TEXMTX0"), matrix(scale=(1, 1), tr=(.02, 0))), name='ball', texgenCount=2,
               texgens=[dict(IDENT, matrix="TEXMTX0"), dict(IDENT, matrix="TEXMTX1")],
               textureMatrices=[matrix(scale=(1, 1), tr=(.02, 0)), matrix(scale=(1.1, .9), tr=(0, .05))])]
    add('texmtxidx', tm, texmtxidx, 'a texture matrix for each vertex')

    def scaling(rule, compensate=False):
        def change(model, secs):
            struct.pack_into('>H', get(secs, 'INF1')[1], 8, rule)
            if compensate:
                b = get(secs, 'JNT1')[1]
                for i in range(modelfile.u16(b, 8)):
                    b[modelfile.u32(b, 0xC) + 0x40 * i + 2] = 1
        return change
    for rule, name in enumerate(('basic', 'softimage', 'maya')):
        add('scaling-' + name, lit_only, scaling(rule), gltf='chain')
    add('scaling-maya-compensate', lit_only, scaling(2, True), gltf='chain')
    add('scaling-basic-compensate', lit_only, scaling(0, True), 'the byte counts with Maya only', gltf='chain')
    add('scaling-env', [dict(lit[0])], scaling(0), 'environment map below a scaled, turned joint', gltf='chain')

    def paint_level(data):
        """level 1 of each texture becomes red"""
        for t in modelfile.Model(bytes(data)).textures:
            at = t['at'] + t['width'] * t['height'] * 4
            size = (t['width'] // 2) * (t['height'] // 2) * 4
            data[at:at + size] = (bytes((255, 255)) * 16 + bytes(32)) * (size // 64)    # RGBA32: A and R, then G and B
    add('own-levels', [tex_material(dict(IDENT), name=n) for n in ('ball', 'pane')], lambda model, secs: None, after=paint_level,
        textures={"format": "RGBA32", "levelCount": 3, "hasMipmaps": True, "minFilter": "LIN_MIP_LIN", "minLod": 1, "maxLod": 1})

    def npot(name):
        def change(model, secs):
            pass
        return change
    for w in ('REPEAT', 'MIRROR', 'CLAMP'):
        add('npot-' + w.lower(), plain, npot(w), gltf='npot', textures={"wrapS": w, "wrapT": w})
    return C


def chain(path):
    """the ball below two joints that are scaled unevenly, rotated and moved"""
    scene.write(path)
    g = json.load(open(path))
    ball = next(i for i, n in enumerate(g['nodes']) if n['name'] == 'ball')
    g['nodes'] += [dict(name='a', scale=[1.2, .8, 1], rotation=[0, .2588, 0, .9659], translation=[.1, .2, 0], children=[]),
                   dict(name='b', scale=[.9, 1.3, .7], rotation=[.3827, 0, 0, .9239], translation=[.2, -.1, .3], children=[ball])]
    n = len(g['nodes'])
    g['nodes'][n - 2]['children'] = [n - 1]
    g['nodes'][ball].update(scale=[.8, .9, 1.1], translation=[0, .1, 0])
    g['scenes'][0]['nodes'] = [x for x in g['scenes'][0]['nodes'] if x != ball] + [n - 2]
    json.dump(g, open(path, 'w'))


def npot(path):
    old = scene.textures

    def other():
        t = old()
        y, x = np.mgrid[0:40, 0:24]
        t[0] = ('body', np.stack([80 + x * 6, 60 + y * 4, 200 - y * 3, np.full_like(x, 255)], 2))
        t[1] = ('leaf', np.stack([40 + x * 8, 160 - y * 3, 20 + y * 5, np.full_like(x, 255)], 2))
        return t
    scene.textures = other
    scene.write(path)
    scene.textures = old


def makers(folder, gltf):
    """Return (name, function that writes the model and returns its path)."""
    files = {k: os.path.join(folder, k + '.gltf') for k in ('chain', 'npot')}
    files['base'] = gltf
    chain(files['chain']), npot(files['npot'])
    for name, materials, change, _, more in all_cases(folder, gltf):
        def make(name=name, materials=materials, change=change, more=more):
            path = build(folder, name, materials, files[more.get('gltf', 'base')], change)
            if not more.get('textures'):
                return path
            t, again = os.path.join(folder, name + '-t.json'), path.replace('.bmd', '-w.bmd')
            with open(t, 'w') as f:
                json.dump({"format": "facet-j3d-textures", "version": 1,
                           "textures": [dict(more['textures'], name=n) for n in ('body', 'leaf')]}, f)
            done = subprocess.run([FACET, 'convert', path, again, '-q', '--textures', t], capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr)
            if more.get('after'):
                data = bytearray(open(again, 'rb').read())
                more['after'](data)
                with open(again, 'wb') as f:
                    f.write(data)
            return again
        yield name, make
