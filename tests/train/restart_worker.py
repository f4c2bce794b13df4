"""One of two processes that torchrun starts twice: the second dies, and is late when it is started again.

python restart_worker.py OUT_FOLDER
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from chef.train.world import joined_world


def main(out: Path) -> None:
    start, rank = os.environ["TORCHELASTIC_RESTART_COUNT"], os.environ["RANK"]
    if (start, rank) == ("1", "1"):
        time.sleep(2)  # so the other looks for it where it was
    with joined_world() as world:
        (out / f"{start}-{rank}").write_text(str(world.total(1.0)))
        world.wait()
        if (start, rank) == ("0", "1"):
            os._exit(9)
        world.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
