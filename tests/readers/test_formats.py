# ruff: noqa: E501 -- files on one line each
"""A small file of our own in every format, and the recipe that is read from it."""

import io
import json
import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from chef.readers import base, image_bytes, one_recipe
from chef.recipe import Recipe
from tests.readers.helpers import lines_of, picture, read_all, texts_of, write
from tests.readers.test_archives import pack, packed

SAMPLES = Path(__file__).with_name("samples")
# Looked over by eye: the fields of each recipe but its id and photos.
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((SAMPLES / "expected.json").read_text("utf-8"))
PHOTO, SECOND = picture(), picture(colour="green")


def fields_of(recipe: Recipe) -> dict[str, Any]:
    data = recipe.to_json()
    data["ingredients"] = lines_of(recipe)
    return {name: value for name, value in data.items() if name not in ("id", "images")}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_of_each_format(name: str, tmp_path: Path) -> None:
    given = "database.json" if name == "mealie_backup.json" else name
    recipes, skipped = read_all(Path(shutil.copy(SAMPLES / name, tmp_path / given)))
    assert [fields_of(one) for one in recipes] == EXPECTED[name]
    assert skipped.total == 0


def zipped(members: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def test_photos_in_the_file_beside_it_and_in_archives_of_every_app(tmp_path: Path) -> None:
    tandoor = {"recipe.json": sample("tandoor.json"), "image.jpg": PHOTO}
    id = "01234567-89ab-cdef-0123-456789abcdef"
    sources = {
        "tandoor.zip": ({"1.zip": zipped(tandoor), "2.zip": zipped({"recipe.json": b"{}"})}, [PHOTO]),
        "mealie.zip": (
            {"x/database.json": sample("mealie_backup.json"), f"x/data/recipes/{id}/images/original.webp": PHOTO},
            [PHOTO],
        ),
        "keeper.zip": (
            {"recipes.html": sample("recipe_keeper.html"), "images/soup_0.jpg": PHOTO, "images/soup_1.jpg": SECOND},
            [PHOTO, SECOND],
        ),
        "copy.zip": ({"recipes.html": sample("copy_me_that.html"), "images/soup.jpg": PHOTO}, [PHOTO]),
        "cook.zip": ({"a/Tea.cook": sample("Mint tea.cook"), "a/Tea.jpg": PHOTO}, [PHOTO]),
        "gourmet.zip": ({"book.grmt": sample("gourmet.grmt")}, [image_bytes(_photo_of("gourmet.grmt"))]),
        "paprika.zip": (
            {"box.paprikarecipes": zipped({"Pie.paprikarecipe": packed({"name": "Pie", "ingredients": "1 egg", "photo_data": "aGk="})})},
            [b"hi"],
        ),
        "nextcloud.zip": (
            {"Soup/recipe.json": json.dumps({"name": "Soup", "recipeIngredient": ["1 leek"]}), "Soup/full.jpg": PHOTO},
            [PHOTO],
        ),
        "chowdown.zip": (
            {
                "site/_recipes/pie.md": "---\nlayout: recipe\ntitle: Pie\nimage: pie.jpg\ncomponents:\n- crust\n---\n",
                "site/_components/crust.md": "---\nlayout: component\ntitle: Crust\ningredients:\n- 200 g flour\ndirections:\n- Rub.\n---\n",
                "site/images/pie.jpg": PHOTO,
            },
            [PHOTO],
        ),
    }  # fmt: skip
    for name, (members, photos) in sources.items():
        recipes, _ = read_all(pack(tmp_path / name, members))
        shown = [image for one in recipes for image in one.images]
        assert [image_bytes(image) for image in shown] == photos, name
        assert all(image.startswith(str(tmp_path / name) + "!") for image in shown)
    assert [one.title for one in read_all(tmp_path / "chowdown.zip")[0]][-1] == "Pie"
    assert len({one.id for one in read_all(tmp_path)[0]}) == len(read_all(tmp_path)[0])


def _photo_of(name: str) -> str:
    return next(image for one in read_all(SAMPLES / name)[0] for image in one.images)


@pytest.mark.parametrize("name", ["box.tar", "box.tar.gz", "box.kre"])
def test_recipes_in_a_tar(tmp_path: Path, name: str) -> None:
    with tarfile.open(tmp_path / name, "w" if name.endswith(".tar") else "w:gz") as archive:
        for member, data in (("a/k.kreml", sample("krecipes.kreml")), ("a/b.mmf", sample("meal_master.mmf"))):
            info = tarfile.TarInfo(member)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("a/link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    recipes, skipped = read_all(tmp_path / name)
    assert [one.title for one in recipes] == ["Rice with Peas", "Plain Toast", "Pea soup"]
    assert Recipe.from_json(recipes[2].to_json()) == recipes[2]
    assert image_bytes(recipes[2].images[0])[:2] == b"\xff\xd8"
    assert skipped.total == 0


def test_archives_are_bounded_together_and_in_depth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = sample("table.csv")
    for number in range(4):
        deep = zipped({f"{number}.zip" if number else "a.csv": deep})
    recipes, skipped = read_all(write(tmp_path / "deep.zip", deep))
    assert (recipes, skipped.counts) == ([], {"nested too deeply": 1})
    monkeypatch.setattr(base, "ARCHIVE", 700)
    many = {f"{number}.csv": sample("table.csv") for number in range(9)}
    _, skipped = read_all(pack(tmp_path / "many.zip", many))
    assert skipped.counts["too large"] >= 4


def test_what_an_unsupported_file_seems_to_be(tmp_path: Path) -> None:
    for name, data, said in [
        ("a.pdf", b"%PDF-1.7", "a PDF: copy its text"),
        ("a.docx", b"PK", "word processor: save it as plain text"),
        ("page.jpg", picture(), "a picture: .* --ocr"),
        ("a.xyz", b"\0\1\2", "no text: save it as"),
        ("a.xml", b"<feed><entry/></feed>", "XML of another kind: <feed>"),
    ]:
        with pytest.raises(Exception, match=said):
            one_recipe(write(tmp_path / name, data))


def test_a_file_whose_name_says_nothing_is_known_by_its_content(tmp_path: Path) -> None:
    for name in ("copy_me_that.html", "tandoor.json", "meal_master.mmf", "gourmet.grmt", "copy_me_that.txt"):
        recipes, _ = read_all(Path(shutil.copy(SAMPLES / name, tmp_path / "recipes.bak")))
        assert [texts_of(one) for one in recipes if one.steps], name
    packed_up = pack(tmp_path / "export.bak", {"recipes.html": sample("recipe_keeper.html")})
    assert [one.title for one in read_all(packed_up)[0]] == ["Pea soup"]
