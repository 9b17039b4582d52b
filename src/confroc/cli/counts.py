"""The `counts` command."""

from __future__ import annotations

import click

from confroc.cli.options import Data, Helpful, data_options, told_plainly


@click.command(cls=Helpful)
@data_options
@click.option(
    "--resolution", type=int, help="Round scores to at most this many levels; the error this adds is kept."
)
@click.option("-o", "--output", required=True, metavar="PATH", help="Parquet file to write.")
def counts(data: Data, resolution: int | None, output: str) -> None:
    """Write the counts per distinct score (or pair of scores) to a compact Parquet file.

    Every other command takes the file instead of the rows: share a curve's whole inference without
    sharing rows.
    """
    if len(data.scores) > 2:
        raise click.UsageError("counts takes one --score column, or two of them as a pair.")
    with told_plainly():
        from confroc.ingest import write_counts

        cases = data.read(pairs=len(data.scores) == 2, resolution=resolution)
        click.echo(f"wrote {write_counts(cases, output)}", err=True)
