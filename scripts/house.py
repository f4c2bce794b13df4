"""How large the house is, and which of its files each walk enters.

    python scripts/house.py            # files, lines, code lines and tokens, modules with one importer
    python scripts/house.py --walks    # also the files of the package in which a function runs, walk by walk

A walk is a command run on dishes of the bundled cookbook with every call of a function traced; a file that is
only imported does not count. PYTHONPATH=OTHER/src describes another commit.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from pathlib import Path

SMALL = 40  # lines
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
# Runs in the traced process before anything else: notes the file of each function of the package that runs.
TRACER = """
import atexit, json, os, sys, threading
package, out, entered = {package!r}, {out!r}, set()
def note(frame, event, argument):
    code = frame.f_code
    if event != "call" or not code.co_filename.startswith(package) or code.co_filename in entered:
        return
    if not code.co_flags & 1:  # the body of a module or a class
        return
    while frame := frame.f_back:  # a module that is being imported calls it: that is no walk
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(package):
            if not frame.f_code.co_filename.endswith("__main__.py"):
                return
    entered.add(code.co_filename)
def write():
    sys.setprofile(None)
    with open(f"{{out}}/{{os.getpid()}}.json", "w") as file:
        json.dump(sorted(entered), file)
atexit.register(write)
threading.setprofile(note)
sys.setprofile(note)
"""


def package() -> Path:
    import chef

    return Path(chef.__file__).parent


def size(root: Path) -> dict[str, int]:
    """Lines, code lines (neither blank nor comment nor docstring), code tokens and files."""
    counts: Counter[str] = Counter()
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        counts["files"] += 1
        counts["lines"] += lines
        counts[f"files under {SMALL} lines"] += lines < SMALL
        docstrings = docstring_lines(ast.parse(text))
        code = set()
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                if token.type not in NO_CODE and token.start[0] not in docstrings:
                    counts["code tokens"] += 1
                    code |= set(range(token.start[0], token.end[0] + 1))
        counts["code lines"] += len(code)
    return dict(counts)


def docstring_lines(tree: ast.Module) -> set[int]:
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, owners) and ast.get_docstring(node)]
    return {line for body in bodies for line in range(body[0].lineno, (body[0].end_lineno or 0) + 1)}


def single_importers(root: Path) -> int:
    """How many modules only one other module of the package imports."""
    modules = {module_name(path, root): path for path in root.rglob("*.py")}
    importers: dict[str, set[str]] = {name: set() for name in modules}
    for name, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                wanted = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                wanted = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module or ""]
                if any(one in modules for one in wanted[:-1]):
                    wanted = wanted[:-1]
            else:
                continue
            for one in wanted:
                if one in importers and one != name:
                    importers[one].add(name)
    return sum(len(names) == 1 for names in importers.values())


def module_name(path: Path, root: Path) -> str:
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def walks(root: Path) -> dict[str, list[str]]:
    """The files that each walk enters."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, photo = folder / "recipes", folder / "dish.jpg"
        source.mkdir()
        recipes = sorted(root.glob("**/cookbook/*.json"))[0]
        for number, recipe in enumerate(json.loads(recipes.read_text())):
            (source / f"{number}.json").write_text(json.dumps({**recipe, "image": "dish.jpg"}))
        make_photo(photo)
        make_photo(source / "dish.jpg")
        index = str(folder / "collection")
        add = entered(root, folder, "index", "add", index, str(source))
        entered(root, folder, "search", str(photo))  # makes the cookbook's collection where it is missing
        return {"chef index add": add, "chef search dish.jpg": entered(root, folder, "search", str(photo))}


def make_photo(path: Path) -> None:
    from PIL import Image

    Image.linear_gradient("L").convert("RGB").save(path)


def entered(root: Path, folder: Path, *arguments: str) -> list[str]:
    """The files of the package in which a function runs during a command, its subprocesses included."""
    out = Path(tempfile.mkdtemp(dir=folder))
    hook = out / "sitecustomize.py"
    hook.write_text(TRACER.format(package=f"{root}{os.sep}", out=str(out)))
    path = os.pathsep.join([str(out), str(root.parent), os.environ.get("PYTHONPATH", "")])
    subprocess.run(
        [sys.executable, "-m", "chef", *arguments],
        check=True,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
    )
    files = {file for report in out.glob("*.json") for file in json.loads(report.read_text())}
    return sorted(str(Path(file).relative_to(root)) for file in files)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="How large the package is, and which files each walk enters."
    )
    parser.add_argument("--walks", action="store_true", help="trace chef search and chef index add as well")
    parser.add_argument("--list", action="store_true", help="name the files of each walk")
    options = parser.parse_args()
    root = package()
    for name, count in size(root).items():
        print(f"{count:>8,}  {name}")
    print(f"{single_importers(root):>8,}  modules with one importer")
    for name, files in walks(root).items() if options.walks or options.list else ():
        print(f"{len(files):>8,}  files entered by {name}")
        if options.list:
            print("".join(f"          {file}\n" for file in files), end="")


if __name__ == "__main__":
    main()
