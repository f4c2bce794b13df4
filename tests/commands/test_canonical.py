"""`chef canonical` as a person uses it: commands, and a review in a real terminal."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chef.commands.canonical import (
    build_command,
    decide_command,
    propose_command,
    review_command,
    show_command,
)
from chef.errors import ChefError
from chef.food.canonical import CanonicalMap
from chef.food.canonical.merge import ACCEPT, PROGRAM, REJECT, UNDO, read_decisions
from chef.food.canonical.propose import Proposal, group_names, read_proposals, write_proposals

_PATIENCE = 60.0  # seconds until a silent program counts as stuck


@pytest.fixture
def proposals(tmp_path: Path) -> Path:
    path = tmp_path / "proposals.tsv"
    counts = {"butter": 50, "unsalted butter": 20, "buttermilk": 9, "scallions": 6, "green onions": 12}
    asked = [
        Proposal("butter", "unsalted butter", 50, 20, 3.0, ("qualifier",)),
        Proposal("butter", "buttermilk", 50, 9, 2.0, ("food: Butter",)),
        Proposal("green onions", "scallions", 12, 6, 1.0, ("vectors: 0.81",)),
    ]
    write_proposals(path, group_names(counts), counts, asked)
    return path


class Terminal:
    """`chef canonical review` in a terminal of its own; keys go in, the screen comes out."""

    def __init__(self, *arguments: object) -> None:
        self.main, side = pty.openpty()
        command = [sys.executable, "-m", "chef", "canonical", "review", *map(str, arguments)]
        self.process = subprocess.Popen(command, stdin=side, stdout=side, stderr=side, start_new_session=True)
        os.close(side)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Until this text is on the screen; what came before it is forgotten."""
        end = time.monotonic() + _PATIENCE
        while text not in self.seen:
            ready, _, _ = select.select([self.main], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"no {text!r} in {self.seen!r}"
            try:
                self.seen += os.read(self.main, 4096).decode(errors="replace")
            except OSError:  # the other side is closed: the program has ended
                pytest.fail(f"ended without {text!r}: {self.seen!r}")
        self.seen = self.seen[self.seen.index(text) + len(text) :]

    def press(self, key: str) -> None:
        os.write(self.main, key.encode())


@contextmanager
def review(*arguments: object) -> Iterator[Terminal]:
    terminal = Terminal(*arguments)
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.main)


def verdicts(decisions: Path) -> list[str]:
    return [item.verdict for item in read_decisions(decisions)]


def test_a_review_survives_kill_and_goes_on_with_undo(proposals: Path, tmp_path: Path) -> None:
    decisions, built = tmp_path / "decisions.tsv", tmp_path / "map.tsv"
    with review(proposals, decisions) as first:
        first.wait_for("0 of 3 decided")
        first.press("y")
        first.wait_for("1 of 3 decided")
        first.press("y")  # a mistake: buttermilk is not butter
        first.wait_for("2 of 3 decided")
    assert verdicts(decisions) == [ACCEPT, ACCEPT]  # it was killed

    with review(proposals, decisions, "--map", built) as second:
        second.wait_for("2 of 3 decided")
        second.wait_for("scallions")
        second.press("u")
        second.wait_for("1 of 3 decided")
        second.wait_for("undone")
        second.press("n")
        second.wait_for("2 of 3 decided")
        second.press(
            "\x1b[A\x1bOQyq"
        )  # an arrow and a function key decide nothing; typed ahead, none is lost
        second.wait_for("canonical ingredients of 5 names")
        assert second.process.wait(_PATIENCE) == 0
    assert verdicts(decisions) == [ACCEPT, ACCEPT, UNDO, REJECT, ACCEPT]
    assert CanonicalMap.load(built).tokens == ["butter", "buttermilk", "green_onions"]


def test_without_a_terminal_a_review_says_so(
    proposals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: SIM115 - pytest puts the old one back
    with pytest.raises(ChefError, match="needs a terminal"):
        review_command(proposals, tmp_path / "decisions.tsv")


def test_decide_adds_the_programs_decisions_once_and_build_needs_them(
    proposals: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decisions, out = tmp_path / "decisions.tsv", tmp_path / "map.tsv"
    with pytest.raises(ChefError, match="no decisions"):
        build_command(proposals, decisions, out)
    decide_command(proposals, decisions)
    decide_command(proposals, decisions)
    made = read_decisions(decisions)
    assert [(item.a, item.b, item.who) for item in made] == [("butter", "unsalted butter", PROGRAM)]
    build_command(proposals, decisions, out, share=1.0)
    assert "4 canonical ingredients of 5 names" in capsys.readouterr().out
    assert CanonicalMap.load(out).token("unsalted butter") == "butter"


def test_propose_reads_recipes_and_writes_names_and_proposals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vinegars = ["2 cups red wine vinegar", "1 cup white wine vinegar"]
    lines = [*vinegars, "3 eggs", "1 egg", "50 g unsalted butter", "1 cup butter"]
    dish = {"title": "Dish", "ingredients": lines, "instructions": ["Mix the eggs and butter."]}
    source, out = tmp_path / "recipes.jsonl", tmp_path / "proposals.tsv"
    source.write_text("".join(json.dumps({"id": str(number), **dish}) + "\n" for number in range(4)))
    propose_command([str(source)], out, share=1.0)
    counts, proposals = read_proposals(out)
    assert counts["red wine vinegar"] == 4
    assert counts["eggs"] + counts["egg"] == 8
    pairs = {frozenset((item.a, item.b)) for item in proposals}
    assert frozenset(("red wine vinegar", "white wine vinegar")) in pairs
    assert frozenset(("unsalted butter", "butter")) in pairs
    assert "4 recipes" in capsys.readouterr().out


def test_show_prints_the_token_and_its_names(capsys: pytest.CaptureFixture[str]) -> None:
    show_command(["Scallions", "green_onions", "sand"])
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "Scallions: green_onions"
    assert "scallions" in out[1]
    assert out[2] == "green_onions: green_onions"
    assert out[4] == "sand: not known"
