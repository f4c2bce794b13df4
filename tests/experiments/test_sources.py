from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _beside_the_script(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2] / "experiments")


def write(folder: Path, recipes: list[dict], splits: dict | None = None) -> str:
    folder.mkdir()
    (folder / "photo.jpg").write_bytes(b"any")
    whole = {"ingredients": ["1 egg"], "instructions": ["Boil."]}
    lines = [json.dumps({"title": f"Egg {one['id']}", **whole, **one}) for one in recipes]
    (folder / "recipes.jsonl").write_text("\n".join(lines))
    if splits:
        (folder / "splits.json").write_text(json.dumps(splits))
    return str(folder)


def test_every_source_with_its_licence_and_its_recipes_by_use(tmp_path):
    from sources import TEXTS, count_sources, licences

    photo = {"image": "photo.jpg"}
    data = write(
        tmp_path / "data",
        [
            {"id": "1", "source": "ann/eggs", "license": "MIT (repo file LICENSE)", **photo},
            {"id": "2", "source": "ann/eggs", "license": "MIT (repo file LICENSE)", **photo},
            {"id": "3", "source": "bob/pans", "license": "none stated", **photo},
            {"id": "4", "source": "bob/pans"},
            {"id": "5", "source": "shut/away", **photo},
            {"id": "6", "source": "not/used", **photo},
        ],
        {"train": ["1", "3", "4", "5"], "test": ["2"], "extra": ["6"]},
    )
    texts = write(tmp_path / "texts", [{"id": str(number), "source": "ann/eggs"} for number in range(3)])
    found = count_sources(data, [texts], without=["shut/away"])
    assert [one.name for one in found] == ["ann/eggs", "bob/pans"]
    ann, bob = found
    assert (ann.licence, bob.licence) == ("MIT (repo file LICENSE)", "none stated")
    assert dict(ann.counts) == {"train": 1, "test": 1, TEXTS: 3}
    assert dict(bob.counts) == {"train": 1, TEXTS: 1}
    assert licences(found) == {"MIT": 5, "none stated": 2}
