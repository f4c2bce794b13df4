"""One run of many, in a process of its own, with everything small.

    python -m tests.data.preparing.one_run SOURCE OUT MAP LEASE LOG

Every piece of work that this run has done is a line in LOG.
"""

import os
import sys
from pathlib import Path

from chef.data.preparing import prepare
from chef.data.preparing.stages import Context
from tests.data.sources import QUICK


def main(source: str, out: str, canonical: str, lease: str, log: str) -> None:
    do = Context.do

    def logging(self, tasks, held):
        for outcome in do(self, tasks, held):
            if outcome.recipes or outcome.files:
                with open(log, "ab", buffering=0) as file:
                    file.write(f"{os.getpid()} {outcome.work}\n".encode())
            yield outcome

    Context.do = logging  # type: ignore[method-assign]
    prepare(source, out, QUICK, canonical=Path(canonical), workers=1, join=True, lease=float(lease))


if __name__ == "__main__":
    main(*sys.argv[1:])
