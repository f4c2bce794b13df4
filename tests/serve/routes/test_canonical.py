import httpx
import pytest

from chef.food.canonical.merge import Decision, append_decision, read_decisions
from chef.index import Index
from chef.serve import ServeSettings
from tests.serve.small import served

FATS = ("1 tbsp olive oil", "2 cups unsalted butter", "1 red bell pepper")
OTHERS = ("1 tbsp extra virgin olive oil", "1 cup butter", "1 green bell pepper")
NAMES = {"One": FATS, "Two": OTHERS, "Three": FATS, "Four": OTHERS}
RECIPES = [{"title": title, "ingredients": lines} for title, lines in NAMES.items()]


@pytest.fixture
def reviewed(own):
    """A service whose collection has names that may be one ingredient."""
    assert own.post("/api/recipes", json={"recipes": RECIPES}).status_code == 200
    return own


def decide(client, pair, verdict):
    body = {"a": pair["a"], "b": pair["b"], "verdict": verdict}
    return client.post("/api/canonical/decisions", json=body)


def test_a_review_on_the_page_writes_the_file_of_the_terminal(reviewed, tmp_path):
    answer = reviewed.get("/api/canonical/proposals").json()
    assert answer["done"] == 0
    assert answer["total"] == len(answer["proposals"]) >= 1
    first = answer["proposals"][0]
    assert first["reasons"]
    assert decide(reviewed, first, "accept").json()["done"] >= 1
    assert first not in reviewed.get("/api/canonical/proposals").json()["proposals"]
    written = read_decisions(tmp_path / "review" / "decisions.tsv")
    assert [(item.a, item.b, item.verdict, item.who) for item in written] == [
        (first["a"], first["b"], "accept", "person")
    ]
    assert decide(reviewed, first, "undo").json()["done"] == 0
    assert first in reviewed.get("/api/canonical/proposals").json()["proposals"]


def test_a_decision_made_in_the_terminal_is_seen(reviewed, tmp_path):
    first = reviewed.get("/api/canonical/proposals").json()["proposals"][0]
    decision = Decision(first["a"], first["b"], "reject", "person", "review")
    append_decision(tmp_path / "review" / "decisions.tsv", decision)
    assert first not in reviewed.get("/api/canonical/proposals").json()["proposals"]


def test_what_cannot_be_decided(reviewed, tmp_path):
    first = reviewed.get("/api/canonical/proposals").json()["proposals"][0]
    assert decide(reviewed, first, "undo").status_code == 409
    assert decide(reviewed, first, "maybe").status_code == 422
    assert decide(reviewed, {"a": "../../x", "b": "a\tb\n"}, "accept").status_code == 404
    assert decide(reviewed, {"a": first["a"], "b": ""}, "accept").status_code == 422
    assert not (tmp_path / "review" / "decisions.tsv").exists()


def test_without_a_folder_there_is_no_review(collection):
    with served(Index(collection), ServeSettings(port=0)) as where:
        answer = httpx.get(f"{where}/api/canonical/proposals")
    assert answer.status_code == 404
    assert "--review" in answer.json()["error"]
