import errno
import json
from io import BytesIO
from urllib.parse import quote
from zipfile import ZipFile

import pytest
from PIL import Image

from chef.index import Index
from chef.index.values import stored_id
from tests.serve.small import jpeg, recipe_json

PLUM_CAKE = {
    "@type": "Recipe",
    "name": "Plum cake",
    "recipeIngredient": ["300 g plums", "200 g flour"],
    "recipeInstructions": [{"@type": "HowToStep", "text": "Bake it."}],
}
JSONLD = {"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": "A kitchen"}, PLUM_CAKE]}


def add(client, **body):
    answer = client.post("/api/recipes", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def upload(client, *files):
    return client.post("/api/recipes", files=[("files", file) for file in files])


# Reading


def test_all_that_a_recipe_has_goes_in_and_out(own):
    details = {
        "description": "Sweet.", "servings": "8 slices", "prep_minutes": 20, "cook_minutes": 40,
        "total_minutes": 60,
        "notes": ["Freezes well."], "language": "en", "rating": 4.5, "nutrition": {"calories": "300 kcal"},
    }  # fmt: skip
    add(own, recipes=[recipe_json(id="detailed", **details)])
    told = own.get("/api/recipes/detailed").json()["recipe"]
    assert {name: told[name] for name in details} == details


def test_the_list_comes_in_pages_those_with_a_photo_first(client, collection):
    by_title = sorted(
        Index(collection).entries(), key=lambda entry: (entry.recipe.title.casefold(), entry.id)
    )
    ids = [entry.id for entry in sorted(by_title, key=lambda entry: not entry.has_image)]
    pages = [client.get("/api/recipes", params={"offset": at, "limit": 10}).json() for at in (0, 10, 20, 30)]
    assert [recipe["id"] for page in pages for recipe in page["recipes"]] == ids
    assert {page["total"] for page in pages} == {24}


def test_the_list_by_words(client):
    page = client.get("/api/recipes", params={"q": "beef", "limit": 3}).json()
    assert all("beef" in recipe["title"] for recipe in page["recipes"])
    rest = client.get("/api/recipes", params={"q": "beef", "offset": 3, "limit": 3}).json()
    ids = [recipe["id"] for recipe in page["recipes"] + rest["recipes"]]
    assert len(set(ids)) == 6
    assert client.get("/api/recipes", params={"q": "beef", "offset": 24}).json()["recipes"] == []


@pytest.mark.parametrize("query", ["offset=-1", "limit=0", "limit=501", "limit=many", f"q={'x' * 201}"])
def test_a_bad_page(client, query):
    answer = client.get(f"/api/recipes?{query}")
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(query.split("=")[0])


def test_one_recipe_with_its_trees_and_its_photo(client, collection):
    index = Index(collection)
    entry, answer = index.get("r0"), client.get("/api/recipes/r0").json()
    assert answer["recipe"]["title"] == entry.recipe.title
    assert answer["recipe"]["ingredients"][0]["token"] == entry.recipe.ingredients[0].token
    assert (answer["main_ingredient"], answer["has_image"]) == (entry.main_ingredient, True)
    explained = index.chef.explain(entry.recipe).to_json()
    for part in ("tree", "steps", "ingredients"):
        assert answer[part] == explained[part]
    photo = client.get("/api/recipes/r0/photo")
    assert photo.headers["content-type"] == "image/jpeg"
    with Image.open(BytesIO(photo.content)) as image:
        assert image.format == "JPEG"
        assert max(image.size) <= 320


def test_no_photo_and_no_recipe(client):
    assert client.get("/api/recipes/r23/photo").json() == {"error": "this recipe has no photo"}
    for path in ("/api/recipes/nobody", "/api/recipes/nobody/photo"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "nobody" in answer.json()["error"]


# Writing


def test_add_update_and_remove(own, stored):
    one = recipe_json(id="new/one", title="Beef with apples")
    ids = [one["id"]]
    assert add(own, recipes=[one]) == {"added": 1, "updated": 0, "unchanged": 0, "skipped": {}, "ids": ids}
    assert add(own, recipes=[one])["unchanged"] == 1
    assert add(own, recipes=[{**one, "title": "Beef with more apples"}])["updated"] == 1
    assert stored().get("new/one").recipe.title == "Beef with more apples"
    hits = own.post("/api/search", json={"text": "beef with more apples", "k": 1}).json()["hits"]
    assert hits[0]["id"] == "new/one"
    assert own.get("/api/recipes/new%2Fone").json()["recipe"]["title"] == "Beef with more apples"
    assert own.delete("/api/recipes/new%2Fone").json() == {"removed": 1}
    assert own.delete("/api/recipes/new%2Fone").status_code == 404
    assert own.get("/api/recipes/new%2Fone").status_code == 404
    assert stored().info().recipes == 24


PASTED = {
    "object": JSONLD,
    "list": [JSONLD],
    "text": json.dumps(JSONLD),
    "page": f"<html><script type='application/ld+json'>{json.dumps(JSONLD)}</script></html>",
}


@pytest.mark.parametrize("jsonld", PASTED.values(), ids=PASTED)
def test_pasted_jsonld(own, jsonld):
    assert add(own, jsonld=jsonld)["added"] == 1
    assert add(own, jsonld=jsonld)["unchanged"] == 1
    other = json.loads(json.dumps(jsonld).replace("Plum cake", "Apple cake").replace("plums", "apples"))
    assert add(own, jsonld=other)["added"] == 1  # not in place of the first
    assert own.get("/api/recipes").json()["total"] == 26


def test_files_with_their_photo(own, stored):
    recipe = json.dumps(recipe_json(id="pie", image="photos/pie.jpg"))
    answer = upload(own, ("box/recipes.jsonl", recipe + "\n"), ("box/photos/pie.jpg", jpeg()))
    assert answer.json() == {"added": 1, "updated": 0, "unchanged": 0, "skipped": {}, "ids": ["pie"]}
    assert stored().get("pie").has_image
    assert own.get("/api/recipes/pie/photo").status_code == 200
    assert "images" not in own.get("/api/recipes/pie").json()["recipe"]


def test_markdown_and_an_archive_in_one_upload(own):
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("other.json", json.dumps(recipe_json()))
    page = "# Soup\n\n## Ingredients\n\n- 1 onion\n- 1 l water\n\n## Instructions\n\n1. Boil.\n"
    answer = upload(own, ("soup.md", page), ("notes.odt", b"?"), ("export.zip", packed.getvalue()))
    assert answer.status_code == 200, answer.text
    assert answer.json()["added"] >= 1
    assert answer.json()["skipped"]["unknown format"] >= 1


def test_what_cannot_be_read_is_answer(own, stored):
    answer = add(own, recipes=[recipe_json(), {"title": "Air", "ingredients": []}, {"odd": 1}])
    assert (answer["added"], answer["skipped"]) == (1, {"not a recipe": 2})
    nothing = own.post("/api/recipes", json={"recipes": [{"odd": 1}]})
    assert nothing.status_code == 404
    assert "no recipe" in nothing.json()["error"]


def test_bodies_that_add_nothing(own):
    nothing = [{}, {"recipes": []}, {"recipes": "x"}, {"recipes": [1]}, {"jsonld": None}, {"jsonld": 3}]
    for body in (*nothing, {"recipes": [{}], "jsonld": {}}, {"recipe": {}}):
        assert own.post("/api/recipes", json=body).status_code == 422, body


@pytest.mark.parametrize("id", ["soup/photo", "photo", "a/photo/photo", "x" * 1000, "/", "?", "%2F", "ä/é"])
def test_any_id_can_be_read_and_removed(own, id):
    add(own, recipes=[recipe_json(id=id), recipe_json(id="soup")])
    address = f"/api/recipes/{quote(id, safe='')}"
    assert own.get(address).json()["recipe"]["id"] == stored_id(id)
    assert own.get(f"{address}/photo").json() == {"error": "this recipe has no photo"}
    query = {"id": id, "k": 1}
    assert own.post("/api/search", json=query).status_code == 200
    assert own.delete(address).json() == {"removed": 1}


def test_a_full_disk_is_507_and_nothing_is_stored(own, stored, monkeypatch):
    open_file = open

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    for place in ("chef.serve.uploads.write_body", "chef.index.store.Store.upsert"):
        with monkeypatch.context() as patch:
            patch.setattr(place, full)
            answer = own.post("/api/recipes", json={"recipes": [recipe_json()]})
        assert answer.status_code == 507
        assert answer.json() == {"error": "the disk of the service is full; nothing was stored"}
    with monkeypatch.context() as patch:
        patch.setattr("chef.serve.uploads.open", lambda *_: open_file("/dev/full", "wb"), raising=False)
        assert upload(own, ("soup.json", json.dumps(recipe_json()))).status_code == 507
    assert stored().info().recipes == 24


def test_other_files_and_addresses_are_never_opened(own, stored, tmp_path):
    """A recipe that names a file of the server, or a web address, gets no photo of it."""
    secret = tmp_path / "secret.jpg"
    secret.write_bytes(jpeg())
    names = [str(secret), "../secret.jpg", "http://127.0.0.1:9/secret.jpg", f"file://{secret}"]
    add(own, recipes=[recipe_json(id="spy", images=names)])
    upload(own, ("spy.json", json.dumps(recipe_json(id="spy2", image=str(secret)))))
    assert not stored().get("spy").has_image
    assert not stored().get("spy2").has_image


def test_the_same_upload_again_changes_nothing(own, stored):
    recipe = recipe_json(id="pie", image="pie.jpg")
    files = ("recipes.json", json.dumps([recipe])), ("pie.jpg", jpeg())
    answers = [upload(own, *files).json() for _ in range(2)]
    assert [(one["added"], one["updated"], one["unchanged"]) for one in answers] == [(1, 0, 0), (0, 0, 1)]
    entry = stored().get("pie")
    assert entry.has_image
    assert entry.recipe.images == ()  # no place on the machine of the service


def test_every_id_of_the_list_can_be_asked_for(own):
    add(own, recipes=[recipe_json(id=id) for id in ("pies/photo", "x" * 600, "cafe\u0301")])
    ids = [one["id"] for one in own.get("/api/recipes", params={"limit": 100}).json()["recipes"]]
    assert len(ids) == 27
    for id in ids:
        assert own.get(f"/api/recipes/{quote(id)}").json()["recipe"]["id"] == id


# A cook's own


def test_edits_favourites_and_notes_outlive_their_source(own, stored):
    """Read again, a source changes nothing; changed, it undoes the edit and keeps what is the cook's."""
    source = recipe_json(id="pot", servings="4")
    assert add(own, recipes=[source])["ids"] == ["pot"]
    mine = {"favourite": True, "own_note": "Less salt.\nMore rice.", "title": "My pot", "prep_minutes": 5}
    for fields in (mine, {"ingredients": ["1 kg chicken", "1 cup rice", "1 tsp salt"]}):
        assert own.patch("/api/recipes/pot", json=fields).status_code == 200
    answer = own.get("/api/recipes/pot").json()
    assert mine.items() <= answer["recipe"].items()
    assert answer["recipe"]["ingredients"][0]["grams"] == 1000
    assert answer["recipe"]["instructions"] == source["instructions"]
    assert own.get("/api/recipes").json()["recipes"][0]["id"] == "pot"
    liked = own.post("/api/search", json={"tags": ["favourite"]}).json()
    assert (liked["total"], [hit["id"] for hit in liked["hits"]]) == (1, ["pot"])

    assert add(own, recipes=[source])["unchanged"] == 1
    stored().rebuild()
    assert own.get("/api/recipes/pot").json()["recipe"]["title"] == "My pot"
    assert add(own, recipes=[{**source, "servings": "6"}])["updated"] == 1
    recipe = stored().get("pot").recipe
    assert (recipe.title, recipe.servings) == (source["title"], "6")
    assert (recipe.favourite, recipe.own_note) == (True, mine["own_note"])


def test_another_photo(own, stored):
    add(own, recipes=[recipe_json(id="pot")])
    changed = {"recipe": (None, '{"title": "Seen"}'), "photo": ("pot.jpg", jpeg())}
    assert own.patch("/api/recipes/pot", files=changed).status_code == 200
    assert Image.open(BytesIO(stored().thumbnail("pot"))).size == (64, 48)
    own.patch("/api/recipes/pot", json={"title": "Seen again"})
    assert stored().thumbnail("pot") is not None
    assert stored().near_photos(stored().chef.embed_images([jpeg()])[0], k=1)[0].title == "Seen again"


@pytest.mark.parametrize("fields", [{"title": " "}, {"id": "other"}, {"rating": 9}, {"favourite": "very"}, 3])
def test_what_cannot_be_edited(own, fields):
    add(own, recipes=[recipe_json(id="pot")])
    assert own.patch("/api/recipes/pot", json=fields).status_code == 422
    assert own.patch("/api/recipes/none", json={"favourite": True}).status_code == 404


def test_drafts_are_read_and_not_stored(own, stored):
    before = stored().info().recipes
    text = "Plum toast\n\nServes 2\n\nIngredients\n2 slices bread\n4 plums\n\nMethod\n1. Toast the bread.\n"
    page = (
        f'<script type="application/ld+json">{json.dumps({**PLUM_CAKE, "image": "/etc/hostname"})}</script>'
    )
    for given, title in ((text, "Plum toast"), (page, "Plum cake")):
        answer = own.post("/api/drafts", json={"text": given}).json()
        assert [draft["recipe"]["title"] for draft in answer["drafts"]] == [title]
        assert answer["drafts"][0]["photo"] is None
    assert stored().info().recipes == before
    assert own.post("/api/drafts", json={"text": "nothing"}).status_code == 404
    assert own.post("/api/drafts", json={}).status_code == 422
    private = own.post("/api/drafts", json={"address": "http://127.0.0.1:1/"})
    assert (private.status_code, "private network" in private.json()["error"]) == (404, True)


def test_an_export_can_be_added(own, stored, tmp_path):
    add(own, recipes=[recipe_json(id="pot", favourite=True, own_note="Less salt.")])
    answer = own.get("/api/export")
    (tmp_path / "all.zip").write_bytes(answer.content)
    copy = Index(tmp_path / "copy", stored().chef)
    assert copy.add(tmp_path / "all.zip").added == stored().info().recipes
    recipe = copy.get("pot").recipe
    assert (recipe.favourite, recipe.own_note) == (True, "Less salt.")
    assert copy.info().with_image == stored().info().with_image > 0
