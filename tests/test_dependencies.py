"""Every package that CHEF needs is pinned, locked by hashes and listed in the docs."""

import re

import pytest

from scripts.dependencies import EXTRAS, SERVE, canonicalize_name, closure, direct
from tests.conftest import ROOT

NOT_INSTALLED = {"atheris"}  # pinned by hand


def test_constraints_and_docs_have_the_whole_closure():
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.M))
    listed = re.findall(
        r"^\| \**([\w.-]+?)\** \| (\d\S*) \|", (ROOT / "docs/dependencies.md").read_text(), re.M
    )
    asked = {canonicalize_name(one.name) for one in direct(EXTRAS)}
    assert closure().keys() | asked <= pinned.keys()
    assert pinned.keys() - dict(listed).keys() <= NOT_INSTALLED
    assert dict(listed).items() <= pinned.items()


@pytest.mark.parametrize(
    ("file", "extras"), [("requirements.lock", None), ("requirements-serve.lock", SERVE)]
)
def test_the_locks_have_hashes_for_all_but_torch(file, extras):
    blocks = re.split(r"\n(?=\w)", (ROOT / file).read_text())[1:]
    locked = {block.partition("==")[0] for block in blocks}
    needed = closure(extras) if extras else closure()
    assert locked >= needed.keys() - {"torch"}
    assert "torch" not in locked
    for block in blocks:
        assert re.search(r" --hash=sha256:[0-9a-f]{64}$", block.rstrip(), re.M), block
