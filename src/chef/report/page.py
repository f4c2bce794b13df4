"""The report in a folder: index.html with its style and pictures inside, and each table as LaTeX and CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from chef.errors import ChefError
from chef.files import write_atomic
from chef.report.names import PAPER, counted, data_name, listed, shown
from chef.report.section import Block, Figure, Folded, Section
from chef.report.sections.actions import actions_section
from chef.report.sections.main_ingredient import main_ingredient_section
from chef.report.sections.measured import measured_section
from chef.report.sections.pruning import pruning_section
from chef.report.sections.retrieval import retrieval_section
from chef.report.sections.substitution import substitution_section
from chef.report.sections.trees import trees_section
from chef.report.study import Study, read_studies
from chef.report.table import Table
from chef.report.table_formats import table_csv, table_html, table_latex

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
    style = files("chef.report").joinpath("style.css").read_text(encoding="utf-8")
    notes, address = " ".join(PAPER["notes"].values()), PAPER["address"]
    studies = "".join(_study(part, place, len(parts)) for place, part in enumerate(parts))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(_data(parts))}: what the trees know</title><style>{style}</style></head>"
        f"<body>{_header(parts)}<main>{studies}</main><footer><p>The paper: "
        f'{escape(PAPER["citation"])}, <a href="{address}">{address}</a>. Its figures are copied from its '
        f"tables. {escape(notes)}</p><p>Made by <code>chef report</code>. The tables are in the folder "
        "<code>tables</code> as LaTeX and CSV.</p></footer></body></html>\n"
    )


def _data(parts: Sequence[Part]) -> str:
    return f"CHEF on {listed(list(dict.fromkeys(data_name(study.data) for study, _ in parts)))}"


def _header(parts: Sequence[Part]) -> str:
    counts = [f"{counted(study.n, 'recipe')} of {data_name(study.data)}" for study, _ in parts if study.n]
    over = f" over {listed(counts)}" if counts else ""
    links = "".join(
        f'<a href="#{_anchor(section.name, place)}">{escape(section.title)}</a>'
        for place, (_, sections) in enumerate(parts)
        for section in sections
    )
    return (
        f'<header><p class="kicker">{escape(_data(parts))}</p><h1>What do the trees know?</h1>'
        '<p class="lede">A model that only ever matched photos to recipes builds a tree over the ingredients '
        "and over each sentence. Does the tree know what a dish is made of, and what the cook does? Every "
        f"table of the CHEF paper{escape(over)}, beside the controls that its claims need.</p>"
        f"<nav>{links}</nav></header>"
    )


def _study(part: Part, place: int, of: int) -> str:
    study, sections = part
    heading = (
        f'<h2 class="study">{escape(data_name(study.data))}, {escape(study.split)}</h2>' if of > 1 else ""
    )
    return (
        heading
        + _brief(part, place)
        + "".join(
            f'<section id="{_anchor(section.name, place)}"><h2>{escape(section.title)}</h2>'
            f"<p>{escape(section.lead)}</p>{''.join(_blocks(section.blocks))}</section>"
            for section in sections
        )
    )


def _brief(part: Part, place: int) -> str:
    """The claims and what became of them, before all detail: of one model, the others folded away."""
    study, sections = part
    findings = [(section, finding) for section in sections for finding in section.findings]
    if not findings:
        return ""
    having = list(dict.fromkeys(finding.model for _, finding in findings))
    lead = study.lead if study.lead in having else having[0]
    items = dict.fromkeys(having, "")
    for section, finding in findings:
        items[finding.model] += (
            f'<li><span class="chip {finding.outcome.replace(" ", "-")}">{finding.outcome}</span><div>'
            f'<a href="#{_anchor(section.name, place)}">{escape(finding.claim)}</a>'
            f"<small>{escape(finding.evidence)}</small></div></li>"
        )
    others = "".join(
        f"<details><summary>The same for {escape(shown(model))}</summary>"
        f'<ul class="findings">{items[model]}</ul></details>'
        for model in having
        if model != lead
    )
    return (
        '<section class="brief"><h2>In brief</h2><p>The claims of the paper, and the questions they leave '
        "open, judged on these data alone. A claim <em>holds</em> where the 95 % interval of every "
        "difference is above zero in every run, <em>does not hold</em> where some difference is below zero "
        "in every run, and is <em>not settled</em> otherwise. A claim about trees is <em>not tested</em> "
        "unless the parser has learned where to merge. Differences are in percentage points; a run "
        "is above or across zero if its interval is.</p>"
        f'<ul class="findings">{items[lead]}</ul>{others}</section>'
    )


def _blocks(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Table):
            yield table_html(block)
        elif isinstance(block, Figure):
            wide = ' class="wide"' if block.wide else ""
            yield f"<figure{wide}>{block.html}<figcaption>{escape(block.caption)}</figcaption></figure>"
        else:
            inside = "".join(_blocks(block.blocks))
            yield f"<details><summary>{escape(block.summary)}</summary>{inside}</details>"


def _anchor(name: str, place: int) -> str:
    return name if place == 0 else f"{name}-{place + 1}"
