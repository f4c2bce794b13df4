"""The commands. Each lives in its own file under `chef.commands`; this one only gathers them."""

from __future__ import annotations

import errno
import sys
from typing import Annotated

import click
import typer

import chef
from chef.errors import ChefError

app = typer.Typer(
    name="chef",
    help="Pairs dish photos with recipes. `chef COMMAND --help` shows what a command takes.",
    no_args_is_help=True,
    add_completion=False,
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
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
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
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        # standalone_mode=False: errors come to us instead of click's own printing.
        result = app(args=arguments, standalone_mode=False)
        return result if isinstance(result, int) else 0
    except ChefError as error:
        return _say(str(error))
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        print("stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 0  # `chef ... | head` is not an error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return _say("the disk is full (free some space and run the same command again)")
        return _say(f"{error.strerror or error}: {error.filename or ''}".rstrip(": "))


def _say(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 2
