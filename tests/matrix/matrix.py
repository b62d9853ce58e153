#!/usr/bin/env python3
"""Every feature of a scene through every format that Facet writes, and back: it arrives, or a
loss is told. A third outcome fails.

    matrix.py FACET [TABLE]     TABLE: docs/reference/conversions.md, which must be as printed
    matrix.py FACET --write TABLE

What is written passes Facet's own check."""
import json
import os
import subprocess
import sys
import tempfile

from back import Back
from features import FEATURES, MATERIAL, TEXTURE
from readers import READERS

FORMATS = ['gltf', 'glb', 'obj', 'ply', 'stl', 'bsm', 'iqm', 'binarymesh', 'bga', 'bpx', 'bmd',
           'bdl', 'dae', 'fbx']
# A pair that is known to be neither, with the reason; to become shorter.
KNOWN = {
    ('morph target', 'fbx'): 'Blender reads it; assimp reads no shape without normals',
    ('mesh name', 'fbx'): 'Blender reads it; assimp takes the name of the node',
}
KNOWN.update({(name, 'fbx'): KNOWN['mesh name', 'fbx'] for name in (f[0] for f in FEATURES)
              if name.startswith('names: ')})
# Formats that hold no more of a material than its name tell all of it at once.
NAMES_ALONE = {'ply', 'stl', 'bsm', 'iqm', 'binarymesh', 'bga', 'bpx'}
# Lines and points alone are no model, and refused as one.
REFUSED = {(name, to) for name in ('lines', 'points', 'line strip', 'line loop')
           for to in ('bpx', 'bmd', 'bdl')}
# A shape of a console numbers its vertices with 16 bits.
REFUSED |= {('more than 65,536 vertices', to) for to in ('bmd', 'bdl')}


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def convert(facet, source, target):
    """The ids of what was found, or None when it was refused."""
    done = run(facet, 'convert', '--verify', '--json', source, target)
    if done.returncode or not done.stdout:
        return None, done.stdout + done.stderr
    return [f['rule'] for f in json.loads(done.stdout)['findings']], done.stdout


def try_pair(facet, work, name, make, look, losses, format_):
    source, target = os.path.join(work, 'in.gltf'), os.path.join(work, 'out.' + format_)
    back = os.path.join(work, 'back.gltf')
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
            kept = look(read(target))
        else:
            again, said_again = convert(facet, target, back)
            if again is None:
                return 'unreadable', said_again
            kept = look(Back(back))
    except (KeyError, IndexError, AttributeError, ValueError) as error:
        return 'broken', repr(error)
    if kept:
        return 'kept', ''
    if format_ in NAMES_ALONE and losses is TEXTURE:
        losses = losses + MATERIAL
    told = [rule for rule in there if rule in losses]
    if 'LOSS-SHEAR' in losses and 'LOSS-SHEAR' in again:
        return 'kept', ''  # the glTF that is looked at cannot say it
    return (told[0], '') if told else ('silent', said + said_again)


def table(results, formats):
    yield '# What arrives in which format'
    yield ''
    yield ('`tests/matrix/matrix.py` writes this table from what the program does. Each row is a glTF '
           'with one feature.')
    yield ''
    yield '- `=`: the feature arrives.'
    yield '- An id: `facet convert` reports that loss. `facet rule ID` explains it.'
    yield '- `(kept)`: the file holds the feature, and Blender reads it. Facet does not read it back.'
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
        yield f'| {name} | ' + ' | '.join('=' if r == 'kept' else r for r in row) + ' |'


def main():
    facet, write = os.path.abspath(sys.argv[1]), '--write' in sys.argv
    path = sys.argv[-1] if len(sys.argv) > 2 else None
    written = [f['name'] for f in map(json.loads, run(facet, 'formats', '--json').stdout.split('\n')[:-1])
               if f.get('write')]
    formats = [f for f in FORMATS if f in written] if written else FORMATS
    results, faults = [], 0
    with tempfile.TemporaryDirectory() as work:
        for name, make, look, losses in FEATURES:
            row = []
            for format_ in formats:
                result, why = try_pair(facet, work, name, make, look, losses, format_)
                row.append('(kept)' if (name, format_) in KNOWN and result == 'silent' else result)
                if result in ('refused', 'check', 'unreadable', 'broken', 'silent') \
                        and not (result == 'silent' and (name, format_) in KNOWN):
                    faults += 1
                    print(f'{name} to {format_}: {result}\n    {why.strip()[:400]}')
            results.append((name, row))
    lines = '\n'.join(table(results, formats)) + '\n'
    if write:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(lines)
    elif path and formats == FORMATS:
        with open(path, encoding='utf-8') as file:
            if file.read() != lines:
                faults += 1
                print(f'{path} is out of date: matrix.py FACET --write {path}')
    print(f'{len(FEATURES)} features, {len(formats)} formats, {faults} faults')
    sys.exit(faults > 0)


if __name__ == '__main__':
    main()
