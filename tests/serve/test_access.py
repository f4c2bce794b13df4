"""Who may read and who may write: the settings, and the table of `chef.serve.access` over HTTP."""

from __future__ import annotations

import shutil

import httpx
import pytest

from chef.errors import ChefError
from chef.index import Index
from chef.serve.settings import ServeSettings, is_loopback
from tests.serve.small import recipe_json, served

TOKEN = "a-long-secret"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "::1", "[::1]"])
def test_loopback_hosts(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "example.org", "localhost.example.org", ""])
def test_other_hosts(host):
    assert not is_loopback(host)


def test_listening_on_the_network_needs_a_token():
    with pytest.raises(ChefError, match=r"0\.0\.0\.0.*--token"):
        ServeSettings(host="0.0.0.0")
    assert not ServeSettings(host="0.0.0.0", token="long-enough").is_local


@pytest.mark.parametrize("token", ["", "short", "with space in it", "schlüssel-schlüssel"])
def test_a_weak_token_is_refused(token):
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


def test_reading_is_free_on_this_machine_only(service):
    kind, where = service
    assert read(where) == (401 if kind == "network" else 200)


def test_the_token_opens_everything(service):
    kind, where = service
    wanted = 403 if kind == "no token" else 200
    assert write(where, **BEARER) == wanted
    assert read(where, **BEARER) == 200


@pytest.mark.parametrize(
    "given", ["Bearer wrong-secret", f"Basic {TOKEN}", TOKEN, "Bearer", "Bearer \xff", f"Bearer {TOKEN}x"]
)
def test_a_wrong_token_opens_nothing(service, given):
    kind, where = service
    given = given.encode("latin-1")
    assert write(where, authorization=given) == (403 if kind == "no token" else 401)
    assert read(where, authorization=given) == (401 if kind == "network" else 200)


def test_without_a_token_only_our_own_page_writes(service):
    kind, where = service
    own, refused = (200, 403) if kind == "no token" else (401, 401)
    assert write(where) == refused
    assert write(where, origin=where) == own
    assert write(where, origin="https://example.org") == refused
    assert write(where, origin="null") == refused
    assert write(where, origin=f"{where}.example.org") == refused


def test_the_cookie_counts_from_our_own_page_only(service):
    kind, where = service
    cookie = f"chef_token={TOKEN}"
    if kind == "no token":
        return
    assert read(where, cookie=cookie) == 200
    assert write(where, cookie=cookie) == 401
    assert write(where, cookie=cookie, origin="https://example.org") == 401
    assert write(where, cookie=cookie, origin=where) == 200


def test_another_name_for_this_machine_is_the_network(service):
    """A page elsewhere may let its own name lead to this machine, and would then read along."""
    kind, where = service
    elsewhere = {"host": "recipes.example.org:8000", "origin": "http://recipes.example.org:8000"}
    assert read(where, **elsewhere) == (403 if kind == "no token" else 401)
    assert write(where, **elsewhere) == (403 if kind == "no token" else 401)
    if kind != "no token":
        assert read(where, **elsewhere, **BEARER) == 200


def test_health_and_the_page_are_open(service):
    _, where = service
    assert httpx.get(f"{where}/api/health").json() == {"status": "ok"}
    assert httpx.get(f"{where}/").status_code == 200


def test_the_openapi_file_says_who_needs_the_token(service):
    kind, where = service
    paths = httpx.get(f"{where}/openapi.json").json()["paths"]
    assert "security" in paths["/api/recipes"]["post"]
    assert "security" in paths["/api/recipes/{id}"]["delete"]
    assert "security" in paths["/api/canonical/decisions"]["post"]
    assert ("security" in paths["/api/recipes"]["get"]) == (kind == "network")
    assert "security" not in paths["/api/health"]["get"]
