"""Many clients at one service process, then at two over the same collection: errors, times, memory.

    python benchmarks/serve_load.py                                  # 64 clients, 60 s each; about 3 minutes
    python benchmarks/serve_load.py --seconds 20 --json load.json
    python benchmarks/serve_load.py --engine lance                   # the collection is searched on disk
    python benchmarks/serve_load.py --hostile                        # one service in 1 GB, 5 % hostile inputs

The collection is the cookbook that comes with chef. A third of the queries are photos (plates of the
generated kitchen), a third words, a third words with filters. A client asks, waits for the answer and asks
again; on 429 it waits as long as Retry-After says. The services run as `chef serve`, each with one thread of
torch, as replicas on a shared machine do. Clients and services share this machine: the last columns say how
many cores each kept busy. The last row has more clients than a service lets wait. Linux only (/proc).

`--hostile` holds one service to 1 GB and makes every twentieth request one of those that once stopped it:
photos of a few bytes and many pixels, texts that patterns got lost in, packed files that grow, JSON that
grows, headers that never end. It fails if an answer is anything but 200, 4xx and 429, if a health check takes
a second, or if the service ends. The limit is RLIMIT_AS, set when the service answers: 1 GB and what its
libraries have mapped by then and never touched, some 600 MB of addresses. The highest resident memory,
which a cgroup would bound, is told and must stay below 1 GB, too.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gzip
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np

PLATES = 48
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
# In a process of its own, so that torch is not in the memory and the threads of the clients'.
MAKE = """
import shutil, sys
from chef.index import open_cookbook
index = open_cookbook()
index.info()  # the bundled one has a folder from here on
shutil.copytree(index.url, sys.argv[1])
"""


@dataclass
class Tally:
    """What the clients met."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {"photo": [], "text": [], "filter": []})
    errors: Counter[str] = field(default_factory=Counter)
    turned_away: int = 0
    hostile: Counter[str] = field(default_factory=Counter)  # answers by kind and status


def plates(size: int = 256) -> list[bytes]:
    """Photos as clients send them."""
    from chef.data.kitchen import generate

    found = []
    for dish in generate(PLATES, 7):
        out = BytesIO()
        dish.paint(size).convert("RGB").save(out, "JPEG", quality=90)
        found.append(out.getvalue())
    return found


def words() -> list[str]:
    from chef.data.kitchen import generate

    return [dish.recipe.title for dish in generate(PLATES, 8)]


TOKEN = "a-long-secret"
LIMIT = 1 << 30  # bytes of a service under hostile inputs
SHARE = 0.05  # of hostile inputs
HEADERS = 60  # half-sent ones at a time


class Hostile:
    """Draws inputs that once stopped a service; the numbers are those of docs/serve.md."""

    def __init__(self) -> None:
        steps = ["." * 5000 + " " * 4900 + "1"] * 200
        long = {"title": "Pie", "ingredients": ["9" * 320 + "/2 cups flour"], "instructions": steps}
        pie = "# Pie\n\n## Ingredients\n\n- 1 apple\n\n## Steps\n\nBake.\n"
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for number in range(40):
                recipe = {"name": f"Box {number}", "recipeIngredient": ["rice"]}
                archive.writestr(f"recipes/{number}/{number}.json", json.dumps(recipe))
                archive.writestr(f"recipes/{number}/images/original.jpg", plates()[0] + bytes(45 << 20))
        # 7070 x 7070 with transparency, in 38 bytes.
        webp = base64.b64decode("UklGRh4AAABXRUJQVlA4TBEAAAAvnVvnFgdQjyLXo4CBiOh/AAA=")
        lists = b"[" + b"[]," * 2_700_000 + b"[]]"
        self.inputs: dict[str, tuple[str, dict[str, Any]]] = {
            "1 photo": ("search", {"files": {"photo": ("a.webp", webp)}}),
            "2 markdown": ("recipes", {"files": {"files": ("a.md", f"{pie}![](" + " " * 8000)}}),
            "3 steps": ("search", {"json": {"recipe": {**long, "ingredients": ["rice"]}}}),
            "4 one name": (
                "recipes", {"files": [("files", (f"{folder}/pie.md", pie + folder)) for folder in "AB"]}
            ),
            "6 number": ("recipes", {"json": {"recipes": [{**long, "id": "number", "instructions": []}]}}),
            "7 zip": ("recipes", {"files": {"files": ("box.zip", packed.getvalue())}}),
            "8 gzip": ("recipes", {"files": {"files": ("a.jsonl.gz", gzip.compress(b"\n" * (10 << 20), 9))}}),
            "9 22 MB": ("search", {"content": b'{"text": "' + b"x" * (22 << 20) + b'"}'}),
            "9 lists": ("recipes", {"content": b'{"recipes": [{"a": %s}]}' % lists[: 8 << 20]}),
            "9 upload": ("recipes", {"content": b'{"jsonld": %s}' % lists}),
        }  # fmt: skip
        self.open: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def __call__(self, draw: random.Random, http: httpx.AsyncClient, address: str) -> str:
        """Send one -> its kind and the status of the answer."""
        kind = draw.choice(["10 headers", *self.inputs])
        if kind == "10 headers":
            where = urlsplit(address)
            for _ in range(HEADERS):
                reader, writer = await asyncio.open_connection(where.hostname, where.port)
                writer.write(b"GET /api/health HTTP/1.1\r\nx: ")
                self.open.append((reader, writer))
            return f"{kind}: {HEADERS} open"
        path, body = self.inputs[kind]
        headers = {"authorization": f"Bearer {TOKEN}"} | (
            {"content-type": "application/json"} if "content" in body else {}
        )
        answer = await http.post(f"{address}/api/{path}", headers=headers, **body)
        return f"{kind}: {answer.status_code}"


class Asking:
    """Draws queries."""

    def __init__(self, address: str) -> None:
        vocabulary = httpx.get(f"{address}/api/vocabulary", timeout=60).json()
        self._tokens = [item["token"].replace("_", " ") for item in vocabulary["ingredients"][:20]]
        self._plates, self._words = plates(), words()

    def __call__(self, draw: random.Random) -> tuple[str, dict[str, Any]]:
        """A kind of query and what httpx sends for it."""
        kind = draw.choice(("photo", "text", "filter"))
        if kind == "photo":
            return kind, {"files": {"photo": ("dish.jpg", draw.choice(self._plates), "image/jpeg")}}
        query: dict[str, Any] = {"text": draw.choice(self._words)}
        if kind == "filter":
            wanted, unwanted = draw.sample(self._tokens, 2)
            query |= {"with": [wanted], "without": [unwanted], "max_ingredients": 12}
        return kind, {"json": query}


async def client(
    number: int,
    http: httpx.AsyncClient,
    address: str,
    asking: Asking,
    until: float,
    tally: Tally,
    hostile: Hostile | None,
) -> None:
    draw = random.Random(number)
    while (start := time.perf_counter()) < until:
        if hostile is not None and draw.random() < SHARE:
            try:
                tally.hostile[await hostile(draw, http, address)] += 1
            except httpx.HTTPError as error:
                tally.hostile[type(error).__name__] += 1
            continue
        kind, body = asking(draw)
        try:
            answer = await http.post(f"{address}/api/search", **body)
        except httpx.HTTPError as error:
            tally.errors[type(error).__name__] += 1
            continue
        if answer.status_code == 200:
            tally.seconds[kind].append(time.perf_counter() - start)
        elif answer.status_code == 429:
            tally.turned_away += 1
            left = until - time.perf_counter()
            await asyncio.sleep(max(0.0, min(float(answer.headers["retry-after"]), left)))
        else:
            tally.errors[str(answer.status_code)] += 1


async def watch(
    pids: list[int], http: httpx.AsyncClient, address: str, seconds: float, out: dict[str, Any]
) -> None:
    """Memory at the start, in the middle and at the end, and how long a health check takes meanwhile."""
    health, started = [], time.perf_counter()
    out["memory_mb"] = [memory(pids)]
    for moment in (0.5, 1.0):
        while (now := time.perf_counter() - started) < seconds * moment:
            (await http.get(f"{address}/api/health", timeout=60)).raise_for_status()
            health.append(time.perf_counter() - started - now)
            await asyncio.sleep(0.25)
        out["memory_mb"].append(memory(pids))
    out["health_worst_ms"] = 1000 * max(health)


def memory(pids: list[int]) -> list[float]:
    """Resident MB of each process."""
    return [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1e6 for pid in pids]


def memory_of(pid: int, name: str) -> int:
    """Bytes of a process under one of the kernel's names, such as VmHWM, the highest resident memory."""
    return 1024 * int(re.findall(rf"{name}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0])


def used(pid: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def idle() -> float:
    """Seconds that this machine's cores had nothing to do, all together."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return (int(fields[4]) + int(fields[5])) / TICKS


@contextmanager
def services(collection: str, count: int, limit: int | None = None) -> Iterator[list[tuple[str, int]]]:
    """So many `chef serve` over one collection: address and process id of each."""
    # As in the container file.
    settings = {
        "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "1048576",
        "ARROW_DEFAULT_MEMORY_POOL": "system", "CHEF_TOKEN": TOKEN,
    }  # fmt: skip
    environment = {**os.environ, **settings}
    command = [sys.executable, "-m", "chef", "serve", "--index", collection, "--port", "0"]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(count)
    ]
    try:
        found = []
        for process in running:
            assert process.stdout is not None
            found.append((process.stdout.readline().strip(), process.pid))
            if limit is not None:
                untouched = memory_of(process.pid, "VmSize") - memory_of(process.pid, "VmRSS")
                resource.prlimit(process.pid, resource.RLIMIT_AS, (limit + untouched, limit + untouched))
        yield found
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait()


async def crowd(
    addresses: list[str],
    pids: list[int],
    clients: int,
    seconds: float,
    asking: Asking,
    hostile: Hostile | None = None,
) -> tuple[Tally, dict[str, Any]]:
    tally, seen = Tally(), {}
    # One for all: each would make a TLS context of its own. Every request under way has its own connection.
    async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=None)) as http:
        until = time.perf_counter() + seconds
        await asyncio.gather(
            watch(pids, http, addresses[0], seconds, seen),
            *(
                client(number, http, addresses[number % len(addresses)], asking, until, tally, hostile)
                for number in range(clients)
            ),
        )
    return tally, seen


def measure(
    collection: str, count: int, clients: int, seconds: float, hostile: Hostile | None = None
) -> dict[str, Any]:
    """One row: `count` services, their clients spread over them."""
    with services(collection, count, LIMIT if hostile else None) as running:
        addresses, pids = [address for address, _ in running], [pid for _, pid in running]
        asking = Asking(addresses[0])
        # The first queries load and fill caches; their times are not told, their errors are.
        first, _ = asyncio.run(crowd(addresses, pids, 8, min(5.0, seconds), asking))
        cpu, own, nothing = [used(pid) for pid in pids], time.process_time(), idle()
        start = time.perf_counter()
        tally, seen = asyncio.run(crowd(addresses, pids, clients, seconds, asking, hostile))
        wall = time.perf_counter() - start
        busy = [(used(pid) - before) / wall for pid, before in zip(pids, cpu, strict=True)]
        cores = len(os.sched_getaffinity(0))
        mine, all_busy = (time.process_time() - own) / wall, cores - (idle() - nothing) / wall
        highest = [memory_of(pid, "VmHWM") / 1e6 for pid in pids]
    answered = np.array([one for kind in tally.seconds.values() for one in kind]) * 1000
    by_kind = {kind: float(np.median(times)) * 1000 for kind, times in tally.seconds.items() if times}
    return {
        "services": count, "clients": clients, "answered": len(answered), "per_s": len(answered) / wall,
        "p50_ms": float(np.percentile(answered, 50)), "p99_ms": float(np.percentile(answered, 99)),
        "p50_ms_by_kind": by_kind, "errors": dict(first.errors + tally.errors),
        "share_429": tally.turned_away / max(1, tally.turned_away + len(answered)),
        "cores": cores, "per_core_s": len(answered) / wall / sum(busy), "cores_services": busy,
        "cores_clients": mine,
        "cores_others": max(0.0, all_busy - mine - sum(busy)), "memory_highest_mb": highest,
        "hostile": dict(sorted(tally.hostile.items())), **seen,
    }  # fmt: skip


def show(row: dict[str, Any]) -> None:
    errors = ", ".join(f"{name}: {count}" for name, count in row["errors"].items()) or "none"
    grown = " -> ".join("+".join(f"{mb:.0f}" for mb in moment) for moment in row["memory_mb"])
    services = "+".join(f"{cores:.2f}" for cores in row["cores_services"])
    print(
        f"{row['services']:>8} {row['clients']:>8} {row['per_s']:>8.1f} {row['p50_ms']:>7.0f} "
        f"{row['p99_ms']:>7.0f} {row['per_core_s']:>10.1f} {100 * row['share_429']:>6.1f} "
        f"{row['health_worst_ms']:>8.0f}  "
        f"{services:>11} {row['cores_clients']:>8.2f} {row['cores_others']:>7.2f}  {grown}; errors: {errors}",
        flush=True,
    )


def verdict(one: dict[str, Any], two: dict[str, Any]) -> str:
    """The ratio, and what bounds it."""
    ratio = two["per_s"] / one["per_s"]
    left = two["cores"] - sum(two["cores_services"]) - two["cores_clients"] - two["cores_others"]
    told = (
        f"two processes give {ratio:.2f} times the queries of one. With two, the services keep "
        f"{sum(two['cores_services']):.2f} of {two['cores']} cores busy (one alone "
        f"{one['cores_services'][0]:.2f}), the clients {two['cores_clients']:.2f}, other work "
        f"on this machine {two['cores_others']:.2f}: "
    )
    if left < 0.1 * two["cores"]:
        return told + (
            f"no core is free, the machine is the bound. A second of a core answers {one['per_core_s']:.0f} "
            f"queries with one and {two['per_core_s']:.0f} with two; compare these, not the ratio."
        )
    return told + f"{left:.2f} cores are free, the machine is not the bound."


def hostile_verdict(row: dict[str, Any]) -> str:
    """Whether the service held, and what it answered."""
    statuses = Counter({"200": row["answered"]})
    for name, count in row["hostile"].items():
        statuses[name.rpartition(": ")[2]] += count
    statuses.update(row["errors"])
    bad = [name for name in statuses if not re.fullmatch(r"200|4\d\d|\d+ open", name)]
    highest, health = row["memory_highest_mb"][0], row["health_worst_ms"]
    held = not bad and highest * 1e6 < LIMIT and health < 1000
    answers = ", ".join(f"{count} {name}" for name, count in sorted(statuses.items()))
    return (
        f"{'held' if held else 'FAILED'}: {answers}; health at most {health:.0f} ms, resident memory at most "
        f"{highest:.0f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each row")
    parser.add_argument("--overload", type=int, default=192, help="clients of a last row at one process")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--engine", default="memory", help="lance: the collection is searched on disk")
    parser.add_argument("--hostile", action="store_true", help="one service in 1 GB, 5 %% hostile inputs")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        collection = str(Path(folder) / "collection")
        subprocess.run([sys.executable, "-c", MAKE, collection], check=True)
        if options.engine == "lance":
            chef = [sys.executable, "-m", "chef", "index"]
            subprocess.run([*chef, "rebuild", collection], check=True)
            subprocess.run([*chef, "optimize", collection, "--engine", "lance"], check=True)
        print(
            f"{'services':>8} {'clients':>8} {'per s':>8} {'p50 ms':>7} {'p99 ms':>7} {'per core s':>10} "
            f"{'429 %':>6} {'health':>8}  {'cores: serv':>11} {'clients':>8} {'others':>7}  memory MB"
        )
        plan = ((1, options.clients), (2, options.clients), (1, options.overload))
        for count, clients in plan[:1] if options.hostile else plan:
            hostile = Hostile() if options.hostile else None
            rows.append(measure(collection, count, clients, options.seconds, hostile))
            show(rows[-1])
    told = hostile_verdict(rows[0]) if options.hostile else verdict(rows[0], rows[1])
    print(told)
    if options.json:
        options.json.write_text(
            json.dumps({"engine": options.engine, "rows": rows, "verdict": told}, indent=1) + "\n"
        )
    if options.hostile and not told.startswith("held"):
        sys.exit(1)


if __name__ == "__main__":
    main()
