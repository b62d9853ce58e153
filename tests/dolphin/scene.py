"""The scene of the models: a ball, a pane in front of it, and small tiles that bring textures into
the file. It is a glTF with colors, normals and two sets of texture coordinates."""
import base64
import json
import math
import struct
import zlib

import numpy as np


def png(a):
    """an array of RGBA as a PNG file"""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    height, width = a.shape[:2]
    rows = b''.join(b'\0' + row.tobytes() for row in a.astype('u1'))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 6, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def textures():
    """smooth enough that a difference of one texel or one level is visible but does not hide all
    others"""
    y, x = np.mgrid[0:64, 0:64]
    check = ((x // 8 + y // 8) & 1) * 60
    body = np.stack([80 + x * 2, 60 + check + y, 200 - y * 2, np.full_like(x, 255)], 2)
    y, x = np.mgrid[0:64, 0:32]
    leaf = np.stack([200 - x * 3, 90 + y * 2, 40 + x * 4,
                     np.clip(128 + 120 * np.sin(x * math.pi / 8) * np.cos(y * math.pi / 16), 0, 255)], 2)
    x = np.arange(64)[None, :] + np.zeros((8, 1), int)
    ramp = np.stack([np.clip((x - 20) * 8, 0, 255), np.clip((x - 40) * 12, 0, 255), 255 - x * 3,
                     np.full_like(x, 255)], 2)
    y, x = np.mgrid[0:32, 0:32]
    bump = np.stack([np.full_like(x, 128), 128 + 90 * np.sin(x / 32 * 4 * math.pi), 128 + 90 * np.cos(y / 32 * 4 * math.pi),
                     128 + 100 * np.sin((x + y) / 32 * 2 * math.pi)], 2)
    y, x = np.mgrid[0:32, 0:32]
    d = np.hypot(x - 15.5, y - 15.5)
    shine = np.stack([np.clip(255 - d * 16, 0, 255), np.clip(230 - d * 12, 0, 255), np.clip(255 - d * 9, 0, 255),
                      np.full_like(x, 255)], 2)
    y, x = np.mgrid[0:16, 0:16]
    gray = np.stack([x * 17, x * 17, x * 17, np.clip(y * 17, 0, 255)], 2)
    return [('body', body), ('leaf', leaf), ('ramp', ramp), ('bump', bump), ('shine', shine), ('gray', gray)]


def ball(n=20, m=14, r=1.0):
    pos, nrm, uv, uv2, col, idx = [], [], [], [], [], []
    for j in range(m + 1):
        for i in range(n + 1):
            a, b = 2 * math.pi * i / n, math.pi * j / m
            d = (math.sin(b) * math.sin(a), math.cos(b), math.sin(b) * math.cos(a))
            k = r * (1 + 0.12 * math.cos(3 * a) * math.sin(b) ** 2)
            pos.append([k * c for c in d])
            nrm.append(d)
            uv.append([i / n * 3, j / m * 2])
            uv2.append([d[0] * .5 + .5, d[2] * .5 + .5])
            col.append([0.3 + 0.7 * i / n, 0.2 + 0.8 * j / m, 1 - 0.6 * i / n, 0.4 + 0.6 * j / m])
    for j in range(m):
        for i in range(n):
            p = j * (n + 1) + i
            for t in ((p, p + n + 1, p + 1), (p + 1, p + n + 1, p + n + 2)):
                q = [pos[k] for k in t]
                if all(math.dist(q[k], q[(k + 1) % 3]) > 1e-6 for k in range(3)):
                    idx += t
    return pos, nrm, uv, uv2, col, idx


def quad(cx, cy, z, w, h):
    pos = [[cx - w, cy - h, z], [cx + w, cy - h, z], [cx + w, cy + h, z + .15], [cx - w, cy + h, z + .15]]
    n = np.cross(np.subtract(pos[1], pos[0]), np.subtract(pos[3], pos[0]))
    n = list(n / np.linalg.norm(n))
    uv = [[0, 1.5], [1.5, 1.5], [1.5, 0], [0, 0]]
    col = [[1, .2, .2, .2], [.2, 1, .2, 1], [.2, .2, 1, .7], [1, 1, .2, .5]]
    return pos, [n] * 4, uv, [[u / 1.5, v / 1.5] for u, v in uv], col, [0, 1, 2, 0, 2, 3]


def write(path, parts=None, tile_count=6, skin=False):
    """parts: the existing ones of ball, pane and tiles"""
    g = dict(asset={'version': '2.0'}, scene=0, scenes=[{'nodes': []}], nodes=[], meshes=[], materials=[], accessors=[],
             bufferViews=[], images=[], textures=[], samplers=[{'magFilter': 9729, 'minFilter': 9729}])
    blob = bytearray()

    def view(data):
        while len(blob) % 4:
            blob.append(0)
        g['bufferViews'].append(dict(buffer=0, byteOffset=len(blob), byteLength=len(data)))
        blob.extend(data)
        return len(g['bufferViews']) - 1

    def accessor(values, kind, comp=5126):
        a = np.array(values, {5126: '<f4', 5123: '<u2'}[comp])
        acc = dict(bufferView=view(a.tobytes()), componentType=comp, count=len(a), type=kind)
        if kind == 'VEC3':
            acc['min'], acc['max'] = a.min(0).tolist(), a.max(0).tolist()
        g['accessors'].append(acc)
        return len(g['accessors']) - 1
    for name, pixels in textures():
        g['images'].append(dict(name=name, mimeType='image/png', bufferView=view(png(pixels))))
        g['textures'].append(dict(source=len(g['images']) - 1, sampler=0))
    shapes = [('ball', ball(), 0), ('pane', quad(0.25, -.2, 1.35, .7, .75), 1)]
    for i in range(tile_count):
        shapes.append(('tile%d' % i, quad(-1.35, -1.1 + .44 * i, 0, .18, .18), i))
    for name, (pos, nrm, uv, uv2, col, idx), tex in shapes:
        if parts and name.rstrip('0123456789') not in parts:
            continue
        g['materials'].append(dict(name=name, pbrMetallicRoughness={'baseColorTexture': {'index': tex},
                                                                    'metallicFactor': 0}))
        g['meshes'].append(dict(name=name, primitives=[dict(
            attributes=dict(POSITION=accessor(pos, 'VEC3'), NORMAL=accessor(nrm, 'VEC3'), TEXCOORD_0=accessor(uv, 'VEC2'),
                            TEXCOORD_1=accessor(uv2, 'VEC2'), COLOR_0=accessor(col, 'VEC4')),
            indices=accessor(idx, 'SCALAR', 5123), material=len(g['materials']) - 1)]))
        g['nodes'].append(dict(name=name, mesh=len(g['meshes']) - 1))
        g['scenes'][0]['nodes'].append(len(g['nodes']) - 1)
    g['buffers'] = [dict(byteLength=len(blob), uri='data:application/octet-stream;base64,' +
                         base64.b64encode(bytes(blob)).decode())]
    with open(path, 'w') as f:
        json.dump(g, f)
