"""facet batch with Dask: each task is one shard of the items, on any worker.

    python3 examples/batch_dask.py items.jsonl results/

items.jsonl is a manifest (docs/reference/batch.md). All workers must be able to read it and its
files. If you run the script again, completed items are skipped.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import dask

import facet

PARTS = 8


@dask.delayed
def convert(manifest, results, index):
    """Convert one shard of the items, and return the results of the items that ran now."""
    with open(manifest) as lines:
        items = [json.loads(line) for line in lines]
    return list(facet.batch(items, ["convert", "--strict"], jobs=1, shard=f"{index}/{PARTS}",
                            results=Path(results) / f"{index}.jsonl", resume=True))


def main(manifest, results):
    parts = [convert(manifest, results, index) for index in range(PARTS)]
    # "processes" uses this machine. With dask.distributed, a Client created before runs the tasks
    # instead.
    done = dask.compute(*parts, scheduler="processes")
    for status, count in sorted(Counter(one.status for part in done for one in part).items()):
        print(status, count)


if __name__ == "__main__":
    main(*sys.argv[1:])
