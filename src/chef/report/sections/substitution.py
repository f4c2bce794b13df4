"""Substitution: Tables 4, 5 and S3, the unchanged recipe as baseline, galleries with photos."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from chef.report.gap import Verdict, describe, overall
from chef.report.names import MARK, PAPER, counted, listed, of_run, shown
from chef.report.section import Block as Shown
from chef.report.section import Figure, Finding, Folded, Section, better_than_without, outcome
from chef.report.sections.substitution_tests import (
    TASK,
    WAYS,
    gains,
    median_ranks,
    pairs_of,
    parts,
    pooled_rivals,
    rates,
    together,
)
from chef.report.study import Study
from chef.report.table import Block, Cell, Column, Row, Table, Value
from chef.report.table_formats import draw

NAMES = {"chicken": "Table 4", "pork": "Table 5", "beef": "Table S3"}  # the others are not in the paper
KINDS = {"success": "Trees kept", "reinferred": "Trees inferred again", "two_step": "A → B → A"}
OPEN = 2  # pairs whose gallery is open from the start


def substitution_section(study: Study) -> Section | None:
    """The section, or None where nothing was substituted."""
    pairs = pairs_of(study)
    if not pairs:
        return None
    sources = list(dict.fromkeys(pair.split("->")[0] for pair in pairs))
    sources.sort(key=lambda source: list(NAMES).index(source) if source in NAMES else len(NAMES))
    blocks: list[Shown] = [_table(study, source, pairs) for source in sources]
    blocks.append(Folded("Trees inferred again, and A → B → A", [_ways_table(study, pairs)]))
    if asked := _asked_table(study, pairs):
        blocks.append(Folded(f"Queries of the {study.split} split alone", [asked]))
    return Section(
        TASK,
        "Substitution",
        "A recipe whose main ingredient is A has A replaced by B in title, ingredients and instructions. It "
        "succeeds if the dish found for it really has B, by the nearest photo (R-2-I) or the nearest "
        "recipe (R-2-R). The baseline is the same for the unchanged recipe. R-2-R is the easier "
        "question and weaker evidence: both sides are text, and sharing the word B goes half the way, even "
        f"for a model that has learned nothing. {_where(study)}",
        [*blocks, *_galleries(study)],
        list(_findings(study, pairs)),
    )


def _where(study: Study) -> str:
    part = parts(study, study.able(TASK)[0])[0]
    by = "by largest mass" if part.queries_from == "gold" else f"by the tree of {shown(part.queries_from)}"
    said = (
        f"The main ingredient is decided {by}, the same for every model. The gallery is "
        f"{counted(part.gallery.recipes, 'recipe')} ({listed(part.gallery.splits)})."
    )
    short = [f"{pair.replace('->', ' → ')} ({why})" for pair, why in part.skipped.items()]
    return f"{said} Skipped: {'; '.join(short)}." if short else said


def _table(study: Study, source: str, pairs: Sequence[str]) -> Table:
    mine = [pair for pair in pairs if pair.startswith(f"{source}->")]
    ranks = median_ranks(study).get(source, {})
    models = study.able(TASK)
    changed, unchanged = [], []
    for model in models:
        rank = Value((ranks[model],)) if model in ranks else None
        changed.append(Row(shown(model), [*_cells(study, model, mine, ["success"]), rank]))
        unchanged.append(Row(shown(model), [*_cells(study, model, mine, ["baseline"]), None], "control"))
    blocks = [Block(f"{source.capitalize()} replaced", changed), Block("Baseline: left unchanged", unchanged)]
    if theirs := _theirs(study, source, mine):
        blocks.append(Block(MARK, theirs))
    columns = [Column(label, _heading(study, pair), "high") for pair in mine for label in WAYS.values()]
    return Table(
        f"substitution-{source}",
        NAMES.get(source, f"From {source}"),
        f"Substitution from {source}: how often the dish found has the new ingredient, in percent.",
        [*columns, Column("Med. rank", "Over all", "low")],
        blocks,
        list(_says(study, source, mine, ranks)),
    )


def _heading(study: Study, pair: str) -> str:
    counts = [run.queries for model in study.able(TASK) for run in rates(study, model, pair)]
    few, many = min(counts), max(counts)
    return f"To {pair.split('->')[1]} ({few}{f'–{many}' if many > few else ''} queries)"


def _cells(study: Study, model: str, pairs: Sequence[str], kinds: Iterable[str]) -> list[Cell]:
    """The rates of these kinds ("success", "baseline" ...) for these pairs, in both directions."""
    return [
        Value.of([getattr(run, kind) for run in rates(study, model, pair)], way)
        for pair in pairs
        for kind in kinds
        for way in WAYS
    ]


def _theirs(study: Study, source: str, pairs: Sequence[str]) -> list[Row]:
    """The paper's rows of the same models, where it has the source at all."""
    rows = []
    for model in study.able(TASK):
        figures = PAPER[TASK].get(study.variant(model), {})
        if any(pair in figures for pair in pairs):
            cells = [
                Value((figures[pair][way],)) if pair in figures else None for pair in pairs for way in WAYS
            ]
            rank = Value((PAPER["median-rank"][study.variant(model)][source],))
            rows.append(Row(shown(model), [*cells, rank], "paper"))
    return rows


def _says(study: Study, source: str, pairs: Sequence[str], ranks: Mapping[str, float]) -> Iterator[str]:
    said = [f"{shown(model)} {_tally(gains(study, model, pairs))}" for model in study.able(TASK)]
    yield f"The swap beats the recipe left unchanged: {'; '.join(said)}."
    if ranks:
        best = min(ranks.values())
        first = listed([shown(model) for model, rank in ranks.items() if rank == best])
        yield f"Lowest median rank: {first} ({best:.1f}). A rank has no interval, so it proves nothing."


def _tally(verdicts: Sequence[Verdict], of: str = "column") -> str:
    """'in 6 of 8 columns (not distinguishable in 2)'."""
    above, below, open_ = (verdicts.count(kind) for kind in ("above", "below", "open"))
    rest = [f"behind in {below}"] if below else []
    rest += [f"not distinguishable in {open_}"] if open_ else []
    return f"in {above} of {counted(len(verdicts), of)}" + (f" ({', '.join(rest)})" if rest else "")


def _ways_table(study: Study, pairs: Sequence[str]) -> Table:
    """For each model and pair: as in the tables before, with the trees inferred again, and A → B → A."""
    blocks = [
        Block(
            shown(model),
            [Row(pair.replace("->", " → "), _cells(study, model, [pair], KINDS)) for pair in pairs],
        )
        for model in study.able(TASK)
    ]
    return Table(
        "substitution-ways",
        "Other ways to substitute",
        "Success in percent. A → B → A: in the dish found for B, B is replaced by A, and it must find A "
        "again.",
        [Column(label, kind) for kind in KINDS.values() for label in WAYS.values()],
        blocks,
        stub="Pair",
    )


def _asked_table(study: Study, pairs: Sequence[str]) -> Table | None:
    """The queries of the requested split, where the gallery is all splits and the rates mix them."""
    rows = []
    for model in study.able(TASK):
        for pair in pairs:
            if apart := rates(study, model, pair, study.split):
                cells: list[Cell] = [Value(tuple(float(run.queries) for run in apart), digits=0)]
                cells += [Value.of([run.success for run in apart], way) for way in WAYS]
                cells += [Value.of([run.baseline for run in apart], way) for way in WAYS]
                rows.append(Row(f"{shown(model)}, {pair.replace('->', ' → ')}", cells))
    if not rows:
        return None
    columns = [Column(label, group) for group in ("Replaced", "Unchanged") for label in WAYS.values()]
    return Table(
        "substitution-asked",
        f"Substitution, {study.split} queries",
        "The tables above have queries from all splits, some of which the models saw in training. These "
        f"are the queries of the {study.split} split alone.",
        [Column("Queries"), *columns],
        [Block("", rows)],
        stub="Model and pair",
    )


def _findings(study: Study, pairs: Sequence[str]) -> Iterator[Finding]:
    for model in filter(study.has_tree, study.able(TASK)):
        gained = {way: [together(part, way) for part in parts(study, model)] for way in WAYS}
        said = [f"{label}, all pairs together: {describe(gained[way])}." for way, label in WAYS.items()]
        chooser = parts(study, model)[0].queries_from  # whose tree says what the main ingredient is
        finding = Finding(
            model,
            f"With its main ingredient swapped, a recipe of {shown(model)} finds dishes with the new one",
            outcome(overall(gained)),
            f"Against the recipe left unchanged. {' '.join(said)} Pair by pair and way by way, it is ahead "
            f"{_tally(gains(study, model, pairs), 'case')}.",
        )
        yield finding.unless(study.untested(chooser, "ingredients") if chooser != "gold" else None)
        rivals = {f"{WAYS[way]}, all pairs together": row for way, row in pooled_rivals(study, model).items()}
        if all(rivals.values()):
            finding = better_than_without(model, "substitutes", rivals)
            yield finding.unless(study.untested(model, "ingredients"))


def _galleries(study: Study) -> Iterator[Figure | Folded]:
    """The substitutions of the first model that has pictures of them, the leading one if it can be."""
    runs = study.illustrated("swaps", study.able(TASK))[:1]
    swaps = [swap for run in runs for swap in run.figures.swaps or ()]
    folded: dict[str, list[Figure]] = {}
    for place, pair in enumerate(dict.fromkeys(swap.pair for swap in swaps)):
        old, new = pair.split("->")
        figure = Figure(
            draw("gallery", [swap for swap in swaps if swap.pair == pair]),
            f"{of_run(runs[0])}: {old} becomes {new}. Queries drawn at random, not "
            "chosen; the nearest dishes first. Green: the dish has the new ingredient.",
            wide=True,
        )
        if place < OPEN:
            yield figure
        else:
            folded.setdefault(old, []).append(figure)
    for old, figures in folded.items():
        yield Folded(f"More swaps from {old}", figures)
