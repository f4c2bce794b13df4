"""Substitution: Tables 4, 5 and S3, the unchanged recipe as baseline, galleries with photos."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chef.report.against import against, overall
from chef.report.gap import Gap, Verdict, describe, settle
from chef.report.names import counted, listed, of_run, shown
from chef.report.paper import MARK, PAPER
from chef.report.pictures.gallery import gallery
from chef.report.section import Block as Shown
from chef.report.section import Figure, Finding, Folded, Section, outcome
from chef.report.sections.substitution_more import TASK, WAYS, asked_table, entries, pairs_of, ways_table
from chef.report.sections.substitution_rivals import pooled_rivals, together
from chef.report.study import Study
from chef.report.table import Block, Cell, Column, Row, Table
from chef.report.value import Value

NAMES = {"chicken": "Table 4", "pork": "Table 5", "beef": "Table S3"}  # the others are not in the paper
OPEN = 2  # pairs whose gallery is open from the start


def substitution_section(study: Study) -> Section | None:
    """The section, or None where nothing was substituted."""
    pairs = pairs_of(study)
    if not pairs:
        return None
    sources = list(dict.fromkeys(pair.split("->")[0] for pair in pairs))
    sources.sort(key=lambda source: list(NAMES).index(source) if source in NAMES else len(NAMES))
    blocks: list[Shown] = [_table(study, source, pairs) for source in sources]
    blocks.append(Folded("Trees inferred anew, and there and back again", [ways_table(study, pairs)]))
    if asked := asked_table(study, pairs):
        blocks.append(Folded(f"Queries of the {study.split} split alone", [asked]))
    return Section(
        TASK,
        "Substitution",
        "A recipe whose main ingredient is A has A replaced by B in title, ingredients and instructions. It "
        "succeeds where the dish found for it truly has B, by the nearest photo (R-2-I) or the nearest "
        "recipe (R-2-R). The baseline asks the same of the recipe left unchanged. R-2-R is the easier "
        "question and weaker evidence: both sides are text, and to share the word B is half of the way, even "
        f"for a model that has learned nothing. {_where(study)}",
        [*blocks, *_galleries(study)],
        list(_findings(study, pairs)),
    )


def gains(study: Study, model: str, pairs: Sequence[str]) -> list[Verdict]:
    """For each pair and direction whether the swap beats the unchanged recipe in every run."""
    found = [(entries(study, model, pair), way) for pair in pairs for way in WAYS]
    return [settle([Gap.paired(entry["gain"][way]) for entry in having]) for having, way in found if having]


def median_ranks(study: Study) -> Mapping[str, Mapping[str, float]]:
    """For each replaced ingredient the models' median rank, by the mean rates over runs; {} for one model."""
    # Here, not above: it comes with torch, which takes seconds to load.
    from chef.evaluate.median_rank import median_ranks as of_results

    models = study.able(TASK)
    if len(models) < 2:
        return {}
    means = {
        model: {
            pair: {way: value.mean for way in WAYS if (value := Value.of(entries(study, model, pair), way))}
            for pair in pairs_of(study)
            if entries(study, model, pair)
        }
        for model in models
    }
    return of_results(means)


def _where(study: Study) -> str:
    part = study.parts(study.able(TASK)[0], TASK)[0]
    chooser, place = part["queries-from"], part["gallery"]
    by = "by largest mass" if chooser == "gold" else f"by the tree of {shown(chooser)}"
    said = (
        f"What is main is decided {by}, for every model alike. The gallery is "
        f"{counted(place['recipes'], 'recipe')} ({listed(place['splits'])})."
    )
    short = [f"{pair.replace('->', ' → ')} ({why})" for pair, why in part["skipped"].items()]
    return f"{said} Left out: {'; '.join(short)}." if short else said


def _table(study: Study, source: str, pairs: Sequence[str]) -> Table:
    mine = [pair for pair in pairs if pair.startswith(f"{source}->")]
    ranks = median_ranks(study).get(source, {})
    models = study.able(TASK)
    changed = [
        Row(shown(model), [*_rates(study, model, mine), Value((ranks[model],)) if model in ranks else None])
        for model in models
    ]
    unchanged = [
        Row(shown(model), [*_rates(study, model, mine, "baseline"), None], "control") for model in models
    ]
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
    counts = [entry["queries"] for model in study.able(TASK) for entry in entries(study, model, pair)]
    few, many = min(counts), max(counts)
    return f"To {pair.split('->')[1]} ({few}{f'–{many}' if many > few else ''} queries)"


def _rates(study: Study, model: str, pairs: Sequence[str], inside: str = "") -> list[Cell]:
    return [Value.of(entries(study, model, pair, inside), way) for pair in pairs for way in WAYS]


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
        yield f"Lowest median rank: {first} ({best:.1f}). A rank has no interval and proves nothing."


def _tally(verdicts: Sequence[Verdict], of: str = "column") -> str:
    """'in 6 of 8 columns (not told apart in 2)'."""
    above, below, open_ = (verdicts.count(kind) for kind in ("above", "below", "open"))
    rest = [f"behind in {below}"] if below else []
    rest += [f"not told apart in {open_}"] if open_ else []
    return f"in {above} of {counted(len(verdicts), of)}" + (f" ({', '.join(rest)})" if rest else "")


def _findings(study: Study, pairs: Sequence[str]) -> Iterator[Finding]:
    for model in filter(study.has_tree, study.able(TASK)):
        gained = {way: [together(part, way) for part in study.parts(model, TASK)] for way in WAYS}
        said = [f"{label}, all pairs together: {describe(gained[way])}." for way, label in WAYS.items()]
        yield Finding(
            model,
            f"With its main ingredient swapped, a recipe of {shown(model)} finds dishes with the new one",
            outcome(overall(gained)),
            f"Against the recipe left unchanged. {' '.join(said)} Pair by pair and way by way, it is ahead "
            f"{_tally(gains(study, model, pairs), 'case')}.",
        )
        rivals = pooled_rivals(study, model)
        if all(rivals.values()):
            both = {f"{way} {other}": gap for way, row in rivals.items() for other, gap in row.items()}
            said = [against(f"{WAYS[way]}, all pairs together: it", row) for way, row in rivals.items()]
            claim = (
                f"{shown(model)}, with a tree over the ingredients, substitutes better than models without"
            )
            yield Finding(model, claim, outcome(overall(both)), " ".join(said))


def _galleries(study: Study) -> Iterator[Figure | Folded]:
    """The substitutions of the first model that has pictures of them, the leading one if it can be."""
    runs = study.illustrated("swaps", study.able(TASK))[:1]
    swaps = runs[0].figure("swaps") if runs else []
    folded: dict[str, list[Figure]] = {}
    for place, pair in enumerate(dict.fromkeys(entry["pair"] for entry in swaps)):
        old, new = pair.split("->")
        figure = Figure(
            gallery([entry for entry in swaps if entry["pair"] == pair]),
            f"{of_run(runs[0].model, runs[0].seed)}: {old} becomes {new}. Queries drawn at random, not "
            "chosen; the nearest dishes first. Green: the dish has the new ingredient.",
            wide=True,
        )
        if place < OPEN:
            yield figure
        else:
            folded.setdefault(old, []).append(figure)
    for old, figures in folded.items():
        yield Folded(f"More swaps from {old}", figures)
