"""Models in animated poses: one frame of each kind of J3D animation, separately and all together.
`facet pack` makes the files from JSON."""
import json
import os
import subprocess

import compare
import features

FACET = os.environ.get('FACET', 'facet')
FRAMES = 20
FRAME = 7.5                                         # between keys, and between whole frames


def keys(*values):
    """a track of keys with flat tangents, evenly spread over the frames"""
    step = FRAMES // (len(values) - 1)
    return [[i * step, v, 0] for i, v in enumerate(values)]


def documents(joints, shapes, textures):
    """Return kind -> JSON of an animation. joints: translations at rest."""
    moved = [dict(scale=[1, 1, 1], rotation=[0, 0, 0], translation=list(t)) for t in joints]
    moved[1]['rotation'] = [keys(0, 50, 0), keys(0, -70, 20), keys(0, 15, 0)]
    moved[1]['scale'] = [keys(1, 1.3, 1), 1, keys(1, 0.6, 1)]
    moved[2]['translation'][1] = keys(moved[2]['translation'][1], moved[2]['translation'][1] + 60, 0)
    return {
        'bck': {"joints": moved},
        'btk': {"maya": False, "texture_matrices": [
            {"material": "ball", "matrix": 0, "center": [0.5, 0.5, 0.5], "scale": [keys(1, 1.7, 1), keys(1, 0.8, 1), 1],
             "rotation": [0, 0, keys(0, 40, 90)], "translation": [keys(0, 0.4, 1), keys(0, -0.3, 0), 0]}]},
        'brk': {"registers": [{"material": "ball", "register": 0, "R": keys(0, 200, 0), "G": keys(30, 255, 0), "B": 80,
                               "A": 255}],
                "konst_colors": [{"material": "ball", "register": 0, "R": keys(255, 40, 0), "G": keys(0, 90, 255), "B": 200,
                                  "A": 255}]},
        'bpk': {"material_colors": [{"material": "ball", "R": keys(255, 30, 0), "G": keys(100, 220, 0), "B": 60, "A": 255}]},
        'btp': {"texture_maps": [{"material": "ball", "map": 0,
                                  "textures": [k // 5 % textures for k in range(FRAMES)]}]},
        'bva': {"shapes": [{"visible": [int(k < 4 or i != 1) for k in range(FRAMES)]} for i in range(shapes)]},
    }


def material():
    """a material of the ball that shows a moving texture, a register, a konst color and a lit
    material color"""
    comb, PASS_A = features.comb, features.PASS_A
    texgen = {"type": "MTX2X4", "source": "TEX0", "matrix": "TEXMTX0"}
    return features.tex_material(
        texgen, features.matrix(), stageCount=2, swapModes=[{}, {}], materialColors=[[220, 200, 180, 255], [255] * 4],
        tevRegisters=[[40, 60, 20, 255], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        konstColors=[[255, 128, 200, 255]] * 4, konstColorSelections=["K0", "K0"],
        tevOrders=features.orders((0, 0), (None, None)),
        tevStages=features.stages((comb("ZERO", "TEXC", "RASC", "C0"), PASS_A),
                                  (comb("ZERO", "CPREV", "KONST", "ZERO"), PASS_A)))


def cases(folder, gltf):
    path = features.make('poses', {'ball': material()}, folder, gltf)
    model = compare.Case('poses', path).model
    joints = [j['translation'] for j in model.joints]
    made, files = [], {}
    for kind, document in documents(joints, len(model.shapes), len(model.textures)).items():
        text, out = os.path.join(folder, kind + '.json'), os.path.join(folder, 'pose.' + kind)
        head = {"format": "facet-j3d-animation", "version": 1, "kind": kind, "name": "pose", "frames": FRAMES,
                "loop": "once", "rotation_shift": 1}
        with open(text, 'w') as f:
            json.dump({**head, **document}, f)
        done = subprocess.run([FACET, 'pack', '-q', out, text], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError('%s: %s' % (kind, done.stderr.strip()))
        files[kind] = out
        made.append(compare.Case('pose-' + kind, path, animations=[out], frame=FRAME))
    made.append(compare.Case('pose-all', path, animations=list(files.values()), frame=FRAME))
    return made
