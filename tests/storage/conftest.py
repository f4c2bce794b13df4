"""The stores to test: a folder, and a bucket of a real server."""

import pytest

from chef.storage import Store, open_store


@pytest.fixture(params=["folder", "s3"])
def store(request: pytest.FixtureRequest, tmp_path) -> Store:
    if request.param == "folder":
        return open_store(tmp_path / "store")
    return open_store(f"{request.getfixturevalue('s3').bucket()}/some/where")
