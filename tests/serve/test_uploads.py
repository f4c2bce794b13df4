import asyncio
import json
from threading import current_thread

import pytest

from chef.readers import Skipped
from chef.serve import uploads
from chef.serve.errors import Refusal
from chef.serve.requests import AddBody
from chef.serve.settings import ServeSettings
from tests.serve.small import jpeg, recipe_json


def test_names_that_stay_inside_and_names_that_lead_elsewhere():
    for name in ("pie.json", "pies/apple pie.jpg", "a/b/c/d.md", "crème brûlée.md"):
        assert str(uploads.safe_name(name)) == name
    out = ("", "..", "../x", "a/../x", "/x", "a//x", "a\\..\\x", ".x", "c:x", "a/", "a\nb", "a//b.json")
    for name in out:
        with pytest.raises(Refusal) as refused:
            uploads.safe_name(name)
        assert refused.value.status == 422


def test_the_folder_is_gone_afterwards():
    with uploads.upload_folder() as folder:
        uploads.write_body(AddBody(recipes=[recipe_json()]), folder)
        assert len(list(folder.iterdir())) == 1
    assert not folder.exists()


def test_a_link_in_place_of_the_folder_changes_nothing(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "link"))
    with uploads.upload_folder() as folder:
        (folder / "pie.jpg").write_bytes(jpeg())
        (folder / "recipe.json").write_text(json.dumps(recipe_json(image="pie.jpg")))
        (recipe,) = uploads.read_recipes(folder, Skipped(), ServeSettings())
        assert len(recipe.images) == 1


def test_large_json_is_parsed_aside():
    class Noted(AddBody):
        @classmethod
        def model_validate_json(cls, text):
            return current_thread()

    assert asyncio.run(uploads.validated(Noted, b" " * (1 << 16))) is not current_thread()
