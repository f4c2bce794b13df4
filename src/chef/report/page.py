"""The report in a folder: index.html with its style and pictures inside, and each table as LaTeX and CSV."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from markupsafe import Markup

from chef.errors import ChefError
from chef.files import write_atomic
from chef.report.names import PAPER, counted, data_name, listed, shown
from chef.report.section import Block, Finding, Folded, Section
from chef.report.sections.actions import actions_section
from chef.report.sections.main_ingredient import main_ingredient_section
from chef.report.sections.measured import measured_section
from chef.report.sections.pruning import pruning_section
from chef.report.sections.retrieval import retrieval_section
from chef.report.sections.substitution import substitution_section
from chef.report.sections.trees import trees_section
from chef.report.study import Study, read_studies
from chef.report.table import Table
from chef.report.table_formats import render, table_csv, table_latex

Part = tuple[Study, Sequence[Section]]
BlockT = TypeVar("BlockT", bound=Block)
SECTIONS: tuple[Callable[[Study], Section | None], ...] = (
    measured_section,
    retrieval_section,
    trees_section,
    main_ingredient_section,
    pruning_section,
    substitution_section,
    actions_section,
)


def write_report(results: Sequence[Path], out: Path) -> Path:
    """Write the report of one or several results; the answer is the page.

    >>> write_report([Path("seed-0.json"), Path("seed-1.json")], Path("report"))
    PosixPath('report/index.html')
    """
    if out.exists() and not out.is_dir():
        raise ChefError(f"not a folder: {out}", "give the folder that the report shall go to")
    parts = [(study, _sections(study, place)) for place, study in enumerate(read_studies(results))]
    for _, sections in parts:
        for table in (table for section in sections for table in section.tables):
            write_atomic(out / "tables" / f"{table.name}.tex", table_latex(table).encode())
            write_atomic(out / "tables" / f"{table.name}.csv", table_csv(table).encode())
    write_atomic(out / "index.html", page(parts).encode())
    return out / "index.html"


def _sections(study: Study, place: int) -> list[Section]:
    """The sections that the study has something for; a second study's tables have names of their own."""
    sections = [section for make in SECTIONS if (section := make(study)) is not None]
    suffix = f"-{place + 1}" if place else ""
    return [replace(one, blocks=[_named(block, suffix) for block in one.blocks]) for one in sections]


def _named(block: BlockT, suffix: str) -> BlockT:
    if isinstance(block, Table):
        return replace(block, name=block.name + suffix)
    if isinstance(block, Folded):
        return replace(block, blocks=[_named(one, suffix) for one in block.blocks])
    return block


def page(parts: Sequence[Part]) -> str:
    """The HTML of all studies, one after the other."""
    counts = [f"{counted(study.n, 'recipe')} of {data_name(study.data)}" for study, _ in parts if study.n]
    names = dict.fromkeys(data_name(study.data) for study, _ in parts)
    return render(
        "page.html",
        data=f"CHEF on {listed(list(names))}",
        over=f" over {listed(counts)}" if counts else "",
        style=Markup(files("chef.report").joinpath("style.css").read_text(encoding="utf-8")),
        paper=PAPER,
        parts=[
            {
                "name": f"{data_name(study.data)}, {study.split}",
                "sections": sections,
                "findings": _findings(study, sections),
            }
            for study, sections in parts
        ],
    )


def _findings(study: Study, sections: Sequence[Section]) -> dict[str, list[tuple[Section, Finding]]]:
    """By model, the leading one first."""
    by_model: dict[str, list[tuple[Section, Finding]]] = {}
    for section in sections:
        for finding in section.findings:
            by_model.setdefault(finding.model, []).append((section, finding))
    return {shown(model): by_model[model] for model in study.leading(list(by_model))}
