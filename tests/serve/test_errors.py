from __future__ import annotations

import pytest

from chef.errors import ChefError
from chef.serve.errors import not_found, without_paths


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("no image at /home/ann/my pies/x.jpg", "no image at a file pies/x.jpg"),
        ("cannot open '/var/lib/index/a.lance': denied", "cannot open 'a file': denied"),
        (r"bad file C:\Users\ann\pie.jpg (repair it)", "bad file a file (repair it)"),
        ("two\nlines\tand more", "two lines and more"),
        ("salt and/or pepper, 1/2 cup", "salt and/or pepper, 1/2 cup"),
        ("see https://example.org/recipes/pie", "see https://example.org/recipes/pie"),
    ],
)
def test_paths_are_removed(message, expected):
    assert without_paths(message) == expected


def test_a_long_message_is_cut_and_an_error_of_the_collection_is_not_the_clients():
    assert len(without_paths("word " * 1000)) == 500
    broken = ChefError("the collection at /data/mine cannot be used: denied", "check its rights")
    assert not_found(broken).status == 503
    assert "/data" not in not_found(broken).message
    assert not_found(ChefError("unknown ingredient 'x'")).status == 404
