"""How the documentation site is built: `.ci/docs`, without network, every warning an error."""

from __future__ import annotations

import logging
import os
import re
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

from confroc import methods

ROOT = Path(__file__).resolve().parents[1]
os.environ.setdefault("MPLBACKEND", "agg")

project = "confroc"
author = "The confroc developers"
copyright = "2026, The confroc developers"
version = release = version_of("confroc")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["generated/backreferences"]

# ---- pages
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}

# ---- reference
default_role = "py:obj"
add_module_names = False
autodoc_typehints = "none"  # the docstrings say types, with shapes and units
autosummary_generate = True
templates_path = ["_templates"]
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
# Docstrings put names of arguments and attributes in single backticks; these stay plain code.
nitpick_ignore_regex = [("py:obj", ".*")]

# ---- gallery
# Figures that are written as PDF need no line in the log for each letter of their fonts.
logging.getLogger("fontTools").setLevel(logging.WARNING)
sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["generated/gallery"],
    "filename_pattern": r"/gallery_",
    "ignore_pattern": r"(^|/)(?!gallery_)\w+\.py$",
    "abort_on_example_error": True,
    "within_subsection_order": "FileNameSortKey",
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("confroc",),
    "write_computation_times": False,
    "download_all_examples": False,
    "show_signature": False,
    "reset_modules": ("matplotlib",),
}

# ---- look
html_theme = "furo"
html_title = f"confroc {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def choices_as_bullets(
    _app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    """Make lists of the choices of an argument, `word : what it does`; keep |x| from being a substitution.

    Docstrings are written to be read as they are; reStructuredText wants bullets for such lists.
    """
    out: list[str] = []
    inside = False  # a list of choices
    for line in lines:
        indent = len(line) - len(line.lstrip())
        choice = re.match(r"    (\w+) : (.*)", line)
        if choice:
            if not inside:
                out.append("")
            out.append(f"    * `{choice[1]}`: {choice[2]}")
        elif inside and indent >= 4:
            out.append("      " + line.strip())
        else:
            out.append(line)
        inside = bool(choice) or (inside and indent >= 4)
    lines[:] = [
        line if line.lstrip().startswith((">>>", "...")) else re.sub(r"\|(\S[^|`]*)\|", r"\\|\1\\|", line)
        for line in out
    ]


def table_of_methods() -> str:
    """Return the register of methods as one table a function."""
    parts = []
    for entry in methods.FAMILIES.values():
        parts += [f"\n## `{entry.name}`: {entry.title.lower()}\n"]
        parts += ["| method | what it does | kind | guarantee | papers |", "| --- | --- | --- | --- | --- |"]
        for row in entry.methods.values():
            said = f"**{row.title}.** {row.summary} {row.caution}".strip()
            papers = ", ".join(f"[{key}](#{key})" for key in entry.papers_of(row.name))
            parts.append(
                f"| `{row.name}` | {said} | {entry.kind_of(row.name)} | {row.guarantee} | {papers} |"
            )
    return "\n".join(parts)


def list_of_papers() -> str:
    """Return the bibliography, with an anchor a paper."""
    parts = []
    for key, paper in sorted(methods.PAPERS.items(), key=lambda item: item[1].text):
        doi = f" [doi:{paper.doi}](https://doi.org/{paper.doi})" if paper.doi else ""
        parts.append(f"({key})=\n\n{paper.text}{doi}\n")
    return "\n" + "\n".join(parts)


def complete(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Add what a page lacks to be part of a site: tables from the register, titles, contents."""
    if docname == "methods":
        source[0] += table_of_methods()
    if docname == "bibliography":
        source[0] += list_of_papers()
    if docname == "studies/README":
        pages = sorted(p.stem for p in (ROOT / "docs" / "studies").glob("*.md") if p.stem != "README")
        source[0] += "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"
    if docname.startswith("generated/gallery/gallery_"):
        source[0] = re.sub(
            r"(\.\. _sphx_glr_\S+:\n\n+)([^\n]+)\n(?!([=\-~#*])\3+\n)",
            lambda m: f"{m[1]}{m[2]}\n{'=' * len(m[2])}\n",
            source[0],
            count=1,
        )


def show_math(self: Any, node: nodes.math) -> None:
    """Write a formula as MathML, which browsers draw without scripts or fonts from elsewhere."""
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def show_math_block(self: Any, node: nodes.math_block) -> None:
    """Write a formula on lines of its own."""
    self.body.append(self.starttag(node, "div", CLASS="math-block"))
    self.body.append(convert(node.astext(), display="block"))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect what this file adds to Sphinx."""
    app.connect("source-read", complete)
    app.connect("autodoc-process-docstring", choices_as_bullets, priority=100)  # before numpydoc
    app.add_html_math_renderer("mathml", (show_math, None), (show_math_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
