"""A power cut, simulated: after a kill, what was not flushed to disk is lost, wholly or in part.

A library of our own (power_cut.c), loaded into a process before all others, notes every fsync below a folder:
a file's inode and size, a folder's entries. A file system owes a program no more than that. `PowerCut.strike`
then makes the folder one that a machine might find after the cut, drawn by a seed:

- a new name in a folder that was not flushed since is gone, or there;
- a name that was removed or replaced since is back, with its old content, or not;
- a file that was not flushed is empty, cut short, or whole; one that was is whole.

Each is drawn for itself, so later changes may be there where earlier ones are not, as on a disk without a
journal; in every third cut all is lost that may be.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")


class PowerCut:
    """Watches the processes that run with `environment`, and cuts the power."""

    def __init__(self, watched: Path) -> None:
        self._watched, self._notes = watched.resolve(), watched.resolve().with_name(f"{watched.name}-flushed")
        self._notes.mkdir()
        self._library = self._notes / "power_cut.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self._library, SOURCE], check=True)
        self.lost = self.back = self.torn = 0

    @property
    def environment(self) -> dict[str, str]:
        return {
            "POWER_CUT": str(self._watched),
            "POWER_CUT_NOTES": str(self._notes),
            "LD_PRELOAD": str(self._library),
        }

    def _flushed(self) -> tuple[dict[int, int], dict[str, dict[str, int]]]:
        """The sizes of flushed files by inode, and the entries of flushed folders by path."""
        sizes, folders, block = dict[int, int](), dict[str, dict[str, int]](), list[list[str]]()
        log = self._notes / "log"
        for line in log.read_text().splitlines() if log.exists() else ():
            if line != ".":
                if not line.startswith("entry"):
                    block = []  # the one before was cut short
                block.append(line.split("\t"))
                continue
            kind, name, *rest = block[0]
            if kind == "file":
                sizes[int(name)] = int(rest[0])
            else:
                folders[name] = {entry: int(inode) for _, entry, inode in block[1:]}
            block = []
        return sizes, folders

    def strike(self, folder: Path, rng: random.Random) -> None:
        """Lose what was not flushed below a folder."""
        sizes, folders = self._flushed()
        all_lost = rng.random() < 1 / 3
        self._strike(folder.resolve(), sizes, folders, lambda: all_lost or rng.random() < 0.5, rng)
        self._settle(folder.resolve())

    def _settle(self, folder: Path) -> None:
        """What is there after the cut is on disk."""
        lines = [
            f"folder\t{folder}",
            *(f"entry\t{one.name}\t{one.inode()}" for one in os.scandir(folder)),
            ".",
        ]
        for path in folder.iterdir():
            if path.is_dir():
                self._settle(path)
                continue
            inode = path.stat().st_ino
            if not (self._notes / str(inode)).exists():
                os.link(path, self._notes / str(inode))
            lines += [f"file\t{inode}\t{path.stat().st_size}", "."]
        with open(self._notes / "log", "a") as log:
            log.write("\n".join(lines) + "\n")

    def _strike(
        self,
        folder: Path,
        sizes: dict[int, int],
        folders: dict[str, dict[str, int]],
        is_lost: Callable[[], bool],
        rng: random.Random,
    ) -> None:
        known, here = (
            folders.get(str(folder), {}),
            {entry.name: entry.inode() for entry in os.scandir(folder)},
        )
        for name in sorted({*known, *here}):
            path, was = folder / name, known.get(name)
            if was != here.get(name) and is_lost():  # its name, or its removal
                if name in here:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                    self.lost += 1
                if was is not None and (self._notes / str(was)).exists():
                    shutil.copyfile(self._notes / str(was), path)
                    self.back += 1
                    continue
            if not path.exists():
                continue
            if path.is_dir():
                self._strike(path, sizes, folders, is_lost, rng)
            elif sizes.get(path.stat().st_ino) != path.stat().st_size and is_lost():
                kept = sizes.get(path.stat().st_ino) or rng.choice(
                    [0, rng.randrange(path.stat().st_size + 1)]
                )
                os.truncate(path, kept)
                self.torn += 1


def main() -> None:
    """That it loses what was not flushed, and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "watched"
        place.mkdir()
        cut = PowerCut(place)
        program = """
import os, sys
os.chdir(sys.argv[1])
def write(name, flush):
    with open(name, "w") as file:
        file.write(name * 1000)
        file.flush()
        flush and os.fsync(file.fileno())
def flush():
    at = os.open(".", os.O_RDONLY)
    os.fsync(at)
    os.close(at)
write("kept", True)
write("removed", True)
flush()
os.remove("removed")
write("unnamed", True)
write("unflushed", False)
"""
        command = ["python3", "-c", program, str(place)]
        subprocess.run(command, env={**os.environ, **cut.environment}, check=True)
        sizes, folders = cut._flushed()
        cut._strike(place, sizes, folders, lambda: True, random.Random(0))
        assert sorted(os.listdir(place)) == ["kept", "removed"], os.listdir(place)
        assert all((place / name).read_text() == name * 1000 for name in os.listdir(place))
    print("what was flushed is there, what was not is gone, what was removed unflushed is back")


if __name__ == "__main__":
    main()
