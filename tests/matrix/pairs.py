#!/usr/bin/env python3
"""Convert each feature through each format to a glTF in FOLDER, for a validator.

    pairs.py FACET FOLDER
"""
import os
import re
import subprocess
import sys

from features import FEATURES
from matrix import FORMATS, convert


def main():
    facet, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    written = 0
    for number, (name, make, _, _) in enumerate(FEATURES):
        stem = os.path.join(folder, f'{number:03}-' + re.sub(r'\W+', '-', name)[:40])
        source = stem + '.source.gltf'
        with open(source, 'w', encoding='utf-8') as file:
            file.write(make().text())
        for format_ in FORMATS:
            between = f'{stem}.{format_}'
            if convert(facet, source, between)[0] is not None:
                subprocess.run([facet, 'convert', '-q', between, f'{between}.back.glb'], check=True)
                written += 1
    print(f'{written} glTF files by way of {len(FORMATS)} formats')


main()
