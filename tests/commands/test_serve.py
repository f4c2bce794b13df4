import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from PIL import Image

from chef.index import Index
from tests.conftest import cases
from tests.serve.small import running, write_collection, write_model


def leave(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Ctrl-C -> exit code and what else it printed."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return process.returncode, out, err


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_collection(tmp_path_factory.mktemp("command"))


def test_it_serves_until_ctrl_c_and_prints_the_address_last(collection):
    with running("serve", "--index", str(collection), "--port", "0") as (lines, process):
        assert len(lines) == 1
        assert httpx.get(f"{lines[-1]}/api/recipes").json()["total"] == 24
        assert "<html" in httpx.get(lines[-1]).text
        assert leave(process) == (0, "", "")


def test_token_and_port_from_the_environment(collection):
    call = ("serve", "--index", str(collection))
    with running(*call, CHEF_PORT="0", CHEF_TOKEN="a-long-secret") as (lines, _):
        url = f"{lines[-1]}/api/recipes/nobody"
        assert httpx.delete(url).status_code == 401
        assert httpx.delete(url, headers={"authorization": "Bearer a-long-secret"}).status_code == 404


@pytest.mark.parametrize(("arguments", "said"), cases("commands", "mistakes are told in one line"))
def test_mistakes_are_told_in_one_line(collection, tmp_path, arguments, said):
    arguments = [part.format(none=tmp_path / "none", collection=collection) for part in arguments]
    done = subprocess.run(
        [sys.executable, "-m", "chef", "serve", "--port", "0", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "none").exists()


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
