"""`chef serve`: a collection over HTTP, with its page; `chef mcp`: a collection for assistants.

`chef demo` opens the page on the bundled cookbook; `chef demo --train` shows the training pipeline on a small
generated kitchen.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chef.commands.shared import Collection, IndexModel, open_collection
from chef.errors import ChefError

if TYPE_CHECKING:
    from rich.console import Console

    from chef.data.prepared import Prepared
    from chef.index import Index
    from chef.recipe import Recipe

Port = Annotated[
    int, typer.Option(min=0, max=65535, envvar="CHEF_PORT", help="The port; 0 picks any free one.")
]
Model = Annotated[
    str | None, typer.Option(help="A model's name or folder; default: the one the collection was made with.")
]

SERVING = ("fastapi", "uvicorn", "python_multipart", "prometheus_client", "fastapi_offline")


def serve(
    index: Annotated[str, typer.Option("--index", help="The collection: a folder or an s3:// address.")],
    host: Annotated[
        str, typer.Option(help="The address to listen on; any but this machine's needs a token.")
    ] = "127.0.0.1",
    port: Port = 8000,
    token: Annotated[
        str | None,
        typer.Option(envvar="CHEF_TOKEN", help="The token for writing, and for reading from other machines."),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="ORIGIN", help="Let pages of https://example.org read. May be repeated."),
    ] = None,
    model: Model = None,
    review: Annotated[
        Path | None,
        typer.Option(help="The folder with proposals.tsv and decisions.tsv for reviewing ingredient names."),
    ] = None,
    grace: Annotated[
        float, typer.Option(min=0, help="Seconds for open requests to finish after Ctrl-C or SIGTERM.")
    ] = 20.0,
) -> None:
    """Serve a collection over HTTP until Ctrl-C; the page is at the printed address. See docs/serve.md."""
    check_installed()
    from chef.serve.settings import ServeSettings

    origins = tuple(allow_origin or ())
    settings = ServeSettings(host=host, port=port, token=token, origins=origins, review=review, grace=grace)
    from chef.index import Index
    from chef.serve.app import serve as run

    run(Index(index, model, create=False), settings, print_address)


def check_installed(packages: tuple[str, ...] = SERVING, extra: str = "serve") -> None:
    """Raise an error if a package that a command needs is missing."""
    for name in packages:
        if find_spec(name) is None:
            raise ChefError(f"{name} is not installed", f"pip install 'chef-food[{extra}]'")


def print_address(address: str) -> None:
    """Print the address at once, even into a pipe."""
    print(address, flush=True)


def mcp(
    index: Collection = None,
    http: Annotated[
        bool, typer.Option("--http", help="Answer at /mcp over HTTP, beside all that chef serve does.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Port = 8000,
    token: Annotated[
        str | None, typer.Option(envvar="CHEF_TOKEN", help="With --http: the token that clients send.")
    ] = None,
    model: IndexModel = None,
) -> None:
    """Let an assistant use your recipes over the Model Context Protocol (MCP). See docs/mcp.md.

    Recipes can be added where --index names a collection; the bundled cookbook is only read.
    """
    check_installed()
    check_installed(("mcp",), "mcp")
    from chef.serve.settings import ServeSettings

    if http and index is None:
        raise ChefError("which collection?", "give an --index")
    settings = ServeSettings(host=host, port=port, token=token, mcp=http)
    collection = open_collection(index, model)
    if http:
        from chef.serve.app import serve

        serve(collection, settings, lambda address: print_address(f"{address}/mcp"))
        return
    from chef.serve.assistants import Assistants
    from chef.serve.service import Service

    service = Service(collection, settings)
    try:
        Assistants(service, local=True, can_add=index is not None).run()
    finally:
        service.close()


_PLATES = 24  # on the sheet
_WORD = 64  # dimension of the word vectors
# A T+T+L small enough for a minute or two on two cores; `chef train` has the paper's sizes. InfoNCE:
# under batch-hard triplets a tower that starts from nothing collapses.
_SMALL = {
    "model": "t+t+l", "word": _WORD, "hidden": 64, "space": 128, "batch": 64, "epochs": 24,
    "loss": "infonce", "learning_rate": 0.002, "schedule": "cosine", "freeze_epochs": 0, "evaluate_every": 4,
}  # fmt: skip


def demo(
    out: Annotated[Path, typer.Option(help="The folder for everything it writes.")] = Path("out/demo"),
    port: Port = 8000,
    model: Model = None,
    train: Annotated[bool, typer.Option("--train", help="Show the training pipeline instead.")] = False,
    recipes: Annotated[int, typer.Option(min=100, help="With --train: how many recipes to generate.")] = 800,
    epochs: Annotated[int, typer.Option(min=1, help="With --train: training epochs.")] = 24,
) -> None:
    """Open the web page on the bundled cookbook, until Ctrl-C; drop a photo on it."""
    if train:
        _train_demo(out, recipes, epochs)
        return
    check_installed()
    from chef.serve.app import serve
    from chef.serve.settings import ServeSettings

    print("opening the cookbook", flush=True)
    settings = ServeSettings(port=port, review=out / "review")
    serve(own_copy(out, model), settings, print_address)


def own_copy(out: Path, model: str | None) -> Index:
    """A copy of the cookbook's collection that may be written to; the one in the cache is shared.

    The copy is named after the model and the cookbook it was made from: another model makes another copy.
    """
    from chef.files import staging_folder
    from chef.index import Index, open_cookbook

    shared = open_cookbook(model)
    shared.info()  # the bundled one has a folder from here on
    copy = out / Path(shared.url).name
    if not copy.is_dir():
        with staging_folder(copy) as new:
            shutil.copytree(shared.url, new, dirs_exist_ok=True)
    return Index(copy, model, create=False)


def _train_demo(out: Path, recipes: int, epochs: int) -> None:
    """Generate a small kitchen, prepare it, follow one recipe, and train a small T+T+L on it."""
    from rich.console import Console

    from chef.data.kitchen import generate, sheet, write_kitchen
    from chef.data.prepared import Prepared
    from chef.data.preparing import prepare
    from chef.data.texts import PrepareSettings
    from chef.progress import ConsoleProgress

    console = Console()
    kitchen, prepared, run = (out / f"{name}-{recipes}" for name in ("kitchen", "prepared", "run"))
    console.rule("[bold]1. A generated kitchen: recipes and painted plates, the truth known")
    if not (kitchen / "recipes.jsonl").exists():
        with ConsoleProgress() as progress:
            write_kitchen(kitchen, recipes, size=128, progress=progress)
    plates = out / "plates.png"
    sheet(list(generate(_PLATES, seed=0)), columns=6, path=plates)
    console.print(f"{recipes} recipes in {kitchen}; look at some of the plates: {plates}")
    console.rule("[bold]2. Prepared data: clean text, canonical ingredients, vectors, shards")
    settings = PrepareSettings(image_size=128, dimension=_WORD)
    with ConsoleProgress() as progress:
        manifest = prepare(kitchen, prepared, settings, progress=progress)
    splits = ", ".join(f"{count} {name}" for name, count in manifest.splits.items())
    console.print(
        f"{manifest.recipes} recipes ({splits}), {manifest.vocabulary} words, "
        f"{manifest.canonical_ingredients} canonical ingredients in {prepared}"
    )
    data = Prepared(prepared)
    console.rule("[bold]3. One recipe through the pipeline")
    recipe = data.split("test").recipe(0)
    _show_recipe(console, recipe, data)
    console.rule("[bold]4. A small T+T+L learns which plate belongs to which recipe")
    _train(console, data, run, epochs, recipe)


def _show_recipe(console: Console, recipe: Recipe, data: Prepared) -> None:
    from rich.table import Table
    from rich.text import Text

    from chef.food.canonical import Replacer
    from chef.text.tokens import sentences, tokenise
    from chef.text.verbs import verbs

    console.print(Text(recipe.title, style="bold"))
    table = Table("raw line", "name", "amount", "grams", "canonical")
    for item in recipe.ingredients:
        amount = "" if item.amount is None else f"{item.amount:g} {item.unit}"
        grams = "" if item.grams is None else f"{item.grams:.0f}"
        table.add_row(Text(item.line), item.name, amount, grams, item.token)
    console.print(table)
    replace = Replacer(data.canonical)
    known = set(data.canonical.tokens)
    steps = Table("sentence", "tokens (canonical ingredients in green, verbs in red)")
    for step in recipe.steps:
        for sentence in sentences(step.text):
            words = replace(tokenise(sentence))
            actions = set(verbs(words))
            tokens = Text()
            for position, word in enumerate(words):
                style = "bold red" if position in actions else "green" if word in known else ""
                tokens.append(word, style).append(" ")
            steps.add_row(Text(sentence), tokens)
    console.print(steps)


def _train(console: Console, data: Prepared, run: Path, epochs: int, recipe: Recipe) -> None:
    import torch
    from rich.table import Table

    from chef.data.pairs import PairDataset
    from chef.model.artefact import load
    from chef.text.tokens import readable
    from chef.train.evaluate import validate
    from chef.train.loop import train
    from chef.train.settings import make_settings
    from chef.train.start import build_model

    settings = make_settings({**_SMALL, "epochs": epochs})
    torch.manual_seed(settings.seed)
    fresh = build_model(data, settings)
    pairs = PairDataset(data.split("test"), fresh.tower.transform, training=False)
    before = validate(fresh, pairs)
    train(data, settings, run)
    model = load(run)
    after = validate(model.model, pairs)
    table = Table("", "medR", "R@1", "R@5", "R@10", title=f"photo to recipe, {len(pairs)} test recipes")
    for name, values in (("before", before), ("after", after)):
        table.add_row(name, *(f"{values[metric]:.1f}" for metric in ("medR", "R@1", "R@5", "R@10")))
    console.print(table)
    explanation = model.explain(recipe)
    if explanation.tree is not None:
        console.print("the ingredient tree it built; the leaf nearest the root matters most to it:")
        console.print(explanation.tree.text(), markup=False, highlight=False)
    if explanation.main_ingredient is not None:
        console.print(f"main ingredient: [bold]{readable(explanation.main_ingredient)}[/bold]")
    console.print(f"the model: {run / 'best'} (chef.load takes it)")
