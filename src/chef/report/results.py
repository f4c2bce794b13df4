"""Result files of `chef evaluate`, read and put together by population."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chef.errors import ChefError
from chef.report.study import Part, Run, Study

TASKS = ("retrieval", "main-ingredient", "pruning", "substitution", "actions")
Key = tuple[str, str, int | None]


def read_studies(paths: Sequence[Path]) -> list[Study]:
    """The studies in the files, in the order first met. Runs on different data are never put together.

    >>> [study.data for study in read_studies([Path("seed-0.json"), Path("seed-1.json")])]
    ['kitchen']
    """
    runs: dict[Key, list[Run]] = {}
    comparisons: dict[Key, list[Part]] = {}
    for path in paths:
        content = _content(path)
        results = content.get("models", [content])
        for result in results:
            _check(result, path)
            _add(runs.setdefault(_key(result), []), result)
        comparisons.setdefault(_key(results[0]), []).extend(content.get("comparisons", []))
    return [Study(*key, tuple(found), tuple(comparisons.get(key, ()))) for key, found in runs.items()]


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ChefError(f"no such result: {path}", "`chef evaluate --out FILE` writes one") from error
    except IsADirectoryError as error:
        raise ChefError(f"a folder, not a result: {path}", "give the files inside it") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ChefError(f"not JSON: {path}", "give what `chef evaluate --out FILE` wrote") from error
    if not isinstance(content, dict) or not isinstance(content.get("models", []), list):
        raise _wrong(path)
    if content.get("models") == []:
        raise ChefError(f"a result without models: {path}", "run `chef evaluate` again")
    return content


def _check(result: Any, path: Path) -> None:
    named = isinstance(result, dict) and all(
        isinstance(result.get(k), str) for k in ("model", "data", "split")
    )
    if not named or not all(isinstance(result.get(task, {}), dict) for task in (*TASKS, "figures")):
        raise _wrong(path)


def _wrong(path: Path) -> ChefError:
    return ChefError(f"not a result: {path}", "give what `chef evaluate --out FILE` wrote")


def _key(result: Part) -> Key:
    return result["data"], result["split"], result.get("n")


def _add(runs: list[Run], result: Part) -> None:
    """One more run, unless it is there already; the same run with other figures is the user's mistake."""
    run = Run(result["model"], result.get("about", {}).get("seed"), result)
    for other in runs:
        if (other.model, other.seed) == (run.model, run.seed):
            if other.result == run.result:
                return
            if run.seed is not None:
                raise ChefError(
                    f"two results of {run.model}, training seed {run.seed}, that differ", "give one of them"
                )
    runs.append(run)
