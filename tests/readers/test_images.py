import zipfile
from pathlib import Path

import pytest

from chef.errors import ChefError
from chef.readers import image_bytes
from tests.conftest import cases
from tests.readers.helpers import write
from tests.readers.test_archives import PHOTO, PIE, pack, packed

# Archives and fields are also tested beside the formats that use them.


def test_files_archives_and_members_whatever_their_names(tmp_path: Path) -> None:
    for name in ("pie.jpg", "wow!.jpg", "a#/b.jpg", "x.zip!y.jpg"):
        assert image_bytes(str(write(tmp_path / name, PHOTO))) == PHOTO
    pack(tmp_path / "wow!.zip", {"a!b#/c.jpg": PHOTO})
    assert image_bytes(f"{tmp_path}/wow!.zip!a!b#/c.jpg") == PHOTO


def test_too_large(tmp_path: Path) -> None:
    pack(tmp_path / "a.zip", {"a.jpg": b"x" * 11})
    for reference in (str(write(tmp_path / "a.jpg", b"x" * 11)), f"{tmp_path}/a.zip!a.jpg"):
        with pytest.raises(ChefError, match="larger than"):
            image_bytes(reference, limit=10)


@pytest.mark.parametrize("reference", cases("readers", "references that fail"))
def test_every_failure_is_one_line_with_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    zipfile.ZipFile(tmp_path / "good.zip", "w").close()
    write(tmp_path / "bad.zip", b"no zip")
    write(tmp_path / "pie.paprikarecipe", packed({**PIE, "name": "é"}))
    with pytest.raises(ChefError) as caught:
        image_bytes(reference)
    assert reference in str(caught.value)
    assert "\n" not in str(caught.value)
