#!/usr/bin/env python3
"""Says how long and how much a conversion takes on many machines: a discrete simulation. docs/scale-cost.md explains it.

    scale/simulate.py                                  100 TB on 1, 10 and 1,000 machines, for several shard sizes
    scale/simulate.py --volume 2e12 --machines 20 --cores 8 --link 3e9 --rate 4e8 --shard 256e6
    scale/simulate.py --check scale/measured.json      compares it with times that scale/measure took

Workers (cores) take shards from one queue. A shard costs `dispatch` seconds of the scheduler, which serves one at a
time, `start` seconds of its worker, and then passes its bytes at the lowest of three rates: that of a core, the core's
part of its machine's link, and an equal part of what the storage gives to all. Bytes are those of the input; rates are
in bytes per second. Needs Python 3.9 and nothing else.
"""

import argparse
import dataclasses
import heapq
import json
import math
import random
import sys

WINDOW = 65536


@dataclasses.dataclass
class Setup:
    """What is simulated. Times are in seconds, sizes in bytes, rates in bytes per second."""

    volume: float = 100e12
    shard: float = 1e9
    machines: int = 1
    cores: int = 16
    rate: float = 0.25e9  # of one core, while all cores work
    start: float = 0.1  # of a shard on its worker: process, opening, closing
    dispatch: float = 0.005  # of a shard in the scheduler
    shares: bool = False  # whether the scheduler takes its time from the workers' cores
    setup: float = 0.0  # before the first shard
    link: float = 1.5e9  # of one machine, in each direction
    storage: float = 100e9  # of all machines together, in each direction
    output: float = 1.3  # bytes of output for each byte of input
    skew: float = 0.0  # sigma of the logarithm of a shard's work, whose mean stays the same
    slow: float = 0.0  # part of the machines that are slower
    slowness: float = 3.0  # how many times slower these are
    seed: int = 1

    def shards(self):
        return max(1, math.ceil(self.volume / self.shard))

    def cap(self):
        """The highest rate of one worker, whatever the others do."""
        return min(self.rate, self.link / self.cores / max(1.0, self.output))

    def bounds(self):
        """The least time by each resource alone: the largest one is what limits."""
        workers, shards = self.machines * self.cores, self.shards()
        return {
            "CPU": self.volume / (workers * self.rate),
            "network": self.volume * max(1.0, self.output) / (self.machines * self.link),
            "storage": self.volume * max(1.0, self.output) / self.storage,
            "start": shards * self.start / min(workers, shards),
            "dispatch": shards * self.dispatch,
            "one shard": self.start + self.volume / shards / self.cap(),
        }


def simulate(given):
    """Returns the seconds that all shards take, and the part of that in which a worker is busy on average."""
    source = random.Random(given.seed)
    shards, workers = given.shards(), given.machines * given.cores
    size = given.volume / shards + (WINDOW if shards > 1 else 0)
    slow = round(given.machines * given.slow) * given.cores
    overhead = given.start + (given.dispatch if given.shares else 0.0)
    cap, storage = given.cap(), given.storage / max(1.0, given.output)

    now, busy = given.setup, 0.0
    free = now  # when the scheduler can serve the next request
    left = shards
    starting = []  # (time, worker): shards whose bytes begin to pass then
    # All shards that pass bytes do so at the same rate, so one sum of bytes per shard serves as their clock.
    passing, passed = [], 0.0  # (value of the clock at the end, worker)

    def request(worker):
        nonlocal free, left, busy
        if left:
            left -= 1
            if not given.shares:
                free = max(free, now) + given.dispatch
            begin = max(free, now)
            busy += overhead
            heapq.heappush(starting, (begin + overhead, worker))

    for worker in range(min(workers, shards)):
        # Neighbours are on different machines; the first `slow` workers are those of slow machines.
        request(worker)
    while starting or passing:
        rate = min(cap, storage / len(passing)) if passing else 0.0
        end = now + (passing[0][0] - passed) / rate if passing else math.inf
        if starting and starting[0][0] <= end:
            time, worker = heapq.heappop(starting)
            passed += rate * (time - now)
            busy += len(passing) * (time - now)
            now = time
            work = size * (given.slowness if worker < slow else 1.0)
            if given.skew:
                work *= source.lognormvariate(-given.skew**2 / 2, given.skew)
            heapq.heappush(passing, (passed + work, worker))
        else:
            busy += len(passing) * (end - now)
            now = end
            passed, worker = heapq.heappop(passing)
            request(worker)
    return now, busy / (workers * (now - given.setup))


def duration(seconds):
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h" if seconds < 172_800 else f"{seconds / 86400:.1f} d"


def amount(bytes_):
    for unit, value in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if bytes_ >= value:
            return f"{bytes_ / value:g} {unit}"
    return f"{bytes_:g} B"


def table(given, machines, sizes, price, requests):
    """Prints one row for each number of machines and size of a shard."""
    print("| machines | shard | shards | time | busy | limited by | cost |")
    print("|---|---|---|---|---|---|---|")
    for number in machines:
        for size in sizes:
            one = dataclasses.replace(given, machines=number, shard=size)
            seconds, busy = simulate(one)
            bounds = one.bounds()
            limit = max(bounds, key=bounds.get)
            # One request to read a shard and one to write it.
            cost = number * seconds / 3600 * price + 2 * one.shards() * requests / 1000
            print(
                f"| {number:,} | {amount(size)} | {one.shards():,} | {duration(seconds)} | {busy:.0%} | {limit} | {cost:,.0f} |"
            )


def compare(path, tolerance):
    """Compares the simulation with measured times; returns whether all are within the tolerance."""
    with open(path) as file:
        measured = json.load(file)
    print("| run | shards | measured | simulated | difference |")
    print("|---|---|---|---|---|")
    within = True
    for engine in measured["engines"]:
        for run in engine["runs"]:
            given = Setup(
                volume=measured["bytes"], shard=measured["bytes"] / run["shards"], machines=1, cores=measured["workers"],
                link=math.inf, storage=math.inf, output=measured["output"], **engine["parameters"],
            )
            seconds, _ = simulate(given)
            difference = seconds / run["seconds"] - 1
            within &= abs(difference) <= tolerance
            print(
                f"| {engine['name']} | {run['shards']} | {run['seconds']:.2f} s | {seconds:.2f} s | {difference:+.0%} |"
            )
    return within


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", metavar="FILE", help="compare with the times that scale/measure wrote to FILE")
    parser.add_argument("--tolerance", type=float, default=0.2, help="with --check; default: 0.2")
    parser.add_argument("--machines", type=int, nargs="+", default=[1, 10, 1000])
    parser.add_argument("--shard", type=float, nargs="+", default=[64e6, 1e9, 16e9], help="sizes in bytes")
    parser.add_argument("--price", type=float, default=0.8, help="of a machine for an hour; default: 0.8")
    parser.add_argument("--requests", type=float, default=0.003, help="price of 1,000 requests; default: 0.003")
    for field in dataclasses.fields(Setup):
        if field.name not in ("machines", "shard", "shares"):
            kind = type(field.default)
            parser.add_argument(f"--{field.name}", type=kind, default=field.default, help=f"default: {field.default:g}")
    args = parser.parse_args()
    if args.check:
        sys.exit(0 if compare(args.check, args.tolerance) else 1)
    values = {field.name: getattr(args, field.name) for field in dataclasses.fields(Setup) if hasattr(args, field.name)}
    values.update(machines=1, shard=1e9)
    table(Setup(**values), args.machines, args.shard, args.price, args.requests)


if __name__ == "__main__":
    main()
