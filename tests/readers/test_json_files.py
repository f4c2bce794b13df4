"""JSON documents, arrays, lines, and Nextcloud folders."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chef.readers import base, json_files
from chef.readers.base import BrokenJson
from chef.readers.json_files import elements
from chef.recipe import Ingredient, Recipe, Step
from tests.readers.helpers import SOUP, lines_of, picture, read_all, recipe, texts_of, write, write_lines


def test_schema_org(tmp_path: Path) -> None:
    (got,), _ = read_all(write(tmp_path / "soup.jsonld", SOUP))
    assert got.title == "Pea soup"
    assert lines_of(got) == ["400 g peas", "1 onion"]
    assert texts_of(got) == ["Boil the peas.", "Blend them."]
    assert got.tags == ("green", "quick", "British")
    assert (got.images, got.url) == (("https://example.org/soup.jpg",), "https://example.org/soup")


def test_an_array_is_read_item_by_item(tmp_path: Path) -> None:
    a, b, c = recipe(title="A"), recipe(title="B"), recipe(title="C", id="c")
    recipes, skipped = read_all(write(tmp_path / "all.json", [a, 5, b, {"@type": "WebSite"}, {"x": 1}, c]))
    assert [got.title for got in recipes] == ["A", "B", "C"]
    assert len({got.id for got in recipes}) == 3
    assert skipped.counts == {"not a recipe": 2}
    assert skipped.examples["not a recipe"] == ["all.json item 2", "all.json item 5"]
    recipes, skipped = read_all(write(tmp_path / "cut.json", json.dumps([a, b])[:-20]))
    assert [got.title for got in recipes] == ["A"]
    assert skipped.counts == {"cut short": 1}
    assert "after 1 recipes" in skipped.examples["cut short"][0]


def test_files_without_a_recipe(tmp_path: Path) -> None:
    contents = {"package": {"name": "site", "version": 1}, "tags": ["a", "b"], "empty": "", "broken": "{"}
    for name, content in contents.items():
        write(tmp_path / f"{name}.json", content)
    recipes, skipped = read_all(tmp_path)
    assert recipes == []
    assert skipped.counts == {"no recipe in the file": 2, "not JSON": 2}


@pytest.mark.parametrize(
    ("name", "encode"),
    [
        ("lines.json", lambda text: f'{text}\n{{"title": "B", "ingredients": ["x"]}}'.encode()),
        ("a.json", lambda text: text.encode("utf-16")),
        ("array.json", lambda text: b"\xfe\xff" + f"[{text}]".encode("utf-16-be")),
        ("a.jsonl", lambda text: f"{text}\n{text}\n".encode("utf-16")),
        ("a.jsonl.gz", lambda text: gzip.compress(text.encode())),
        ("a.md", lambda _: "# Crème\n## Ingredients\n- 1 egg\n".encode("utf-16")),
        ("a.txt", lambda _: "Crème\n\nIngredients\n1 egg\n\nMethod\nBeat it.\n".encode("utf-16")),
    ],
    ids=["another name", "utf-16", "array of utf-16", "lines of utf-16", "gzipped", "markdown", "text"],
)
def test_ways_to_write_the_same(tmp_path: Path, name: str, encode: Any) -> None:
    text = json.dumps(recipe(title="Crème"), ensure_ascii=False)
    assert read_all(write(tmp_path / name, encode(text)))[0][0].title == "Crème"


def test_the_layout_with_images_and_splits(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path / "images" / f"{name}.jpg", picture())
    rows = [recipe(id=name, title=name.upper(), image=f"images/{name}.jpg", path="x.md") for name in "abcd"]
    write_lines(tmp_path / "recipes.jsonl", *rows)
    write(tmp_path / "splits.json", {"train": ["a", "b"], "test": ["c"]})
    write(tmp_path / "README.md", "# Recipes\nWhere they are from.\n")
    recipes, skipped = read_all(tmp_path)
    assert {got.id: got.split for got in recipes} == {"a": "train", "b": "train", "c": "test", "d": None}
    assert recipes[0].images == (str(tmp_path / "images" / "a.jpg"),)
    assert lines_of(recipes[0]) == ["2 slices bread", "50 g cheddar"]
    assert texts_of(recipes[0]) == ["Toast the bread.", "Melt the cheddar on it."]
    assert skipped.counts == {}  # a README without a recipe is no loss
    assert skipped.notes.counts == {"missing image": 1}


def test_a_gzipped_file_that_was_cut_gives_what_it_can(tmp_path: Path) -> None:
    rows = b"\n".join(json.dumps(recipe(id=n, title=f"{n * 7919:x}")).encode() for n in range(5000))
    packed = gzip.compress(rows)
    write(tmp_path / "a.jsonl.gz", packed[: len(packed) // 2])
    write(tmp_path / "b.jsonl.gz", b"not gzip at all")
    recipes, skipped = read_all(tmp_path)
    assert 0 < len(recipes) < 5000
    assert skipped.counts == {"cut short": 1, "cannot be read": 1}


def test_our_own_lines_come_back_equal(tmp_path: Path) -> None:
    image = write(tmp_path / "pie.jpg", picture())
    beans = Ingredient("2 cups green beans", "green beans", 2.0, "cup", 220.0, "green_beans")
    own = Recipe(
        "x1",
        "Pie",
        (beans, Ingredient("salt")),
        (Step("Roll.", "Crust"), Step("Bake.")),
        (str(image), "https://example.org/pie.jpg"),
        ("sweet", "winter, spring"),
        *("a book", "CC0", "https://example.org/pie", "train"),
    )
    write_lines(tmp_path / "own.jsonl", own.to_json())
    assert read_all(tmp_path)[0] == [own]


def test_bad_lines_are_counted_and_the_others_read(tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "a.jsonl",
        b"\xef\xbb\xbf" + json.dumps(recipe(id="bom")).encode(),
        "{not json",
        "[1, 2]",
        "null",
        '"text"',
        "",
        "[" * 100_000,
        '{"id": 1' + "0" * 5000 + "}",
        json.dumps(recipe(id="caf\u00e9"), ensure_ascii=False).encode("latin-1"),
        '{"id": "nan", "title": "Pie", "rating": NaN, "ingredients": ["2 apples", NaN]}',
        recipe(id="after", foreign={"deep": [1]}),
    )
    recipes, skipped = read_all(source)
    assert [got.id for got in recipes] == ["bom", "café", "nan", "after"]
    assert skipped.counts == {"not JSON": 3, "not an object": 3}
    assert "a.jsonl line 2" in skipped.examples["not JSON"][0]


def test_a_line_without_end_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "LINE", 1000)
    source = write_lines(tmp_path / "a.jsonl", recipe(id="a"), "x" * 5000, recipe(id="b"), "y" * 1001)
    recipes, skipped = read_all(source)
    assert [got.id for got in recipes] == ["a", "b"]
    assert skipped.counts == {"too large": 2}


@pytest.mark.parametrize("splits", ["{", "[]", '{"train": 5}', "7"])
def test_splits_that_are_none_are_noted(tmp_path: Path, splits: str) -> None:
    write(tmp_path / "splits.json", splits)
    (got,), skipped = read_all(write_lines(tmp_path / "a.jsonl", recipe(id="a")))
    assert got.split is None
    assert skipped.notes.counts == {"splits not read": 1}


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
names = st.sampled_from(
    "id title name ingredients instructions image images tags text line quantity unit food note section "
    "@type @graph itemListElement Recipe url split".split()
)
anything = st.recursive(
    scalars | names,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(names | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=12,
)
objects = st.dictionaries(names, anything, max_size=8)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(anything | objects, min_size=1, max_size=5))
def test_every_line_is_read_or_counted(tmp_path: Path, values: list[Any]) -> None:
    recipes, skipped = read_all(write_lines(tmp_path / "a.jsonl", *map(json.dumps, values)))
    assert len(recipes) + skipped.total >= len(values)


def test_the_open_recipes_are_all_there(chef_data: Path) -> None:
    recipes, skipped = read_all(chef_data / "open-recipes")
    with (chef_data / "open-recipes" / "recipes.jsonl").open("rb") as lines:
        assert len(recipes) == sum(1 for _ in lines) > 6000
    assert all(len(got.images) == 1 and got.split and got.ingredients and got.steps for got in recipes)
    assert skipped.counts == {}
    assert skipped.notes.counts == {}


@pytest.mark.slow
def test_the_text_recipes_are_all_there(chef_data: Path) -> None:
    recipes, skipped = read_all(chef_data / "text")
    files = (chef_data / "text").glob("*.jsonl.gz")
    stored = sum(gzip.decompress(file.read_bytes()).count(b"\n") for file in files)
    assert (len(recipes), skipped.total) == (stored, 0)
    assert stored > 70_000


STEW = {
    "@context": "http://schema.org",
    "@type": "Recipe",
    "name": "Bean stew",
    "image": "https://example.org/old.jpg",
    "recipeIngredient": ["## Base", "1 onion", "2 cups beans"],
    "recipeInstructions": ["## Base", "Fry the onion.", "Add the beans."],
    "recipeCategory": "Main",
    "keywords": "warm,cheap",
}


def test_nextcloud_has_a_folder_for_each_recipe(tmp_path: Path) -> None:
    for number, name in enumerate(("Bean stew", "Lentil stew")):
        write(tmp_path / name / "recipe.json", {**STEW, "name": name, "id": str(number)})
        write(tmp_path / name / "full.jpg", picture())
        write(tmp_path / name / "thumb.jpg", picture())
    recipes, skipped = read_all(tmp_path)
    assert [(got.id, got.title) for got in recipes] == [("0", "Bean stew"), ("1", "Lentil stew")]
    assert recipes[0].images == (str(tmp_path / "Bean stew" / "full.jpg"),)
    assert lines_of(recipes[0]) == ["1 onion", "2 cups beans"]
    assert recipes[0].steps == (Step("Fry the onion.", "Base"), Step("Add the beans.", "Base"))
    assert recipes[0].tags == ("warm", "cheap", "Main")
    assert skipped.total == skipped.notes.total == 0


def test_the_folder_names_a_recipe_without_id_and_its_photo_goes_before_the_address(tmp_path: Path) -> None:
    source = write(tmp_path / "Stew" / "recipe.json", STEW)
    assert read_all(tmp_path)[0][0].images == ("https://example.org/old.jpg",)
    photo = write(tmp_path / "Stew" / "thumb.jpg", picture())
    for place in (tmp_path, source):
        (got,), _ = read_all(place)
        assert (got.id, got.images) == ("Stew", (str(photo),))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=20,
)


def read_elements(data: bytes, limit: int = 1 << 20) -> tuple[list[Any], str | None]:
    """What came before the fault, and the reason of the fault."""
    values = []
    try:
        for value in elements(io.BytesIO(data), limit):
            values.append(value)
    except BrokenJson as error:
        return values, error.reason
    return values, None


@given(st.lists(json_values, max_size=8), st.integers(1, 40), st.booleans())
def test_equals_json_loads_with_any_chunk_size(values: list[Any], chunk: int, is_ascii: bool) -> None:
    text = json.dumps(values, ensure_ascii=is_ascii, indent=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_files, "_CHUNK", chunk)
        # Lone surrogates cannot be encoded as they are: the escaped form covers them.
        got, error = read_elements(text.encode("utf-8", "surrogatepass" if is_ascii else "ignore"))
    assert error is None
    assert got == (json.loads(text.encode("utf-8", "ignore")) if not is_ascii else values)


@given(st.integers(0, 170))
def test_a_file_cut_anywhere_gives_the_whole_elements_before_the_cut(length: int) -> None:
    values = [{"id": str(number), "n": [number, "x]},"]} for number in range(5)]
    texts = [json.dumps(value) for value in values]
    text = f"[{', '.join(texts)}]"
    length = min(length, len(text) - 1)
    ends = [1 + len(", ".join(texts[: number + 1])) for number in range(5)]
    whole = values[: sum(end <= length for end in ends)]
    assert read_elements(text[:length].encode()) == (whole, "cut short" if length else "not JSON")


@pytest.mark.parametrize(
    ("data", "values", "reason"),
    [
        (b'[{"a": 1}, {"a": oops}, {"a": 3}]' + b" " * 100, [{"a": 1}], "not JSON"),  # no cut
        (b'[{"a": 1} {"a": 2}]', [{"a": 1}], "not JSON"),
        (b"", [], "not JSON"),
        (b"   ", [], "not JSON"),
        (b'{"a": 1}', [], "not JSON"),
        (b"[" * 100_000, [], "not JSON"),
        (b'\xef\xbb\xbf["cr\xe8me"]', ["crème"], None),
    ],
    ids=["fault", "no comma", "empty", "blank", "object", "deep", "latin 1 with a mark"],
)
def test_faults_and_encodings(data: bytes, values: list[Any], reason: str | None) -> None:
    assert read_elements(data) == (values, reason)


def test_an_element_past_the_limit_is_not_held() -> None:
    data = io.BytesIO(b'["' + b"x" * (8 << 20) + b'"]')
    with pytest.raises(BrokenJson, match="no end within 1 MB") as caught:
        list(elements(data, limit=1 << 20))
    assert caught.value.reason == "too large"
    assert data.tell() < 5 << 20
