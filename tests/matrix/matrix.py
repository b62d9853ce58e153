#!/usr/bin/env python3
"""Convert every feature of a scene to every format that Facet writes, and back.

The feature arrives, or a loss is reported; anything else is an error. The test measures how it
arrived (kept, computed, approximated). TABLE declares the expected result, so a cell with another
result is an error.

    matrix.py FACET [TABLE]     TABLE: docs/reference/conversions.md, which must equal the output
    matrix.py FACET --write TABLE

The written files pass Facet's own check.
"""
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'tools'))
from wrap import fill
from back import Back, Exact
from features import FEATURES, MATERIAL, TEXTURE
from forms import FORMS, WORDS
from readers import READERS

FORMATS = ['gltf', 'glb', 'obj', 'ply', 'stl', 'bsm', 'iqm', 'binarymesh', 'bga', 'bpx', 'bmd',
           'bdl', 'dae', 'fbx']
# Known pairs where the feature neither arrives nor is reported, with the reason. Make this list
# shorter.
KNOWN = {
    ('morph target', 'fbx'): 'Blender reads it; assimp reads no shape without normals',
    ('mesh name', 'fbx'): 'Blender reads it; assimp takes the name of the node',
}
KNOWN.update({(name, 'fbx'): KNOWN['mesh name', 'fbx'] for name in (f[0] for f in FEATURES)
              if name.startswith('names: ')})
# Formats that store only the names of materials report all other material data as one loss.
NAMES_ALONE = {'ply', 'stl', 'bsm', 'iqm', 'binarymesh', 'bga', 'bpx'}
# Lines and points without faces are not a model, and are refused.
REFUSED = {(name, to) for name in ('lines', 'points', 'materials of lines', 'materials of points',
                                   'line strip', 'line loop')
           for to in ('bpx', 'bmd', 'bdl')}
# A shape of a console has 16-bit vertex numbers.
REFUSED |= {('more than 65,536 vertices', to) for to in ('bmd', 'bdl')}


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def convert(facet, source, target):
    """The ids of the findings, or None if the conversion was refused."""
    done = run(facet, 'convert', '--verify', '--json', source, target)
    if done.returncode or not done.stdout:
        return None, done.stdout + done.stderr
    return [f['rule'] for f in json.loads(done.stdout)['findings']], done.stdout


def arrived(name, look, target, whole, source):
    """Result of an existing feature: only within its tolerance, in another representation than the
    source, or unchanged."""
    with Exact():
        if not look(whole):
            return 'approximated'
    form = FORMS.get(name)
    data = b''
    for path in (target, os.path.splitext(target)[0] + '.mtl'):
        if os.path.exists(path):
            with open(path, 'rb') as file:
                data += file.read()
    if name in WORDS and not any(word in data for word in WORDS[name]) \
            or form and form(whole) != form(source):
        return 'computed'
    return 'kept'


def try_pair(facet, work, name, make, look, losses, format_):
    source, target = os.path.join(work, 'in.gltf'), os.path.join(work, 'out.' + format_)
    back = os.path.join(work, 'back.gltf')
    for path in os.listdir(work):  # the MTL library of the former format
        if path.endswith('.mtl'):
            os.remove(os.path.join(work, path))
    with open(source, 'w', encoding='utf-8') as file:
        file.write(make().text())
    there, said = convert(facet, source, target)
    if there is None:
        return ('none' if (name, format_) in REFUSED else 'refused'), said
    checked = run(facet, 'check', '-q', target)
    if checked.returncode:
        return 'check', checked.stdout
    read, able = READERS.get(format_, (None, ()))
    again, said_again = [], ''
    try:
        if able is None or name in able:
            whole = read(target)
        else:
            again, said_again = convert(facet, target, back)
            if again is None:
                return 'unreadable', said_again
            whole = Back(back)
        kept = look(whole)
        word = kept and arrived(name, look, target, whole, Back(source))
    except (KeyError, IndexError, AttributeError, ValueError) as error:
        return 'broken', repr(error)
    if kept:
        return word, ''
    if format_ in NAMES_ALONE and losses is TEXTURE:
        losses = losses + MATERIAL
    told = [rule for rule in there if rule in losses]
    if 'LOSS-NODES' in losses and 'LOSS-NODES' in again:
        return 'kept', ''  # the glTF that is checked cannot represent it
    return (told[0], '') if told else ('silent', said + said_again)


def table(results, formats):
    yield '# What arrives in which format'
    yield ''
    yield ('`tests/matrix/matrix.py` writes this table from what the program does. Each row is a glTF '
           'with one feature. [Conversions, pair by pair](conversion-pairs.md) describes pairs in words.')
    yield ''
    yield '- kept: the feature arrives as it was; numbers differ by the rounding of 32-bit floats at most.'
    yield ('- computed: the file means the same in other words: places baked into vertices, strips as '
           'triangles, normals that the format demands, shininess from roughness.')
    yield ('- approximated: numbers differ by more than rounding, but less than the tolerance of the test, '
           '0.01 for most features. Examples: colors of 8 bits, positions of 16 bits, curves as frames.')
    yield '- An id: the feature is lost. `facet convert` reports that loss; `facet rule ID` explains it.'
    yield '- (kept): the file holds the feature, and Blender reads it. Facet does not read it back.'
    yield '- `refused`: the format cannot hold such a scene; the error says why.'
    yield '- `none`: the scene has nothing that the format could hold.'
    yield ''
    yield ('Parsers of the test read what Facet writes: glTF, OBJ, PLY, STL, BSM, IQM, BinaryMesh, BGA, '
           'BPX and COLLADA. Facet reads the other formats, and features that the parsers do not know. '
           '`make test-blender` looks at FBX, COLLADA and OBJ through Blender, and `make test-gltf` at '
           'glTF files by way of every format through the Khronos validator.')
    yield ''
    yield '| | ' + ' | '.join(formats) + ' |'
    yield '|---' * (len(formats) + 1) + '|'
    for name, row in results:
        yield f'| {name} | ' + ' | '.join(row) + ' |'


def row_of(task):
    """Results of one feature in each format, and the formats where it neither arrives nor is
    reported."""
    facet, number, formats = task
    name, make, look, losses = FEATURES[number]
    row, faults = [], []
    with tempfile.TemporaryDirectory() as work:
        for format_ in formats:
            result, why = try_pair(facet, work, name, make, look, losses, format_)
            known = result == 'silent' and (name, format_) in KNOWN
            row.append('(kept)' if known else result)
            if result in ('refused', 'check', 'unreadable', 'broken', 'silent') and not known:
                faults.append(f'{name} to {format_}: {result}\n    {why.strip()[:400]}')
    return row, faults


def main():
    facet, write = os.path.abspath(sys.argv[1]), '--write' in sys.argv
    path = sys.argv[-1] if len(sys.argv) > 2 else None
    written = [f['name'] for f in map(json.loads, run(facet, 'formats', '--json').stdout.split('\n')[:-1])
               if f.get('write')]
    formats = [f for f in FORMATS if f in written] if written else FORMATS
    # Fork, because the features contain functions.
    with multiprocessing.get_context('fork').Pool() as pool:
        rows = pool.map(row_of, [(facet, number, formats) for number in range(len(FEATURES))], 1)
    results = [(feature[0], row) for feature, (row, _) in zip(FEATURES, rows)]
    faults = 0
    for fault in (fault for _, found in rows for fault in found):
        faults += 1
        print(fault)
    lines = fill('\n'.join(table(results, formats)) + '\n')
    if write:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(lines)
    elif path and formats == FORMATS:
        with open(path, encoding='utf-8') as file:
            declared = file.read()
        if declared != lines:
            faults += 1
            print('\n'.join(sorted(set(lines.split('\n')) - set(declared.split('\n')))))
            print(f'{path} declares other cells: matrix.py FACET --write {path}')
    print(f'{len(FEATURES)} features, {len(formats)} formats, {faults} faults')
    sys.exit(faults > 0)


if __name__ == '__main__':
    main()
