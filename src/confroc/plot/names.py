"""Names of models as pictures hold them: as text, on two lines, and cut so that they still differ."""

from __future__ import annotations

from collections.abc import Sequence

from confroc.results.shown import CONTEXT, shared, visible

# Names longer than this are broken into two lines, and lose their middle where these do not hold them.
LONGEST_LINE = 26
MOST_OF_NAME = 2 * LONGEST_LINE


def plain(name: str) -> str:
    """Return a name as matplotlib must receive it: `$` starts no formula, `_` does not hide it.

    Control characters, which an SVG file cannot hold, are made visible.
    """
    escaped = visible(name).replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped


def cut(name: str, most: int = MOST_OF_NAME) -> str:
    """Return a name without its middle if it is longer than two lines, or than given.

    The end is kept, because names of models often differ only there.
    """
    return name if len(name) <= most else f"{name[: most // 2]}…{name[most // 2 + 1 - most :]}"


def shortened(names: Sequence[str], most: int = MOST_OF_NAME) -> list[str]:
    """Return names that stand together cut, so that those which differ still do."""
    told = [cut(name, most) for name in names]
    alike: dict[str, list[str]] = {}
    for name, text in zip(names, told, strict=True):
        alike.setdefault(text, []).append(name)
    apart = {name: text for same in alike.values() for name, text in _told_apart(same, most).items()}
    if len(set(apart.values())) < len(apart):
        # By their places, where what differs does not fit.
        apart = {name: f"{k}: {cut(name, most - len(f'{k}: '))}" for k, name in enumerate(apart, 1)}
    return [apart[name] for name in names]


def _told_apart(names: Sequence[str], most: int) -> dict[str, str]:
    """Names that are alike when cut in the middle, with that by which they differ, by name."""
    if len(set(names)) == 1:
        return {names[0]: cut(names[0], most)}
    first = shared(names)
    last = min(shared([name[::-1] for name in names]), min(map(len, names)) - first)
    own = max(map(len, names)) - first - last
    if first + own < most:
        return {name: name if len(name) <= most else f"{name[: most - 1]}…" for name in names}
    if own + last < most:
        return {name: name if len(name) <= most else f"…{name[1 - most :]}" for name in names}
    room = max(0, most - own - 2)
    near = min(CONTEXT, room // 2)
    parts = {name: cut(name[first - near : len(name) - last], most - 2) for name in names}
    return {name: f"{name[: room - near]}…{part}…" for name, part in parts.items()}


def short(name: str) -> str:
    """Return a name on at most two lines, without its middle if it is too long for them."""
    name = cut(name)
    if len(name) <= LONGEST_LINE:
        return name
    # Between words, or else within one, as late as possible.
    for ends in (" ", "_-./"):
        cuts = [at for at in range(1, len(name)) if name[at - 1] in ends]
        lines = [(name[:at].rstrip(), name[at:]) for at in cuts]
        fitting = [pair for pair in lines if max(map(len, pair)) <= LONGEST_LINE]
        if fitting:
            return "\n".join(fitting[-1])
    return f"{name[:LONGEST_LINE]}\n{name[LONGEST_LINE:]}"
