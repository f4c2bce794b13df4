"""Places to prepare data in."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["folder", "s3"])
def out(request: pytest.FixtureRequest, tmp_path) -> str:
    """A place that does not exist yet: a folder, or below a bucket of a real server."""
    if request.param == "folder":
        return str(tmp_path / "out")
    return f"{request.getfixturevalue('s3').bucket()}/prepared"
