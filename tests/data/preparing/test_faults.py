"""Full disks and bad connections: told, nothing half-written, and the same command goes on."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from chef import storage
from chef.data.preparing.parts import build_part
from chef.data.preparing.source import Source
from chef.data.texts import TextMaker
from chef.errors import ChefError
from chef.storage import Store, Unreachable
from tests.data.preparing.test_buckets import upload
from tests.data.sources import QUICK, canonical_map, content

SLOW = pytest.mark.slow


def test_a_disk_that_fills_up_costs_time_and_nothing_else(
    source, prepare_quick, prepared, tmp_path, monkeypatch
):
    out, write = tmp_path / "out", Store.write

    for files in (1, 7, 21):

        def full(self, name, data, files=files):
            if len(list(self.listing())) >= files:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
            write(self, name, data)

        monkeypatch.setattr(Store, "write", full)
        with pytest.raises(OSError, match="No space left"):
            prepare_quick(source, out, workers=1)
        assert not (out / "manifest.json").exists()
    monkeypatch.undo()
    prepare_quick(source, out)
    assert content(out) == content(prepared.folder)


def test_a_really_full_disk_ends_in_one_line(source, map_file, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=256k none {disk}"
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "sh", "-c", mount]).returncode:
        pytest.skip("no small disk can be mounted here")
    command = f"{sys.executable} -m chef prepare {source} {disk}/out --canonical {map_file} --workers 2"
    result = subprocess.run(
        ["unshare", "-rm", "sh", "-c", f"{mount} && {command}; echo $?; find {disk} -name '*#*'"],
        capture_output=True, text=True, check=False, cwd=Path(__file__).resolve().parents[3],
    )  # fmt: skip
    assert result.stdout == "2\n"
    error = "error: the disk is full (free some space and run the same command again)"
    assert result.stderr.splitlines()[-1] == error


@pytest.mark.parametrize("kind", ["lost", *(pytest.param(kind, marks=SLOW) for kind in ("busy", "drop"))])
def test_a_bad_connection_changes_nothing(source, prepare_quick, prepared, s3, kind):
    out = f"{s3.bucket()}/out"
    s3.faults(kind=kind, share=0.1)
    prepare_quick(source, out)
    assert s3.counts()["faults"] > 5
    s3.faults()
    assert content(out) == content(prepared.folder)


@pytest.fixture
def impatient(monkeypatch):
    """Give up soon, in this process."""
    monkeypatch.setattr(storage, "_RETRIES", 1)


MOMENTS = ("work/settings.json", "canonical.tsv", "work/plan.json", "vocabulary.tsv")


@pytest.mark.parametrize("path", ["manifest.json", *(pytest.param(path, marks=SLOW) for path in MOMENTS)])
def test_after_an_outage_the_same_command_goes_on(source, prepare_quick, prepared, s3, impatient, path):
    out = f"{s3.bucket()}/out"
    s3.faults(kind="busy", methods=["PUT"], path=f"/out/{path}")
    with pytest.raises(Unreachable):
        prepare_quick(source, out)
    s3.faults()
    assert "manifest.json" not in content(out)
    prepare_quick(source, out)
    assert content(out) == content(prepared.folder)


def test_a_photo_is_not_given_up_for_a_bad_connection(source, s3, impatient):
    address = upload(source, f"{s3.bucket()}/kitchen")
    chunk = next(Source(address, 4).chunks())
    maker = TextMaker(canonical_map(), QUICK)
    whole = build_part(chunk, QUICK, maker)
    assert all(record.images for record in whole.records)
    s3.faults(kind="drop", path=".jpg")
    with pytest.raises(ChefError, match=r"\.jpg cannot be used"):
        build_part(chunk, QUICK, maker)
    s3.faults()
    assert build_part(chunk, QUICK, maker) == whole
