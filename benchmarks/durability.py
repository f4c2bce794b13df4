"""What becomes of a collection after 5,000 updates, with 30 damaged files, and from a backup.

    python benchmarks/durability.py --source open-recipes/ --model chef-base --json out.json  # half an hour
    python benchmarks/durability.py --recipes 200 --updates 400 --only updates,damage

The collection is made of the source's recipes and photos (default: the generated kitchen) by a model, or by
an untrained one of chef-base's 1,024 dimensions with a small tower, which is faster.

updates  one recipe at a time is changed: files, bytes, a list's time, and memory, against a fresh collection
damage   30 copies, in each of which one file is cut short or has one bit flipped, drawn by a seed from all
         files, and every second time from those of the latest version: `verify`
         must name it and nothing else; after `repair` all is whole, and every recipe of the last whole
         version is there, unless it was removed after that
backup   `chef backup` and `chef restore`: equal exports, equal hits for 100 queries of words, photos and
         recipes; then `chef restore --replace` under a service that clients go on asking

Power cuts are in kills.py. The exit status is 1 if a bound is broken.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from kills import Serve, exported, start, to_its_end

TESTED = ("updates", "damage", "backup")
LISTED = 50  # recipes of one list, as the page asks for
CHECKED = 250  # updates between two looks at the memory
FLAT = 2000  # the last updates, over which memory must not grow
CLIENTS = 4


def write_model(folder: Path) -> Path:
    """An untrained model of chef-base's dimensions and words, with a small tower."""
    import torch

    from chef.bundled import shipped_folder
    from chef.data.texts import PrepareSettings
    from chef.model.artefact import save_artefact
    from chef.model.joint import JointModel
    from chef.model.registry import ModelConfig
    from chef.text.vocabulary import Vocabulary

    words = shipped_folder("chef-base")
    torch.manual_seed(0)
    vocabulary = len(Vocabulary.load(words / "vocabulary.tsv"))
    sizes = {"vocabulary": vocabulary, "word": 16, "hidden": 12, "space": 1024}
    model = JointModel(ModelConfig("t+t+l", tower={"kind": "small-cnn", "size": 64}, **sizes)).eval()
    named = words / "vocabulary.tsv", words / "canonical.tsv", PrepareSettings()
    save_artefact(folder, model, *named, {"about": "untrained"})
    return folder


def on_disk(folder: Path) -> tuple[int, int]:
    """Files and bytes."""
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)


def list_ms(*collections: Any) -> list[float]:
    """The medians of lists as a service answers them, in turn: other work slows all alike."""
    spent: list[list[float]] = [[] for _ in collections]
    for number in range(41):
        for index, found in zip(collections, spent, strict=True):
            begin = time.perf_counter()
            list(index.entries(number * LISTED % max(1, index.info().recipes - LISTED), LISTED))
            found.append(1000 * (time.perf_counter() - begin))
    return [median(found[1:]) for found in spent]  # the first reads the catalogue


def resident_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def updates(made: Path, place: Path, count: int) -> dict[str, Any]:
    """Change one recipe after the other; in a process of its own, for its memory."""
    from chef.index import Index

    shutil.copytree(made, place / "updated")
    index = Index(place / "updated", create=False)
    files, size = on_disk(made)
    memory: list[float] = []
    recipes = [entry.recipe for entry in islice(index.entries(), 500)]
    begin = time.perf_counter()
    for number in range(count):
        recipe = recipes[number % len(recipes)]
        lines, steps = recipe.ingredients[:3], recipe.steps[:1]  # short: storing is measured, not reading
        index.add([replace(recipe, title=f"Dish {number}", ingredients=lines, steps=steps, images=())])
        if number % CHECKED == CHECKED - 1:
            list(index.entries(0, LISTED))
            memory.append(resident_mb())
            print(f"  {number + 1} updates: {on_disk(place / 'updated')}, {memory[-1]:.0f} MB", flush=True)
    spent = (time.perf_counter() - begin) / count
    after_files, after_size = on_disk(place / "updated")
    last = memory[-FLAT // CHECKED :]
    half = len(last) // 2
    return {
        "recipes": index.info().recipes,
        "updates": count,
        "update_ms": 1000 * spent,
        "files": [files, after_files],
        "bytes": [size, after_size],
        "list_ms": list_ms(Index(made, create=False), index),
        "memory_mb": memory,
        "growth_mb": median(last[half:]) - median(last[:half]) if half else 0.0,
    }


def versions_of(folder: Path) -> dict[str, dict[str, str]]:
    """The ids and digests of every version, by its manifest."""
    from chef.index.durable import Ledger, version_number
    from chef.index.store import Store

    store = Store(folder)
    return {name: store.digests(version_number(name)) for name in Ledger(folder).manifests()}


def damage(made: Path, place: Path, copies: int, seed: int) -> dict[str, Any]:
    """Damage one file in each copy."""
    from chef.index import Index
    from chef.index.durable import Ledger
    from chef.index.repair import repair, verify
    from chef.index.store import Store

    written = place / "written"
    shutil.copytree(made, written)
    index = Index(written, create=False)
    recipes = [entry.recipe for entry in islice(index.entries(), 12)]
    for number, recipe in enumerate(recipes):
        if number % 3 == 2:
            index.remove(recipe.id)
        else:
            id = recipe.id + "-new" * (number % 3)
            index.add([replace(recipe, id=id, title=f"Dish {number}", images=())])
    known, table = versions_of(written), written / "recipes.lance"
    needs = {name: {name, *version.files} for name, version in Ledger(written).versions() if version}
    latest = next(iter(needs))
    others = (f"_transactions/{path.name}" for path in table.glob("_transactions/*"))
    names = sorted(set().union(*needs.values(), others))
    rng, rows = random.Random(seed), []
    for number in range(copies):
        copy = place / "copy"
        shutil.copytree(written, copy)
        name = rng.choice(sorted(needs[latest]) if number % 2 else names)
        path = copy / "recipes.lance" / name
        data, kind = bytearray(path.read_bytes()), rng.choice(["cut short", "flipped"])
        if kind == "flipped":
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        else:
            del data[rng.randrange(len(data)) :]
        path.write_bytes(bytes(data))
        health = verify(Store(copy))
        done = repair(Store(copy))
        after = next(iter(versions_of(copy).values()))
        whole = next((known[one] for one, files in needs.items() if name not in files), {})
        # What was removed or changed after that stays so where that could be read.
        newer = known[latest]
        missing = [id for id in whole if id not in after and id in newer]
        strange = [id for id, digest in after.items() if digest not in (newer.get(id), whole.get(id))]
        again = verify(Store(copy))
        rows.append(
            {
                "file": name.split("/")[0], "kind": kind, "named": health.files == [name],
                "missing": len(missing), "strange": len(strange), "recipes": len(after),
                "lost": len(done.lost), "older": len(done.older),
                "clean": not (again.files or again.recipes) and again.read == len(after),
            }
        )  # fmt: skip
        print(f"  {rows[-1]}", flush=True)
        shutil.rmtree(copy)
    return {"recipes": len(known[latest]), "versions": len(needs), "copies": rows}


def queries(index: Any, photos: list[bytes]) -> Iterator[dict[str, Any]]:
    """50 of words, 25 photos, 25 recipes."""
    entries = list(islice(index.entries(), 75))
    yield from ({"text": entry.recipe.title} for entry in entries[:50])
    yield from ({"image": photo} for photo in photos[:25])
    yield from ({"recipe": entry.recipe} for entry in entries[50:])


def backup(made: Path, place: Path) -> dict[str, Any]:
    """Back up, restore, compare; then restore under a live service."""
    from chef.index import Index

    def chef(*call: str | Path) -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-m", "chef", *map(str, call)], check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begin

    file, new = place / "backup.zip", place / "restored"
    figures: dict[str, Any] = {"backup_s": chef("backup", made, file), "bytes": file.stat().st_size}
    figures["restore_s"] = chef("restore", file, new)
    old_index, new_index = Index(made, create=False), Index(new, create=False)
    figures["recipes"], figures["with_photo"] = old_index.info().recipes, old_index.info().with_image
    figures["equal_exports"] = exported(made) == exported(new)
    ids = [entry.id for entry in old_index.entries() if entry.has_image]
    photos = [photo for id in ids[:: max(1, len(ids) // 25)] if (photo := old_index.thumbnail(id))]
    asked = list(queries(old_index, photos))
    figures["queries"] = len(asked)
    figures["equal_hits"] = sum(old_index.search(**one) == new_index.search(**one) for one in asked)
    figures["equal_thumbnails"] = all(old_index.thumbnail(id) == new_index.thumbnail(id) for id in ids[:200])
    return figures | live(file, new, figures["recipes"])


def live(file: Path, served: Path, recipes: int) -> dict[str, Any]:
    """Remove half of a collection, serve it, restore it under clients that list and search."""
    from chef.index import Index

    index = Index(served, create=False)
    index.remove(*[entry.id for entry in index.entries()][::2])
    service = Serve(served.parent, None)
    service.index = served
    process = service._started()
    statuses, totals, stop = dict[int, int](), list[tuple[float, int]](), threading.Event()

    def client(number: int) -> None:
        import urllib.request

        while not stop.is_set():
            if number:
                status = service._ask("POST", "/api/search", {"text": "soup"})
            else:
                with urllib.request.urlopen(f"http://127.0.0.1:{service.port}/api/recipes?limit=5") as answer:
                    status, totals_now = answer.status, json.load(answer)["total"]
                totals.append((time.monotonic(), totals_now))
            statuses[status] = statuses.get(status, 0) + 1

    clients = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in clients:
        thread.start()
    time.sleep(2)
    restoring = start("restore", file, served, "--replace")
    restoring.communicate(timeout=600)
    ended = time.monotonic()
    while totals[-1][1] != recipes and time.monotonic() < ended + 60:
        time.sleep(0.01)
    seen = time.monotonic() - ended
    time.sleep(2)
    stop.set()
    for thread in clients:
        thread.join()
    process.terminate()
    process.communicate()
    return {
        "live_statuses": {str(status): count for status, count in statuses.items()},
        "live_totals": sorted({total for _, total in totals}),
        "live_seen_s": seen,
        "live_restored": restoring.returncode == 0,
    }


def broken(figures: dict[str, Any]) -> list[str]:
    """The bounds that do not hold."""
    found = []
    if one := figures.get("updates"):
        for name, bound in (("files", 3), ("bytes", 3), ("list_ms", 1.5)):
            if one[name][1] > bound * one[name][0]:
                found.append(f"{name} after updates: {one[name]}")
        if one["growth_mb"] > 2:
            found.append(f"memory grows: {one['growth_mb']:.1f} MB")
    for row in figures.get("damage", {}).get("copies", ()):
        if not (row["named"] and row["clean"]) or row["missing"] or row["strange"]:
            found.append(f"damage: {row}")
    if one := figures.get("backup"):
        whole = one["equal_exports"] and one["equal_thumbnails"] and one["equal_hits"] == one["queries"]
        if not (whole and one["live_restored"] and set(one["live_statuses"]) == {"200"}):
            found.append(f"backup: {one}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, help="recipes and photos; default: the generated kitchen")
    parser.add_argument("--recipes", type=int, default=1000, help="of the generated kitchen")
    parser.add_argument("--model", help="that embeds the recipes; default: an untrained one")
    parser.add_argument("--updates", type=int, default=5000)
    parser.add_argument("--copies", type=int, default=30, help="that are damaged")
    parser.add_argument("--seed", type=int, default=0, help="of the damage")
    parser.add_argument("--only", default=",".join(TESTED), help="some of them, with commas")
    parser.add_argument("--keep", type=Path, help="a folder in which the collection is kept for the next run")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="chef-durability-") as folder:
        place = Path(folder)
        kept = options.keep or place / "made"
        made = kept / "collection"
        if not made.exists():
            source = options.source or place / "kitchen"
            if options.source is None:
                to_its_end(
                    "kitchen", source, "--recipes", str(options.recipes), "--size", "64", "--seed", "5"
                )
            model = options.model or write_model(kept / "model")
            to_its_end("index", "add", made, source, "--model", model)
        runs = {
            "updates": lambda: updates(made, place, options.updates),
            "damage": lambda: damage(made, place, options.copies, options.seed),
            "backup": lambda: backup(made, place),
        }
        for name in options.only.split(","):
            print(name, flush=True)
            figures[name] = runs[name]()
            print(json.dumps({k: v for k, v in figures[name].items() if k != "copies"}), flush=True)
    problems = broken(figures)
    for problem in problems:
        print(f"broken: {problem}")
    if options.json:
        old = json.loads(options.json.read_text()) if options.json.exists() else {}
        options.json.write_text(json.dumps(old | figures, indent=2) + "\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
