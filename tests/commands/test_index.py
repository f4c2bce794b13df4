import json

import pytest
import typer

from chef.commands.index import (
    add_command,
    backup,
    export_command,
    info_command,
    list_command,
    optimize_command,
    rebuild_command,
    remove_command,
    repair_command,
    restore,
    verify_command,
)
from chef.errors import ChefError
from tests.index.small import write_model
from tests.tiny import write_source


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a model and recipes."""
    folder = tmp_path_factory.mktemp("index")
    write_model(folder / "model")
    write_source(folder / "source", 5, texts=1)
    (folder / "source" / "notes.xyz").write_text("not a recipe")
    return folder


def test_add_info_list_export_remove_and_rebuild(made, tmp_path, capfd):
    collection = str(tmp_path / "c")
    add_command(collection, [str(made / "source")], model=str(made / "model" / "model"))
    out, err = capfd.readouterr()
    assert "5 added, 0 updated, 0 unchanged" in out
    assert "skipped: unknown format (1), first: notes.xyz" in err
    add_command(collection, [str(made / "source")], json=True)
    counts = json.loads(capfd.readouterr().out)
    assert counts == {"added": 0, "updated": 0, "unchanged": 5, "skipped": {"unknown format": 1}, "notes": {}}

    info_command(collection, json=True)
    info = json.loads(capfd.readouterr().out)
    assert (info["recipes"], info["with_image"], info["dimension"]) == (5, 4, 24)
    info_command(collection)
    assert "with a photo  4" in capfd.readouterr().out

    list_command(collection, offset=1, limit=2)
    assert [line.split("\t")[0] for line in capfd.readouterr().out.splitlines()] == ["r1", "r2"]
    list_command(collection, limit=1, json=True)
    fields = {"id", "title", "main_ingredient", "main_confidence", "has_image"}
    assert json.loads(capfd.readouterr().out).keys() == fields
    export_command(collection)
    exported = [json.loads(line)["id"] for line in capfd.readouterr().out.splitlines()]
    assert exported == ["r0", "r1", "r2", "r3", "r4"]

    remove_command(collection, ["r1", "r2"])
    rebuild_command(collection)
    assert "2 removed" in (out := capfd.readouterr().out)
    assert "3 recipes embedded again" in out
    with pytest.raises(ChefError, match="no recipe 'r1' here"):
        remove_command(collection, ["r0", "r1"])


def test_the_engine_is_chosen(made, tmp_path, capfd):
    collection = str(tmp_path / "c")
    given = {"sources": [str(made / "source")], "model": str(made / "model" / "model")}
    with pytest.raises(ChefError, match="unknown engine 'disk'"):
        add_command(collection, **given, engine="disk")
    add_command(collection, **given, engine="lance", workers=1)
    info_command(collection)
    assert "on disk, through Lance's indexes" in capfd.readouterr().out
    optimize_command(collection)
    assert f"{collection} is searched on disk" in capfd.readouterr().out
    optimize_command(collection, engine="memory")
    add_command(collection, **given, workers=1)
    info_command(collection, json=True)
    assert '"engine": "memory"' in capfd.readouterr().out


def test_what_is_not_there_is_said(tmp_path):
    for command in (info_command, export_command, list_command, rebuild_command):
        with pytest.raises(ChefError, match="no collection at"):
            command(str(tmp_path / "nothing"))
    assert not (tmp_path / "nothing").exists()


def test_backup_restore_verify_and_repair(made, tmp_path, capfd):
    collection, copy = str(tmp_path / "c"), str(tmp_path / "copy")
    add_command(collection, [str(made / "source")], model=str(made / "model" / "model"))
    backup(collection, str(tmp_path / "b.zip"))
    restore(str(tmp_path / "b.zip"), copy)
    with pytest.raises(ChefError, match="add --replace"):
        restore(str(tmp_path / "b.zip"), copy)
    remove_command(copy, ["r1"], now=True)
    restore(str(tmp_path / "b.zip"), copy, replace=True)
    capfd.readouterr()
    export_command(copy)
    exported = capfd.readouterr().out
    export_command(collection)
    assert capfd.readouterr().out == exported
    verify_command(copy)
    assert "5 recipes are as they were written" in capfd.readouterr().out

    export_command(copy, photos=str(tmp_path / "folder"))
    assert len(list((tmp_path / "folder" / "photos").iterdir())) == 4
    manifest = sorted((tmp_path / "copy/recipes.lance/_versions").glob("*.manifest"))[0]
    manifest.write_bytes(manifest.read_bytes()[:50])
    with pytest.raises(ChefError, match="chef index verify finds damage"):
        info_command(copy)
    capfd.readouterr()
    with pytest.raises(typer.Exit) as caught:
        verify_command(copy)
    assert caught.value.exit_code == 1
    assert f"damaged file: _versions/{manifest.name}" in capfd.readouterr().out
    repair_command(copy)
    out = capfd.readouterr().out
    assert "what was written after that is lost" in out
    verify_command(copy, json=True)
    assert json.loads(capfd.readouterr().out)["files"] == []
