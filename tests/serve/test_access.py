"""Who may read and who may write: the settings, and the table of `chef.serve.access` over HTTP."""

import shutil

import httpx
import pytest

from chef.errors import ChefError
from chef.index import Index
from chef.serve import access
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
    for token in ("", "short", "with space in it", "schlüssel-schlüssel", "long;enough", "long-enough\n"):
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
        assert write(where, origin=origin) == 403


def test_browsers_do_not_even_read_for_pages_elsewhere(service):
    """An image or a form on any page could otherwise keep this service busy."""
    kind, where = service
    cookie, local = {"cookie": f"chef_token={TOKEN}"}, 401 if kind == "network" else 200
    for headers in (
        {"origin": "https://example.org"}, {"origin": "null"}, {"origin": f"{where}0"},
        {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
    ):  # fmt: skip
        assert read(where, **headers) == read(where, **headers, **cookie) == 403
        query = httpx.post(f"{where}/api/search", json={"text": "rice"}, headers=headers, timeout=60)
        assert query.status_code == 403
        assert httpx.get(f"{where}/api/health", headers=headers).status_code == 200
    for headers in ({"origin": where}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}):
        assert read(where, **headers) == local
        assert read(where, **headers, **cookie) == 200
    assert read(where, origin="https://example.org", **BEARER) == 200  # no browser sends that unasked


def test_an_origin_can_be_allowed_to_read(collection):
    origin = {"origin": "https://example.org"}
    with served(Index(collection), ServeSettings(port=0, origins=("https://example.org",))) as where:
        answer = httpx.get(f"{where}/api/recipes", headers=origin, timeout=60)
        assert answer.headers["access-control-allow-origin"] == "https://example.org"
        assert answer.status_code == 200
        assert read(where, origin="https://example.com") == 403
        assert write(where, **origin) == 403


def test_guessing_the_token_ends_after_ten_guesses(collection, monkeypatch):
    with served(Index(collection), ServeSettings(host="0.0.0.0", port=0, token=TOKEN)) as where:
        for _ in range(20):  # one old cookie, many photos
            assert read(where, cookie="chef_token=the-old-one") == 401
        assert read(where, **BEARER) == 200
        guesses = [read(where, authorization=f"Bearer guess-{number}") for number in range(12)]
        assert guesses == [401] * 9 + [429] * 3
        assert read(where, **BEARER) == 429  # the right one would tell, too
        assert httpx.get(f"{where}/api/health").status_code == 200
        monkeypatch.setattr(access, "_LOCKED", 0.0)
        assert read(where, **BEARER) == 200


def test_the_page_gets_a_cookie_that_no_script_can_read(service):
    kind, where = service
    answer = httpx.post(f"{where}/api/token", headers={**BEARER, "origin": where})
    if kind == "no token":
        assert answer.status_code == 404
        return
    assert answer.status_code == 204
    kept = answer.headers["set-cookie"]
    assert kept.startswith(f"chef_token={TOKEN};")
    assert "HttpOnly" in kept
    assert "SameSite=strict" in kept
    assert httpx.post(f"{where}/api/token", headers={"origin": where}).status_code == 401


def test_the_cookie_counts_from_our_own_page_only(service):
    kind, where = service
    cookie, refused = f"chef_token={TOKEN}", 403 if kind == "no token" else 401
    assert read(where, cookie=cookie) == 200
    assert write(where, cookie=cookie) == refused
    assert write(where, cookie=cookie, origin="https://example.org") == 403
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
