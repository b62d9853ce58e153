"""Replay the plan of docs/explanation/batch.md: stragglers, preemption and poison on many nodes.

    plan.py [--assets N] [--nodes N] ...   print a table, in the form of the page
    plan.py --check                        compare small plans with arithmetic

A node streams one shard after another. A shard takes as long as the slowest of three: its bytes at
the rate of the node, its work on all cores, and its largest asset on one core. Poison is work. A
crash costs a new process, and a hang the whole time limit, for each attempt. A preempted node
starts again and reads its shard from the beginning. It converts only assets without a line.
"""

import argparse
import heapq
import math
import random
import sys


def arguments(words=None):
    a = argparse.ArgumentParser()
    a.add_argument("--check", action="store_true")
    a.add_argument("--assets", type=int, default=10_000_000)
    a.add_argument("--nodes", type=int, default=1000)
    a.add_argument("--cores", type=int, default=4)
    a.add_argument("--per-shard", type=int, default=1000)
    a.add_argument("--mean-mb", type=float, default=5)
    a.add_argument("--sigma", type=float, default=1.5, help="of the logarithm of sizes")
    a.add_argument("--ms-per-mb", type=float, default=20, help="work of one core")
    a.add_argument("--mb-per-s", type=float, default=100, help="of one node")
    a.add_argument("--store-gb-per-s", type=float, default=0, help="of all nodes; 0: no limit")
    a.add_argument("--poison", type=float, default=0.001, help="half of it crashes, half hangs")
    a.add_argument("--timeout", type=float, default=60)
    a.add_argument("--attempts", type=int, default=3)
    a.add_argument("--stragglers", type=float, default=0.02)
    a.add_argument("--slowness", type=float, default=4)
    a.add_argument("--preempted-hours", type=float, default=6, help="between preemptions; 0: never")
    a.add_argument("--restart-s", type=float, default=120)
    a.add_argument("--fixed", action="store_true", help="shards are given out before, not when a node is free")
    a.add_argument("--seed", type=int, default=40)
    return a.parse_args(words)


def shards_of(p, draw):
    """Yield (megabytes, core seconds, seconds of the longest asset) of each shard."""
    mu = math.log(p.mean_mb) - p.sigma ** 2 / 2
    left = p.assets
    while left > 0:
        count = min(p.per_shard, left)
        left -= count
        sizes = [draw.lognormvariate(mu, p.sigma) for _ in range(count)]
        work = [size * p.ms_per_mb / 1000 for size in sizes]
        for k in range(count):
            kind = draw.random() / p.poison if p.poison else 1
            if kind < 0.5:
                work[k] += 0.1
            elif kind < 1:
                work[k] = p.timeout * p.attempts
        yield sum(sizes), sum(work), max(work)


def replay(p):
    draw = random.Random(p.seed)
    shards = list(shards_of(p, draw))
    rate = p.mb_per_s
    if p.store_gb_per_s:
        rate = min(rate, p.store_gb_per_s * 1000 / p.nodes)
    slow = [p.slowness if draw.random() < p.stragglers else 1 for _ in range(p.nodes)]
    clock, read, preemptions = [0.0] * p.nodes, 0.0, 0
    free = [(0.0, node) for node in range(p.nodes)]
    for index, (size, work, longest) in enumerate(shards):
        node = index % p.nodes if p.fixed else heapq.heappop(free)[1]
        reading = size / rate
        whole = max(reading, work / p.cores, longest) * slow[node]
        done, passed, began = 0.0, 0.0, True
        while True:
            # Finished assets are read again but not converted again.
            rest = max((1 - done) * whole, reading if done else 0)
            until = draw.expovariate(1 / (p.preempted_hours * 3600)) if p.preempted_hours else math.inf
            if until >= rest:
                read += size
                passed += rest
                break
            preemptions += 1
            read += size * until / rest
            done += (1 - done) * until / rest
            passed += until + p.restart_s
        clock[node] += passed
        if not p.fixed:
            heapq.heappush(free, (clock[node], node))
    return {"shards": len(shards), "tb": sum(s[0] for s in shards) / 1e6, "read_tb": read / 1e6,
            "work_h": sum(s[1] for s in shards) / 3600, "makespan_h": max(clock) / 3600,
            "node_h": sum(clock) / 3600, "paid_h": max(clock) * p.nodes / 3600, "preemptions": preemptions}


CORE_HOUR = 0.015  # dollars, preemptible: an assumption of the page


def report(name, p):
    r = replay(p)
    print(f"| {name} | {r['makespan_h']:.2f} h | {r['node_h']:.0f} | {r['read_tb']:.1f} TB | "
          f"{r['preemptions']} | {r['node_h'] * p.cores * CORE_HOUR:.0f} |", flush=True)


def check():
    plain = ["--poison", "0", "--stragglers", "0", "--preempted-hours", "0"]
    # Equal sizes: 100 shards of 10 assets of 5 MB, on 10 nodes: 10 shards of 50 MB, each at 100
    # MB/s.
    p = arguments(plain + ["--assets", "1000", "--nodes", "10", "--per-shard", "10", "--sigma", "0"])
    r = replay(p)
    assert math.isclose(r["makespan_h"] * 3600, 10 * 50 / 100), r
    assert math.isclose(r["tb"], r["read_tb"]) and math.isclose(r["tb"], 1000 * 5e-6) and r["preemptions"] == 0
    # The work is the limit: 5 MB at 200 ms/MB are 1 s of a core, 10 of them on 4 cores 2.5 s.
    p.ms_per_mb = 200
    assert math.isclose(replay(p)["makespan_h"] * 3600, 10 * 2.5)
    # The store is the limit: 0.1 GB/s for 10 nodes are 10 MB/s for each.
    p.ms_per_mb, p.store_gb_per_s = 20, 0.1
    assert math.isclose(replay(p)["makespan_h"] * 3600, 10 * 5)
    # All assets hang: 10 of 60 s, three times, on 4 cores.
    p.store_gb_per_s, p.poison = 0, 1e-9
    assert math.isclose(replay(p)["makespan_h"] * 3600, 10 * 0.5)
    # Shards that free nodes take dynamically end no later; stragglers cost time; preemption reads
    # again.
    base = ["--assets", "20000", "--nodes", "10", "--per-shard", "100"]
    free, fixed = replay(arguments(base)), replay(arguments(base + ["--fixed"]))
    assert free["makespan_h"] <= fixed["makespan_h"], (free, fixed)
    assert replay(arguments(base + plain))["makespan_h"] < free["makespan_h"]
    often = replay(arguments(base + plain[:4] + ["--preempted-hours", "0.01"]))
    assert often["preemptions"] > 0 and often["read_tb"] > often["tb"]
    # The mean of the lognormal sizes is the requested one, within 5 %.
    assert abs(replay(arguments(["--assets", "200000"]))["tb"] / 1 - 1) < 0.05


def main():
    if arguments().check:
        check()
        return
    plans = [("all of it", []), ("shards given out before", ["--fixed"]),
             ("`--timeout 300`", ["--timeout", "300"]),
             ("`--attempts 1`", ["--attempts", "1"]),
             ("a store of 10 MB/s a node", ["--store-gb-per-s", str(arguments().nodes / 100)]),
             ("no poison", ["--poison", "0"]), ("no stragglers", ["--stragglers", "0"]),
             ("no preemption", ["--preempted-hours", "0"])]
    for name, words in plans:
        report(name, arguments(sys.argv[1:] + words))


main()
