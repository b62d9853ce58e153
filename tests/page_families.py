#!/usr/bin/env python3
"""Check that the web page and the extension of VS Code support the models of every family: they
recognize models among several files, and the page's text lists them.

    page_families.py FACET PAGE-FOLDER
"""
import json
import pathlib
import re
import subprocess
import sys

facet, page = sys.argv[1], pathlib.Path(sys.argv[2])
formats = [json.loads(line) for line in
           subprocess.run([facet, 'formats', '--json'], check=True, capture_output=True, text=True).stdout.splitlines()]
# Materials and pictures are not models, and the page has no assimp.
others = {'.bmt', '.bti', '.dae', '.fbx', '.hdr', '.jpeg', '.jpg', '.png'}
extensions = {extension for each in formats if each['read'] and each['write'] and not each['folder']
              for extension in each['extensions']} - others
names = page.parent / 'package/src/three/model-files.js'
pattern = re.search(r'modelFile = /\\\.\((.*?)\)\$/i', names.read_text()).group(1).split('|')
text = (page / 'index.html').read_text().lower()
faults = ['model-files.js: modelFile lacks %s' % e for e in sorted(extensions) if e[1:] not in pattern]
faults += ['index.html names no %s' % e[1:] for e in sorted(extensions - {'.glb', '.mesh'}) if e[1:] not in text]
# The installed page opens these files for the desktop: models, animations and archives.
manifest = json.loads((page / 'manifest.webmanifest').read_text())
opened = {e for each in manifest['file_handlers'] for names in each['accept'].values() for e in names}
faults += ['manifest.webmanifest lacks %s' % e for e in sorted(extensions - opened - {'.mesh'})]
# The extension recognizes the same models, and its manifest lists them for editors and for menus.
extension = page.parent.parent / 'editors/vscode'
if not re.search(r'import \{ modelFile \} from "facet-mesh/model-files"', (extension / 'src/extension.js').read_text()):
    faults.append('extension.js does not use modelFile')
offered = json.loads((extension / 'package.json').read_text())['contributes']
opened = {selector['filenamePattern'][1:] for each in offered['customEditors'] for selector in each['selector']}
faults += ['package.json of the extension has no editor for %s' % e for e in pattern if '.' + e not in opened]
for each in offered['menus']['explorer/context']:
    listed = re.search(r'\((.*?)\)\$', each['when']).group(1).split('|')
    faults += ['package.json of the extension: %s lacks %s' % (each['command'], e) for e in pattern if e not in listed]
for fault in faults:
    print(fault)
print('%d extensions, %d faults' % (len(extensions), len(faults)))
sys.exit(int(bool(faults) or len(extensions) < 10))
