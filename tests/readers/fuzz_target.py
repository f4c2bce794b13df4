"""A target for atheris, the coverage-guided fuzzer: the first byte picks the format, the rest is the file.

python -m tests.readers.fuzz_target -max_total_time=600 corpus/
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["chef.readers"]):
    from tests.readers.any_input import LAYOUTS, check_source, write_files

_LAYOUTS = list(LAYOUTS.values())


def one_input(data: bytes) -> None:
    """One source; an exception is a find."""
    if data:
        with tempfile.TemporaryDirectory(dir=_memory()) as folder:
            check_source(write_files(Path(folder), _LAYOUTS[data[0] % len(_LAYOUTS)](data[1:])))


def _memory() -> str | None:
    """A folder in memory, where there is one: thousands of files a second."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
