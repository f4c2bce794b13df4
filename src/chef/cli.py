"""The command line: collects the commands of `chef.commands` and turns errors into exit codes."""

import errno
import os
import re
import sys
from typing import Annotated

import typer

import chef
from chef.errors import ChefError

_PRIVATE = "--allow-private"
_ADDRESS = re.compile(r"auto|ray://.+|[^/\\]+:\d+")  # of a Ray

app = typer.Typer(
    name="chef",
    help="Find, explain and change recipes by photo and text. `chef COMMAND --help` shows its options.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"chef {chef.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    allow_private: Annotated[
        bool,
        typer.Option("--allow-private", help="Fetch pages and photos from private networks, too."),
    ] = False,
) -> None:
    pass


def _register() -> None:
    from chef.commands import COMMANDS, GROUPS

    for name, command in COMMANDS.items():
        app.command(name)(command)
    for name, group in GROUPS.items():
        app.add_typer(group, name=name)


def main(arguments: list[str] | None = None) -> None:
    """Run one command; a user's mistake ends in one line on standard error and exit code 2."""
    _register()
    try:
        given = _without_private(_with_ray(sys.argv[1:] if arguments is None else arguments))
        app(given, prog_name="chef")  # leaves by itself, with 2 where the command line is at fault
    except ChefError as error:
        sys.exit(_say(str(error)))
    except BrokenPipeError:
        # `chef ... | head` is not an error; the interpreter must not try to write on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            sys.exit(_say("the disk is full (free some space and run the same command again)"))
        sys.exit(_say(f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")))


def _with_ray(arguments: list[str]) -> list[str]:
    """The arguments; `--ray` without an address is `--ray=local`, as Typer knows no optional values."""
    following = [*arguments, ""][1:]
    return [
        "--ray=local" if one == "--ray" and not _ADDRESS.fullmatch(after) else one
        for one, after in zip(arguments, following, strict=True)
    ]


def _without_private(arguments: list[str]) -> list[str]:
    """The arguments without `--allow-private`, which may stand anywhere; worker processes see it, too."""
    if _PRIVATE in arguments:
        os.environ["CHEF_ALLOW_PRIVATE"] = "1"
    return [one for one in arguments if one != _PRIVATE]


def _say(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 2
