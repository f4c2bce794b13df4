"""`chef canonical`: propose, decide and review merges of ingredient names, and build the map."""

import os
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from chef.errors import ChefError

_ESCAPE = re.compile(r"\x1b(?:[\[O][^@-~]*[@-~])?")  # arrow and function keys
_CLEAR = "\x1b[2J\x1b[H"  # an empty screen

canonical = typer.Typer(
    no_args_is_help=True, help="Canonical ingredients: many names, one token. See docs/canonical.md."
)

Proposals = Annotated[Path, typer.Argument(help="The file written by `chef canonical propose`.")]
Decisions = Annotated[Path, typer.Argument(help="The decisions file; created if it does not exist.")]
Share = Annotated[
    float,
    typer.Option(min=0.0, max=1.0, help="Keep the most frequent names that cover this share of all lines."),
]


@canonical.command("propose")
def propose_command(
    sources: Annotated[list[str], typer.Argument(help="Recipes in any format that chef reads.")],
    out: Annotated[Path, typer.Argument(help="The proposals file to write.")],
    share: Share = 0.95,
) -> None:
    """Propose names that may be one ingredient: close in word2vec space, sharing words, or the same food."""
    from chef.food.canonical import propose
    from chef.food.units import usda_name
    from chef.readers import Skipped, read
    from chef.text.lines import with_names

    skipped = Skipped()
    recipes = [with_names(recipe) for source in sources for recipe in read(source, skipped)]
    counts = propose.count_names(recipes)
    if not counts:
        raise ChefError("no ingredient names found", f"check that {', '.join(sources)} holds recipes")
    groups = propose.group_names(counts)
    asked = propose.most_frequent(groups, share)
    typer.echo(
        f"{len(recipes)} recipes, {len(counts)} names, {len(groups)} after stemming; "
        f"asking about {len(asked)}"
    )
    proposals = propose.propose(asked, food_of=usda_name, vectors=propose.name_vectors(recipes, asked))
    propose.write_proposals(out, groups, counts, proposals)
    typer.echo(f"{len(proposals)} proposals in {out}")


@canonical.command("decide")
def decide_command(proposals: Proposals, decisions: Decisions) -> None:
    """Accept automatically what differs only by a qualifier; everything else is left to a person."""
    from chef.files import write_atomic
    from chef.food.canonical.merge import decide, read_decisions, table
    from chef.food.canonical.propose import read_proposals

    _, proposed = read_proposals(proposals)
    known = read_decisions(decisions)
    made = list(decide(proposed, known))
    write_atomic(decisions, table([*known, *made]).encode())
    typer.echo(f"{len(made)} decisions added to {decisions}")


@canonical.command("review")
def review_command(
    proposals: Proposals,
    decisions: Decisions,
    map: Annotated[
        Path | None, typer.Option("--map", help="Also write the map of all decisions here at the end.")
    ] = None,
    share: Share = 0.95,
) -> None:
    """Accept or reject proposals, one key each. Every decision is saved at once; run again to continue."""
    import termios
    import tty

    from chef.food.canonical.propose import read_proposals
    from chef.food.canonical.review import Review

    if not sys.stdin.isatty():
        raise ChefError("a review needs a terminal", "run it in one, or use chef canonical decide")
    counts, proposed = read_proposals(proposals)
    review = Review(proposed, decisions)
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)  # all the while, so no key is lost while the program is busy
    try:
        typer.echo(_CLEAR + review.screen())
        while pressed := os.read(terminal, 32).decode("ascii", errors="replace"):
            if not all(review.press(key) for key in _ESCAPE.sub("", pressed).lower()):
                break
            typer.echo(_CLEAR + review.screen())
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
    typer.echo(f"\n{review.done} of {len(proposed)} decided; decisions are in {decisions}")
    if map is not None:
        _build(counts, decisions, map, share)


@canonical.command("build")
def build_command(
    proposals: Proposals,
    decisions: Annotated[Path, typer.Argument(help="The decisions file.")],
    out: Annotated[Path, typer.Argument(help="The map to write.")],
    share: Share = 0.95,
) -> None:
    """Write the map of the accepted merges; rejected pairs stay apart and conflicts are reported."""
    from chef.food.canonical.propose import read_proposals

    counts, _ = read_proposals(proposals)
    if not decisions.exists():
        raise ChefError(f"no decisions at {decisions}", "make them with chef canonical review")
    _build(counts, decisions, out, share)


def _build(counts: dict[str, int], decisions: Path, out: Path, share: float) -> None:
    from chef.food.canonical.merge import build_map, read_decisions

    built, conflicts = build_map(counts, read_decisions(decisions), share=share)
    built.save(out)
    for conflict in conflicts:
        typer.echo(f"conflict: {conflict}", err=True)
    typer.echo(
        f"{len(built)} canonical ingredients of {len(list(built))} names in {out}, {built.digest[:12]}"
    )


@canonical.command("show")
def show_command(
    names: Annotated[list[str], typer.Argument(help="Ingredient names or tokens.")],
    map: Annotated[
        Path | None, typer.Option("--map", help="A map to use instead of the bundled one.")
    ] = None,
) -> None:
    """Print the canonical ingredient of each name, and the names merged into it."""
    from chef.food.canonical import CanonicalMap

    known = CanonicalMap.load(map)
    for name in names:
        token = name if name in known else known.token(name)
        typer.echo(f"{name}: {token or 'not known'}")
        if token:
            typer.echo("  " + ", ".join(known.names(token)))
