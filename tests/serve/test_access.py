"""Who may read and who may write: the settings, and the table of `chef.serve.access` over HTTP."""

import shutil

import httpx
import pytest

from chef.errors import ChefError
from chef.index import Index
from chef.serve.settings import ServeSettings, is_loopback
from tests.serve.small import recipe_json, served

TOKEN = "a-long-secret"
BEARER = {"authorization": f"Bearer {TOKEN}"}


def test_loopback_hosts():
    assert all(map(is_loopback, ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "::1", "[::1]"]))
    others = ["0.0.0.0", "::", "192.168.0.7", "example.org", "localhost.example.org", ""]
    assert not any(map(is_loopback, others))


def test_listening_on_the_network_needs_a_token_and_no_weak_one():
    with pytest.raises(ChefError, match=r"0\.0\.0\.0.*--token"):
        ServeSettings(host="0.0.0.0")
    assert not ServeSettings(host="0.0.0.0", token="long-enough").is_local
    for token in ("", "short", "with space in it", "schlüssel-schlüssel"):
        with pytest.raises(ChefError, match="token"):
            ServeSettings(token=token)


@pytest.fixture(scope="module", params=["no token", "token", "network"])
def service(request, collection, tmp_path_factory):
    """(kind, address) of a service on this machine without and with a token, and one on the network."""
    copy = shutil.copytree(collection, tmp_path_factory.mktemp("access") / "collection")
    host = "0.0.0.0" if request.param == "network" else "127.0.0.1"
    token = None if request.param == "no token" else TOKEN
    with served(Index(copy), ServeSettings(host=host, port=0, token=token)) as where:
        yield request.param, where


def read(where, **headers):
    return httpx.get(f"{where}/api/recipes", headers=headers, timeout=60).status_code


def write(where, **headers):
    body = {"recipes": [recipe_json(id="written")]}
    status = httpx.post(f"{where}/api/recipes", json=body, headers=headers, timeout=60).status_code
    gone = httpx.delete(f"{where}/api/recipes/written", headers=headers, timeout=60).status_code
    assert status == gone
    return status


def test_reading_is_free_on_this_machine_only_and_the_token_opens_everything(service):
    kind, where = service
    assert read(where) == (401 if kind == "network" else 200)
    assert write(where, **BEARER) == (403 if kind == "no token" else 200)
    assert read(where, **BEARER) == 200
    wrong = ["Bearer wrong-secret", f"Basic {TOKEN}", TOKEN, "Bearer", "Bearer \xff", f"Bearer {TOKEN}x"]
    for given in (text.encode("latin-1") for text in wrong):
        assert write(where, authorization=given) == (403 if kind == "no token" else 401)
        assert read(where, authorization=given) == (401 if kind == "network" else 200)


def test_without_a_token_only_our_own_page_writes(service):
    kind, where = service
    own, refused = (200, 403) if kind == "no token" else (401, 401)
    assert write(where) == refused
    assert write(where, origin=where) == own
    for origin in ("https://example.org", "null", f"{where}.example.org"):
        assert write(where, origin=origin) == refused


def test_the_cookie_counts_from_our_own_page_only(service):
    kind, where = service
    cookie, refused = f"chef_token={TOKEN}", 403 if kind == "no token" else 401
    assert read(where, cookie=cookie) == 200
    assert write(where, cookie=cookie) == refused
    assert write(where, cookie=cookie, origin="https://example.org") == refused
    assert write(where, cookie=cookie, origin=where) == 200


def test_another_name_for_this_machine_is_the_network(service):
    """A page elsewhere may let its own name lead to this machine, and would then read along."""
    kind, where = service
    elsewhere = {"host": "recipes.example.org:8000", "origin": "http://recipes.example.org:8000"}
    refused = 403 if kind == "no token" else 401
    assert read(where, **elsewhere) == write(where, **elsewhere) == refused
    assert read(where, **elsewhere, **BEARER) == (403 if kind == "no token" else 200)


def test_health_and_the_page_are_open_and_openapi_says_who_needs_the_token(service):
    kind, where = service
    assert httpx.get(f"{where}/api/health").json() == {"status": "ok"}
    assert httpx.get(f"{where}/").status_code == 200
    paths = httpx.get(f"{where}/openapi.json").json()["paths"]
    assert "security" in paths["/api/recipes"]["post"]
    assert "security" in paths["/api/recipes/{id}"]["delete"]
    assert "security" in paths["/api/canonical/decisions"]["post"]
    assert ("security" in paths["/api/recipes"]["get"]) == (kind == "network")
    assert "security" not in paths["/api/health"]["get"]
