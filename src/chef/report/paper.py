"""The paper's own figures, from its tables. They were measured on Recipe1M and stand apart from ours."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

PAPER: dict[str, Any] = json.loads(files("chef.report").joinpath("paper.json").read_text(encoding="utf-8"))
MARK = f"Paper, on {PAPER['data']}"  # above every figure of theirs
