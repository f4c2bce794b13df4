"""Runs a grid of experiments: prepares the data, trains every model with every seed, evaluates, reports.

    python experiments/run.py experiments/kitchen.json --out out/experiments [--ray [ADDRESS]]

The same command resumes a stopped or killed grid; finished steps are not repeated. The grids beside this
file are data: copy one and change it. `steps.py` says what OUT holds.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from pathlib import Path

from executor import Cluster, Executor, Machine, say
from grid import read_grid
from steps import steps

from chef.data.pool import LOCAL
from chef.errors import ChefError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("grid", type=Path, help="a JSON file, such as experiments/kitchen.json")
    parser.add_argument("--out", type=Path, required=True, help="the folder for everything")
    parser.add_argument(
        "--together",
        type=_one_or_more,
        help="steps at a time; if not given, one for each GPU, or for each core",
    )
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="stop after this long; run again to resume"
    )
    parser.add_argument(
        "--ray",
        nargs="?",
        const=LOCAL,
        metavar="ADDRESS",
        help="run the steps on a Ray cluster, or a Ray here",
    )
    parser.add_argument("--gpus-per-worker", type=float, default=0, help="GPUs of each step on a Ray")
    arguments = parser.parse_args()
    began = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # like Ctrl-C: the steps end too
    try:
        out = arguments.out.resolve()  # runs store the path of their tower
        todo = steps(read_grid(arguments.grid), out)
        deadline = began + arguments.minutes * 60
        if arguments.ray:
            machine: Machine = Cluster.at(arguments.ray, arguments.together, arguments.gpus_per_worker)
        else:
            machine = Machine.here(arguments.together)
        executor = Executor(todo, out, machine, deadline)
        if executor.run():
            minutes = (time.monotonic() - began) / 60
            say(f"all {len(todo)} steps are done in {minutes:.1f} minutes; the report: {todo[-1].makes}")
            return 0
    except ChefError as error:
        say(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        say("stopped; the same command resumes")
        return 130
    why = f"failed: {', '.join(sorted(executor.failed))}" if executor.failed else "the time is up"
    say(f"{len(executor.done)} of {len(todo)} steps are done; {why}. The same command resumes")
    return 1


def _one_or_more(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


if __name__ == "__main__":
    sys.exit(main())
