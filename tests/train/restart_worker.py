"""One of two processes that torchrun starts twice: the second dies, and is late when it is started again.

python restart_worker.py OUT_FOLDER
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from chef.train.distributed import join_processes


def main(out: Path) -> None:
    start, rank = os.environ["TORCHELASTIC_RESTART_COUNT"], os.environ["RANK"]
    if (start, rank) == ("1", "1"):
        time.sleep(2)  # so the other looks for it where it was
    with join_processes() as processes:
        (out / f"{start}-{rank}").write_text(str(processes.total(1.0)))
        processes.wait()
        if (start, rank) == ("0", "1"):
            os._exit(9)
        processes.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
