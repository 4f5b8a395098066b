"""The command line: `play`, `serve`, `solve`, `check`, `rules`, `replay`, `arena`, `export`, `import`, `migrate`.

Other programs use it, so that this holds for every command: `--json` prints JSON on standard output and nothing else;
the exit status is 0 when done, 1 for a "no", 2 for input that cannot be used, with one line that names the field.
"""

import os
import sys
from typing import Annotated

import typer

from tilerummy import __version__
from tilerummy.cli.arena import arena as _arena
from tilerummy.cli.backup import export_games as _export
from tilerummy.cli.backup import import_games as _import
from tilerummy.cli.check import check as _check
from tilerummy.cli.guard import BAD as _BAD
from tilerummy.cli.guard import INTERRUPTED as _INTERRUPTED
from tilerummy.cli.guard import complain as _complain
from tilerummy.cli.guard import guarded as _guarded
from tilerummy.cli.play import play as _play
from tilerummy.cli.replay import replay as _replay
from tilerummy.cli.rules import rules as _rules
from tilerummy.cli.screen import settle_streams as _settle_streams
from tilerummy.cli.serve import migrate as _migrate
from tilerummy.cli.serve import serve as _serve
from tilerummy.cli.solve import solve as _solve

__all__ = ["app", "main"]

app = typer.Typer(
    name="tilerummy",
    help="Tile rummy: play every rulebook's game, find the best play, judge plays, read the rules, replay games, "
    "let bots play each other.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in (_play, _serve, _solve, _check, _rules, _replay, _arena, _migrate):
    app.command()(_guarded(_command))
app.command("export")(_guarded(_export))
app.command("import")(_guarded(_import))

_BUG = 70  # EX_SOFTWARE

# The library that reads the options has its errors in another place from version to version; this is their base.
_UsageError: type[Exception] = typer.BadParameter.__mro__[2]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"tilerummy {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Run the command line and leave with its exit status."""
    _settle_streams()
    try:
        status = app(standalone_mode=False, prog_name="tilerummy")
    except _UsageError as error:
        _complain(getattr(error, "format_message", error.__str__)())
        status = _BAD
    except typer.Abort:
        status = _INTERRUPTED
    except Exception as error:
        if os.environ.get("TILERUMMY_TRACEBACK"):
            raise
        what = f"{type(error).__name__}: {error}"
        _complain(f"a bug of ours, please report it ({what}); TILERUMMY_TRACEBACK=1 shows where it is")
        status = _BUG
    sys.exit(status if isinstance(status, int) else 0)
