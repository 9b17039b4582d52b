"""The bibliography of methods, docstrings and the report."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from importlib.resources import files
from typing import NamedTuple

WHOLE = re.compile(r"(?P<authors>.+?) \((?P<year>\d{4})\)\. (?P<rest>.+?)\.?")
"""Authors, year, and the rest."""
KINDS = {
    "article": r"(?P<title>.+)\. (?P<journal>[^.]+?) (?P<volume>\d+)(?:\((?P<number>[^)]+)\))?, "
    r"(?P<pages>[\dA-Za-z–]+)",
    "book": r"(?P<title>.+)\. (?P<publisher>[^.,]+)(?:, (?P<address>[^.]+))?",
    "inproceedings": r"(?P<title>.+?)\. (?P<booktitle>.+?)(?:, (?P<pages>\d+–\d+))?",
    "techreport": r"(?P<title>.+)\. (?P<type>.+) (?P<number>\d+), (?P<institution>.+)",
    "misc": r"(?P<title>.+)\. (?P<howpublished>.+)",
}
"""The rest, by BibTeX entry type."""
ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030c": "v ", "\u0327": "c ",
}  # fmt: skip
"""TeX accents by combining character."""


class Paper(NamedTuple):
    """A bibliographic reference."""

    text: str
    doi: str = ""
    kind: str = "article"

    @property
    def _parts(self) -> dict[str, str]:
        """Authors, year, title, and publication, by entry type."""
        whole = WHOLE.fullmatch(self.text)
        assert whole is not None, self.text
        found = re.fullmatch(KINDS[self.kind], whole["rest"])
        assert found is not None, self.text
        named = {"authors": whole["authors"]} | found.groupdict() | {"year": whole["year"]}
        return {name: text for name, text in named.items() if text}

    @property
    def cited(self) -> str:
        """Citation in the text: "DeLong et al., 1988"."""
        names = [name.rpartition(" ")[0] for name in self._parts["authors"].split(", ")]
        who = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
        return f"{who}, {self._parts['year']}"

    def bibtex(self, key: str) -> str:
        """Return the BibTeX entry in ASCII."""
        parts = self._parts
        authors = [name.rpartition(" ") for name in parts["authors"].split(", ")]
        parts["author"] = " and ".join(
            f"{name}, {' '.join(f'{i}.' for i in own)}" for name, _, own in authors
        )
        del parts["authors"]
        fields = {"author": _tex(parts.pop("author")), "title": f"{{{_tex(parts.pop('title'))}}}"}
        fields |= {name: _tex(text) for name, text in parts.items()}
        if self.doi:
            fields["doi"] = self.doi
        return entry(self.kind, key, fields)


def entry(kind: str, key: str, fields: dict[str, str]) -> str:
    """Return a BibTeX entry with TeX-encoded fields."""
    return f"@{kind}{{{key},\n" + "".join(f"  {n} = {{{text}}},\n" for n, text in fields.items()) + "}\n"


def _tex(text: str) -> str:
    """Return text encoded for TeX in ASCII."""
    written = re.sub(r"[&%$#_]|[^\x00-\x7f]", _tex_sign, unicodedata.normalize("NFC", text))
    return written.replace("–", "--").replace("’", "'")


def _tex_sign(found: re.Match[str]) -> str:
    sign = found[0]
    if sign.isascii():
        return f"\\{sign}"
    decomposed = unicodedata.normalize("NFD", sign)
    accents = [ACCENTS[mark] for mark in decomposed[1:]]
    return f"{{\\{accents[0]}{decomposed[0]}}}" if accents else sign


_FILE = files("confroc.methods").joinpath("papers.toml")
PAPERS = {key: Paper(**paper) for key, paper in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()}
"""References by key."""
