import pytest

from chef.food.groups import has
from chef.index import Index
from chef.recipe import Recipe
from tests.serve.small import recipe_json


@pytest.fixture(scope="module")
def with_chicken(collection):
    """The id of a recipe of the collection that has chicken and no beef."""
    return Index(collection).search(with_=["chicken"], without=["beef"], k=1)[0].id


def test_explain_takes_a_recipe_of_the_client_and_one_of_our_responses(client, collection):
    answer = client.post("/api/explain", json={"recipe": recipe_json()}).json()
    recipe = Recipe.from_json({"id": "x", **recipe_json()})
    assert answer == Index(collection).chef.explain(recipe).to_json()
    entry = client.get("/api/recipes/r5").json()
    assert client.post("/api/explain", json={"recipe": entry["recipe"]}).json()["tree"] == entry["tree"]


@pytest.mark.parametrize(
    "recipe", [None, {}, {"title": ""}, {"title": " "}, {"title": "x", "ingredients": [1]}]
)
def test_no_recipe_to_explain(client, recipe):
    assert client.post("/api/explain", json={"recipe": recipe}).status_code == 422


def test_swap(client, with_chicken):
    swap = {"from": "chicken", "to": "beef", "k": 5}
    answer = client.post("/api/swap", json={"id": with_chicken, **swap}).json()
    assert "beef" in answer["recipe"]["title"].lower()
    assert "chicken" not in str(answer["recipe"]).lower()
    assert "beef" in [leaf["token"] for leaf in answer["explanation"]["ingredients"]]
    assert {change["part"] for change in answer["changed"]} == {"title", "ingredients", "instructions"}
    assert "beef" in answer["notes"][0]
    assert len(answer["hits"]) == 5
    assert with_chicken not in [hit["id"] for hit in answer["hits"] + answer["photos"]]
    assert all(hit["has_image"] for hit in answer["photos"])
    own = client.post("/api/swap", json={"recipe": recipe_json(), **swap}).json()
    assert own["recipe"]["title"] == "Beef with rice"


def test_suggestions(client, with_chicken):
    body = {"id": with_chicken, "from": "chicken", "k": 3}
    answer = client.post("/api/suggestions", json=body).json()
    assert len(answer["suggestions"]) == 3
    scores = [suggestion["score"] for suggestion in answer["suggestions"]]
    assert scores == sorted(scores, reverse=True)
    tokens = [suggestion["token"] for suggestion in answer["suggestions"]]
    assert "chicken" not in tokens
    kept = client.post("/api/suggestions", json={**body, "without": [tokens[0]], "diet": "vegetarian"}).json()
    assert tokens[0] not in [suggestion["token"] for suggestion in kept["suggestions"]]
    assert not [one for one in kept["suggestions"] if has("meat", one["token"])]


def test_prune(client):
    lines = ["500 g chicken", "1 cup rice", "1 tsp salt", "2 tbsp parsley, to garnish"]
    answer = client.post("/api/prune", json={"recipe": recipe_json(ingredients=lines), "k": 2}).json()
    assert (answer["removed"], answer["reasons"]) == (["parsley"], ["a garnish"])
    assert len(answer["recipe"]["ingredients"]) == 3
    assert "chicken" in answer["note"]


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        ("swap", {"id": "r0", "from": "xyzzy", "to": "beef"}, 404, "xyzzy"),
        ("swap", {"id": "nobody", "from": "salt", "to": "beef"}, 404, "nobody"),
        ("swap", {"from": "salt", "to": "beef"}, 422, "either"),
        ("swap", {"id": "r0", "recipe": recipe_json(), "from": "salt", "to": "beef"}, 422, "either"),
        ("swap", {"id": "r0", "from": "salt"}, 422, "to"),
        ("swap", {"id": "r0", "from": "", "to": "beef"}, 422, "from"),
        ("suggestions", {"id": "r0", "from": "xyzzy"}, 404, "xyzzy"),
        ("suggestions", {"id": "r0", "from": "salt", "k": 1000}, 422, "k"),
        ("suggestions", {"id": "r0", "from": "salt", "diet": "air"}, 404, "air"),
        ("prune", {"id": "nobody"}, 404, "nobody"),
        ("prune", {"id": "r0", "k": 0}, 422, "k"),
        ("prune", {"recipe": {"title": "Nothing in it"}}, 404, "Nothing in it"),
    ],
)
def test_what_cannot_be_done(client, path, body, status, message):
    answer = client.post(f"/api/{path}", json=body)
    assert answer.status_code == status, answer.text
    assert message in answer.json()["error"]
