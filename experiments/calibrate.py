"""Teaches a model when it does not know: calibration.json in its folder, and the reliability diagram.

    python experiments/calibrate.py MODEL PREPARED --without-food FOLDER [--json OUT] [--docs docs]

All is fitted on validation data and reported on test data. A photo counts as food by a linear function of the
image tower's features, fitted on the training photos against pictures without food (FOLDER, as
`experiments/make_without_food.py` makes it). How strongly its weights are held down is what tells a folder
apart best that was left out. Its threshold refuses 1.5 % of the photos of `val` and, where the data have it,
of `extra`, which is neither trained on nor tested: three photos of `val` alone would decide it.
Probabilities (chef.index.match) are fitted in collections of 50, 200 and 600 recipes (as many as there are,
if fewer), in which the right one is there or is not; a query is a photo, a title, or its two rarest words.
MODEL gets its photo graph here, too (`chef.model.photos`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import chef
from chef.data.prepared import Prepared, PreparedSplit
from chef.files import temporary_folder, write_atomic
from chef.index.ingest import Writer, new_schema
from chef.index.match import FILE, GOOD, WEAK, Calibration
from chef.index.query import LEXICAL, build_query, lexical_scores
from chef.model.export import add_photo_graph
from chef.model.folder import checksum_of, find, read_config
from chef.model.photos import PhotoSide
from chef.progress import Progress
from chef.readers import Skipped

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))
from non_food import crops, jpeg

SIZES, HITS, BINS = (50, 200, 600), 10, 10
OTHERS = 500  # training recipes that fill up the collections
REFUSED = 0.015  # of the dishes; at most 0.02 are to be
CROPS = 4  # windows of a picture without food, the whole of it one of them
DECAYS = (0.003, 0.01, 0.03, 0.1, 0.3)  # of the detector's weights, to choose from
PHOTO, WORDS = "image", "text"

Array = np.ndarray[Any, Any]
Case = tuple[Array, int | None]  # the scores of a collection, and the position of the right recipe


def look(side: PhotoSide, photos: Iterable[bytes]) -> tuple[Array, Array]:
    """The vectors and features of photos."""

    def one(photo: bytes) -> tuple[Array, Array]:
        return side.embed([side.transform.pixels(photo)])

    with ThreadPoolExecutor() as pool:
        seen = list(pool.map(one, photos))
    return np.concatenate([vectors for vectors, _ in seen]), np.concatenate(
        [features for _, features in seen]
    )


def photos_of(split: PreparedSplit) -> Iterator[bytes]:
    return (split.image_bytes(row) for row in range(len(split)))


def without_food(folder: Path) -> Iterator[bytes]:
    """Windows of the pictures in a folder."""
    random = np.random.default_rng(0)
    for file in sorted(folder.iterdir()):
        with Image.open(file) as image:
            yield from map(jpeg, islice(crops(image.convert("RGB"), random), CROPS))


def fit_food(food: Array, others: Array, decay: float) -> Array:
    """The weights of a logistic regression on features, both kinds counting the same, then the constant."""
    import torch

    mean, deviation = food.mean(0), food.std(0) + 1e-6
    features = torch.from_numpy((np.concatenate([food, others]) - mean) / deviation).double()
    truth = torch.cat([torch.ones(len(food)), torch.zeros(len(others))]).double()
    counts = torch.cat([torch.full((n,), 0.5 / n) for n in (len(food), len(others))]).double()
    weights = torch.zeros(features.shape[1] + 1, dtype=torch.double, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        logits = features @ weights[:-1] + weights[-1]
        error = torch.nn.functional.binary_cross_entropy_with_logits(logits, truth, reduction="none")
        total = (counts * error).sum() + decay * weights[:-1].square().sum()
        total.backward()
        return total

    optimizer.step(loss)
    *slopes, constant = weights.detach().numpy()
    scaled = np.array(slopes) / deviation
    return np.append(scaled, constant - scaled @ mean)


def threshold(food: Array, photos: Array) -> float:
    """The least value of a photo that is not refused."""
    return float(np.quantile(photos @ food[:-1] + food[-1], REFUSED))


def told_apart(training: Array, photos: Array, folders: dict[str, Array], decay: float) -> dict[str, float]:
    """The share of each folder that a detector refuses which learned from the others."""
    shares = {}
    for name, left_out in folders.items():
        rest = np.concatenate([features for other, features in folders.items() if other != name])
        food = fit_food(training, rest, decay)
        shares[name] = float(np.mean(left_out @ food[:-1] + food[-1] < threshold(food, photos)))
    return shares


def cases(scores: Array, own: Array, others: Array) -> list[Case]:
    """Collections drawn for each query: scores (queries, recipes), `own` the columns of the right recipes."""
    random, drawn = np.random.default_rng(0), list[Case]()
    for row, right in zip(scores, own, strict=True):
        rest = others[others != right]
        for size in SIZES:
            some = random.choice(rest, min(size, len(rest)), replace=False)
            drawn.append((row[[right, *some[1:]]], 0))
            drawn.append((row[some], None))
    return drawn


def fit(part: str, drawn: list[Case]) -> tuple[float, float]:
    """Slope and offset of the greatest likelihood, by ever finer grids."""
    slopes, offsets = np.linspace(2, 60, 30), np.linspace(-40, 10, 26)
    for _ in range(4):
        grid = [(likelihood(part, drawn, a, b), a, b) for a in slopes for b in offsets]
        _, slope, offset = max(grid)
        slopes = slope + np.linspace(-1, 1, 7) * (slopes[1] - slopes[0])
        offsets = offset + np.linspace(-1, 1, 7) * (offsets[1] - offsets[0])
    return float(slope), float(offset)


def likelihood(part: str, drawn: list[Case], slope: float, offset: float) -> float:
    """The mean logarithm of the probability that the truth had."""
    calibration, total = Calibration({part: (slope, offset)}, np.zeros(1, np.float32), 0.0), 0.0
    for scores, right in drawn:
        odds = calibration.odds(part, scores, len(scores))
        total += np.log((1.0 if right is None else odds[right]) / (1 + odds.sum()))
    return total / len(drawn)


def reliability(part: str, drawn: list[Case], numbers: tuple[float, float]) -> dict[str, Any]:
    """Of the first ten hits: what was said and what was true, in ten bins by what was said."""
    calibration = Calibration({part: numbers}, np.zeros(1, np.float32), 0.0)
    said, true, present = list[float](), list[bool](), list[tuple[float, bool]]()
    for scores, right in drawn:
        odds = calibration.odds(part, scores, len(scores))
        for hit in np.argsort(-odds)[:HITS]:
            said.append(odds[hit] / (1 + odds.sum()))
            true.append(hit == right)
        present.append((odds.sum() / (1 + odds.sum()), right is not None))
    places = np.minimum((np.array(said) * BINS).astype(int), BINS - 1)
    rows_of = [np.flatnonzero(places == place) for place in range(BINS)]
    bins = [
        {
            "said": float(np.mean(np.take(said, rows))),
            "true": float(np.mean(np.take(true, rows))),
            "hits": len(rows),
        }
        for rows in rows_of
        if len(rows)
    ]
    shares = {
        name: {
            "good": float(np.mean([value >= GOOD for value, here in present if here == wanted])),
            "none": float(np.mean([value < WEAK for value, here in present if here == wanted])),
        }
        for name, wanted in (("recipe is there", True), ("recipe is not there", False))
    }
    error = sum(one["hits"] * abs(one["said"] - one["true"]) for one in bins) / len(said)
    return {"hits": len(said), "error": error, "bins": bins, "match": shares}


def word_scores(index: chef.Index, titles: list[str]) -> Array:
    """(queries, recipes) of words."""
    catalogue = index._catalogue()
    resolver, vectors = index.resolver(catalogue), catalogue.recipe_vectors.vectors
    rows = []
    for title in titles:
        query = build_query(lambda: index.chef, None, title, None, None, None, vectors.shape[1])
        lexical = lexical_scores(catalogue, resolver, query.words) if query.words else 0.0
        rows.append(vectors @ query.vector + LEXICAL * lexical)
    return np.stack(rows)


def rarest(index: chef.Index, title: str) -> str:
    """The two rarest words of a title."""
    from chef.index.values import title_words

    counts = index._catalogue().words.counts
    return " ".join(sorted(title_words(title), key=lambda word: counts.get(word, 0))[:2])


def diagram(results: dict[str, Any]) -> str:
    """The reliability diagram as SVG: a line for photos, one for words, the diagonal."""
    side, edge = 320, 44

    def at(x: float, y: float) -> str:
        return f"{edge + x * side:.1f},{edge / 2 + (1 - y) * side:.1f}"

    parts = [f'<polyline class="even" points="{at(0, 0)} {at(1, 1)}"/>']
    for tick in np.linspace(0, 1, 6):
        x, y = at(tick, 0).split(","), at(0, tick).split(",")
        parts.append(f'<text x="{x[0]}" y="{float(x[1]) + 18}" text-anchor="middle">{tick:.1f}</text>')
        parts.append(f'<text x="{edge - 8}" y="{float(y[1]) + 4}" text-anchor="end">{tick:.1f}</text>')
    for place, (name, colour) in enumerate(((PHOTO, "#0b5e55"), (WORDS, "#d08a1d"))):
        points = [at(one["said"], one["true"]) for one in results[name]["test"]["bins"]]
        parts.append(f'<polyline stroke="{colour}" points="{" ".join(points)}"/>')
        parts += [
            f'<circle fill="{colour}" cx="{x}" cy="{y}" r="4"/>' for x, y in (p.split(",") for p in points)
        ]
        label = {PHOTO: "photos", WORDS: "words"}[name]
        parts.append(
            f'<text x="{edge + 12}" y="{edge / 2 + 18 + 18 * place}" style="fill:{colour}">{label}</text>'
        )
    style = "text{font:12px sans-serif;fill:#444}polyline{fill:none;stroke-width:2}.even{stroke:#bbb}"
    below = (
        f'<text x="{edge + side / 2}" y="{edge / 2 + side + 38}" text-anchor="middle">probability said</text>'
    )
    left = f'<text x="{edge}" y="14">share of hits that are right</text>'
    size = f'viewBox="0 0 {side + 2 * edge} {side + edge + 24}" width="{side + 2 * edge}"'
    parts = [f"<style>{style}</style>", below, left, *parts]
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("--without-food", type=Path, required=True)
    parser.add_argument("--json", type=Path, default=Path("calibration.json"))
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    options = parser.parse_args()
    folder, data = find(options.model), Prepared(options.prepared)
    add_photo_graph(folder)
    config, loaded = read_config(folder), chef.load(folder)
    side = PhotoSide(folder, config)
    val, test = data.split("val"), data.split("test")

    seen = {name: look(side, photos_of(data.split(name))) for name in ("val", "test")}
    folders = {
        folder.name: look(side, without_food(folder))[1]
        for folder in sorted(options.without_food.iterdir())
        if folder.is_dir()
    }
    training, photos = look(side, photos_of(data.split("train")))[1], seen["val"][1]
    if "extra" in data.splits:
        photos = np.concatenate([photos, look(side, photos_of(data.split("extra")))[1]])
    shares = {decay: told_apart(training, photos, folders, decay) for decay in DECAYS}
    decay = max(DECAYS, key=lambda one: np.mean(list(shares[one].values())))
    food = fit_food(training, np.concatenate(list(folders.values())), decay)
    least = threshold(food, photos)
    results: dict[str, Any] = {
        "food": {
            "pictures without food": sum(map(len, folders.values())),
            "photos for threshold": len(photos),
        }
    }
    for name, (_, features) in seen.items():
        results["food"][f"refused of {name}"] = float(np.mean(features @ food[:-1] + food[-1] < least))
    left_out = {str(one): float(np.mean(list(of_folder.values()))) for one, of_folder in shares.items()}
    results["food"] |= {"decay": decay, "folder left out": shares[decay], "by decay": left_out}
    print(results, flush=True)

    rest = data.split("train", with_image=False)
    recipes = [split.recipe(row) for split in (val, test) for row in range(len(split))]
    recipes += [rest.recipe(int(row)) for row in np.random.default_rng(0).permutation(len(rest))[:OTHERS]]
    with temporary_folder() as name:
        index = chef.Index(name, loaded)
        index._store.create(new_schema(loaded))
        plain = ((replace(recipe, images=()), list[bytes]()) for recipe in recipes)
        Writer(index._store, loaded, Skipped(), Progress()).add(plain, parsed=True)
        catalogue = index._catalogue()
        place = {id: row for row, id in enumerate(catalogue.ids.to_pylist())}
        own = {
            name: np.array([place[id] for id in split.ids]) for name, split in (("val", val), ("test", test))
        }
        filling = np.setdiff1d(np.arange(len(catalogue)), np.concatenate(list(own.values())))
        drawn: dict[tuple[str, str], list[Case]] = {}
        for split in (val, test):
            pool = np.concatenate([filling, own[split.name]])
            photos = seen[split.name][0] @ catalogue.recipe_vectors.vectors.T
            drawn[PHOTO, split.name] = cases(photos, own[split.name], pool)
            titles = [split.recipe(row).title for row in range(len(split))]
            words = [*titles, *(rarest(index, title) for title in titles)]
            drawn[WORDS, split.name] = cases(word_scores(index, words), np.tile(own[split.name], 2), pool)
    for part in (PHOTO, WORDS):
        numbers = fit(part, drawn[part, "val"])
        results[part] = {"slope": numbers[0], "offset": numbers[1]}
        results[part] |= {name: reliability(part, drawn[part, name], numbers) for name in ("val", "test")}
    parts = {part: {key: results[part][key] for key in ("slope", "offset")} for part in (PHOTO, WORDS)}
    text = json.dumps({"parts": parts, "least": least, "food": [float(f"{one:.5g}") for one in food]})
    write_atomic(folder / FILE, (text + "\n").encode())
    config["files"][FILE] = checksum_of(folder / FILE)
    write_atomic(folder / "config.json", (json.dumps(config, indent=2) + "\n").encode())
    write_atomic(options.json, (json.dumps(results, indent=1) + "\n").encode())
    write_atomic(options.docs / "reliability.svg", diagram(results).encode())
    for part in (PHOTO, WORDS):
        print(part, parts[part], results[part]["test"]["error"], results[part]["test"]["match"])


if __name__ == "__main__":
    main()
