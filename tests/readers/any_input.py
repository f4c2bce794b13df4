"""Any bytes as a source of any format: what the property tests and the fuzzer share."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

from chef.errors import ChefError
from chef.readers import Skipped, image_bytes, read
from chef.readers.base import is_web
from chef.recipe import Recipe

Files = dict[str, bytes]


def _zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


_LAYER = b'[{"id": "a", "title": "A", "ingredients": [{"text": "rice"}], "instructions": []}]'

# How bytes become the files of a source, for each format and for each place in a format.
LAYOUTS: dict[str, Callable[[bytes], Files]] = {
    "jsonl": lambda data: {"a.jsonl": data},
    "jsonl.gz": lambda data: {"a.jsonl.gz": gzip.compress(data)},
    "broken gz": lambda data: {"a.jsonl.gz": data, "b.json.gz": b"\x1f\x8b" + data},
    "splits": lambda data: {"a.jsonl": _LAYER[1:-1], "splits.json": data},
    "json": lambda data: {"a.json": data},
    "json list": lambda data: {"a.json": b"[" + data + b"]"},
    "html": lambda data: {"a.html": data},
    "json-ld": lambda data: {"a.html": b'<script type="application/ld+json">' + data + b"</script>"},
    "markdown": lambda data: {"a.md": data},
    "markdown body": lambda data: {"a.md": b"# Pie\n## Ingredients\n- rice\n" + data},
    "front matter": lambda data: {"a.md": b"---\n" + data + b"\n---\n# Pie\n## Ingredients\n- rice\n"},
    "paprika": lambda data: {"a.paprikarecipe": gzip.compress(data)},
    "broken paprika": lambda data: {"a.paprikarecipe": data, "b.paprikarecipes": data},
    "paprika box": lambda data: {
        "a.paprikarecipes": _zipped(**{"x.paprikarecipe": gzip.compress(data), "y.paprikarecipe": data})
    },
    "mealie": lambda data: {"a/a.json": data, "a/images/original.webp": b"photo"},
    "mealie box": lambda data: {"a.zip": _zipped(**{"recipes/a/a.json": data})},
    "broken box": lambda data: {"a.zip": data, "b.zip": _zipped(a=b"1")[:40] + data},
    "nextcloud": lambda data: {"a/recipe.json": data, "a/full.jpg": b"photo"},
    "microdata": lambda data: {
        "a.html": b"<div itemscope itemtype='schema.org/Recipe'><p itemprop=name>" + data
    },
    "cooklang": lambda data: {"a.cook": b"Boil @rice{1%cup}. " + data},
    "recipemd": lambda data: {"a.md": b"# Pie\n\n---\n- rice\n" + data + b"\n---\n" + data},
    "meal-master": lambda data: {"a.mmf": b"MMMMM----- Meal-Master\n\n Title: A\n\n      1 c  Rice\n" + data},
    "mastercook": lambda data: {
        "a.mxp": b"* Exported from MasterCook *\n\n A\n\n-------- ---\n  1 cup rice\n" + data
    },
    "rezkonv": lambda data: {"a.txt": b"===== REZKONV\n Titel: A\n\n      1         g Reis\n" + data},
    "now you're cooking": lambda data: {"a.nyc": b"@@@@@\nA\n\n1 cup rice\n\n" + data + b"\n@@@@@\nA"},
    "plain text": lambda data: {"a.txt": b"Rice\n\nIngredients\n1 cup rice\n" + data + b"\nMethod\n" + data},
    "bare text": lambda data: {"a.txt": data},
    "mx2": lambda data: {"a.mx2": b"<mx2><RcpE name='A'><IngR name=\"" + data + b"\" qty='1'/></RcpE></mx2>"},
    "xml": lambda data: {"a.xml": data, "b.xml": b"<recipeml><recipe><head><title>" + data},
    "gourmet": lambda data: {"a.grmt": b"<gourmetDoc><recipe><title>A</title><image>" + data + b"</image>"},
    "csv": lambda data: {"a.csv": b"title,ingredients\nA," + data, "b.csv": data},
    "mealie backup": lambda data: {"database.json": b'{"recipes": [' + data + b"]}"},
    "tar": lambda data: {"a.tar": data, "b.tgz": gzip.compress(data)},
    "recipe1m": lambda data: {"layer1.json": data, "layer2.json": b"[]", "det_ingrs.json": b"[]"},
    "recipe1m images": lambda data: {"layer1.json": _LAYER, "layer2.json": data, "det_ingrs.json": b"[]"},
    "recipe1m names": lambda data: {"layer1.json": _LAYER, "layer2.json": b"[]", "det_ingrs.json": data},
}


def write_files(folder: Path, files: Files) -> Path:
    """The files in a folder of their own."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def check_source(folder: Path) -> list[Recipe]:
    """Read a source twice. No exception, equal both times, every recipe whole and fit to be stored."""
    recipes = list(read(folder, Skipped()))
    assert list(read(folder, Skipped())) == recipes
    for recipe in recipes:
        assert recipe.id
        assert recipe.title.strip()
        assert recipe.ingredients
        assert all(item.line.strip() for item in recipe.ingredients)
        stored = json.dumps(recipe.to_json(), ensure_ascii=False).encode()
        assert Recipe.from_json(json.loads(stored)) == recipe
        for reference in recipe.images:
            if not is_web(reference):  # never looked at without being asked
                check_reference(reference)
    return recipes


def check_reference(reference: str) -> None:
    """A reference gives bytes, or an error that says something."""
    try:
        found: bytes | str = image_bytes(reference)
    except ChefError as error:
        found = error.problem
    assert isinstance(found, bytes) or found.strip()
