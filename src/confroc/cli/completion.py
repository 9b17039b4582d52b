"""The `completion` command."""

from __future__ import annotations

import click

from confroc.cli.group import Named
from confroc.cli.options import command

SHELLS = ("bash", "zsh", "fish")


@command("bash")
@click.argument("shell", type=Named(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that makes a shell complete commands, options, methods and column names.

    \b
    bash: add to ~/.bashrc   eval "$(confroc completion bash)"
    zsh:  add to ~/.zshrc    eval "$(confroc completion zsh)"
    fish: confroc completion fish > ~/.config/fish/completions/confroc.fish
    """  # noqa: D301
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    root = ctx.find_root()
    click.echo(found(root.command, {}, "confroc", "_CONFROC_COMPLETE").source())
