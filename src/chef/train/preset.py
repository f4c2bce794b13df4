"""Presets: the settings that the shipped models were trained with, by name.

A preset is data: a JSON file in `presets/` with `about` and `settings`.
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from importlib.resources import files
from typing import Any

from chef.errors import ChefError
from chef.train.places import folder


def presets() -> dict[str, dict[str, Any]]:
    """Every preset: what it is `about`, and its `settings`."""
    entries = sorted(files("chef.train").joinpath("presets").iterdir(), key=lambda entry: entry.name)
    return {
        entry.name.removesuffix(".json"): json.loads(entry.read_text("utf-8"))
        for entry in entries
        if entry.name.endswith(".json")
    }


def preset(name: str) -> dict[str, Any]:
    """The settings of a preset; the pre-trained weights that they name are there.

    >>> make_settings({**preset("chef-ttl"), "seed": 1})
    """
    known = presets()
    if name not in known:
        near = get_close_matches(name, known, n=1)
        way_out = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
        raise ChefError(f"no preset {name!r}", way_out)
    settings: dict[str, Any] = known[name]["settings"]
    for place in ("tower", "words"):
        folder(settings.get(place, ""))
    return settings
