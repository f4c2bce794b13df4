import subprocess
import sys

import httpx
import pytest
from PIL import Image

from tests.commands.test_serve import leave
from tests.serve.small import running, write_model


def test_the_page_opens_on_a_copy_of_the_cookbook(tmp_path):
    model = write_model(tmp_path / "made")
    call = ("demo", "--model", str(model), "--out", str(tmp_path / "out"))
    places = {"CHEF_PORT": "0", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with running(*call, **places) as (lines, process):
        address = lines[-1]
        assert "<html" in httpx.get(address).text
        total = httpx.get(f"{address}/api/recipes").json()["total"]
        assert total >= 240
        recipe = {"id": "mine", "title": "My toast", "ingredients": ["2 slices bread"]}
        origin = {"origin": address}
        added = httpx.post(f"{address}/api/recipes", json={"recipes": [recipe]}, headers=origin, timeout=60)
        assert added.json()["added"] == 1
        assert leave(process) == (0, "", "")
    with running(*call, **places) as (lines, process):
        assert httpx.get(f"{lines[-1]}/api/recipes/mine").status_code == 200  # still there
        leave(process)
    # The collection in the cache is shared, and as it was.
    (cached,) = (tmp_path / "cache" / "chef").glob("cookbook-*")
    from chef.index import Index

    assert Index(cached).info().recipes == total


@pytest.mark.slow
def test_the_training_demonstration_goes_to_its_end_and_again(tmp_path):
    call = [sys.executable, "-m", "chef", "demo", "--train", "--recipes", "100", "--epochs", "1"]
    for _ in range(2):
        done = subprocess.run([*call, "--out", str(tmp_path)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        for said in ("canonical", "grams", "before", "after", "main ingredient:"):
            assert said in done.stdout
    with Image.open(tmp_path / "plates.png") as sheet:
        assert min(sheet.size) > 500
