#!/usr/bin/env python3
"""run.py FACET [--only TEXT] [--keep DIR] [--random N]: compare Dolphin with `facet render`.

A J3D model becomes a FIFO log: the commands that a program on the console writes. The emulator's
FIFO player draws them on the CPU, without a game or code of the console. `facet render` draws the
same model with the same camera. Then the emulator draws the log that `facet convert` writes of each
model, with and without animations. A model passes if at most max(3, covered / 2000) pixels inside
it, and at most 40 + covered / 1000 pixels in all, differ by more than 8 of 255. LAST_BITS and KNOWN
name the models that may differ by more, each with a reason.

Status 77, with the reason, if the emulator is not installed or draws nothing.
"""
import argparse
import os
import random
import shutil
import sys
import tempfile
import time

try:
    import numpy  # noqa: F401
    import PIL  # noqa: F401
except ImportError as missing:
    print('skipped: %s' % missing)
    sys.exit(77)

import compare
import features
import poses
import scene
import variants

# Models of which 0.3 % of the covered pixels may differ, because a step multiplies the last bit.
SHARE = 0.003
LAST_BITS = {
    'texgen-nrm-env_basic-3x4': 'near q = 0 by a division',
    'texgen-nrm-env_old-3x4': 'near q = 0 by a division',
    'texgen-nrm-effect_model-3x4': 'near q = 0 by a division',
    'texgen-nrm-env_old_effect-3x4': 'near q = 0 by a division',
    'texgen-nrm-env_effect-3x4': 'near q = 0 by a division',
    'texgen-pos-proj_basic-3x4': 'near q = 0 by a division',
    'texgen-pos-proj-3x4': 'near q = 0 by a division',
    'texgen-pos-identity-3x4': 'near q = 0 by a division',
    'ind-exp+3': 'the offset of an indirect texture, by 2^3',
    'ind-matrix1-skew': 'the offset of an indirect texture, by a matrix',
    'mip-lin-near': 'by the choice of the nearest of two levels',
    'mip-near-near': 'by the choice of the nearest of two levels',
}
# Models that differ. Remove a model that no longer differs.
TABLE = 'packets have the angles of a table of 2,048 entries, render has exact ones'
KNOWN = {
    'texgen-srt': TABLE,
    'texgen-srt-3x4': TABLE,
    'texgen-pos-effect-2x4': TABLE,
    'texgen-pos-effect-3x4': TABLE,
    'no-normals-lit': 'the emulator guesses what a texgen of normals reads where there are none',
}


def plain(name):
    return name.removeprefix('log-')


def passes(name, r):
    covered = r['covered']
    share = covered * (SHARE if plain(name) in LAST_BITS else 0)
    return r['inner'] <= max(3, covered / 2000, share) and r['over8'] <= 40 + covered / 1000 + share


def case_of(name, spec, folder, gltf):
    args = list(spec.get('args', ()))
    if spec.get('zoom'):
        k, path = spec['zoom'], os.path.join(folder, name + '-camera.json')
        with open(path, 'w') as f:
            f.write('{"position": [%g, %g, %g], "target": [0, 0, 0], "up": [0, 1, 0], "fieldOfView": 30}' %
                    (400 * k, 300 * k, 600 * k))
        args += ['--camera', path]
    return compare.Case(name, features.make(name, spec, folder, gltf), args, fog=spec.get('fog', False),
                        planes=spec.get('planes'), file_order=spec.get('file_order', False))


def all_cases(folder, only, count):
    """cases, and those that could not be created"""
    gltf = os.path.join(folder, 'base.gltf')
    scene.write(gltf)
    specs, rng = features.cases(), random.Random(7)
    for k in range(count):
        specs['random-%02d' % k] = {p: features.random_material(rng) for p in ('ball', 'pane')}
    made, failed = [], []
    for name, spec in specs.items():
        if only in name:
            try:
                made.append(case_of(name, spec, folder, gltf))
            except RuntimeError as e:
                failed.append((name, str(e)))
    for name, make in variants.makers(folder, gltf):
        if only in name:
            try:
                made.append(compare.Case(name, make()))
            except RuntimeError as e:
                failed.append((name, str(e)))
    return made, failed


def log_cases(cases, folder, only):
    """the same models for the logs of `facet convert`, which clears to black and draws no fog, and
    poses"""
    same = [c for c in cases if not (c.fog or c.planes or c.file_order or c.lights)]
    posed = [c for c in poses.cases(folder, os.path.join(folder, 'base.gltf')) if only in c.name]
    return [c.in_black() for c in same + posed]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('facet')
    p.add_argument('--only', default='', metavar='TEXT', help='cases whose names have TEXT')
    p.add_argument('--keep', metavar='DIR', help='write the pictures side by side: facet, Dolphin, difference times 8')
    p.add_argument('--random', type=int, default=80, metavar='N', help='so many random materials')
    a = p.parse_args()
    for program in ('/usr/games/dolphin-emu-nogui', 'Xvfb'):
        if not shutil.which(program):
            print('skipped: %s is not installed' % program)
            return 77
    features.FACET = variants.FACET = compare.FACET = poses.FACET = os.path.abspath(a.facet)
    begin, bad, known, count = time.time(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        cases, failed = all_cases(folder, a.only, a.random)
        for name, why in failed:
            print('%s: %s' % (name, why))
        results = compare.run(cases, keep=a.keep)
        logged = log_cases(cases, folder, a.only)
        results += compare.run(logged, keep=a.keep and os.path.join(a.keep, 'logs'), logs=True)
        if cases and not results:
            print('skipped: the emulator draws nothing on this machine')
            return 77
        for case, _, r in results:
            count += 1
            good, reason = passes(case.name, r), KNOWN.get(plain(case.name))
            known += reason is not None and not good
            if good == (reason is not None):
                bad += 1
                print(compare.HEAD if bad == 1 else '', end='\n' if bad == 1 else '')
                print(compare.line(case, 'OGL', r), 'agrees by now: take it out of KNOWN' if good else '')
    print('%d pictures: %d agree, %d known to differ, %d faults, in %.0f s' %
          (count, count - known - bad, known, bad, time.time() - begin))
    return 1 if bad or failed or count < len(cases) + len(logged) else 0


if __name__ == '__main__':
    sys.exit(main())
