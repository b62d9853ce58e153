#!/usr/bin/env python3
"""What the program prints with --json, and what docs/json.md says of it: every key that is
printed is in the page with its type, and every key of the page is printed by some command here,
with nothing left over.

    json_keys.py SOURCE-FOLDER FACET
"""
import json
import os
import re
import subprocess
import sys
import tempfile

OBJ = '''mtllib cube.mtl
o plate
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 2 0 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
s 1
usemtl red
f 1/1 2/2 3/3 4/4
usemtl blue
f 2/2 5/1 3/3
'''


def read_page(path):
    """The tables by section: for each key its types, and whether it is there only sometimes."""
    tables, section = [], None
    for line in open(path, encoding='utf-8'):
        heading = re.match(r'## (.*)', line)
        row = re.match(r'\| `([^`]+)` \| ([^|]*) \|', line)
        if heading:
            section = heading.group(1).strip()
        elif line.startswith('| key '):
            tables.append((section, {}))
        elif row:
            types = [each.strip() for each in row.group(2).split(',')]
            tables[-1][1][row.group(1)] = types
    return tables


def type_of(value):
    for kind, name in ((bool, 'boolean'), (int, 'integer'), (float, 'number'), (str, 'string'),
                       (list, 'array'), (dict, 'object'), (type(None), 'null')):
        if isinstance(value, kind):
            return name
    raise TypeError(value)


def parts_of(key):
    return key.replace('[]', '.[]').split('.')


def begins(key, path):
    """Is a path the begin of a row's key, in which * stands for any name?"""
    names, given = parts_of(key), parts_of(path)
    return len(given) <= len(names) and all(
        name == one or (name == '*' and one != '[]') for name, one in zip(names, given))


def row_of(path, table):
    rows = [key for key in table if begins(key, path) and len(parts_of(key)) == len(parts_of(path))]
    return path if path in table else rows[0] if rows else None


class Checker:
    def __init__(self, page):
        self.tables = read_page(page)
        self.faults, self.seen = [], {}

    def table(self, section, number=0):
        found = [table for name, table in self.tables if name == section]
        return found[number]

    def check(self, section, value, number=0, exempt=()):
        table = self.table(section, number)
        seen = self.seen.setdefault((section, number), set())
        self.walk(section, table, seen, '', value, exempt)
        for key, types in table.items():
            parent = value
            for part in key.split('.')[:-1]:
                parent = parent.get(part) if isinstance(parent, dict) and '[]' not in part else None
            if isinstance(parent, dict) and '*' not in key and '[]' not in key and \
                    'sometimes' not in types and key.split('.')[-1] not in parent:
                self.faults.append(f'{section}: {key} is not printed, and not marked "sometimes"')

    def walk(self, section, table, seen, path, value, exempt):
        if path in exempt:
            seen.add(path)
            return
        if path:
            key = row_of(path, table)
            if key:
                seen.add(key)
                kind = type_of(value)
                if kind not in table[key] and not (kind == 'integer' and 'number' in table[key]):
                    self.faults.append(f'{section}: {path} is of type {kind}, not {table[key]}')
            elif not any(begins(row, path) for row in table):
                self.faults.append(f'{section}: {path} is printed and not in the page')
        if path.split('.')[-1] in ('findings', 'error') and isinstance(value, (list, dict)) and \
                section != 'batch report':
            for finding in value if isinstance(value, list) else [value]:
                self.finding(finding)
        elif isinstance(value, dict):
            for name, child in value.items():
                self.walk(section, table, seen, f'{path}.{name}' if path else name, child, exempt)
        elif isinstance(value, list):
            for child in value:
                if isinstance(child, (dict, list)):
                    self.walk(section, table, seen, path + '[]', child, exempt)

    def finding(self, finding):
        table, seen = self.table('Findings'), self.seen.setdefault(('Findings', 0), set())
        self.walk('Findings', table, seen, '', finding, ())

    def left_over(self):
        counts = {}
        for section, table in self.tables:
            number = counts.get(section, 0)
            counts[section] = number + 1
            for key in table:
                if section != NOT_RUN and key not in self.seen.get((section, number), set()):
                    self.faults.append(f'{section}: {key} is in the page, and nothing printed it')


# Told once a second: what is done here takes less.
NOT_RUN = 'batch progress'


def main():
    source, facet = sys.argv[1], os.path.abspath(sys.argv[2])
    checker = Checker(os.path.join(source, 'docs', 'json.md'))
    with tempfile.TemporaryDirectory() as folder:
        def put(name, text):
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                file.write(text)

        def run(*words):
            done = subprocess.run([facet, *words], cwd=folder, capture_output=True, check=False)
            objects = [json.loads(line) for line in done.stdout.decode('utf-8').splitlines()]
            if not objects or not all(isinstance(one, dict) for one in objects):
                checker.faults.append(f'{" ".join(words)}: not a line with an object')
            return objects

        def each(section, *words, number=0, exempt=()):
            for one in run(*words):
                checker.check(section, one, number, exempt)

        put('cube.obj', OBJ)
        put('cube.mtl', 'newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n')
        put('moved.obj', OBJ.replace('v 1 1 0', 'v 1 1 0.5'))
        put('broken.obj', 'v 1 2 x\nf 1 2 3\n')
        for out in ('cube.bsm', 'cube.bmd', 'cube.glb', 'moved.glb'):
            subprocess.run([facet, 'convert', '-q', out[:-3] + 'obj', out], cwd=folder, check=True)

        each('info', 'info', '--json', 'cube.obj', 'cube.bsm', 'cube.bmd', 'missing', exempt=('detail',))
        each('info', 'info', '--json', '--sizes', 'cube.bmd', number=1)
        each('check', 'check', '--json', 'cube.bsm', 'broken.obj', 'missing')
        each('convert', 'convert', '--json', 'cube.obj', 'out.bsm')
        each('convert', 'convert', '--json', 'out.bsm', 'copy.bsm')
        each('convert', 'convert', '--json', '--simplify', '0.5', 'cube.obj', 'less.bga')
        each('convert', 'convert', '--json', '--strict', 'cube.obj', 'never.bsm')
        each('convert', 'convert', '--json', 'broken.obj', 'never.bsm')
        each('compare', 'compare', '--json', '--picture', 'difference.png', 'cube.glb', 'moved.glb')
        each('compare', 'compare', '--json', 'cube.obj', 'cube.obj')
        each('compare', 'compare', '--json', 'missing', 'cube.obj')
        each('render', 'render', '--json', 'cube.obj', 'picture.png')
        each('render', 'render', '--json', '--orthographic', 'cube.obj', 'picture.png')
        each('render', 'render', '--json', '--sheet', 'cube.obj', 'picture.png')
        each('render', 'render', '--json', 'missing', 'picture.png')
        each('formats', 'formats', '--json')
        each('deps', 'deps', '--json', 'cube.obj', 'missing')
        last = run('convert', '--json', '--timings', 'cube.obj', 'out.bsm')[-1]
        checker.check('timings', last)

        put('many.txt', 'cube.obj\nbroken.obj\n')
        subprocess.run([facet, 'batch', '--filelist', 'many.txt', '--out', '{id}.bsm', '--results',
                        'r.jsonl', '-q'], cwd=folder, capture_output=True, check=False)
        each('batch report', 'batch', 'report', '--json', 'r.jsonl')
    checker.left_over()
    for fault in sorted(set(checker.faults)):
        print(fault)
    sys.exit(1 if checker.faults else 0)


main()
