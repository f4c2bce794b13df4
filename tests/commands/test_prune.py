from __future__ import annotations

import json

from chef.commands.prune import prune
from tests.rewrite.small import SOUP, write_model


def test_json_and_text(tmp_path, capsys):
    file = tmp_path / "soup.json"
    file.write_text(json.dumps(SOUP.to_json()))
    model = str(write_model(tmp_path / "model"))
    prune(str(file), k=2, model=model, json=True)
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"recipe", "removed", "tree"}
    assert len(told["removed"]) == 2
    assert len(told["recipe"]["ingredients"]) == len(SOUP.ingredients) - 2
    prune(str(file), k=1, model=model)
    assert f"taken out: {told['removed'][0].replace('_', ' ')}" in capsys.readouterr().out
