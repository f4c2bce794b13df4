"""Everything bad that a client may send: a clear 4xx of one line, nothing stored, no path of this machine."""

import json
import shutil
import socket
import struct
import zipfile
import zlib
from base64 import b64decode
from io import BytesIO
from urllib.parse import quote

import httpx
import pytest

from chef.index import Index
from chef.serve import ServeSettings
from tests.serve.small import jpeg, recipe_json, served, writable


def png_bomb(width: int, height: int) -> bytes:
    """A picture of so many pixels in a few bytes; its rows are never there."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


PHOTOS = {
    "text": (b"not a photo at all\n" * 50, 404),
    "nothing": (b"", 404),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'/>", 404),
    "bomb": (png_bomb(10_000, 10_000), 413),
    "webp bomb": (b64decode("UklGRh4AAABXRUJQVlA4TBEAAAAvnVvnFgdQjyLXo4CBiOh/AAA="), 413),  # 600 MB
    "huge bomb": (png_bomb(60_000, 60_000), 413),
    "long bomb": (png_bomb(2**31 - 1, 1), 413),
    "cut JPEG": (jpeg((400, 400))[:700], 404),
    "cut head": (jpeg()[:20], 404),
    "tiny": (jpeg((4, 4)), 404),
    "bad PNG": (png_bomb(64, 64)[:60], 404),
}


def check(answer, status, tmp_path):
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["error"]
    message = answer.json()["error"]
    assert message
    assert "\n" not in message
    for leak in ("Traceback", "/home", "/tmp", "/usr", "/src/chef", "site-packages", str(tmp_path)):
        assert leak not in message


@pytest.fixture(scope="module")
def folder_of_service(collection, tmp_path_factory):
    """A folder with a collection of this file's own."""
    folder = tmp_path_factory.mktemp("bad")
    shutil.copytree(collection, folder / "collection")
    return folder


@pytest.fixture(scope="module")
def bad(folder_of_service):
    """Asks a service that may be written to."""
    with writable(folder_of_service / "collection", folder_of_service / "review") as made:
        yield made


@pytest.fixture
def unchanged(folder_of_service):
    """Nothing was stored when the test is over."""

    def state():
        index = Index(folder_of_service / "collection")
        return index.version, list(index.export()), sorted(path.name for path in folder_of_service.iterdir())

    before = state()
    yield
    assert state() == before


pytestmark = pytest.mark.usefixtures("unchanged")


@pytest.mark.parametrize("name", PHOTOS)
def test_photos_that_are_none(bad, tmp_path, name):
    data, status = PHOTOS[name]
    check(bad.post("/api/search", files={"photo": ("dish.jpg", data, "image/jpeg")}), status, tmp_path)


@pytest.mark.parametrize("name", ["text", "bomb", "nothing"])
def test_recipes_with_photos_that_are_none(bad, tmp_path, name):
    data, status = PHOTOS[name]
    files = [
        ("files", ("recipe.json", json.dumps(recipe_json(image="dish.jpg")))),
        ("files", ("dish.jpg", data)),
    ]
    check(bad.post("/api/recipes", files=files), status, tmp_path)


def test_photos_that_are_padded_in_a_zip(bad, tmp_path):
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(2):
            archive.writestr(f"recipes/{number}/{number}.json", json.dumps(recipe_json(id=str(number))))
            padded = jpeg() + bytes(21 << 20) * number
            archive.writestr(f"recipes/{number}/images/original.jpg", padded)
    check(bad.post("/api/recipes", files=[("files", ("box.zip", packed.getvalue()))]), 413, tmp_path)


@pytest.mark.parametrize(("path", "megabytes"), [("search", 2), ("recipes", 8)])
def test_json_that_is_too_much(bad, tmp_path, path, megabytes):
    body = b'{"recipes": ["' + b"a" * (megabytes << 20) + b'"]}'
    kind = {"content-type": "application/json"}
    check(bad.post(f"/api/{path}", content=body, headers=kind), 413, tmp_path)
    check(bad.post(f"/api/{path}", content=body[: 1 << 19], headers=kind), 422, tmp_path)
    values = b'{"recipes": [{"a": [' + b"[]," * 300_000 + b"1]}]}"  # small, but not once it is parsed
    check(bad.post(f"/api/{path}", content=values, headers=kind), 413, tmp_path)
    file = ("files", ("a.json", values))
    check(bad.post("/api/recipes", files=[file]), 404, tmp_path)


# More of them in test_uploads.py.
@pytest.mark.parametrize("name", ["../recipe.json", "a\x00b.json", "x" * 300 + ".json", "con/\x1b[2J.json"])
def test_file_names_that_lead_elsewhere(bad, tmp_path, name):
    body = json.dumps(recipe_json()).encode()
    head = f'--x\r\ncontent-disposition: form-data; name="files"; filename="{name}"\r\n\r\n'.encode()
    kind = {"content-type": "multipart/form-data; boundary=x"}
    check(bad.post("/api/recipes", content=head + body + b"\r\n--x--\r\n", headers=kind), 422, tmp_path)


BODIES = (
    b"", b"{", b"nothing", b"[1, 2]", b'"text"', b'{"text": NaN}', b"\xff\xfe", b"[" * 100_000,
    b'{"recipe": ' * 50_000, b'{"k": ' + b"9" * 5000 + b"}", b'{"text": "\\ud800"}',
)  # fmt: skip


@pytest.mark.parametrize("path", ["/api/search", "/api/recipes", "/api/explain", "/api/swap"])
def test_bodies_that_are_no_json_of_ours(bad, tmp_path, path):
    for body in BODIES:
        answer = bad.post(path, content=body, headers={"content-type": "application/json"})
        check(answer, 400 if answer.status_code == 400 else 422, tmp_path)


def test_other_kinds_of_bodies(bad, tmp_path):
    for kind in ("text/plain", "application/xml", "multipart/mixed; boundary=x", "image/jpeg"):
        for path in ("/api/search", "/api/recipes"):
            check(bad.post(path, content=b"x", headers={"content-type": kind}), 415, tmp_path)
    for kind in ("multipart/form-data", "multipart/form-data; boundary=x"):
        check(bad.post("/api/recipes", content=b"x", headers={"content-type": kind}), 400, tmp_path)


@pytest.mark.parametrize(
    "id", ["nobody", "..", "../../etc/passwd", "' OR '1'='1", "\x00", "é" * 200, "a\nb", "%"]
)
def test_ids_that_nobody_has(bad, tmp_path, id):
    name = quote(id, safe="")
    for path in (f"/api/recipes/{name}", f"/api/recipes/{name}/photo"):
        check(bad.get(path), 404, tmp_path)
    check(bad.delete(f"/api/recipes/{name}"), 404, tmp_path)
    check(bad.post("/api/search", json={"id": id}), 404, tmp_path)


PATHS = (
    "/page/../settings.py", "/page/%2e%2e/settings.py", "/page/..%2fsettings.py", "/page//etc/passwd",
    "/../../../../etc/passwd", "/page/..\\settings.py", "/page/%00", "/page", "/page/",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_ways_out_of_the_page(address, path):
    """By a plain socket: clients tidy such paths up before they send them."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n".encode())
        answer = b""
        while more := connection.recv(65536):
            answer += more
    assert answer.split()[1] == b"404"
    assert b"root:" not in answer
    assert b"ServeSettings" not in answer


def test_html_in_a_title_stays_text(own, stored):
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>Pie"
    recipe = recipe_json(id="<b>evil</b>", title=evil, tags=["<i>tag</i>"])
    assert own.post("/api/recipes", json={"recipes": [recipe]}).json()["added"] == 1
    entry = next(entry for entry in stored().entries() if entry.recipe.title.endswith("Pie"))
    assert "<" not in entry.recipe.title + entry.id + "".join(entry.recipe.tags)
    answer = own.post("/api/explain", json={"recipe": recipe_json(title=evil)})
    swapped = own.post(
        "/api/swap", json={"recipe": recipe_json(title=evil), "from": "chicken", "to": "<b>beef</b>"}
    )
    for response in (answer, swapped, own.get(f"/api/recipes/{entry.id}")):
        assert response.headers["content-type"] == "application/json"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in response.headers["content-security-policy"]


def test_too_many_files(collection, tmp_path):
    settings = ServeSettings(port=0, token="a-long-secret", max_files=3, max_recipes=2, max_photo=1000)
    with served(Index(collection), settings) as where:
        client = httpx.Client(base_url=where, headers={"authorization": "Bearer a-long-secret"})
        files = [("files", (f"{number}.json", json.dumps(recipe_json()))) for number in range(4)]
        check(client.post("/api/recipes", files=files), 400, tmp_path)
        recipes = [recipe_json(title=f"Recipe {number}") for number in range(3)]
        check(client.post("/api/recipes", json={"recipes": recipes}), 413, tmp_path)
        check(client.post("/api/search", files={"photo": jpeg((600, 600))}), 413, tmp_path)
        client.close()
    assert Index(collection).info().recipes == 24
