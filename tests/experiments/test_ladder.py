import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from statistics import fmean
from typing import Any

import base
import ladder
import pytest

from tests.conftest import ROOT

RUNGS = {
    "baselines": [{"row": "mlp", "label": "an afternoon's work"}],
    "ladder": [
        {"row": "paper", "label": "the paper's"},
        {"row": "ours", "label": "R & D"},
        {"row": "never", "label": "never trained"},
    ],
}
R1 = {"paper": (8.0, 9.0, 7.6), "mlp": (30.0, 31.5, 32.1), "ours": (47.5, 48.0, 50.9)}


def row(values: tuple[float, ...], bank: float | None) -> dict[str, Any]:
    """A row of a result; bank: what a querybank adds, if it has one."""

    def figures(more: float) -> dict[str, Any]:
        found = {}
        for way, less in (("image-to-recipe", 0), ("recipe-to-image", 2)):
            for place, name in enumerate(("R@1", "R@5", "R@10")):
                found[f"{way} {name}"] = {"values": [one + more - less + 15 * place for one in values]}
            found[f"{way} medR"] = {"values": [2.0] * len(values)}
        return found

    made = {"seeds": list(range(len(values))), "figures": figures(0)}
    return made | ({"with querybank": figures(bank)} if bank is not None else {})


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "rungs.json").write_text(json.dumps(RUNGS))
    page = ("before", "<!-- ladder -->", "old", "<!-- end of ladder -->", "after", "")
    (tmp_path / "models.md").write_text("\n".join(page))
    banks = {"paper": None, "mlp": 1.5, "ours": 3.0}
    rows = {name: row(R1[name], banks[name]) for name in R1}
    (tmp_path / "base.json").write_text(json.dumps({"parts": {"dev": {}, "final": rows}}))
    return tmp_path


def run(place: Path) -> int:
    with pytest.MonkeyPatch.context() as patch:
        options = ("--rungs", str(place / "rungs.json"), "--docs", str(place))
        patch.setattr("sys.argv", ["ladder.py", str(place / "base.json"), *options])
        return ladder.main()


def test_tables_hold_the_means_and_the_rest_of_the_page_stays(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(place) == 0
    assert capsys.readouterr().err == "no result of never (never trained)\n"
    page = (place / "models.md").read_text()
    assert page.startswith("before\n<!-- ladder -->\n![")
    assert "old" not in page
    assert page.endswith("\nafter\n")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    labels = [row.split("|")[1].strip() for row in rows]
    assert labels == ["", "---", "the paper's", "R & D", "an afternoon's work"]
    assert f"| 3 | 2.0 ± 0.0 | {fmean(R1['paper']):.1f} ±" in rows[2]
    # What has a querybank is shown with it.
    assert f"| {fmean(R1['ours']) + 3:.1f} ±" in rows[3]
    assert f"| {fmean(R1['ours']) + 3 - 2:.1f} ±" in rows[3]
    before = [(place / name).read_bytes() for name in ("models.md", "ladder.svg")]
    run(place)
    assert [(place / name).read_bytes() for name in ("models.md", "ladder.svg")] == before


def test_the_picture_shows_every_rung_further_right_the_better(place: Path) -> None:
    run(place)
    picture = ET.parse(place / "ladder.svg").getroot()
    titles = [title.text or "" for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 2 * 3  # two rungs and the baseline, R@1 and R@10
    assert any(title.startswith(f"R & D: R@1 {fmean(R1['ours']) + 3:.1f}") for title in titles)
    places = {}
    for group in picture.iter("{http://www.w3.org/2000/svg}g"):
        found = re.match(r"(.*): (R@\d+) ", group[0].text or "")
        assert found
        places[found.groups()] = float(group[2].get("cx") or 0)
    order = [("the paper's", "R@1"), ("the paper's", "R@10"), ("R & D", "R@1"), ("R & D", "R@10")]
    assert sorted(places, key=places.__getitem__) == order


def test_a_result_without_any_rung_is_refused(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "base.json").write_text(json.dumps({"parts": {"dev": {"paper": {}}}}))
    assert run(place) == 2
    assert "no rung of the ladder has a result" in capsys.readouterr().err


def test_our_own_page_result_and_ladder_fit_each_other() -> None:
    page = (ROOT / "docs" / "models.md").read_text()
    assert page.count("<!-- ladder -->") == page.count("<!-- end of ladder -->") == 1
    rungs = json.loads((ROOT / "experiments" / "ladder.json").read_text())
    names = [rung["row"] for part in rungs.values() for rung in part]
    assert len(names) == len(set(names))
    assert set(base.GRID["ships"].values()) <= set(names)
    result = json.loads((ROOT / "experiments" / "results" / "base.json").read_text())
    assert set(names) <= set(result["parts"]["final"])
