"""Kills with -9 at random moments, in prepare, index add, training and serving: what is lost? Nothing may be.

    python benchmarks/kills.py                    # 50 kills, about 20 minutes on two cores
    python benchmarks/kills.py --kills 8 --seed 3 --json out.json
    python benchmarks/kills.py --engine lance     # with collections that are searched on disk
    python benchmarks/kills.py --power-cut        # each kill also loses what was not flushed: power_cut.py

Recipes are the generated kitchen's. Each stage is a real `chef` command. It is killed with all its processes
at a moment drawn from the time it takes, the same command is given again, and so on; then it runs to its end.

prepare    the end must be, byte for byte, that of a run that nobody killed
index add  what a reader saw once it must see after every kill; the end is that of a run that nobody killed
train      the weights at the end must be those of a run that nobody killed
serve      clients add and remove recipes: what was answered with 200 must hold after every kill

After each kill the collection is read as a whole: a file that cannot be read is corrupt, an id that comes
twice a duplicate. The exit status is 1 if anything was lost, double or corrupt.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from power_cut import PowerCut

KITCHEN = 400  # recipes: two batches of `chef index add`
TOKEN = "clients-may-write"
TRAIN = {
    "model": "t+t+l", "word": 16, "hidden": 24, "space": 32, "batch": 16, "epochs": 4, "freeze_epochs": 0,
    "precision": "float64", "checkpoint_every": 5,
}  # fmt: skip
SHARES = {"prepare": 12, "index add": 14, "train": 10, "serve": 14}  # of 50 kills
_CHECKPOINT = "checkpoint.safetensors"
ENGINE = ["--engine", "memory"]  # of collections
ENVIRONMENT = {"OMP_NUM_THREADS": "1"}  # of the commands
LIMIT = 600  # seconds after which a command that should end has failed


@dataclass
class Count:
    """What became of one stage."""

    stage: str
    kills: int = 0
    lost: int = 0
    duplicates: int = 0
    corrupt: int = 0
    acknowledged: int = 0
    ends: int = 0  # runs that came to their end
    ends_alike: int = 0  # of those, as many as nobody had killed them

    @property
    def whole(self) -> bool:
        writes = self.stage in ("index add", "serve")
        if writes and not self.acknowledged:  # then nothing could have been lost
            return False
        return not (self.lost or self.duplicates or self.corrupt) and self.ends == self.ends_alike


def start(*call: str | Path) -> subprocess.Popen[bytes]:
    """A `chef` command as the head of a group of processes of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "chef", *map(str, call)],
        env={**os.environ, **ENVIRONMENT},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def to_its_end(*call: str | Path) -> None:
    process = start(*call)
    _, said = process.communicate(timeout=LIMIT)
    if process.returncode:
        raise SystemExit(f"chef {call[0]} failed: {said.decode()[-2000:]}")


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def digests(folder: Path) -> dict[str, str]:
    """Every file below a folder by its content; a lock's has none."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


class Stage(ABC):
    """A command that ends by itself, and how to tell whether it came through."""

    name: str

    def __init__(self, place: Path, kitchen: Path, cut: PowerCut | None) -> None:
        self.place, self.kitchen, self.cut = place, kitchen, cut
        self.count = Count(self.name)
        self.number = 0

    @property
    def out(self) -> Path:
        return self.place / f"{self.name.replace(' ', '-')}-{self.number}"

    @abstractmethod
    def command(self) -> list[str | Path]: ...

    @abstractmethod
    def result(self) -> Any:
        """What the run has made, for comparing."""

    def look(self) -> None:
        """See after a kill whether all is well."""
        self.count.corrupt += not self.readable()

    def readable(self) -> bool:
        """Whether what is there can be read; before the end nothing need be there."""
        return True

    def run(self, kills: int, rng: random.Random) -> Count:
        begin = time.monotonic()
        to_its_end(*self.command())
        seconds, undisturbed = time.monotonic() - begin, self.result()
        while self.count.kills < kills:
            self.number += 1
            self._one(kills, rng, seconds)
            self.count.ends += 1
            self.count.ends_alike += self.result() == undisturbed
        return self.count

    def _one(self, kills: int, rng: random.Random, seconds: float) -> None:
        """One result, made in as many attempts as it takes."""
        while self.count.kills < kills:
            process = start(*self.command())
            try:
                _, said = process.communicate(timeout=rng.uniform(0, seconds))
            except subprocess.TimeoutExpired:
                kill(process)
                self.count.kills += 1
                if self.cut is not None and self.out.exists():
                    self.cut.strike(self.out, rng)
                self.look()
                continue
            if process.returncode:
                raise SystemExit(f"{self.name} did not go on: {said.decode()[-2000:]}")
            return
        to_its_end(*self.command())


class Prepare(Stage):
    name = "prepare"

    def command(self) -> list[str | Path]:
        return ["prepare", self.kitchen, self.out, "--image-size", "64", "--workers", "2"]

    def result(self) -> Any:
        return digests(self.out)


class Add(Stage):
    name = "index add"
    seen: frozenset[str] = frozenset()

    def command(self) -> list[str | Path]:
        return ["index", "add", self.out, self.kitchen, *ENGINE]

    def result(self) -> Any:
        from chef.index import Index

        self.look()
        self.seen = frozenset()
        return exported(self.out), Index(self.out, create=False).info().engine

    def look(self) -> None:
        if not self.out.exists() or not any(self.out.iterdir()):
            return
        if (found := stored(self.out, self.count)) is None:
            return
        self.count.lost += len(self.seen - found)
        self.count.acknowledged += len(found - self.seen)
        self.seen = frozenset(found)


def exported(folder: Path) -> list[str]:
    from chef.index import Index

    return [json.dumps(recipe, sort_keys=True) for recipe in Index(folder, create=False).export()]


def stored(folder: Path, count: Count) -> set[str] | None:
    """The ids in a collection, which is read as a whole; what is double or cannot be read is counted."""
    try:
        ids = [json.loads(line)["id"] for line in exported(folder)]
    except Exception as error:  # whatever it is, a user could not read the collection
        print(f"{folder}: {error}", file=sys.stderr)
        count.corrupt += 1
        return None
    count.duplicates += len(ids) - len(set(ids))
    return set(ids)


class Train(Stage):
    name = "train"

    def command(self) -> list[str | Path]:
        settings = [f"--set={name}={value}" for name, value in TRAIN.items()]
        return ["train", self.place / "prepare-0", "--out", self.out, *settings]

    def result(self) -> Any:
        # Of the last checkpoint: a run that was killed and went on must not differ in one bit.
        return {name: hashlib.sha256(value.tobytes()).hexdigest() for name, value in self._weights().items()}

    def readable(self) -> bool:
        from safetensors import SafetensorError

        try:
            return not (self.out / _CHECKPOINT).exists() or bool(self._weights())
        except SafetensorError:
            return False

    def _weights(self) -> dict[str, Any]:
        from safetensors.numpy import load_file

        return load_file(self.out / _CHECKPOINT)


class Serve:
    """A service under clients that write, killed and started again; what it has confirmed must hold."""

    def __init__(self, place: Path, cut: PowerCut | None) -> None:
        self.index, self.cut = place / "served", cut
        self.count = Count("serve")
        self.there: set[str] = set()  # added, and confirmed
        self.gone: set[str] = set()  # removed, and confirmed
        self.unsure: set[str] = set()  # asked for, and never answered
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = int(found.getsockname()[1])

    def run(self, kills: int, rng: random.Random, kitchen: Path) -> Count:
        to_its_end("index", "add", self.index, kitchen, *ENGINE)
        first = stored(self.index, self.count) or set()
        while self.count.kills < kills:
            process = self._started()
            stop, clients = threading.Event(), []
            for client in range(3):
                name = f"{self.count.kills}-{client}"
                clients.append(threading.Thread(target=self._client, args=(name, rng.random(), stop)))
                clients[-1].start()
            time.sleep(rng.uniform(0.2, 6))
            kill(process)
            self.count.kills += 1
            stop.set()
            for thread in clients:
                thread.join()
            if self.cut is not None:
                self.cut.strike(self.index, rng)
            self._look(first)
        process = self._started()
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=60)
        self.count.ends += 1
        self.count.ends_alike += process.returncode == 0
        self.count.acknowledged = len(self.there) + len(self.gone)
        return self.count

    def _started(self) -> subprocess.Popen[bytes]:
        process = start("serve", "--index", self.index, "--port", str(self.port), "--token", TOKEN)
        end = time.monotonic() + LIMIT
        while self._ask("GET", "/api/health") != 200:
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"serve did not start: {process.communicate()[1].decode()[-2000:]}")
            time.sleep(0.1)
        return process

    def _client(self, name: str, seed: float, stop: threading.Event) -> None:
        """Adds recipes one by one, and removes some of its own."""
        rng, number, own = random.Random(seed), 0, []
        while not stop.is_set():
            if own and rng.random() < 0.2:
                self._write("DELETE", f"/api/recipes/{own[0]}", None, own.pop(0), self.gone, self.there)
                continue
            id, number = f"new-{name}-{number}", number + 1
            recipe = {
                "id": id,
                "title": f"Soup number {number} of client {name}",
                "ingredients": ["2 carrots", "1 onion", "500 ml water"],
                "instructions": ["Chop the carrots and the onion.", "Boil them in the water."],
            }
            self._write("POST", "/api/recipes", {"recipes": [recipe]}, id, self.there, set())
            own.append(id)

    def _write(self, method: str, path: str, body: Any, id: str, into: set[str], out: set[str]) -> None:
        self.unsure.add(id)
        out.discard(id)
        if self._ask(method, path, body) == 200:
            into.add(id)
            self.unsure.discard(id)

    def _ask(self, method: str, path: str, body: Any = None) -> int:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method)
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", f"Bearer {TOKEN}")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                answer.read()
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except (OSError, http.client.HTTPException):  # nobody there, or killed before or in the answer
            return 0

    def _look(self, first: set[str]) -> None:
        if (found := stored(self.index, self.count)) is None:
            return
        self.count.lost += len((first | self.there) - found) + len(self.gone & found)
        if strange := found - first - self.there - self.unsure:
            raise SystemExit(f"recipes that nobody added: {sorted(strange)[:3]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50, help="all stages together")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--only", default=",".join(SHARES), help="some of the stages, with commas")
    parser.add_argument("--engine", default="memory", help="lance: collections are searched on disk")
    parser.add_argument("--power-cut", action="store_true", help="lose what was not flushed")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    rng, ENGINE[1] = random.Random(options.seed), options.engine
    chosen = {name: share for name, share in SHARES.items() if name in options.only.split(",")}
    of_all = sum(chosen.values())
    kills = {name: max(1, round(options.kills * share / of_all)) for name, share in chosen.items()}
    counts: list[Count] = []
    with tempfile.TemporaryDirectory(prefix="chef-kills-") as folder:
        place, kitchen = Path(folder) / "place", Path(folder) / "kitchen"
        place.mkdir()
        to_its_end("kitchen", kitchen, "--recipes", str(KITCHEN), "--size", "64", "--seed", "5")
        cut = PowerCut(place) if options.power_cut else None
        if cut is not None:
            ENVIRONMENT.update(cut.environment)
        for kind in (kind for kind in (Prepare, Add, Train) if kind.name in kills):
            counts.append(told(kind(place, kitchen, cut).run(kills[kind.name], rng)))
        if "serve" in kills:
            counts.append(told(Serve(place, cut).run(kills["serve"], rng, kitchen)))
    print(f"{sum(count.kills for count in counts)} kills; all whole: {all(count.whole for count in counts)}")
    if cut is not None:
        print(f"cuts: {cut.lost} names lost, {cut.back} back, {cut.torn} files torn")
    if options.json:
        figures: dict[str, Any] = {"engine": options.engine, "stages": [asdict(count) for count in counts]}
        if cut is not None:
            figures["cuts"] = {"names_lost": cut.lost, "names_back": cut.back, "files_torn": cut.torn}
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    return 0 if all(count.whole for count in counts) else 1


def told(count: Count) -> Count:
    print(
        f"{count.stage:<10} {count.kills:>3} kills: {count.lost} lost of {count.acknowledged} confirmed,"
        f" {count.duplicates} duplicates, {count.corrupt} corrupt; {count.ends_alike} of {count.ends} ends as"
        " if nobody had killed it",
        flush=True,
    )
    return count


if __name__ == "__main__":
    sys.exit(main())
