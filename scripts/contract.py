"""Write down what others rely on, and show what a change did to it.

Commands and options, the HTTP API, public names, the JSON keys of results, metric names, what `parse_line`
makes of 2,000 fixed lines, and the exported bytes of a small collection:

    python scripts/contract.py --write     # scripts/contract.json
    python scripts/contract.py             # the difference to it; exit code 1 if there is one

The recipes are those of the bundled cookbook; the photos are flat colours made here. Only the public face of
the package is used, so the same script describes an earlier commit: PYTHONPATH=OTHER/src.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import inspect
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

CONTRACT = Path(__file__).with_name("contract.json")
LINES = 2000
RECIPES = 24  # of the small collection and of the evaluation
DYNAMIC = re.compile(r"^(\d+|[a-z]+->[a-z]+)$")  # keys that depend on the data


def contract(folder: Path) -> dict[str, Any]:
    """Everything, as JSON; `folder` is for files on the way."""
    recipes = cookbook()
    source = collection_source(recipes, folder / "source")
    index = folder / "collection"
    add = chef_json("index", "add", str(index), str(source), "--model", "chef-ttl", "--json")
    return {
        "commands": commands(),
        "public names": public_names(),
        "lines": lines(recipes),
        "command output": {"index add": keys(add), **command_output(index, source)},
        # The recipes say where their photos are: here, in a temporary folder.
        "export": hashlib.sha256(
            chef_command("index", "export", str(index)).replace(str(folder).encode(), b"")
        ).hexdigest(),
        **service(index, source),
        "evaluation": evaluation(source, folder),
    }


def cookbook() -> list[dict[str, Any]]:
    """The recipes of the bundled cookbook as their files have them, in the order of their ids."""
    import chef

    files = sorted(Path(chef.__file__).parent.glob("**/cookbook/*.json"))
    return sorted((one for file in files for one in json.loads(file.read_text())), key=lambda one: one["id"])


def collection_source(recipes: list[dict[str, Any]], folder: Path) -> Path:
    """A folder of JSON lines with photos and splits."""
    from PIL import Image

    folder.mkdir(parents=True)
    step = len(recipes) // RECIPES
    rows, splits = [], {"train": [], "val": [], "test": []}
    for number, recipe in enumerate(recipes[:: step or 1][:RECIPES]):
        colour = tuple(hashlib.sha256(recipe["id"].encode()).digest()[:3])
        Image.new("RGB", (64, 64), colour).save(folder / f"{number}.png")
        rows.append({**recipe, "image": f"{number}.png"})
        splits["train" if number % 4 == 0 else "val" if number % 4 == 1 else "test"].append(recipe["id"])
    (folder / "recipes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "splits.json").write_text(json.dumps(splits))
    return folder


def chef_command(*arguments: str) -> bytes:
    """What a command prints."""
    done = subprocess.run([sys.executable, "-m", "chef", *arguments], capture_output=True)
    if done.returncode:
        raise SystemExit(f"chef {' '.join(arguments)}: {done.stderr.decode()}")
    return done.stdout


def chef_json(*arguments: str) -> Any:
    return json.loads(chef_command(*arguments))


def commands() -> dict[str, list[str]]:
    """Each command with its arguments and options."""
    import typer

    from chef import cli

    cli._register()
    listed: dict[str, list[str]] = {}

    def walk(command: Any, name: str) -> None:
        for child_name, child in getattr(command, "commands", {}).items():
            walk(child, f"{name} {child_name}")
        if not getattr(command, "commands", {}):
            listed[name] = sorted(
                " ".join(
                    [
                        *sorted(option.opts + option.secondary_opts),
                        str(option.metavar),
                        str(option.required),
                        str(option.default),
                    ]
                )
                for option in command.params
            )

    walk(typer.main.get_command(cli.app), "chef")
    return listed


def public_names() -> dict[str, Any]:
    """`chef.__all__`, and the public methods of the index and of a loaded model with their parameters."""
    import chef

    def methods(owner: Any) -> dict[str, list[str]]:
        members = {name: getattr(owner, name, None) for name in dir(owner) if not name.startswith("_")}
        return {
            name: list(inspect.signature(one).parameters) for name, one in members.items() if callable(one)
        }

    wanted = ("embed_images", "embed_recipes", "explain")
    model = methods(type(chef.load("chef-ttl")))
    return {
        "chef": sorted(chef.__all__),
        "chef.load": list(inspect.signature(chef.load).parameters),
        "chef.read": list(inspect.signature(chef.read).parameters),
        "chef.Index": methods(chef.Index),
        "model": {name: model[name] for name in wanted},
    }


def lines(recipes: list[dict[str, Any]]) -> list[str]:
    """What `parse_line` makes of ingredient lines: line, name, amount, unit, grams."""
    from chef.text.lines import parse_line

    fixed = sorted({line for recipe in recipes for line in recipe["ingredients"]})
    fixed = [*fixed, *(f"{line} (or more), divided" for line in fixed)][:LINES]
    parsed = [parse_line(line) for line in fixed]
    return [f"{one.line} | {one.name} | {one.amount} | {one.unit} | {one.grams}" for one in parsed]


def command_output(index: Path, source: Path) -> dict[str, Any]:
    """The JSON keys that commands print."""
    recipe = index.parent / "one.json"
    first = json.loads((source / "recipes.jsonl").read_text().splitlines()[0])
    recipe.write_text(json.dumps(first))
    swapped = "chicken" if any("chicken" in line for line in first["ingredients"]) else "salt"
    where = ["--index", str(index)]
    return {
        "index list": keys(json.loads(chef_command("index", "list", str(index), "--json").splitlines()[0])),
        "index info": keys(chef_json("index", "info", str(index), "--json")),
        "search": keys(chef_json("search", str(source / "0.png"), *where, "--without", "nuts", "--json")),
        "search --text": keys(chef_json("search", "--text", "soup", *where, "--json")),
        "search --have": keys(chef_json("search", "--have", "rice", "--have", "eggs", *where, "--json")),
        "explain": keys(chef_json("explain", str(recipe), "--json")),
        "swap": keys(chef_json("swap", str(recipe), swapped, "pepper", *where, "--json")),
        "suggestions": keys(chef_json("swap", str(recipe), swapped, *where, "--json")),
        "prune": keys(chef_json("prune", str(recipe), "-k", "1", "--json")),
    }


def evaluation(source: Path, folder: Path) -> list[str]:
    """The JSON keys of `chef evaluate` for two models."""
    out = folder / "result.json"
    models = ["--model", "chef-ttl", "--model", "again=chef-ttl"]
    chef_command("evaluate", *models, "--data", str(source), "--split", "test", "--out", str(out))
    return [key for key in keys(json.loads(out.read_text())) if "figures." not in key]


def service(index: Path, source: Path) -> dict[str, Any]:
    """The OpenAPI document, the JSON keys of answers and the metric names of a running service."""
    command = [sys.executable, "-m", "chef", "serve", "--index", str(index), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout is not None
        try:
            address = running.stdout.readline().strip().rstrip("/")

            def ask(path: str, body: Any = None) -> bytes:
                data = None if body is None else json.dumps(body).encode()
                headers = {"content-type": "application/json"}
                request = urllib.request.Request(address + path, data, headers)
                with urllib.request.urlopen(request) as answer:
                    content: bytes = answer.read()
                return content

            first = json.loads((source / "recipes.jsonl").read_text().splitlines()[0])
            first.pop("image")
            answers = {
                "search": ask("/api/search", {"text": "soup", "without": ["nuts"], "k": 2}),
                "list": ask("/api/recipes"),
                "recipe": ask(f"/api/recipes/{first['id']}"),
                "explain": ask("/api/explain", {"recipe": first}),
                "swap": ask("/api/swap", {"id": first["id"], "from": "salt", "to": "pepper"}),
                "suggestions": ask("/api/suggestions", {"id": first["id"], "from": "salt"}),
                "prune": ask("/api/prune", {"id": first["id"], "k": 1}),
                "map": ask("/api/map"),
                "vocabulary": ask("/api/vocabulary"),
                "health": ask("/api/health"),
                "ready": ask("/api/ready"),
            }
            openapi = json.loads(ask("/openapi.json"))
            metrics = ask("/api/metrics").decode()
        finally:
            running.terminate()
    names = {line.split("{")[0].split(" ")[0] for line in metrics.splitlines() if line and line[0] != "#"}
    return {
        "http": sorted(without_prose(openapi)),
        "answers": {name: keys(json.loads(answer)) for name, answer in answers.items()},
        "metrics": sorted(name for name in names if name.startswith("chef_")),
    }


def without_prose(openapi: dict[str, Any]) -> list[str]:
    """Paths, parameters, fields and bounds of an OpenAPI document as lines; schemas by what they hold."""
    schemas = openapi.get("components", {}).get("schemas", {})

    def shape(node: Any, seen: tuple[str, ...] = ()) -> Any:
        if isinstance(node, list):
            return [shape(one, seen) for one in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[-1]
            return "..." if name in seen else shape(schemas[name], (*seen, name))
        prose = {"title", "description", "operationId", "summary", "tags", "examples", "example"}
        return {
            key: shape(one, seen)
            for key, one in sorted(node.items())
            if key not in prose or "properties" in node
        }

    lines = []
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            head = f"{method.upper()} {path}"
            for one in operation.get("parameters", []):
                lines.append(f"{head} parameter {one['in']} {one['name']} {json.dumps(shape(one['schema']))}")
            for kind, content in operation.get("requestBody", {}).get("content", {}).items():
                lines += [f"{head} body {kind} {line}" for line in fields(shape(content.get("schema", {})))]
            for status, answer in operation["responses"].items():
                contents = answer.get("content", {})
                lines.append(f"{head} {status} {sorted(contents)}")
                for content in contents.values():
                    lines += [f"{head} {status} {line}" for line in fields(shape(content.get("schema", {})))]
    return lines


def fields(schema: Any, path: str = "") -> list[str]:
    """The fields of a schema, each with its path and whether it is required."""
    if not schema or not isinstance(schema, dict):
        return []
    listed = []
    for one in (*schema.get("anyOf", []), *schema.get("allOf", []), schema.get("items", {})):
        listed += fields(one, path)
    for name, inner in schema.get("properties", {}).items():
        required = "required" if name in schema.get("required", []) else "optional"
        listed += [f"{path}{name} {required}", *fields(inner, f"{path}{name}.")]
    return sorted(set(listed))


def keys(value: Any, path: str = "") -> list[str]:
    """The paths of all keys; items of a list and keys that depend on the data count as one."""
    if isinstance(value, list):
        return sorted({key for one in value for key in keys(one, f"{path}[]")})
    if not isinstance(value, dict):
        return []
    names = {name: "*" if DYNAMIC.match(name) else name for name in value}
    here = {f"{path}.{name}".lstrip(".") for name in names.values()}
    deeper = {
        key for name, inner in value.items() for key in keys(inner, f"{path}.{names[name]}".lstrip("."))
    }
    return sorted(here | deeper)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="write scripts/contract.json")
    parser.add_argument("--file", type=Path, default=CONTRACT, help="another file than scripts/contract.json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text = json.dumps(contract(Path(folder)), indent=1, ensure_ascii=False) + "\n"
    if options.write:
        options.file.write_text(text)
        return
    before = options.file.read_text().splitlines()
    difference = list(difflib.unified_diff(before, text.splitlines(), "committed", "now", lineterm="", n=1))
    print("\n".join(difference) or "the contract holds")
    sys.exit(bool(difference))


if __name__ == "__main__":
    main()
