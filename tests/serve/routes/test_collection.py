import httpx
import pytest

from chef.food.canonical.merge import Decision, append_decision, read_decisions
from chef.index import Index
from chef.serve import ServeSettings
from tests.serve.small import jpeg, recipe_json, served


def test_the_map_has_a_point_for_every_recipe(client, collection):
    points = client.get("/api/map").json()["points"]
    assert [point["id"] for point in points] == [entry.id for entry in Index(collection).entries()]
    assert all(0 <= point[axis] <= 1 for point in points for axis in "xy")


def test_the_vocabulary_counts(client, collection):
    answer = client.get("/api/vocabulary").json()
    counts = {item["token"]: item["count"] for item in answer["ingredients"]}
    assert counts["salt"] == 24
    assert counts["beef"] == sum("beef" in entry.tokens for entry in Index(collection).entries())
    assert [item["count"] for item in answer["ingredients"]] == sorted(counts.values(), reverse=True)
    assert {"nuts", "dairy", "meat", "shellfish", "gluten"} <= set(answer["groups"])


def test_a_write_is_seen_at_once(own):
    before = own.get("/api/vocabulary").json()
    recipe = {"title": "Kale salad", "ingredients": ["1 bunch kale"], "tags": ["quick"]}
    assert own.post("/api/recipes", json={"recipes": [recipe]}).status_code == 200
    after = own.get("/api/vocabulary").json()
    assert "kale" in {item["token"] for item in after["ingredients"]}
    assert after["tags"] == [{"tag": "quick", "count": 1}]
    assert after["version"] != before["version"]
    assert len(own.get("/api/map").json()["points"]) == 25


def test_an_empty_collection_answers(own, stored):
    for entry in list(stored().entries()):
        assert own.delete(f"/api/recipes/{entry.id}").status_code == 200
    assert own.get("/api/recipes").json()["recipes"] == []
    assert own.get("/api/recipes", params={"q": "rice"}).json()["recipes"] == []
    assert own.get("/api/map").json()["points"] == []
    assert own.get("/api/vocabulary").json()["ingredients"] == []
    assert own.post("/api/search", json={"text": "rice"}).json()["hits"] == []
    assert own.post("/api/search", files={"photo": jpeg()}).json()["hits"] == []
    swapped = own.post("/api/swap", json={"recipe": recipe_json(), "from": "chicken", "to": "beef"})
    assert (swapped.json()["hits"], swapped.json()["photos"]) == ([], [])
    suggested = own.post("/api/suggestions", json={"recipe": recipe_json(), "from": "chicken"})
    assert suggested.status_code == 200
    assert own.get("/api/metrics").status_code == 200


# The canonical review

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
