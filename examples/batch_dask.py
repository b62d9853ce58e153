"""facet batch by Dask: each task is a part of the items, on any of the workers.

    python3 examples/batch_dask.py items.jsonl results/

items.jsonl is a manifest (docs/reference/batch.md), which all workers can read, as its files. Run it again to go
on: what is done is left out.
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
    """One part of the items; what is returned is what came of those that ran now."""
    with open(manifest) as lines:
        items = [json.loads(line) for line in lines]
    return list(facet.batch(items, ["convert", "--strict"], jobs=1, shard=f"{index}/{PARTS}",
                            results=Path(results) / f"{index}.jsonl", resume=True))


def main(manifest, results):
    parts = [convert(manifest, results, index) for index in range(PARTS)]
    # "processes": this machine. With dask.distributed, a Client made before takes the tasks instead.
    done = dask.compute(*parts, scheduler="processes")
    for status, count in sorted(Counter(one.status for part in done for one in part).items()):
        print(status, count)


if __name__ == "__main__":
    main(*sys.argv[1:])
