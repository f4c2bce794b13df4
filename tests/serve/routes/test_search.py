import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from chef.index import Index
from tests.serve.small import jpeg, recipe_json


def hits(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["hits"]


def test_words_find_what_the_collection_finds(client, collection):
    answer = client.post("/api/search", json={"text": "beef with rice", "k": 5})
    wanted = Index(collection).search(text="beef with rice", k=5)
    assert [hit["id"] for hit in hits(answer)] == [hit.id for hit in wanted]
    first = hits(answer)[0]
    assert set(first) == {
        "id", "title", "score", "probability", "main_ingredient", "main_confidence", "actions", "ingredients",
        "why", "has_image", "missing", "not_understood", "favourite",
    }  # fmt: skip
    assert first["why"]
    assert answer.json()["match"] is None  # the model was not calibrated
    assert answer.json()["version"] == Index(collection).version
    assert answer.json()["took_ms"] > 0


def test_filters_in_words_are_said(client):
    answer = client.post("/api/search", json={"text": "vegetarian rice without nuts"}).json()
    wanted = {"text": "rice", "without": ["nuts"], "diet": "vegetarian", "corrected": {}, "unknown": []}
    assert answer["understood"] == wanted
    literal = client.post("/api/search", json={"text": "rice without nuts", "literal": True}).json()
    assert literal["understood"] is None
    assert client.post("/api/search", json={"diet": "vegn"}).status_code == 404


@pytest.mark.parametrize(
    "query",
    [{"without": ["poultry"], "max_ingredients": 4}, {"pantry": ["beef", "rice", "apples"]}],
)
def test_filters_and_a_pantry_find_what_the_collection_finds(client, collection, query):
    answer = hits(client.post("/api/search", json={"with": ["rice"], **query, "k": 100}))
    wanted = Index(collection).search(with_=["rice"], **query, k=100)
    assert answer
    assert [hit["id"] for hit in answer] == [hit.id for hit in wanted]
    assert [len(hit["missing"]) for hit in answer] == [len(hit.missing) for hit in wanted]


def test_more_like_a_recipe_leaves_itself_out(client):
    similar = hits(client.post("/api/search", json={"id": "r3", "k": 100}))
    assert len(similar) == 23
    assert "r3" not in {hit["id"] for hit in similar}


def test_a_photo_alone_and_with_words_and_filters(client, collection):
    index, query = Index(collection), {"text": "rice", "without": ["chicken"], "k": 4}
    query["weights"] = {"image": 2, "text": 1}
    answer = client.post("/api/search", files={"photo": jpeg()}, data={"query": json.dumps(query)})
    wanted = index.search(image=jpeg(), **query)
    assert [hit["id"] for hit in hits(answer)] == [hit.id for hit in wanted]
    assert [hit["score"] for hit in hits(answer)] == pytest.approx([hit.score for hit in wanted], abs=1e-5)
    alone = client.post("/api/search", files={"photo": ("pie.jpg", jpeg(), "image/jpeg")})
    assert [hit["id"] for hit in hits(alone)] == [hit.id for hit in index.search(image=jpeg())]


def test_a_recipe_as_query_nulls_that_count_as_absent_and_2_0_as_a_whole_number(client):
    assert hits(client.post("/api/search", json={"recipe": recipe_json(), "k": 3}))
    query = {"text": "rice", "recipe": None, "id": None, "main": None, "k": 2.0}
    assert len(hits(client.post("/api/search", json=query))) == 2


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ({}, 422, "empty query"),
        ({"k": 3}, 422, "empty query"),
        ({"text": None, "with": []}, 422, "empty query"),
        ({"text": ""}, 422, "text"),
        ({"text": " \n\t "}, 422, "text"),
        ({"text": "rice", "k": 0}, 422, "k"),
        ({"text": "rice", "k": 101}, 422, "k"),
        ({"text": "rice", "k": "3"}, 422, "k"),
        ({"text": "rice", "k": 2.5}, 422, "k"),
        ({"text": "x" * 1001}, 422, "text"),
        ({"text": "rice", "weights": {"text": -1}}, 422, "weights.text"),
        ({"text": "rice", "wiht": ["rice"]}, 422, "wiht"),
        ({"with": ["rice"] * 51}, 422, "with"),
        ({"with": ["xyzzy"]}, 404, "xyzzy"),
        ({"main": "xyzzy"}, 404, "xyzzy"),
        ({"id": "nobody"}, 404, "nobody"),
        ({"id": "r1", "recipe": recipe_json()}, 409, "both an id and a recipe"),
        ({"recipe": {"ingredients": ["rice"]}}, 422, "recipe.title"),
    ],
)
def test_bad_queries(client, query, status, message):
    answer = client.post("/api/search", json=query)
    assert answer.status_code == status, answer.text
    assert message in answer.json()["error"]


def test_a_form_without_a_photo_or_with_odd_fields(client):
    assert client.post("/api/search", files={"photo": (None, "text")}).status_code == 422
    assert client.post("/api/search", files={"picture": jpeg()}).status_code == 422
    assert client.post("/api/search", files=[("photo", jpeg()), ("photo", jpeg())]).status_code == 400
    odd = client.post("/api/search", files={"photo": jpeg()}, data={"query": "{not JSON"})
    assert (odd.status_code, odd.json()) == (422, {"error": "the body is not valid JSON"})


def test_requests_at_the_same_time_are_embedded_together(client):
    def batches(part):
        text = client.get("/api/metrics").text
        name = f'chef_embed_batch_size_{part}{{kind="photo"}} '
        return sum(float(line.removeprefix(name)) for line in text.splitlines() if line.startswith(name))

    before = batches("count"), batches("sum")
    photo = {"photo": jpeg((900, 900))}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: client.post("/api/search", files=photo), range(32)))
    assert batches("sum") - before[1] == 32
    assert batches("count") - before[0] < 32
    assert len({json.dumps([hit["id"] for hit in hits(answer)]) for answer in answers}) == 1
