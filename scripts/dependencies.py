"""Writes down all that CHEF depends on, as it is installed here, and what that depends on in turn.

    python scripts/dependencies.py     # constraints.txt, requirements*.lock, docs/dependencies.md; asks PyPI

The locks have the hashes of the wheels for Linux, macOS and Windows, but not torch: PyPI's wheels of it bring
gigabytes of CUDA, and the CPU builds of its own index have other hashes. Packages that only other systems
need, such as CUDA's, are not installed here and not pinned.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import urllib.request
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).parent.parent
SERVE = ("serve",)
EXTRAS = ("serve", "mcp", "train", "export", "dev", "ray", "fuzz", "ocr")
SYSTEMS = re.compile(r"any|manylinux.*(x86_64|aarch64)|macosx.*|win_amd64")
DOCUMENT = """# Dependencies

All {} packages that CHEF and its extras need on Linux, written by `scripts/dependencies.py`: the version \
that `constraints.txt` pins, its licence as the package states it, the day of its release, and the day of \
the latest release of any version. Those that CHEF asks for itself are bold; `run` is needed by every \
command, `serve` by `chef serve`, `other` for assistants, training, export, Ray and development.

`requirements.lock` and `requirements-serve.lock` have the hashes of the files; their first lines say how to \
install from them. torch is not in them: PyPI's wheels bring gigabytes of CUDA, and the CPU builds on \
PyTorch's own index have other hashes. The fuzzer, which has no package for some \
systems, is pinned and not locked.

| package | version | licence | released | latest release | for |
|---|---|---|---|---|---|
{}
"""


def direct(extras: tuple[str, ...]) -> list[Requirement]:
    """What pyproject.toml asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    return [
        Requirement(one)
        for one in (*project["dependencies"], *(o for name in extras for o in optional[name]))
    ]


def closure(extras: tuple[str, ...] = EXTRAS) -> dict[str, str]:
    """The version of every package that these need, as installed here, by name."""
    waiting, found = [(one, "") for one in direct(extras)], dict[str, str]()
    seen = set[tuple[str, str]]()
    while waiting:
        wanted, extra = waiting.pop()
        if wanted.marker and not wanted.marker.evaluate({"extra": extra}):
            continue
        try:
            package = distribution(wanted.name)
        except PackageNotFoundError:  # an extra that is not installed here
            continue
        name = canonicalize_name(wanted.name)
        found[name] = package.version.partition("+")[0]
        for also in ("", *wanted.extras):
            if (name, also) not in seen:
                seen.add((name, also))
                waiting += [(Requirement(one), also) for one in package.requires or ()]
    return dict(sorted(found.items()))


def asked(name: str) -> dict[str, Any]:
    """What PyPI knows about a package."""
    with urllib.request.urlopen(f"https://pypi.org/pypi/{name}/json", timeout=60) as answer:
        known: dict[str, Any] = json.load(answer)
    return known


def licence(info: dict[str, Any]) -> str:
    """The licence as the package states it, shortly."""
    classes = [one.rpartition(" :: ")[2] for one in info["classifiers"] if one.startswith("License :: ")]
    first = next(iter((info.get("license") or "").strip().splitlines()), "")
    stated = info.get("license_expression") or " or ".join(one for one in classes if one != "OSI Approved")
    return stated or first[:60] or "not stated"


def hashes(files: list[dict[str, Any]]) -> list[str]:
    """The hashes of the wheels for the usual systems; of the source where there are none."""
    wheels = [one for one in files if one["packagetype"] == "bdist_wheel" and usual(one["filename"])]
    chosen = wheels or [one for one in files if one["packagetype"] == "sdist"]
    return sorted(one["digests"]["sha256"] for one in chosen)


def usual(name: str) -> bool:
    """Whether a wheel is for one of our Pythons on a usual system."""
    tags = parse_wheel_filename(name)[3]
    return any(
        SYSTEMS.fullmatch(tag.platform)
        and (
            tag.interpreter in ("py3", "py2")
            or tag.abi == "abi3"
            or re.fullmatch(r"cp31[1-4]", tag.interpreter)
        )
        for tag in tags
    )


def released(files: list[dict[str, Any]]) -> str:
    """The day of a release."""
    return max((one["upload_time"][:10] for one in files), default="")


def main() -> None:
    every, serving, running = closure(), closure(SERVE), closure(())
    for name in {canonicalize_name(one.name) for one in direct(())} - every.keys():  # not installed here
        every[name] = serving[name] = running[name] = asked(name)["info"]["version"]
    every, serving = dict(sorted(every.items())), dict(sorted(serving.items()))
    names = {canonicalize_name(one.name) for one in direct(EXTRAS)}
    before = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.M)
    missing = {
        name: version for old, version in before if (name := canonicalize_name(old)) in names - every.keys()
    }
    lines = [f"{name}=={version}\n" for name, version in sorted((every | missing).items())]
    (ROOT / "constraints.txt").write_text(
        "# The versions that everything here was tested with, written by scripts/dependencies.py:\n"
        "# pip install -c constraints.txt -e '.[serve,train,dev]'\n" + "".join(lines)
    )
    known = {}
    for number, name in enumerate(every, 1):
        print(f"{number} of {len(every)}: {name}", file=sys.stderr)
        known[name] = asked(name)
    for file, packages in (("requirements.lock", every), ("requirements-serve.lock", serving)):
        text = (
            "# Written by scripts/dependencies.py. torch is not here: its CPU builds are on another index.\n"
            "# pip install -c constraints.txt torch\n"
            f"# pip install --no-deps --require-hashes -r {file}\n"
            "# pip install --no-deps .\n"
        )
        for name in (name for name in packages if name != "torch"):
            found = hashes(known[name]["releases"][packages[name]])
            text += (
                f"{name}=={packages[name]} "
                + " ".join(f"\\\n    --hash=sha256:{one}" for one in found)
                + "\n"
            )
        (ROOT / file).write_text(text)
    rows = []
    for name, version in every.items():
        releases = known[name]["releases"]
        use = "run" if name in running else "serve" if name in serving else "other"
        days = released(releases[version]), max(map(released, releases.values()))
        wanted = f"**{name}**" if name in names else name
        rows.append(f"| {' | '.join([wanted, version, licence(known[name]['info']), *days, use])} |")
    (ROOT / "docs" / "dependencies.md").write_text(DOCUMENT.format(len(every), "\n".join(rows)))


if __name__ == "__main__":
    main()
