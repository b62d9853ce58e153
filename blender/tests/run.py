"""Run inside Blender, after install.py: all tests of one module, or the named tests.

blender -b ... --python run.py -- WORK PACKAGE MODULE [TEST...]

WORK is a folder for files and result.json. PACKAGE is the folder of the Python package. Blender's
exit status is not reliable: result.json lists the tests that finished.
"""

import importlib
import json
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
work, _, module, *names = sys.argv[sys.argv.index("--") + 1:]
failures, results = 0, {}
for test in importlib.import_module(module).TESTS:
    if names and test.__name__ not in names:
        continue
    began = time.perf_counter()
    try:
        said = test()
    except BaseException:
        traceback.print_exc()
        failures += 1
        said = "FAILED"
    results[f"{module}.{test.__name__}"] = said
    print(f"{module}.{test.__name__}: {time.perf_counter() - began:.1f} s {said or ''}", flush=True)
if failures:
    sys.exit(1)
(Path(work) / "result.json").write_text(json.dumps(results))
