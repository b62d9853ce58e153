"""Compare pictures of J3D models: those of the Dolphin emulator with those of `facet render`.

Every model is one frame of one log, so that the emulator starts only once. A result has three
counts. The first is of pixels that the model covers. The second is of pixels that differ by more
than 8 of 255 in a channel. The third leaves out edges: it counts only pixels without a color within
8 among the nine neighbors in the other picture.
"""
import copy
import json
import os
import subprocess
import tempfile

import numpy as np
from PIL import Image

import emulator
import fifo
import commands
import modelfile

FACET = os.environ.get('FACET', 'facet')
# Offset of the emulator's sample from the middle of a pixel: GPU backends 7/12, the software
# renderer 9/16.
SHIFT = {'OGL': 1 / 12, 'Vulkan': 1 / 12, 'Software Renderer': 1 / 16}


class Case:
    """A model, the arguments of facet render, and the way to play it."""

    def __init__(self, name, path, args=(), baked=True, fog=False, planes=None, background=(0x40, 0x60, 0x80),
                 file_order=False, note='', animations=(), frame=0):
        self.name, self.path, self.args, self.fog = name, path, list(args), fog
        self.animations, self.frame = list(animations), frame       # files, and the frame
        self.planes, self.background, self.file_order, self.note = planes, background, file_order, note
        self.model = modelfile.Model(open(path, 'rb').read())
        self.baked = baked and self.model.kind.startswith('bdl')
        self.model_light = (-0.4, 0.6, 0.69)
        self.lights = None

    def in_black(self):
        """the same in front of the background of a log of facet convert"""
        other = copy.copy(self)
        other.background, other.name = (0, 0, 0), 'log-' + self.name
        return other


def facet_picture(case, width, height, folder):
    out = os.path.join(folder, 'facet.png')
    posed = ['--time', '%.9f' % (case.frame / 30)] if case.animations else []
    done = subprocess.run([FACET, 'render', case.path, *case.animations, out, *posed, '--size', '%dx%d' % (width, height), '--samples', '1',
                           '--background', '#%02x%02x%02x' % tuple(case.background), '--json', *case.args]
                          + (['--fog'] if case.fog else []) + (['--file-order'] if case.file_order else []),
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError('%s: %s' % (case.path, done.stderr.strip()))
    return np.array(Image.open(out).convert('RGB')), json.loads(done.stdout)['camera']


def facet_log(case, camera, folder):
    """the frame of the log that facet convert writes of a case, with the camera of its picture"""
    out, seen = os.path.join(folder, 'facet.dff'), os.path.join(folder, 'camera.json')
    with open(seen, 'w') as f:
        json.dump(camera, f)
    posed = ['--frame', '%g' % case.frame] if case.frame else []
    done = subprocess.run([FACET, 'convert', '-q', case.path, *case.animations, out, '--camera', seen, *posed],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError('%s: %s' % (case.path, done.stderr.strip()))
    return fifo.read(out)[0]


def near(a, b, limit=8):
    """True where a pixel of a has a similar one among the nine of b around it"""
    h, w = a.shape[:2]
    p = np.pad(b.astype(int), ((1, 1), (1, 1), (0, 0)), mode='edge')
    found = np.zeros((h, w), bool)
    for dy in range(3):
        for dx in range(3):
            found |= abs(p[dy:dy + h, dx:dx + w] - a).max(2) <= limit
    return found


def measure(f, p, background):
    f, p = f.astype(int), p.astype(int)
    d = abs(f - p).max(2)
    covered = (abs(f - background).max(2) > 0) | (abs(p - background).max(2) > 3)
    inner = (d > 8) & ~(near(f, p) & near(p, f))
    return dict(covered=int(covered.sum()), over8=int((d > 8).sum()), inner=int(inner.sum()), over2=int((d > 2).sum()),
                any=int((d > 0).sum()), worst=int(d[inner].max()) if inner.any() else 0,
                mean=float(d[covered].mean()) if covered.any() else 0.0)


def run(cases, backends=('OGL',), width=640, height=480, folder=None, keep=None, dff_path=None, chunk=40, logs=False):
    """Return [(case, backend, numbers)] for logs made here, or with `logs` by facet convert.
    Pictures go side by side (facet, Dolphin, difference x 8) into `keep`."""
    results = []
    with tempfile.TemporaryDirectory() as tmp, emulator.Screen() as display:
        for begin in range(0, len(cases), chunk):
            part = cases[begin:begin + chunk]
            pictures, cameras, drawn = [], [], []
            for c in part:
                try:
                    f, cam = facet_picture(c, width, height, tmp)
                except RuntimeError as e:
                    print('#', e)
                    continue
                pictures.append(f), cameras.append(cam), drawn.append(c)
            part = drawn
            if not part:
                continue
            for backend in backends:
                log = fifo.Dff()
                s = fifo.Stream()
                fifo.setup(s, width, height, (*part[0].background, 255))
                fifo.copy_xfb(s)
                log.frame(s.b)
                for k, c in enumerate(part):
                    cam = commands.Camera(cameras[k], width, height)
                    if logs:
                        log.frame(*facet_log(c, cameras[k], tmp))
                        continue
                    nxt = part[k + 1].background if k + 1 < len(part) else c.background
                    drawn_bytes, memory = commands.frame(c.model, cam, c.baked, c.background, c.fog, c.planes,
                                                c.model_light, SHIFT[backend], nxt, c.file_order, c.lights)
                    log.frame(drawn_bytes, memory)
                path = dff_path or os.path.join(tmp, 'cases.dff')
                log.save(path)
                shown, took, warnings = emulator.play(path, display, backend)
                for w in warnings[:8]:
                    print('# %s: %s' % (backend, w.strip()))
                if len(shown) != len(part) + 1:
                    print('# %s: %d pictures for %d frames' % (backend, len(shown), len(part) + 1))
                print('# %s: %d pictures in %.1f s' % (backend, len(part), took), flush=True)
                for k, c in enumerate(part):
                    if k + 1 >= len(shown):
                        break
                    p = shown[k + 1]
                    if p.shape != pictures[k].shape:
                        print('# size', p.shape)
                        continue
                    r = measure(pictures[k], p, np.array(c.background))
                    results.append((c, backend, r))
                    if keep:
                        os.makedirs(keep, exist_ok=True)
                        d = np.minimum(abs(pictures[k].astype(int) - p).max(2) * 8, 255)
                        side = np.concatenate([pictures[k], p, np.repeat(d[:, :, None], 3, 2).astype('u1')], 1)
                        Image.fromarray(side).save('%s/%s-%s.png' % (keep, c.name, backend.split()[0]))
    return results


HEAD = '%-34s %-9s %8s %7s %6s %6s %6s %5s %6s' % ('case', 'backend', 'covered', '>8', 'inner', '>2', '>0', 'worst', 'mean')


def line(c, backend, r):
    return '%-34s %-9s %8d %7d %6d %6d %6d %5d %6.3f' % (c.name, backend.split()[0], r['covered'], r['over8'], r['inner'],
                                                      r['over2'], r['any'], r['worst'], r['mean'])
