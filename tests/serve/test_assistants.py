"""Assistants ask through the SDK's own client: in this process, over standard input and output, over HTTP."""

import asyncio
import base64
import json
import shutil
import sys
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from chef.food.groups import ALLERGY_NOTICE
from chef.index import Index
from chef.serve import ServeSettings
from chef.serve.assistants import Assistants
from chef.serve.service import Service
from tests.serve.small import jpeg, recipe_json, served

TOOLS = {
    "search_recipes", "get_recipe", "contains", "explain_recipe", "swap_ingredient", "suggest_substitutes",
    "prune_recipe", "add_recipe",
}  # fmt: skip


@asynccontextmanager
async def session(collection, **options):
    service = Service(Index(collection), ServeSettings())
    try:
        async with Client(Assistants(service, **options)) as client:
            yield client
    finally:
        service.close()


async def call(client, tool, **arguments):
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content


async def refused(client, tool, **arguments):
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return answer.content[0].text


def run(collection, talk, **options):
    async def whole():
        async with session(collection, **options) as client:
            return await talk(client)

    return asyncio.run(whole())


@pytest.fixture
def copy(collection, tmp_path):
    return shutil.copytree(collection, tmp_path / "collection")


async def a_whole_session(client, photo):
    """List tools, search with a photo, swap, add, find again."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert listed.keys() == TOOLS
    for tool in listed.values():
        assert tool.description
        assert tool.output_schema
    assert "examples" in json.dumps(listed["search_recipes"].input_schema)
    assert [tool for tool in listed if not listed[tool].annotations.read_only_hint] == ["add_recipe"]
    found = await call(client, "search_recipes", photo=photo, text="beef with rice", k=3)
    assert len(found["hits"]) == 3
    id = (await call(client, "search_recipes", must_have=["beef", "rice"]))["hits"][0]["id"]
    swapped = await call(client, "swap_ingredient", id=id, ingredient="beef", replacement="tofu")
    assert any("tofu" in line for line in swapped["recipe"]["ingredients"])
    assert "id" not in swapped["recipe"]  # the recipe as it was must not be replaced
    new = {**swapped["recipe"], "title": "Tofu of my own", "servings": "4 bowls"}
    added = await call(client, "add_recipe", recipe=new, photo=base64.b64encode(jpeg()).decode())
    assert added["added"] == 1
    again = await call(client, "search_recipes", must_have=["tofu"], text="tofu of my own")
    assert again["hits"][0]["id"] == added["ids"][0]
    got = await client.call_tool("get_recipe", {"id": added["ids"][0]})
    assert got.structured_content["recipe"]["servings"] == "4 bowls"
    assert json.loads(got.content[0].text) == got.structured_content
    assert [part.type for part in got.content] == ["text", "image"]
    assert base64.b64decode(got.content[1].data).startswith(b"\xff\xd8")
    return added["ids"][0]


def test_a_session_in_this_process(copy):
    async def talk(client):
        id = await a_whole_session(client, base64.b64encode(jpeg()).decode())
        uris = {str(one.uri): one.name for one in (await client.list_resources()).resources}
        assert uris[f"recipe://{id}"] == "Tofu of my own"
        assert len(uris) == 25
        read = (await client.read_resource(f"recipe://{id}")).contents[0]
        assert json.loads(read.text)["title"] == "Tofu of my own"
        assert str(copy.parent) not in read.text
        with pytest.raises(MCPError, match="no recipe"):
            await client.read_resource("recipe://nobody/../at/all")

    run(copy, talk)


def test_over_standard_input_and_output_a_photo_may_be_a_file(copy, tmp_path):
    (tmp_path / "dish.jpg").write_bytes(jpeg())
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "chef", "mcp", "--index", str(copy)],
        env={"PYTHONPATH": ":".join(sys.path), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip

    async def whole():
        async with Client(server) as client:
            await a_whole_session(client, str(tmp_path / "dish.jpg"))

    asyncio.run(whole())


def test_over_http_with_the_token_of_the_service(copy):
    async def whole(address):
        photo = f"data:image/jpeg;base64,{base64.b64encode(jpeg()).decode()}"
        async with (
            httpx2.AsyncClient(headers={"authorization": "Bearer a-long-secret"}) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
        ):
            await a_whole_session(client, photo)
            # Files of the server are not for others.
            assert "not base64" in await refused(client, "search_recipes", photo=__file__)

    with served(Index(copy), ServeSettings(port=0, token="a-long-secret", mcp=True)) as address:
        asyncio.run(whole(address))
        for headers in ({}, {"authorization": "Bearer wrong-secret"}):
            assert httpx2.post(f"{address}/mcp", json={}, headers=headers).status_code == 401
        large = httpx2.post(
            f"{address}/mcp", content=bytes(31 << 20), headers={"authorization": "Bearer a-long-secret"}
        )
        assert large.status_code == 413


def test_what_a_recipe_contains_always_comes_with_the_caution(collection):
    given = recipe_json(ingredients=["500 g chicken", "2 tbsp peanut butter", "1 zzyzx"])

    async def talk(client):
        named = await call(client, "contains", recipe=given)
        assert {"peanuts", "poultry"} <= set(named["contains"])
        assert named["not_understood"] == ["1 zzyzx"]
        assert named["caution"] == ALLERGY_NOTICE
        stored = await call(client, "contains", id="r1")
        assert stored["caution"] == ALLERGY_NOTICE
        found = await call(client, "search_recipes", without=["nuts"], k=1)
        assert found["caution"] == ALLERGY_NOTICE
        assert ALLERGY_NOTICE in client.instructions

    run(collection, talk)


def test_recipes_are_explained_pruned_and_given_substitutes(collection):
    given = recipe_json()

    async def talk(client):
        told = await call(client, "explain_recipe", recipe=given)
        assert told["main_ingredient"] == "chicken"
        assert told["steps"][0]["action"] == "chop"
        pruned = await call(client, "prune_recipe", recipe=given)
        assert len(pruned["recipe"]["ingredients"]) + len(pruned["removed"]) == 3
        suggested = await call(client, "suggest_substitutes", recipe=given, ingredient="chicken", k=3)
        assert suggested["suggestions"]

    run(collection, talk)


def test_pasted_text_is_read_and_stored(copy):
    text = (
        "Leek toast\n\nIngredients\n2 slices bread\n1 leek\n\nMethod\n1. Fry the leek.\n2. Toast the bread."
    )

    async def talk(client):
        added = await call(client, "add_recipe", text=text)
        got = await call(client, "get_recipe", id=added["ids"][0])
        assert got["recipe"]["title"] == "Leek toast"
        assert got["recipe"]["ingredients"] == ["2 slices bread", "1 leek"]
        assert len(got["recipe"]["instructions"]) == 2
        assert (await call(client, "add_recipe", text=text))["unchanged"] == 1

    run(copy, talk)


def test_mistakes_are_told_to_the_assistant_and_the_cookbook_is_not_written_to(collection):
    async def talk(client):
        assert "an empty query" in await refused(client, "search_recipes")
        assert "no recipe 'nobody'" in await refused(client, "get_recipe", id="nobody")
        assert "either the id" in await refused(client, "contains")
        assert "no photo" in await refused(client, "search_recipes", photo="aGVsbG8=")
        assert "not base64" in await refused(client, "search_recipes", photo="*")
        assert "at most 1000" in await refused(client, "search_recipes", text="x" * 1001)
        assert "tofu" in await refused(
            client, "swap_ingredient", id="r1", ingredient="tofu", replacement="beef"
        )
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == TOOLS - {"add_recipe"}

    run(collection, talk, can_add=False)
