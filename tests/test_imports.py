"""The order of the folders, and the weight of `import chef`."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "chef"

# A module may import from its own package and from those before it in this list.
ORDER = [
    ["errors"],
    ["files"],
    ["progress"],
    ["typed_json"],
    ["storage"],
    ["recipe"],
    ["readers"],
    ["text"],
    ["food"],
    ["text.lines"],  # reads ingredient lines with what food knows of units and measures
    ["contents"],
    ["teacher"],
    ["bundled"],
    ["data"],
    ["measure"],
    ["model"],
    ["train"],
    ["evaluate"],
    ["report"],
    ["index"],
    ["sync"],
    ["rewrite"],
    ["serve"],
    ["commands"],
    ["cli"],
    ["__main__"],
]
PLACE = {name: place for place, names in enumerate(ORDER) for name in names}


def imported(path: Path) -> set[str]:
    """The parts of chef that a file imports, at the top or inside a function."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module or ""}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {part for name in names if name.startswith("chef.") and (part := part_of(name))}


def part_of(module: str) -> str | None:
    """The entry of `ORDER` that a module belongs to."""
    names = module.split(".")[1:]
    return next((part for part in (".".join(names[:2]), names[0]) if part in PLACE), None)


def files_of(part: str) -> list[Path]:
    """The files of an entry of `ORDER`, without those that have an entry of their own."""
    path = SOURCE / part.replace(".", "/")
    paths = [path.with_suffix(".py")] if path.with_suffix(".py").exists() else path.rglob("*.py")
    modules = {path: ".".join(("chef", *path.relative_to(SOURCE).with_suffix("").parts)) for path in paths}
    return [path for path, module in modules.items() if part_of(module) == part]


def test_every_part_has_a_place():
    parts = {path.stem for path in SOURCE.iterdir() if path.is_dir() or path.suffix == ".py"}
    assert parts - {"__init__", "__pycache__", "py"} <= set(PLACE)


@pytest.mark.parametrize("part", sorted(PLACE))
def test_nothing_upstream_imports_downstream(part):
    for path in files_of(part):
        late = {name for name in imported(path) if PLACE[name] > PLACE[part]}
        assert not late, f"{path.relative_to(SOURCE)} imports {sorted(late)}, which comes after {part}"


def test_the_docs_draw_this_graph():
    drawn = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    block = drawn.split("<!-- graph -->\n```\n")[1].split("\n```")[0]
    parts = [part for part in PLACE if files_of(part)]
    imports = {part: set().union(*map(imported, files_of(part))) - {part} for part in parts}
    lines = [f"{part:<12}{' '.join(sorted(imports[part], key=PLACE.get))}".rstrip() for part in parts]
    assert block.splitlines() == lines, "docs/architecture.md should say:\n" + "\n".join(lines)


@pytest.mark.parametrize("part", ["index", "rewrite", "serve"])
def test_the_product_does_not_import_evaluation(part):
    for path in files_of(part):
        assert not imported(path) & {"evaluate", "report"}, path.relative_to(SOURCE)


def test_import_chef_is_light():
    code = "import sys, json, chef; print(json.dumps(sorted(sys.modules)))"
    modules = json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
    heavy = {"torch", "numpy", "PIL", "transformers", "gensim", "typer", "rich", "nltk", "pydantic"}
    assert not heavy & set(modules)


def test_commands_start_without_torch():
    code = "import sys, chef.cli; chef.cli._register(); print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout == b"False\n"
