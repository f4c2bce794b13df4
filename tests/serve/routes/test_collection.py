from chef.index import Index
from tests.serve.small import jpeg, recipe_json


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
