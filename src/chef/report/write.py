"""A report in a folder: index.html, and each table as LaTeX and CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from chef.errors import ChefError
from chef.files import write_atomic
from chef.report.page import page
from chef.report.section import Block, Folded, Section
from chef.report.sections.actions import actions_section
from chef.report.sections.main_ingredient import main_ingredient_section
from chef.report.sections.measured import measured_section
from chef.report.sections.pruning import pruning_section
from chef.report.sections.retrieval import retrieval_section
from chef.report.sections.substitution import substitution_section
from chef.report.study import Study, read_studies
from chef.report.table import Table
from chef.report.table_formats import table_csv, table_latex

SECTIONS: tuple[Callable[[Study], Section | None], ...] = (
    measured_section,
    retrieval_section,
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
    return [replace(one, blocks=_named(one.blocks, f"-{place + 1}" if place else "")) for one in sections]


def _named(blocks: Sequence[Block], suffix: str) -> list[Block]:
    named: list[Block] = []
    for block in blocks:
        if isinstance(block, Table):
            named.append(replace(block, name=block.name + suffix))
        elif isinstance(block, Folded):
            inside = [
                replace(one, name=one.name + suffix) if isinstance(one, Table) else one
                for one in block.blocks
            ]
            named.append(replace(block, blocks=inside))
        else:
            named.append(block)
    return named
