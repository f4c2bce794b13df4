from __future__ import annotations

import socket

import pytest

from chef.errors import ChefError
from chef.serve.run import _address, bind
from chef.serve.settings import ServeSettings


def test_a_port_that_is_taken_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ChefError, match=rf"port {port}.*--port.*CHEF_PORT"):
            bind(ServeSettings(port=port))


def test_a_host_that_is_none_is_told():
    with pytest.raises(ChefError, match="no such host"):
        bind(ServeSettings(host="no.such.host.invalid", token="a-long-secret"))


def test_the_address_has_the_port_that_was_taken():
    with bind(ServeSettings(port=0)) as listening:
        assert _address("127.0.0.1", listening) == f"http://127.0.0.1:{listening.getsockname()[1]}"
        assert _address("::1", listening).startswith("http://[::1]:")
