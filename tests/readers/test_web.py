"""A page served on loopback by a real server; nothing here leaves the machine."""

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from chef.errors import ChefError
from chef.readers import base, image_bytes, web
from tests.readers.helpers import SOUP, lines_of, picture, read_all, texts_of
from tests.readers.test_html_page import page

PHOTO = picture()
RELATIVE = {key: value for key, value in {**SOUP, "image": "/soup.jpg"}.items() if key != "url"}
MICRODATA = """<html><body itemscope itemtype="https://schema.org/Recipe"><h1 itemprop="name">Oat bar</h1>
<li itemprop="recipeIngredient">200 g oats</li><li itemprop="recipeIngredient">2 tbsp honey</li>
<p itemprop="recipeInstructions">Mix and bake.</p></body></html>"""


MOVED = {"/moved": "/soup", "/round": "/round", "/file": "file:///etc/hosts"}


def site_page(path: str) -> tuple[str, bytes]:
    """Content type and body of a page."""
    html, soup = "text/html; charset=utf-8", page(json.dumps(SOUP)).encode()
    cream = page(json.dumps({**SOUP, "name": "Crème"}, ensure_ascii=False))
    return {
        "/soup": (html, page(json.dumps(RELATIVE)).encode()),
        "/latin": ("text/html; charset=latin-1", cream.encode("latin-1")),
        "/wrong": ("text/html; charset=nonsense", soup),
        "/soup.json": ("application/ld+json", json.dumps(SOUP).encode()),
        "/broken.json": ("application/json", b"{"),
        "/microdata": (html, MICRODATA.encode()),
        "/empty": (html, b"<html>nothing</html>"),
        "/soup.jpg": ("image/jpeg", PHOTO),
        "/large": (html, b"x" * 3000),
        "/packed": (html, gzip.compress(soup)),
        "/short": (html, b"half"),
    }[path]


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path in MOVED:
            self.answer(302, b"", Location=MOVED[path])
        elif path == "/slow":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n")
            self.server.stopped.wait(5)  # type: ignore[attr-defined]
        elif path == "/dripping":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
            while not self.server.stopped.wait(0.05):  # type: ignore[attr-defined]
                self.wfile.write(b"x")
        elif path == "/gone":
            self.answer(404)
        else:
            kind, body = site_page(path)
            more = {"/packed": {"Content-Encoding": "gzip"}, "/short": {"Content-Length": "100"}}.get(
                path, {}
            )
            self.answer(200, body, **{"Content-Type": kind, **more})

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.stopped = threading.Event()  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.stopped.set()  # type: ignore[attr-defined]
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("CHEF_ALLOW_PRIVATE", "1")


def test_a_page_and_its_photo(site: str) -> None:
    (got,), skipped = read_all(f"{site}/soup")
    assert (got.id, got.url) == (f"{site.removeprefix('http://')}/soup", f"{site}/soup")
    assert (got.title, got.source) == ("Pea soup", "127.0.0.1")
    assert lines_of(got) == ["400 g peas", "1 onion"]
    assert texts_of(got) == ["Boil the peas.", "Blend them."]
    assert got.images == (f"{site}/soup.jpg",)
    assert image_bytes(got.images[0]) == PHOTO
    assert skipped.total == skipped.notes.total == 0


@pytest.mark.parametrize("path", ["/moved", "/soup.json", "/packed", "/wrong", "/soup?a=ü b#top", "/latin"])
def test_ways_to_a_recipe(site: str, path: str) -> None:
    (got,), _ = read_all(site + path)
    assert got.title == ("Crème" if path == "/latin" else "Pea soup")


def test_a_page_without_json_ld_goes_through_recipe_scrapers(site: str) -> None:
    (got,), _ = read_all(f"{site}/microdata")
    assert (got.title, lines_of(got)) == ("Oat bar", ["200 g oats", "2 tbsp honey"])
    assert texts_of(got) == ["Mix and bake."]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/gone", "answered 404"),
        ("/empty", "no recipe on"),
        ("/broken.json", "is not JSON"),
        ("/soup.jpg", "is image/jpeg, not text/html"),
        ("/round", "answered 302"),
        ("/file", "302"),
        ("/short", "cannot be read"),
    ],
)
def test_errors_name_the_address(site: str, path: str, message: str) -> None:
    with pytest.raises(ChefError, match=message) as caught:
        read_all(site + path)
    assert site in str(caught.value)
    assert "\n" not in str(caught.value)


def test_too_large(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "PAGE", 2000)
    with pytest.raises(ChefError, match="larger than"):
        read_all(f"{site}/large")
    with pytest.raises(ChefError, match="larger than"):
        web.fetch(f"{site}/packed", 400, ("text/html",))


def test_too_slow(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "_TIMEOUT", 0.2)
    with pytest.raises(ChefError, match="did not answer in time"):
        read_all(f"{site}/slow")


def test_refused() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ChefError, match="cannot be reached"):
        read_all(f"http://127.0.0.1:{port}/soup")


@pytest.mark.parametrize(
    "address", ["http://", "http://[::1", "http://a:b/", "https://a b/", "http://" + "a" * 80 + "/"]
)
def test_addresses_that_are_none(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: (_ for _ in ()).throw(socket.gaierror(-2, "unknown"))
    )
    with pytest.raises(ChefError):
        read_all(address)
    with pytest.raises(ChefError):
        image_bytes(address)


LOOPBACK = ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "127.1", "[::ffff:127.0.0.1]"]


@pytest.mark.parametrize("host", [*LOOPBACK, "10.0.0.1", "192.168.1.1", "169.254.169.254", "[fd00::1]"])
def test_only_public_addresses_are_fetched(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHEF_ALLOW_PRIVATE")
    for read in (read_all, image_bytes):
        with pytest.raises(ChefError, match=r"private network .*--allow-private"):
            read(f"http://{host}:9/soup.jpg")


def test_a_page_or_a_redirect_does_not_lead_to_this_machine(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The site has a public name, and one that leads to a public address and to this machine."""
    monkeypatch.delenv("CHEF_ALLOW_PRIVATE")
    port, look_up = int(site.rpartition(":")[2]), socket.getaddrinfo
    names = {"public.example": ["203.0.114.7"], "both.example": ["203.0.114.7", "127.0.0.1"]}

    def named(host: str, *more: object, **named: object) -> object:
        return [one for address in names.get(host, [host]) for one in look_up(address, *more, **named)]

    def connect(place: tuple[str, int], timeout: float) -> socket.socket:
        assert place == ("203.0.114.7", port)
        return create(("127.0.0.1", port), timeout)

    create = socket.create_connection
    monkeypatch.setattr(socket, "getaddrinfo", named)
    monkeypatch.setattr(socket, "create_connection", connect)
    (got,), _ = read_all(f"http://public.example:{port}/soup")
    assert image_bytes(got.images[0]) == PHOTO
    monkeypatch.setitem(MOVED, "/home", f"{site}/soup")
    for address in (f"http://public.example:{port}/home", f"http://both.example:{port}/soup"):
        with pytest.raises(ChefError, match="private network"):
            read_all(address)


def test_a_header_that_drips_is_given_up(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "_DEADLINE", 0.5)
    with pytest.raises(ChefError, match="did not answer in time"):
        read_all(f"{site}/dripping")
