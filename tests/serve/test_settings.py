from __future__ import annotations

import pytest

from chef.errors import ChefError
from chef.serve.settings import ServeSettings, is_loopback


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "::1", "[::1]"])
def test_this_machine(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "example.org", "localhost.example.org", ""])
def test_other_hosts(host):
    assert not is_loopback(host)


def test_listening_on_the_network_takes_a_token():
    with pytest.raises(ChefError, match=r"0\.0\.0\.0.*--token"):
        ServeSettings(host="0.0.0.0")
    assert not ServeSettings(host="0.0.0.0", token="long-enough").is_local


@pytest.mark.parametrize("token", ["", "short", "with space in it", "schlüssel-schlüssel"])
def test_a_weak_token_is_refused(token):
    with pytest.raises(ChefError, match="token"):
        ServeSettings(token=token)
